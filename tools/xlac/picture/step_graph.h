// The steps of one block of a program as nodes and edges, the common input of
// the SVG and Graphviz writers.
#pragma once

#include "xlac/compiler.h"
#include "xlac/compiler_picture.h"

#include <string>
#include <vector>

namespace xlac::cli {

struct StepGraph;

/// A step, or a sequence of steps that the block repeats.
struct StepNode {
  enum class Kind {
    Step,
    Repetition, ///< body.front() shows the first repetition
    Entry,      ///< in a body: stands for the sources outside of it
    Exit,       ///< in a body: stands for the readers outside of it
  };
  Kind kind = Kind::Step;
  /// Indices in the block: of the step in each repetition; one outside of
  /// repetitions. Empty for the other kinds.
  std::vector<size_t> steps;
  /// Small steps that compute only operands of this one, and these from
  /// arguments and constants.
  std::vector<StepNode> preparations;
  size_t times = 1; ///< of a Repetition
  std::vector<StepGraph> body;
};

struct StepEdge {
  size_t from = 0, to = 0; ///< node indices; `from` is less than `to`
  int64_t bytes = 0;       ///< of the transferred values
};

struct StepGraph {
  std::vector<StepNode> nodes;
  std::vector<StepEdge> edges;
};

/// Returns one node per step. Edges lead from the last writer of a buffer to
/// its readers.
StepGraph graph_of(const ProgramPicture &picture,
                   const std::vector<ProgramPicture::Step> &steps);

/// As graph_of, without what makes the graph of a large program hard to read:
/// small steps on arguments, such as those that prepare the parameters of a
/// normalization, belong to the node of their reader, and consecutive equal
/// sequences, such as layers, are one node.
StepGraph compact_graph_of(const ProgramPicture &picture,
                           const std::vector<ProgramPicture::Step> &steps);

/// Returns a step's name: its kernel's, "copy", "while", ….
std::string title_of(const ProgramPicture &picture,
                     const ProgramPicture::Step &step);

/// Returns the name of a loop's condition or body, or of a branch.
std::string body_title(const ProgramPicture::Step &step, size_t body);

/// Returns the names of the arguments and constants that the node's steps read,
/// one per operand: "wte", "argument 4", "constant 2". An operand that differs
/// between repetitions has the first and the last name: "w0 … w11".
std::vector<std::string>
inputs_of(const ProgramPicture &picture,
          const std::vector<ProgramPicture::Step> &steps, const StepNode &node);

/// As inputs_of, for the results that the steps write.
std::vector<std::string>
results_of(const ProgramPicture &picture,
           const std::vector<ProgramPicture::Step> &steps,
           const StepNode &node);

} // namespace xlac::cli
