// Dimensions of a loop's results over which it computes the same again.
#ifndef XLAC_LIB_CODEGEN_LOOPREPEATS_H
#define XLAC_LIB_CODEGEN_LOOPREPEATS_H

#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace xlac::codegen {

/// Returns which of `groups`, disjoint lists of ascending dimensions of the
/// kernel's results, is worth an innermost loop: most of what the kernel
/// computes, for example the indices of gathers, is the same at all indices of
/// the group. The last group is the one that vectors count through. Returns
/// nothing if no group is worth it.
std::optional<size_t>
findRepeatedGroup(ir::KernelOp kernel,
                  llvm::ArrayRef<llvm::SmallVector<int64_t>> groups);

} // namespace xlac::codegen

#endif
