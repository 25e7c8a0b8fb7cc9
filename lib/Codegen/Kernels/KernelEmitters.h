// The emitters and schedulers of the schedule kinds, as emitKernel and the
// schedule pass call them. Each kind has a file of its own.
#ifndef XLAC_LIB_CODEGEN_KERNELEMITTERS_H
#define XLAC_LIB_CODEGEN_KERNELEMITTERS_H

#include "Element/ElementEmitter.h"

#include "mlir/Support/LogicalResult.h"
#include "llvm/Support/Error.h"

namespace xlac::codegen {

// A scheduler fills in the schedule attribute of a kernel whose kind it is;
// failure comes with an error on the op that it cannot do.
//
// An emitter writes the body of phase `phase`. The function and its entry block
// exist, `ir` stands behind the loads of the buffers' addresses. The emitter
// leaves `ir` in an open block, to which emitKernel adds `return 0`.

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

/// A dot_general or convolution with what surrounds it, as packed products.
mlir::LogicalResult scheduleContraction(ir::KernelOp kernel,
                                        const TargetProfile &profile);
llvm::Error emitContraction(KernelFunction &function, llvm::IRBuilder<> &ir,
                            unsigned phase);

/// Replaces all but the kind of a kernel's schedule; phase i has tasks[i] tasks
/// in pieces of grain[i].
void setSchedule(ir::KernelOp kernel, llvm::ArrayRef<int64_t> tasks,
                 llvm::ArrayRef<int64_t> grain, llvm::ArrayRef<int64_t> tile,
                 int64_t workspace, int64_t flops, int64_t bytes);

} // namespace xlac::codegen

#endif
