// The emitter and the scheduler of each schedule kind, which emitKernel and the
// schedule pass call. Each kind has its own file.
#ifndef XLAC_LIB_CODEGEN_KERNELEMITTERS_H
#define XLAC_LIB_CODEGEN_KERNELEMITTERS_H

#include "Element/ElementEmitter.h"

#include "mlir/Support/LogicalResult.h"
#include "llvm/Support/Error.h"

namespace xlac::codegen {

/// The functions of one schedule kind.
struct KernelKind {
  /// Sets the schedule attribute of a kernel of this kind. On failure it emits
  /// an error on the unsupported op.
  mlir::LogicalResult (*schedule)(ir::KernelOp kernel,
                                  const TargetProfile &profile);
  /// Writes the body of phase `phase`. The function and its entry block exist,
  /// and `ir` inserts after the loads of the buffers' addresses. It leaves `ir`
  /// in an open block, to which emitKernel adds `return 0`.
  llvm::Error (*emit)(KernelFunction &function, llvm::IRBuilder<> &ir,
                      unsigned phase);
};

extern const KernelKind loopKind, reductionKind, transposeKind, scatterKind,
    scanKind, sortKind, libraryKind;
/// A dot_general or convolution with its surrounding ops, as a packed GEMM.
extern const KernelKind contractionKind;

/// The functions of `kind`.
const KernelKind &kernelKind(ir::ScheduleKind kind);

/// Replaces everything in a kernel's schedule except the kind. Phase i has
/// tasks[i] tasks in pieces of grain[i].
void setSchedule(ir::KernelOp kernel, llvm::ArrayRef<int64_t> tasks,
                 llvm::ArrayRef<int64_t> grain, llvm::ArrayRef<int64_t> tile,
                 int64_t workspace, int64_t flops, int64_t bytes);

} // namespace xlac::codegen

#endif
