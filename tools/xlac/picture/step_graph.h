// The steps of one block of a program as nodes and edges, however they are then
// shown: SVG and Graphviz draw the same graph.
#pragma once

#include "xlac/compiler.h"
#include "xlac/compiler_picture.h"

#include <optional>
#include <string>
#include <vector>

namespace xlac::cli {

/// A step, or what a step takes from outside of the program or gives to it.
struct StepNode {
  enum class Kind { Step, Inputs, Results } kind = Kind::Step;
  size_t step = 0;   ///< of the block; for the others, of their step
  std::string label; ///< of inputs and results: "arguments 0, 2-5"
};

struct StepEdge {
  size_t from = 0, to = 0; ///< of the nodes; `from` is less than `to`
  int64_t bytes = 0;       ///< of the values that pass
};

struct StepGraph {
  std::vector<StepNode> nodes;
  std::vector<StepEdge> edges;
};

/// Edges lead from the step that wrote a buffer last to those that read it.
StepGraph graph_of(const ProgramPicture &picture,
                   const std::vector<ProgramPicture::Step> &steps);

/// A step's name: its kernel's, "copy", "while", …
std::string title_of(const ProgramPicture &picture,
                     const ProgramPicture::Step &step);

/// The names of a loop's two parts or of a branch.
std::string body_title(const ProgramPicture::Step &step, size_t body);

} // namespace xlac::cli
