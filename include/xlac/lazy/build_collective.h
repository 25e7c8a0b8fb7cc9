// Graph nodes of collectives between replicas. `groups` are lists of ordinals.
// Callers have checked that they contain each replica once.
#pragma once

#include "xlac/lazy/build.h"

#include <utility>
#include <vector>

namespace xlac::build {

using Groups = std::vector<std::vector<int64_t>>;

/// Reduces the values of each group elementwise with `op`, in group order. All
/// operands have the same element type.
std::vector<Value> all_reduce(OpKind op, std::vector<Value> operands,
                              const Groups &groups);
/// The same; each member keeps its shard along `dim`.
Value reduce_scatter(OpKind op, Value operand, int64_t dim,
                     const Groups &groups);
/// Concatenates the values of each group along `dim`, in group order.
std::vector<Value> all_gather(std::vector<Value> operands, int64_t dim,
                              const Groups &groups);
/// Splits along `split_dim`; block j of member i becomes block i of member j
/// along `concat_dim`. All groups have the same size.
Value all_to_all(Value operand, int64_t split_dim, int64_t concat_dim,
                 const Groups &groups);
/// Targets get the values of their sources; other replicas get zeros.
Value collective_permute(Value operand,
                         const std::vector<std::pair<int64_t, int64_t>> &pairs);
/// All members of a group get the values of its first member.
std::vector<Value> collective_broadcast(std::vector<Value> operands,
                                        const Groups &groups);

} // namespace xlac::build
