// Cost of an op and its role in kernels, on which fusion decides. The unit of
// cost is one vectorized addition; moving a byte through memory costs about as
// much.
#ifndef XLAC_LIB_TRANSFORMS_FUSIONCOST_H
#define XLAC_LIB_TRANSFORMS_FUSIONCOST_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Operation.h"

namespace xlac::transforms {

/// Role of an op in kernels.
enum class FusionRole {
  Control,     ///< stays outside: loops, branches, ops without kernel
  Constant,    ///< cloned into kernels or left as a buffer
  Alias,       ///< another shape of the same bytes: free outside of kernels
  Loop,        ///< every element can be computed from its index
  Reduction,   ///< reduces whole dimensions
  Contraction, ///< a packed GEMM
  Scatter,     ///< writes at computed indices
  Scan,        ///< each element of the result continues the previous one
  Sort,
  Library,
};

FusionRole roleOf(mlir::Operation *op);

/// Returns true if element i of the result depends only on element i of the
/// operands (or on scalar operands).
bool isElementwise(mlir::Operation *op);

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return llvm::cast<mlir::ShapedType>(value.getType()).getShape();
}

/// Returns the operands of the op and the values that its regions read from
/// outside, each once.
llvm::SmallVector<mlir::Value> valuesReadBy(mlir::Operation *op);

/// Returns the number of elements of the first tensor type of `value` or `op`;
/// 0 if none.
int64_t elementsOf(mlir::Value value);
int64_t elementsOf(mlir::Operation *op);
/// Returns the bytes of the results.
double resultBytes(mlir::Operation *op);

/// Returns the cost of one element of the result.
double elementCost(mlir::Operation *op);

/// Returns how often an element of operand `number` is read for each element of
/// the result of `op`. Elements that are the same along the innermost dimension
/// count once.
double demand(mlir::Operation *op, unsigned number);

/// Returns true for constants that kernels contain.
bool isKernelConstant(mlir::Operation *op);

/// Returns true for a pad that puts elements between those of its operand.
bool isDilatingPad(mlir::Operation *op);

/// Returns true if recomputing `op` costs no more than reading its stored
/// result.
bool isFreeToRepeat(mlir::Operation *op);

/// Returns true for ops that only change the strides with which their operand
/// is read.
bool isStrideChange(mlir::Operation *op);

/// Returns true for a transpose that is worth a kernel of its own: it is large
/// and changes the innermost dimension.
bool isHeavyTranspose(mlir::Operation *op);

} // namespace xlac::transforms

#endif
