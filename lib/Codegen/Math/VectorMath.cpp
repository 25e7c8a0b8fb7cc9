#include "VectorMath.h"

#include "VectorMathAvx512.h"

#include "llvm/IR/Constants.h"

namespace xlac::codegen {

/// Returns whether to use the range instruction: for vectors without constants.
/// LLVM generates better code for constants by itself.
static bool takesRange(Num a, Num b) {
  return hasAvx512(a) && a.type()->isVectorTy() &&
         !llvm::isa<llvm::Constant>(a.value) &&
         !llvm::isa<llvm::Constant>(b.value);
}

static Num withIntrinsic(llvm::Intrinsic::ID id, Num a, Num b) {
  return {a.emitter, a.ir().CreateBinaryIntrinsic(id, a.value, b.value)};
}

Num maximum(Num a, Num b) {
  return takesRange(a, b) ? maximumByRange(a, b)
                          : withIntrinsic(llvm::Intrinsic::maximum, a, b);
}
Num minimum(Num a, Num b) {
  return takesRange(a, b) ? minimumByRange(a, b)
                          : withIntrinsic(llvm::Intrinsic::minimum, a, b);
}

} // namespace xlac::codegen
