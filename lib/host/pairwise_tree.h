// Where what blocks of elements give meets: a binary tree, so that rounding
// errors grow with the logarithm of the number of blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xlac::host {

/// `fold(T &left, const T &right)` makes `left` what both give.
template <class T, class Fold> class PairwiseTree {
public:
  /// Elements that callers fold one after the other before they push.
  static constexpr int64_t kBlock = 32;

  explicit PairwiseTree(Fold fold) : fold_(std::move(fold)) {}

  /// Adds what a block gives.
  void push(T value) {
    // The full levels are those that a counter of blocks carries through.
    size_t level = 0;
    for (; blocks_ >> level & 1; ++level) {
      fold_(levels_[level], value);
      value = std::move(levels_[level]);
    }
    levels_[level] = std::move(value);
    ++blocks_;
  }
  /// All of it behind `value`.
  T behind(T value) const {
    for (size_t level = levels_.size(); level-- > 0;)
      if (blocks_ >> level & 1)
        fold_(value, levels_[level]);
    return value;
  }

private:
  Fold fold_;
  uint64_t blocks_ = 0;
  std::array<T, 64> levels_; ///< at k what 2^k blocks give, or nothing
};

} // namespace xlac::host
