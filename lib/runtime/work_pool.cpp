#include "xlac/runtime/work_pool.h"

#include "xlac/runtime/float_mode.h"
#include "xlac/runtime/signal_masked_thread.h"
#include "xlac/support/clock.h"
#include "xlac/support/cores.h"
#include "xlac/support/fork.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <immintrin.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>

namespace xlac::runtime {

namespace {

using std::chrono::microseconds;

/// Time that an idle thread spins at least before it sleeps: about the time
/// until the next launch in a chain of small kernels.
constexpr microseconds kLeastSpin{20};
/// Time that it spins at most: many times what it takes to wake a thread, which
/// in a virtual machine is about 50 microseconds.
constexpr microseconds kMostSpin{1000};
/// After this time a spinning thread lets others have its core now and then.
constexpr microseconds kYieldAfter{50};

thread_local bool in_piece = false;

/// Spins until `done()` is true or `limit` has passed.
template <class Done> bool spin_until(Done done, microseconds limit) {
  auto begin = Clock::now();
  while (true) {
    for (int i = 0; i < 32; ++i) {
      if (done())
        return true;
      _mm_pause();
    }
    auto spun = Clock::now() - begin;
    if (spun >= limit)
      return false;
    if (spun >= kYieldAfter)
      sched_yield();
  }
}

/// How long a thread spins for the next loop: long while loops follow each
/// other closely, little when the process is idle.
class SpinTime {
public:
  microseconds get() const { return time_; }
  /// The thread was idle for this time until the next loop began.
  void add(Clock::duration idle) {
    time_ = idle < kMostSpin ? kMostSpin : std::max(kLeastSpin, time_ / 2);
  }

private:
  microseconds time_ = kMostSpin;
};

/// Pieces [begin, end) that no thread has taken yet, packed so that both bounds
/// change atomically. The owner takes from the front, other threads from the
/// back.
class alignas(64) Range {
public:
  void set(uint32_t begin, uint32_t end) {
    assert(begin <= end && "a part ends after its begin");
    bounds_.store(pack(begin, end), std::memory_order_relaxed);
  }
  bool is_empty() const {
    uint64_t bounds = bounds_.load(std::memory_order_relaxed);
    return begin_of(bounds) >= end_of(bounds);
  }
  /// The piece, or -1 if none is left.
  int64_t take(bool from_front) {
    uint64_t bounds = bounds_.load(std::memory_order_relaxed);
    while (begin_of(bounds) < end_of(bounds)) {
      uint32_t begin = begin_of(bounds), end = end_of(bounds);
      uint64_t rest = from_front ? pack(begin + 1, end) : pack(begin, end - 1);
      if (bounds_.compare_exchange_weak(bounds, rest,
                                        std::memory_order_relaxed))
        return from_front ? begin : end - 1;
    }
    return -1;
  }

private:
  static uint64_t pack(uint32_t begin, uint32_t end) {
    return uint64_t{begin} << 32 | end;
  }
  static uint32_t begin_of(uint64_t bounds) { return bounds >> 32; }
  static uint32_t end_of(uint64_t bounds) {
    return static_cast<uint32_t>(bounds);
  }

  std::atomic<uint64_t> bounds_;
};

/// One loop; it lives on its caller's stack until no helper uses it. Each
/// thread starts with its own range, the same in every loop, so that it finds
/// data of previous kernels in its core's cache. Threads that are done help the
/// others.
struct Job {
  WorkPool::Piece piece;
  void *state;
  int64_t n, grain;
  int threads, parts;
  unsigned float_mode = current_float_mode(); ///< of the caller
  std::atomic<int32_t> status{0};
  Range ranges[WorkPool::kMostParts];

