// The elements that kernels compute with.
#ifndef XLAC_LIB_CODEGEN_ELEMENT_H
#define XLAC_LIB_CODEGEN_ELEMENT_H

#include "llvm/IR/Value.h"

namespace xlac::codegen {

/// One element for each lane: an LLVM scalar when the width is 1, else a
/// vector. Complex numbers come as two. Booleans are i1; integers have their
/// own width (i2/i4: i8, sign- or zero-extended); f16 and bf16 travel as float,
/// rounded after every op; f32 and f64 are themselves.
struct Element {
  llvm::Value *real = nullptr;
  llvm::Value *imag = nullptr;
};

} // namespace xlac::codegen

#endif
