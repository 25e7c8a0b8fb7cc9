// Which memory launches of a table access, and which of them run at the same
// time.
#ifndef XLAC_LIB_CODEGEN_JOINLAUNCHES_H
#define XLAC_LIB_CODEGEN_JOINLAUNCHES_H

#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace xlac::codegen {

/// The memory of a buffer: bytes [begin, end) of the arena, or an argument,
/// result or constant by its number, `begin`.
struct BufferMemory {
  int64_t kind; ///< XLAC_BUFFER_ARGUMENT, …
  int64_t begin, end;
};

BufferMemory memoryOf(mlir::Value buffer);

/// Returns how many of the first launches, which follow one another in
/// `program`, run at the same time: elementwise kernels and reductions that do
/// not access what another one writes, such as the steps of an optimizer on
/// many parameters. One loop over the pieces of all keeps threads busy until
/// the last one ends. 1: the first launch runs alone.
size_t countJoined(llvm::ArrayRef<ir::LaunchOp> launches, ir::ProgramOp program,
                   llvm::function_ref<ir::KernelOp(ir::LaunchOp)> kernelOf);

} // namespace xlac::codegen

#endif
