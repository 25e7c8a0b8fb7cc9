// The emitters and schedulers of the schedule kinds, which emitKernel and the
// schedule pass call. Each kind has its own file.
#ifndef XLAC_LIB_CODEGEN_KERNELEMITTERS_H
#define XLAC_LIB_CODEGEN_KERNELEMITTERS_H

#include "Element/ElementEmitter.h"

#include "mlir/Support/LogicalResult.h"
#include "llvm/Support/Error.h"

namespace xlac::codegen {

// A scheduler sets the schedule attribute of a kernel of its kind. On failure
// it emits an error on the unsupported op.
//
// An emitter writes the body of phase `phase`. The function and its entry block
// exist, and `ir` inserts after the loads of the buffers' addresses. The
// emitter leaves `ir` in an open block, to which emitKernel adds `return 0`.

mlir::LogicalResult scheduleLoop(ir::KernelOp kernel,
                                 const TargetProfile &profile);
llvm::Error emitLoop(KernelFunction &function, llvm::IRBuilder<> &ir,
                     unsigned phase);

mlir::LogicalResult scheduleReduction(ir::KernelOp kernel,
                                      const TargetProfile &profile);
llvm::Error emitReduction(KernelFunction &function, llvm::IRBuilder<> &ir,
                          unsigned phase);

mlir::LogicalResult scheduleTranspose(ir::KernelOp kernel,
                                      const TargetProfile &profile);
llvm::Error emitTranspose(KernelFunction &function, llvm::IRBuilder<> &ir,
                          unsigned phase);

mlir::LogicalResult scheduleScatter(ir::KernelOp kernel,
                                    const TargetProfile &profile);
llvm::Error emitScatter(KernelFunction &function, llvm::IRBuilder<> &ir,
                        unsigned phase);

mlir::LogicalResult scheduleScan(ir::KernelOp kernel,
                                 const TargetProfile &profile);
llvm::Error emitScan(KernelFunction &function, llvm::IRBuilder<> &ir,
                     unsigned phase);

mlir::LogicalResult scheduleSort(ir::KernelOp kernel,
                                 const TargetProfile &profile);
llvm::Error emitSort(KernelFunction &function, llvm::IRBuilder<> &ir,
                     unsigned phase);

mlir::LogicalResult scheduleLibrary(ir::KernelOp kernel,
                                    const TargetProfile &profile);
llvm::Error emitLibrary(KernelFunction &function, llvm::IRBuilder<> &ir,
                        unsigned phase);

/// A dot_general or convolution with its surrounding ops, as a packed GEMM.
mlir::LogicalResult scheduleContraction(ir::KernelOp kernel,
                                        const TargetProfile &profile);
llvm::Error emitContraction(KernelFunction &function, llvm::IRBuilder<> &ir,
                            unsigned phase);

/// Replaces everything in a kernel's schedule except the kind. Phase i has
/// tasks[i] tasks in pieces of grain[i].
void setSchedule(ir::KernelOp kernel, llvm::ArrayRef<int64_t> tasks,
                 llvm::ArrayRef<int64_t> grain, llvm::ArrayRef<int64_t> tile,
                 int64_t workspace, int64_t flops, int64_t bytes);

} // namespace xlac::codegen

#endif
