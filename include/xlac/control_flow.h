// Branches and loops whose conditions depend on tensor values. On xla devices
// bodies are C++ callables that are traced once and become part of the program.
// On the cpu the bodies run directly. A body may also use tensors from outside
// its arguments, and gradients flow to them as they do to arguments. A traced
// body calls the backward of an autograd::Function once, right after its
// forward. Both become part of the program.
#pragma once

#include "xlac/tensor.h"

#include <functional>
#include <utility>
#include <vector>

namespace xlac {

/// A body: from tensors to tensors.
using TensorFunction =
    std::function<std::vector<Tensor>(const std::vector<Tensor> &)>;

/// Returns true_fn(operands) if `pred`, one boolean, is true, else
/// false_fn(operands). TypeError or ShapeError unless both give results of the
/// same types.
XLAC_API std::vector<Tensor> cond(const Tensor &pred,
                                  const TensorFunction &true_fn,
                                  const TensorFunction &false_fn,
                                  const std::vector<Tensor> &operands = {});

/// Applies body_fn to the loop-carried tensors as long as cond_fn, which
/// returns one boolean, is true. Loop-carried tensors keep their dtypes and
/// sizes. If a loop-carried tensor or a captured one requires a gradient,
/// iterations run one by one, also on xla devices. For a captured tensor this
/// is found after body_fn was traced.
XLAC_API std::vector<Tensor>
while_loop(const std::function<Tensor(const std::vector<Tensor> &)> &cond_fn,
           const TensorFunction &body_fn,
           const std::vector<Tensor> &carried_inputs);

/// Applies body_fn(i, carried) for i in [lower, upper); i is an int64 tensor.
XLAC_API std::vector<Tensor>
fori_loop(int64_t lower, int64_t upper,
          const std::function<std::vector<Tensor>(
              const Tensor &, const std::vector<Tensor> &)> &body_fn,
          const std::vector<Tensor> &init);

/// Result of one scan step: the next loop-carried tensors and the step's
/// outputs.
using ScanStep = std::pair<std::vector<Tensor>, std::vector<Tensor>>;

/// Applies fn(carried, x[i]) for each i along the first dimension of `xs`.
/// Returns the last loop-carried tensors and the stacked outputs of all steps.
/// It is differentiable, also with respect to tensors that fn captures. On xla
/// devices the scan is one loop of any length, and its gradient is another
/// loop.
XLAC_API ScanStep
scan(const std::function<ScanStep(const std::vector<Tensor> &,
                                  const std::vector<Tensor> &)> &fn,
     const std::vector<Tensor> &init, const std::vector<Tensor> &xs);

/// Computes running results of an associative function of two elements along
/// `dim`, in log₂ steps: out[i] combines elements 0 to i. Elements keep the
/// dimension `dim`, so `combine_fn` must work elementwise along it.
XLAC_API std::vector<Tensor> associative_scan(
    const std::function<std::vector<Tensor>(
        const std::vector<Tensor> &, const std::vector<Tensor> &)> &combine_fn,
    const std::vector<Tensor> &xs, int64_t dim = 0, bool reverse = false);

} // namespace xlac
