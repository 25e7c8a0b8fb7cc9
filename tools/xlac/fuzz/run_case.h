// One program through the real compiler, and many of them in processes of
// their own, so that a crash is a result like any other.
#pragma once

#include "fuzz/generate.h"
#include "xlac/loader/program_loader.h"

#include <functional>
#include <optional>
#include <string>

namespace xlac::fuzz {

enum class CaseResult : uint8_t {
  Passed,
  Mismatch, ///< compiled code and evaluator differ
  Refused,  ///< does not compile or does not run
  Crashed,  ///< the process died
  Hung,     ///< no answer in time
};

struct Outcome {
  CaseResult verdict = CaseResult::Passed;
  std::string message;
  bool failed() const { return verdict != CaseResult::Passed; }
  /// The same fault as another's, as far as one can see.
  bool resembles(const Outcome &other) const;
};

/// Compiles, runs and compares in this process; with `shardings`, the seed of
/// some, cut over partitions.
Outcome run_case(const Case &one, const CompilerOptions &options,
                 std::optional<uint64_t> shardings = {});

/// Calls `body` in a child process and waits for its answer.
Outcome run_apart(const std::function<Outcome()> &body);

/// Runs `body` for all numbers from `first` on, `count` of them, in `jobs`
/// processes at a time, and hands each outcome to `done`, in any order. A body
/// that died is an outcome too, and the rest goes on in a new process.
void run_all(uint64_t first, uint64_t count, int jobs,
             const std::function<Outcome(uint64_t)> &body,
             const std::function<void(uint64_t, const Outcome &)> &done);

} // namespace xlac::fuzz
