// Step closures: add_step_closure queues them, and the next sync runs them.
#pragma once

#include "xlac/lazy.h"

namespace xlac::frontend {

/// The closures that this thread has queued for one sync of `device`. Closures
/// that they queue belong to the next sync.
class StepClosureQueue {
public:
  /// Takes the closures from the queue and lets their tensors keep their
  /// current values.
  explicit StepClosureQueue(int device);
  /// Runs the closures in order and hands over the asynchronous ones, which
  /// rethrows an earlier one's exception. An exception drops the remaining
  /// closures.
  void run();

private:
  int device_;
  std::vector<detail::StepClosure> closures_, asynchronous_;
};

} // namespace xlac::frontend
