// Tables of the devices that hold each shard of a tensor.
#include "xlac/lazy/partitions.h"
#include "xlac/spmd/sharding_of.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <cmath>

namespace xlac::spmd {

using namespace frontend;

namespace {

struct Cell {
  std::string label;
  int64_t first_device = 0;
};
using Grid = std::vector<std::vector<Cell>>;

Cell cell_of(std::vector<int64_t> devices) {
  std::sort(devices.begin(), devices.end());
  Cell cell;
  cell.first_device = devices.empty() ? 0 : devices[0];
  cell.label = "CPU ";
  for (size_t i = 0; i < devices.size(); ++i)
    cell.label += (i ? "," : "") + std::to_string(devices[i]);
  return cell;
}

/// Returns rows and columns of tiles; a tensor of rank 1 is one row.
Grid grid_of(const Sharding &sharding) {
  if (!sharding.is_tiled()) {
    std::vector<int64_t> all(lazy::devices_of_job());
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<int64_t>(i);
    return {{cell_of(std::move(all))}};
  }
  size_t rank = sharding.tiles.size();
  if (rank < 1 || rank > 2)
    raise<ValueError>("tables are drawn of tensors with 1 or 2 dimensions, got "
                      "a sharding of " +
                      std::to_string(rank));
  int64_t rows = rank == 2 ? sharding.tiles[0] : 1;
  int64_t columns = sharding.tiles.back();
  Grid grid(rows);
  auto next = sharding.devices.begin();
  for (std::vector<Cell> &row : grid)
    for (int64_t i = 0; i < columns; ++i, next += sharding.copies)
      row.push_back(cell_of({next, next + sharding.copies}));
  return grid;
}

std::string repeated(std::string_view text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

std::string centered(const std::string &label, size_t width) {
  std::string shown = label.substr(0, width);
  size_t left = (width - shown.size()) / 2;
  return std::string(left, ' ') + shown +
         std::string(width - left - shown.size(), ' ');
}

class Drawing {
public:
  Drawing(Grid grid, const VisualizeOptions &options)
      : grid_(std::move(grid)), options_(options) {
    size_t longest = 0;
    for (const std::vector<Cell> &row : grid_)
      for (const Cell &cell : row)
        longest = std::max(longest, cell.label.size() + 2);
    auto columns = static_cast<int64_t>(grid_[0].size());
    int64_t most = (options.max_width - 1) / columns - 1;
    width_ = static_cast<size_t>(std::max<int64_t>(
        1, std::min<int64_t>(
               most, std::max<int64_t>(options.min_width,
                                       static_cast<int64_t>(longest)))));
    height_ = std::max<int64_t>(1, std::lround(options.scale));
  }

  std::string text() const {
    std::string result = line("┌", "┬", "┐");
    for (size_t i = 0; i < grid_.size(); ++i) {
      if (i > 0)
        result += line("├", "┼", "┤");
      for (int64_t line = 0; line < height_; ++line)
        result += cells(grid_[i], line == height_ / 2);
    }
    return result + line("└", "┴", "┘");
  }

private:
  std::string line(std::string_view left, std::string_view middle,
                   std::string_view right) const {
    std::string result(left);
    for (size_t i = 0; i < grid_[0].size(); ++i)
      result += (i ? std::string(middle) : "") + repeated("─", width_);
    return result + std::string(right) + "\n";
  }

  std::string cells(const std::vector<Cell> &row, bool with_labels) const {
    std::string result;
    for (const Cell &cell : row) {
      std::string inside = centered(with_labels ? cell.label : "", width_);
      // Light colors of the 256-color palette, one per device.
      if (options_.use_color)
        inside = "\033[30;48;5;" +
                 std::to_string(151 + cell.first_device % 80) + "m" + inside +
                 "\033[0m";
      result += "│" + inside;
    }
    return result + "│\n";
  }

  Grid grid_;
  VisualizeOptions options_;
  size_t width_ = 0;
  int64_t height_ = 1;
};

} // namespace

std::string visualize_tensor_sharding(const Tensor &t,
                                      VisualizeOptions options) {
  XLAC_CALL("visualize_tensor_sharding");
  size_t rank = impl_of(t).sizes.size();
  if (rank < 1 || rank > 2)
    raise<ValueError>("tables are drawn of tensors with 1 or 2 dimensions, got "
                      "one with " +
                      std::to_string(rank));
  std::string sharding = get_sharding_spec(t);
  if (sharding.empty())
    raise<UserError>("the tensor has no sharding, call mark_sharding() first");
  return visualize_sharding(sharding, options);
}

std::string visualize_sharding(std::string_view sharding,
                               VisualizeOptions options) {
  XLAC_CALL("visualize_sharding");
  return Drawing(grid_of(unwrap(parse_sharding(sharding))), options).text();
}

} // namespace xlac::spmd
