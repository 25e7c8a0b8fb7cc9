#include "xlac/runtime/work_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <immintrin.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>

namespace xlac {

namespace {

/// How long a thread without work looks for some before it sleeps: about what
/// the next launch of a chain of small kernels needs to come along.
constexpr auto kSpin = std::chrono::microseconds(20);

thread_local bool in_piece = false;

/// Spins until `done` or kSpin has passed.
template <class Done> bool spin_until(Done done) {
  auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 16; ++i) {
      if (done())
        return true;
      _mm_pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

int affinity_count() {
  // Machines with more CPUs than cpu_set_t has bits need a larger set.
  for (int cpus = 1024; cpus <= 1 << 18; cpus *= 2) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (!set)
      return 1;
    size_t size = CPU_ALLOC_SIZE(cpus);
    int count =
        sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (count > 0)
      return count;
  }
  return 1;
}

/// CPUs that the cgroup's quota amounts to, or INT_MAX without one.
int cgroup_count() {
  double quota = -1, period = 100000;
  if (FILE *file = std::fopen("/sys/fs/cgroup/cpu.max", "re")) {
    if (std::fscanf(file, "%lf %lf", &quota, &period) != 2)
      quota = -1;
    std::fclose(file);
  } else if (FILE *file =
                 std::fopen("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "re")) {
    if (std::fscanf(file, "%lf", &quota) != 1)
      quota = -1;
    std::fclose(file);
    if (FILE *file = std::fopen("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "re")) {
      if (std::fscanf(file, "%lf", &period) != 1)
        period = 100000;
      std::fclose(file);
    }
  }
  if (!(quota > 0) || !(period > 0))
    return INT_MAX;
  return static_cast<int>(std::clamp(std::ceil(quota / period), 1.0, 1e6));
}

int decide_thread_count() {
  if (const char *text = std::getenv("XLAC_NUM_THREADS")) {
    char *end = nullptr;
    long count = std::strtol(text, &end, 10);
    if (end != text && *end == 0 && count > 0)
      return static_cast<int>(std::min(count, 4096L));
  }
  return std::max(1, std::min(affinity_count(), cgroup_count()));
}

} // namespace

int default_thread_count() {
  static const int count = decide_thread_count();
  return count;
}

/// One loop; lives on its caller's stack until no helper is in it.
struct WorkPool::Job {
  Piece piece;
  void *state;
  int64_t n, grain, pieces;
  std::atomic<int64_t> next{0};
  std::atomic<int32_t> status{0};
  std::atomic<uint32_t> helpers{0};
  int slots = 0; ///< helpers that may still join; under the pool's mutex
  Job *following = nullptr;

  bool has_work() const {
    return next.load(std::memory_order_relaxed) < pieces;
  }

  void work() {
    bool outer = in_piece;
    in_piece = true;
    while (status.load(std::memory_order_relaxed) == 0) {
      int64_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= pieces)
        break;
      int64_t begin = index * grain;
      int32_t failed = piece(state, begin, std::min(n - begin, grain) + begin);
      int32_t none = 0;
      if (failed)
        status.compare_exchange_strong(none, failed);
    }
    in_piece = outer;
  }
};

struct WorkPool::State {
  std::mutex mutex;
  Job *jobs = nullptr; ///< under the mutex
  bool started = false;
  /// Counts the jobs ever announced; what idle threads sleep on.
  std::atomic<uint32_t> epoch{0};
};

// Never destroyed: threads may be asleep in it when the process ends.
WorkPool::WorkPool() : size_(default_thread_count()), state_(new State) {
  pthread_atfork([] { process().before_fork(); },
                 [] { process().after_fork_in_parent(); },
                 [] { process().after_fork_in_child(); });
}

WorkPool &WorkPool::process() {
  static WorkPool *pool = new WorkPool();
  return *pool;
}

void *WorkPool::thread_main(void *pool) {
  static_cast<WorkPool *>(pool)->work();
  return nullptr;
}

/// With the mutex held. Fewer threads than wanted are no failure.
void WorkPool::start_threads() {
  state_->started = true;
  sigset_t all, previous;
  sigfillset(&all);
  // Signals are for the threads of the application.
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  for (int i = 1; i < size_; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, thread_main, this) != 0)
      break;
    pthread_setname_np(thread, "xlac-work");
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
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

/// The mutex keeps the job alive until its last helper is done notifying.
void WorkPool::leave(Job &job) {
  std::lock_guard lock(state_->mutex);
  if (job.helpers.fetch_sub(1, std::memory_order_release) == 1)
    job.helpers.notify_one();
}

void WorkPool::work() {
  State &state = *state_;
  while (true) {
    uint32_t seen = state.epoch.load();
    if (Job *job = join()) {
      job->work();
      leave(*job);
      continue;
    }
    if (!spin_until([&] { return state.epoch.load() != seen; }))
      state.epoch.wait(seen);
  }
}

int32_t WorkPool::run(Piece piece, void *state, int64_t n, int64_t grain,
                      int max_threads) {
  if (n <= 0)
    return 0;
  Job job{piece, state, n, std::max<int64_t>(grain, 1), 0};
  job.pieces = (n - 1) / job.grain + 1;
  int threads = max_threads > 0 ? std::min(max_threads, size_) : size_;
  threads = static_cast<int>(std::min<int64_t>(threads, job.pieces));
  if (threads == 1 || in_piece) {
    job.work();
    return job.status.load();
  }
  {
    std::lock_guard lock(state_->mutex);
    if (!state_->started)
      start_threads();
    job.slots = threads - 1;
    job.following = state_->jobs;
    state_->jobs = &job;
  }
  state_->epoch.fetch_add(1);
  if (threads == size_)
    state_->epoch.notify_all();
  else
    for (int i = 1; i < threads; ++i)
      state_->epoch.notify_one();
  job.work();
  {
    std::lock_guard lock(state_->mutex);
    Job **link = &state_->jobs;
    while (*link != &job)
      link = &(*link)->following;
    *link = job.following;
  }
  auto done = [&] { return job.helpers.load(std::memory_order_acquire) == 0; };
  if (!spin_until(done))
    while (uint32_t left = job.helpers.load(std::memory_order_acquire))
      job.helpers.wait(left);
  std::lock_guard lock(state_->mutex);
  return job.status.load();
}

void WorkPool::before_fork() { state_->mutex.lock(); }

void WorkPool::after_fork_in_parent() { state_->mutex.unlock(); }

void WorkPool::after_fork_in_child() {
  // The threads did not come along, nor did the callers of these jobs.
  state_->started = false;
  state_->jobs = nullptr;
  state_->mutex.unlock();
}

} // namespace xlac
