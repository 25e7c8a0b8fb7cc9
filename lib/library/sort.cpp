// Sorts rows of elements: by radix sort of whole rows, by radix sort of the
// buckets of long rows, or by selection if only the first few elements are
// needed. The division into pieces depends only on shapes and data, not on the
// number of threads.
#include "sort_entries.h"
#include "xlac/library/routine_list.h"

#include "xlac/support/target_profile.h"

#include <string>

namespace xlac::library {

namespace {

constexpr int64_t kBuckets = int64_t(1) << XLAC_SORT_BUCKET_BITS;

struct Call {
  Call(void *const *buffers, const int64_t *parameters)
      : rows(static_cast<const char *>(buffers[0])),
        result(static_cast<char *>(buffers[1])),
        workspace(static_cast<char *>(buffers[2])),
        step(parameters[XLAC_SORT_AT_STEP]),
        first(parameters[XLAC_SORT_AT_FIRST]),
        last(parameters[XLAC_SORT_AT_LAST]),
        bytes(parameters[XLAC_SORT_AT_BYTES]),
        order(parameters[XLAC_SORT_AT_ORDER]),
        flags(parameters[XLAC_SORT_AT_FLAGS]),
        count(parameters[XLAC_SORT_AT_COUNT]),
        keep(parameters[XLAC_SORT_AT_KEEP]),
        chunks(parameters[XLAC_SORT_AT_CHUNKS]) {}

