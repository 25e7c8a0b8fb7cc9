// Bounds on the difference between compiled code and the evaluator. A value is
// exact (the same bits, where all NaNs are equal) or has a radius. The radius
// is, for each element, the largest difference that the stated accuracy of the
// ops before allows. An op whose error cannot be bounded is not applied to
// values with a radius.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/host/literal.h"
#include "xlac/ops/attributes.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xlac::fuzz {

/// A value that the evaluator computed and, unless it is exact, its radius: f64
/// elements, where infinity allows any value.
struct Checked {
  host::Literal data, radius;
  bool exact() const { return !radius; }
};

/// An op and its operands.
struct OpUse {
  ops::OpKind kind;
  const ops::OpAttributes &attributes;
  std::span<const Checked> operands;
  std::span<const graph::Block> regions;
  std::span<const graph::FunctionRef> callees;
  std::span<const Type> types; ///< of the results
};

/// True if the op gives exact results for all exact operands of these element
/// types.
bool is_exact(ops::OpKind kind, ElementType operand, ElementType result);

/// Evaluates `use`.
Result<std::vector<host::Literal>> evaluate(const OpUse &use);

/// Returns the radii of the results, with an empty literal for an exact one;
/// nothing if there is no bound.
std::optional<std::vector<host::Literal>>
radii(const OpUse &use, std::span<const host::Literal> results);

/// Returns nothing if `actual` is within the radius around `expected.data`,
/// else a description of the first difference.
std::optional<std::string> difference(const Checked &expected,
                                      std::span<const std::byte> actual);

} // namespace xlac::fuzz
