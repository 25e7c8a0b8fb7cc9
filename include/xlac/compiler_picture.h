// A compiled program as the pictures and reports of the command line show it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xlac {

/// A program as it is compiled, for pictures and reports: what its driver does
/// in order, the buffers between, and the ops inside of each kernel.
struct ProgramPicture {
  struct Op {
    std::string name;  ///< "dot_general"
    std::string type;  ///< "128x512xf32"; several apart by commas
    std::string place; ///< "model.mlir:12" and a name of the source, if known
  };
  struct Kernel {
    std::string name; ///< as KernelEntry has it
    std::string kind, signature;
    std::string schedule; ///< "tasks 16, tile 14x32x128"
    int64_t flops = 0, bytes = 0;
    std::vector<Op> ops; ///< without constants
  };
  struct Buffer {
    enum class Kind { Argument, Result, Constant, Arena } kind = Kind::Arena;
    int64_t number = 0; ///< among those of its kind; an offset in the arena
    int64_t bytes = 0;
    std::string type; ///< of arguments, results and constants
  };
  struct Step {
    enum class Kind { Launch, Copy, Collective, While, Case };
    Kind kind = Kind::Launch;
    uint32_t kernel = 0; ///< of a launch
    std::string label;   ///< of a collective
    /// Numbers of buffers, those of the bodies included.
    std::vector<uint32_t> reads, writes;
    /// Condition and body of a loop; branches.
    std::vector<std::vector<Step>> bodies;
  };
  std::string name;
  std::vector<Kernel> kernels;
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  int64_t arena_bytes = 0;
};

} // namespace xlac
