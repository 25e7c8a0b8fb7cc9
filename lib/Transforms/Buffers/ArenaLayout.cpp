#include "ArenaLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace xlac::transforms {

static constexpr int64_t kAlignment = 64;

static bool overlapInTime(const ArenaSlice &a, const ArenaSlice &b) {
  return a.first <= b.last && b.first <= a.last;
}

/// Returns the offset of the smallest gap that can hold `slice` between those
/// of `placed` (sorted by offset) that are in use at the same time.
static int64_t bestFit(llvm::ArrayRef<const ArenaSlice *> placed,
                       const ArenaSlice &slice) {
  int64_t best = -1, bestGap = std::numeric_limits<int64_t>::max();
  int64_t end = 0;
  for (const ArenaSlice *other : placed) {
    if (!overlapInTime(slice, *other))
      continue;
    int64_t gap = other->offset - end;
    if (gap >= slice.size && gap < bestGap) {
      best = end;
      bestGap = gap;
    }
    end = std::max(end, static_cast<int64_t>(llvm::alignTo(
                            other->offset + other->size, kAlignment)));
  }
  return best >= 0 ? best : end;
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

/// An order of slices: those with a larger value come first.
using Priority = double (*)(const ArenaSlice &);

static double lifetime(const ArenaSlice &slice) {
  return double(slice.last - slice.first + 1);
}

/// Large slices first, so that small ones fill the gaps between them. Where
/// that leaves gaps that none fits into, another order may not.
static constexpr Priority kPriorities[] = {
    [](const ArenaSlice &slice) { return double(slice.size); },
    [](const ArenaSlice &slice) {
      return double(slice.size) * lifetime(slice);
    },
    lifetime,
    [](const ArenaSlice &slice) { return -double(slice.first); },
    [](const ArenaSlice &slice) { return double(slice.last); },
};

/// The most slices for which all orders are tried.
static constexpr size_t kFewSlices = 2048;

/// Returns the bytes of the slices in use at the time when they are most.
static int64_t mostAtOnce(llvm::ArrayRef<ArenaSlice> slices) {
  llvm::SmallVector<std::pair<int64_t, int64_t>> changes;
  for (const ArenaSlice &slice : slices) {
    auto size = int64_t(llvm::alignTo(slice.size, kAlignment));
    changes.push_back({slice.first, size});
    changes.push_back({slice.last + 1, -size});
  }
  llvm::sort(changes);
  int64_t now = 0, most = 0;
  for (auto [time, change] : changes)
    most = std::max(most, now += change);
  return most;
}

/// Places all slices in the order of `priority`. Returns the bytes of the
/// arena. Stops when these are `limit` or more.
static int64_t place(llvm::MutableArrayRef<ArenaSlice> slices,
                     llvm::ArrayRef<SpareBuffer> spares, Priority priority,
                     int64_t limit) {
  llvm::SmallVector<unsigned> order(slices.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    double first = priority(slices[a]), second = priority(slices[b]);
    if (first != second)
      return first > second;
    if (slices[a].size != slices[b].size)
      return slices[a].size > slices[b].size;
    return slices[a].first < slices[b].first;
  });
  int64_t total = 0;
  llvm::SmallVector<const ArenaSlice *> placed; // by offset
  llvm::SmallVector<llvm::SmallVector<const ArenaSlice *>> inSpares(
      spares.size());
  for (unsigned number : order) {
    ArenaSlice &slice = slices[number];
    assert(slice.size >= 0 && slice.first <= slice.last &&
           "a slice has a size and is used from a time to a later one");
    slice.offset = 0;
    slice.spare.reset();
    if (slice.size == 0)
      continue;
    int64_t offset = bestFit(placed, slice);
    if (offset + slice.size > total)
      slice.spare = findSpare(slice, spares, inSpares);
    if (slice.spare) {
      inSpares[*slice.spare].push_back(&slice);
      continue;
    }
    slice.offset = offset;
    total = std::max(total, offset + slice.size);
    if (total >= limit)
      return total;
    placed.insert(
        llvm::upper_bound(placed, offset,
                          [](int64_t offset, const ArenaSlice *other) {
                            return offset < other->offset;
                          }),
        &slice);
  }
  return static_cast<int64_t>(llvm::alignTo(total, kAlignment));
}

/// Places all slices in the order that gives the smallest arena, if that is
/// smaller than `least`. Stops at an arena of `enough` bytes.
static int64_t placeBest(llvm::MutableArrayRef<ArenaSlice> slices,
                         llvm::ArrayRef<SpareBuffer> spares, int64_t least,
                         int64_t enough) {
  llvm::SmallVector<ArenaSlice> tried(slices.begin(), slices.end());
  for (Priority priority : kPriorities) {
    if (int64_t total = place(tried, spares, priority, least); total < least) {
      least = total;
      llvm::copy(tried, slices.begin());
    }
    if (least <= enough || slices.size() > kFewSlices)
      break;
  }
  return least;
}

int64_t layOutArena(llvm::MutableArrayRef<ArenaSlice> slices,
                    llvm::ArrayRef<SpareBuffer> spares) {
  int64_t total = placeBest(slices, {}, std::numeric_limits<int64_t>::max(),
                            mostAtOnce(slices));
  if (!spares.empty())
    total = placeBest(slices, spares, total, 0);
#ifndef NDEBUG
  verifyArena(slices, spares, total);
#endif
  return total;
}

} // namespace xlac::transforms
