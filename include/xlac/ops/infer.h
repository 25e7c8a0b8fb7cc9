// The shape rule of every op: what its results are, and which constraint of the
// StableHLO specification it breaks. The tracer and the MLIR verifiers call the
// same rules.
#pragma once

#include "xlac/ops/attributes.h"
#include "xlac/ops/op.h"
#include "xlac/support/result.h"

#include <optional>
#include <span>
#include <vector>

namespace xlac::ops {

/// A region as seen from its op: the types of its block's arguments and of the
/// values that its terminator returns.
struct RegionSignature {
  std::vector<Type> arguments, results;
  /// False while the region is not built yet: nothing is known of it.
  bool known = true;
};

/// What a rule is given. The spans, and the operands' types, are the caller's.
struct InferContext {
  std::span<const Type *const> operands;
  OpAttributes attributes;
  std::span<const RegionSignature> regions;
  /// The values of operands that are integer constants: empty, or one entry an
  /// operand. Dynamic ops sharpen their results by them.
  std::span<const std::optional<std::vector<int64_t>>> constants;
  /// The result types that the program declares. A rule takes them as the
  /// result where the op leaves a choice, and checks them either way. Empty
  /// where `declares_results` is false.
  std::span<const Type> declared;
  bool declares_results = false;
};

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

/// "f32[2,?]": how messages print a tensor type.
std::string short_text(const TensorType &type);
std::string short_text(const Type &type);

} // namespace xlac::ops
