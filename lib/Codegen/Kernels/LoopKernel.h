// The loop kind's iteration over the results, for other kinds with such a last
// phase.
#ifndef XLAC_LIB_CODEGEN_LOOPKERNEL_H
#define XLAC_LIB_CODEGEN_LOOPKERNEL_H

#include "LoopPlan.h"

namespace xlac::codegen {

/// Returns the number of tasks that emitLoopTasks computes with these options.
int64_t countLoopTasks(KernelFunction &function, llvm::IRBuilder<> &ir,
                       const LoopOptions &options);

/// Computes and stores the results of tasks [begin, end) of the function. The
/// schedule must have counted this phase's tasks with the same options.
void emitLoopTasks(KernelFunction &function, llvm::IRBuilder<> &ir,
                   const LoopOptions &options, unsigned phase);

/// Rejects kernels with results that the loop kind cannot store.
mlir::LogicalResult checkLoopResults(ir::KernelOp kernel);

} // namespace xlac::codegen

#endif
