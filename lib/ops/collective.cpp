// Shape rules of ops between devices: collectives, channels, feeds and
// asynchronous regions. The number of devices is unknown here, so ids are only
// checked for uniqueness and sign.
#include "rule.h"

#include "xlac/ops/infer.h"

#include <algorithm>

namespace xlac::ops {
namespace {

/// Checks that each id of a matrix of groups occurs once; -1 pads short rows.
Status check_groups(const Rule &rule, const ReplicaGroups &groups,
                    std::string_view unique_label,
                    std::string_view range_label) {
  if (!groups.mesh_axes.empty())
    return {};
  XLAC_SHAPE(groups.groups.shape.size() == 2, unique_label,
             "replica_groups has shape {}, a matrix wanted",
             list_text(groups.groups.shape));
  Dims ids;
  for (int64_t id : groups.groups.values) {
    XLAC_INDEX(id >= -1, range_label, "replica_groups holds {}", id);
    if (id != -1)
      ids.push_back(id);
  }
  XLAC_INDEX(is_unique(ids), unique_label, "replica_groups {} hold an id twice",
             list_text(ids));
  return {};
}

/// Number of devices in a group; kDynamic if only the mesh determines it.
int64_t group_size(const ReplicaGroups &groups) {
  return groups.mesh_axes.empty() && groups.groups.shape.size() == 2
             ? groups.groups.shape[1]
             : kDynamic;
}

Status check_global_ids(const Rule &rule, bool global,
                        const std::optional<ChannelHandle> &channel,
                        std::string_view label) {
  XLAC_USER(!global || (channel && channel->handle > 0), label,
            "use_global_device_ids needs a positive channel_handle");
  return {};
}

Status check_pairs(const Rule &rule, const IntElements &pairs,
                   std::string_view shape_label, std::string_view source_label,
                   std::string_view target_label,
                   std::string_view range_label) {
  XLAC_SHAPE(pairs.shape.size() == 2 && pairs.shape[1] == 2 &&
                 static_cast<int64_t>(pairs.values.size()) ==
                     multiply_sizes(pairs.shape[0], 2),
             shape_label, "source_target_pairs has shape {}, [n, 2] wanted",
             list_text(pairs.shape));
  Dims sources, targets;
  for (int64_t i = 0; i < pairs.shape[0]; ++i) {
    sources.push_back(pairs.at(i, 0));
    targets.push_back(pairs.at(i, 1));
  }
  XLAC_INDEX(is_unique(sources), source_label, "sources {} hold an id twice",
             list_text(sources));
  XLAC_INDEX(is_unique(targets), target_label, "targets {} hold an id twice",
             list_text(targets));
  XLAC_INDEX(
      std::ranges::all_of(pairs.values, [](int64_t id) { return id >= 0; }),
      range_label, "source_target_pairs {} hold a negative id",
      list_text(pairs.values));
  return {};
}

/// The gathered dimension, unless the declared result determines it: in
/// cross_replica_and_partition mode a group includes all partitions, whose
/// number is unknown here.
Dim gathered_dim(const Rule &rule, const AllGatherAttributes &a, Dim dim) {
  int64_t count = group_size(a.replica_groups);
  bool partitions = a.channel_handle && a.channel_handle->handle > 0 &&
                    !a.use_global_device_ids;
  if (count == kDynamic || partitions)
    return {};
  return map_dim(dim, [&](int64_t n) { return multiply_sizes(n, count); });
}

/// Completes `type` with the declared gathered size. It must only be a
/// multiple, as in StableHLO's own verifier: artifacts contain multiples that
/// do not match their replica_groups.
Status take_gathered(const Rule &rule, size_t i, int64_t axis,
                     TensorType &type) {
  if (!rule.declared_type(i).is_tensor() ||
      rule.declared(i).rank() != type.rank())
    return {};
  int64_t from = dim_of(rule.operand(i), axis).size;
  int64_t to = dim_of(rule.declared(i), axis).size;
  XLAC_SHAPE(from == kDynamic || to == kDynamic ||
                 (from == 0 ? to == 0 : to % from == 0),
             "C6",
             "dimension {} of result {} is not a multiple of that of operand "
             "{}",
             axis, short_text(rule.declared(i)), short_text(rule.operand(i)));
  merge_shape(type, rule.declared(i));
  return {};
}

/// Results with the operands' shapes and the element types of `computation`,
/// which combines pairs of each.
Inferred reduced_by(const Rule &rule, size_t count, std::string_view label,
                    ResultLabels result_labels) {
  std::vector<Type> types;
  for (size_t i = 0; i < count; ++i) {
    const TensorType *inputs[] = {&rule.operand(i)};
    auto elements =
        check_reducer(rule, rule.region(0), inputs, "computation", label);
    if (!elements)
      return elements.error();
    TensorType type = elements->front();
    type.dims = rule.operand(i).dims;
    type.bounds = rule.operand(i).bounds;
    types.push_back(std::move(type));
  }
  return rule.results(result_labels, std::move(types));
}

/// Channel types of the specification: 0 none, 1 between devices, 2 to the
/// host, 3 from the host.
Status check_channel(const Rule &rule, const ChannelHandle &channel,
                     bool is_host_transfer) {
  bool host = channel.type == 2 || channel.type == 3;
  XLAC_USER(0 <= channel.type && channel.type <= 3 && host == is_host_transfer,
            "C5", "channel type {} does not fit is_host_transfer = {}",
            channel.type, is_host_transfer);
  return {};
}

/// The declared results, which must end with a token.
Inferred values_and_token(const Rule &rule) {
  if (!rule.declares())
    return rule.needs_declared();
  size_t count = rule.declared_count();
  XLAC_USER(count > 0, "C1", "has no results");
  std::vector<Type> types;
  for (size_t i = 0; i < count; ++i) {
    const Type &type = rule.declared_type(i);
    if (i + 1 == count)
      XLAC_DTYPE(type.is_token(), "C3", "last result is {}, but a token wanted",
                 short_text(type));
    else
      XLAC_DTYPE(!type.is_token(), "C2", "result {} is a token", i);
    types.push_back(type);
  }
  return rule.results("", std::move(types));
}

} // namespace

namespace rules {

Inferred infer_partition_id(const Rule &rule) {
  return rule.result("", tensor_of(ElementType::UI32));
}

Inferred infer_replica_id(const Rule &rule) {
  return rule.result("", tensor_of(ElementType::UI32));
}

Inferred infer_all_gather(const Rule &rule) {
  const auto &a = rule.attributes<AllGatherAttributes>();
  XLAC_RETURN_IF_ERROR(check_groups(rule, a.replica_groups, "C2", "C4"));
  XLAC_RETURN_IF_ERROR(
      check_global_ids(rule, a.use_global_device_ids, a.channel_handle, "C5"));
  std::vector<Type> types;
  for (size_t i = 0; i < rule.operand_count(); ++i) {
    TensorType type = rule.operand(i);
    XLAC_INDEX(in_range(Dims{a.all_gather_dim}, type.rank()), "C1",
               "all_gather_dim {} leaves those of operand {}", a.all_gather_dim,
               short_text(type));
    Dim gathered = gathered_dim(rule, a, dim_of(type, a.all_gather_dim));
    set_dim(type, a.all_gather_dim, rule.declares() ? Dim() : gathered);
    if (rule.declares() && i < rule.declared_count())
      XLAC_RETURN_IF_ERROR(take_gathered(rule, i, a.all_gather_dim, type));
    if (dim_of(type, a.all_gather_dim).is_dynamic())
      set_dim(type, a.all_gather_dim, gathered);
    types.push_back(std::move(type));
  }
  return rule.results("C6", std::move(types));
}

Inferred infer_all_reduce(const Rule &rule) {
  const auto &a = rule.attributes<AllReduceAttributes>();
  XLAC_RETURN_IF_ERROR(check_groups(rule, a.replica_groups, "C1", "C3"));
  XLAC_RETURN_IF_ERROR(
      check_global_ids(rule, a.use_global_device_ids, a.channel_handle, "C4"));
  return reduced_by(rule, rule.operand_count(), "C5", {"C6", "C7"});
}

Inferred infer_cross_replica_sum(const Rule &rule) {
  return rule.result("", rule.operand(0));
}

Inferred infer_all_to_all(const Rule &rule) {
  const auto &a = rule.attributes<AllToAllAttributes>();
  XLAC_RETURN_IF_ERROR(check_groups(rule, a.replica_groups, "C5", "C7"));
  XLAC_USER(a.split_count > 0, "C4", "split_count {} is not positive",
            a.split_count);
  XLAC_SHAPE(sizes_agree(group_size(a.replica_groups), a.split_count), "C8",
             "groups of {} devices do not fit split_count {}",
             group_size(a.replica_groups), a.split_count);
  std::vector<Type> types;
  for (size_t i = 0; i < rule.operand_count(); ++i) {
    TensorType type = rule.operand(i);
    XLAC_INDEX(in_range(Dims{a.split_dimension}, type.rank()), "C1",
               "split_dimension {} leaves those of operand {}",
               a.split_dimension, short_text(type));
    XLAC_INDEX(in_range(Dims{a.concat_dimension}, type.rank()), "C3",
               "concat_dimension {} leaves those of operand {}",
               a.concat_dimension, short_text(type));
    Dim split = dim_of(type, a.split_dimension);
    XLAC_SHAPE(split.is_dynamic() || split.size % a.split_count == 0, "C2",
               "dimension {} of operand {} is not a multiple of split_count {}",
               a.split_dimension, short_text(type), a.split_count);
    if (a.split_dimension != a.concat_dimension) {
      set_dim(type, a.split_dimension,
              map_dim(split, [&](int64_t n) { return n / a.split_count; }));
      set_dim(type, a.concat_dimension,
              map_dim(dim_of(type, a.concat_dimension), [&](int64_t n) {
                return multiply_sizes(n, a.split_count);
              }));
    }
    types.push_back(std::move(type));
  }
  return rule.results("C9", std::move(types));
}

Inferred infer_collective_broadcast(const Rule &rule) {
  const auto &a = rule.attributes<CollectiveBroadcastAttributes>();
  XLAC_RETURN_IF_ERROR(check_groups(rule, a.replica_groups, "C1", "C2"));
  size_t count = rule.operand_count(), roots = a.has_dynamic_root ? 1 : 0;
  XLAC_USER(count > roots, a.has_dynamic_root ? "C4" : "C3",
            "has {} operands, at least {} wanted", count, roots + 1);
  count -= roots;
  if (roots) {
    const TensorType &root = rule.operand(count);
    XLAC_DTYPE(root.element == ElementType::I32 && root.rank() == 1 &&
                   sizes_agree(root.dims[0], static_cast<int64_t>(count)),
               "C4", "root is {}, but i32[{}] wanted", short_text(root), count);
  }
  std::vector<Type> types;
  for (size_t i = 0; i < count; ++i)
    types.push_back(rule.operand_type(i));
  return rule.results("C5", std::move(types));
}

Inferred infer_collective_reduce(const Rule &rule) {
  const auto &a = rule.attributes<CollectiveReduceAttributes>();
  XLAC_RETURN_IF_ERROR(check_groups(rule, a.replica_groups, "C1", "C2"));
  size_t count = rule.operand_count(), roots = a.has_dynamic_root ? 1 : 0;
  XLAC_USER(count > roots, "C3", "has {} operands, at least {} wanted", count,
            roots + 1);
  count -= roots;
  if (roots) {
    const TensorType &root = rule.operand(count);
    XLAC_SHAPE(root.rank() == 1 &&
                   sizes_agree(root.dims[0], static_cast<int64_t>(count)),
               "C3", "root is {}, but {} elements wanted", short_text(root),
               count);
  }
  return reduced_by(rule, count, "C4", {"C3", "C4"});
}

Inferred infer_collective_permute(const Rule &rule) {
  const auto &a = rule.attributes<CollectivePermuteAttributes>();
  XLAC_RETURN_IF_ERROR(
      check_pairs(rule, a.source_target_pairs, "C1", "C2", "C3", "C4"));
  return rule.result("C5", rule.operand(0));
}

Inferred infer_reduce_scatter(const Rule &rule) {
  const auto &a = rule.attributes<ReduceScatterAttributes>();
  const TensorType &operand = rule.operand(0);
  XLAC_INDEX(in_range(Dims{a.scatter_dimension}, operand.rank()), "C2",
             "scatter_dimension {} leaves those of operand {}",
             a.scatter_dimension, short_text(operand));
  XLAC_RETURN_IF_ERROR(check_groups(rule, a.replica_groups, "C3", "C5"));
  XLAC_RETURN_IF_ERROR(
      check_global_ids(rule, a.use_global_device_ids, a.channel_handle, "C6"));
  Inferred reduced = reduced_by(rule, 1, "C7", "");
  if (!reduced)
    return reduced;
  TensorType type = reduced->front().tensor();
  Dim dim = dim_of(type, a.scatter_dimension), part;
  int64_t count = group_size(a.replica_groups);
  bool partitions = a.channel_handle && a.channel_handle->handle > 0 &&
                    !a.use_global_device_ids;
  if (count != kDynamic && count > 0 && !partitions) {
    XLAC_SHAPE(
        dim.is_dynamic() || dim.size % count == 0, "C1",
        "dimension {} of operand {} is not a multiple of the {} devices of "
        "a group",
        a.scatter_dimension, short_text(operand), count);
    part = map_dim(dim, [&](int64_t n) { return n / count; });
  }
  set_dim(type, a.scatter_dimension, part);
  if (rule.declares() && part.is_dynamic() &&
      rule.declared(0).rank() == type.rank())
    merge_shape(type, rule.declared(0));
  return rule.result({"C8", "C9"}, type);
}

Inferred infer_async_start(const Rule &rule) {
  if (!rule.declares())
    return rule.needs_declared();
  const Type &future = rule.declared_type(0);
  XLAC_DTYPE(future.is_future(), "C4", "result is {}, but a future wanted",
             short_text(future));
  const RegionSignature &body = rule.region(0);
  if (!body.known)
    return rule.result("C4", future);
  XLAC_SHAPE(body.arguments.size() == rule.operand_count(), "C3",
             "body takes {} arguments, but there are {} operands",
             body.arguments.size(), rule.operand_count());
  for (size_t i = 0; i < body.arguments.size(); ++i)
    XLAC_SHAPE(are_compatible(rule.operand_type(i), body.arguments[i]), "C3",
               "argument {} of body is {}, but operand is {}", i,
               short_text(body.arguments[i]), short_text(rule.operand_type(i)));
  return rule.result("C4", Type::future(body.results));
}

Inferred infer_async_done(const Rule &rule) {
  const Type &operand = rule.operand_type(0);
  XLAC_DTYPE(operand.is_future(), "", "operand is {}, but a future wanted",
             short_text(operand));
  return rule.results("C1", operand.elements());
}

Inferred infer_infeed(const Rule &rule) { return values_and_token(rule); }

Inferred infer_outfeed(const Rule &rule) {
  return rule.result("", TokenType{});
}

Inferred infer_send(const Rule &rule) {
  const auto &a = rule.attributes<SendAttributes>();
  XLAC_RETURN_IF_ERROR(
      check_channel(rule, a.channel_handle, a.is_host_transfer));
  if (a.source_target_pairs)
    XLAC_RETURN_IF_ERROR(
        check_pairs(rule, *a.source_target_pairs, "C1", "C2", "C3", "C4"));
  return rule.result("", TokenType{});
}

Inferred infer_recv(const Rule &rule) {
  const auto &a = rule.attributes<RecvAttributes>();
  XLAC_RETURN_IF_ERROR(
      check_channel(rule, a.channel_handle, a.is_host_transfer));
  if (a.source_target_pairs)
    XLAC_RETURN_IF_ERROR(
        check_pairs(rule, *a.source_target_pairs, "C1", "C2", "C3", "C4"));
  return values_and_token(rule);
}

} // namespace rules
} // namespace xlac::ops
