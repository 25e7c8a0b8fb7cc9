// Kernels of a program that programs of the same family have with other sizes.
#ifndef XLAC_CODEGEN_SIZEVARIANTS_H
#define XLAC_CODEGEN_SIZEVARIANTS_H

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/target_profile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace xlac::codegen {

/// Kernels before scheduling as MLIR text, by their name and a hash of the text
/// without numbers. Kernels with equal keys differ mostly in sizes. Each key
/// has the texts of a few sizes.
using KernelTexts = std::map<std::string, std::vector<std::string>>;

/// Adds the kernels of `module`.
void addKernelTexts(mlir::ModuleOp module, KernelTexts &texts);

/// The texts of a program's kernels with other sizes, by the kernel's name.
using SizeVariants = std::map<std::string, std::vector<std::string>>;

/// Creates a pass that looks up every kernel of the module in `texts`, and adds
/// it there. If there are texts of other sizes, the kernel gets the attribute
/// `any_size`, and they are added to `variants`. If `onlyNote` is not null, the
/// pass instead sets `*onlyNote` if a kernel has such texts. All must outlive
/// the pass.
std::unique_ptr<mlir::Pass>
createFindSizeVariantsPass(KernelTexts &texts, SizeVariants &variants,
                           bool *onlyNote = nullptr);

/// Returns a module with the kernel of the text `variant`, scheduled for any
/// size like `kernel`; null if the text is malformed or cannot be scheduled.
mlir::OwningOpRef<mlir::ModuleOp> makeSizeVariant(ir::KernelOp kernel,
                                                  llvm::StringRef variant,
                                                  const TargetProfile &profile);

} // namespace xlac::codegen

#endif
