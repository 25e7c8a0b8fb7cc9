// f32 lanes that represent bf16 elements. Their low halves are zero, so that
// storing them takes a shift.
#ifndef XLAC_LIB_CODEGEN_BFLOAT16_H
#define XLAC_LIB_CODEGEN_BFLOAT16_H

#include "Math/Num.h"

namespace xlac::codegen {

/// Rounds f32 lanes to the nearest bf16, ties to even. Keeps denormal numbers,
/// and becomes infinite from halfway between the largest bf16 and the next
/// power of two. NaN stays NaN. The result is f32 lanes with low halves of
/// zero. Values that are known to have such low halves are returned unchanged.
Num roundToBfloat(Num x);

/// Returns the same as i16 lanes with the bits of bf16. The bits of a NaN keep
/// their upper half, unless it would be an infinity.
llvm::Value *bfloatCode(Num x);

} // namespace xlac::codegen

#endif
