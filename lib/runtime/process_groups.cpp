#include "xlac/runtime/process_groups.h"

#include "xlac/support/unreachable.h"

#include <numeric>

namespace xlac::runtime {

namespace {

/// The groups of ids without padding; one group of all ids if there are none.
std::vector<std::vector<int64_t>> rows_of(const Collective &what,
                                          int64_t count) {
  std::vector<std::vector<int64_t>> rows;
  bool any = false;
  for (const std::vector<int64_t> &group : what.groups) {
    std::vector<int64_t> row;
    for (int64_t id : group)
      if (id >= 0)
        row.push_back(id);
    any = any || !row.empty();
    rows.push_back(std::move(row));
  }
  bool pairs = what.kind == CollectiveKind::Permute ||
               what.kind == CollectiveKind::Send ||
               what.kind == CollectiveKind::Recv;
  if (any || pairs)
    return rows;
  rows.assign(1, std::vector<int64_t>(count));
  std::iota(rows[0].begin(), rows[0].end(), 0);
  return rows;
}

int64_t ids_of(ProcessGrouping grouping, GridShape shape) {
  switch (grouping) {
  case ProcessGrouping::CrossPartition:
    return shape.partitions;
  case ProcessGrouping::FlattenedIds:
    return shape.count();
  case ProcessGrouping::CrossReplica:
  case ProcessGrouping::CrossReplicaAndPartition:
    return shape.replicas;
  }
  unreachable("a grouping of processes");
}

} // namespace

std::string process_text(int process, GridShape shape) {
  return "replica " + std::to_string(process / shape.partitions) +
         ", partition " + std::to_string(process % shape.partitions);
}

Result<std::vector<ProcessGroup>> process_groups(const Collective &what,
                                                 GridShape shape) {
  int64_t ids = ids_of(what.grouping, shape);
  std::vector<std::vector<int64_t>> rows = rows_of(what, ids);
  for (const std::vector<int64_t> &row : rows)
    for (int64_t id : row)
      if (id >= ids)
        return failure(FailureKind::User,
                       describe(what) + ": its groups hold " +
                           std::to_string(id) + ", but the grid of " +
                           std::to_string(shape.replicas) + " replicas and " +
                           std::to_string(shape.partitions) +
                           " partitions has ids below " + std::to_string(ids));
  auto process = [&](int64_t replica, int64_t partition) {
    return static_cast<int>(replica * shape.partitions + partition);
  };
  std::vector<ProcessGroup> groups;
  for (const std::vector<int64_t> &row : rows) {
    switch (what.grouping) {
    case ProcessGrouping::CrossReplica:
      for (int partition = 0; partition < shape.partitions; ++partition) {
        ProcessGroup &group = groups.emplace_back();
        for (int64_t replica : row)
          group.push_back(process(replica, partition));
      }
      break;
    case ProcessGrouping::CrossPartition:
      for (int replica = 0; replica < shape.replicas; ++replica) {
        ProcessGroup &group = groups.emplace_back();
        for (int64_t partition : row)
          group.push_back(process(replica, partition));
      }
      break;
    case ProcessGrouping::CrossReplicaAndPartition: {
      ProcessGroup &group = groups.emplace_back();
      for (int partition = 0; partition < shape.partitions; ++partition)
        for (int64_t replica : row)
          group.push_back(process(replica, partition));
      break;
    }
    case ProcessGrouping::FlattenedIds: {
      ProcessGroup &group = groups.emplace_back();
      for (int64_t id : row)
        group.push_back(static_cast<int>(id));
      break;
    }
    }
  }
  return groups;
}

} // namespace xlac::runtime
