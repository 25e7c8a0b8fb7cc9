// Collectives between the replicas of a job, recorded like other operations.
// All replicas must record the same collectives in the same order. With one
// replica they move no data.
#pragma once

#include "xlac/lazy/build_collective.h"
#include "xlac/tensor.h"

#include <string_view>

namespace xlac::frontend {

using build::Groups;

/// Returns the replica groups (lists of ordinals) of a collective. No groups
/// means one group of all replicas. Throws ValueError unless each replica of
/// the job is in exactly one group.
Groups complete_groups(Groups groups);
/// As above; throws ValueError unless all groups have the same size, which is
/// `size` if given.
Groups equal_groups(Groups groups, std::optional<int64_t> size = {});

/// Reduces each tensor over its group with Add, Multiply, And, Or, Minimum or
/// Maximum and multiplies it by `scale`. Emits one op per element type. Throws
/// DtypeError when the reduction is not defined for the dtype.
std::vector<Tensor> all_reduce(ops::OpKind op,
                               const std::vector<Tensor> &tensors, double scale,
                               const Groups &groups);
/// As all_reduce; each member keeps its shard along `dim`.
Tensor reduce_scatter(ops::OpKind op, const Tensor &tensor, double scale,
                      int64_t dim, const Groups &groups);
std::vector<Tensor> all_gather(const std::vector<Tensor> &tensors, int64_t dim,
                               const Groups &groups);
Tensor all_to_all(const Tensor &tensor, int64_t split_dim, int64_t concat_dim,
                  const Groups &groups);
Tensor
collective_permute(const Tensor &tensor,
                   const std::vector<std::pair<int64_t, int64_t>> &pairs);
/// Members of a group get the values of its first member.
std::vector<Tensor> collective_broadcast(const std::vector<Tensor> &tensors,
                                         const Groups &groups);

/// Writes each of `values` to its counterpart in `targets` without recording
/// for autograd.
void overwrite_all(const std::vector<Tensor> &targets,
                   const std::vector<Tensor> &values);

} // namespace xlac::frontend
