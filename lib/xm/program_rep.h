// What is behind a stablehlo::Program.
#pragma once

#include "xlac/compiler.h"
#include "xlac/graph/program.h"
#include "xlac/stablehlo.h"

namespace xlac::stablehlo {

/// A graph, or the text or bytecode it was read from with the types that its
/// entry has.
struct Program::Rep {
  graph::Program program;
  std::string source, name;
  Signature signature;
  /// Of a traced function: how many arguments are its inputs, and what the
  /// others are.
  std::optional<size_t> input_count;
  std::vector<Tensor> captured;

  bool is_graph() const { return source.empty(); }
  Source as_source() const { return Source{source, name}; }
};

/// The representation of programs, for the functions that make and build them.
struct ProgramAccess {
  using Rep = Program::Rep;
  static Program wrap(std::shared_ptr<const Rep> rep) {
    Program program;
    program.rep_ = std::move(rep);
    return program;
  }
  static const Rep &rep(const Program &program) { return program.rep(); }
};

} // namespace xlac::stablehlo
