#include "xlac/ops/elementwise.h"

#include <array>

namespace xlac::ops {
namespace {

#include "elementwise_facts.inc"

static_assert(std::size(kCosts) == kOpKindCount);

constexpr auto kFactsOfKind = [] {
  std::array<const ElementwiseFacts *, kOpKindCount> table{};
  for (const ElementwiseFacts &facts : kElementwise)
    table[static_cast<size_t>(facts.kind)] = &facts;
  return table;
}();

} // namespace

const ElementwiseFacts *elementwise_facts(OpKind kind) {
  return kFactsOfKind[static_cast<size_t>(kind)];
}

int cost_of(OpKind kind, ElementType type) {
  const Cost &cost = kCosts[static_cast<size_t>(kind)];
  if (is_complex(type))
    return cost.complex;
  return is_float(type) ? cost.floating : cost.integer;
}

} // namespace xlac::ops
