// Translates kernels to LLVM IR with explicit vector types. Each schedule kind
// has its own emitter. Emission requires verified and scheduled kernels.
#ifndef XLAC_CODEGEN_CODEGEN_H
#define XLAC_CODEGEN_CODEGEN_H

#include "xlac/Codegen/KernelNeeds.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/target_profile.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace xlac::codegen {

/// Creates a pass that sets tasks, grain, tile, workspace, flops and bytes in
/// the schedule of every kernel of the module. The pass fails, with an error on
/// the kernel, if no emitter supports it.
std::unique_ptr<mlir::Pass>
createScheduleKernelsPass(const TargetProfile &profile);

/// Creates a pass that packs invariant operands of contractions in the
/// prologue. Arguments of the entry with the attribute kInvariant are packed if
/// the kernel's plan packs them and their packed forms take at most `limit`
/// bytes together; nothing means five quarters of those of these arguments, and
/// at most a quarter of the machine's memory. Results have the same bits as
/// without the pass. It runs after kernels are outlined and before they are
/// scheduled for `profile`.
std::unique_ptr<mlir::Pass>
createPackInvariantsPass(const TargetProfile &profile,
                         std::optional<int64_t> limit);

/// Packs operands of contractions in kernels of their own, so that their memory
/// is free when the contraction writes its result: those that all tasks share,
/// that take at least 1 MiB in packed form, and that another kernel computes
/// for the contraction alone. Runs as the pass above, after it.
std::unique_ptr<mlir::Pass>
createPackLastReadsPass(const TargetProfile &profile);

/// Marks calls of scheduled kernels that run slice by slice (see xlac.call),
/// for programs whose intermediate values would leave the core's own cache
/// between two launches. It runs after the calls are in their final order.
std::unique_ptr<mlir::Pass>
createSliceLaunchesPass(const TargetProfile &profile);

/// The share of a program's run time, in percent, that it may lose because its
/// cold kernels are not optimized.
constexpr int64_t kColdPercent = 5;

/// Marks kernels as cold (see xlac.kernel) for which unoptimized code makes the
/// programs of the module at most `percent` percent slower, by an estimate:
/// those that lose least. It runs after buffers are planned.
std::unique_ptr<mlir::Pass>
createFindColdKernelsPass(const TargetProfile &profile, int64_t percent);

/// The symbol of phase `phase` of a kernel: "<kernel>.<phase>".
std::string phaseSymbol(llvm::StringRef kernel, unsigned phase);
std::string phaseSymbol(ir::KernelOp kernel, unsigned phase);

/// Adds one function for each phase of `kernel` to `module`. Each function has
/// the signature xlac_kernel_fn of the ABI, hidden visibility and the attribute
/// nounwind. The shared functions that it calls are declared, not defined. Sets
/// `needs`, unless it is null, to the needs of all phases.
llvm::Error emitKernel(ir::KernelOp kernel, llvm::Module &module,
                       const TargetProfile &profile,
                       KernelNeeds *needs = nullptr);

/// A function that several kernels call, such as a GEMM microkernel. Its name
/// determines its body.
struct SharedFunction {
  std::string name;
  size_t cost = 0; ///< estimated number of IR instructions
};

/// Returns the shared functions that `module` declares and calls. Erases the
/// declarations of those that it does not call.
std::vector<SharedFunction> calledSharedFunctions(llvm::Module &module);

/// Adds the definition of the shared function called `name` to `module`, with
/// hidden visibility.
void emitSharedFunction(llvm::StringRef name, llvm::Module &module);

/// Defines all shared functions that `module` calls, with internal linkage.
void defineSharedFunctions(llvm::Module &module);

/// Returns the names of the shared functions that GEMMs of f32 and f64 call
/// most often if they are compiled for `profile`.
std::vector<std::string> commonSharedFunctions(const TargetProfile &profile);

/// How a driver reaches a kernel.
struct KernelPlace {
  unsigned entry = 0; ///< index of the first phase in xlac_ctx::kernels
  /// Index of the kernel's extents in xlac_ctx::constants, if it reads any.
  std::optional<unsigned> extents = std::nullopt;
};

/// The places of a program's kernels by name.
using KernelTable = llvm::StringMap<KernelPlace>;

/// Numbers that depend on sizes and that drivers read from memory, so that
/// programs that differ only in sizes share one driver.
struct DriverNumbers {
  unsigned constant = 0; ///< index of `values` in xlac_ctx::constants
  std::vector<int64_t> values;
};

/// The tables of launches of drivers (xlac/abi/launches.h).
struct LaunchTables {
  unsigned constant = 0; ///< index of `words` in xlac_ctx::constants
  std::vector<int64_t> words;
};

/// Adds the driver of `program`: an xlac_entry_fn with the program's name,
/// which launches the kernels of `table`. With `launches`, appends tables of
/// launches that follow one another outside of loops to them, and runs these;
/// other launches are in the code. With `numbers`, appends the numbers that
/// depend on sizes to them, and reads them from there. Otherwise they are in
/// the code.
llvm::Error emitDriver(ir::ProgramOp program, llvm::Module &module,
                       const KernelTable &table,
                       LaunchTables *launches = nullptr,
                       DriverNumbers *numbers = nullptr);

} // namespace xlac::codegen

#endif
