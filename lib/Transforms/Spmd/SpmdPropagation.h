// Shardings of all values of a function, from those that some are annotated
// with.
#ifndef XLAC_LIB_TRANSFORMS_SPMDPROPAGATION_H
#define XLAC_LIB_TRANSFORMS_SPMDPROPAGATION_H

#include "SpmdAnnotation.h"
#include "SpmdRules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace xlac::transforms {

/// Values that lie on the devices in one way: a value, or those that a loop
/// carries, or a result of the program.
struct SpmdSlot {
  mlir::RankedTensorType type;
  AxisSharding sharding;
  /// Annotated: the dimensions that stay as they are.
  llvm::SmallVector<bool> closed;
  bool isClosed() const { return llvm::is_contained(closed, true); }
};

class SpmdPropagation {
public:
  SpmdPropagation(mlir::func::FuncOp function, const DeviceMesh &mesh);

  /// Fixes what annotations say; `results` and `arguments` have one entry each.
  void annotateArgument(unsigned number, const SpmdAnnotation &annotation);
  void annotateResult(unsigned number, const SpmdAnnotation &annotation);
  void annotateValue(mlir::Value value, const SpmdAnnotation &annotation);

  /// Spreads them until nothing changes: along simple ops first, then along
  /// all. Annotations win over what is found, then the larger tensor of an op
  /// over the smaller, then the earlier operand. What is set is only ever
  /// extended, so the order of ops is all that decides.
  void run();

  /// How `value` is to lie; replicated for what is no static tensor.
  const AxisSharding &of(mlir::Value value) const;
  /// How the function's results are to lie.
  const AxisSharding &ofResult(unsigned number) const;
  /// What devices compute each on its own (SPMDFullToShardShape).
  bool isManual(mlir::Value value) const { return manual.contains(value); }

private:
  using Tensor = std::pair<SpmdSlot *, const DimFactors *>;

  void makeSlots(mlir::Block &block);
  void tieLoop(mlir::Operation *op);
  unsigned slotFor(mlir::Value value);
  SpmdSlot *find(mlir::Value value);
  void fix(SpmdSlot &slot, const SpmdAnnotation &annotation);
  /// One is what the other was; true if either changed.
  bool link(SpmdSlot *a, SpmdSlot *b);
  bool linkRegions(mlir::Operation *op);
  bool spread(mlir::Operation *op, bool simpleOnly);
  bool spread(const SpmdRule &rule, llvm::MutableArrayRef<Tensor> tensors,
              llvm::ArrayRef<bool> sources);
  bool extend(SpmdSlot &slot, const AxisSharding &wanted);

  mlir::func::FuncOp function;
  const DeviceMesh &mesh;
  std::vector<SpmdSlot> slots;
  llvm::DenseMap<mlir::Value, unsigned> slotOf;
  llvm::DenseSet<mlir::Value> manual;
  std::vector<SpmdSlot> results;
  llvm::DenseMap<mlir::Operation *, SpmdRule> rules;
  std::vector<mlir::Operation *> order;
};

} // namespace xlac::transforms

#endif
