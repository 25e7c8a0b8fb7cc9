#include "fuzz/shardings.h"

#include "fuzz/random.h"
#include "xlac/support/sharding.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace xlac::fuzz {
namespace {

/// Devices in C order of a mesh, in that of the mesh transposed, or anyhow.
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

/// Of a tensor of sizes `dims`; mostly such that the pieces are equal.
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

/// " {mhlo.sharding = …}" for values that can be cut, mostly.
std::string draw_annotation(Random &random, const Type &type, int64_t devices) {
  if (!type.is_tensor() || !type.tensor().is_static() ||
      type.tensor().quantization || random.chance(25))
    return "";
  return fmt::format(" {{mhlo.sharding = \"{}\"}}",
                     draw_sharding(random, type.tensor().dims, devices).str());
}

bool talks_to_others(const std::string &text) {
  for (const char *sign : {"replica_groups", "channel", "partition_id",
                           "replica_id", "feed", "source_target", "mhlo.num_"})
    if (text.find(sign) != std::string::npos)
      return true;
  return false;
}

} // namespace

std::string add_shardings(std::string text, const graph::Program &program,
                          uint64_t seed) {
  Random random(seed * 2 + 1);
  int64_t devices = random.between(2, 8);
  const std::string main = "@main(", module = "module @xlac_program ";
  size_t start = text.find(main), head = text.find(module);
  if (talks_to_others(text) || start == std::string::npos ||
      head == std::string::npos)
    return text;
  const auto &body = program.entry_function()->body;
  std::string arguments, results;
  for (size_t i = 0; i < body.arguments.size(); ++i) {
    const Type &type = body.arguments[i]->types()[0];
    arguments +=
        fmt::format("{}%arg{}: {}{}", i ? ", " : "", i, to_string(type),
                    draw_annotation(random, type, devices));
  }
  for (size_t i = 0; i < body.results.size(); ++i) {
    const Type &type = body.results[i].type();
    results += (i ? ", " : "") + to_string(type) +
               draw_annotation(random, type, devices);
  }
  text.replace(start, text.find(" {\n", start) - start,
               fmt::format("@main({}) -> ({})", arguments, results));
  text.replace(head, module.size(),
               fmt::format("{}attributes {{mhlo.num_partitions = {} : i32}} ",
                           module, devices));
  return text;
}

} // namespace xlac::fuzz
