// xla_model.h: collectives, and rendezvous of replicas outside of programs.
#include "xlac/tensor/collectives.h"
#include "xlac/job/job.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/replication.h"
#include "xlac/serialization.h"
#include "xlac/tensor/access.h"
#include "xlac/xla_model.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace xlac::xla_model {

using namespace frontend;

//===- Reductions ---------------------------------------------------------===//

ReduceType reduce_type(std::string_view name) {
  XLAC_CALL("reduce_type");
  static constexpr std::pair<std::string_view, ReduceType> kNames[] = {
      {"sum", REDUCE_SUM}, {"mul", REDUCE_MUL}, {"and", REDUCE_AND},
      {"or", REDUCE_OR},   {"min", REDUCE_MIN}, {"max", REDUCE_MAX}};
  for (auto [known, type] : kNames)
    if (known == name)
      return type;
  raise<ValueError>("Invalid reduce type: " + std::string(name) +
                    ", wanted sum, mul, and, or, min or max");
}

static OpKind op_of(ReduceType type) {
  switch (type) {
  case ReduceType::Sum:
    return OpKind::Add;
  case ReduceType::Mul:
    return OpKind::Multiply;
  case ReduceType::And:
    return OpKind::And;
  case ReduceType::Or:
    return OpKind::Or;
  case ReduceType::Min:
    return OpKind::Minimum;
  case ReduceType::Max:
    break;
  }
  return OpKind::Maximum;
}

Tensor all_reduce(ReduceType type, const Tensor &input, double scale,
                  CollectiveOptions options) {
  XLAC_CALL("all_reduce");
  NoGradGuard guard;
  return frontend::all_reduce(op_of(type), {input}, scale,
                              complete_groups(std::move(options.groups)))[0];
}

std::vector<Tensor> all_reduce(ReduceType type, std::vector<Tensor> inputs,
                               double scale, CollectiveOptions options) {
  XLAC_CALL("all_reduce");
  NoGradGuard guard;
  Groups groups = complete_groups(std::move(options.groups));
  std::vector<Tensor> reduced =
      frontend::all_reduce(op_of(type), inputs, scale, groups);
  if (xrt_world_size() > 1)
    overwrite_all(inputs, reduced);
  return inputs;
}

/// Returns the dimension. Throws unless `count` divides its size.
static int64_t divided_dim(const Tensor &value, int64_t dim, int64_t count) {
  const Shape &sizes = impl_of(value).sizes;
  if (sizes.empty())
    raise<ShapeError>("a tensor without dimensions cannot be split");
  dim = wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  if (count < 1 || sizes[static_cast<size_t>(dim)] % count != 0)
    raise<ShapeError>("dimension " + std::to_string(dim) + " of " +
                      describe(value) + " cannot be split into " +
                      std::to_string(count) + " equal parts");
  return dim;
}

Tensor reduce_scatter(ReduceType type, const Tensor &input, double scale,
                      int64_t scatter_dim, int64_t shard_count,
                      CollectiveOptions options) {
  XLAC_CALL("reduce_scatter");
  NoGradGuard guard;
  Groups groups = equal_groups(std::move(options.groups), shard_count);
  int64_t dim = divided_dim(input, scatter_dim, shard_count);
  return frontend::reduce_scatter(op_of(type), input, scale, dim, groups);
}

//===- Data movement ------------------------------------------------------===//

static int64_t gathered_dim(const Tensor &value, int64_t dim) {
  const Shape &sizes = impl_of(value).sizes;
  if (sizes.empty())
    raise<ShapeError>("a tensor without dimensions cannot be gathered");
  return wrap_dim(dim, static_cast<int64_t>(sizes.size()));
}

