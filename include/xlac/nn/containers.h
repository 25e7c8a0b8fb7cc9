// Modules that hold modules or parameters, as many as the program likes.
#pragma once

#include "xlac/nn/any_module.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xlac::nn {

using NamedModules = std::vector<std::pair<std::string, AnyModule>>;
using NamedParameters = std::vector<std::pair<std::string, Tensor>>;

/// Modules with a place and a name each; "0", "1", … where none is given.
struct XLAC_API ModuleSequence : Module {
  int64_t size() const { return static_cast<int64_t>(modules_.size()); }
  bool empty() const { return modules_.empty(); }
  /// Negative places count from the end; else IndexError.
  const AnyModule &operator[](int64_t index) const;
  /// The module as what it is: at<nn::Linear>(0)->weight. TypeError when it is
  /// another.
  template <class Holder> Holder at(int64_t index) const {
    return (*this)[index].get<Holder>();
  }
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }

  void append(AnyModule module);
  void extend(const std::vector<AnyModule> &modules);
  /// Before the one at `index`; the names become their places.
  void insert(int64_t index, AnyModule module);
  /// Takes one out; the names become their places.
  AnyModule pop(int64_t index);

protected:
  void assign(NamedModules named);
  /// Clones of all; one that is there twice is one again.
  NamedModules cloned() const;

private:
  void assign_numbered(std::vector<AnyModule> modules);
  size_t place_of(int64_t index) const;

  std::vector<AnyModule> modules_;
  std::vector<std::string> names_;
};

/// Handles of sequences of modules.
template <class Holder, class Impl>
class ModuleSequenceHolder : public ModuleHolder<Holder, Impl> {
public:
  using ModuleHolder<Holder, Impl>::ModuleHolder;
  const AnyModule &operator[](int64_t index) const { return (**this)[index]; }
  auto begin() const { return (*this)->begin(); }
  auto end() const { return (*this)->end(); }
};

/// Calls its modules one after another, each with the result of the one before.
struct XLAC_API SequentialImpl : ModuleSequence {
  using Options = NamedModules;
  SequentialImpl() = default;
  explicit SequentialImpl(NamedModules named) { assign(std::move(named)); }
  /// Of handles and functions, as AnyModule is made of them.
  template <class... M>
    requires(sizeof...(M) > 0) && (std::convertible_to<M, AnyModule> && ...)
  explicit SequentialImpl(M &&...modules) {
    extend({AnyModule(std::forward<M>(modules))...});
  }
  /// The first module may take several arguments, the last one give something
  /// else than a tensor: net->forward<std::tuple<Tensor, Tensor>>(x). TypeError
  /// where one does not take what it gets.
  template <class R = Tensor, class... A> R forward(const A &...args) {
    return detail::result_as<R>(run({std::any(std::decay_t<A>(args))...}));
  }
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

/// Modules in a list; it is not called itself.
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
  /// Equal neighbours are printed once: "(0-2): 3 x …".
  std::string str() const override;
  std::shared_ptr<ModuleListImpl> make_copy() const;
};
class ModuleList : public ModuleSequenceHolder<ModuleList, ModuleListImpl> {
public:
  using ModuleSequenceHolder::ModuleSequenceHolder;
};

/// Modules by name, in the order in which they came; it is not called itself.
struct XLAC_API ModuleDictImpl : Module {
  using Options = NamedModules;
  ModuleDictImpl() = default;
  explicit ModuleDictImpl(const NamedModules &modules) { update(modules); }

  int64_t size() const { return static_cast<int64_t>(modules_.size()); }
  bool contains(std::string_view key) const;
  /// KeyError when there is none.
  const AnyModule &operator[](std::string_view key) const;
  template <class Holder> Holder at(std::string_view key) const {
    return (*this)[key].get<Holder>();
  }
  std::vector<std::string> keys() const;
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }

  /// In the place of the one that has the name, or at the end.
  void insert(const std::string &key, AnyModule module);
  void update(const NamedModules &modules);
  /// Takes one out; KeyError when there is none.
  AnyModule pop(std::string_view key);
  void clear();
  std::shared_ptr<ModuleDictImpl> make_copy() const;

private:
  void assign(NamedModules modules);
  NamedModules modules_;
};
class ModuleDict : public ModuleHolder<ModuleDict, ModuleDictImpl> {
public:
  using ModuleHolder::ModuleHolder;
  const AnyModule &operator[](std::string_view key) const {
    return (**this)[key];
  }
  auto begin() const { return (*this)->begin(); }
  auto end() const { return (*this)->end(); }
};

/// Parameters in a list, named "0", "1", …
struct XLAC_API ParameterListImpl : Module {
  using Options = std::vector<Tensor>;
  ParameterListImpl() = default;
  explicit ParameterListImpl(const std::vector<Tensor> &parameters) {
    extend(parameters);
  }

  int64_t size() const { return static_cast<int64_t>(tensors_.size()); }
  /// Negative places count from the end; else IndexError.
  const Tensor &operator[](int64_t index) const;
  auto begin() const { return tensors_.begin(); }
  auto end() const { return tensors_.end(); }
  /// The tensor requires gradients from now on.
  void append(Tensor parameter);
  void extend(const std::vector<Tensor> &parameters);
  std::shared_ptr<ParameterListImpl> make_copy() const;

protected:
  std::string extra_repr() const override;

private:
  std::vector<Tensor> tensors_;
};
class ParameterList : public ModuleHolder<ParameterList, ParameterListImpl> {
public:
  using ModuleHolder::ModuleHolder;
  const Tensor &operator[](int64_t index) const { return (**this)[index]; }
  auto begin() const { return (*this)->begin(); }
  auto end() const { return (*this)->end(); }
};

/// Parameters by name, in the order in which they came.
struct XLAC_API ParameterDictImpl : Module {
  using Options = NamedParameters;
  ParameterDictImpl() = default;
  explicit ParameterDictImpl(const NamedParameters &parameters) {
    update(parameters);
  }

  int64_t size() const { return static_cast<int64_t>(tensors_.size()); }
  bool contains(std::string_view key) const;
  /// KeyError when there is none.
  const Tensor &operator[](std::string_view key) const;
  std::vector<std::string> keys() const;
  auto begin() const { return tensors_.begin(); }
  auto end() const { return tensors_.end(); }
  /// In the place of the one that has the name, or at the end; it requires
  /// gradients from now on.
  void insert(const std::string &key, Tensor parameter);
  void update(const NamedParameters &parameters);
  /// Takes one out; KeyError when there is none.
  Tensor pop(std::string_view key);
  std::shared_ptr<ParameterDictImpl> make_copy() const;

protected:
  std::string extra_repr() const override;

private:
  NamedParameters tensors_;
};
class ParameterDict : public ModuleHolder<ParameterDict, ParameterDictImpl> {
public:
  using ModuleHolder::ModuleHolder;
  const Tensor &operator[](std::string_view key) const { return (**this)[key]; }
  auto begin() const { return (*this)->begin(); }
  auto end() const { return (*this)->end(); }
};

} // namespace xlac::nn
