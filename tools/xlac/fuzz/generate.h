// A random program, its inputs and its expected results.
#pragma once

#include "fuzz/builder.h"

#include <string>

namespace xlac::fuzz {

/// One of several processes that run the program.
struct Process {
  std::vector<host::Literal> inputs; ///< one per argument
  std::vector<Checked> expected;     ///< one per result
};

struct Case : Process {
  graph::Program program;
  runtime::GridShape grid;    ///< the processes; the Case is the first one
  std::vector<Process> peers; ///< the other processes
  Choices choices;            ///< the choices that made it
  std::vector<size_t> steps;  ///< the index of the first choice of each op

  const Process &process(size_t number) const {
    return number == 0 ? *this : peers[number - 1];
  }
};

/// Generates a program within `limits` from the choices of `random`.
Case generate(Random random, const ProgramLimits &limits);

/// Makes the program that computes only `results`, on that grid.
Case make_case(const Terms &results, runtime::GridShape grid);

} // namespace xlac::fuzz
