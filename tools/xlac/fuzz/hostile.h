// Invalid programs: custom calls with other operands and
// results than their targets have, sizes that overflow, ops of no dialect,
// damaged images, mutated cases. Each must be refused with a reason, or run
// within its buffers and write all of its results.
#pragma once

#include "fuzz/random.h"
#include "fuzz/run_case.h"

#include <filesystem>
#include <string>
#include <vector>

namespace xlac::fuzz {

/// StableHLO text with the entry @main: right, or wrong in a few places.
std::string hostile_program(Random &random);
/// A custom call of a target that xlac brings along.
std::string hostile_call(Random &random);

/// `text` with numbers, types, names or lines changed.
std::string mutated(std::string text, Random &random);

/// Compiles and runs `text`, twice, on buffers between pages that no code may
/// touch. Passed: refused with one reason, or run, with the same results both
/// times. Programs that may wait or take long are compiled only.
Outcome run_hostile(const std::string &text, const CompilerOptions &options);

/// Reads a damaged image of a small program, and loads what is accepted.
Outcome load_damaged_image(Random &random, const CompilerOptions &options);

/// The program of `seed` through the above; `corpus` are files of cases.
Outcome run_hostile_seed(uint64_t seed,
                         const std::vector<std::filesystem::path> &corpus,
                         const CompilerOptions &options);
/// The text that run_hostile_seed compiles; empty for an image.
std::string hostile_text(uint64_t seed,
                         const std::vector<std::filesystem::path> &corpus);

} // namespace xlac::fuzz
