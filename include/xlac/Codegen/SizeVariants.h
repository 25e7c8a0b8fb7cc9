// Kernels of a program that an earlier program has with other sizes.
#ifndef XLAC_CODEGEN_SIZEVARIANTS_H
#define XLAC_CODEGEN_SIZEVARIANTS_H

#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <map>
#include <memory>
#include <string>

namespace xlac::codegen {

/// Kernels before scheduling as MLIR text, by their name and a hash of the text
/// without numbers. Kernels with equal keys differ mostly in sizes.
using KernelTexts = std::map<std::string, std::string>;

/// Creates a pass that looks up every kernel of the module in `texts`. If a
/// kernel with the same key differs, the kernel gets the attribute `any_size`,
/// and the other one is added to a nested module, with this attribute and the
/// same name. Kernels without an entry are added to `texts`, which must outlive
/// the pass.
std::unique_ptr<mlir::Pass> createFindSizeVariantsPass(KernelTexts &texts);

/// Returns the kernels of other sizes that the pass has added to `module`, by
/// name.
std::map<std::string, ir::KernelOp> sizeVariantsOf(mlir::ModuleOp module);

} // namespace xlac::codegen

#endif
