#include "fuzz/collectives.h"

#include "xlac/ops/infer.h"

#include <cstring>

namespace xlac::fuzz {

using host::Literal;
using ops::OpKind;

namespace {

using Literals = std::vector<Literal>;
/// The numbers of processes, replica * partitions + partition, in order.
using Group = std::vector<size_t>;

//===- Process groups -----------------------------------------------------===//

/// Returns the rows of a matrix of ids; -1 fills short rows.
std::vector<std::vector<int64_t>> rows_of(const ops::IntElements &ids) {
  std::vector<std::vector<int64_t>> rows(ids.shape[0]);
  for (int64_t i = 0; i < ids.shape[0]; ++i)
    for (int64_t k = 0; k < ids.shape[1]; ++k)
      if (ids.at(i, k) >= 0)
        rows[i].push_back(ids.at(i, k));
  return rows;
}

/// The four variants of "Process groups" of the specification.
class ProcessGroupsOf {
public:
  ProcessGroupsOf(const ops::IntElements &ids, runtime::GridShape grid)
      : rows_(rows_of(ids)), grid_(grid) {}

  std::vector<Group> cross_replica() const {
    std::vector<Group> groups;
    for (const auto &row : rows_)
      for (int partition = 0; partition < grid_.partitions; ++partition) {
        Group &group = groups.emplace_back();
        for (int64_t replica : row)
          group.push_back(number(replica, partition));
      }
    return groups;
  }

  std::vector<Group> cross_partition() const {
    std::vector<Group> groups;
    for (const auto &row : rows_)
      for (int replica = 0; replica < grid_.replicas; ++replica) {
        Group &group = groups.emplace_back();
        for (int64_t partition : row)
          group.push_back(number(replica, partition));
      }
    return groups;
  }

  std::vector<Group> cross_replica_and_partition() const {
    std::vector<Group> groups;
    for (const auto &row : rows_) {
      Group &group = groups.emplace_back();
      for (int partition = 0; partition < grid_.partitions; ++partition)
        for (int64_t replica : row)
          group.push_back(number(replica, partition));
    }
    return groups;
  }

  std::vector<Group> flattened_ids() const {
    std::vector<Group> groups;
    for (const auto &row : rows_)
      groups.emplace_back(row.begin(), row.end());
    return groups;
  }

private:
  size_t number(int64_t replica, int64_t partition) const {
    return static_cast<size_t>(replica * grid_.partitions + partition);
  }

