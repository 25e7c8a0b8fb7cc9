// Copies of boxes between row-major arrays, gathered first and then done
// together, on several threads where that pays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xlac {

/// Part of an array: `at` elements along dimension `dim`.
struct BoxPlace {
  const std::vector<int64_t> &dims;
  size_t dim;
  int64_t at;
};

class BlockCopies {
public:
  /// A box of `shape`, of elements of so many bytes, from one array to another;
  /// it must lie within both.
  void add_box(const std::vector<int64_t> &shape, int64_t element_bytes,
               const void *from, BoxPlace from_place, void *to,
               BoxPlace to_place);
  /// A run of bytes; nothing where both are one.
  void add_run(const void *from, void *to, int64_t bytes);

  /// Does all that was added on at most `threads` threads, 0 for all, and
  /// forgets it. What is copied must not overlap what is written.
  void run(int threads);

private:
  /// Loops over `shape`, innermost a run of `bytes`.
  struct Block {
    std::vector<int64_t> shape, from_strides, to_strides;
    int64_t bytes = 0;
    const std::byte *from = nullptr;
    std::byte *to = nullptr;

    void copy(const std::byte *source, std::byte *target, size_t d) const;
  };
  static int32_t copy_blocks(void *blocks, int64_t begin, int64_t end);

  std::vector<Block> blocks_;
  int64_t total_ = 0;
};

} // namespace xlac
