// Compiles a verified StableHLO module to a native image: the pipeline, kernels
// in batches on several threads, the driver. Private to the component.
#ifndef XLAC_LIB_COMPILER_COMPILEPROGRAM_H
#define XLAC_LIB_COMPILER_COMPILEPROGRAM_H

#include "KernelTemplates.h"

#include "xlac/compiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace xlac::compiler {

/// Returns what is known about kernels of the same family, or nothing if
/// kernels may not use code that was compiled for other sizes.
std::optional<KernelTemplates> templatesFor(const CompilerOptions &options);

/// Lowers `module` in place to kernels and programs. With `templates`, kernels
/// that are known with other sizes are compiled for any size. If `changedSizes`
/// is not empty, the module becomes the program as it is for these sizes of its
/// arguments, as far as that can be guessed.
llvm::Error lowerToKernels(mlir::ModuleOp module,
                           const CompilerOptions &options,
                           llvm::StringRef entry, CompileReport *report,
                           KernelTemplates *templates = nullptr,
                           const ArgumentSizes &changedSizes = {});

/// Returns the native image of a module that lowerToKernels has lowered with
/// the same templates. The kernels' hashes include `buildId`. Errors with the
/// code not_supported state what has no native form; others are
/// failures of code generation. Rethrows an exception of a thread, usually
/// std::bad_alloc.
llvm::Expected<runtime::ExecutableImage>
buildImage(mlir::ModuleOp module, const CompilerOptions &options,
           llvm::StringRef buildId, CompileReport *report,
           KernelTemplates *templates);

/// Emits everything of a lowered module into one LLVM module: kernels and the
/// driver. Errors state what emitters do not support.
llvm::Expected<std::unique_ptr<llvm::Module>>
buildWholeModule(mlir::ModuleOp module, const CompilerOptions &options,
                 llvm::LLVMContext &context);

} // namespace xlac::compiler

#endif
