// Step closures: what add_step_closure queues and the next sync runs.
#pragma once

#include "xlac/lazy.h"

namespace xlac::frontend {

/// The closures that this thread has queued for one sync of `device`. Those
/// that they queue in turn belong to the next.
class StepClosureQueue {
public:
  /// Takes them from the queue and lets their tensors keep their values.
  explicit StepClosureQueue(int device);
  /// Runs them in order; hands the asynchronous ones over, which throws what an
  /// earlier one has thrown. An exception drops the rest.
  void run();

private:
  int device_;
  std::vector<detail::StepClosure> closures_, asynchronous_;
};

} // namespace xlac::frontend
