// The last step of a softmax, exponentials divided by their sum, without a
// division for each element.
#ifndef XLAC_LIB_CODEGEN_ELEMENT_SOFTMAX_H
#define XLAC_LIB_CODEGEN_ELEMENT_SOFTMAX_H

#include "Math/Num.h"

#include "mlir/IR/Operation.h"

namespace xlac::codegen {

/// Returns whether `op` divides exp(x - max(x)) of f32 or f64 by its sum along
/// the dimensions of the maximum. Unless both are NaN, the numerator is from 0
/// to 1, and the sum from 1 to the number of its terms, because one of them
/// is 1.
bool dividesInSoftmax(mlir::Operation *op);

/// Returns a / b for operands of such an op, on targets with fused
/// multiply-add: a product with the reciprocal of b, corrected by the remainder
/// (Markstein, Computation of elementary functions on the IBM RISC System/6000
/// processor, 1990). The error is at most 0.5001 ULP, and 1 ULP where a is less
/// than 2^25 times the smallest normal number. The reciprocal moves out of the
/// loop over the elements of a row.
Num divideInSoftmax(Num a, Num b);

} // namespace xlac::codegen

#endif
