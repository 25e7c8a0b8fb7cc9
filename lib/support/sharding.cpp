#include "xlac/support/sharding.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace xlac {
namespace {

/// More devices than any planned mesh has.
constexpr int64_t kMostDevices = 1 << 20;
/// Limit on nested tuples, which protects the stack from malicious text.
constexpr int kDeepestTuple = 16;

/// Parses the text of a sharding from front to back.
class ShardingParser {
public:
  explicit ShardingParser(std::string_view text) : text_(text), rest_(text) {}

  Result<Sharding> parse() {
    auto sharding = parse_one(0);
    if (!sharding)
      return sharding;
    skip_space();
    if (!rest_.empty())
      return problem(fmt::format("has '{}' after its end", rest_));
    return sharding;
  }

private:
  Failure problem(std::string_view what,
                  FailureKind failure_kind = FailureKind::User) const {
    return failure(failure_kind, fmt::format("sharding '{}' {}", text_, what));
  }
  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n'))
      rest_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skip_space();
    if (!rest_.starts_with(token))
      return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool take_number(int64_t &number) {
    skip_space();
    auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc())
      return false;
    rest_.remove_prefix(end - rest_.data());
    return true;
  }
  /// Comma-separated numbers.
  bool take_numbers(std::vector<int64_t> &numbers) {
    do {
      int64_t number = 0;
      if (!take_number(number))
        return false;
      numbers.push_back(number);
    } while (take(","));
    return true;
  }
  bool take_list(std::string_view open, std::string_view close,
                 std::vector<int64_t> &numbers) {
    return take(open) && take_numbers(numbers) && take(close);
  }

  Result<Sharding> parse_one(int depth);
  Result<Sharding> parse_tuple(int depth);
  Result<Sharding> parse_tiled();
  Status parse_devices(int64_t count, std::vector<int64_t> &devices);
  Status parse_iota(int64_t count, std::vector<int64_t> &devices);
  Status parse_last_dims(Sharding &sharding);

  std::string_view text_, rest_;
};

/// Product of positive numbers; 0 if a number is not positive or the product is
/// too large.
int64_t product(std::span<const int64_t> numbers) {
  int64_t all = 1;
  for (int64_t number : numbers) {
    if (number <= 0 || number > kMostDevices)
      return 0;
    all *= number;
    if (all > kMostDevices)
      return 0;
  }
  return all;
}

Result<Sharding> ShardingParser::parse_one(int depth) {
  if (!take("{"))
    return problem("does not begin with '{'");
  skip_space();
  if (rest_.starts_with("{") || rest_.starts_with("}"))
    return parse_tuple(depth);
  Sharding sharding;
  if (take("replicated")) {
  } else if (take("manual")) {
    sharding.kind = Sharding::Kind::Manual;
  } else if (take("unknown")) {
    sharding.kind = Sharding::Kind::Unknown;
  } else if (take("maximal device=")) {
    sharding.kind = Sharding::Kind::Maximal;
    int64_t device = 0;
    if (!take_number(device) || device < 0)
      return problem("names no device");
    sharding.devices = {device};
  } else if (take("devices=")) {
    auto tiled = parse_tiled();
    if (!tiled)
      return tiled;
    sharding = std::move(*tiled);
  } else {
    return problem("is of no kind that is known");
  }
  if (!take("}"))
    return problem(fmt::format("has '{}' where '}}' should be", rest_));
  return sharding;
}

Result<Sharding> ShardingParser::parse_tuple(int depth) {
  if (depth >= kDeepestTuple)
    return problem("has too many tuples in tuples");
  Sharding tuple;
  tuple.kind = Sharding::Kind::Tuple;
  if (take("}"))
    return tuple;
  do {
    auto element = parse_one(depth + 1);
    if (!element)
      return element;
    tuple.elements.push_back(std::move(*element));
  } while (take(","));
  if (!take("}"))
    return problem("is a tuple that does not end");
  return tuple;
}

Result<Sharding> ShardingParser::parse_tiled() {
  Sharding sharding;
  sharding.kind = Sharding::Kind::Tiled;
  if (!take_list("[", "]", sharding.tiles))
    return problem("has no list of tiles");
  int64_t count = product(sharding.tiles);
  if (count == 0)
    return problem("has tiles that are not positive or too many");
  XLAC_RETURN_IF_ERROR(parse_devices(count, sharding.devices));
  XLAC_RETURN_IF_ERROR(parse_last_dims(sharding));
  if (product(sharding.tiles) == 1 && count == sharding.copies)
    return Sharding();
  return sharding;
}

Status ShardingParser::parse_devices(int64_t count,
                                     std::vector<int64_t> &devices) {
  if (take("<=")) {
    XLAC_RETURN_IF_ERROR(parse_iota(count, devices));
  } else if (!take_numbers(devices)) {
    return problem("names no devices");
  }
  if (static_cast<int64_t>(devices.size()) != count)
    return problem(
        fmt::format("has {} devices for {} tiles", devices.size(), count));
  auto sorted = devices;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front() < 0 || sorted.back() >= kMostDevices ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return problem("names a device twice, or one that cannot be");
  return {};
}