  Job(WorkPool::Piece piece, void *state, int64_t n, int64_t least_grain,
      int most)
      : piece(piece), state(state), n(n),
        grain(std::max({least_grain, int64_t{1}, n / INT32_MAX + 1})) {
    assert(piece && n > 0 && "a loop has pieces");
    int64_t pieces = (n - 1) / grain + 1;
    assert(pieces <= UINT32_MAX && most >= 1 && "both bounds fit a word");
    threads = static_cast<int>(std::min<int64_t>(most, pieces));
    parts = std::min(threads, WorkPool::kMostParts);
    for (int64_t part = 0; part < parts; ++part)
      ranges[part].set(static_cast<uint32_t>(pieces * part / parts),
                       static_cast<uint32_t>(pieces * (part + 1) / parts));
  }

  /// Returns when no piece is left to take.
  void work(int thread) {
    FloatMode mode(float_mode);
    bool outer = in_piece;
    in_piece = true;
    for (int i = 0; i < parts; ++i) {
      Range &range = ranges[(thread + i) % parts];
      for (int64_t index; (index = range.take(i == 0)) >= 0;) {
        if (status.load(std::memory_order_relaxed) != 0)
          break;
        int64_t begin = index * grain;
        assert(begin < n && "a piece begins inside the loop");
        int32_t failed =
            piece(state, begin, std::min(n - begin, grain) + begin);
        int32_t none = 0;
        if (failed)
          status.compare_exchange_strong(none, failed);
      }
    }
    in_piece = outer;
  }
};

/// Where a caller announces a loop. Helpers join and leave it with one atomic
/// operation each: a lock would make the threads of a large machine sleep and
/// wake one after another at the begin and the end of every loop. Slots outlive
/// loops, so that threads may read them at any time.
class alignas(64) Slot {
public:
  /// Announces a loop that at most `wanted` helpers may join.
  void open(Job &job, int wanted) {
    assert(wanted >= 0 && wanted <= kHelpers && "both counts fit a word");
    job_ = &job;
    counts_.store(static_cast<uint32_t>(wanted) * kWanted,
                  std::memory_order_release);
  }
  /// The announced loop, or null if no further helper may join.
  Job *join() {
    uint32_t counts = counts_.load(std::memory_order_relaxed);
    while (counts >= kWanted)
      if (counts_.compare_exchange_weak(counts, counts - kWanted + 1,
                                        std::memory_order_acquire,
                                        std::memory_order_relaxed))
        return job_;
    return nullptr;
  }
  /// A helper leaves when no piece is left; nobody needs to join after that.
  void leave() {
    uint32_t counts = counts_.load(std::memory_order_relaxed);
    uint32_t rest = 0;
    do {
      // In the child of a fork within a piece, nothing waits for the helper.
      if ((counts & kHelpers) == 0)
        return;
      rest = (counts & kHelpers) - 1;
    } while (!counts_.compare_exchange_weak(
        counts, rest, std::memory_order_release, std::memory_order_relaxed));
    if (rest == 0)
      counts_.notify_one();
  }
  /// Lets no further helper join and waits until all have left.
  void close() {
    counts_.fetch_and(kHelpers, std::memory_order_relaxed);
    auto helpers = [&] { return counts_.load(std::memory_order_acquire); };
    if (!spin_until([&] { return helpers() == 0; }, kMostSpin))
      while (uint32_t left = helpers())
        counts_.wait(left, std::memory_order_acquire);
  }
  /// In the child of a fork, which has no helpers.
  void reset() { counts_.store(0, std::memory_order_relaxed); }

private:
  static constexpr uint32_t kWanted = 1u << 16;
  static constexpr uint32_t kHelpers = kWanted - 1;

  Job *job_ = nullptr;
  std::atomic<uint32_t> counts_{0}; ///< helpers wanted, and helpers
};

} // namespace

struct WorkPool::State final : public ForkStep {
  /// Loops that may run at once on several threads; further ones run on their
  /// callers' threads only.
  static constexpr int kSlots = 64;

  State() : ForkStep(ForkRank::Inner) { enlist(); }

