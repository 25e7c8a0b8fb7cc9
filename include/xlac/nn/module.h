// A module is a tree of parameters with a forward function. A module `Net` is a
// struct NetImpl : nn::Module and the handle that XLAC_MODULE(Net) makes of it.
#pragma once

#include "xlac/autograd.h"
#include "xlac/ops.h"
#include "xlac/tree.h"

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac::nn {

/// A node of the tree: parameters, buffers and submodules by name. Copies of a
/// tensor handle name one tensor, so members and the tree show the same.
class XLAC_API Module {
public:
  Module();
  virtual ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  // For constructors. ValueError for a name that is empty, has a dot or is
  // taken. What they return is to be kept as a member.
  template <class M> M register_module(std::string name, M module) {
    add_module(std::move(name), module.ptr());
    return module;
  }
  /// An undefined tensor keeps the name without a parameter.
  Tensor &register_parameter(std::string name, Tensor tensor,
                             bool requires_grad = true);
  /// Buffers that are not persistent stay out of state_dict().
  Tensor &register_buffer(std::string name, Tensor tensor,
                          bool persistent = true);

  // In registration order, each tensor and module once.
  std::vector<Tensor> parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  std::vector<std::pair<std::string, Tensor>>
  named_parameters(bool recurse = true) const;
  std::vector<std::pair<std::string, Tensor>>
  named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  /// This module first; it is left out if it is owned by no handle.
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;

  void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const { return training_; }
  /// Moves parameters and buffers in place: they keep their ids, and optimizers
  /// made before still work. A dtype applies to floating ones.
  void to(const TensorOptions &options);
  void zero_grad(bool set_to_none = true);
  void requires_grad_(bool on = true);
  /// `fn` on each module, children first.
  void apply(const std::function<void(Module &)> &fn);

  /// The live tensors, not copies, under PyTorch's names.
  StateDict state_dict() const;
  struct IncompatibleKeys {
    std::vector<std::string> missing, unexpected;
  };
  /// Copies values in, whatever devices they are on. ShapeError on sizes that
  /// differ; when strict, KeyError naming missing and unexpected keys. Nothing
  /// is copied when it throws.
  IncompatibleKeys load_state_dict(const StateDict &state, bool strict = true);

  /// PyTorch's repr of the tree.
  std::string str() const;
  /// The class's name as str() shows it.
  virtual std::string name() const;

protected:
  /// What str() shows between the parentheses.
  virtual std::string extra_repr() const { return ""; }

private:
  template <class Holder, class Impl> friend class ModuleHolder;
  struct Parts;
  void add_module(std::string name, std::shared_ptr<Module> module);
  void collect_modules(std::vector<Module *> &into) const;
  void copy_values(const Module &from, std::optional<Device> device);

  std::unique_ptr<Parts> parts_;
  std::weak_ptr<Module> self_;
  bool training_ = true;
};

/// What all handles have in common.
class ModuleHolderBase {};

/// A copyable handle on a module; `net(x)` calls forward.
template <class Holder, class Impl>
class ModuleHolder : public ModuleHolderBase {
public:
  using Contained = Impl;

  /// Makes the module with these arguments, which clone() uses again.
  template <class... A>
    requires std::is_constructible_v<Impl, A...>
  explicit ModuleHolder(A &&...args) {
    if constexpr ((std::copy_constructible<std::decay_t<A>> && ...) &&
                  std::is_constructible_v<Impl, std::decay_t<A> &...>)
      remake_ = [... kept = std::decay_t<A>(args)]() mutable {
        return std::apply(
            [](auto... again) { return std::make_shared<Impl>(again...); },
            std::make_tuple(copy_argument(kept)...));
      };
    adopt(std::make_shared<Impl>(std::forward<A>(args)...));
  }
  /// A member that is filled in later.
  ModuleHolder(std::nullptr_t) {}

  Impl *operator->() const { return impl_.get(); }
  Impl &operator*() const { return *impl_; }
  explicit operator bool() const { return impl_ != nullptr; }

  template <class... A>
  auto operator()(A &&...args) const
      -> decltype(std::declval<Impl &>().forward(std::forward<A>(args)...)) {
    return impl_->forward(std::forward<A>(args)...);
  }

  Holder train(bool on = true) const {
    impl_->train(on);
    return self();
  }
  Holder eval() const { return train(false); }
  Holder to(const TensorOptions &options) const {
    impl_->to(options);
    return self();
  }
  Holder cpu() const { return to(Device(kCPU)); }
  /// A module made with the same arguments, with new tensors of the same
  /// values, on `device` if given. UnsupportedError for arguments that cannot
  /// be copied.
  Holder clone(std::optional<Device> device = {}) const {
    if (!remake_)
      throw UnsupportedError("clone(): the module's arguments cannot be "
                             "copied");
    Holder copy{nullptr};
    copy.remake_ = remake_;
    copy.adopt(remake_());
    copy.impl_->copy_values(*impl_, device);
    return copy;
  }
  std::shared_ptr<Module> ptr() const { return impl_; }

private:
  Holder self() const { return static_cast<const Holder &>(*this); }
  void adopt(std::shared_ptr<Impl> impl) {
    impl_ = std::move(impl);
    impl_->self_ = impl_;
  }
  template <class T> static T copy_argument(const T &argument) {
    if constexpr (std::derived_from<T, ModuleHolderBase>)
      return argument.clone();
    else if constexpr (std::same_as<T, Tensor>)
      return argument.defined() ? argument.detach().clone() : argument;
    else
      return argument;
  }

  std::shared_ptr<Impl> impl_;
  std::function<std::shared_ptr<Impl>()> remake_;
};

/// Defines the handle class `Name` of struct `NameImpl`.
#define XLAC_MODULE(Name)                                                      \
  class Name : public ::xlac::nn::ModuleHolder<Name, Name##Impl> {             \
  public:                                                                      \
    using ::xlac::nn::ModuleHolder<Name, Name##Impl>::ModuleHolder;            \
  }

} // namespace xlac::nn
