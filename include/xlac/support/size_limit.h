// The maximum size of a tensor. Products of sizes within the limit do not
// overflow, in elements and in bytes.
#pragma once

#include <cstdint>
#include <span>

namespace xlac {

inline constexpr uint64_t kMaxElements = uint64_t(1) << 56;

/// Whether a tensor with these sizes has at most kMaxElements. Sizes of 0 count
/// as 1, since strides are products of the other sizes. Unknown sizes count as
/// 1 too.
inline bool is_holdable(std::span<const int64_t> sizes) {
  uint64_t count = 1;
  for (int64_t size : sizes)
    if (size > 1 &&
        (__builtin_mul_overflow(count, static_cast<uint64_t>(size), &count) ||
         count > kMaxElements))
      return false;
  return true;
}

} // namespace xlac
