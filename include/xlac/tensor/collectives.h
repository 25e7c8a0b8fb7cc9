// Collectives between the replicas of a job, recorded like any operation. Every
// replica must record the same ones in the same order. In a world of one they
// move nothing.
#pragma once

#include "xlac/lazy/build_collective.h"
#include "xlac/tensor.h"

#include <string_view>

namespace xlac::frontend {

using build::Groups;

/// Rows of ordinals as a collective takes them: those of all replicas if there
/// are none. ValueError unless each replica of the job is in exactly one.
Groups complete_groups(Groups groups);
/// The same where all groups must be of one size, which is `size` if given.
Groups equal_groups(Groups groups, std::optional<int64_t> size = {});

/// Each tensor folded over its group with Add, Multiply, And, Or, Minimum or
/// Maximum, times `scale`; one op for each element type. DtypeError where the
/// fold has no meaning.
std::vector<Tensor> all_reduce(ops::OpKind op,
                               const std::vector<Tensor> &tensors, double scale,
                               const Groups &groups);
/// As all_reduce, of which a member keeps its part along `dim`.
Tensor reduce_scatter(ops::OpKind op, const Tensor &tensor, double scale,
                      int64_t dim, const Groups &groups);
std::vector<Tensor> all_gather(const std::vector<Tensor> &tensors, int64_t dim,
                               const Groups &groups);
Tensor all_to_all(const Tensor &tensor, int64_t split_dim, int64_t concat_dim,
                  const Groups &groups);
Tensor
collective_permute(const Tensor &tensor,
                   const std::vector<std::pair<int64_t, int64_t>> &pairs);
/// Members of a group get the values of its first.
std::vector<Tensor> collective_broadcast(const std::vector<Tensor> &tensors,
                                         const Groups &groups);

/// Gives each of `targets` the value of its counterpart, unseen by autograd.
void overwrite_all(const std::vector<Tensor> &targets,
                   const std::vector<Tensor> &values);

} // namespace xlac::frontend
