// From a verified StableHLO module to a native image: the pipeline, kernels in
// batches over threads, the driver. Private to the component.
#ifndef XLAC_LIB_COMPILER_COMPILEPROGRAM_H
#define XLAC_LIB_COMPILER_COMPILEPROGRAM_H

#include "xlac/compiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace xlac::compiler {

/// Lowers `module` in place to kernels and programs. `buildId` enters the
/// kernels' hashes.
llvm::Error lowerToKernels(mlir::ModuleOp module,
                           const CompilerOptions &options,
                           llvm::StringRef entry, CompileReport *report);

/// The native image of a module that lowerToKernels has lowered. An error of
/// the code not_supported says what has no native form; others are failures of
/// code generation. Throws what a thread threw, std::bad_alloc above all.
llvm::Expected<runtime::ExecutableImage>
buildImage(mlir::ModuleOp module, const CompilerOptions &options,
           llvm::StringRef buildId, CompileReport *report);

/// Everything of a lowered module (kernels, driver, and with `table` the kernel
/// table `xlac_kernels`) in one LLVM module. Its errors say what emitters
/// cannot emit.
llvm::Expected<std::unique_ptr<llvm::Module>>
buildWholeModule(mlir::ModuleOp module, const CompilerOptions &options,
                 llvm::LLVMContext &context, bool table);

} // namespace xlac::compiler

#endif
