// Assigns arena offsets to buffers with limited lifetimes. It depends only on
// sizes and lifetimes.
#ifndef XLAC_LIB_TRANSFORMS_ARENALAYOUT_H
#define XLAC_LIB_TRANSFORMS_ARENALAYOUT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace xlac::transforms {

/// A buffer of `size` bytes that is in use at all times from `first` to `last`.
struct ArenaSlice {
  int64_t size = 0;
  int64_t first = 0, last = 0;
  int64_t offset = 0;
};

/// Assigns a 64-byte aligned offset to every slice, such that no two slices in
/// use at the same time overlap. Returns the size of the arena in bytes.
int64_t layOutArena(llvm::MutableArrayRef<ArenaSlice> slices);

} // namespace xlac::transforms

#endif
