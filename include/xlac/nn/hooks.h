// Functions that a module calls around its forward function and in backward.
#pragma once

#include "xlac/tree.h"

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac::nn {

class Module;

/// Takes a hook off its module. Destroying the handle does not.
class XLAC_API RemovableHandle {
public:
  RemovableHandle() = default;
  explicit RemovableHandle(std::function<void()> remove)
      : remove_(std::move(remove)) {}
  /// Once is enough; the module may be gone.
  void remove();

private:
  std::function<void()> remove_;
};

/// Told the tensors among forward's arguments, in order; undefined ones are
/// there too. What it gives, unless empty, takes their places.
using ForwardPreHook = std::function<std::vector<Tensor>(
    Module &module, const std::vector<Tensor> &inputs)>;
/// Told the tensors among forward's arguments and in its result. What it gives,
/// unless empty, takes the result's places.
using ForwardHook = std::function<std::vector<Tensor>(
    Module &module, const std::vector<Tensor> &inputs,
    const std::vector<Tensor> &outputs)>;
/// Told the gradients of the inputs (undefined where none is wanted) and of the
/// outputs. What it gives, unless empty, goes on in place of the former.
using BackwardHook = std::function<std::vector<Tensor>(
    Module &module, const std::vector<Tensor> &grad_input,
    const std::vector<Tensor> &grad_output)>;

namespace detail {

/// Hooks may also return nothing or one tensor.
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

/// Whether tensors inside a T can be listed and exchanged, all the way down.
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
/// `tree` with the tensors at `next` in place of its own.
template <class T> T replace_tensors(const T &tree, const Tensor *&next) {
  if constexpr (HasReplaceableTensors<T>::value)
    return Tree<T>::map(tree, [&](const Tensor &) { return *next++; });
  else
    return tree;
}

struct Hooks;
struct BackwardCall;

/// Adds a hook to those of a module, which are made if need be.
XLAC_API RemovableHandle add_hook(std::shared_ptr<Hooks> &hooks,
                                  ForwardPreHook hook);
XLAC_API RemovableHandle add_hook(std::shared_ptr<Hooks> &hooks,
                                  ForwardHook hook, bool in_backward);

/// One call of a module that has hooks.
class XLAC_API HookedCall {
public:
  HookedCall(Module &module, std::weak_ptr<Module> shared,
             std::shared_ptr<Hooks> hooks)
      : module_(module), shared_(std::move(shared)), hooks_(std::move(hooks)) {}
  /// Runs the pre-hooks; gives what forward is to be called with. ValueError
  /// when a hook gave another number of tensors.
  std::vector<Tensor> before(std::vector<Tensor> inputs);
  /// Runs the forward hooks; gives what the call returns.
  std::vector<Tensor> after(std::vector<Tensor> outputs);

private:
  Module &module_;
  std::weak_ptr<Module> shared_; ///< the same, where a handle holds it
  std::shared_ptr<Hooks> hooks_;
  std::vector<Tensor> inputs_;
  std::shared_ptr<BackwardCall> backward_;
};

} // namespace detail
} // namespace xlac::nn
