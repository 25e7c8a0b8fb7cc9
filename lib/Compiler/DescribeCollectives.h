// Describes the collectives of a planned program in the image. Private to the
// component.
#ifndef XLAC_LIB_COMPILER_DESCRIBECOLLECTIVES_H
#define XLAC_LIB_COMPILER_DESCRIBECOLLECTIVES_H

#include "xlac/Codegen/Codegen.h"
#include "xlac/runtime/image.h"

#include "llvm/Support/Error.h"

namespace xlac::compiler {

/// Adds the collectives of `entry` to the image, numbered as in its driver.
/// `table` gives the index of each kernel's first phase.
llvm::Error describeCollectives(ir::ProgramOp entry,
                                const codegen::KernelTable &table,
                                runtime::ExecutableImage &image);

/// Sets which arguments are given up and the kinds of memory of results,
/// from the module's attributes.
void describeSignature(mlir::ModuleOp module, runtime::ExecutableImage &image);

/// Sets the shardings of arguments and results of a program that the partition
/// pass has partitioned, from the module's attributes.
llvm::Error describePartitions(mlir::ModuleOp module,
                               runtime::ExecutableImage &image);

/// Returns the device grid that the module's attributes request.
runtime::GridShape gridOf(mlir::ModuleOp module);

} // namespace xlac::compiler

#endif
