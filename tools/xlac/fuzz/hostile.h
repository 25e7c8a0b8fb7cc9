// Invalid programs: custom calls with wrong operands and results, sizes that
// overflow, ops of unknown dialects, damaged images, mutated cases, unknown
// sizes that arguments do not fit. Each must be rejected with a reason, or run
// within its buffers and write all of its results.
#pragma once

#include "fuzz/random.h"
#include "fuzz/run_case.h"

#include <filesystem>
#include <string>
#include <vector>

namespace xlac::fuzz {

/// Returns StableHLO text with the entry @main, valid or with a few errors.
std::string hostile_program(Random &random);
/// Returns a program with a custom call of a built-in target.
std::string hostile_call(Random &random);

/// A program, and sizes of its arguments if it leaves them out.
struct HostileProgram {
  std::string text;
  ArgumentSizes sizes;
};

/// Returns `text` with changed numbers, types, names or lines.
std::string mutated(std::string text, Random &random);

/// Compiles the program and runs it twice on buffers between guard pages. It
/// passes if it is rejected with one reason, or if both runs give the same
/// results. Programs that may block or take long are only compiled.
Outcome run_hostile(const HostileProgram &program, CompilerOptions options);

/// The seconds after which a program counts as hung.
inline constexpr unsigned kPatience = 30;

/// A rejection must have a reason and must not be an internal error.
Outcome refused(const Failure &failure);

/// Reads a damaged image of a small program, with checksums that match, and
/// loads it or compiles the program inside if it is accepted.
Outcome load_damaged_image(Random &random, const CompilerOptions &options);

/// Runs the program of `seed` as above; `corpus` are files of cases.
Outcome run_hostile_seed(uint64_t seed,
                         const std::vector<std::filesystem::path> &corpus,
                         const CompilerOptions &options);
/// Returns the text that run_hostile_seed compiles; empty for an image. Its
/// first line is a comment with the sizes of arguments, if it needs them.
std::string hostile_text(uint64_t seed,
                         const std::vector<std::filesystem::path> &corpus);

} // namespace xlac::fuzz