  std::vector<std::vector<int64_t>> rows_;
  runtime::GridShape grid_;
};

bool has_channel(const std::optional<ops::ChannelHandle> &channel) {
  return channel && channel->handle > 0;
}

/// For ops whose ids may be those of replicas, of replicas and partitions, or
/// of processes.
template <class Attributes>
std::vector<Group> groups_of_three(const Attributes &a,
                                   runtime::GridShape grid) {
  ProcessGroupsOf meetings(a.replica_groups.groups, grid);
  if (!has_channel(a.channel_handle))
    return meetings.cross_replica();
  return a.use_global_device_ids ? meetings.flattened_ids()
                                 : meetings.cross_replica_and_partition();
}

/// For ops whose ids are those of replicas or of partitions.
std::vector<Group>
groups_of_two(const ops::IntElements &ids,
              const std::optional<ops::ChannelHandle> &channel,
              runtime::GridShape grid) {
  ProcessGroupsOf meetings(ids, grid);
  return has_channel(channel) ? meetings.cross_partition()
                              : meetings.cross_replica();
}

//===- Results ------------------------------------------------------------===//

/// Evaluates one op on one process.
std::optional<Literal> applied(OpKind kind, ops::OpAttributes attributes,
                               const Literals &operands,
                               std::span<const graph::Block> regions = {}) {
  std::vector<Checked> checked;
  std::vector<Type> operand_types;
  for (const Literal &operand : operands) {
    checked.push_back({operand, {}});
    operand_types.push_back(operand.type());
  }
  std::vector<const Type *> places = ops::places_of(operand_types);
  std::vector<ops::RegionSignature> signatures = graph::signatures(regions);
  ops::InferContext context;
  context.operands = places;
  context.attributes = attributes;
  context.regions = signatures;
  Result<std::vector<Type>> types = ops::infer(kind, context);
  if (!types)
    return std::nullopt;
  Result<Literals> results =
      evaluate({kind, attributes, checked, regions, {}, *types});
  if (!results)
    return std::nullopt;
  return (*results)[0];
}

std::optional<Literal> joined(const Literals &parts, int64_t dimension) {
  ops::ConcatenateAttributes attributes;
  attributes.dimension = dimension;
  return applied(OpKind::Concatenate, attributes, parts);
}

/// Returns part `index` of `count` equal parts along a dimension.
std::optional<Literal> part(const Literal &whole, int64_t dimension,
                            int64_t count, int64_t index) {
  const std::vector<int64_t> &dims = whole.type().dims;
  ops::SliceAttributes attributes;
  attributes.start_indices.assign(dims.size(), 0);
  attributes.limit_indices = dims;
  attributes.strides.assign(dims.size(), 1);
  int64_t size = dims[dimension] / count;
  attributes.start_indices[dimension] = index * size;
  attributes.limit_indices[dimension] = (index + 1) * size;
  return applied(OpKind::Slice, attributes, {whole});
}

/// True for collectives that reduce their operands.
bool combines(OpKind kind) {
  return kind == OpKind::AllReduce || kind == OpKind::CollectiveReduce ||
         kind == OpKind::CrossReplicaSum || kind == OpKind::ReduceScatter;
}

/// Reduces from the first member to the last, as docs/internals/collectives.md
/// defines where the specification leaves the order open. Without a body it is
/// a sum.
std::optional<Literal> combined(const Literals &members,
                                std::span<const graph::Block> body) {
  ops::MapAttributes attributes;
  for (int64_t i = 0; i < members[0].type().rank(); ++i)
    attributes.dimensions.push_back(i);
  std::optional<Literal> total = members[0];
  for (size_t i = 1; total && i < members.size(); ++i) {
    Literals both{*total, members[i]};
    total = body.empty() ? applied(OpKind::Add, {}, both)
                         : applied(OpKind::Map, attributes, both, body);
  }
  return total;
}

/// Returns the result of each member of a group from the operands of all
/// members and the root. An empty literal means no result. Fails where the
/// evaluator does.
std::optional<Literals> in_group(const OpUse &use, const Literals &members,
                                 size_t root) {
  auto count = static_cast<int64_t>(members.size());
  auto all = [&](const std::optional<Literal> &one) -> std::optional<Literals> {
    if (!one)
      return std::nullopt;
    return Literals(members.size(), *one);
  };
  switch (use.kind) {
  case OpKind::AllGather:
    return all(
        joined(members,
               use.attributes.get<ops::AllGatherAttributes>().all_gather_dim));
  case OpKind::AllReduce:
  case OpKind::CrossReplicaSum:
    return all(combined(members, use.regions));
  case OpKind::CollectiveBroadcast:
    return all(members[root]);
  case OpKind::CollectiveReduce: {
    Literals results(members.size());
    auto total = combined(members, use.regions);
    if (!total)
      return std::nullopt;
    results[root] = *total;
    return results;
  }
  default:
    break;
  }
  std::optional<Literal> total;
  if (use.kind == OpKind::ReduceScatter &&
      !(total = combined(members, use.regions)))
    return std::nullopt;
  Literals results;
  for (int64_t i = 0; i < count; ++i) {
    std::optional<Literal> one;
    if (total) {
      int64_t dimension =
          use.attributes.get<ops::ReduceScatterAttributes>().scatter_dimension;
      one = part(*total, dimension, count, i);
    } else {
      const auto &a = use.attributes.get<ops::AllToAllAttributes>();
      Literals parts;
      for (const Literal &member : members)
        if (auto piece = part(member, a.split_dimension, count, i))
          parts.push_back(*piece);
      one = joined(parts, a.concat_dimension);
    }
    if (!one)
      return std::nullopt;
    results.push_back(*one);
  }
  return results;
}

Literal zeros(const TensorType &type) {
  Literal made = *Literal::allocate(type);
  if (made.byte_count() > 0)
    std::memset(made.mutable_data(), 0, static_cast<size_t>(made.byte_count()));
  return made;
}

std::vector<Group> groups_of(const OpUse &use, runtime::GridShape grid) {
  const ops::OpAttributes &attributes = use.attributes;
  switch (use.kind) {
  case OpKind::AllGather:
    return groups_of_three(attributes.get<ops::AllGatherAttributes>(), grid);
  case OpKind::AllReduce:
    return groups_of_three(attributes.get<ops::AllReduceAttributes>(), grid);
  case OpKind::ReduceScatter:
    return groups_of_three(attributes.get<ops::ReduceScatterAttributes>(),
                           grid);
  case OpKind::AllToAll: {
    const auto &a = attributes.get<ops::AllToAllAttributes>();
    return groups_of_two(a.replica_groups.groups, a.channel_handle, grid);
  }
  case OpKind::CollectiveBroadcast: {
    const auto &a = attributes.get<ops::CollectiveBroadcastAttributes>();
    return groups_of_two(a.replica_groups.groups, a.channel_handle, grid);
  }
  case OpKind::CollectiveReduce: {
    const auto &a = attributes.get<ops::CollectiveReduceAttributes>();
    return groups_of_two(a.replica_groups.groups, a.channel_handle, grid);
  }
  case OpKind::CrossReplicaSum: {
    const auto &a = attributes.get<ops::CrossReplicaSumAttributes>();
    return groups_of_two(a.replica_groups, {}, grid);
  }
  default: {
    const auto &a = attributes.get<ops::CollectivePermuteAttributes>();
    return groups_of_two(a.source_target_pairs, a.channel_handle, grid);
  }
  }
}

/// Returns the results of all processes from their operands. A process without
/// a result gets zeros.
std::optional<Literals> moved(const OpUse &use, const Literals &operands,
                              size_t root, runtime::GridShape grid) {
  Literals results(operands.size());
  for (const Group &group : groups_of(use, grid)) {
    if (use.kind == OpKind::CollectivePermute) {
      results[group[1]] = operands[group[0]];
      continue;
    }
    Literals members;
    for (size_t process : group)
      members.push_back(operands[process]);
    auto given = in_group(use, members, root);
    if (!given)
      return std::nullopt;
    for (size_t i = 0; i < group.size(); ++i)
      results[group[i]] = (*given)[i];
  }
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i])
      results[i] = zeros(operands[i].type());
  return results;
}

