// Stand-ins for the kernels of a table: entry points that know their number. A
// driver calls a kernel by its address alone, so a profiler that wants to know
// which one it was must give each number an address of its own. Private to the
// component.
#pragma once

#include "xlac/abi/abi.h"
#include "xlac/support/result.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace xlac::runtime {

class KernelThunks {
public:
  /// What a stand-in does: a kernel's arguments, then its number.
  using Target = int32_t (*)(const xlac_ctx *ctx, void *const *buffers,
                             const int64_t *extents, int64_t begin, int64_t end,
                             uint32_t number);

  explicit KernelThunks(Target target) : target_(target) {}
  ~KernelThunks();
  KernelThunks(const KernelThunks &) = delete;
  KernelThunks &operator=(const KernelThunks &) = delete;

  /// Makes stand-ins for numbers below `count`; earlier ones stay valid. Not to
  /// be called while another thread does.
  Status reserve(size_t count);
  /// A table of `count` stand-ins at least.
  const xlac_kernel_fn *table() const { return table_.data(); }
  /// The number of a stand-in; nothing for any other function.
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
