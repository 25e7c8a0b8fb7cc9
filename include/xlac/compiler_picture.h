// A description of a compiled program for diagrams and reports of the
// command-line tool.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xlac {

/// A compiled program: the steps of its driver in order, the buffers they use,
/// and the ops of each kernel.
struct ProgramPicture {
  struct Op {
    std::string name;  ///< "dot_general"
    std::string type;  ///< "128x512xf32"; comma-separated if there are several
    std::string place; ///< "model.mlir:12" and a name from the source, if known
  };
  struct Kernel {
    std::string name; ///< same as in KernelEntry
    std::string kind, signature;
    std::string schedule; ///< "tasks 16, tile 14x32x128"
    int64_t flops = 0, bytes = 0;
    std::vector<Op> ops; ///< without constants
  };
  struct Buffer {
    enum class Kind { Argument, Result, Constant, Arena } kind = Kind::Arena;
    int64_t number = 0; ///< index among its kind; offset for the arena
    int64_t bytes = 0;
    std::string type; ///< of arguments, results and constants
  };
  struct Step {
    enum class Kind { Launch, Copy, Collective, While, Case };
    Kind kind = Kind::Launch;
    uint32_t kernel = 0; ///< for Launch
    std::string label;   ///< for Collective
    /// Indices of buffers, including those of nested bodies.
    std::vector<uint32_t> reads, writes;
    /// Condition and body of a While; branches of a Case.
    std::vector<std::vector<Step>> bodies;
  };
  std::string name;
  /// The names in Signature, by number; empty for values without one.
  std::vector<std::string> argument_names, result_names;
  std::vector<Kernel> kernels;
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  int64_t arena_bytes = 0;
};

} // namespace xlac
