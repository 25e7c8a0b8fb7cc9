// Makes a failing program smaller while it fails alike.
#pragma once

#include "fuzz/run_case.h"
#include "xlac/host/evaluate.h"

namespace xlac::fuzz {

struct Shrunk {
  Case smallest;
  Outcome outcome; ///< of the smallest
  int attempts = 0;
};

/// `runs` compiles and compares a case in this process; each attempt gets a
/// process of its own. Tries at most `max_attempts`.
Shrunk shrink(Case failing, const Outcome &outcome, const ProgramLimits &limits,
              const std::function<Outcome(const Case &)> &runs,
              int max_attempts = 400);

} // namespace xlac::fuzz
