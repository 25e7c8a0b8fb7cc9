// Graph nodes of collectives between replicas. `groups` are rows of ordinals;
// callers have checked that they hold each replica once.
#pragma once

#include "xlac/lazy/build.h"

#include <utility>
#include <vector>

namespace xlac::build {

using Groups = std::vector<std::vector<int64_t>>;

/// Folds the values of each group with `op`, element by element, in the group's
/// order; all operands are of one element type.
std::vector<Value> all_reduce(OpKind op, std::vector<Value> operands,
                              const Groups &groups);
/// The same, of which each member keeps its part along `dim`.
Value reduce_scatter(OpKind op, Value operand, int64_t dim,
                     const Groups &groups);
/// The values of each group side by side along `dim`, in the group's order.
std::vector<Value> all_gather(std::vector<Value> operands, int64_t dim,
                              const Groups &groups);
/// Cuts along `split_dim`; part j of member i becomes part i of member j along
/// `concat_dim`. Groups are of one size.
Value all_to_all(Value operand, int64_t split_dim, int64_t concat_dim,
                 const Groups &groups);
/// Targets get the values of their sources, others zeros.
Value collective_permute(Value operand,
                         const std::vector<std::pair<int64_t, int64_t>> &pairs);
/// Members of a group get the values of its first.
std::vector<Value> collective_broadcast(std::vector<Value> operands,
                                        const Groups &groups);

} // namespace xlac::build
