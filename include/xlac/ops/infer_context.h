// What the shape rule of an op is given.
#pragma once

#include "xlac/ops/attributes.h"

#include <cstdint>
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

} // namespace xlac::ops
