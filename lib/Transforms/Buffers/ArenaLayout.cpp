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

static bool overlapInTime(const ArenaSlice &a, const ArenaSlice &b) {
  return a.first <= b.last && b.first <= a.last;
}

#ifndef NDEBUG
/// Asserts that every slice is aligned and inside the arena or at the start of
/// an unused spare buffer, and that slices in use at the same time do not
/// overlap.
static void verifyArena(llvm::ArrayRef<ArenaSlice> slices,
                        llvm::ArrayRef<SpareBuffer> spares, int64_t total) {
  for (auto [number, slice] : llvm::enumerate(slices)) {
    if (slice.spare)
      assert(slice.offset == 0 && slice.size <= spares[*slice.spare].size &&
             slice.last < spares[*slice.spare].first &&
             "a slice begins a spare buffer before its own use");
    else
      assert(slice.offset >= 0 && slice.offset % kAlignment == 0 &&
             slice.offset + slice.size <= total &&
             "a slice is aligned and inside the arena");
    for (const ArenaSlice &other : slices.drop_front(number + 1))
      assert((slice.size == 0 || other.size == 0 ||
              slice.spare != other.spare || !overlapInTime(slice, other) ||
              slice.offset + slice.size <= other.offset ||
              other.offset + other.size <= slice.offset) &&
             "slices in use at the same time do not overlap");
  }
}
#endif

/// Returns the smallest spare buffer that can hold `slice`, or nothing.
/// `placed` lists the slices of each spare buffer.
static std::optional<unsigned>
findSpare(const ArenaSlice &slice, llvm::ArrayRef<SpareBuffer> spares,
          llvm::ArrayRef<llvm::SmallVector<const ArenaSlice *>> placed) {
  std::optional<unsigned> best;
  for (auto [number, spare] : llvm::enumerate(spares))
    if (spare.size >= slice.size && slice.last < spare.first &&
        (!best || spare.size < spares[*best].size) &&
        llvm::none_of(
            placed[number],
            [&](const ArenaSlice *other) {
              return overlapInTime(slice, *other);
            }))
      best = number;
  return best;
}

/// Places all slices. Returns the bytes of the arena.
static int64_t place(llvm::MutableArrayRef<ArenaSlice> slices,
                     llvm::ArrayRef<SpareBuffer> spares) {
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
  llvm::SmallVector<llvm::SmallVector<const ArenaSlice *>> inSpares(
      spares.size());
  for (unsigned number : order) {
    ArenaSlice &slice = slices[number];
    assert(slice.size >= 0 && slice.first <= slice.last &&
           "a slice has a size and is used from a time to a later one");
    slice.offset = 0;
    if (slice.size == 0)
      continue;
    taken.clear();
    for (const ArenaSlice *other : placed)
      if (overlapInTime(slice, *other))
        taken.push_back(other);
    std::sort(taken.begin(), taken.end(),
              [](const ArenaSlice *a, const ArenaSlice *b) {
                return a->offset < b->offset;
              });
    int64_t offset = bestFit(taken, slice.size);
    if (offset + slice.size > total)
      slice.spare = findSpare(slice, spares, inSpares);
    if (slice.spare) {
      inSpares[*slice.spare].push_back(&slice);
      continue;
    }
    slice.offset = offset;
    total = std::max(total, offset + slice.size);
    placed.push_back(&slice);
  }
  return static_cast<int64_t>(llvm::alignTo(total, kAlignment));
}

int64_t layOutArena(llvm::MutableArrayRef<ArenaSlice> slices,
                    llvm::ArrayRef<SpareBuffer> spares) {
  llvm::SmallVector<ArenaSlice> shared(slices.begin(), slices.end());
  int64_t total = place(slices, {});
  if (!spares.empty())
    if (int64_t less = place(shared, spares); less < total) {
      total = less;
      llvm::copy(shared, slices.begin());
    }
#ifndef NDEBUG
  verifyArena(slices, spares, total);
#endif
  return total;
}

} // namespace xlac::transforms
