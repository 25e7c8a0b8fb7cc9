// Thunks for the kernels of a table: entry points that pass on the kernel's
// number. A driver calls a kernel by its address only, so a profiler needs a
// distinct address for each number. Private to the component.
#pragma once

#include "xlac/abi/abi.h"
#include "xlac/support/result.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace xlac::runtime {

class KernelThunks {
public:
  /// The function that a thunk jumps to, with the kernel's arguments and its
  /// number.
  using Target = int32_t (*)(const xlac_ctx *ctx, void *const *buffers,
                             const int64_t *extents, int64_t begin, int64_t end,
                             uint32_t number);

  explicit KernelThunks(Target target) : target_(target) {}
  ~KernelThunks();
  KernelThunks(const KernelThunks &) = delete;
  KernelThunks &operator=(const KernelThunks &) = delete;

  /// Makes thunks for numbers below `count`; existing ones stay valid. Not
  /// thread-safe.
  Status reserve(size_t count);
  /// A table of at least `count` thunks.
  const xlac_kernel_fn *table() const { return table_.data(); }
  /// The number of a thunk; empty for other functions.
  std::optional<uint32_t> number_of(xlac_kernel_fn function) const;

private:
  struct Block {
    std::byte *code;
    size_t bytes;
    uint32_t first;
  };

  const Target target_;
  std::vector<Block> blocks_;
  std::vector<xlac_kernel_fn> table_;
};

} // namespace xlac::runtime
