// Containers of modules or parameters.
#pragma once

#include "xlac/nn/any_module.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xlac::nn {

/// Modules with names, in order.
using NamedModules = std::vector<std::pair<std::string, AnyModule>>;
/// Parameters with names, in order.
using NamedParameters = std::vector<std::pair<std::string, Tensor>>;

/// Modules in order, each with a name; the default names are "0", "1", ….
struct XLAC_API ModuleSequence : Module {
  /// The number of entries.
  int64_t size() const { return static_cast<int64_t>(modules_.size()); }
  /// Whether there are no entries.
  bool empty() const { return modules_.empty(); }
  /// Negative indices count from the end. Throws IndexError when out of range.
  const AnyModule &operator[](int64_t index) const;
  /// Returns the module with its type: at<nn::Linear>(0)->weight. Throws
  /// TypeError when it has another type.
  template <class Holder> Holder at(int64_t index) const {
    return (*this)[index].get<Holder>();
  }
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }

  /// Adds at the end.
  void append(AnyModule module);
  /// Same as append(); with a name of its own.
  void push_back(AnyModule module) { append(std::move(module)); }
  /// Throws ValueError as register_module does.
  void push_back(std::string name, AnyModule module);
  /// Adds all of them at the end.
  void extend(const std::vector<AnyModule> &modules);
  /// Inserts the module before `index`; the names become the indices.
  void insert(int64_t index, AnyModule module);
  /// Removes a module and returns it; the names of the others become their
  /// indices.
  AnyModule pop(int64_t index);

protected:
  /// Replaces all modules.
  void assign(NamedModules named);
  /// Clones all modules. A module that occurs twice is cloned once.
  NamedModules cloned() const;

private:
  void assign_numbered(std::vector<AnyModule> modules);
  size_t place_of(int64_t index) const;
  NamedModules named() const;

  std::vector<AnyModule> modules_;
  std::vector<std::string> names_;
};

template <class Holder, class Impl>
class ModuleSequenceHolder : public ModuleHolder<Holder, Impl> {
public:
  using ModuleHolder<Holder, Impl>::ModuleHolder;
  /// The entry; an error if there is none.
  const AnyModule &operator[](int64_t index) const { return (**this)[index]; }
  auto begin() const { return (*this)->begin(); }
  auto end() const { return (*this)->end(); }
};

/// Calls its modules in order, each with the result of the previous one.
struct XLAC_API SequentialImpl : ModuleSequence {
  using Options = NamedModules;
  SequentialImpl() = default;
  explicit SequentialImpl(NamedModules named) { assign(std::move(named)); }
  /// Made from handles and functions, as AnyModule is.
  template <class... M>
    requires(sizeof...(M) > 0) && (std::convertible_to<M, AnyModule> && ...)
  explicit SequentialImpl(M &&...modules) {
    extend({AnyModule(std::forward<M>(modules))...});
  }
  /// Runs the modules. The first one may take several arguments, and the last
  /// one may return another type than a tensor: net->forward<std::tuple<Tensor,
  /// Tensor>>(x). Throws TypeError where a module does not accept its input.
  template <class R = Tensor, class... A> R forward(const A &...args) {
    return detail::result_as<R>(run({std::any(std::decay_t<A>(args))...}));
  }
  /// A module of the same parts; clone() calls it.
  std::shared_ptr<SequentialImpl> make_copy() const {
    return std::make_shared<SequentialImpl>(cloned());
  }

private:
  std::any run(std::vector<std::any> values) const;
};
/// nn::Sequential(nn::Linear(4, 8), relu, nn::Linear(8, 1)), or with names:
/// nn::Sequential({{"first", nn::Linear(4, 8)}, {"act", nn::ReLU()}}).
class Sequential : public ModuleSequenceHolder<Sequential, SequentialImpl> {
public:
  using ModuleSequenceHolder::ModuleSequenceHolder;
};

/// A list of modules, which cannot be called.
struct XLAC_API ModuleListImpl : ModuleSequence {
  ModuleListImpl() = default;
  explicit ModuleListImpl(const std::vector<AnyModule> &modules) {
    extend(modules);
  }
  template <class... M>
    requires(sizeof...(M) > 0) && (std::convertible_to<M, AnyModule> && ...)
  explicit ModuleListImpl(M &&...modules) {
    extend({AnyModule(std::forward<M>(modules))...});
  }
  /// As Module::str, but equal consecutive modules are printed once: "(0-2): 3
  /// x …".
  std::string str() const override;
  /// A module of the same parts; clone() calls it.
  std::shared_ptr<ModuleListImpl> make_copy() const;
};
/// Handle on a list of modules.
class ModuleList : public ModuleSequenceHolder<ModuleList, ModuleListImpl> {
public:
  using ModuleSequenceHolder::ModuleSequenceHolder;
};

