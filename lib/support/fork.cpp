#include "xlac/support/fork.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <pthread.h>
#include <thread>
#include <vector>

namespace xlac {

[[gnu::weak]] bool forks_are_handled_by_caller() { return false; }

/// A fork takes all steps or none. While it holds some, it waits only briefly
/// for another, so that threads that wait for each other can progress.
class ForkSteps {
public:
  static ForkSteps &process() {
    static auto *steps = new ForkSteps; // outlives static destructors
    return *steps;
  }

  /// Inserts the step after the steps of its rank, or before them if `first`.
  void add(ForkStep *step, bool first = false) {
    std::lock_guard lock(mutex_);
    auto place =
        std::find_if(steps_.begin(), steps_.end(), [&](const ForkStep *other) {
          return first ? step->rank_ <= other->rank_
                       : step->rank_ < other->rank_;
        });
    steps_.insert(place, step);
  }
  void remove(ForkStep *step) {
    std::lock_guard lock(mutex_);
    std::erase(steps_, step);
  }

private:
  ForkSteps() {
    if (!forks_are_handled_by_caller())
      pthread_atfork([] { process().hold(); }, [] { process().let_go(false); },
                     [] { process().let_go(true); });
  }

  void hold() {
    constexpr auto kLongest = std::chrono::milliseconds(1000);
    auto patience = std::chrono::milliseconds(1);
    while (!try_hold(Clock::now() + patience)) {
      std::this_thread::sleep_for(std::min(patience, kPause));
      patience = std::min(2 * patience, kLongest);
    }
  }

  bool try_hold(Clock::time_point end) {
    mutex_.lock();
    holder_ = std::this_thread::get_id();
    for (held_ = 0; held_ < steps_.size(); ++held_)
      if (!steps_[held_]->try_hold(end)) {
        let_go(false);
        return false;
      }
    return true;
  }

  void let_go(bool in_child) {
    // A fork calls this without hold() if the library that contains these steps
    // was loaded during the fork.
    if (holder_ != std::this_thread::get_id())
      return;
    holder_ = std::thread::id();
    while (held_ > 0)
      steps_[--held_]->release(in_child);
    mutex_.unlock();
  }

  static constexpr std::chrono::milliseconds kPause{20};

  std::mutex mutex_;
  std::vector<ForkStep *> steps_; ///< by rank
  size_t held_ = 0;
  std::atomic<std::thread::id> holder_{}; ///< the thread that forks, if any
};

namespace {

/// Initialized before threads exist.
[[maybe_unused]] const ForkSteps &steps_made_early = ForkSteps::process();

/// Calls `attempt` until it returns true or `end` has passed.
template <class Attempt> bool retry(Clock::time_point end, Attempt attempt) {
  while (!attempt()) {
    if (Clock::now() >= end)
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  return true;
}

/// An address that is distinct for each thread of the process.
const void *this_thread() {
  static thread_local char place;
  return &place;
}

/// Open sections. Each thread counts its sections in one of several counters,
/// to avoid contention. A fork waits for them after it has taken the outer
/// locks, since a thread may open a section while it holds one.
class Sections final : public ForkStep {
public:
  static Sections &process() {
    static auto *sections = new Sections; // outlives static destructors
    return *sections;
  }

  void enter() {
    if (depth_++ > 0)
      return;
    std::atomic<int> &open = own_count();
    // Both sides write before they read, so one of them sees the other.
    while (++open, is_forking_) {
      --open;
      is_forking_.wait(true);
    }
  }
  void leave() {
    if (--depth_ == 0)
      --own_count();
  }

  bool try_hold(Clock::time_point end) override {
    enter(); // so that the forking thread does not wait for itself
    is_forking_ = true;
    if (retry(end, [this] { return are_closed(); }))
      return true;
    release(false);
    return false;
  }
  void release(bool) override {
    is_forking_ = false;
    is_forking_.notify_all();
    leave();
  }

private:
  struct alignas(64) Count {
    std::atomic<int> open{0};
  };

  Sections() : ForkStep(ForkRank::Streams) {
    ForkSteps::process().add(this, /*first=*/true);
  }

  std::atomic<int> &own_count() {
    auto place = reinterpret_cast<uintptr_t>(this_thread());
    // Thread-local data of threads is on different pages.
    return counts_[(place ^ place >> 12 ^ place >> 18) / 64 % counts_.size()]
        .open;
  }

  /// Whether only the forking thread itself is in a section.
  bool are_closed() {
    for (Count &count : counts_)
      if (count.open != (&count.open == &own_count()))
        return false;
    return true;
  }

  static thread_local int depth_;
  std::array<Count, 32> counts_;
  std::atomic<bool> is_forking_{false};
};

thread_local int Sections::depth_ = 0;

/// Initialized before threads exist; null until then.
Sections *const early_sections = &Sections::process();

} // namespace

void ForkStep::enlist() { ForkSteps::process().add(this); }
void ForkStep::withdraw() { ForkSteps::process().remove(this); }

//===- Mutexes ------------------------------------------------------------===//

bool ForkMutex::try_lock() {
  int free = kFree;
  if (!state_.compare_exchange_strong(free, kLocked, std::memory_order_acquire))
    return false;
  owner_.store(this_thread(), std::memory_order_relaxed);
  return true;
}

void ForkMutex::lock() {
  if (try_lock())
    return;
  while (state_.exchange(kContended, std::memory_order_acquire) != kFree)
    state_.wait(kContended, std::memory_order_relaxed);
  owner_.store(this_thread(), std::memory_order_relaxed);
}

void ForkMutex::unlock() {
  owner_.store(nullptr, std::memory_order_relaxed);
  if (state_.exchange(kFree, std::memory_order_release) == kContended)
    state_.notify_one();
}

bool ForkMutex::try_hold(Clock::time_point end) {
  if (owner_.load(std::memory_order_relaxed) == this_thread()) {
    is_own_ = true;
    return true;
  }
  if (!retry(end, [this] { return try_lock(); }))
    return false;
  is_own_ = false;
  return true;
}

void ForkMutex::release(bool) {
  if (!is_own_)
    unlock();
}

//===- Sections -----------------------------------------------------------===//

ForkSection::ForkSection() { Sections::process().enter(); }
ForkSection::~ForkSection() { Sections::process().leave(); }

} // namespace xlac

//===- Guards of function-local static variables --------------------------===//

// The linker option --wrap replaces the calls of the C++ runtime's guard
// functions (Itanium C++ ABI 3.3.3) by calls of these. The initialization of a
// variable becomes a section: a child would wait forever for a guard that
// another thread held at the fork.

// NOLINTBEGIN(bugprone-reserved-identifier): --wrap prescribes the names.
extern "C" {
int __real___cxa_guard_acquire(uint64_t *guard);
void __real___cxa_guard_release(uint64_t *guard);
void __real___cxa_guard_abort(uint64_t *guard);

static void enter_section() {
  if (xlac::early_sections)
    xlac::early_sections->enter();
}
static void leave_section() {
  if (xlac::early_sections)
    xlac::early_sections->leave();
}

int __wrap___cxa_guard_acquire(uint64_t *guard) {
  enter_section();
  int must_initialize = __real___cxa_guard_acquire(guard);
  if (!must_initialize)
    leave_section();
  return must_initialize;
}
void __wrap___cxa_guard_release(uint64_t *guard) {
  __real___cxa_guard_release(guard);
  leave_section();
}
void __wrap___cxa_guard_abort(uint64_t *guard) {
  __real___cxa_guard_abort(guard);
  leave_section();
}
}
// NOLINTEND(bugprone-reserved-identifier)
