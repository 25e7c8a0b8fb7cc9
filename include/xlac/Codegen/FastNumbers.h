// Which numbers of a kernel make its code faster as constants.
#ifndef XLAC_CODEGEN_FASTNUMBERS_H
#define XLAC_CODEGEN_FASTNUMBERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

#include <vector>

namespace xlac::codegen {

/// Returns for each constant of the form of `phases` (KernelNumbers) whether
/// instructions of innermost loops compute with it, as addresses do. Code that
/// reads another constant from memory is as fast: bounds of loops, operands of
/// floating-point operations and of calls, and what can move out of the loop.
std::vector<bool> fastNumbersOf(llvm::ArrayRef<llvm::Function *> phases);

} // namespace xlac::codegen

#endif
