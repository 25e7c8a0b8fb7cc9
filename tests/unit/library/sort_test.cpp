// Compares the library's sort with std::stable_sort, for all types, orders and
// sequences of steps.
#include "xlac/abi/abi.h"
#include "xlac/abi/sort.h"
#include "xlac/library/routines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

using namespace xlac;

namespace {

/// Maps an element to a number that compares in the same way. For floats it is
/// twice the magnitude with the sign, plus one for positive signs.
template <class T> struct Meaning {
  static constexpr int64_t kOrder =
      std::is_unsigned_v<T> ? XLAC_SORT_UNSIGNED : XLAC_SORT_SIGNED;
  static __int128 of(T value, int64_t) { return value; }
};

template <class Bits, int64_t Order>
__int128 meaning(Bits bits, int64_t flags) {
  constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  constexpr Bits infinity = sizeof(Bits) == 8   ? Bits(0x7ff0000000000000)
                            : sizeof(Bits) == 4 ? Bits(0x7f800000)
                            : Order == XLAC_SORT_BFLOAT ? Bits(0x7f80)
                                                        : Bits(0x7c00);
  Bits magnitude = bits & Bits(~sign);
  if (flags & XLAC_SORT_EQUAL_NANS && magnitude > infinity)
    return __int128(1) << 70;
  if (flags & XLAC_SORT_EQUAL_ZEROS && magnitude == 0)
    return 0;
  return bits & sign ? -1 - __int128(magnitude) : 1 + __int128(magnitude);
}

struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};
template <class T, class Bits, int64_t Order> struct FloatMeaning {
  static constexpr int64_t kOrder = Order;
  static __int128 of(T value, int64_t flags) {
    return meaning<Bits, Order>(std::bit_cast<Bits>(value), flags);
  }
};
template <>
struct Meaning<float> : FloatMeaning<float, uint32_t, XLAC_SORT_FLOAT> {};
template <>
struct Meaning<double> : FloatMeaning<double, uint64_t, XLAC_SORT_FLOAT> {};
template <>
struct Meaning<Half> : FloatMeaning<Half, uint16_t, XLAC_SORT_FLOAT> {};
template <>
struct Meaning<Brain> : FloatMeaning<Brain, uint16_t, XLAC_SORT_BFLOAT> {};

/// Random bits, with many equal elements, zeros of both signs and NaNs.
template <class T> std::vector<T> some(int64_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  int64_t kind = 0;
  for (T &value : values) {
    uint64_t bits = random();
    kind = static_cast<int64_t>(random() % 8);
    if (kind == 0)
      bits = 0;
    else if (kind == 1)
      bits = uint64_t(1) << (8 * sizeof(T) - 1);
    else if (kind == 2)
      bits = ~uint64_t(random() % 3);
    else if (kind == 3)
      bits = random() % 7;
    std::memcpy(&value, &bits, sizeof value);
  }
  return values;
}

struct Way {
  int64_t rows, count, keep, chunks;
};

template <class T>
std::vector<int32_t> expected_places(const std::vector<T> &row, int64_t flags) {
  std::vector<int32_t> places(row.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](int32_t a, int32_t b) {
    auto left = Meaning<T>::of(row[a], flags);
    auto right = Meaning<T>::of(row[b], flags);
    return flags & XLAC_SORT_DESCENDING ? left > right : left < right;
  });
  return places;
}

template <class T>
std::vector<char> run(const std::vector<T> &values, const Way &way,
                      int64_t flags) {
  bool positions = flags & XLAC_SORT_POSITIONS;
  // Rows need not be aligned.
  std::vector<char> from(values.size() * sizeof(T) + 1);
  std::memcpy(from.data() + 1, values.data(), values.size() * sizeof(T));
  std::vector<char> result(way.rows * way.keep * (positions ? 4 : sizeof(T)));
  int64_t each = xlac_sort_workspace(sizeof(T), positions, way.count, way.keep,
                                     way.chunks);
  std::vector<uint64_t> workspace(each / 8 * (way.chunks ? way.rows : 1));
  void *buffers[] = {from.data() + 1, result.data(), workspace.data()};
  auto step = [&](int64_t which, int64_t tasks) {
    // Runs tasks in reverse, since their order must not matter.
    for (int64_t task = tasks; task-- > 0;) {
      int64_t parameters[XLAC_SORT_PARAMETERS] = {
          which, task,      task + 1, sizeof(T), Meaning<T>::kOrder,
          flags, way.count, way.keep, way.chunks};
      Status status =
          library::run_routine(XLAC_LIBRARY_SORT, buffers, parameters);
      ASSERT_TRUE(status) << status.error().message;
    }
  };
  if (way.chunks == 0) {
    step(XLAC_SORT_ROWS, way.rows);
  } else if (way.keep < way.count) {
    step(XLAC_SORT_SELECT, way.rows * way.chunks);
    step(XLAC_SORT_MERGE, way.rows);
  } else {
    for (int64_t which : {XLAC_SORT_RANGE, XLAC_SORT_COUNT,
                          XLAC_SORT_DISTRIBUTE, XLAC_SORT_BUCKETS})
      step(which, way.rows * way.chunks);
  }
  return result;
}

