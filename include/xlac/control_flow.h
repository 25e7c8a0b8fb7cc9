// Branches and loops whose course values decide. On xla devices bodies are C++
// callables that are traced once and become part of the program; on the cpu
// they run as they are. A body sees tensors outside of its arguments too, and
// gradients flow to them as to arguments. In a traced body the backward of an
// autograd::Function is not known: the gradient of what it makes of the body's
// arguments is an UnsupportedError.
#pragma once

#include "xlac/tensor.h"

#include <functional>
#include <utility>
#include <vector>

namespace xlac {

using TensorFunction =
    std::function<std::vector<Tensor>(const std::vector<Tensor> &)>;

/// true_fn(operands) if `pred`, one boolean, is true, else false_fn(operands).
/// TypeError or ShapeError unless both give the same kinds of results.
XLAC_API std::vector<Tensor> cond(const Tensor &pred,
                                  const TensorFunction &true_fn,
                                  const TensorFunction &false_fn,
                                  const std::vector<Tensor> &operands = {});

/// Takes carried tensors through body_fn as long as cond_fn, one boolean, is
/// true. Carried tensors keep their dtypes and sizes. Where gradients follow a
/// carried tensor or one from outside, rounds are taken one by one on xla
/// devices too; after body_fn was traced, if the latter.
XLAC_API std::vector<Tensor>
while_loop(const std::function<Tensor(const std::vector<Tensor> &)> &cond_fn,
           const TensorFunction &body_fn,
           const std::vector<Tensor> &carried_inputs);

/// body_fn(i, carried) for i from `lower` up to and without `upper`; i is a
/// tensor of int64.
XLAC_API std::vector<Tensor>
fori_loop(int64_t lower, int64_t upper,
          const std::function<std::vector<Tensor>(
              const Tensor &, const std::vector<Tensor> &)> &body_fn,
          const std::vector<Tensor> &init);

/// What one step of a scan gives: the next carried tensors and its outputs.
using ScanStep = std::pair<std::vector<Tensor>, std::vector<Tensor>>;

/// fn(carried, x[i]) for each i along the first dimension of `xs`; the last
/// carried tensors and the outputs of all steps, stacked. Differentiable, also
/// with respect to tensors that fn uses from outside; on xla devices one loop,
/// however long, and its gradient another.
XLAC_API ScanStep
scan(const std::function<ScanStep(const std::vector<Tensor> &,
                                  const std::vector<Tensor> &)> &fn,
     const std::vector<Tensor> &init, const std::vector<Tensor> &xs);

/// Running results of an associative function of two elements along `dim`: out
/// [i] combines the elements up to i, in log₂ steps. Elements stay tensors with
/// that dimension, so `combine_fn` must work elementwise along it.
XLAC_API std::vector<Tensor> associative_scan(
    const std::function<std::vector<Tensor>(
        const std::vector<Tensor> &, const std::vector<Tensor> &)> &combine_fn,
    const std::vector<Tensor> &xs, int64_t dim = 0, bool reverse = false);

} // namespace xlac
