// The representation of a stablehlo::Program.
#pragma once

#include "xlac/compiler.h"
#include "xlac/graph/program.h"
#include "xlac/stablehlo.h"

namespace xlac::stablehlo {

/// A graph, or the source text or bytecode with the types of its entry
/// function.
struct Program::Rep {
  graph::Program program;
  std::string source, name, entry = "main";
  Signature signature;
  /// For a traced function: the number of arguments that are its inputs, and
  /// the values of the other arguments.
  std::optional<size_t> input_count;
  std::vector<Tensor> captured;

  bool is_graph() const { return source.empty(); }
  Source as_source() const { return Source{source, name, entry}; }
};

/// Access to the representation for functions that make and build programs.
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
