// The numbers that a tensor may have in a box of indices. Masks that compare
// iotas are true or false in a whole box.
#ifndef XLAC_LIB_TRANSFORMS_NUMBERRANGES_H
#define XLAC_LIB_TRANSFORMS_NUMBERRANGES_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace xlac::transforms {

/// The indices of a box along one dimension: from `begin` up to, and without,
/// `end`.
struct IndexRange {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

/// The least and the greatest of some numbers.
struct NumberRange {
  double low = 0, high = 0;
  bool isOneNumber() const { return low == high; }
};

/// Stands for a dimension of an operand that has no index of its own.
inline constexpr int64_t kMixedDim = -2;

/// Returns the dimension of operand `number` whose index is that of each
/// dimension of the result: -1 if the operand's elements are the same along the
/// dimension, kMixedDim if a reshape mixes it with others. Returns nothing if
/// the op is not elementwise, a broadcast, reshape, transposition, or a
/// reduction of one input, or has unknown sizes.
std::optional<llvm::SmallVector<int64_t>> operandDims(mlir::Operation *op,
                                                      unsigned number);

/// Returns a range that contains the elements of `value` in the box. Integers
/// of more than 53 bits, NaN and -0 have none.
std::optional<NumberRange> numbersIn(mlir::Value value,
                                     llvm::ArrayRef<IndexRange> box);

} // namespace xlac::transforms

#endif
