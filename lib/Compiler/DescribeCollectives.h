// Collectives of a planned program as the image lists them. Private to the
// component.
#ifndef XLAC_LIB_COMPILER_DESCRIBECOLLECTIVES_H
#define XLAC_LIB_COMPILER_DESCRIBECOLLECTIVES_H

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/runtime/image.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace xlac::compiler {

/// Fills in what `entry` asks of others, in the numbers that its driver uses;
/// `firstEntry` gives the first phase of each kernel.
llvm::Error describeCollectives(ir::ProgramOp entry,
                                const llvm::StringMap<unsigned> &firstEntry,
                                runtime::ExecutableImage &image);

/// Fills in how arguments and results of a program that the partition pass cut
/// lie on its devices, from the module's attributes.
llvm::Error describePartitions(mlir::ModuleOp module,
                               runtime::ExecutableImage &image);

/// The grid that the module's attributes ask for.
runtime::GridShape gridOf(mlir::ModuleOp module);

} // namespace xlac::compiler

#endif
