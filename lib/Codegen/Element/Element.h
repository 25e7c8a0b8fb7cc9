// Representation of tensor elements in emitted code.
#ifndef XLAC_LIB_CODEGEN_ELEMENT_H
#define XLAC_LIB_CODEGEN_ELEMENT_H

#include "llvm/IR/Value.h"

namespace xlac::codegen {

/// One element for each lane: an LLVM scalar if the width is 1, else a vector.
/// A complex number has two parts. Booleans are i1. Integers have their own
/// width, except that i2 and i4 are sign- or zero-extended to i8. f16 and bf16
/// are represented as float and rounded after every op, which leaves the low
/// half of a bf16 zero, also of NaN. f32 and f64 are unchanged.
struct Element {
  llvm::Value *real = nullptr;
  llvm::Value *imag = nullptr;
};

} // namespace xlac::codegen

#endif
