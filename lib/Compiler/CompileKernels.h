// Kernels to blobs, in batches over threads. Private to the component.
#ifndef XLAC_LIB_COMPILER_COMPILEKERNELS_H
#define XLAC_LIB_COMPILER_COMPILEKERNELS_H

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/compiler.h"

#include "llvm/Support/Error.h"

namespace xlac::compiler {

/// A kernel, what it is known by, and where its code went.
struct KernelTask {
  ir::KernelOp kernel;
  std::string hash;
  std::string name; ///< before it was named for its structure
  uint32_t blob = 0;
};

/// Compiles `tasks` on threads of its own, appends to `blobs` and notes in each
/// task which one is its own. Where `options` have a store of kernels, no two
/// tasks have the same one, and the store gets them for other programs. Throws
/// what a thread threw, std::bad_alloc above all, after all threads have ended.
/// An error of the code not_supported says what emitters cannot emit; others
/// are failures of code generation.
llvm::Error compileTasks(llvm::ArrayRef<KernelTask *> tasks,
                         const CompilerOptions &options,
                         std::vector<runtime::Blob> &blobs,
                         CompileReport *report);

} // namespace xlac::compiler

#endif
