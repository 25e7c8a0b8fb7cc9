// Entries for sorting: unsigned keys in the order of the elements, with or
// without the element's index, and sorts of entries.
#pragma once

#include "xlac/abi/sort.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace xlac::library {

/// Maps elements with the bits `Raw` to keys of the same order.
template <class Raw, xlac_sort_order Order> struct KeyMap {
  using Element = Raw;
  using Key = std::conditional_t<sizeof(Raw) == 8, uint64_t, uint32_t>;
  static constexpr bool kFloat =
      Order == XLAC_SORT_FLOAT || Order == XLAC_SORT_BFLOAT;
  static constexpr Raw kSign = Raw(Raw(1) << (8 * sizeof(Raw) - 1));
  static constexpr int kMantissa = Order == XLAC_SORT_BFLOAT ? 7
                                   : sizeof(Raw) == 2        ? 10
                                   : sizeof(Raw) == 4        ? 23
                                                             : 52;
  static constexpr Raw kInfinity =
      kFloat ? Raw(Raw(kSign - 1) >> kMantissa << kMantissa) : Raw(0);
  static constexpr Raw kNan = Raw(kInfinity | Raw(kInfinity >> 1));

  explicit KeyMap(int64_t flags)
      : flip(flags & XLAC_SORT_DESCENDING ? Raw(~Raw(0)) : Raw(0)),
        zeros(kFloat && flags & XLAC_SORT_EQUAL_ZEROS),
        nans(kFloat && flags & XLAC_SORT_EQUAL_NANS) {}

  /// The representative of all elements that are equal to `raw`.
  Raw canonical(Raw raw) const {
    if constexpr (kFloat) {
      Raw magnitude = Raw(raw & Raw(~kSign));
      raw = zeros && magnitude == 0 ? Raw(0) : raw;
      raw = nans && magnitude > kInfinity ? kNan : raw;
    }
    return raw;
  }
  Key operator()(Raw raw) const {
    Raw key = canonical(raw);
    if constexpr (kFloat)
      key = Raw(key & kSign ? Raw(~key) : Raw(key | kSign));
    else if constexpr (Order == XLAC_SORT_SIGNED)
      key = Raw(key ^ kSign);
    return Key(Raw(key ^ flip));
  }
  /// The canonical element of that key.
  Raw inverse(Key wide) const {
    Raw key = Raw(Raw(wide) ^ flip);
    if constexpr (kFloat)
      return Raw(key & kSign ? Raw(key ^ kSign) : Raw(~key));
    return Order == XLAC_SORT_SIGNED ? Raw(key ^ kSign) : key;
  }

  Raw flip;
  bool zeros, nans;
};

/// A 64-bit key and its index.
struct WideEntry {
  uint64_t first, second;
};

/// Storage of keys, with their indices if `Places`.
template <class KeyType, bool Places> struct Entry {
  using Key = KeyType;
  using Type = std::conditional_t<
      !Places, Key, std::conditional_t<sizeof(Key) == 8, WideEntry, uint64_t>>;

  static Type make(Key key, int64_t place) {
    if constexpr (!Places)
      return key;
    else if constexpr (sizeof(Key) == 8)
      return {key, static_cast<uint64_t>(place)};
    else
      return uint64_t(key) << 32 | static_cast<uint64_t>(place);
  }
  static Key key(const Type &entry) {
    if constexpr (!Places)
      return entry;
    else if constexpr (sizeof(Key) == 8)
      return entry.first;
    else
      return static_cast<Key>(entry >> 32);
  }
  static int32_t place(const Type &entry) {
    if constexpr (sizeof(Type) == 16)
      return static_cast<int32_t>(entry.second);
    else
      return static_cast<int32_t>(static_cast<uint32_t>(entry));
  }
  /// Compares by key, then by index.
  static bool less(const Type &a, const Type &b) {
    if constexpr (sizeof(Type) == 16)
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    else
      return a < b;
  }
};

template <class E> void insertion_sort(typename E::Type *data, int64_t count) {
  for (int64_t i = 1; i < count; ++i) {
    typename E::Type entry = data[i];
    int64_t at = i;
    for (; at > 0 && E::key(entry) < E::key(data[at - 1]); --at)
      data[at] = data[at - 1];
    data[at] = entry;
  }
}

/// Stable radix sort by keys, from the lowest to the highest digit of the bits
/// in which keys differ. Returns the buffer of the result, `data` or `spare`.
template <class E>
typename E::Type *radix_sort(typename E::Type *data, typename E::Type *spare,
                             int64_t count) {
  using Key = typename E::Key;
  constexpr int64_t kInsertion = 40, kFewEntries = 3000;
  constexpr int kMostPasses = 8, kMostDigit = 11;
  if (count <= kInsertion) {
    insertion_sort<E>(data, count);
    return data;
  }
  Key different = 0;
  for (int64_t i = 1; i < count; ++i)
    different |= E::key(data[i]) ^ E::key(data[0]);
  if (different == 0)
    return data;
  int low = std::countr_zero(different);
  int bits = std::bit_width(different) - low;
  // Counters should not cost more than the entries if there are few.
  int widest = count < kFewEntries ? 8 : kMostDigit;
  int passes = (bits + widest - 1) / widest;
  int width = (bits + passes - 1) / passes;
  constexpr int kMostCounts = std::max(
      kMostPasses << 8, (64 + kMostDigit - 1) / kMostDigit << kMostDigit);
  uint32_t counts[kMostCounts];
  std::memset(counts, 0, (sizeof counts[0] * passes) << width);
  Key mask = (Key(1) << width) - 1;
  for (int64_t i = 0; i < count; ++i) {
    Key key = E::key(data[i]) >> low;
    for (int pass = 0; pass < passes; ++pass, key >>= width)
      ++counts[(size_t(pass) << width) + (key & mask)];
  }
  for (int pass = 0; pass < passes; ++pass) {
    uint32_t *starts = counts + (size_t(pass) << width);
    int shift = low + pass * width;
    if (starts[E::key(data[0]) >> shift & mask] == count)
      continue;
    uint32_t start = 0;
    for (Key digit = 0; digit <= mask; ++digit)
      start += std::exchange(starts[digit], start);
    for (int64_t i = 0; i < count; ++i)
      spare[starts[E::key(data[i]) >> shift & mask]++] = data[i];
    std::swap(data, spare);
  }
  return data;
}

} // namespace xlac::library
