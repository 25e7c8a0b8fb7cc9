// How the evaluator runs custom calls: the components that know their targets
// register them.
#pragma once

#include "xlac/host/literal.h"
#include "xlac/ops/attributes.h"
#include "xlac/support/result.h"

#include <span>
#include <vector>

namespace xlac::host {

/// Runs one call: its results have the types in `results`.
using CustomCallEvaluator = Result<std::vector<Literal>> (*)(
    const ops::CustomCallAttributes &call, std::span<const Literal> operands,
    const std::vector<TensorType> &results);

/// Until this is called programs with custom calls cannot be evaluated.
void set_custom_call_evaluator(CustomCallEvaluator evaluator);

} // namespace xlac::host
