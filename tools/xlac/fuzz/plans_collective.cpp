// Collectives between the processes of a grid. The groups include every
// process; a grid of one process has one group.
#include "fuzz/bodies.h"
#include "fuzz/plans.h"

#include <algorithm>
#include <numeric>

namespace xlac::fuzz {

using ops::OpKind;

namespace {

/// Adds a collective that supports async_start, sometimes through it.
bool add(Builder &b, OpKind kind, const ops::OpAttributes &attributes,
         const Terms &operands, std::vector<Type> declared = {},
         std::vector<graph::Block> regions = {}) {
  if (b.random.chance(12))
    return b.add_async(kind, attributes, operands, declared, regions)
        .has_value();
  return b.add(kind, attributes, operands, declared, regions).has_value();
}

/// Returns 0 to count - 1 in random order.
Dims shuffled(Builder &b, int64_t count) {
  Dims ids(count);
  std::iota(ids.begin(), ids.end(), 0);
  for (int64_t i = count; i-- > 1;)
    std::swap(ids[i], ids[i - b.random.below(i + 1)]);
  return ids;
}

ops::ChannelHandle new_channel(Builder &b) {
  return {.handle = 1 + b.random.below(1 << 16), .type = 1};
}

/// Returns groups of equal size over `count` ids.
ops::ReplicaGroups equal_groups(Builder &b, int64_t count) {
  Dims sizes;
  for (int64_t size = count; size > 0; --size)
    if (count % size == 0)
      sizes.push_back(size);
  ops::ReplicaGroups groups;
  groups.groups =
      ops::IntElements::matrix(b.random.pick(sizes), shuffled(b, count));
  return groups;
}

/// Returns two groups of unequal size; -1 fills the shorter one.
ops::ReplicaGroups unequal_groups(Builder &b, int64_t count) {
  Dims ids = shuffled(b, count);
  ids.resize(2 * (count - 1), -1);
  ops::ReplicaGroups groups;
  groups.groups = ops::IntElements::matrix(count - 1, ids);
  return groups;
}

/// Picks the kind of ids: replicas, replicas with all their partitions, or
/// processes. Returns the number of processes per group.
template <class Attributes>
int64_t meet(Builder &b, Attributes &attributes, bool may_be_unequal) {
  auto [replicas, partitions] = b.grid;
  int64_t count = replicas, per_id = 1;
  switch (b.random.below(3)) {
  case 1:
    attributes.channel_handle = new_channel(b);
    per_id = partitions;
    break;
  case 2:
    attributes.channel_handle = new_channel(b);
    attributes.use_global_device_ids = true;
    count = b.grid.count();
    break;
  default:
    break;
  }
  bool is_unequal = may_be_unequal && count > 2 && b.random.chance(30);
  attributes.replica_groups =
      is_unequal ? unequal_groups(b, count) : equal_groups(b, count);
  return attributes.replica_groups.groups.shape[1] * per_id;
}

/// Returns the number of ids: replicas, or with a channel partitions.
int64_t draw_ids(Builder &b, std::optional<ops::ChannelHandle> &channel) {
  if (!b.random.chance(40))
    return b.grid.replicas;
  channel = new_channel(b);
  return b.grid.partitions;
}

/// Picks a value that is exact on all processes, so that it can be reduced.
std::optional<Term> exact_value(Builder &b, int64_t min_rank = 0) {
  Term x = b.any(kBooleans | kIntegers | kFloats, min_rank);
  // f8E8M0FNU has no zero.
  if (!x.checked.exact() || x.element() == ElementType::F8E8M0FNU)
    return std::nullopt;
  return x;
}

bool all_reduce(Builder &b, const Plan &plan) {
  auto x = exact_value(b);
  if (!x)
    return false;
  ops::AllReduceAttributes attributes;
  meet(b, attributes, true);
  Terms operands{*x};
  if (b.random.chance(20))
    operands.push_back(b.fresh({x->element(), b.dims(3), {}, {}}));
  auto body = simple_body(b, x->element());
  return body && add(b, plan.kind, attributes, operands, {}, {*body});
}

/// Returns the type of `x` with another size in one dimension.
TensorType resized(const Term &x, int64_t dimension, int64_t size) {
  TensorType type = x.type();
  type.dims[dimension] = size;
  return type;
}

bool all_gather(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  ops::AllGatherAttributes attributes;
  int64_t members = meet(b, attributes, false);
  attributes.all_gather_dim = b.random.below(x.type().rank());
  int64_t size = x.type().dims[attributes.all_gather_dim] * members;
  return add(b, plan.kind, attributes, {x},
             {resized(x, attributes.all_gather_dim, size)});
}

/// Picks a value whose dimension is divisible by `parts`. Returns nullopt if it
/// does not fit.
std::optional<Term> divisible(Builder &b, const Term &x, int64_t dimension,
                              int64_t parts) {
  if (x.type().dims[dimension] % parts == 0)
    return x;
  TensorType type = resized(x, dimension, parts * b.random.between(1, 3));
  return b.fits(type) ? std::optional(b.fresh(type)) : std::nullopt;
}

bool reduce_scatter(Builder &b, const Plan &plan) {
  auto x = exact_value(b, 1);
  if (!x)
    return false;
  ops::ReduceScatterAttributes attributes;
  int64_t members = meet(b, attributes, false);
  int64_t dimension = b.random.below(x->type().rank());
  attributes.scatter_dimension = dimension;
  x = divisible(b, *x, dimension, members);
  if (!x)
    return false;
  auto body = simple_body(b, x->element());
  int64_t size = x->type().dims[dimension] / members;
  return body && add(b, plan.kind, attributes, {*x},
                     {resized(*x, dimension, size)}, {*body});
}

bool all_to_all(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  ops::AllToAllAttributes attributes;
  attributes.replica_groups =
      equal_groups(b, draw_ids(b, attributes.channel_handle));
  attributes.split_count = attributes.replica_groups.groups.shape[1];
  attributes.split_dimension = b.random.below(x.type().rank());
  attributes.concat_dimension = b.random.below(x.type().rank());
  auto y = divisible(b, x, attributes.split_dimension, attributes.split_count);
  return y && add(b, plan.kind, attributes, {*y});
}

/// Makes groups with a root. Sometimes an operand gives the root for each other
/// operand.
template <class Attributes>
void meet_at_root(Builder &b, Attributes &attributes, Terms &operands) {
  attributes.replica_groups =
      equal_groups(b, draw_ids(b, attributes.channel_handle));
  attributes.has_dynamic_root = b.random.chance(40);
  if (!attributes.has_dynamic_root)
    return;
  int64_t members = attributes.replica_groups.groups.shape[1];
  Dims roots;
  for (size_t i = 0; i < operands.size(); ++i)
    roots.push_back(b.random.below(members));
  TensorType type{
      ElementType::I32, {static_cast<int64_t>(roots.size())}, {}, {}};
  operands.push_back(b.integers(type, roots));
}

bool collective_broadcast(Builder &b, const Plan &plan) {
  Terms operands{b.any(plan.elements)};
  if (b.random.chance(20))
    operands.push_back(b.any(plan.elements));
  ops::CollectiveBroadcastAttributes attributes;
  meet_at_root(b, attributes, operands);
  return add(b, plan.kind, attributes, operands);
}

bool collective_reduce(Builder &b, const Plan &plan) {
  auto x = exact_value(b);
  if (!x)
    return false;
  Terms operands{*x};
  ops::CollectiveReduceAttributes attributes;
  meet_at_root(b, attributes, operands);
  auto body = simple_body(b, x->element());
  return body && b.add(plan.kind, attributes, operands, {}, {*body});
}

bool cross_replica_sum(Builder &b, const Plan &plan) {
  auto x = exact_value(b);
  if (!x)
    return false;
  ops::CrossReplicaSumAttributes attributes;
  attributes.replica_groups = equal_groups(b, b.grid.replicas).groups;
  return b.add(plan.kind, attributes, {*x}).has_value();
}

/// Each id sends to at most one id and receives from at most one.
bool collective_permute(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements);
  // A process without a source gets zeros, which f8E8M0FNU lacks.
  if (x.element() == ElementType::F8E8M0FNU)
    return false;
  ops::CollectivePermuteAttributes attributes;
  int64_t count = draw_ids(b, attributes.channel_handle);
  Dims sources = shuffled(b, count), targets = shuffled(b, count), pairs;
  int64_t used = b.random.between(0, count);
  for (int64_t i = 0; i < used; ++i) {
    pairs.push_back(sources[i]);
    pairs.push_back(targets[i]);
  }
  attributes.source_target_pairs = ops::IntElements::matrix(2, pairs);
  return add(b, plan.kind, attributes, {x});
}

/// Adds replica_id or partition_id.
bool place(Builder &b, const Plan &plan) {
  return b.add(plan.kind, {}, {}).has_value();
}

constexpr Plan kCollectivePlans[] = {
    {OpKind::AllReduce, 2, all_reduce, kAll, false},
    {OpKind::AllGather, 2, all_gather, kAll, false},
    {OpKind::ReduceScatter, 2, reduce_scatter, kAll, false},
    {OpKind::AllToAll, 2, all_to_all, kAll, false},
    {OpKind::CollectiveBroadcast, 1, collective_broadcast, kAll, false},
    {OpKind::CollectivePermute, 2, collective_permute, kAll, false},
    {OpKind::CollectiveReduce, 1, collective_reduce, kAll, false},
    {OpKind::CrossReplicaSum, 1, cross_replica_sum, kAll, false},
    {OpKind::ReplicaId, 1, place, kAll, false},
    {OpKind::PartitionId, 1, place, kAll, false},
};

} // namespace

std::span<const Plan> collective_plans() { return kCollectivePlans; }

} // namespace xlac::fuzz
