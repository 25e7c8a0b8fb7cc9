// The steps of one block of a program as nodes and edges, the common input of
// the SVG and Graphviz writers.
#pragma once

#include "xlac/compiler.h"
#include "xlac/compiler_picture.h"

#include <optional>
#include <string>
#include <vector>

namespace xlac::cli {

/// A step, or the program's inputs to a step or results from it.
struct StepNode {
  enum class Kind { Step, Inputs, Results } kind = Kind::Step;
  /// index in the block; for inputs and results, of their step
  size_t step = 0;
  std::string label; ///< for inputs and results: "arguments 0, 2-5"
};

struct StepEdge {
  size_t from = 0, to = 0; ///< node indices; `from` is less than `to`
  int64_t bytes = 0;       ///< of the transferred values
};

struct StepGraph {
  std::vector<StepNode> nodes;
  std::vector<StepEdge> edges;
};

/// Edges lead from the last writer of a buffer to its readers.
StepGraph graph_of(const ProgramPicture &picture,
                   const std::vector<ProgramPicture::Step> &steps);

/// Returns a step's name: its kernel's, "copy", "while", ….
std::string title_of(const ProgramPicture &picture,
                     const ProgramPicture::Step &step);

/// Returns the name of a loop's condition or body, or of a branch.
std::string body_title(const ProgramPicture::Step &step, size_t body);

} // namespace xlac::cli