std::vector<Tensor> all_gather(const std::vector<Tensor> &values, int64_t dim,
                               CollectiveOptions options) {
  XLAC_CALL("all_gather");
  NoGradGuard guard;
  Groups groups = equal_groups(std::move(options.groups));
  // A dimension counted from the end may differ between tensors.
  std::map<int64_t, std::vector<size_t>> alike;
  for (size_t i = 0; i < values.size(); ++i)
    alike[gathered_dim(values[i], dim)].push_back(i);
  std::vector<Tensor> results(values.size());
  for (const auto &[along, members] : alike) {
    std::vector<Tensor> operands;
    for (size_t i : members)
      operands.push_back(values[i]);
    std::vector<Tensor> gathered =
        frontend::all_gather(operands, along, groups);
    for (size_t j = 0; j < members.size(); ++j)
      results[members[j]] = std::move(gathered[j]);
  }
  return results;
}

Tensor all_gather(const Tensor &value, int64_t dim, CollectiveOptions options) {
  XLAC_CALL("all_gather");
  return all_gather(std::vector<Tensor>{value}, dim, std::move(options))[0];
}

Tensor all_gather(const Tensor &value, int64_t dim, Tensor output,
                  CollectiveOptions options) {
  XLAC_CALL("all_gather");
  NoGradGuard guard;
  Tensor gathered = all_gather(value, dim, std::move(options));
  if (impl_of(output).sizes != impl_of(gathered).sizes)
    raise<ShapeError>("output is " + describe(output) + ", wanted " +
                      describe(gathered));
  output.copy_(gathered);
  return output;
}

Tensor all_to_all(const Tensor &value, int64_t split_dimension,
                  int64_t concat_dimension, int64_t split_count,
                  CollectiveOptions options) {
  XLAC_CALL("all_to_all");
  NoGradGuard guard;
  Groups groups = equal_groups(std::move(options.groups), split_count);
  int64_t split = divided_dim(value, split_dimension, split_count);
  int64_t concat =
      wrap_dim(concat_dimension, static_cast<int64_t>(value.dim()));
  return frontend::all_to_all(value, split, concat, groups);
}

Tensor
collective_permute(const Tensor &value,
                   const std::vector<std::pair<int64_t, int64_t>> &pairs) {
  XLAC_CALL("collective_permute");
  NoGradGuard guard;
  int64_t world = xrt_world_size();
  std::set<int64_t> sources, targets;
  for (auto [source, target] : pairs) {
    for (int64_t ordinal : {source, target})
      if (ordinal < 0 || ordinal >= world)
        raise<ValueError>("there is no replica " + std::to_string(ordinal) +
                          " among " + std::to_string(world));
    if (!sources.insert(source).second || !targets.insert(target).second)
      raise<ValueError>("the pair (" + std::to_string(source) + ", " +
                        std::to_string(target) +
                        ") has an end that another pair has too");
  }
  return frontend::collective_permute(value, pairs);
}

/// Returns groups whose first member broadcasts to the others. Only the group
/// of `root` has other members.
static Groups groups_from(Groups groups, int64_t root) {
  Groups rows;
  for (std::vector<int64_t> &group : complete_groups(std::move(groups))) {
    auto found = std::find(group.begin(), group.end(), root);
    if (found == group.end()) {
      for (int64_t ordinal : group)
        rows.push_back({ordinal});
      continue;
    }
    std::rotate(group.begin(), found, found + 1);
    rows.push_back(std::move(group));
  }
  return rows;
}

void collective_broadcast(const std::vector<Tensor> &tensors,
                          int64_t root_ordinal, CollectiveOptions options) {
  XLAC_CALL("collective_broadcast");
  NoGradGuard guard;
  int64_t world = xrt_world_size();
  if (root_ordinal < 0 || root_ordinal >= world)
    raise<ValueError>("there is no replica " + std::to_string(root_ordinal) +
                      " among " + std::to_string(world));
  Groups groups = groups_from(std::move(options.groups), root_ordinal);
  std::vector<Tensor> sent = frontend::collective_broadcast(tensors, groups);
  if (world > 1)
    overwrite_all(tensors, sent);
}

