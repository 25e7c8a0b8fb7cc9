#include "xlac/support/fork.h"

#include <algorithm>
#include <chrono>
#include <pthread.h>
#include <thread>
#include <vector>

namespace xlac {

/// A fork takes all steps or none, and waits only briefly for one while it
/// holds others: threads that wait for each other get on in between.
class ForkSteps {
public:
  static ForkSteps &process() {
    static auto *steps = new ForkSteps; // outlives static destructors
    return *steps;
  }

  void add(ForkStep *step) {
    std::lock_guard lock(mutex_);
    auto later = [](ForkRank rank, const ForkStep *other) {
      return rank < other->rank_;
    };
    steps_.insert(
        std::upper_bound(steps_.begin(), steps_.end(), step->rank_, later),
        step);
  }
  void remove(ForkStep *step) {
    std::lock_guard lock(mutex_);
    std::erase(steps_, step);
  }

private:
  ForkSteps() {
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
    for (held_ = 0; held_ < steps_.size(); ++held_)
      if (!steps_[held_]->try_hold(end)) {
        let_go(false);
        return false;
      }
    return true;
  }

  void let_go(bool in_child) {
    while (held_ > 0)
      steps_[--held_]->release(in_child);
    mutex_.unlock();
  }

  static constexpr std::chrono::milliseconds kPause{20};

  std::mutex mutex_;
  std::vector<ForkStep *> steps_; ///< by rank
  size_t held_ = 0;
};

namespace {

/// Made before there are threads.
[[maybe_unused]] const ForkSteps &made_early = ForkSteps::process();

/// Calls `attempt` until it is true or `end` has passed.
template <class Attempt> bool retry(Clock::time_point end, Attempt attempt) {
  while (!attempt()) {
    if (Clock::now() >= end)
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  return true;
}

/// Differs between the threads of a process.
const void *this_thread() {
  static thread_local char place;
  return &place;
}

/// Sections that are open, or the fork that they must not begin in.
class Sections final : public ForkStep {
public:
  static Sections &process() {
    static auto *sections = new Sections; // outlives static destructors
    return *sections;
  }

  void enter() {
    if (depth_++ > 0)
      return;
    int open = open_.load();
    while (open == kForking || !open_.compare_exchange_weak(open, open + 1)) {
      if (open == kForking)
        open_.wait(kForking);
      open = open_.load();
    }
  }
  void leave() {
    if (--depth_ == 0)
      --open_;
  }

  bool try_hold(Clock::time_point end) override {
    return retry(end, [this] {
      int own = depth_ > 0;
      return open_.compare_exchange_strong(own, kForking);
    });
  }
  void release(bool) override {
    open_ = depth_ > 0;
    open_.notify_all();
  }

private:
  static constexpr int kForking = -1;

  Sections() : ForkStep(ForkRank::Outer) { enlist(); }

  static thread_local int depth_;
  std::atomic<int> open_{0};
};

thread_local int Sections::depth_ = 0;

[[maybe_unused]] const Sections &sections_made_early = Sections::process();

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
