// Moves groups of ops into kernels and replaces them by calls.
#ifndef XLAC_LIB_TRANSFORMS_OUTLINEKERNELS_H
#define XLAC_LIB_TRANSFORMS_OUTLINEKERNELS_H

#include "FusionGroups.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

namespace xlac::transforms {

/// Creates the kernels of a module. Equal kernels are shared.
class KernelOutliner {
public:
  explicit KernelOutliner(mlir::ModuleOp module) : module(module) {}

  /// Replaces the grouped ops of `block` by calls, in an order in which every
  /// value is computed before it is read. Nested blocks must have been
  /// outlined.
  mlir::LogicalResult outline(mlir::Block &block, const FusionGroups &groups);

private:
  struct Item {
    FusionGroup *group = nullptr;
    mlir::Operation *op = nullptr; ///< set if it is not a group
    unsigned key = 0;              ///< its original position
    unsigned waiting = 0;          ///< number of items that must come before
    llvm::SmallVector<unsigned> next;
  };

  std::vector<Item> order(mlir::Block &block, const FusionGroups &groups);
  void emitCalls(FusionGroup &group, const FusionGroups &groups,
                 mlir::OpBuilder &builder);
  void emitCall(FusionGroup &group, llvm::ArrayRef<mlir::Value> results,
                mlir::OpBuilder &builder);
  ir::KernelOp intern(ir::KernelOp kernel);
  mlir::Value current(mlir::Value value) const {
    return replaced.lookupOrDefault(value);
  }

  mlir::ModuleOp module;
  /// Maps results of the block being outlined to results of the calls.
  mlir::IRMapping replaced;
  llvm::StringMap<ir::KernelOp> known;
  unsigned count = 0;
};

} // namespace xlac::transforms

#endif
