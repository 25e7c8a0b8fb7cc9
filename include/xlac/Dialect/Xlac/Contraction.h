// The common form of dot_general and convolution: which dimensions are batched,
// free on one side, or contracted, and how each moves through the operands.
// Fusion and code generation ask here what the packed product can do.
#ifndef XLAC_DIALECT_XLAC_CONTRACTION_H
#define XLAC_DIALECT_XLAC_CONTRACTION_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace xlac::ir {

/// One dimension of a contraction's index space. An index i moves lhs dimension
/// `lhsDim` by i * lhsStep, and so on; -1 where it does not appear. Several
/// dimensions may move the same one (window and output position).
struct ContractionDim {
  int64_t size = 1;
  int64_t lhsDim = -1, lhsStep = 0;
  int64_t rhsDim = -1, rhsStep = 0;
  int64_t resultDim = -1, resultStep = 0;
};

/// result[batch, lhsFree, rhsFree] = sum over depth of lhs * rhs. A
/// convolution's lhs is meant padded: dimension d of the operand, with
/// lhsDilation[d] - 1 zeros between elements, lies at lhsLow[d] of a space of
/// lhsPadded[d] zeros.
struct Contraction {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<ContractionDim> batch, lhsFree, rhsFree, contracting;
  llvm::SmallVector<int64_t> lhsLow, lhsDilation, lhsPadded;
  /// Index in each rhs dimension where all indices are 0 (reversed windows).
  llvm::SmallVector<int64_t> rhsStart;

  /// True if the padded lhs differs from the operand.
  bool padsLhs() const;
};

/// The form of a dot_general or convolution of static shapes; nothing for other
/// ops.
std::optional<Contraction> describeContraction(mlir::Operation *op);

/// True if an operand of the dot_general or convolution asks for the precision
/// HIGHEST.
bool wantsHighestPrecision(mlir::Operation *op);

/// True if `op` can be the heart of a kernel of the contraction kind: floats or
/// integers of 8 to 64 bits, static shapes, nothing empty.
bool isContractionSupported(mlir::Operation *op);

} // namespace xlac::ir

#endif
