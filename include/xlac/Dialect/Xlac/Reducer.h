// Properties of reducers and windows that fusion and code generation exploit.
#ifndef XLAC_DIALECT_XLAC_REDUCER_H
#define XLAC_DIALECT_XLAC_REDUCER_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/ValueRange.h"

#include <optional>

namespace xlac::stablehlo {
class ReduceOp;
}

namespace xlac::ir {

/// Returns whether result i of `body` is op(argument i, argument i + n), where
/// op is commutative, associative (except for rounding) and has an identity.
bool isSimpleReducer(mlir::Region &body);

/// Returns whether a reduction by the simple reducer `body` may combine its
/// initial values several times.
bool mayRepeatInitialValues(mlir::Region &body, mlir::ValueRange initialValues);

/// Returns whether the reduction includes the innermost dimension of its
/// operands, ignoring dimensions of size 1.
bool reducesInnermost(stablehlo::ReduceOp reduce);

/// A reduce_window whose windows grow by one element from result to result.
/// Each result combines the previous one with one more element.
struct Scan {
  int64_t dim = 0;      ///< dimension that is scanned
  bool reverse = false; ///< from the last element to the first
  bool simple = false;  ///< the reducer is simple; it is associative otherwise
};

/// Returns the scan that `op` computes, or nothing if it is not one or is too
/// short to gain from it. Padding in its windows must not affect results. So
/// the initial value of a simple reducer is the identity of a sum or product,
/// or any value for minimum, maximum, and, or. Initial values of another
/// reducer are constants that it maps to themselves.
std::optional<Scan> describeScan(mlir::Operation *op);

} // namespace xlac::ir

#endif
