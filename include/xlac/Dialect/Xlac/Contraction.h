// The common form of dot_general and convolution: its batch, free and
// contracting dimensions, and their strides in the operands. Fusion and code
// generation use it to decide what the packed GEMM supports.
#ifndef XLAC_DIALECT_XLAC_CONTRACTION_H
#define XLAC_DIALECT_XLAC_CONTRACTION_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace xlac::ir {

/// One dimension of a contraction's index space. Index i advances lhs dimension
/// `lhsDim` by i * lhsStep; rhs and result likewise. A dim of -1 means that the
/// dimension does not occur there. Several dimensions may advance the same one,
/// such as window and output position.
struct ContractionDim {
  int64_t size = 1;
  int64_t lhsDim = -1, lhsStep = 0;
  int64_t rhsDim = -1, rhsStep = 0;
  int64_t resultDim = -1, resultStep = 0;
};

/// result[batch, lhsFree, rhsFree] = sum over K of lhs * rhs. A convolution's
/// lhs stands for the padded operand: dimension d of the operand, with
/// lhsDilation[d] - 1 zeros between elements, starts at lhsLow[d] of
/// lhsPadded[d] elements.
struct Contraction {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<ContractionDim> batch, lhsFree, rhsFree, contracting;
  llvm::SmallVector<int64_t> lhsLow, lhsDilation, lhsPadded;
  /// Index in each rhs dimension if all indices are 0; not 0 for reversed
  /// windows.
  llvm::SmallVector<int64_t> rhsStart;

  /// Returns whether the padded lhs differs from the operand.
  bool padsLhs() const;
};

/// Returns the form of a dot_general or convolution with static shapes, or
/// nothing for other ops.
std::optional<Contraction> describeContraction(mlir::Operation *op);

/// Returns whether an operand of the dot_general or convolution has the
/// precision HIGHEST.
bool requestsHighestPrecision(mlir::Operation *op);

/// Returns whether `op` can be the contraction of a contraction kernel:
/// elements are floats or integers of 8 to 64 bits, shapes are static and no
/// size is 0.
bool isContractionSupported(mlir::Operation *op);

} // namespace xlac::ir

#endif
