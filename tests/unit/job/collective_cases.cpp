#include "collective_cases.h"

#include "xlac/support/element_type.h"

#include <algorithm>
#include <bit>
#include <complex>
#include <cstring>
#include <numeric>

namespace xlac::test {

namespace {

struct Bfloat {
  uint16_t bits;
};
float widen(Bfloat value) {
  return std::bit_cast<float>(uint32_t(value.bits) << 16);
}
/// Rounds to nearest, ties to even.
Bfloat narrow(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  return {static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

template <class T> T plus(T a, T b) { return static_cast<T>(a + b); }
template <> Bfloat plus(Bfloat a, Bfloat b) {
  return narrow(widen(a) + widen(b));
}
template <> bool plus(bool a, bool b) { return a || b; }

bool any_order = false;

template <class T> T number(double value) { return static_cast<T>(value); }
template <> Bfloat number(double value) { return narrow(float(value)); }
template <> bool number(double value) { return int64_t(value) % 2 != 0; }
template <> std::complex<float> number(double value) {
  return {float(value), float(any_order ? -value : -value / 3)};
}
template <> std::complex<double> number(double value) {
  return {value, any_order ? -value : -value / 3};
}

/// Calls `use` with a value of the type; returns false for other types.
template <class Use> bool with_type(ElementType type, Use use) {
  switch (type) {
  case ElementType::I1:
    return use(bool()), true;
  case ElementType::I8:
    return use(int8_t()), true;
  case ElementType::I16:
    return use(int16_t()), true;
  case ElementType::I32:
    return use(int32_t()), true;
  case ElementType::I64:
    return use(int64_t()), true;
  case ElementType::UI8:
    return use(uint8_t()), true;
  case ElementType::UI16:
    return use(uint16_t()), true;
  case ElementType::UI32:
    return use(uint32_t()), true;
  case ElementType::UI64:
    return use(uint64_t()), true;
  case ElementType::BF16:
    return use(Bfloat()), true;
  case ElementType::F16:
    return use(_Float16()), true;
  case ElementType::F32:
    return use(float()), true;
  case ElementType::F64:
    return use(double()), true;
  case ElementType::Complex64:
    return use(std::complex<float>()), true;
  case ElementType::Complex128:
    return use(std::complex<double>()), true;
  default:
    return false;
  }
}

/// The value of an ordinal at an index. Thirds, so that the result depends on
/// the order of a sum; small whole numbers if any order is right.
void put_value(ElementType type, int ordinal, int64_t index, std::byte *to) {
  uint64_t mixed = (uint64_t(index) * 0x9e3779b97f4a7c15 +
                    uint64_t(ordinal) * 0xd6e8feb86659fd93) >>
                   40;
  bool fraction = !any_order && (is_float(type) || is_complex(type));
  double value =
      fraction ? (double(mixed % 4093) - 2046) / 3 * (ordinal % 2 ? 1e3 : 1e-3)
               : double(mixed % 13);
  if (!with_type(type, [&](auto like) {
        auto typed = number<decltype(like)>(value);
        std::memcpy(to, &typed, sizeof typed);
      }))
    *to = std::byte(mixed & 1);
}

int64_t count_of(const TensorType &type) {
  return type.element_count().value_or(0);
}

/// Returns the group of an ordinal and its rank in the group.
std::vector<int64_t> group_of(const runtime::Collective &what, int ordinal,
                              int world) {
  for (const std::vector<int64_t> &row : what.groups)
    if (std::find(row.begin(), row.end(), ordinal) != row.end())
      return row;
  std::vector<int64_t> all(world);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Computes the expected result of an ordinal at an index.
void expect_value(const runtime::Collective &what,
                  const std::vector<int64_t> &group, size_t place,
                  int64_t index, std::byte *to) {
  ElementType type = what.results[0].element;
  int64_t size = byte_size(type);
  const std::vector<int64_t> &from = what.operands[0].dims;
  const std::vector<int64_t> &dims = what.results[0].dims;
  int64_t columns = dims[1], row = index / columns, column = index % columns;
  auto at = [&](size_t member, int64_t r, int64_t c) {
    put_value(type, int(group[member]), r * from[1] + c, to);
  };
  auto sum = [&](int64_t r, int64_t c) {
    std::byte total[16], next[16];
    for (size_t member = 0; member < group.size(); ++member) {
      put_value(type, int(group[member]), r * from[1] + c, next);
      if (member == 0)
        std::memcpy(total, next, size);
      else
        (void)add_elements(type, total, next, total, 1);
    }
    std::memcpy(to, total, size);
  };
  switch (what.kind) {
  case runtime::CollectiveKind::AllReduce:
    return sum(row, column);
  case runtime::CollectiveKind::AllGather:
    return at(column / from[1], row, column % from[1]);
  case runtime::CollectiveKind::AllToAll: // splits rows, concatenates columns
    return at(column / from[1], row + int64_t(place) * dims[0],
              column % from[1]);
  case runtime::CollectiveKind::Broadcast:
    return at(0, row, column);
  // each sends to the next one; the first receives nothing
  case runtime::CollectiveKind::Permute:
    if (place == 0)
      std::memset(to, 0, size);
    else
      at(place - 1, row, column);
    return;
  case runtime::CollectiveKind::Reduce:
    if (place == 0)
      sum(row, column);
    else
      std::memset(to, 0, size);
    return;
  default: // reduce_scatter
    if (what.dimension == 0)
      sum(row + int64_t(place) * dims[0], column);
    else
      sum(row, column + int64_t(place) * columns);
  }
}

/// Memory with the alignment of devices and a margin that must not be written.
class Guarded {
public:
  explicit Guarded(int64_t bytes)
      : bytes_(bytes), data_(static_cast<std::byte *>(std::aligned_alloc(
                           64, (bytes + kMargin + 63) / 64 * 64))) {
    std::memset(data_, 0x5a, bytes + kMargin);
  }
  ~Guarded() { std::free(data_); }
  Guarded(const Guarded &) = delete;

  std::byte *data() const { return data_; }
  bool is_whole() const {
    return std::all_of(data_ + bytes_, data_ + bytes_ + kMargin,
                       [](std::byte each) { return each == std::byte(0x5a); });
  }

private:
  static constexpr int64_t kMargin = 256;
  int64_t bytes_;
  std::byte *data_;
};

} // namespace

const std::vector<ElementType> &element_types() {
  static const std::vector<ElementType> all = [] {
    std::vector<ElementType> types;
    for (int i = 0; i < kElementTypeCount; ++i)
      types.push_back(ElementType(i));
    return types;
  }();
  return all;
}

void accept_any_order() { any_order = true; }

bool has_sum(ElementType type) {
  return with_type(type, [](auto) {});
}

const std::vector<runtime::CollectiveKind> &group_kinds() {
  static const std::vector<runtime::CollectiveKind> kinds = {
      runtime::CollectiveKind::AllReduce,
      runtime::CollectiveKind::AllGather,
      runtime::CollectiveKind::AllToAll,
      runtime::CollectiveKind::Broadcast,
      runtime::CollectiveKind::Permute,
      runtime::CollectiveKind::Reduce,
      runtime::CollectiveKind::ReduceScatter,
  };
  return kinds;
}

Status add_elements(ElementType type, const void *left, const void *right,
                    void *result, int64_t elements) {
  bool known = with_type(type, [&](auto like) {
    using T = decltype(like);
    for (int64_t i = 0; i < elements; ++i) {
      T a, b;
      std::memcpy(&a, static_cast<const T *>(left) + i, sizeof a);
      std::memcpy(&b, static_cast<const T *>(right) + i, sizeof b);
      static_cast<T *>(result)[i] = plus<T>(a, b);
    }
  });
  return known ? Status() : failure(FailureKind::Internal, "cannot add");
}

runtime::Collective make_collective(runtime::CollectiveKind kind,
                                    ElementType type, int world, int variant,
                                    int64_t elements) {
  runtime::Collective what;
  what.kind = kind;
  std::vector<int64_t> all(world);
  std::iota(all.begin(), all.end(), 0);
  if (variant != 0)
    std::reverse(all.begin(), all.end());
  if (variant == 2 && world % 2 == 0)
    what.groups = {{all.begin(), all.begin() + world / 2},
                   {all.begin() + world / 2, all.end()}};
  else if (variant != 0 || kind == runtime::CollectiveKind::Permute)
    what.groups = {all};
  int64_t size = what.groups.empty() ? world : int64_t(what.groups[0].size());
  // Rows that are divisible by the group size, and an odd number of columns.
  int64_t rows = 2 * size, columns = elements == 0 ? 0 : elements / rows | 1;
  std::vector<int64_t> from = {rows, columns}, to = from;
  if (kind == runtime::CollectiveKind::AllGather) {
    what.dimension = 1;
    to[1] *= size;
  } else if (kind == runtime::CollectiveKind::AllToAll) {
    what.dimension = 0;
    what.concat_dimension = 1;
    to = {rows / size, columns * size};
  } else if (kind == runtime::CollectiveKind::ReduceScatter) {
    what.dimension = variant == 1 ? 1 : 0;
    if (variant == 1)
      from[1] = columns * size;
    else
      to[0] = rows / size;
  } else if (kind == runtime::CollectiveKind::Permute) {
    std::vector<std::vector<int64_t>> pairs;
    for (const std::vector<int64_t> &group : what.groups)
      for (size_t i = 1; i < group.size(); ++i)
        pairs.push_back({group[i - 1], group[i]});
    what.groups = pairs;
  }
  what.operands = {
      {.element = type, .dims = from, .bounds = {}, .quantization = {}}};
  what.results = {
      {.element = type, .dims = to, .bounds = {}, .quantization = {}}};
  return what;
}

/// Returns the chain of a permutation's pairs that contains the ordinal.
static std::vector<int64_t> chain_of(const runtime::Collective &what,
                                     int ordinal) {
  std::vector<int64_t> chain = {ordinal};
  for (bool grows = true; grows;) {
    grows = false;
    for (const std::vector<int64_t> &pair : what.groups) {
      if (pair[1] == chain.front()) {
        chain.insert(chain.begin(), pair[0]);
        grows = true;
      } else if (pair[0] == chain.back()) {
        chain.push_back(pair[1]);
        grows = true;
      }
    }
  }
  return chain;
}

std::string run_collective(runtime::Communicator &grid, int ordinal,
                           const runtime::Collective &what, bool in_place) {
  ElementType type = what.operands[0].element;
  int64_t size = byte_size(type);
  int64_t inputs = count_of(what.operands[0]);
  int64_t outputs = count_of(what.results[0]);
  Guarded in(inputs * size), out(outputs * size);
  for (int64_t i = 0; i < inputs; ++i)
    put_value(type, ordinal, i, in.data() + i * size);
  const void *operands[] = {in.data()};
  const std::byte *result = in_place ? in.data() : out.data();
  void *results[] = {const_cast<std::byte *>(result)};
  Status status = grid.run(
      ordinal, {what, operands, results,
                [&](size_t, const void *left, const void *right, void *result,
                    int64_t elements) {
                  return add_elements(type, left, right, result, elements);
                }});
  if (!status)
    return status.error().message;
  std::string name = describe(what) + (in_place ? " in place" : "") +
                     " of replica " + std::to_string(ordinal);
  if (!in.is_whole() || !out.is_whole())
    return name + " wrote past an end";
  std::vector<int64_t> group =
      what.kind == runtime::CollectiveKind::Permute
          ? chain_of(what, ordinal)
          : group_of(what, ordinal, grid.shape().count());
  size_t place = std::find(group.begin(), group.end(), ordinal) - group.begin();
  for (int64_t i = 0; i < outputs; ++i) {
    std::byte expected[16];
    expect_value(what, group, place, i, expected);
    if (std::memcmp(expected, result + i * size, size) != 0)
      return name + " is wrong at " + std::to_string(i);
  }
  return "";
}

std::string run_kinds(runtime::Communicator &grid, int ordinal,
                      const std::vector<ElementType> &types, int64_t elements) {
  int world = grid.shape().count();
  std::string problem;
  grid.enter(ordinal);
  auto run_all = [&]() -> Status {
    for (ElementType type : types)
      for (runtime::CollectiveKind kind : group_kinds()) {
        bool reduces = kind == runtime::CollectiveKind::AllReduce ||
                       kind == runtime::CollectiveKind::Reduce ||
                       kind == runtime::CollectiveKind::ReduceScatter;
        if (reduces && !has_sum(type))
          continue;
        for (int variant = 0; variant < (world % 2 == 0 ? 3 : 2); ++variant) {
          runtime::Collective what =
              make_collective(kind, type, world, variant, elements);
          problem = run_collective(grid, ordinal, what);
          if (problem.empty() && kind == runtime::CollectiveKind::AllReduce)
            problem = run_collective(grid, ordinal, what, true);
          if (!problem.empty())
            return failure(FailureKind::Internal, problem);
        }
      }
    return {};
  };
  Status status = run_all();
  grid.leave(ordinal, status);
  return status ? "" : status.error().message;
}

} // namespace xlac::test
