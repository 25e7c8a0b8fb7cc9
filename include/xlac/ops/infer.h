// The shape rule of every op: what its results are, and which constraint of the
// StableHLO specification it breaks. The tracer and the MLIR verifiers call the
// same rules.
#pragma once

#include "xlac/ops/infer_context.h"
#include "xlac/ops/op.h"
#include "xlac/ops/type_text.h"
#include "xlac/support/result.h"

#include <span>
#include <vector>

namespace xlac::ops {

/// The places of `types`, as InferContext::operands takes them.
std::vector<const Type *> places_of(std::span<const Type> types);

/// The result types of an op, or a failure whose message names the op, what it
/// got, what it wanted and the constraint: "add: lhs f32[2] and rhs f32[3]
/// differ in shape (C1)". Without declared results an op that is not inferable
/// (facts(kind).inferable) fails.
Result<std::vector<Type>> infer(OpKind kind, const InferContext &context);

/// True if a value of type `declared` may stand where a rule gives `inferred`:
/// equal, or tensors of one element type and rank whose known sizes agree;
/// quantized types may differ in their parameters.
bool are_compatible(const Type &inferred, const Type &declared);

} // namespace xlac::ops
