// A module is a tree of parameters with a forward function. A module `Net`
// consists of a struct NetImpl : nn::Module and the handle that
// XLAC_MODULE(Net) defines.
#pragma once

#include "xlac/autograd.h"
#include "xlac/nn/hooks.h"
#include "xlac/nn/named_tensors.h"
#include "xlac/ops.h"
#include "xlac/tree.h"

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac::nn {

/// A node of the module tree: parameters, buffers and submodules by name.
/// Copies of a tensor handle refer to one tensor, so members and the tree
/// always agree.
class XLAC_API Module {
public:
  /// A module without parts, in training mode.
  Module();
  virtual ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  // For constructors. Throw ValueError for a name that is empty, contains a dot
  // or is taken. The returned value is usually stored in a member.
  /// Adds a child module, and returns it. The name must be new and without
  /// dots.
  template <class M> M register_module(std::string name, M module) {
    add_module(std::move(name), module.ptr());
    return module;
  }
  /// An undefined tensor reserves the name without a parameter.
  Tensor &register_parameter(std::string name, Tensor tensor,
                             bool requires_grad = true);
  /// Buffers that are not persistent are not part of state_dict().
  Tensor &register_buffer(std::string name, Tensor tensor,
                          bool persistent = true);

  // These list in registration order, each tensor and module once.
  /// The parameters, with `recurse` also those of children.
  std::vector<Tensor> parameters(bool recurse = true) const;
  /// The buffers, with `recurse` also those of children.
  std::vector<Tensor> buffers(bool recurse = true) const;
  /// parameters() with their paths.
  NamedTensors named_parameters(bool recurse = true) const;
  /// buffers() with their paths.
  NamedTensors named_buffers(bool recurse = true) const;
  /// The child modules in order of registration.
  std::vector<std::shared_ptr<Module>> children() const;
  /// children() with their names.
  std::vector<std::pair<std::string, std::shared_ptr<Module>>>
  named_children() const;
  /// This module comes first; it is left out if no handle owns it.
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  /// As modules(), with the path of each: "", "block", "block.fc".
  std::vector<std::pair<std::string, std::shared_ptr<Module>>>
  named_modules() const;

  /// Sets training or evaluation mode here and in all children.
  void train(bool on = true);
  /// Same as train(false).
  void eval() { train(false); }
  /// Whether the module is in training mode.
  bool is_training() const { return training_; }
  /// Moves parameters and buffers in place: they keep their ids, so existing
  /// optimizers keep working. A dtype applies to floating-point tensors.
  void to(const TensorOptions &options);
  /// Clears the gradients of all parameters, or fills them with zeros.
  void zero_grad(bool set_to_none = true);
  /// Sets whether gradients of all parameters are computed.
  void requires_grad_(bool on = true);
  /// Calls `fn` for each module, children first.
  void apply(const std::function<void(Module &)> &fn);

  /// Returns the live tensors, not copies, under PyTorch's names.
  StateDict state_dict() const;
  /// What load_state_dict did not match.
  struct IncompatibleKeys {
    /// Names of the module only, and of the dictionary only.
    std::vector<std::string> missing, unexpected;
  };
  /// Copies values from `state`, which may be on any devices. Throws ShapeError
  /// when sizes differ, and with `strict` KeyError naming missing and
  /// unexpected keys. No value is copied when it throws.
  IncompatibleKeys load_state_dict(const StateDict &state, bool strict = true);

  // Hooks run in registration order whenever a handle calls forward: `net(x)`,
  // not `net->forward(x)`. Each is a function that returns nothing, a tensor,
  // or tensors, as hooks.h describes.
  /// Adds a hook that runs before forward.
  template <class F>
    requires std::is_invocable_v<const F &, Module &,
                                 const std::vector<Tensor> &>
  RemovableHandle register_forward_pre_hook(F hook) {
    return add_hook(detail::as_hook<ForwardPreHook>(std::move(hook)));
  }
  /// Adds a hook that runs after forward.
  template <class F>
    requires std::is_invocable_v<const F &, Module &,
                                 const std::vector<Tensor> &,
                                 const std::vector<Tensor> &>
  RemovableHandle register_forward_hook(F hook) {
    return add_hook(detail::as_hook<ForwardHook>(std::move(hook)), false);
  }
  /// Backward hooks run in the backward pass, once the gradients of the inputs
  /// are known, or those of the outputs if no input requires one.
  template <class F>
    requires std::is_invocable_v<const F &, Module &,
                                 const std::vector<Tensor> &,
                                 const std::vector<Tensor> &>
  RemovableHandle register_full_backward_hook(F hook) {
    return add_hook(detail::as_hook<BackwardHook>(std::move(hook)), true);
  }

  /// PyTorch's repr of the tree.
  virtual std::string str() const;
  /// Returns the class name that str() prints.
  virtual std::string name() const;

protected:
  /// Returns the text that str() prints between the parentheses.
  virtual std::string extra_repr() const { return ""; }

  // For containers, whose contents change after construction.
  /// Replaces the submodules. Throws ValueError as register_module does.
  void set_modules(
      std::vector<std::pair<std::string, std::shared_ptr<Module>>> modules);
  /// Registers a parameter, at its old position if the name exists.
  void set_parameter(const std::string &name, Tensor tensor);
  /// Throws KeyError for an unknown name.
  void drop_parameter(const std::string &name);

private:
  template <class Holder, class Impl> friend class ModuleHolder;
  struct Parts;
  void add_module(std::string name, std::shared_ptr<Module> module);
  void collect_modules(std::vector<Module *> &into) const;
  void copy_values(const Module &from, std::optional<Device> device);

  RemovableHandle add_hook(ForwardPreHook hook);
  RemovableHandle add_hook(ForwardHook hook, bool in_backward);

  std::unique_ptr<Parts> parts_;
  std::shared_ptr<detail::Hooks> hooks_; ///< null until the first hook is added
  std::weak_ptr<Module> self_;
  bool training_ = true;
};

/// The common base of all handles.
class ModuleHolderBase {};

/// The base of the handles of one module class. It owns the module through a
/// pointer to its base class: one such pointer type compiles faster than one
/// for each module.
class ModuleOwner : public ModuleHolderBase {
public:
  /// Whether the handle has a module.
  explicit operator bool() const { return impl_ != nullptr; }
  /// The module; null for an empty handle.
  std::shared_ptr<Module> ptr() const { return impl_; }

protected:
  /// The module.
  std::shared_ptr<Module> impl_;
  /// Constructs the module again; clone() calls it.
  std::function<std::shared_ptr<Module>()> remake_;
};

namespace detail {

/// The type of a module's arguments: its member type `Options`.
template <class Impl> struct OptionsOf {
  struct type {
    type() = delete;
  };
};
template <class Impl>
  requires requires { typename Impl::Options; }
struct OptionsOf<Impl> {
  using type = typename Impl::Options;
};

/// The number of options without a default: the constant `required`.
template <class Options> constexpr size_t required_options() {
  if constexpr (requires { Options::required; })
    return Options::required;
  else
    return 0;
}

/// Whether these arguments initialize a module's options in order.
template <class Impl, class... A>
concept InOrderOfOptions =
    !std::is_constructible_v<Impl, A...> &&
    std::is_aggregate_v<typename OptionsOf<Impl>::type> &&
    sizeof...(A) >= required_options<typename OptionsOf<Impl>::type>() &&
    std::is_constructible_v<typename OptionsOf<Impl>::type, A...>;

/// T as a dependent type, which delays lookup: not every module has forward.
template <class T, class...> struct Later {
  using type = T;
};

/// Whether a container copies itself by make_copy() instead of by its
/// constructor arguments.
template <class Impl>
concept RemakesItself = requires(const Impl &impl) { impl.make_copy(); };

} // namespace detail

/// A copyable handle on a module; `net(x)` calls forward.
template <class Holder, class Impl> class ModuleHolder : public ModuleOwner {
public:
  /// The type of the module.
  using Contained = Impl;

  /// Constructs the module from constructor arguments, or else from its options
  /// in order, as in Python. clone() uses the arguments again.
  template <class... A>
    requires std::is_constructible_v<Impl, A...> ||
             detail::InOrderOfOptions<Impl, A...>
  explicit ModuleHolder(A &&...args) {
    if constexpr (std::is_constructible_v<Impl, A...>)
      make(std::forward<A>(args)...);
    else
      make(typename detail::OptionsOf<Impl>::type(std::forward<A>(args)...));
  }
  /// Constructs the module from options by name: nn::Conv2d({.in_channels = 1,
  /// .out_channels = 8, .kernel_size = 5}).
  explicit ModuleHolder(typename detail::OptionsOf<Impl>::type options) {
    make(std::move(options));
  }
  /// Makes an empty handle, for members that are assigned later. It is a
  /// template so that {} means options.
  template <std::same_as<std::nullptr_t> Nothing> ModuleHolder(Nothing) {}

  Impl *operator->() const { return static_cast<Impl *>(impl_.get()); }
  Impl &operator*() const { return static_cast<Impl &>(*impl_); }

  /// Calls forward with the module's hooks. With hooks it throws
  /// UnsupportedError when an argument cannot be copied or the result is a
  /// reference.
  template <class... A>
  auto operator()(A &&...args) const
      -> decltype(std::declval<typename detail::Later<Impl, A...>::type &>()
                      .forward(std::forward<A>(args)...)) {
    if (module().hooks_) [[unlikely]] {
      using Result = decltype((**this).forward(std::forward<A>(args)...));
      if constexpr (can_hook<Result, std::decay_t<A>...>)
        return call_with_hooks<Result, std::decay_t<A>...>(args...);
      else
        throw UnsupportedError(module().name() +
                               ": hooks need arguments that can be copied and "
                               "a result that is not a reference");
    }
    return (**this).forward(std::forward<A>(args)...);
  }

  /// Sets training or evaluation mode here and in all children.
  Holder train(bool on = true) const {
    (**this).train(on);
    return self();
  }
  /// Same as train(false).
  Holder eval() const { return train(false); }
  /// Moves or converts the module, and returns the handle.
  Holder to(const TensorOptions &options) const {
    (**this).to(options);
    return self();
  }
  /// Moves the module to the cpu, and returns the handle.
  Holder cpu() const { return to(Device(kCPU)); }
  /// Constructs a module with the same arguments and with new tensors of the
  /// same values, on `device` if given. Hooks are not copied. Throws
  /// UnsupportedError for arguments that cannot be copied.
  Holder clone(std::optional<Device> device = {}) const {
    Holder copy{nullptr};
    if constexpr (detail::RemakesItself<Impl>) {
      copy.adopt((**this).make_copy());
    } else {
      if (!remake_)
        throw UnsupportedError("clone(): the module's arguments cannot be "
                               "copied");
      copy.remake_ = remake_;
      copy.adopt(remake_());
    }
    copy.impl_->copy_values(*impl_, device);
    return copy;
  }

private:
  Holder self() const { return static_cast<const Holder &>(*this); }
  void adopt(std::shared_ptr<Module> impl) {
    impl_ = std::move(impl);
    module().self_ = impl_;
  }
  template <class... A> void make(A &&...args) {
    if constexpr (!detail::RemakesItself<Impl> &&
                  (std::copy_constructible<std::decay_t<A>> && ...) &&
                  std::is_constructible_v<Impl, std::decay_t<A> &...>)
      remake_ = [... kept = std::decay_t<A>(args)]() mutable {
        return std::apply(
            [](auto... again) { return std::make_shared<Impl>(again...); },
            std::make_tuple(copy_argument(kept)...));
      };
    adopt(std::make_shared<Impl>(std::forward<A>(args)...));
  }
  template <class T> static T copy_argument(const T &argument) {
    if constexpr (std::derived_from<T, ModuleHolderBase>)
      return argument.clone();
    else if constexpr (detail::HasReplaceableTensors<T>::value)
      return map_tensors(argument, [](const Tensor &tensor) {
        return tensor.detach().clone();
      });
    else
      return argument;
  }
  Module &module() const { return *impl_; }
  template <class Result, class... A>
  static constexpr bool can_hook =
      !std::is_reference_v<Result> && (std::copy_constructible<A> && ...) &&
      requires(Impl &impl, A &...args) { impl.forward(args...); };

  template <class Result, class... A>
  Result call_with_hooks(const A &...args) const {
    detail::HookedCall call(module(), module().self_, module().hooks_);
    std::vector<Tensor> tensors;
    (detail::list_tensors(tensors, args), ...);
    tensors = call.before(std::move(tensors));
    const Tensor *next = tensors.data();
    std::tuple<A...> exchanged{detail::replace_tensors(args, next)...};
    auto forward = [&](A &...each) -> Result {
      return (**this).forward(each...);
    };
    if constexpr (std::is_void_v<Result>) {
      std::apply(forward, exchanged);
      call.after({});
    } else {
      Result result = std::apply(forward, exchanged);
      std::vector<Tensor> outputs;
      detail::list_tensors(outputs, result);
      outputs = call.after(std::move(outputs));
      next = outputs.data();
      return detail::replace_tensors(result, next);
    }
  }
};

/// Defines the handle class `Name` of struct `NameImpl`.
#define XLAC_MODULE(Name)                                                      \
  class Name : public ::xlac::nn::ModuleHolder<Name, Name##Impl> {             \
  public:                                                                      \
    using ::xlac::nn::ModuleHolder<Name, Name##Impl>::ModuleHolder;            \
  }

} // namespace xlac::nn
