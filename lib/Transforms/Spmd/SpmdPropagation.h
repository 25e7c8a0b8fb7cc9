// Determines the shardings of all values of a function from annotations of some
// of them.
#ifndef XLAC_LIB_TRANSFORMS_SPMDPROPAGATION_H
#define XLAC_LIB_TRANSFORMS_SPMDPROPAGATION_H

#include "SpmdAnnotation.h"
#include "SpmdCalls.h"
#include "SpmdRules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace xlac::transforms {

/// Values with a common sharding: a single value, loop-carried values, or a
/// result of the program.
struct SpmdSlot {
  mlir::RankedTensorType type;
  AxisSharding sharding;
  /// True for dimensions whose annotated sharding must not change.
  llvm::SmallVector<bool> closed;
  /// The annotated sharding. That of other dimensions may only be extended,
  /// except that of a hint.
  AxisSharding annotated;
  /// The search may choose another sharding of the dimensions that are open.
  bool isHint = false;
  /// Axes whose devices hold other values, each by the program's own will.
  AxisList manual;
  /// The round from which on each dimension is propagated; empty: the first.
  llvm::SmallVector<int64_t, 0> priorities;
  /// True for arguments and results of the program: propagation gives them
  /// equal pieces, because hosts hold arrays of equal pieces.
  bool isBoundary = false;
  /// What set the sharding last: the number of an op, or one of the following.
  int decidedBy = kNothing;
  static constexpr int kNothing = -1, kAnnotation = -2, kCost = -3;
  bool isClosed() const { return llvm::is_contained(closed, true); }
};

/// A tensor that an op reads or makes.
struct SpmdUse {
  unsigned slot;
  const DimFactors *dims;
  bool isFree; ///< isFreeToMake(): its sharding does not count
};

/// An op with its rule and its tensors, operands first.
struct SpmdUses {
  /// Null for control flow, terminators and the borders of manual code.
  const SpmdRule *rule = nullptr;
  llvm::SmallVector<SpmdUse, 4> tensors;
  unsigned operandCount = 0;
};

class SpmdPropagation {
public:
  SpmdPropagation(mlir::func::FuncOp function, const DeviceMesh &mesh,
                  const SpmdCalls &calls);

  /// Fix the shardings of annotations.
  void annotateArgument(unsigned number, const SpmdAnnotation &annotation);
  void annotateResult(unsigned number, const SpmdAnnotation &annotation);
  void annotateValue(mlir::Value value, const SpmdAnnotation &annotation);

  /// Decides what annotations of unreduced values make unreduced. Comes before
  /// propagate().
  void markSummands();
  /// Propagates shardings until nothing changes: first through simple ops, then
  /// through all. Annotations of an op's results have priority over other
  /// shardings, then larger tensors of an op over smaller ones, then earlier
  /// operands. Shardings are only ever extended, so only the order of ops
  /// decides. Fails after an error if a custom call's partitioner fails.
  mlir::LogicalResult propagate();
  /// Propagates in rounds, one for each priority of an annotation except the
  /// last: in each, dimensions of later rounds are kept but not propagated.
  mlir::LogicalResult propagateRounds();
  /// The same through all ops at once. With `expands` false, an op does not
  /// follow tensors that are much smaller than its largest one.
  mlir::LogicalResult propagateOnce(bool expands);

