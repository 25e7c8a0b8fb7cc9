// Locks that a fork must hold. The child has only the forking thread: a lock of
// another thread would stay locked forever, with its data half written.
// Therefore a fork holds all locks that are declared here.
#pragma once

#include "xlac/support/clock.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace xlac {

/// The order in which a fork takes its steps. Locks that are held while waiting
/// for others come first.
enum class ForkRank : uint8_t { Outer, Streams, Inner };

/// A lock or resource that a fork must hold. It is registered while it lives;
/// any thread may create and destroy it.
class ForkStep {
public:
  ForkStep(const ForkStep &) = delete;
  ForkStep &operator=(const ForkStep &) = delete;

  /// Takes it if no other thread holds it, or if it is released before `end`.
  virtual bool try_hold(Clock::time_point end) = 0;
  /// Releases it after try_hold(), on the same thread. With `in_child` it may
  /// reset its state.
  virtual void release(bool in_child) = 0;

protected:
  explicit ForkStep(ForkRank rank) : rank_(rank) {}
  virtual ~ForkStep() = default;
  /// Called by the constructor and the destructor of the most derived class.
  void enlist();
  void withdraw();

private:
  friend class ForkSteps;
  const ForkRank rank_;
};

/// A mutex for process-wide data. If the forking thread itself holds it, it is
/// held in both processes afterwards.
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
  bool is_own_ = false; ///< the forking thread held it before the fork
};

/// Delays forks of other threads while it lives. For work on data whose locks
/// are not declared here. Sections of a thread nest.
class ForkSection {
public:
  ForkSection();
  ~ForkSection();
  ForkSection(const ForkSection &) = delete;
  ForkSection &operator=(const ForkSection &) = delete;
};

/// Whether forks ignore the steps of this library. The default is false. The
/// compiler's library, which has its own copy of this component, defines it as
/// true: its callers are in sections, so that no thread is in it at a fork. If
/// both libraries held their steps, a fork could hold a step of the compiler's
/// while it waits for a section of the caller, which waits for that step.
bool forks_are_handled_by_caller();

} // namespace xlac
