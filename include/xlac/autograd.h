// Gradients: which calls are followed, walking back from results to leaves,
// functions with a gradient of their own, checkpoints.
#pragma once

#include "xlac/tensor.h"

#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac {

/// While it lives, calls of this thread are not followed: their results require
/// no gradient. As torch.no_grad().
class XLAC_API NoGradGuard {
public:
  NoGradGuard();
  ~NoGradGuard();
  NoGradGuard(const NoGradGuard &) = delete;
  NoGradGuard &operator=(const NoGradGuard &) = delete;

private:
  bool before_;
};

/// Switches following on or off for this thread while it lives.
class XLAC_API AutoGradMode {
public:
  explicit AutoGradMode(bool enabled);
  ~AutoGradMode();
  AutoGradMode(const AutoGradMode &) = delete;
  AutoGradMode &operator=(const AutoGradMode &) = delete;

private:
  bool before_;
};

/// Whether calls of this thread are followed.
XLAC_API bool is_grad_enabled();

namespace autograd {

/// Adds the gradients of sum(tensors[i] * grad_tensors[i]) to `grad` of the
/// leaves. `grad_tensors` may be empty or hold undefined tensors for scalars.
/// The graph is freed unless `retain_graph`, which is `create_graph` by
/// default; `create_graph` makes the gradients differentiable in turn.
XLAC_API void backward(const std::vector<Tensor> &tensors,
                       const std::vector<Tensor> &grad_tensors = {},
                       std::optional<bool> retain_graph = {},
                       bool create_graph = false);

/// The gradients of sum(outputs[i] * grad_outputs[i]) with respect to each
/// input; touches no tensor's `grad`. An input that nothing depends on is a
/// UserError, or an undefined tensor with `allow_unused`.
XLAC_API std::vector<Tensor> grad(const std::vector<Tensor> &outputs,
                                  const std::vector<Tensor> &inputs,
                                  const std::vector<Tensor> &grad_outputs = {},
                                  std::optional<bool> retain_graph = {},
                                  bool create_graph = false,
                                  bool allow_unused = false);

namespace detail {
struct FunctionState;
} // namespace detail

/// What a Function's forward keeps for its backward.
class XLAC_API FunctionCtx {
public:
  FunctionCtx();
  /// Inputs or outputs of forward; writing to one before backward is an error.
  void save_for_backward(std::vector<Tensor> tensors);
  /// What was saved; UserError after the graph was freed.
  const std::vector<Tensor> &saved_tensors() const;
  /// Inputs that forward wrote to and returns.
  void mark_dirty(std::vector<Tensor> tensors);
  /// Outputs that never require a gradient.
  void mark_non_differentiable(std::vector<Tensor> tensors);
  /// Whether the gradient of forward's i-th tensor argument is asked for.
  bool needs_input_grad(size_t i) const;

  /// Of the function that this context belongs to; for apply().
  const std::shared_ptr<detail::FunctionState> &state() const { return state_; }

private:
  std::shared_ptr<detail::FunctionState> state_;
};

namespace detail {

using BackwardFunction =
    std::function<std::vector<Tensor>(FunctionCtx &, std::vector<Tensor>)>;

/// Runs `forward` unrecorded and gives its outputs a gradient function that
/// calls `backward`. `own_gradient` is false if `backward` computes the gradient
/// of the operations that `forward` ran.
XLAC_API std::vector<Tensor>
apply_function(const char *name, const std::vector<Tensor> &inputs,
               const std::function<std::vector<Tensor>(FunctionCtx &)> &forward,
               BackwardFunction backward, bool own_gradient = true);

template <class T> void collect(std::vector<Tensor> &into, const T &argument) {
  if constexpr (std::is_convertible_v<const T &, const Tensor &>)
    into.push_back(argument);
}

} // namespace detail

/// A function with a gradient of its own. Derived has
///   static Tensor forward(FunctionCtx &, A...);
///   static std::vector<Tensor> backward(FunctionCtx &, std::vector<Tensor>);
/// backward gives one gradient for each argument that is a tensor, undefined
/// for none. forward may return a std::vector<Tensor> too.
template <class Derived> struct Function {
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

/// fn(inputs), whose intermediate values are not kept but computed again in
/// backward, behind a stablehlo.optimization_barrier so that the compiler does
/// not merge the two. `fn` runs again in backward: it draws the same random
/// numbers, and the generators are left as they are. Gradients flow to the
/// inputs and to what `fn` uses besides them; with create_graph they can be
/// differentiated again.
XLAC_API Tensor
checkpoint(const std::function<Tensor(const std::vector<Tensor> &)> &fn,
           const std::vector<Tensor> &inputs);

/// Compares the gradients of `fn` at `inputs`, f64 or complex128 tensors that
/// require them, with central differences of step `eps`: true if each entry
/// agrees within atol + rtol * |numeric|.
XLAC_API bool
gradcheck(const std::function<Tensor(const std::vector<Tensor> &)> &fn,
          const std::vector<Tensor> &inputs, double eps = 1e-6,
          double atol = 1e-5, double rtol = 1e-3);

} // namespace autograd
} // namespace xlac
