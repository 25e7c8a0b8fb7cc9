// Every collective with every element type. Operands are determined by ordinal
// and index. Expected results are computed element by element in the order of
// the group.
#pragma once

#include "xlac/runtime/communicator.h"

#include <string>
#include <vector>

namespace xlac::test {

/// Element types that can be added here; others are only moved.
const std::vector<ElementType> &element_types();
bool has_sum(ElementType type);

/// From now on operands are numbers whose sums are equal in any order.
void accept_any_order();

/// Makes a collective over `world` replicas with operands of about `elements`
/// elements; none for 0. `variant`: 0 all in order, 1 all in reverse order, 2
/// two groups (for an even world).
runtime::Collective make_collective(runtime::CollectiveKind kind,
                                    ElementType type, int world, int variant,
                                    int64_t elements);

/// Runs it for one ordinal and compares the result; returns "" on success.
/// `in_place`: the result of an all_reduce replaces its operand.
std::string run_collective(runtime::Communicator &grid, int ordinal,
                           const runtime::Collective &what,
                           bool in_place = false);

/// Computes left + right, element by element.
Status add_elements(ElementType type, const void *left, const void *right,
                    void *result, int64_t elements);

/// Returns the kinds that are executed in groups.
const std::vector<runtime::CollectiveKind> &group_kinds();

/// Runs all kinds over the types on a grid, for one replica; returns "" on
/// success.
std::string run_kinds(runtime::Communicator &grid, int ordinal,
                      const std::vector<ElementType> &types, int64_t elements);

} // namespace xlac::test
