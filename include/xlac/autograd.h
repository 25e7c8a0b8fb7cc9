// Automatic differentiation: gradient modes, backward passes, custom gradient
// functions and checkpointing.
#pragma once

#include "xlac/tensor.h"

#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac {

/// Disables gradient recording on this thread while it lives: results require
/// no gradient. As torch.no_grad().
class XLAC_API NoGradGuard {
public:
  /// Turns recording off.
  NoGradGuard();
  ~NoGradGuard();
  NoGradGuard(const NoGradGuard &) = delete;
  NoGradGuard &operator=(const NoGradGuard &) = delete;

private:
  bool before_;
};

/// Enables or disables gradient recording on this thread while it lives.
class XLAC_API AutoGradMode {
public:
  /// Turns recording on or off.
  explicit AutoGradMode(bool enabled);
  ~AutoGradMode();
  AutoGradMode(const AutoGradMode &) = delete;
  AutoGradMode &operator=(const AutoGradMode &) = delete;

private:
  bool before_;
};

/// Whether this thread records operations for gradients.
XLAC_API bool is_grad_enabled();

namespace autograd {

/// Adds the gradients of sum(tensors[i] * grad_tensors[i]) to `grad` of the
/// leaves. `grad_tensors` may be empty or hold undefined tensors for scalars.
/// The graph is freed unless `retain_graph` is true; its default is
/// `create_graph`. `create_graph` makes the gradients differentiable
/// themselves.
XLAC_API void backward(const std::vector<Tensor> &tensors,
                       const std::vector<Tensor> &grad_tensors = {},
                       std::optional<bool> retain_graph = {},
                       bool create_graph = false);

/// Returns the gradients of sum(outputs[i] * grad_outputs[i]) with respect to
/// each input. It changes no tensor's `grad`. An input on which no output
/// depends is a UserError; with `allow_unused` its gradient is an undefined
/// tensor.
XLAC_API std::vector<Tensor> grad(const std::vector<Tensor> &outputs,
                                  const std::vector<Tensor> &inputs,
                                  const std::vector<Tensor> &grad_outputs = {},
                                  std::optional<bool> retain_graph = {},
                                  bool create_graph = false,
                                  bool allow_unused = false);

namespace detail {
struct FunctionState;
} // namespace detail

/// Holds the values that the forward of a Function saves for its backward.
class XLAC_API FunctionCtx {
public:
  /// An empty context.
  FunctionCtx();
  /// Saves inputs or outputs of forward. Writing to one before backward is an
  /// error.
  void save_for_backward(std::vector<Tensor> tensors);
  /// The saved tensors; UserError after the graph was freed.
  const std::vector<Tensor> &saved_tensors() const;
  /// Marks inputs that forward writes to and returns. A view is an
  /// UnsupportedError.
  void mark_dirty(std::vector<Tensor> tensors);
  /// Marks outputs that never require a gradient.
  void mark_non_differentiable(std::vector<Tensor> tensors);
  /// Whether the gradient of forward's i-th tensor argument is requested.
  bool needs_input_grad(size_t i) const;

  /// State of the function that owns this context; used by apply().
  const std::shared_ptr<detail::FunctionState> &state() const { return state_; }

private:
  std::shared_ptr<detail::FunctionState> state_;
};

namespace detail {

using BackwardFunction =
    std::function<std::vector<Tensor>(FunctionCtx &, std::vector<Tensor>)>;

/// Runs `forward` without recording it. Its outputs get a gradient function
/// that calls `backward`. `own_gradient` is false if `backward` computes the
/// gradient of the operations that `forward` ran.
XLAC_API std::vector<Tensor>
apply_function(const char *name, const std::vector<Tensor> &inputs,
               const std::function<std::vector<Tensor>(FunctionCtx &)> &forward,
               BackwardFunction backward, bool own_gradient = true);

template <class T> void collect(std::vector<Tensor> &into, const T &argument) {
  if constexpr (std::is_convertible_v<const T &, const Tensor &>)
    into.push_back(argument);
}

} // namespace detail

/// A function with a custom gradient. Derived defines
///   static Tensor forward(FunctionCtx &, A...);
///   static std::vector<Tensor> backward(FunctionCtx &, std::vector<Tensor>);
/// backward returns one gradient for each argument that is a tensor; an
/// undefined tensor means no gradient. forward may also return a
/// std::vector<Tensor>. If an output is a view of an input or of a captured
/// tensor, writing to a part of it is a UserError.
template <class Derived> struct Function {
  /// Calls forward, and records backward.
  template <class... A> static auto apply(A &&...args) {
    using Result = decltype(Derived::forward(std::declval<FunctionCtx &>(),
                                             std::forward<A>(args)...));
    std::vector<Tensor> inputs;
    (detail::collect(inputs, args), ...);
    std::vector<Tensor> outputs = detail::apply_function(
        "Function", inputs,
        [&](FunctionCtx &ctx) -> std::vector<Tensor> {
          if constexpr (std::is_same_v<Result, std::vector<Tensor>>)
            return Derived::forward(ctx, std::forward<A>(args)...);
          else
            return {Derived::forward(ctx, std::forward<A>(args)...)};
        },
        [](FunctionCtx &ctx, std::vector<Tensor> grads) {
          return Derived::backward(ctx, std::move(grads));
        });
    if constexpr (std::is_same_v<Result, std::vector<Tensor>>)
      return outputs;
    else
      return outputs[0];
  }
};

/// Returns fn(inputs) and recomputes its intermediate values in backward
/// instead of saving them. A stablehlo.optimization_barrier keeps the compiler
/// from merging the two computations. Backward runs `fn` again with the same
/// random numbers and leaves the generators unchanged. Gradients flow to the
/// inputs and to other tensors that `fn` uses. With create_graph, the gradients
/// are differentiable.
XLAC_API Tensor
checkpoint(const std::function<Tensor(const std::vector<Tensor> &)> &fn,
           const std::vector<Tensor> &inputs);

/// Compares the gradients of `fn` at `inputs` with central differences of step
/// `eps`. The inputs are f64 or complex128 tensors that require gradients.
/// Returns true if each entry agrees within atol + rtol * |numeric|.
XLAC_API bool
gradcheck(const std::function<Tensor(const std::vector<Tensor> &)> &fn,
          const std::vector<Tensor> &inputs, double eps = 1e-6,
          double atol = 1e-5, double rtol = 1e-3);

} // namespace autograd
} // namespace xlac