  bool try_hold(Clock::time_point end) override {
    return mutex.try_lock_until(end);
  }
  void release(bool in_child) override {
    // The child has neither the threads nor the callers of these loops.
    if (in_child) {
      started = false;
      taken = 0;
      for (Slot &slot : slots)
        slot.reset();
    }
    mutex.unlock();
  }

  /// The number of a free slot, or -1.
  int take_slot() {
    uint64_t seen = taken.load(std::memory_order_relaxed);
    while (~seen != 0) {
      int slot = std::countr_one(seen);
      if (taken.compare_exchange_weak(seen, seen | uint64_t{1} << slot))
        return slot;
    }
    return -1;
  }
  void free_slot(int slot) { taken.fetch_and(~(uint64_t{1} << slot)); }

  /// Takes part in one announced loop; false if there is none.
  bool help(int thread) {
    for (uint64_t left = taken.load(); left != 0; left &= left - 1) {
      Slot &slot = slots[std::countr_zero(left)];
      if (Job *job = slot.join()) {
        job->work(thread);
        slot.leave();
        return true;
      }
    }
    return false;
  }

  std::timed_mutex mutex; ///< held while threads start
  std::atomic<bool> started{false};
  std::atomic<int> members{0};    ///< started threads; numbers them
  std::atomic<uint64_t> taken{0}; ///< slots in use, one bit each
  Slot slots[kSlots];
  /// Counts announced loops; idle threads sleep on it.
  alignas(64) std::atomic<uint32_t> epoch{0};
};

// Never destroyed: threads may sleep in it when the process ends.
WorkPool::WorkPool()
    : size_(default_thread_count()), limit_(size_), state_(new State) {}

void WorkPool::set_limit(int threads) {
  limit_.store(std::clamp(threads, 1, size_), std::memory_order_relaxed);
}

WorkPool &WorkPool::process() {
  static WorkPool *pool = new WorkPool();
  return *pool;
}

void *WorkPool::thread_main(void *pool) {
  static_cast<WorkPool *>(pool)->work();
  return nullptr;
}

/// Starting fewer threads than wanted is not a failure.
void WorkPool::start_threads() {
  std::lock_guard lock(state_->mutex);
  if (state_->started)
    return;
  state_->members = 0;
  for (int i = 1; i < size_; ++i) {
    pthread_t thread;
    if (!start_signal_masked_thread(thread, "xlac-work", thread_main, this))
      break;
    pthread_detach(thread);
  }
  state_->started = true;
}

void WorkPool::work() {
  State &state = *state_;
  int thread = ++state.members; // callers have number 0
  SpinTime spin;
  while (true) {
    uint32_t seen = state.epoch.load();
    if (state.help(thread))
      continue;
    auto idle_since = Clock::now();
    if (!spin_until([&] { return state.epoch.load() != seen; }, spin.get()))
      state.epoch.wait(seen);
    spin.add(Clock::now() - idle_since);
  }
}

int32_t WorkPool::run(Piece piece, void *state, int64_t n, int64_t grain,
                      int max_threads) {
  if (n <= 0)
    return 0;
  int most = limit();
  if (max_threads > 0)
    most = std::min(most, max_threads);
  // A nested loop runs on its own thread only.
  Job job(piece, state, n, grain, in_piece ? 1 : most);
  int number = job.threads > 1 ? state_->take_slot() : -1;
  if (number < 0) {
    job.work(0);
    return job.status.load();
  }
  if (!state_->started)
    start_threads();
  Slot &slot = state_->slots[number];
  slot.open(job, job.threads - 1);
  state_->epoch.fetch_add(1);
  if (job.threads == size_)
    state_->epoch.notify_all();
  else
    for (int i = 1; i < job.threads; ++i)
      state_->epoch.notify_one();
  job.work(0);
  slot.close();
  state_->free_slot(number);
  return job.status.load();
}

} // namespace xlac::runtime
