// xlac explain --sharding: the mesh, and the difference of two annotations.
#include "explain_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace xlac::cli {
namespace {

/// Most devices of an axis, and most blocks, that a picture shows.
constexpr int64_t kMostShown = 16, kMostBlocks = 4;

/// Appends `rows` rows of `columns` devices from `first` on.
void add_block(std::string &text, int64_t first, int64_t rows, int64_t columns,
               size_t width) {
  for (int64_t row = 0; row < std::min(rows, kMostShown); ++row) {
    text += " ";
    for (int64_t column = 0; column < std::min(columns, kMostShown); ++column)
      text += fmt::format(" {:>{}}", first + row * columns + column, width);
    text += columns > kMostShown ? " …\n" : "\n";
  }
  if (rows > kMostShown)
    text += "  …\n";
}

} // namespace

std::string picture_of(const DeviceMeshPlan &mesh) {
  const std::vector<MeshAxis> &axes = mesh.axes;
  const MeshAxis &last = axes.back();
  int64_t rows = axes.size() > 1 ? axes[axes.size() - 2].size : 1;
  int64_t block = rows * last.size, blocks = mesh.count() / block;
  std::string text = fmt::format("devices: {} to the right", last.name);
  if (axes.size() > 1)
    text += fmt::format(", {} down", axes[axes.size() - 2].name);
  text += "\n";
  size_t width = std::to_string(mesh.count() - 1).size();
  for (int64_t i = 0; i < std::min(blocks, kMostBlocks); ++i) {
    if (blocks > 1) {
      std::string place;
      int64_t rest = i;
      for (size_t axis = axes.size() - 2; axis-- > 0;) {
        place = fmt::format(" {}={}", axes[axis].name, rest % axes[axis].size) +
                place;
        rest /= axes[axis].size;
      }
      text += place + "\n";
    }
    add_block(text, i * block, rows, last.size, width);
  }
  if (blocks > kMostBlocks)
    text += fmt::format("  … {} more blocks\n", blocks - kMostBlocks);
  return text;
}

void print_difference(const Plan &plan, const Plan &other) {
  std::map<std::string, std::vector<const OpSharding *>> byText;
  double before = 0, after = 0;
  for (const OpSharding &one : other.shardings) {
    byText[one.op].push_back(&one);
    after += one.bytes;
  }
  std::map<std::string, size_t> seen;
  fmt::print("{:>12} {:>12}  {:<40} {:<36} {}\n", "KiB received", "other", "op",
             "sharding", "other");
  for (const OpSharding &one : plan.shardings) {
    before += one.bytes;
    const auto &list = byText[one.op];
    size_t number = seen[one.op]++;
    const OpSharding *match = number < list.size() ? list[number] : nullptr;
    if (match && match->sharding == one.sharding && match->bytes == one.bytes)
      continue;
    fmt::print("{:>12.1f} {:>12}  {:<40} {:<36} {}\n", one.bytes / 1024,
               match ? fmt::format("{:.1f}", match->bytes / 1024) : "-", one.op,
               one.sharding, match ? match->sharding : "-");
  }
  for (const auto &[text, list] : byText)
    for (size_t i = seen[text]; i < list.size(); ++i)
      fmt::print("{:>12} {:>12.1f}  {:<40} {:<36} {}\n", "-",
                 list[i]->bytes / 1024, text, "-", list[i]->sharding);
  fmt::print("{:>12.1f} {:>12.1f}  {}\n", before / 1024, after / 1024,
             "all ops");
}

} // namespace xlac::cli
