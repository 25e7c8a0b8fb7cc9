// Moves groups of ops into kernels and leaves calls in their place.
#ifndef XLAC_LIB_TRANSFORMS_OUTLINEKERNELS_H
#define XLAC_LIB_TRANSFORMS_OUTLINEKERNELS_H

#include "FusionGroups.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

namespace xlac::transforms {

/// Makes kernels of a module; equal ones become one.
class KernelOutliner {
public:
  explicit KernelOutliner(mlir::ModuleOp module) : module(module) {}

  /// Replaces the grouped ops of `block` by calls, in an order in which every
  /// value is computed before it is read. Blocks within must have been
  /// outlined.
  mlir::LogicalResult outline(mlir::Block &block, const FusionGroups &groups);

private:
  struct Item {
    FusionGroup *group = nullptr;
    mlir::Operation *op = nullptr; ///< when it is no group
    unsigned key = 0;              ///< where it stood
    unsigned waiting = 0;          ///< items that must come before
    llvm::SmallVector<unsigned> next;
  };

  std::vector<Item> order(mlir::Block &block, const FusionGroups &groups);
  void emitCalls(FusionGroup &group, const FusionGroups &groups,
                 mlir::OpBuilder &builder);
  void emitCall(FusionGroup &group, llvm::ArrayRef<mlir::Value> results,
                const FusionGroups &groups, mlir::OpBuilder &builder);
  ir::KernelOp intern(ir::KernelOp kernel);
  mlir::Value current(mlir::Value value) const {
    return replaced.lookupOrDefault(value);
  }

  mlir::ModuleOp module;
  /// Results of the block being outlined -> results of the calls.
  mlir::IRMapping replaced;
  llvm::StringMap<ir::KernelOp> known;
  unsigned count = 0;
};

} // namespace xlac::transforms

#endif
