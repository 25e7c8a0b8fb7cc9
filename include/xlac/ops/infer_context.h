// The inputs of an op's shape rule.
#pragma once

#include "xlac/ops/attributes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace xlac::ops {

/// The signature of a region: the types of its block arguments and of the
/// values that its terminator returns.
struct RegionSignature {
  std::vector<Type> arguments, results;
  /// False if the region is not built yet and its types are unknown.
  bool known = true;
};

/// The inputs of a rule. The caller owns the spans and the operand types.
struct InferContext {
  std::span<const Type *const> operands;
  OpAttributes attributes;
  std::span<const RegionSignature> regions;
  /// Values of operands that are integer constants: empty, or one entry per
  /// operand. Dynamic ops use them to refine result types.
  std::span<const std::optional<std::vector<int64_t>>> constants;
  /// The result types that the program declares; empty if `declares_results` is
  /// false. A rule uses them if the op does not determine its result types, and
  /// always checks them.
  std::span<const Type> declared;
  bool declares_results = false;
};

} // namespace xlac::ops
