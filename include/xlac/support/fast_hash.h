// 128-bit hashes for tables within one process, at a few nanoseconds per word.
// They do not resist deliberate collisions. hash.h computes keys that leave the
// process.
#pragma once

#include "xlac/support/tensor_type.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace xlac {

struct Hash128 {
  uint64_t low = 0, high = 0;
  bool operator==(const Hash128 &) const = default;
};

/// Hashes a sequence of values; texts and byte ranges include their length.
class FastHasher {
public:
  void update(uint64_t value) {
    low_ = fold(low_ ^ value ^ 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93);
    high_ = std::rotl(high_ + value, 29) * 0xa0761d6478bd642f ^ low_;
  }
  void update(int64_t value) { update(static_cast<uint64_t>(value)); }
  void update(bool value) { update(static_cast<uint64_t>(value)); }
  void update(double value) { update(std::bit_cast<uint64_t>(value)); }
  void update(Hash128 value) {
    update(value.low);
    update(value.high);
  }
  void update(std::span<const std::byte> bytes) {
    update(static_cast<uint64_t>(bytes.size()));
    while (!bytes.empty()) {
      uint64_t word = 0;
      size_t taken = bytes.size() < sizeof word ? bytes.size() : sizeof word;
      std::memcpy(&word, bytes.data(), taken);
      update(word);
      bytes = bytes.subspan(taken);
    }
  }
  void update(std::string_view text) {
    update(std::as_bytes(std::span(text.data(), text.size())));
  }
  void update(const TensorType &type);
  void update(const Type &type);

  Hash128 finish() const {
    return {fold(low_ ^ high_, 0xe7037ed1a0b428db),
            fold(high_ + 0x8ebc6af09c88c6e3, low_ | 1)};
  }

private:
  /// Combines both halves of the product, so that every input bit affects every
  /// output bit.
  static uint64_t fold(uint64_t a, uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(a) * b;
    return static_cast<uint64_t>(product) ^
           static_cast<uint64_t>(product >> 64);
  }

  uint64_t low_ = 0x243f6a8885a308d3, high_ = 0x13198a2e03707344;
};

} // namespace xlac

template <> struct std::hash<xlac::Hash128> {
  size_t operator()(const xlac::Hash128 &value) const { return value.low; }
};
