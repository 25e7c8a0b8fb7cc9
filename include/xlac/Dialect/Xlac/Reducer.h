// What reducers and windows allow beyond their plain meaning: fusion and code
// generation ask here.
#ifndef XLAC_DIALECT_XLAC_REDUCER_H
#define XLAC_DIALECT_XLAC_REDUCER_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

#include <optional>

namespace xlac::ir {

/// True if result i of `body` is op(argument i, argument i + n) with an op that
/// is associative (but for rounding), commutative and has an identity.
bool isSimpleReducer(mlir::Region &body);

/// A reduce_window whose windows grow by one element from result to result, so
/// that each result is the one before with one element more.
struct Scan {
  int64_t dim = 0;      ///< along which elements add up
  bool reverse = false; ///< from the last element to the first
};

/// The scan that `op` is; nothing where it is none, or is too short to matter.
/// The padding in its windows must not count: the initial value is the identity
/// of a sum or product, or any for minimum, maximum, and, or.
std::optional<Scan> describeScan(mlir::Operation *op);

} // namespace xlac::ir

#endif
