// Shape rules: they infer the result types of an op and check the constraints
// of the StableHLO specification. The tracer and the MLIR verifiers use the
// same rules.
#pragma once

#include "xlac/ops/infer_context.h"
#include "xlac/ops/op.h"
#include "xlac/ops/type_text.h"
#include "xlac/support/result.h"

#include <span>
#include <vector>

namespace xlac::ops {

/// Pointers to `types`, as InferContext::operands expects them.
std::vector<const Type *> places_of(std::span<const Type> types);

/// The result types of an op. A failure names the op, the types it got, the
/// expected types and the constraint: "add: lhs f32[2] and rhs f32[3] differ in
/// shape (C1)". An op that is not inferable (facts(kind).inferable) fails
/// without declared results.
Result<std::vector<Type>> infer(OpKind kind, const InferContext &context);

/// Whether a value of type `declared` may be used for a result inferred as
/// `inferred`. The types are equal, or tensors of the same element type and
/// rank whose known sizes agree. Quantization parameters may differ.
bool are_compatible(const Type &inferred, const Type &declared);

} // namespace xlac::ops
