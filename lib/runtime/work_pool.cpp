#include "xlac/runtime/work_pool.h"

#include "xlac/runtime/signal_masked_thread.h"
#include "xlac/support/clock.h"
#include "xlac/support/cores.h"
#include "xlac/support/fork.h"

#include <algorithm>
#include <atomic>
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

} // namespace

namespace {
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

} // namespace

/// One loop; it lives on its caller's stack until no helper uses it. Each
/// thread starts with its own range, the same in every loop, so that it finds
/// data of previous kernels in its core's cache. Threads that are done help the
/// others.
struct WorkPool::Job {
  Piece piece;
  void *state;
  int64_t n, grain;
  int threads, parts;
  std::atomic<int32_t> status{0};
  std::atomic<uint32_t> helpers{0};
  int slots; ///< helpers that may still join; guarded by the pool's mutex
  Job *following = nullptr;
  Range ranges[kMostParts];

  Job(Piece piece, void *state, int64_t n, int64_t least_grain, int most)
      : piece(piece), state(state), n(n),
        grain(std::max({least_grain, int64_t{1}, n / INT32_MAX + 1})) {
    assert(piece && n > 0 && "a loop has pieces");
    int64_t pieces = (n - 1) / grain + 1;
    assert(pieces <= UINT32_MAX && most >= 1 && "both bounds fit a word");
    threads = static_cast<int>(std::min<int64_t>(most, pieces));
    slots = threads - 1;
    parts = std::min(threads, kMostParts);
    for (int64_t part = 0; part < parts; ++part)
      ranges[part].set(static_cast<uint32_t>(pieces * part / parts),
                       static_cast<uint32_t>(pieces * (part + 1) / parts));
  }

  bool has_work() const {
    return std::any_of(ranges, ranges + parts,
                       [](const Range &range) { return !range.is_empty(); });
  }

  void work(int thread) {
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

struct WorkPool::State final : public ForkStep {
  State() : ForkStep(ForkRank::Inner) { enlist(); }

  bool try_hold(Clock::time_point end) override {
    return mutex.try_lock_until(end);
  }
  void release(bool in_child) override {
    // The child has neither the threads nor the callers of these jobs.
    if (in_child) {
      started = false;
      jobs = nullptr;
    }
    mutex.unlock();
  }

  std::timed_mutex mutex;
  Job *jobs = nullptr; ///< guarded by the mutex
  bool started = false;
  std::atomic<int> members{0}; ///< started threads; numbers them
  /// Counts announced jobs; idle threads sleep on it.
  std::atomic<uint32_t> epoch{0};
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

/// The caller holds the mutex. Starting fewer threads than wanted is not a
/// failure.
void WorkPool::start_threads() {
  state_->started = true;
  state_->members = 0;
  for (int i = 1; i < size_; ++i) {
    pthread_t thread;
    if (!start_signal_masked_thread(thread, "xlac-work", thread_main, this))
      break;
    pthread_detach(thread);
  }
}

WorkPool::Job *WorkPool::join() {
  std::lock_guard lock(state_->mutex);
  for (Job *job = state_->jobs; job; job = job->following) {
    if (job->slots == 0 || !job->has_work())
      continue;
    --job->slots;
    job->helpers.fetch_add(1, std::memory_order_relaxed);
    return job;
  }
  return nullptr;
}

/// The mutex keeps the job alive until its last helper has notified.
void WorkPool::leave(Job &job) {
  std::lock_guard lock(state_->mutex);
  assert(job.helpers.load() > 0 && "only helpers leave");
  if (job.helpers.fetch_sub(1, std::memory_order_release) == 1)
    job.helpers.notify_one();
}

void WorkPool::work() {
  State &state = *state_;
  int thread = ++state.members; // callers have number 0
  SpinTime spin;
  while (true) {
    uint32_t seen = state.epoch.load();
    if (Job *job = join()) {
      job->work(thread);
      leave(*job);
      continue;
    }
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
  if (job.threads == 1) {
    job.work(0);
    return job.status.load();
  }
  {
    std::lock_guard lock(state_->mutex);
    if (!state_->started)
      start_threads();
    job.following = state_->jobs;
    state_->jobs = &job;
  }
  state_->epoch.fetch_add(1);
  if (job.threads == size_)
    state_->epoch.notify_all();
  else
    for (int i = 1; i < job.threads; ++i)
      state_->epoch.notify_one();
  job.work(0);
  {
    std::lock_guard lock(state_->mutex);
    Job **link = &state_->jobs;
    while (*link != &job)
      link = &(*link)->following;
    *link = job.following;
  }
  auto done = [&] { return job.helpers.load(std::memory_order_acquire) == 0; };
  if (!spin_until(done, kMostSpin))
    while (uint32_t left = job.helpers.load(std::memory_order_acquire))
      job.helpers.wait(left);
  std::lock_guard lock(state_->mutex);
  return job.status.load();
}

} // namespace xlac::runtime
