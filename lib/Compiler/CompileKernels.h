// Compiles kernels to blobs, in batches on several threads. Private to the
// component.
#ifndef XLAC_LIB_COMPILER_COMPILEKERNELS_H
#define XLAC_LIB_COMPILER_COMPILEKERNELS_H

#include "KernelTemplates.h"

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/compiler.h"

#include "llvm/Support/Error.h"

namespace xlac::compiler {

/// A kernel, its identification, and the index of its code.
struct KernelTask {
  ir::KernelOp kernel;
  std::vector<std::string> variants; ///< the kernel with other sizes
  std::string hash;
  std::string name; ///< name before it was renamed by its structure
  /// Whether the kernel may read numbers at run time. Only the driver passes
  /// them.
  bool takesExtents = false;
  uint32_t blob = 0;
  std::string symbol = {};           ///< the kernel's name in its blob
  std::vector<int64_t> extents = {}; ///< numbers that the code reads
  bool sharesCode = false;           ///< with another kernel of the program
  runtime::CodeNeeds needs = {};     ///< with the kernel's own sizes
};

/// Compiles `tasks` on new threads, appends to `blobs`, and records the blob of
/// each task in it. Similar kernels have the same blob. If `options` have a
/// kernel store, each code is a blob of its own, which is put into the store
/// for other programs. With `templates`, which need a store, code that serves a
/// task is used, and new code is added to them. Rethrows an exception of a
/// thread, usually std::bad_alloc, after all threads have ended. Errors with
/// the code not_supported state what emitters do not support; others are
/// failures of code generation.
llvm::Error compileTasks(llvm::ArrayRef<KernelTask *> tasks,
                         const CompilerOptions &options,
                         KernelTemplates *templates,
                         std::vector<runtime::Blob> &blobs,
                         CompileReport *report);

} // namespace xlac::compiler

#endif
