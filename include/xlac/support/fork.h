// What a fork has to find whole. A child has the forking thread alone: a lock
// that another thread held would stay locked for ever, over data half written.
// A fork therefore holds all locks of the process that are declared here.
#pragma once

#include "xlac/support/clock.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace xlac {

/// The order in which a fork takes its steps: what is held while waiting for
/// others comes first.
enum class ForkRank : uint8_t { Outer, Streams, Inner };

/// Something that a fork holds. Registered while it lives, which may begin and
/// end in any thread.
class ForkStep {
public:
  ForkStep(const ForkStep &) = delete;
  ForkStep &operator=(const ForkStep &) = delete;

  /// Holds it if no other thread does, or no longer does before `end`.
  virtual bool try_hold(Clock::time_point end) = 0;
  /// After try_hold(), in its thread; in the child this may begin anew.
  virtual void release(bool in_child) = 0;

protected:
  explicit ForkStep(ForkRank rank) : rank_(rank) {}
  virtual ~ForkStep() = default;
  /// To be called by the constructor and the destructor of the most derived
  /// class.
  void enlist();
  void withdraw();

private:
  friend class ForkSteps;
  const ForkRank rank_;
};

/// A mutex for data of the process. A thread that forks while it holds one
/// itself keeps it in both processes.
class ForkMutex final : public ForkStep {
public:
  explicit ForkMutex(ForkRank rank = ForkRank::Inner) : ForkStep(rank) {
    enlist();
  }
  ~ForkMutex() override { withdraw(); }

  void lock();
  bool try_lock();
  void unlock();

  bool try_hold(Clock::time_point end) override;
  void release(bool in_child) override;

private:
  enum State : int { kFree, kLocked, kContended };

  std::atomic<int> state_{kFree};
  std::atomic<const void *> owner_{nullptr};
  bool is_own_ = false; ///< the forking thread held it before
};

/// While it lives, a fork of another thread waits. For work over data whose
/// locks are not declared here. Sections of a thread nest.
class ForkSection {
public:
  ForkSection();
  ~ForkSection();
  ForkSection(const ForkSection &) = delete;
  ForkSection &operator=(const ForkSection &) = delete;
};

/// A number, flag or enum that is found at its first use; threads that come at
/// once find it several times. A function-local static has a guard that a child
/// of fork would wait for if another thread held it at the fork; this has none.
template <class T> class FoundOnce {
public:
  /// The value, by `find()` as long as there is none.
  template <class Find> T get(Find find) {
    int64_t value = value_.load(std::memory_order_relaxed);
    if (value == kNone) {
      value = static_cast<int64_t>(find());
      value_.store(value, std::memory_order_relaxed);
    }
    return static_cast<T>(value);
  }

private:
  static constexpr int64_t kNone = INT64_MIN;
  std::atomic<int64_t> value_{kNone};
};

} // namespace xlac
