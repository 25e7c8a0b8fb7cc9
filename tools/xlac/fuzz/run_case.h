// Runs one program through the compiler, or many of them in child processes, so
// that a crash is an ordinary result.
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
  Hung,     ///< timeout
};

struct Outcome {
  CaseResult verdict = CaseResult::Passed;
  std::string message;
  bool failed() const { return verdict != CaseResult::Passed; }
  /// Whether this is probably the same failure as another one's.
  bool resembles(const Outcome &other) const;
};

/// Changes to a program that must not change its results. The numbers are
/// seeds.
struct Changes {
  std::optional<uint64_t> shardings = {}; ///< partitions the program
  /// Replaces sizes by unknown ones, which the compiler derives again from the
  /// sizes of the arguments.
  std::optional<uint64_t> unknown_sizes = {};
};

/// Returns the text of the changed program.
Result<std::string> text_of(const Case &one, const Changes &changes);

/// Returns the sizes of the inputs, by argument.
ArgumentSizes sizes_of(const Case &one);

/// Compiles, runs and compares in this process.
Outcome run_case(const Case &one, const CompilerOptions &options,
                 const Changes &changes);

/// Runs the programs of one seed that differ in sizes, which share kernels.
/// Returns the first failure.
Outcome run_family(uint64_t seed, ProgramLimits limits, int64_t sizes,
                   const CompilerOptions &options);

/// Calls `body` in a child process and waits for its outcome.
Outcome run_apart(const std::function<Outcome()> &body);

/// Runs `body` for `count` numbers from `first` in `jobs` parallel processes.
/// Passes each outcome to `done`, in any order. A crash of a body is an
/// outcome; a new process runs the remaining numbers.
void run_all(uint64_t first, uint64_t count, int jobs,
             const std::function<Outcome(uint64_t)> &body,
             const std::function<void(uint64_t, const Outcome &)> &done);

} // namespace xlac::fuzz
