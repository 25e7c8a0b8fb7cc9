// The loop kind's way through the results, for other kinds that end in one.
#ifndef XLAC_LIB_CODEGEN_LOOPKERNEL_H
#define XLAC_LIB_CODEGEN_LOOPKERNEL_H

#include "Element/ElementEmitter.h"

#include <functional>

namespace xlac::codegen {

struct LoopOptions {
  /// Lanes of the vectors; 0: what the kernel's types suggest.
  unsigned width = 0;
  /// Called on every element emitter before it is used.
  std::function<void(ElementEmitter &)> prepare;
};

/// Number of tasks that emitLoopTasks does with these options.
int64_t countLoopTasks(KernelFunction &function, llvm::IRBuilder<> &ir,
                       const LoopOptions &options);

/// Computes and stores what tasks [begin, end) of the function make of the
/// results. The schedule counted the tasks of this phase with the same options.
void emitLoopTasks(KernelFunction &function, llvm::IRBuilder<> &ir,
                   const LoopOptions &options, unsigned phase);

/// Refuses kernels with results that the loop cannot write.
mlir::LogicalResult checkLoopResults(ir::KernelOp kernel);

} // namespace xlac::codegen

#endif
