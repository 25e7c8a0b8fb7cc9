// What an op costs and how it may take part in a kernel: the facts on which
// fusion decides. Costs count in units of one vectorized addition; a byte moved
// through memory costs about as much.
#ifndef XLAC_LIB_TRANSFORMS_FUSIONCOST_H
#define XLAC_LIB_TRANSFORMS_FUSIONCOST_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Operation.h"

namespace xlac::transforms {

/// How an op stands to kernels.
enum class FusionRole {
  Control,     ///< stays outside: loops, branches, what has no kernel
  Constant,    ///< cloned into kernels or left as a buffer
  Alias,       ///< the same bytes under another shape: free outside of kernels
  Loop,        ///< any element can be computed at its index
  Reduction,   ///< reduces whole dimensions
  Contraction, ///< a packed product
  Scatter,     ///< writes at computed places
  Scan,        ///< each element of the result continues the one before
  Sort,
  Library,
};

FusionRole roleOf(mlir::Operation *op);

/// True if element i of the result depends on element i of the operands alone
/// (or on scalar operands).
bool isElementwise(mlir::Operation *op);

/// Elements of the first tensor type that `value` or `op` has; 0 if none.
int64_t elementsOf(mlir::Value value);
int64_t elementsOf(mlir::Operation *op);
/// Bytes of the results.
double resultBytes(mlir::Operation *op);

/// Work for one element of the result.
double elementCost(mlir::Operation *op);

/// How often an element of operand `number` is asked for when one element of
/// the result of `op` is. Values that are the same along the innermost
/// dimension count once for all of it.
double demand(mlir::Operation *op, unsigned number);

/// True for constants that kernels hold themselves.
bool isKernelConstant(mlir::Operation *op);

/// True if computing `op` again costs no more than reading what it would have
/// stored.
bool isFreeToRepeat(mlir::Operation *op);

/// True for movement that only changes the strides with which its operand is
/// read.
bool isStrideChange(mlir::Operation *op);

/// True for a transpose that is worth a kernel of its own: large, and with
/// another innermost dimension.
bool isHeavyTranspose(mlir::Operation *op);

} // namespace xlac::transforms

#endif