/// Returns the number of each process in its row or column.
ByProcess places(OpKind kind, runtime::GridShape grid) {
  ByProcess results;
  for (int process = 0; process < grid.count(); ++process) {
    Literal place = *Literal::allocate({ElementType::UI32, {}, {}, {}});
    int64_t number = kind == OpKind::ReplicaId ? process / grid.partitions
                                               : process % grid.partitions;
    host::store(place, 0, 1, &number);
    results.push_back({{place, {}}});
  }
  return results;
}

} // namespace

/// True if the last operand gives the group's root for each of the other
/// operands.
static bool has_dynamic_root(const OpUse &use) {
  if (use.kind == OpKind::CollectiveBroadcast)
    return use.attributes.get<ops::CollectiveBroadcastAttributes>()
        .has_dynamic_root;
  return use.kind == OpKind::CollectiveReduce &&
         use.attributes.get<ops::CollectiveReduceAttributes>().has_dynamic_root;
}

bool is_collective(OpKind kind) {
  switch (kind) {
  case OpKind::AllGather:
  case OpKind::AllReduce:
  case OpKind::AllToAll:
  case OpKind::CollectiveBroadcast:
  case OpKind::CollectivePermute:
  case OpKind::CollectiveReduce:
  case OpKind::CrossReplicaSum:
  case OpKind::ReduceScatter:
  case OpKind::PartitionId:
  case OpKind::ReplicaId:
    return true;
  default:
    return false;
  }
}

std::optional<ByProcess> exchanged(const OpUse &use, const ByProcess &operands,
                                   runtime::GridShape grid) {
  if (use.kind == OpKind::ReplicaId || use.kind == OpKind::PartitionId)
    return places(use.kind, grid);
  ByProcess results(operands.size());
  size_t count = use.types.size();
  for (size_t i = 0; i < count; ++i) {
    int64_t root = 0;
    if (has_dynamic_root(use))
      host::load(operands[0][count].data, static_cast<int64_t>(i), 1, &root);
    Literals data, radius;
    for (const std::vector<Checked> &process : operands) {
      data.push_back(process[i].data);
      if (!process[i].exact())
        radius.push_back(process[i].radius);
    }
    // A value is exact on all processes or on none.
    bool exact = radius.empty();
    if (!exact && combines(use.kind))
      return std::nullopt;
    auto place = static_cast<size_t>(root);
    auto values = moved(use, data, place, grid);
    auto bounds = exact ? values : moved(use, radius, place, grid);
    if (!values || !bounds)
      return std::nullopt;
    for (size_t k = 0; k < results.size(); ++k)
      results[k].push_back({(*values)[k], exact ? Literal() : (*bounds)[k]});
  }
  return results;
}

} // namespace xlac::fuzz
