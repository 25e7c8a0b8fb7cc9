#include "fuzz/shardings.h"

#include "fuzz/random.h"
#include "xlac/support/program_names.h"
#include "xlac/support/sharding.h"

#include <algorithm>
#include <numeric>

namespace xlac::fuzz {
namespace {

/// Returns devices in C order of a mesh, of the transposed mesh, or in random
/// order.
std::vector<int64_t> draw_order(Random &random, int64_t devices) {
  std::vector<int64_t> order(devices);
  std::iota(order.begin(), order.end(), 0);
  if (random.chance(10)) {
    for (int64_t i = devices; i-- > 1;)
      std::swap(order[i], order[random.below(i + 1)]);
  } else if (random.chance(40)) {
    int64_t rows = devices % 2 == 0 ? 2 : 1;
    for (int64_t i = 0; i < devices; ++i)
      order[i] = i % rows * (devices / rows) + i / rows;
  }
  return order;
}

/// Makes a sharding for a tensor of sizes `dims`; mostly one with equal shards.
Sharding draw_sharding(Random &random, std::span<const int64_t> dims,
                       int64_t devices) {
  Sharding sharding;
  if (dims.empty() || random.chance(20))
    return sharding;
  sharding.kind = Sharding::Kind::Tiled;
  sharding.tiles.assign(dims.size(), 1);
  bool uneven = random.chance(30);
  int64_t rest = devices;
  for (int64_t prime : {2, 2, 2, 3, 5, 7}) {
    if (rest % prime != 0 || random.chance(25))
      continue;
    size_t d = random.below(dims.size());
    int64_t tiles = sharding.tiles[d] * prime;
    if (tiles > dims[d] || (!uneven && dims[d] % tiles != 0))
      continue;
    sharding.tiles[d] = tiles;
    rest /= prime;
  }
  sharding.copies = rest;
  sharding.devices = draw_order(random, devices);
  return rest == devices ? Sharding() : sharding;
}

/// Makes a sharding for most values that can be sharded.
std::optional<Sharding> draw_annotation(Random &random, const Type &type,
                                        int64_t devices) {
  if (!type.is_tensor() || !type.tensor().is_static() ||
      type.tensor().quantization || random.chance(25))
    return std::nullopt;
  return draw_sharding(random, type.tensor().dims, devices);
}

bool communicates(const graph::Block &block);

/// True for ops that depend on the process that runs them.
bool communicates(const graph::Node &node) {
  if (node.kind() == graph::NodeKind::Op &&
      (ops::facts(node.op()).op_class == ops::OpClass::Collective ||
       node.op() == ops::OpKind::PartitionId ||
       node.op() == ops::OpKind::ReplicaId))
    return true;
  return std::ranges::any_of(node.regions(), [](const graph::Block &region) {
    return communicates(region);
  });
}

bool communicates(const graph::Block &block) {
  return std::ranges::any_of(block.nodes, [](const graph::NodeRef &node) {
    return communicates(*node);
  });
}

bool communicates(const graph::Program &program) {
  auto declares_grid = [](const auto &attribute) {
    return attribute.first == names::kPartitionCount ||
           attribute.first == names::kReplicaCount;
  };
  return std::ranges::any_of(program.attributes, declares_grid) ||
         std::ranges::any_of(program.functions, [](const auto &function) {
           return communicates(function->body);
         });
}

} // namespace

graph::Program with_shardings(graph::Program program, uint64_t seed) {
  if (communicates(program))
    return program;
  Random random(seed * 2 + 1);
  program.partitions = random.between(2, 8);
  const graph::Block &body = program.entry_function()->body;
  for (const graph::NodeRef &argument : body.arguments)
    program.argument_shardings.push_back(
        draw_annotation(random, argument->types()[0], program.partitions));
  for (const graph::Value &result : body.results)
    program.result_shardings.push_back(
        draw_annotation(random, result.type(), program.partitions));
  return program;
}

} // namespace xlac::fuzz