template <class T> void check(const Way &way, int64_t flags, unsigned seed) {
  std::vector<T> values = some<T>(way.rows * way.count, seed);
  std::vector<char> got = run(values, way, flags);
  size_t each = flags & XLAC_SORT_POSITIONS ? 4 : sizeof(T);
  for (int64_t row = 0; row < way.rows; ++row) {
    std::vector<T> one(values.begin() + row * way.count,
                       values.begin() + (row + 1) * way.count);
    std::vector<int32_t> places = expected_places(one, flags);
    for (int64_t i = 0; i < way.keep; ++i) {
      const char *at = got.data() + (row * way.keep + i) * each;
      const void *wanted = flags & XLAC_SORT_POSITIONS
                               ? static_cast<const void *>(&places[i])
                               : &one[places[i]];
      ASSERT_EQ(std::memcmp(at, wanted, each), 0)
          << "row " << row << " of " << way.rows << ", element " << i << " of "
          << way.count << ", chunks " << way.chunks << ", flags " << flags;
    }
  }
}

template <class T> class SortTest : public testing::Test {};
using Elements =
    testing::Types<uint8_t, int8_t, uint16_t, int16_t, Half, Brain, uint32_t,
                   int32_t, float, uint64_t, int64_t, double>;
TYPED_TEST_SUITE(SortTest, Elements);

} // namespace

TYPED_TEST(SortTest, WholeRows) {
  unsigned seed = 1;
  for (int64_t flags = 0; flags < 16; ++flags)
    for (int64_t count : {1, 2, 39, 41, 300, 3001})
      check<TypeParam>({3, count, count, 0}, flags, seed++);
}

TYPED_TEST(SortTest, LongRowsInSteps) {
  unsigned seed = 100;
  for (int64_t flags = 0; flags < 16; ++flags)
    for (int64_t chunks : {2, 7})
      check<TypeParam>({2, 5003, 5003, chunks}, flags, seed++);
}

TYPED_TEST(SortTest, TheFirstFew) {
  unsigned seed = 200;
  for (int64_t flags = 0; flags < 16; ++flags)
    for (int64_t keep : {1, 5, 60}) {
      check<TypeParam>({2, 1000, keep, 0}, flags, seed++);
      check<TypeParam>({2, 1000, keep, 3}, flags, seed++);
    }
}

TEST(SortTest, KeysOfOneBucket) {
  std::vector<float> values(9000, 3.5f);
  values[4000] = 3.25f;
  std::vector<char> got = run(values, {1, 9000, 9000, 4}, XLAC_SORT_POSITIONS);
  int32_t first[2];
  std::memcpy(first, got.data(), sizeof first);
  EXPECT_EQ(first[0], 4000);
  EXPECT_EQ(first[1], 0);
}

TEST(SortTest, RefusesWhatItDoesNotKnow) {
  char data[64];
  void *buffers[] = {data, data, data};
  int64_t parameters[XLAC_SORT_PARAMETERS] = {
      XLAC_SORT_ROWS, 0, 1, 3, 0, 0, 4, 4, 0};
  EXPECT_FALSE(library::run_routine(XLAC_LIBRARY_SORT, buffers, parameters));
  parameters[XLAC_SORT_AT_BYTES] = 1;
  parameters[XLAC_SORT_AT_ORDER] = XLAC_SORT_FLOAT;
  EXPECT_FALSE(library::run_routine(XLAC_LIBRARY_SORT, buffers, parameters));
}
