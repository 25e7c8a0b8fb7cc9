// Containers, and the errors of calls of type-erased modules.
#include "xlac/nn/containers.h"

#include "repr.h"

#include "xlac/lazy/dtypes.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <cxxabi.h>
#include <fmt/format.h>
#include <map>

namespace xlac::nn {

//===- Type-erased modules ------------------------------------------------===//

static std::string type_name(const std::type_info &type) {
  if (type == typeid(void))
    return "nothing";
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : type.name();
}

void detail::throw_not_callable(const Module &module,
                                const std::vector<std::any> &arguments) {
  std::string got;
  for (const std::any &argument : arguments)
    got += (got.empty() ? "" : ", ") + type_name(argument.type());
  raise<TypeError>(module.name() + ": forward cannot be called with (" + got +
                   ")");
}

void detail::throw_other_result(const std::any &result,
                                const std::type_info &wanted) {
  raise<TypeError>("the module's result is " + type_name(result.type()) +
                   ", not " + type_name(wanted));
}

void detail::throw_other_module(const Module &module,
                                const std::type_info &wanted) {
  raise<TypeError>("the module is a " + module.name() + ", not a " +
                   type_name(wanted));
}

/// Clones modules; a module that occurs twice has one clone.
class Clones {
public:
  AnyModule of(const AnyModule &module) {
    Module *original = module.ptr().get();
    auto found = made_.find(original);
    if (found == made_.end())
      found = made_.emplace(original, module.clone()).first;
    return found->second;
  }

private:
  std::map<Module *, AnyModule> made_;
};

//===- Sequences of modules -----------------------------------------------===//

/// Returns `index` counted from the front. Throws IndexError when it is out of
/// range.
static size_t checked_index(int64_t index, int64_t size) {
  int64_t place = index < 0 ? index + size : index;
  if (place < 0 || place >= size)
    raise<IndexError>(fmt::format("index {} is out of range", index));
  return static_cast<size_t>(place);
}

size_t ModuleSequence::place_of(int64_t index) const {
  return checked_index(index, size());
}

const AnyModule &ModuleSequence::operator[](int64_t index) const {
  return modules_[place_of(index)];
}

void ModuleSequence::assign(NamedModules named) {
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> registered;
  std::vector<AnyModule> modules;
  std::vector<std::string> names;
  for (auto &[name, module] : named) {
    registered.emplace_back(name, module.ptr());
    modules.push_back(module);
    names.push_back(name);
  }
  set_modules(std::move(registered));
  modules_ = std::move(modules);
  names_ = std::move(names);
}

void ModuleSequence::assign_numbered(std::vector<AnyModule> modules) {
  NamedModules named;
  for (AnyModule &module : modules)
    named.emplace_back(std::to_string(named.size()), std::move(module));
  assign(std::move(named));
}

void ModuleSequence::append(AnyModule module) { extend({std::move(module)}); }

void ModuleSequence::push_back(std::string name, AnyModule module) {
  NamedModules all = named();
  all.emplace_back(std::move(name), std::move(module));
  assign(std::move(all));
}

void ModuleSequence::extend(const std::vector<AnyModule> &modules) {
  NamedModules all = named();
  for (const AnyModule &module : modules)
    all.emplace_back(std::to_string(all.size()), module);
  assign(std::move(all));
}

void ModuleSequence::insert(int64_t index, AnyModule module) {
  // Inserting at the end is allowed, too.
  size_t place = index == size() ? modules_.size() : place_of(index);
  std::vector<AnyModule> modules = modules_;
  modules.insert(modules.begin() + static_cast<long>(place), std::move(module));
  assign_numbered(std::move(modules));
}

AnyModule ModuleSequence::pop(int64_t index) {
  size_t place = place_of(index);
  AnyModule taken = modules_[place];
  std::vector<AnyModule> modules = modules_;
  modules.erase(modules.begin() + static_cast<long>(place));
  assign_numbered(std::move(modules));
  return taken;
}

NamedModules ModuleSequence::named() const {
  NamedModules all;
  for (size_t i = 0; i < modules_.size(); ++i)
    all.emplace_back(names_[i], modules_[i]);
  return all;
}

NamedModules ModuleSequence::cloned() const {
  Clones clones;
  NamedModules copies = named();
  for (auto &[name, module] : copies)
    module = clones.of(module);
  return copies;
}

std::any SequentialImpl::run(std::vector<std::any> values) const {
  for (const AnyModule &module : *this) {
    std::any result = module.call(std::move(values));
    values = {std::move(result)};
  }
  if (values.size() != 1)
    raise<TypeError>(fmt::format(
        "Sequential: there is no module to take {} arguments", values.size()));
  return std::move(values[0]);
}

std::shared_ptr<ModuleListImpl> ModuleListImpl::make_copy() const {
  auto made = std::make_shared<ModuleListImpl>();
  made->assign(cloned());
  return made;
}

std::string ModuleListImpl::str() const {
  std::vector<std::string> lines;
  for (int64_t i = 0; i < size();) {
    std::string text = (*this)[i]->str();
    int64_t next = i + 1;
    while (next < size() && (*this)[next]->str() == text)
      ++next;
    lines.push_back(next == i + 1 ? fmt::format("({}): {}", i, text)
                                  : fmt::format("({}-{}): {} x {}", i, next - 1,
                                                next - i, text));
    i = next;
  }
  return repr_of_tree(name(), "", lines);
}

//===- Containers by name -------------------------------------------------===//

template <class List> static auto place_of(List &list, std::string_view key) {
  return std::find_if(list.begin(), list.end(),
                      [&](const auto &each) { return each.first == key; });
}

/// Throws KeyError for an unknown name.
template <class List>
static auto known_place(List &list, std::string_view key) {
  auto found = place_of(list, key);
  if (found == list.end())
    raise<KeyError>(fmt::format("'{}'", key));
  return found;
}

template <class List>
static std::vector<std::string> keys_of(const List &list) {
  std::vector<std::string> keys;
  for (const auto &[key, value] : list)
    keys.push_back(key);
  return keys;
}

/// Replaces the value of that name in place, or appends it.
template <class List, class T>
static void put(List &list, const std::string &key, T value) {
  if (auto found = place_of(list, key); found != list.end())
    found->second = std::move(value);
  else
    list.emplace_back(key, std::move(value));
}

void ModuleDictImpl::assign(NamedModules modules) {
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> registered;
  for (const auto &[name, module] : modules)
    registered.emplace_back(name, module.ptr());
  set_modules(std::move(registered));
  modules_ = std::move(modules);
}

bool ModuleDictImpl::contains(std::string_view key) const {
  return place_of(modules_, key) != modules_.end();
}

const AnyModule &ModuleDictImpl::operator[](std::string_view key) const {
  return known_place(modules_, key)->second;
}

std::vector<std::string> ModuleDictImpl::keys() const {
  return keys_of(modules_);
}

void ModuleDictImpl::insert(const std::string &key, AnyModule module) {
  update({{key, std::move(module)}});
}

void ModuleDictImpl::update(const NamedModules &modules) {
  NamedModules all = modules_;
  for (const auto &[key, module] : modules)
    put(all, key, module);
  assign(std::move(all));
}

AnyModule ModuleDictImpl::pop(std::string_view key) {
  AnyModule taken = known_place(modules_, key)->second;
  NamedModules left = modules_;
  left.erase(place_of(left, key));
  assign(std::move(left));
  return taken;
}

void ModuleDictImpl::clear() { assign({}); }

std::shared_ptr<ModuleDictImpl> ModuleDictImpl::make_copy() const {
  Clones clones;
  NamedModules named;
  for (const auto &[name, module] : modules_)
    named.emplace_back(name, clones.of(module));
  return std::make_shared<ModuleDictImpl>(named);
}

//===- Parameters ---------------------------------------------------------===//

/// Formats a parameter of a container as PyTorch does.
static std::string parameter_line(const std::string &name,
                                  const std::string &type,
                                  const Tensor &parameter) {
  return fmt::format("  ({}): Parameter containing: [torch.{} of size {}]",
                     name, type, fmt::join(parameter.sizes(), "x"));
}

const Tensor &ParameterListImpl::operator[](int64_t index) const {
  return tensors_[checked_index(index, size())];
}

void ParameterListImpl::append(Tensor parameter) {
  tensors_.push_back(register_parameter(std::to_string(tensors_.size()),
                                        std::move(parameter)));
}

void ParameterListImpl::extend(const std::vector<Tensor> &parameters) {
  for (const Tensor &parameter : parameters)
    append(parameter);
}

std::shared_ptr<ParameterListImpl> ParameterListImpl::make_copy() const {
  std::vector<Tensor> copies;
  for (const Tensor &tensor : tensors_)
    copies.push_back(tensor.detach().clone());
  return std::make_shared<ParameterListImpl>(copies);
}

std::string ParameterListImpl::extra_repr() const {
  std::vector<std::string> lines;
  for (const Tensor &tensor : tensors_)
    lines.push_back(parameter_line(std::to_string(lines.size()),
                                   std::string(xlac::name(tensor.dtype())),
                                   tensor));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

bool ParameterDictImpl::contains(std::string_view key) const {
  return place_of(tensors_, key) != tensors_.end();
}

const Tensor &ParameterDictImpl::operator[](std::string_view key) const {
  return known_place(tensors_, key)->second;
}

std::vector<std::string> ParameterDictImpl::keys() const {
  return keys_of(tensors_);
}

void ParameterDictImpl::insert(const std::string &key, Tensor parameter) {
  set_parameter(key, parameter);
  put(tensors_, key, std::move(parameter));
}

void ParameterDictImpl::update(const NamedParameters &parameters) {
  for (const auto &[key, parameter] : parameters)
    insert(key, parameter);
}

Tensor ParameterDictImpl::pop(std::string_view key) {
  auto found = known_place(tensors_, key);
  drop_parameter(found->first);
  Tensor taken = found->second;
  tensors_.erase(found);
  return taken;
}

std::shared_ptr<ParameterDictImpl> ParameterDictImpl::make_copy() const {
  NamedParameters copies;
  for (const auto &[name, tensor] : tensors_)
    copies.emplace_back(name, tensor.detach().clone());
  return std::make_shared<ParameterDictImpl>(copies);
}

std::string ParameterDictImpl::extra_repr() const {
  std::vector<std::string> lines;
  for (const auto &[name, tensor] : tensors_)
    lines.push_back(parameter_line(
        name, lazy::legacy_name(tensor.dtype()) + "Tensor", tensor));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

} // namespace xlac::nn
