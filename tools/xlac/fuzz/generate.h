// A random program, its inputs and what it must give.
#pragma once

#include "fuzz/builder.h"

#include <string>

namespace xlac::fuzz {

/// One process of several that run the program.
struct Process {
  std::vector<host::Literal> inputs; ///< one an argument
  std::vector<Checked> expected;     ///< one a result
};

struct Case : Process {
  graph::Program program;
  runtime::GridShape grid;    ///< the processes; a Case is the first of them
  std::vector<Process> peers; ///< the others
  Choices choices;            ///< what it was made of
  std::vector<size_t> steps;  ///< where in them each op begins

  const Process &process(size_t number) const {
    return number == 0 ? *this : peers[number - 1];
  }
};

/// A program within `limits` from the choices that `random` makes.
Case generate(Random random, const ProgramLimits &limits);

/// The program that computes those of `terms` alone, on that grid.
Case make_case(const Terms &results, runtime::GridShape grid);

} // namespace xlac::fuzz
