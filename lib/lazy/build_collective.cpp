// Builders of collectives between replicas.
#include "xlac/lazy/build_collective.h"

#include "builder_parts.h"

#include <algorithm>

namespace xlac::build {

/// A matrix of the groups; short rows are padded with -1.
static ops::ReplicaGroups matrix_of(const Groups &groups) {
  size_t columns = 0;
  for (const std::vector<int64_t> &group : groups)
    columns = std::max(columns, group.size());
  ops::ReplicaGroups matrix;
  matrix.groups.shape = {static_cast<int64_t>(groups.size()),
                         static_cast<int64_t>(columns)};
  for (const std::vector<int64_t> &group : groups) {
    matrix.groups.values.insert(matrix.groups.values.end(), group.begin(),
                                group.end());
    matrix.groups.values.resize(
        matrix.groups.values.size() + columns - group.size(), -1);
  }
  return matrix;
}

std::vector<Value> all_reduce(OpKind op, std::vector<Value> operands,
                              const Groups &groups) {
  ops::AllReduceAttributes attributes;
  attributes.replica_groups = matrix_of(groups);
  ElementType type = operands[0].tensor().element;
  return results_of(emit(OpKind::AllReduce, attributes, std::move(operands), {},
                         {folding_block(op, type)}));
}

Value reduce_scatter(OpKind op, Value operand, int64_t dim,
                     const Groups &groups) {
  ops::ReduceScatterAttributes attributes;
  attributes.scatter_dimension = dim;
  attributes.replica_groups = matrix_of(groups);
  ElementType type = operand.tensor().element;
  return single(emit(OpKind::ReduceScatter, attributes,
                     operand_list(std::move(operand)), {},
                     {folding_block(op, type)}));
}

std::vector<Value> all_gather(std::vector<Value> operands, int64_t dim,
                              const Groups &groups) {
  ops::AllGatherAttributes attributes;
  attributes.all_gather_dim = dim;
  attributes.replica_groups = matrix_of(groups);
  return results_of(emit(OpKind::AllGather, attributes, std::move(operands)));
}

Value all_to_all(Value operand, int64_t split_dim, int64_t concat_dim,
                 const Groups &groups) {
  ops::AllToAllAttributes attributes;
  attributes.split_dimension = split_dim;
  attributes.concat_dimension = concat_dim;
  attributes.split_count = static_cast<int64_t>(groups[0].size());
  attributes.replica_groups = matrix_of(groups);
  return single(
      emit(OpKind::AllToAll, attributes, operand_list(std::move(operand))));
}

Value collective_permute(
    Value operand, const std::vector<std::pair<int64_t, int64_t>> &pairs) {
  ops::CollectivePermuteAttributes attributes;
  std::vector<int64_t> ids;
  for (auto [source, target] : pairs)
    ids.insert(ids.end(), {source, target});
  attributes.source_target_pairs = ops::IntElements::matrix(2, std::move(ids));
  return single(emit(OpKind::CollectivePermute, attributes,
                     operand_list(std::move(operand))));
}

std::vector<Value> collective_broadcast(std::vector<Value> operands,
                                        const Groups &groups) {
  ops::CollectiveBroadcastAttributes attributes;
  attributes.replica_groups = matrix_of(groups);
  return results_of(
      emit(OpKind::CollectiveBroadcast, attributes, std::move(operands)));
}

} // namespace xlac::build
