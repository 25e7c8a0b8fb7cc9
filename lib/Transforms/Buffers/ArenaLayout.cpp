#include "ArenaLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace xlac::transforms {

static constexpr int64_t kAlignment = 64;

/// Returns the offset of the smallest gap between `taken` (sorted by offset)
/// that can hold `size` bytes.
static int64_t bestFit(llvm::ArrayRef<const ArenaSlice *> taken, int64_t size) {
  int64_t best = -1, bestGap = std::numeric_limits<int64_t>::max();
  int64_t end = 0;
  for (const ArenaSlice *slice : taken) {
    int64_t gap = slice->offset - end;
    if (gap >= size && gap < bestGap) {
      best = end;
      bestGap = gap;
    }
    end = std::max(end, static_cast<int64_t>(llvm::alignTo(
                            slice->offset + slice->size, kAlignment)));
  }
  return best >= 0 ? best : end;
}

#ifndef NDEBUG
/// Asserts that every slice is aligned and inside the arena, and that slices in
/// use at the same time do not overlap.
static void verifyArena(llvm::ArrayRef<ArenaSlice> slices, int64_t total) {
  for (auto [number, slice] : llvm::enumerate(slices)) {
    assert(slice.offset >= 0 && slice.offset % kAlignment == 0 &&
           slice.offset + slice.size <= total &&
           "a slice is aligned and inside the arena");
    for (const ArenaSlice &other : slices.drop_front(number + 1))
      assert((slice.size == 0 || other.size == 0 || slice.last < other.first ||
              other.last < slice.first ||
              slice.offset + slice.size <= other.offset ||
              other.offset + other.size <= slice.offset) &&
             "slices in use at the same time do not overlap");
  }
}
#endif
int64_t layOutArena(llvm::MutableArrayRef<ArenaSlice> slices) {
  // Large buffers first, so that small ones fill the gaps between them.
  llvm::SmallVector<unsigned> order(slices.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    if (slices[a].size != slices[b].size)
      return slices[a].size > slices[b].size;
    return slices[a].first < slices[b].first;
  });
  int64_t total = 0;
  llvm::SmallVector<const ArenaSlice *> placed, taken;
  for (unsigned number : order) {
    ArenaSlice &slice = slices[number];
    assert(slice.size >= 0 && slice.first <= slice.last &&
           "a slice has a size and is used from a time to a later one");
    taken.clear();
    for (const ArenaSlice *other : placed)
      if (other->first <= slice.last && slice.first <= other->last)
        taken.push_back(other);
    std::sort(taken.begin(), taken.end(),
              [](const ArenaSlice *a, const ArenaSlice *b) {
                return a->offset < b->offset;
              });
    slice.offset = slice.size == 0 ? 0 : bestFit(taken, slice.size);
    total = std::max(total, slice.offset + slice.size);
    if (slice.size > 0)
      placed.push_back(&slice);
  }
  total = static_cast<int64_t>(llvm::alignTo(total, kAlignment));
#ifndef NDEBUG
  verifyArena(slices, total);
#endif
  return total;
}

} // namespace xlac::transforms
