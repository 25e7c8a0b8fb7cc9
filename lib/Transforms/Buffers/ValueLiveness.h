// Which values of an outlined function share their bytes by nature (a reshape
// and its operand, a loop-invariant carry and what it was initialized with),
// and when each is read for the last time.
#ifndef XLAC_LIB_TRANSFORMS_VALUELIVENESS_H
#define XLAC_LIB_TRANSFORMS_VALUELIVENESS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace xlac::transforms {

/// True for ops whose result `i` is the same bytes as operand `i`.
bool isBufferAlias(mlir::Operation *op);

class ValueLiveness {
public:
  /// The function must not change afterwards.
  explicit ValueLiveness(mlir::func::FuncOp function);

  /// The value whose bytes `value` is.
  mlir::Value root(mlir::Value value) const;

  /// True for a while's carry that the body hands on unchanged: the region's
  /// arguments and the result are then rooted in the initial value.
  bool isInvariantCarry(mlir::Operation *loop, unsigned number) const;

  /// True if nothing reads root `value` after `op` (which may be its last
  /// reader itself if `including`). False when they are in different blocks: a
  /// loop may come around.
  bool isDeadBefore(mlir::Value value, mlir::Operation *op,
                    bool including) const;

  /// True if something within the regions of `op` reads root `value`.
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
