// How far compiled code may be from the evaluator. A value is exact (the same
// bits, all NaNs alike) or carries a radius: for each element the largest
// difference that the stated accuracy of the ops behind it allows. An op whose
// error cannot be bounded is not used on values with a radius.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/host/literal.h"
#include "xlac/ops/attributes.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xlac::fuzz {

/// A value that the evaluator computed and, where it is not exact, the radius:
/// as many elements, of f64; infinity where anything goes.
struct Checked {
  host::Literal data, radius;
  bool exact() const { return !radius; }
};

/// One op about to be used.
struct OpUse {
  ops::OpKind kind;
  const ops::OpAttributes &attributes;
  std::span<const Checked> operands;
  std::span<const graph::Block> regions;
  std::span<const graph::FunctionRef> callees;
  std::span<const Type> types; ///< of the results
};

/// True if the op gives exact results for whatever exact operands of types
/// that `operands` and `result` name.
bool is_exact(ops::OpKind kind, ElementType operand, ElementType result);

/// What the evaluator makes of `use`.
Result<std::vector<host::Literal>> evaluate(const OpUse &use);

/// The radii of the results, an empty literal for an exact one; nothing if
/// there is no bound.
std::optional<std::vector<host::Literal>>
radii(const OpUse &use, std::span<const host::Literal> results);

/// Nothing if `actual` lies within the radius around `expected.data`, else
/// the first difference in words.
std::optional<std::string> difference(const Checked &expected,
                                      std::span<const std::byte> actual);

} // namespace xlac::fuzz
