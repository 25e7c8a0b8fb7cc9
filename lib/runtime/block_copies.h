// Copies between row-major arrays, gathered first and then done
// together, on several threads where that pays.
#pragma once

#include "xlac/runtime/collective_plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xlac::runtime {

class BlockCopies {
public:
  /// What one strip has of the array at `from` to another's places in that at
  /// `to`; one's rows are multiples of the other's.
  void add_strided_bytes(const void *from, const StridedBytes &source, void *to,
                         const StridedBytes &target);
  /// A run of bytes; nothing where both are one.
  void add_run(const void *from, void *to, int64_t bytes);

  /// Does all that was added on at most `threads` threads, 0 for all, and
  /// forgets it. What is copied must not overlap what is written.
  void run(int threads);

private:
  /// Two loops around a run of `bytes`, with the steps of both arrays.
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