  const char *rows;
  char *result, *workspace;
  int64_t step, first, last, bytes, order, flags, count, keep, chunks;
};

/// The range of a chunk's elements.
struct Range {
  uint64_t least, most;
  uint64_t changed; ///< some element differs from its canonical one
};

/// Elements at any address.
template <class T> struct Row {
  const char *bytes;

  T operator[](int64_t i) const {
    T value;
    std::memcpy(&value, bytes + i * static_cast<int64_t>(sizeof value),
                sizeof value);
    return value;
  }
  Row operator+(int64_t i) const {
    return {bytes + i * static_cast<int64_t>(sizeof(T))};
  }
};

template <class Map>
[[gnu::always_inline]] inline Range
range_of(const Map &map, Row<typename Map::Element> from, int64_t count) {
  using Key = typename Map::Key;
  Key least = std::numeric_limits<Key>::max(), most = 0;
  typename Map::Element changed = 0;
  for (int64_t i = 0; i < count; ++i) {
    typename Map::Element raw = from[i];
    Key key = map(raw);
    least = key < least ? key : least;
    most = key > most ? key : most;
    changed |= raw ^ map.canonical(raw);
  }
  return {least, most, changed};
}

template <class Map>
[[gnu::always_inline]] inline typename Map::Key
least_of(const Map &map, Row<typename Map::Element> from, int64_t count) {
  auto least = std::numeric_limits<typename Map::Key>::max();
  for (int64_t i = 0; i < count; ++i) {
    typename Map::Key key = map(from[i]);
    least = key < least ? key : least;
  }
  return least;
}

/// Number of elements that least_of scans at once when candidates are rare.
constexpr int64_t kScanned = 32;

template <class Map>
[[gnu::always_inline]] inline int64_t
skip_blocks(const Map &map, Row<typename Map::Element> from, int64_t begin,
            int64_t end, typename Map::Key bound) {
  while (begin + kScanned <= end &&
         least_of(map, from + begin, kScanned) >= bound)
    begin += kScanned;
  return begin;
}

#if defined(__x86_64__)
template <class Map>
[[gnu::target("avx2")]] Range
range_avx2(const Map &map, Row<typename Map::Element> from, int64_t count) {
  return range_of(map, from, count);
}
template <class Map>
[[gnu::target("avx2")]] int64_t
skip_avx2(const Map &map, Row<typename Map::Element> from, int64_t begin,
          int64_t end, typename Map::Key bound) {
  return skip_blocks(map, from, begin, end, bound);
}
#endif

template <class Map>
Range find_range(const Map &map, Row<typename Map::Element> from,
                 int64_t count) {
#if defined(__x86_64__)
  if (host_supports(kFeatureAvx2))
    return range_avx2(map, from, count);
#endif
  return range_of(map, from, count);
}

/// The first block in [begin, end) that has a key below `bound`, or the rest
/// that does not fill a block.
template <class Map>
int64_t find_candidates(const Map &map, Row<typename Map::Element> from,
                        int64_t begin, int64_t end, typename Map::Key bound) {
#if defined(__x86_64__)
  if (host_supports(kFeatureAvx2))
    return skip_avx2(map, from, begin, end, bound);
#endif
  return skip_blocks(map, from, begin, end, bound);
}

template <class Map, bool Positions> class Sorter {
  using Raw = typename Map::Element;
  using Key = typename Map::Key;
  using E = Entry<Key, Positions>;
  using Held = typename E::Type;
  using Placed = Entry<Key, true>;
  using Candidate = typename Placed::Type;
  using Out = std::conditional_t<Positions, int32_t, Raw>;

public:
  explicit Sorter(const Call &call)
      : call_(call), map_(call.flags), count_(call.count) {}

  void run() {
    for (int64_t task = call_.first; task < call_.last; ++task)
      run_task(task);
  }

private:
  void run_task(int64_t task) {
    int64_t chunks = std::max<int64_t>(1, call_.chunks);
    int64_t row = task / chunks, chunk = task % chunks;
    switch (call_.step) {
    case XLAC_SORT_ROWS:
      return call_.keep < count_ ? select_row(task) : sort_row(task);
    case XLAC_SORT_RANGE:
      return measure(row, chunk);
    case XLAC_SORT_COUNT:
      return count_buckets(row, chunk);
    case XLAC_SORT_DISTRIBUTE:
      return distribute(row, chunk);
    case XLAC_SORT_BUCKETS:
      return sort_buckets(row, chunk);
    case XLAC_SORT_SELECT:
      select(row_of(row), begin_of(chunk), begin_of(chunk + 1),
             candidates(row, chunk));
      return;
    case XLAC_SORT_MERGE:
      return merge(task);
    }
  }

  Row<Raw> row_of(int64_t row) const {
    return Row<Raw>{call_.rows} + row * count_;
  }
  Out *result_of(int64_t row) const {
    return reinterpret_cast<Out *>(call_.result) + row * call_.keep;
  }
  char *workspace_of(int64_t row) const {
    return call_.workspace + row * xlac_sort_workspace(call_.bytes, Positions,
                                                       count_, call_.keep,
                                                       call_.chunks);
  }
  Held *entries(int64_t row) const {
    return reinterpret_cast<Held *>(workspace_of(row));
  }
  Range *ranges(int64_t row) const {
    int64_t used = 2 * count_ * static_cast<int64_t>(sizeof(Held));
    return reinterpret_cast<Range *>(workspace_of(row) + (used + 63) / 64 * 64);
  }
  uint32_t *bucket_counts(int64_t row, int64_t chunk) const {
    return reinterpret_cast<uint32_t *>(ranges(row) + call_.chunks) +
           chunk * kBuckets;
  }
  int64_t begin_of(int64_t chunk) const {
    return chunk * count_ / call_.chunks;
  }

  void write(Held *sorted, int64_t count, Out *out) const {
    for (int64_t i = 0; i < count; ++i)
      if constexpr (Positions)
        out[i] = E::place(sorted[i]);
      else
        out[i] = map_.inverse(E::key(sorted[i]));
  }
  /// Replaces the canonical elements among `count` sorted elements by the row's
  /// own elements, in row order.
  void restore(Row<Raw> row, const Held *sorted, int64_t count, Out *out,
               Raw canonical) const {
    Key key = map_(canonical);
    const Held *end = sorted + count;
    const Held *found =
        std::lower_bound(sorted, end, key, [](const Held &entry, Key wanted) {
          return E::key(entry) < wanted;
        });
    if (found == end || E::key(*found) != key)
      return;
    Out *to = out + (found - sorted);
    for (int64_t i = 0; i < count_; ++i)
      if (Raw raw = row[i]; map_(raw) == key)
        *to++ = static_cast<Out>(raw);
  }
  /// Writes elements or indices; all equal elements must be among them.
  void finish(Row<Raw> row, Held *sorted, int64_t count, Out *out,
              bool changed) const {
    write(sorted, count, out);
    if (Positions || !changed)
      return;
    if (map_.zeros)
      restore(row, sorted, count, out, 0);
    if (map_.nans)
      restore(row, sorted, count, out, Map::kNan);
  }

  void sort_row(int64_t row) const {
    Row<Raw> from = row_of(row);
    Held *data = reinterpret_cast<Held *>(call_.workspace);
    Raw changed = 0;
    for (int64_t i = 0; i < count_; ++i) {
      Raw raw = from[i];
      changed |= raw ^ map_.canonical(raw);
      data[i] = E::make(map_(raw), i);
    }
    Held *sorted = radix_sort<E>(data, data + count_, count_);
    finish(from, sorted, count_, result_of(row), changed != 0);
  }

  void measure(int64_t row, int64_t chunk) const {
    int64_t begin = begin_of(chunk), end = begin_of(chunk + 1);
    ranges(row)[chunk] = find_range(map_, row_of(row) + begin, end - begin);
  }
  /// The range of the whole row, and the shift that maps keys to buckets.
  Range range_of_row(int64_t row, int &shift) const {
    Range range = ranges(row)[0];
    for (int64_t chunk = 1; chunk < call_.chunks; ++chunk) {
      const Range &other = ranges(row)[chunk];
      range.least = std::min(range.least, other.least);
      range.most = std::max(range.most, other.most);
      range.changed |= other.changed;
    }
    int bits = std::bit_width(range.most - range.least);
    shift = std::max(0, bits - XLAC_SORT_BUCKET_BITS);
    return range;
  }
  void count_buckets(int64_t row, int64_t chunk) const {
    int shift;
    Key least = static_cast<Key>(range_of_row(row, shift).least);
    uint32_t *counts = bucket_counts(row, chunk);
    std::memset(counts, 0, kBuckets * sizeof *counts);
    Row<Raw> from = row_of(row);
    for (int64_t i = begin_of(chunk), end = begin_of(chunk + 1); i < end; ++i)
      ++counts[Key(map_(from[i]) - least) >> shift];
  }
  /// The start in each bucket of the row for elements of `chunk`: after the
  /// elements of earlier chunks.
  void find_starts(int64_t row, int64_t chunk, uint32_t *starts) const {
    uint32_t totals[kBuckets] = {}, before[kBuckets] = {};
    for (int64_t other = 0; other < call_.chunks; ++other) {
      const uint32_t *counts = bucket_counts(row, other);
      for (int64_t i = 0; i < kBuckets; ++i)
        totals[i] += counts[i];
      if (other < chunk)
        for (int64_t i = 0; i < kBuckets; ++i)
          before[i] += counts[i];
    }
    uint32_t start = 0;
    for (int64_t i = 0; i < kBuckets; ++i) {
      starts[i] = start + before[i];
      start += totals[i];
    }
  }
  void distribute(int64_t row, int64_t chunk) const {
    int shift;
    Key least = static_cast<Key>(range_of_row(row, shift).least);
    uint32_t starts[kBuckets];
    find_starts(row, chunk, starts);
    Held *to = entries(row);
    Row<Raw> from = row_of(row);
    for (int64_t i = begin_of(chunk), end = begin_of(chunk + 1); i < end; ++i) {
      Key key = map_(from[i]);
      to[starts[Key(key - least) >> shift]++] = E::make(key, i);
    }
  }
  /// Sorts the buckets that start in a span of the row.
  void sort_buckets(int64_t row, int64_t span) const {
    int shift;
    Range range = range_of_row(row, shift);
    uint32_t starts[kBuckets + 1];
    find_starts(row, 0, starts);
    starts[kBuckets] = static_cast<uint32_t>(count_);
    const uint32_t *bucket = std::lower_bound(
        starts, starts + kBuckets, static_cast<uint32_t>(begin_of(span)));
    for (; bucket < starts + kBuckets && *bucket < begin_of(span + 1);
         ++bucket) {
      int64_t start = bucket[0], size = bucket[1] - bucket[0];
      if (size == 0)
        continue;
      Held *data = entries(row) + start;
      Held *sorted = radix_sort<E>(data, data + count_, size);
      finish(row_of(row), sorted, size, result_of(row) + start,
             range.changed != 0);
    }
  }

  Candidate *candidates(int64_t row, int64_t chunk) const {
    return reinterpret_cast<Candidate *>(workspace_of(row)) +
           chunk * (2 * call_.keep + 64);
  }
  /// Stores the first `keep` elements of [begin, end), in any order, at the
  /// start of `kept`, which has 2 keep + 64 entries.
  int64_t select(Row<Raw> row, int64_t begin, int64_t end,
                 Candidate *kept) const {
    int64_t keep = call_.keep, capacity = 2 * keep + 64, size = 0;
    auto add = [&](int64_t i, Key key) { kept[size++] = Placed::make(key, i); };
    Key bound = 0;
    auto shrink = [&] {
      std::nth_element(kept, kept + (keep - 1), kept + size, Placed::less);
      size = keep;
      bound = Placed::key(kept[keep - 1]);
    };
    int64_t i = begin;
    for (int64_t head = std::min(end, begin + capacity); i < head; ++i)
      add(i, map_(row[i]));
    if (size <= keep)
      return size;
    shrink();
    // Later elements with an equal key come after the present ones.
    while (i < end) {
      i = find_candidates(map_, row, i, end, bound);
      for (int64_t stop = std::min(end, i + kScanned); i < stop; ++i) {
        Key key = map_(row[i]);
        if (key >= bound)
          continue;
        add(i, key);
        if (size == capacity)
          shrink();
      }
    }
    if (size > keep)
      shrink();
    return size;
  }
  void write_selected(Row<Raw> row, Candidate *kept, Out *out) const {
    std::sort(kept, kept + call_.keep, Placed::less);
    for (int64_t i = 0; i < call_.keep; ++i)
      if constexpr (Positions)
        out[i] = Placed::place(kept[i]);
      else
        out[i] = row[Placed::place(kept[i])];
  }
  void select_row(int64_t row) const {
    auto *kept = reinterpret_cast<Candidate *>(call_.workspace);
    if (call_.keep == 0)
      return;
    select(row_of(row), 0, count_, kept);
    write_selected(row_of(row), kept, result_of(row));
  }
  /// Every chunk has at least `keep` elements.
  void merge(int64_t row) const {
    Candidate *all = candidates(row, 0);
    int64_t keep = call_.keep;
    for (int64_t chunk = 1; chunk < call_.chunks; ++chunk)
      std::copy_n(candidates(row, chunk), keep, all + chunk * keep);
    std::nth_element(all, all + (keep - 1), all + call_.chunks * keep,
                     Placed::less);
    write_selected(row_of(row), all, result_of(row));
  }

  const Call &call_;
  Map map_;
  int64_t count_;
};

template <class Raw, xlac_sort_order Order> Status run(const Call &call) {
  using Map = KeyMap<Raw, Order>;
  if (call.flags & XLAC_SORT_POSITIONS)
    Sorter<Map, true>(call).run();
  else
    Sorter<Map, false>(call).run();
  return {};
}

template <class Raw> Status run_order(const Call &call) {
  switch (call.order) {
  case XLAC_SORT_UNSIGNED:
    return run<Raw, XLAC_SORT_UNSIGNED>(call);
  case XLAC_SORT_SIGNED:
    return run<Raw, XLAC_SORT_SIGNED>(call);
  case XLAC_SORT_FLOAT:
    if constexpr (sizeof(Raw) >= 2)
      return run<Raw, XLAC_SORT_FLOAT>(call);
    break;
  case XLAC_SORT_BFLOAT:
    if constexpr (sizeof(Raw) == 2)
      return run<Raw, XLAC_SORT_BFLOAT>(call);
    break;
  }
  return failure(FailureKind::Unsupported,
                 "sort: no order number " + std::to_string(call.order) +
                     " of elements of " + std::to_string(call.bytes) +
                     " bytes");
}

} // namespace

Status run_sort(void *const *buffers, const int64_t *parameters) {
  Call call(buffers, parameters);
  if (call.count <= 0)
    return {};
  switch (call.bytes) {
  case 1:
    return run_order<uint8_t>(call);
  case 2:
    return run_order<uint16_t>(call);
  case 4:
    return run_order<uint32_t>(call);
  case 8:
    return run_order<uint64_t>(call);
  }
  return failure(FailureKind::Unsupported,
                 "sort: elements of " + std::to_string(call.bytes) + " bytes");
}

} // namespace xlac::library
