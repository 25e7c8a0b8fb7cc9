// Kernels to LLVM IR, written directly with explicit vectors: one emitter per
// schedule kind. Every kernel must have been verified and scheduled.
#ifndef XLAC_CODEGEN_CODEGEN_H
#define XLAC_CODEGEN_CODEGEN_H

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/target_profile.h"

#include "mlir/Pass/Pass.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace xlac::codegen {

/// Fills in tasks, grain, tile, workspace, flops and bytes of every kernel in
/// the module. Signals failure, with an error on the op, for a kernel that no
/// emitter can do.
std::unique_ptr<mlir::Pass>
createScheduleKernelsPass(const TargetProfile &profile);

/// The symbol of phase `phase` of a kernel: "<kernel>.<phase>".
std::string phaseSymbol(ir::KernelOp kernel, unsigned phase);

/// Adds the functions of all phases of `kernel` to `module`; each has the
/// signature xlac_kernel_fn of the ABI, hidden visibility, nounwind.
llvm::Error emitKernel(ir::KernelOp kernel, llvm::Module &module,
                       const TargetProfile &profile);

/// What kernels of several modules call, such as the products of a tile, need
/// not be compiled with each: its name says all about it.
struct SharedFunction {
  std::string name;
  size_t instructions = 0; ///< as emitted
};

/// Makes hidden declarations of the functions of `module` for which that is so.
std::vector<SharedFunction> leaveOutSharedFunctions(llvm::Module &module);

/// Adds the function of such a name to `module`, hidden.
void emitSharedFunction(llvm::StringRef name, llvm::Module &module);

/// Adds the driver of `program`: an xlac_entry_fn of the program's name that
/// launches kernels through xlac_ctx::kernels, where the phases of kernel k
/// stand from `firstEntry(k)` on.
llvm::Error
emitDriver(ir::ProgramOp program, llvm::Module &module,
           llvm::function_ref<unsigned(llvm::StringRef kernel)> firstEntry);

} // namespace xlac::codegen

#endif
