// Shrinks a failing program while it fails in the same way.
#pragma once

#include "fuzz/run_case.h"
#include "xlac/host/evaluate.h"

namespace xlac::fuzz {

struct Shrunk {
  Case smallest;
  Outcome outcome; ///< of the smallest case
  int attempts = 0;
};

/// `runs` compiles and compares a case. Each attempt runs in a child process.
/// Makes at most `max_attempts`.
Shrunk shrink(Case failing, const Outcome &outcome, const ProgramLimits &limits,
              const std::function<Outcome(const Case &)> &runs,
              int max_attempts = 400);

} // namespace xlac::fuzz