/// `[2,4]T(1,0)`: numbers from 0 in an array of those sizes, transposed.
Status ShardingParser::parse_iota(int64_t count,
                                  std::vector<int64_t> &devices) {
  std::vector<int64_t> sizes, order;
  if (!take_list("[", "]", sizes) || product(sizes) != count)
    return problem("has an iota of another number of devices than tiles");
  if (take("T")) {
    if (!take_list("(", ")", order))
      return problem("has a transposed iota without its order");
  } else {
    order.resize(sizes.size());
    std::iota(order.begin(), order.end(), 0);
  }
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted.size() != sizes.size() || sorted[i] != static_cast<int64_t>(i))
      return problem("has an iota whose order is not a permutation");
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sizes[i];
  devices = {0};
  for (int64_t axis : order) {
    std::vector<int64_t> next;
    for (int64_t base : devices)
      for (int64_t i = 0; i < sizes[axis]; ++i)
        next.push_back(base + i * strides[axis]);
    devices = std::move(next);
  }
  return {};
}

Status ShardingParser::parse_last_dims(Sharding &sharding) {
  bool copies = take("last_tile_dim_replicate"), summands = false;
  if (!copies && take("last_tile_dims={")) {
    copies = take("replicated");
    if (!copies || take(","))
      summands = take("unreduced");
    if (!(copies || summands) || !take("}"))
      return problem("has subgroups other than replicas before summands",
                     FailureKind::Unsupported);
  }
  if (sharding.tiles.size() < size_t{copies} + size_t{summands})
    return problem("has more subgroups than tiles");
  if (summands) {
    sharding.summands = sharding.tiles.back();
    sharding.tiles.pop_back();
  }
  if (copies) {
    sharding.copies = sharding.tiles.back();
    sharding.tiles.pop_back();
  }
  return {};
}

int64_t ceil_divide(int64_t a, int64_t b) { return (a + b - 1) / b; }

} // namespace

int64_t Sharding::device_count() const {
  return static_cast<int64_t>(devices.size());
}

std::string Sharding::str() const {
  switch (kind) {
  case Kind::Replicated:
    return "{replicated}";
  case Kind::Manual:
    return "{manual}";
  case Kind::Unknown:
    return "{unknown}";
  case Kind::Maximal:
    return fmt::format("{{maximal device={}}}", devices.front());
  case Kind::Tuple: {
    std::vector<std::string> parts;
    for (const Sharding &element : elements)
      parts.push_back(element.str());
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  case Kind::Tiled:
    break;
  }
  auto sizes = tiles;
  if (copies > 1)
    sizes.push_back(copies);
  if (summands > 1)
    sizes.push_back(summands);
  const char *subgroups = "";
  if (summands > 1)
    subgroups = copies > 1 ? " last_tile_dims={replicated, unreduced}"
                           : " last_tile_dims={unreduced}";
  else if (copies > 1)
    subgroups = " last_tile_dim_replicate";
  return fmt::format("{{devices=[{}]{}{}}}", fmt::join(sizes, ","),
                     fmt::join(devices, ","), subgroups);
}

Result<Sharding> parse_sharding(std::string_view text) {
  return ShardingParser(text).parse();
}

std::vector<int64_t> shard_dims(std::span<const int64_t> dims,
                                const Sharding &sharding) {
  std::vector<int64_t> result(dims.begin(), dims.end());
  if (!sharding.is_tiled())
    return result;
  assert(sharding.tiles.size() == dims.size());
  for (size_t i = 0; i < dims.size(); ++i)
    result[i] = ceil_divide(dims[i], sharding.tiles[i]);
  return result;
}

ShardBounds shard_bounds(std::span<const int64_t> dims,
                         const Sharding &sharding, int64_t device) {
  ShardBounds bounds;
  bounds.begin.assign(dims.size(), 0);
  bounds.size.assign(dims.begin(), dims.end());
  if (sharding.kind == Sharding::Kind::Maximal &&
      device != sharding.devices.front())
    bounds.size.assign(dims.size(), 0);
  if (!sharding.is_tiled())
    return bounds;
  auto found =
      std::find(sharding.devices.begin(), sharding.devices.end(), device);
  if (found == sharding.devices.end()) {
    bounds.size.assign(dims.size(), 0);
    return bounds;
  }
  int64_t place = (found - sharding.devices.begin()) / sharding.summands;
  bounds.copy = place % sharding.copies;
  place /= sharding.copies;
  auto sizes = shard_dims(dims, sharding);
  for (size_t i = dims.size(); i-- > 0;) {
    int64_t index = place % sharding.tiles[i];
    place /= sharding.tiles[i];
    bounds.begin[i] = std::min(index * sizes[i], dims[i]);
    bounds.size[i] = std::min(sizes[i], dims[i] - bounds.begin[i]);
  }
  return bounds;
}

} // namespace xlac
