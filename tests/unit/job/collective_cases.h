// Every collective over every element type, with operands that follow from
// ordinal and index, and what they have to give, computed plainly: element by
// element, in the order of the group.
#pragma once

#include "xlac/runtime/communicator.h"

#include <string>
#include <vector>

namespace xlac::test {

/// Types that can be added here; others are only moved.
const std::vector<ElementType> &element_types();
bool has_sum(ElementType type);

/// A collective over `world` replicas of operands with about so many elements.
/// `variant`: 0 all in order, 1 all in reverse, 2 two groups (of an even
/// world).
runtime::Collective make_collective(runtime::CollectiveKind kind,
                                    ElementType type, int world, int variant,
                                    int64_t elements);

/// Runs it for one ordinal and compares; empty if all is well.
std::string run_collective(runtime::Communicator &grid, int ordinal,
                           const runtime::Collective &what);

/// left + right, element by element.
Status add_elements(ElementType type, const void *left, const void *right,
                    void *result, int64_t elements);

/// The kinds that groups carry out.
const std::vector<runtime::CollectiveKind> &group_kinds();

} // namespace xlac::test
