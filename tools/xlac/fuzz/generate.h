// A random program, its inputs and what it must give.
#pragma once

#include "fuzz/builder.h"

#include <string>

namespace xlac::fuzz {

struct Case {
  graph::Program program;
  std::vector<host::Literal> inputs; ///< one an argument
  std::vector<Checked> expected;     ///< one a result
  Choices choices;                   ///< what it was made of
  std::vector<size_t> steps;         ///< where in them each op begins
};

/// A program of at most `max_ops` ops from the choices that `random` makes.
Case generate(Random random, int64_t max_ops);

/// The program that computes those of `terms` alone.
Case make_case(const Terms &results);

} // namespace xlac::fuzz
