// Determines which values of an outlined function are aliases, such as a
// reshape and its operand, or a loop-invariant carry and its initial value.
// Also determines when each value is read for the last time.
#ifndef XLAC_LIB_TRANSFORMS_VALUELIVENESS_H
#define XLAC_LIB_TRANSFORMS_VALUELIVENESS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace xlac::transforms {

/// Returns true for ops whose result `i` aliases operand `i`.
bool isBufferAlias(mlir::Operation *op);

class ValueLiveness {
public:
  /// The function must not change afterwards.
  explicit ValueLiveness(mlir::func::FuncOp function);

  /// Returns the value that `value` aliases, or `value` itself.
  mlir::Value root(mlir::Value value) const;

  /// Returns true for a carry of a while that the body returns unchanged. The
  /// roots of the regions' arguments and of the result are then the initial
  /// value's root.
  bool isInvariantCarry(mlir::Operation *loop, unsigned number) const;

  /// Returns true if nothing reads root `value` after `op`. With `including`,
  /// `op` itself may be the last reader. Returns false if they are in different
  /// blocks, because a loop may execute again.
  bool isDeadBefore(mlir::Value value, mlir::Operation *op,
                    bool including) const;

  /// Returns true if an op between `first` and `last`, two ops of the block of
  /// root `value`, reads it.
  bool isReadBetween(mlir::Value value, mlir::Operation *first,
                     mlir::Operation *last) const;

  /// Returns true if an op in the regions of `op` reads root `value`.
  bool isReadInside(mlir::Value value, mlir::Operation *op) const;

private:
  void collectUses(mlir::Value value);

  llvm::DenseMap<mlir::Value, mlir::Value> sameAs;
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::DenseMap<mlir::Value, unsigned> lastUse;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Operation *, 4>> readers;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<bool>> invariant;
};

} // namespace xlac::transforms

#endif
