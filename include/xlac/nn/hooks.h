// Hooks: functions that run before and after a module's forward function and in
// the backward pass.
#pragma once

#include "xlac/tree.h"

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac::nn {

class Module;

/// Removes a hook from its module. Destroying the handle does not remove the
/// hook.
class XLAC_API RemovableHandle {
public:
  RemovableHandle() = default;
  /// Calls the function to remove the hook.
  explicit RemovableHandle(std::function<void()> remove)
      : remove_(std::move(remove)) {}
  /// Removes the hook. Further calls have no effect, and the module may have
  /// been destroyed.
  void remove();

private:
  std::function<void()> remove_;
};

/// Receives the tensors among forward's arguments in order, including undefined
/// ones. A nonempty result replaces them.
using ForwardPreHook = std::function<std::vector<Tensor>(
    Module &module, const std::vector<Tensor> &inputs)>;
/// Receives the tensors among forward's arguments and those of its result. A
/// nonempty return value replaces the result's tensors.
using ForwardHook = std::function<std::vector<Tensor>(
    Module &module, const std::vector<Tensor> &inputs,
    const std::vector<Tensor> &outputs)>;
/// Receives the gradients of the inputs (undefined where not required) and of
/// the outputs. A nonempty return value replaces the gradients of the inputs.
using BackwardHook = std::function<std::vector<Tensor>(
    Module &module, const std::vector<Tensor> &grad_input,
    const std::vector<Tensor> &grad_output)>;

namespace detail {

/// Adapts functions that return nothing or one tensor.
template <class Hook, class F> Hook as_hook(F function) {
  return [function = std::move(function)](
             Module &module, const auto &...tensors) -> std::vector<Tensor> {
    using Result =
        std::invoke_result_t<const F &, Module &, decltype(tensors)...>;
    if constexpr (std::is_void_v<Result>) {
      function(module, tensors...);
      return {};
    } else {
      return {function(module, tensors...)};
    }
  };
}

/// Whether the tensors inside a T can be listed and replaced, at any nesting
/// depth.
template <class T>
struct HasReplaceableTensors : std::bool_constant<xlac::detail::HasTree<T>> {};
template <template <class...> class Outer, class... T>
struct HasReplaceableTensors<Outer<T...>>
    : std::bool_constant<xlac::detail::HasTree<Outer<T...>> &&
                         (HasReplaceableTensors<T>::value && ...)> {};
template <class T>
struct HasReplaceableTensors<std::allocator<T>> : std::true_type {};
template <class T>
struct HasReplaceableTensors<std::less<T>> : std::true_type {};

template <class T> void list_tensors(std::vector<Tensor> &into, const T &tree) {
  if constexpr (HasReplaceableTensors<T>::value)
    Tree<T>::visit(tree, [&](const Tensor &tensor) { into.push_back(tensor); });
}
/// Returns a copy of `tree` with its tensors replaced by those from `next` on.
template <class T> T replace_tensors(const T &tree, const Tensor *&next) {
  if constexpr (HasReplaceableTensors<T>::value)
    return Tree<T>::map(tree, [&](const Tensor &) { return *next++; });
  else
    return tree;
}

struct Hooks;
struct BackwardCall;

/// Adds a hook to a module's hooks, which are created on first use.
XLAC_API RemovableHandle add_hook(std::shared_ptr<Hooks> &hooks,
                                  ForwardPreHook hook);
/// Adds a hook that runs after forward, or with `in_backward` after the
/// gradients of the module's inputs are computed.
XLAC_API RemovableHandle add_hook(std::shared_ptr<Hooks> &hooks,
                                  ForwardHook hook, bool in_backward);

/// One call of a module that has hooks.
class XLAC_API HookedCall {
public:
  HookedCall(Module &module, std::weak_ptr<Module> shared,
             std::shared_ptr<Hooks> hooks)
      : module_(module), shared_(std::move(shared)), hooks_(std::move(hooks)) {}
  /// Runs the pre-hooks and returns the arguments of forward. Throws ValueError
  /// when a hook returns a different number of tensors.
  std::vector<Tensor> before(std::vector<Tensor> inputs);
  /// Runs the forward hooks and returns the result of the call.
  std::vector<Tensor> after(std::vector<Tensor> outputs);

private:
  Module &module_;
  std::weak_ptr<Module> shared_; ///< the same module, if a handle owns it
  std::shared_ptr<Hooks> hooks_;
  std::vector<Tensor> inputs_;
  std::shared_ptr<BackwardCall> backward_;
};

} // namespace detail
} // namespace xlac::nn
