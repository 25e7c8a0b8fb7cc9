// Copies between row-major arrays. They are collected and then executed
// together, on several threads if that is faster.
#pragma once

#include "xlac/runtime/collective_plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xlac::runtime {

class BlockCopies {
public:
  /// Adds a copy of the slice `source` of `from` to the slice `target` of `to`.
  /// The rows of one must be a multiple of the rows of the other.
  void add_strided_bytes(const void *from, const StridedBytes &source, void *to,
                         const StridedBytes &target);
  /// Adds a contiguous copy; does nothing if source and target are equal.
  void add_run(const void *from, void *to, int64_t bytes);

  /// Executes and clears all added copies on at most `threads` threads; 0 means
  /// all. Sources must not overlap targets.
  void run(int threads);

private:
  /// Two nested loops around contiguous `bytes`, with the strides of both
  /// arrays.
  struct Block {
    int64_t bytes = 0;
    const std::byte *from = nullptr;
    std::byte *to = nullptr;
    int64_t outer = 1, from_outer = 0, to_outer = 0;
    int64_t inner = 1, from_inner = 0, to_inner = 0;

    void copy() const;
  };
  static int32_t copy_blocks(void *blocks, int64_t begin, int64_t end);

  std::vector<Block> blocks_;
  int64_t total_ = 0;
};

} // namespace xlac::runtime
