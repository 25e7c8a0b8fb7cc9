#include "xlac/runtime/collective.h"

#include "xlac/support/fast_hash.h"

#include <algorithm>
#include <array>
#include <optional>

namespace xlac::runtime {

std::string_view to_string(CollectiveKind kind) {
  static constexpr std::array<std::string_view, kCollectiveKindCount> kNames = {
      "all_gather",
      "all_reduce",
      "all_to_all",
      "collective_broadcast",
      "collective_permute",
      "collective_reduce",
      "reduce_scatter",
      "send",
      "recv",
      "infeed",
      "outfeed",
      "partition_id",
      "replica_id",
      "custom_call"};
  auto number = static_cast<size_t>(kind);
  return number < kNames.size() ? kNames[number] : "collective";
}

bool agree(const Collective &a, const Collective &b) {
  return a.kind == b.kind && a.grouping == b.grouping &&
         a.channel == b.channel && a.groups == b.groups &&
         a.dimension == b.dimension &&
         a.concat_dimension == b.concat_dimension &&
         a.dynamic_root == b.dynamic_root && a.host == b.host &&
         a.fill == b.fill && a.body == b.body && a.operands == b.operands &&
         a.results == b.results;
}

uint64_t fingerprint(const Collective &what) {
  FastHasher hasher;
  auto add_list = [&](const std::vector<int64_t> &values) {
    hasher.update(std::as_bytes(std::span(values)));
  };
  hasher.update(uint64_t(what.kind));
  hasher.update(uint64_t(what.grouping));
  hasher.update(what.channel);
  hasher.update(uint64_t(what.groups.size()));
  for (const std::vector<int64_t> &group : what.groups)
    add_list(group);
  hasher.update(what.dimension);
  hasher.update(what.concat_dimension);
  hasher.update(what.dynamic_root);
  hasher.update(what.host);
  add_list(what.fill);
  hasher.update(what.body);
  hasher.update(uint64_t(what.operands.size()));
  for (const TensorType &type : what.operands)
    hasher.update(type);
  for (const TensorType &type : what.results)
    hasher.update(type);
  return hasher.finish().low;
}

std::string describe(const Collective &what) {
  std::string text(to_string(what.kind));
  if (what.kind == CollectiveKind::CustomCall) {
    text += " @" + what.function.target;
    return what.function.source.empty() ? text
                                        : text + " at " + what.function.source;
  }
  const std::vector<TensorType> &types =
      what.operands.empty() ? what.results : what.operands;
  for (size_t i = 0; i < types.size(); ++i)
    text += (i == 0 ? " of " : ", ") + to_string(types[i]);
  if (what.channel != 0)
    text += " on channel " + std::to_string(what.channel);
  return text;
}

/// Whether every tensor has a permutation of its dimensions as its layout, or
/// no layouts are given.
static bool layouts_fit(const Collective &what) {
  const auto &layouts = what.function.layouts;
  size_t operands = what.operands.size();
  if (layouts.empty())
    return true;
  if (layouts.size() != operands + what.results.size())
    return false;
  for (size_t i = 0; i < layouts.size(); ++i) {
    const TensorType &type =
        i < operands ? what.operands[i] : what.results[i - operands];
    std::vector<int64_t> order = layouts[i];
    std::sort(order.begin(), order.end());
    if (order.size() != type.dims.size())
      return false;
    for (size_t dim = 0; dim < order.size(); ++dim)
      if (order[dim] != static_cast<int64_t>(dim))
        return false;
  }
  return true;
}

/// The types of one side of a call, null for tokens; nothing if the tokens have
/// no such places.
static std::optional<std::vector<const TensorType *>>
places(const std::vector<TensorType> &types,
       const std::vector<int64_t> &tokens) {
  int64_t count = static_cast<int64_t>(types.size() + tokens.size());
  std::vector<const TensorType *> places;
  size_t next = 0;
  for (int64_t place = 0; place < count; ++place) {
    bool is_token =
        std::find(tokens.begin(), tokens.end(), place) != tokens.end();
    if (!is_token && next == types.size())
      return std::nullopt;
    places.push_back(is_token ? nullptr : &types[next++]);
  }
  return places;
}

/// Whether tokens and aliases of a custom call are among its operands and
/// results.
static bool positions_fit(const Collective &what) {
  const HostFunction &function = what.function;
  auto operands = places(what.operands, function.operand_tokens);
  auto results = places(what.results, function.result_tokens);
  const std::vector<int64_t> &pairs = function.result_aliases;
  if (!operands || !results || pairs.size() % 2 != 0)
    return false;
  for (size_t i = 0; i < pairs.size(); i += 2) {
    int64_t result = pairs[i], operand = pairs[i + 1];
    if (result < 0 || result >= static_cast<int64_t>(results->size()) ||
        operand < 0 || operand >= static_cast<int64_t>(operands->size()))
      return false;
    const TensorType *to = (*results)[result], *from = (*operands)[operand];
    bool are_tokens = !to && !from;
    if (!are_tokens && (!to || !from || to->byte_count() != from->byte_count()))
      return false;
  }
  return true;
}

bool is_complete(const Collective &what, size_t kernels) {
  size_t data = what.operands.size();
  if (what.dynamic_root) {
    if (data == 0 || what.operands.back().element != ElementType::I32 ||
        what.operands.back().element_count() !=
            static_cast<int64_t>(what.results.size()))
      return false;
    --data;
  }
  bool reduces = what.kind == CollectiveKind::AllReduce ||
                 what.kind == CollectiveKind::Reduce ||
                 what.kind == CollectiveKind::ReduceScatter;
  if (what.reducers.size() != (reduces ? what.results.size() : 0))
    return false;
  for (const CollectiveReducer &reducer : what.reducers)
    if (reducer.tasks.empty() || reducer.elements <= 0 ||
        reducer.kernel > kernels ||
        reducer.tasks.size() > kernels - reducer.kernel)
      return false;
  switch (what.kind) {
  case CollectiveKind::Send:
  case CollectiveKind::Outfeed:
    return what.results.empty();
  case CollectiveKind::Recv:
  case CollectiveKind::Infeed:
    return data == 0;
  case CollectiveKind::PartitionId:
  case CollectiveKind::ReplicaId:
    return data == 0 && what.results.size() == 1 &&
           what.results[0].byte_count() == 4;
  case CollectiveKind::CustomCall:
    return layouts_fit(what) && positions_fit(what);
  case CollectiveKind::Permute:
    if (data != 1 || what.results.size() != 1 ||
        what.operands[0].dims != what.results[0].dims)
      return false;
    [[fallthrough]];
  default:
    if (data != what.results.size())
      return false;
    for (size_t i = 0; i < data; ++i)
      if (what.operands[i].element != what.results[i].element)
        return false;
    return true;
  }
}

} // namespace xlac::runtime
