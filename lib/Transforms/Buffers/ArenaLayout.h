// Assigns arena offsets to buffers with limited lifetimes. It depends only on
// sizes and lifetimes.
#ifndef XLAC_LIB_TRANSFORMS_ARENALAYOUT_H
#define XLAC_LIB_TRANSFORMS_ARENALAYOUT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>

namespace xlac::transforms {

/// A buffer of `size` bytes that is in use at all times from `first` to `last`.
struct ArenaSlice {
  int64_t size = 0;
  int64_t first = 0, last = 0;
  int64_t offset = 0;
  /// The spare buffer that it begins, or nothing if it is in the arena.
  std::optional<unsigned> spare;
};

/// A buffer of `size` bytes outside of the arena that slices may use at all
/// times before `first`.
struct SpareBuffer {
  int64_t size = 0;
  int64_t first = 0;
};

/// Assigns a 64-byte aligned offset in the arena or a spare buffer to every
/// slice, such that no two slices in use at the same time overlap. Slices are
/// in spare buffers only where the arena would be larger otherwise, because
/// memory that is used again is in caches. Returns the size of the arena in
/// bytes.
int64_t layOutArena(llvm::MutableArrayRef<ArenaSlice> slices,
                    llvm::ArrayRef<SpareBuffer> spares = {});

} // namespace xlac::transforms

#endif
