// Evaluation of custom calls. Components that know the targets register the
// evaluator.
#pragma once

#include "xlac/host/literal.h"
#include "xlac/ops/attributes.h"
#include "xlac/support/result.h"

#include <span>
#include <vector>

namespace xlac::host {

/// Evaluates one call; its results have the types in `results`.
using CustomCallEvaluator = Result<std::vector<Literal>> (*)(
    const ops::CustomCallAttributes &call, std::span<const Literal> operands,
    const std::vector<TensorType> &results);

/// Sets the evaluator. Without one, programs with custom calls cannot be
/// evaluated.
void set_custom_call_evaluator(CustomCallEvaluator evaluator);

} // namespace xlac::host
