// Which numbers of a kernel make its code faster as constants.
#ifndef XLAC_CODEGEN_FASTNUMBERS_H
#define XLAC_CODEGEN_FASTNUMBERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

#include <cstdint>
#include <vector>

namespace xlac::codegen {

/// Returns for each constant of the form of `phases` (KernelNumbers) the
/// innermost loop, counted from 1, whose instructions compute with it, as
/// addresses do, or 0. For 0, code that reads another constant from memory is
/// as fast: bounds of loops, operands of floating-point operations and of
/// calls, what can move out of the loop, and loops that call functions.
std::vector<uint32_t>
loopsOfFastNumbers(llvm::ArrayRef<llvm::Function *> phases);

} // namespace xlac::codegen

#endif
