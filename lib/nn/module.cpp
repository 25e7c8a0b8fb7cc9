// The module tree: names, traversal, moves, state and printing.
#include "xlac/nn/module.h"

#include "repr.h"

#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <cxxabi.h>
#include <unordered_set>

namespace xlac::nn {

using frontend::impl_of;

struct Module::Parts {
  struct Entry {
    std::string name;
    Tensor tensor;
    bool persistent = true;
  };
  // Held by pointer, since callers keep references to entries.
  std::vector<std::unique_ptr<Entry>> parameters, buffers;
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> children;

  void check_name(const std::string &name) const {
    if (name.empty() || name.find('.') != std::string::npos)
      raise<ValueError>("'" + name +
                        "' is not a name: it is empty or has a dot");
    auto taken = [&](const auto &entries) {
      return std::any_of(
          entries.begin(), entries.end(),
          [&](const auto &entry) { return entry->name == name; });
    };
    bool child =
        std::any_of(children.begin(), children.end(),
                    [&](const auto &entry) { return entry.first == name; });
    if (child || taken(parameters) || taken(buffers))
      raise<ValueError>("attribute '" + name + "' already exists");
  }
};

Module::Module() : parts_(std::make_unique<Parts>()) {}
Module::~Module() = default;

//===- Registration -------------------------------------------------------===//

void Module::add_module(std::string name, std::shared_ptr<Module> module) {
  XLAC_CALL("register_module");
  parts_->check_name(name);
  if (!module)
    raise<ValueError>("module '" + name + "' is empty");
  parts_->children.emplace_back(std::move(name), std::move(module));
}

Tensor &Module::register_parameter(std::string name, Tensor tensor,
                                   bool requires_grad) {
  XLAC_CALL("register_parameter");
  parts_->check_name(name);
  if (tensor.defined())
    tensor.requires_grad_(requires_grad);
  auto entry = std::make_unique<Parts::Entry>(
      Parts::Entry{std::move(name), std::move(tensor)});
  parts_->parameters.push_back(std::move(entry));
  return parts_->parameters.back()->tensor;
}

Tensor &Module::register_buffer(std::string name, Tensor tensor,
                                bool persistent) {
  XLAC_CALL("register_buffer");
  parts_->check_name(name);
  auto entry = std::make_unique<Parts::Entry>(
      Parts::Entry{std::move(name), std::move(tensor), persistent});
  parts_->buffers.push_back(std::move(entry));
  return parts_->buffers.back()->tensor;
}

void Module::set_modules(
    std::vector<std::pair<std::string, std::shared_ptr<Module>>> modules) {
  XLAC_CALL("register_module");
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> before =
      std::exchange(parts_->children, {});
  try {
    for (auto &[name, module] : modules)
      add_module(name, module);
  } catch (...) {
    parts_->children = std::move(before);
    throw;
  }
}

void Module::set_parameter(const std::string &name, Tensor tensor) {
  XLAC_CALL("register_parameter");
  for (const auto &entry : parts_->parameters)
    if (entry->name == name) {
      if (tensor.defined())
        tensor.requires_grad_();
      entry->tensor = std::move(tensor);
      return;
    }
  register_parameter(name, std::move(tensor));
}

void Module::drop_parameter(const std::string &name) {
  auto &parameters = parts_->parameters;
  auto found =
      std::find_if(parameters.begin(), parameters.end(),
                   [&](const auto &entry) { return entry->name == name; });
  if (found == parameters.end())
    raise<KeyError>("there is no parameter '" + name + "'");
  parameters.erase(found);
}

//===- Traversal ----------------------------------------------------------===//

namespace {

/// Calls visit(module, prefix) once for each module of the tree, parents first;
/// prefixes end with a dot.
template <class Children, class Visit>
void walk(const Module &module, const std::string &prefix,
          std::unordered_set<const Module *> &seen, const Children &children_of,
          const Visit &visit) {
  if (!seen.insert(&module).second)
    return;
  visit(module, prefix);
  for (const auto &[name, child] : children_of(module))
    walk(*child, prefix + name + ".", seen, children_of, visit);
}

} // namespace

/// Lists the named tensors of one kind, each once.
#define XLAC_COLLECT(kind)                                                     \
  NamedTensors found;                                                          \
  std::unordered_set<const Module *> seen;                                     \
  std::unordered_set<const xlac::detail::TensorImpl *> listed;                 \
  walk(                                                                        \
      *this, "", seen,                                                         \
      [&](const Module &module) {                                              \
        return recurse ? module.parts_->children                               \
                       : decltype(module.parts_->children)();                  \
      },                                                                       \
      [&](const Module &module, const std::string &prefix) {                   \
        for (const auto &entry : module.parts_->kind)                          \
          if (entry->tensor.defined() &&                                       \
              listed.insert(&impl_of(entry->tensor)).second)                   \
            found.emplace_back(prefix + entry->name, entry->tensor);           \
      });                                                                      \
  return found

NamedTensors Module::named_parameters(bool recurse) const {
  XLAC_COLLECT(parameters);
}

NamedTensors Module::named_buffers(bool recurse) const {
  XLAC_COLLECT(buffers);
}
#undef XLAC_COLLECT

const Tensor *NamedTensors::find(std::string_view name) const {
  auto found = std::ranges::find(*this, name, &NamedTensor::first);
  return found == end() ? nullptr : &found->second;
}

const Tensor &NamedTensors::operator[](std::string_view name) const {
  if (const Tensor *found = find(name))
    return *found;
  raise<KeyError>("there is no tensor called '" + std::string(name) + "'");
}

std::vector<std::string> NamedTensors::keys() const {
  std::vector<std::string> names;
  for (const NamedTensor &each : *this)
    names.push_back(each.first);
  return names;
}

std::vector<Tensor> NamedTensors::values() const {
  std::vector<Tensor> tensors;
  for (const NamedTensor &each : *this)
    tensors.push_back(each.second);
  return tensors;
}

std::vector<Tensor> Module::parameters(bool recurse) const {
  return named_parameters(recurse).values();
}

std::vector<Tensor> Module::buffers(bool recurse) const {
  return named_buffers(recurse).values();
}

std::vector<std::shared_ptr<Module>> Module::children() const {
  std::vector<std::shared_ptr<Module>> found;
  for (const auto &[name, child] : parts_->children)
    if (std::find(found.begin(), found.end(), child) == found.end())
      found.push_back(child);
  return found;
}

std::vector<std::pair<std::string, std::shared_ptr<Module>>>
Module::named_children() const {
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> found;
  for (const auto &[name, child] : parts_->children)
    if (std::none_of(found.begin(), found.end(),
                     [&](const auto &each) { return each.second == child; }))
      found.emplace_back(name, child);
  return found;
}

void Module::collect_modules(std::vector<Module *> &into) const {
  std::unordered_set<const Module *> seen;
  walk(
      *this, "", seen,
      [](const Module &module) -> const auto & {
        return module.parts_->children;
      },
      [&](const Module &module, const std::string &) {
        into.push_back(const_cast<Module *>(&module));
      });
}

RemovableHandle Module::add_hook(ForwardPreHook hook) {
  return detail::add_hook(hooks_, std::move(hook));
}

RemovableHandle Module::add_hook(ForwardHook hook, bool in_backward) {
  return detail::add_hook(hooks_, std::move(hook), in_backward);
}

std::vector<std::shared_ptr<Module>> Module::modules(bool include_self) const {
  std::vector<Module *> all;
  collect_modules(all);
  std::vector<std::shared_ptr<Module>> found;
  for (Module *module : all)
    if (std::shared_ptr<Module> shared = module->self_.lock();
        shared && (include_self || module != this))
      found.push_back(std::move(shared));
  return found;
}

std::vector<std::pair<std::string, std::shared_ptr<Module>>>
Module::named_modules() const {
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> found;
  std::unordered_set<const Module *> seen;
  walk(
      *this, "", seen,
      [](const Module &module) -> const auto & {
        return module.parts_->children;
      },
      [&](const Module &module, const std::string &prefix) {
        std::string path = prefix.substr(0, prefix.size() - !prefix.empty());
        if (std::shared_ptr<Module> shared = module.self_.lock())
          found.emplace_back(std::move(path), std::move(shared));
      });
  return found;
}

void Module::apply(const std::function<void(Module &)> &fn) {
  std::vector<Module *> all;
  collect_modules(all);
  for (auto module = all.rbegin(); module != all.rend(); ++module)
    fn(**module);
}

void Module::train(bool on) {
  std::vector<Module *> all;
  collect_modules(all);
  for (Module *module : all)
    module->training_ = on;
}

//===- Tensors ------------------------------------------------------------===//

/// Makes `tensor` refer to the data of `moved`, with its device and dtype. The
/// tensor keeps its identity.
static void replace(const Tensor &tensor, const Tensor &moved) {
  xlac::detail::TensorImpl &impl = impl_of(tensor);
  impl.dtype = impl_of(moved).dtype;
  impl.show(impl_of(moved));
}

void Module::to(const TensorOptions &options) {
  XLAC_CALL("Module.to");
  NoGradGuard guard;
  std::optional<Device> device = xlac::detail::OptionsAccess::device(options);
  std::optional<Dtype> dtype = xlac::detail::OptionsAccess::dtype(options);
  if (dtype && !is_floating_point(*dtype) && !is_complex(*dtype))
    raise<TypeError>("nn::Module::to only accepts floating point or complex "
                     "dtypes, but got desired dtype=torch." +
                     std::string(xlac::name(*dtype)));
  auto move = [&](const Tensor &tensor) {
    bool converts = dtype && tensor.is_floating_point();
    Tensor moved = tensor.detach();
    if (converts)
      moved = moved.to(*dtype);
    if (device)
      moved = moved.to(*device);
    if (!moved.is_alias_of(tensor))
      replace(tensor, moved);
  };
  for (const Tensor &tensor : parameters()) {
    if (Tensor grad = tensor.grad(); grad.defined())
      move(grad);
    move(tensor);
  }
  for (const Tensor &tensor : buffers())
    move(tensor);
}

void Module::zero_grad(bool set_to_none) {
  NoGradGuard guard;
  for (Tensor &tensor : named_parameters().values()) {
    if (set_to_none)
      tensor.set_grad({});
    else if (Tensor grad = tensor.grad(); grad.defined())
      grad.zero_();
  }
}

void Module::requires_grad_(bool on) {
  for (Tensor &tensor : named_parameters().values())
    tensor.requires_grad_(on);
}

//===- State --------------------------------------------------------------===//

StateDict Module::state_dict() const {
  StateDict state;
  // A module that is registered twice has entries under both names.
  std::function<void(const Module &, const std::string &)> add =
      [&](const Module &module, const std::string &prefix) {
        for (const auto &entry : module.parts_->parameters)
          if (entry->tensor.defined())
            state[prefix + entry->name] = entry->tensor;
        for (const auto &entry : module.parts_->buffers)
          if (entry->tensor.defined() && entry->persistent)
            state[prefix + entry->name] = entry->tensor;
        for (const auto &[name, child] : module.parts_->children)
          add(*child, prefix + name + ".");
      };
  add(*this, "");
  return state;
}

static std::string quoted(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

Module::IncompatibleKeys Module::load_state_dict(const StateDict &state,
                                                 bool strict) {
  XLAC_CALL("load_state_dict");
  StateDict own = state_dict();
  IncompatibleKeys keys;
  for (const auto &[key, tensor] : own)
    if (!state.contains(key))
      keys.missing.push_back(key);
  for (const auto &[key, tensor] : state)
    if (!own.contains(key))
      keys.unexpected.push_back(key);
  std::string problems;
  if (!keys.unexpected.empty())
    problems +=
        "\n\tUnexpected key(s) in state_dict: " + quoted(keys.unexpected) +
        ". ";
  if (!keys.missing.empty())
    problems +=
        "\n\tMissing key(s) in state_dict: " + quoted(keys.missing) + ". ";
  std::string intro = "Error(s) in loading state_dict for " + name() + ":";
  if (strict && !problems.empty())
    raise<KeyError>(intro + problems);
  for (const auto &[key, tensor] : own)
    if (state.contains(key) && state.at(key).sizes() != tensor.sizes())
      raise<ShapeError>(intro + "\n\tsize mismatch for " + key +
                        ": copying a param with shape " +
                        frontend::to_text(state.at(key).sizes()) +
                        " from checkpoint, the shape in current model is " +
                        frontend::to_text(tensor.sizes()) + ".");
  NoGradGuard guard;
  for (const auto &[key, tensor] : own)
    if (state.contains(key))
      Tensor(tensor).copy_(state.at(key));
  return keys;
}

void Module::copy_values(const Module &from, std::optional<Device> device) {
  XLAC_CALL("clone");
  NoGradGuard guard;
  auto copy_named = [&](auto own, auto theirs) {
    if (own.size() != theirs.size())
      raise<UnsupportedError>("the module changed after it was made");
    for (size_t i = 0; i < own.size(); ++i) {
      Device wanted = device.value_or(theirs[i].second.device());
      replace(own[i].second, theirs[i].second.detach().clone().to(wanted));
    }
  };
  copy_named(named_parameters(), from.named_parameters());
  copy_named(named_buffers(), from.named_buffers());
  auto own = parameters(), theirs = from.parameters();
  for (size_t i = 0; i < own.size(); ++i)
    own[i].requires_grad_(theirs[i].requires_grad());
  std::vector<Module *> made, known;
  collect_modules(made);
  from.collect_modules(known);
  for (size_t i = 0; i < std::min(made.size(), known.size()); ++i)
    made[i]->training_ = known[i]->training_;
}

//===- Printing -----------------------------------------------------------===//

std::string Module::name() const {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(typeid(*this).name(), nullptr, nullptr, &status),
      &std::free);
  std::string name = status == 0 ? text.get() : typeid(*this).name();
  name = name.substr(name.rfind(':') + 1);
  if (name.ends_with("Impl"))
    name.resize(name.size() - 4);
  return name;
}

std::string Module::str() const {
  std::string extra = extra_repr();
  std::vector<std::string> children;
  for (const auto &[name, child] : parts_->children)
    children.push_back("(" + name + "): " + child->str());
  return repr_of_tree(name(), extra, children);
}

} // namespace xlac::nn
