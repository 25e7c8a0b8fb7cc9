// Combines partial results of blocks in a binary tree, so that rounding errors
// grow with the logarithm of the number of blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xlac::host {

/// `fold(T &left, const T &right)` combines both into `left`.
template <class T, class Fold> class PairwiseTree {
public:
  /// Number of elements that callers reduce sequentially before they push.
  static constexpr int64_t kBlock = 32;

  explicit PairwiseTree(Fold fold) : fold_(std::move(fold)) {}

  /// Adds the partial result of a block.
  void push(T value) {
    // Merges full levels, like the carry of a binary counter of blocks.
    size_t level = 0;
    for (; blocks_ >> level & 1; ++level) {
      fold_(levels_[level], value);
      value = std::move(levels_[level]);
    }
    levels_[level] = std::move(value);
    ++blocks_;
  }
  /// Combines `value` with all pushed results, in order.
  T fold_after(T value) const {
    for (size_t level = levels_.size(); level-- > 0;)
      if (blocks_ >> level & 1)
        fold_(value, levels_[level]);
    return value;
  }

private:
  Fold fold_;
  uint64_t blocks_ = 0;
  std::array<T, 64> levels_; ///< entry k: the result of 2^k blocks, or nothing
};

} // namespace xlac::host