  /// The values with shardings, by number. The results of the function are the
  /// last ones; those that cannot be sharded have no type.
  const std::vector<SpmdSlot> &state() const { return slots; }
  void restore(std::vector<SpmdSlot> state) { slots = std::move(state); }
  /// Sets the sharding of a value, which must allow it (`allows`).
  void assign(unsigned slot, AxisSharding sharding,
              int decidedBy = SpmdSlot::kCost) {
    slots[slot].sharding = std::move(sharding);
    slots[slot].decidedBy = decidedBy;
  }
  /// Fixes the sharding of a value, which must allow it, as an annotation does.
  void decide(unsigned slot, const AxisSharding &sharding);
  /// Propagates what decide() fixed since the last propagation, as propagate()
  /// does.
  mlir::LogicalResult spread();
  /// Values before they changed, in this order.
  using Journal = std::vector<std::pair<unsigned, SpmdSlot>>;
  /// Records changes of shardings in `into` from now on; null to stop.
  void record(Journal *into) { journal = into; }
  /// Takes back what `changes` recorded.
  void undo(Journal &changes);
  /// Returns whether annotations, sizes and manual axes allow `sharding`.
  bool allows(unsigned slot, const AxisSharding &sharding) const;
  /// Returns the number of a value, or of a result of the function.
  std::optional<unsigned> numberOf(mlir::Value value) const;
  unsigned numberOfResult(unsigned result) const {
    return firstResult + result;
  }
  /// The ops of the function and of its control flow, in order, with
  /// terminators, without code that is manual along all axes.
  llvm::ArrayRef<mlir::Operation *> ops() const { return order; }
  /// The rules and tensors of these ops.
  llvm::ArrayRef<SpmdUses> uses() const { return usesOfOps; }
  /// Returns whether the embedder determines shardings.
  bool infersCalls() const;

  /// Returns the sharding of `value`; replicated for values other than static
  /// tensors.
  const AxisSharding &of(mlir::Value value) const;
  /// Returns the sharding of a result of the function.
  const AxisSharding &ofResult(unsigned number) const;
  /// Returns true for values that each device computes on its own
  /// (SPMDFullToShardShape).
  bool isManual(mlir::Value value) const { return manual.contains(value); }
  /// The axes whose parts a call takes apart or puts together.
  AxisList manualAxes(mlir::Operation *op) const;

private:
  void makeSlots(mlir::Block &block);
  void tieLoop(mlir::Operation *op);
  void markSummandsOf(mlir::Operation *annotation);
  unsigned slotFor(mlir::Value value);
  SpmdSlot *find(mlir::Value value);
  void fix(SpmdSlot &slot, const SpmdAnnotation &annotation);
  /// Makes two shardings equal. Returns whether either changed.
  bool link(SpmdSlot *a, SpmdSlot *b);
  bool linkRegions(mlir::Operation *op);
  bool linkParts(mlir::Operation *op);
  /// Asks the partitioner of a custom call for the shardings of its results.
  bool inferResults(mlir::Operation *op);
  AxisList operandsManual(mlir::Operation *op) const;
  void makeManual(mlir::Operation *op);
  bool propagateThrough(unsigned number, bool simpleOnly, bool expands);
  bool propagateThroughRule(const SpmdUses &uses, llvm::ArrayRef<bool> sources);
  void findUses();
  bool extend(SpmdSlot &slot, const AxisSharding &wanted);
  mlir::LogicalResult settle(bool simpleOnly, bool expands);
  bool sweep(bool simpleOnly, bool expands);
  AxisSharding visible(const SpmdSlot &slot) const;

  mlir::func::FuncOp function;
  const DeviceMesh &mesh;
  const SpmdCalls &calls;
  std::vector<SpmdSlot> slots;
  llvm::DenseMap<mlir::Value, unsigned> slotOf;
  llvm::DenseSet<mlir::Value> manual;
  /// Of values of slots, where any axes are manual.
  llvm::DenseMap<mlir::Value, AxisList> manualOf;
  unsigned firstResult = 0; ///< the slot of the function's first result
  llvm::DenseMap<mlir::Operation *, SpmdRule> rules;
  std::vector<mlir::Operation *> order;
  std::vector<SpmdUses> usesOfOps;
  /// When a slot changed, and when an op saw its slots, in numbers of changes.
  std::vector<uint64_t> changedAt, seenAt;
  uint64_t changes = 0;
  Journal *journal = nullptr;
  std::optional<int64_t> round; ///< of propagateRounds()
  unsigned current = 0; ///< the op that shardings are propagated through
  /// The shardings of operands with which partitioners were asked.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<AxisSharding>> asked;
  bool hasFailed = false;
};

/// Fixes the shardings of all annotations of `main`. A result that reuses an
/// annotated argument gets its annotation.
void annotateShardings(mlir::func::FuncOp main, SpmdPropagation &shardings);

} // namespace xlac::transforms

#endif