void broadcast_master_param(nn::Module &module) {
  XLAC_CALL("broadcast_master_param");
  std::vector<Tensor> tensors = module.parameters();
  for (const Tensor &buffer : module.buffers())
    tensors.push_back(buffer);
  collective_broadcast(tensors);
  if (xrt_world_size() > 1)
    xlac::sync();
}

//===- Optimizers ---------------------------------------------------------===//

void reduce_gradients(optim::Optimizer &optimizer, CollectiveOptions options) {
  XLAC_CALL("reduce_gradients");
  int world = xrt_world_size();
  if (world <= 1)
    return;
  std::vector<Tensor> gradients;
  for (const optim::ParamGroup &group : optimizer.param_groups())
    for (const Tensor &parameter : group.params)
      if (Tensor gradient = parameter.grad(); gradient.defined())
        gradients.push_back(std::move(gradient));
  all_reduce(REDUCE_SUM, std::move(gradients), 1.0 / world, std::move(options));
}

std::optional<Tensor> optimizer_step(optim::Optimizer &optimizer,
                                     OptimizerStepOptions options) {
  reduce_gradients(optimizer, {std::move(options.groups), options.pin_layout});
  std::optional<Tensor> loss =
      optimizer.step(std::move(options.optimizer_args));
  if (options.barrier)
    xlac::sync();
  return loss;
}

//===- Rendezvous ---------------------------------------------------------===//

/// Exchanges payloads between the given replicas, or all of them.
static std::vector<std::string> meet(std::string_view tag,
                                     std::string_view payload,
                                     const std::vector<int64_t> &replicas) {
  const lazy::Replication &here = lazy::replication();
  std::vector<int> ordinals;
  for (int64_t ordinal : replicas) {
    if (ordinal < 0 || ordinal >= here.world)
      raise<ValueError>("there is no replica " + std::to_string(ordinal) +
                        " among " + std::to_string(here.world));
    ordinals.push_back(static_cast<int>(ordinal));
  }
  std::sort(ordinals.begin(), ordinals.end());
  if (std::adjacent_find(ordinals.begin(), ordinals.end()) != ordinals.end())
    raise<ValueError>("the list of replicas has one twice");
  if (!ordinals.empty() &&
      !std::binary_search(ordinals.begin(), ordinals.end(), here.ordinal))
    raise<ValueError>("replica " + std::to_string(here.ordinal) +
                      " is not in the list of replicas");
  if (!here.job)
    return {std::string(payload)};
  return unwrap(here.job->rendezvous(here.ordinal, tag, payload, ordinals));
}

std::vector<Bytes> rendezvous(std::string_view tag, std::string_view payload,
                              std::vector<int64_t> replicas) {
  XLAC_CALL("rendezvous");
  if (lazy::runtime_started())
    xlac::sync();
  std::vector<Bytes> payloads;
  // The prefix keeps tags of programs distinct from those of other functions.
  for (const std::string &each :
       meet("rendezvous:" + std::string(tag), payload, replicas))
    payloads.emplace_back(each.begin(), each.end());
  return payloads;
}

std::vector<Bytes> rendezvous(std::string_view tag, const Bytes &payload,
                              std::vector<int64_t> replicas) {
  return rendezvous(
      tag,
      std::string_view(reinterpret_cast<const char *>(payload.data()),
                       payload.size()),
      std::move(replicas));
}

} // namespace xlac::xla_model

namespace xlac {

std::vector<Value> detail::gather_from_replicas(std::string_view tag,
                                                const Value &data) {
  XLAC_CALL("mesh_reduce");
  std::ostringstream written;
  xla_model::save(data, written, {.master_only = false});
  std::vector<Value> all;
  for (std::string &payload :
       xla_model::meet("mesh_reduce:" + std::string(tag), written.str(), {})) {
    std::istringstream read(std::move(payload));
    all.push_back(load(read));
  }
  return all;
}

} // namespace xlac
