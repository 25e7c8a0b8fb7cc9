// Offsets for buffers that live one after another in one arena. Knows sizes and
// times only, nothing of programs.
#ifndef XLAC_LIB_TRANSFORMS_ARENALAYOUT_H
#define XLAC_LIB_TRANSFORMS_ARENALAYOUT_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace xlac::transforms {

/// A buffer of `size` bytes that is in use at every time from `first` to
/// `last`.
struct ArenaSlice {
  int64_t size = 0;
  int64_t first = 0, last = 0;
  int64_t offset = 0;
};

/// Gives every slice a 64-byte aligned offset such that no two slices in use at
/// the same time overlap, and returns the bytes that the arena needs.
int64_t layOutArena(llvm::MutableArrayRef<ArenaSlice> slices);

} // namespace xlac::transforms

#endif