/// Modules by name, in insertion order; it cannot be called.
struct XLAC_API ModuleDictImpl : Module {
  using Options = NamedModules;
  ModuleDictImpl() = default;
  explicit ModuleDictImpl(const NamedModules &modules) { update(modules); }

  /// The number of entries.
  int64_t size() const { return static_cast<int64_t>(modules_.size()); }
  /// Whether there is an entry of that name.
  bool contains(std::string_view key) const;
  /// Throws KeyError for an unknown name.
  const AnyModule &operator[](std::string_view key) const;
  /// The module as its own type; an error if it has another one.
  template <class Holder> Holder at(std::string_view key) const {
    return (*this)[key].get<Holder>();
  }
  /// The names, in order.
  std::vector<std::string> keys() const;
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }

  /// Replaces the module of that name in place, or appends it.
  void insert(const std::string &key, AnyModule module);
  /// Adds the entries, and replaces those with the same names.
  void update(const NamedModules &modules);
  /// Removes a module and returns it. Throws KeyError for an unknown name.
  AnyModule pop(std::string_view key);
  /// Removes all entries.
  void clear();
  /// A module of the same parts; clone() calls it.
  std::shared_ptr<ModuleDictImpl> make_copy() const;

private:
  void assign(NamedModules modules);
  NamedModules modules_;
};
class ModuleDict : public ModuleHolder<ModuleDict, ModuleDictImpl> {
public:
  using ModuleHolder::ModuleHolder;
  /// The entry; an error if there is none.
  const AnyModule &operator[](std::string_view key) const {
    return (**this)[key];
  }
  auto begin() const { return (*this)->begin(); }
  auto end() const { return (*this)->end(); }
};

/// A list of parameters, named "0", "1", ….
struct XLAC_API ParameterListImpl : Module {
  using Options = std::vector<Tensor>;
  ParameterListImpl() = default;
  explicit ParameterListImpl(const std::vector<Tensor> &parameters) {
    extend(parameters);
  }

  /// The number of entries.
  int64_t size() const { return static_cast<int64_t>(tensors_.size()); }
  /// Negative indices count from the end. Throws IndexError when out of range.
  const Tensor &operator[](int64_t index) const;
  auto begin() const { return tensors_.begin(); }
  auto end() const { return tensors_.end(); }
  /// Appends the tensor and makes it require gradients.
  void append(Tensor parameter);
  /// Adds all of them at the end.
  void extend(const std::vector<Tensor> &parameters);
  /// A module of the same parts; clone() calls it.
  std::shared_ptr<ParameterListImpl> make_copy() const;

protected:
  std::string extra_repr() const override;

private:
  std::vector<Tensor> tensors_;
};
class ParameterList : public ModuleHolder<ParameterList, ParameterListImpl> {
public:
  using ModuleHolder::ModuleHolder;
  /// The entry; an error if there is none.
  const Tensor &operator[](int64_t index) const { return (**this)[index]; }
  auto begin() const { return (*this)->begin(); }
  auto end() const { return (*this)->end(); }
};

/// Parameters by name, in insertion order.
struct XLAC_API ParameterDictImpl : Module {
  using Options = NamedParameters;
  ParameterDictImpl() = default;
  explicit ParameterDictImpl(const NamedParameters &parameters) {
    update(parameters);
  }

  /// The number of entries.
  int64_t size() const { return static_cast<int64_t>(tensors_.size()); }
  /// Whether there is an entry of that name.
  bool contains(std::string_view key) const;
  /// Throws KeyError for an unknown name.
  const Tensor &operator[](std::string_view key) const;
  /// The names, in order.
  std::vector<std::string> keys() const;
  auto begin() const { return tensors_.begin(); }
  auto end() const { return tensors_.end(); }
  /// Replaces the parameter of that name in place, or appends it. The tensor is
  /// made to require gradients.
  void insert(const std::string &key, Tensor parameter);
  /// Adds the entries, and replaces those with the same names.
  void update(const NamedParameters &parameters);
  /// Removes a parameter and returns it. Throws KeyError for an unknown name.
  Tensor pop(std::string_view key);
  /// A module of the same parts; clone() calls it.
  std::shared_ptr<ParameterDictImpl> make_copy() const;

protected:
  std::string extra_repr() const override;

private:
  NamedParameters tensors_;
};
class ParameterDict : public ModuleHolder<ParameterDict, ParameterDictImpl> {
public:
  using ModuleHolder::ModuleHolder;
  /// The entry; an error if there is none.
  const Tensor &operator[](std::string_view key) const { return (**this)[key]; }
  auto begin() const { return (*this)->begin(); }
  auto end() const { return (*this)->end(); }
};

} // namespace xlac::nn
