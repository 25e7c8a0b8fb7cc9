// The sums of lanes of several registers in the lanes of one.
#ifndef XLAC_LIB_CODEGEN_LANESUMS_H
#define XLAC_LIB_CODEGEN_LANESUMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace xlac::codegen {

/// Returns the sum of the lanes of register i in lane i: each half of a
/// register is added to the other half until one lane is left. There are as
/// many lanes as registers, rounded up to a power of two; lanes after the last
/// register are unspecified. Registers have one type, of integers or floats,
/// and at least as many lanes as there are registers.
llvm::Value *addLanes(llvm::IRBuilder<> &ir,
                      llvm::ArrayRef<llvm::Value *> registers);

} // namespace xlac::codegen

#endif
