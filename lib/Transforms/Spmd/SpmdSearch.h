// Compares shardings of a whole function by what its devices then send and
// compute.
#ifndef XLAC_LIB_TRANSFORMS_SPMDSEARCH_H
#define XLAC_LIB_TRANSFORMS_SPMDSEARCH_H

#include "SpmdCost.h"
#include "SpmdPropagation.h"

#include "xlac/support/op_sharding.h"

#include "llvm/ADT/StringMap.h"

namespace xlac::transforms {

/// The sum of the costs of a function's ops for the shardings of its values.
/// Bodies of loops count several times.
class SpmdProgramCost {
public:
  /// All must live as long as the object.
  SpmdProgramCost(mlir::func::FuncOp function, const DeviceMesh &mesh,
                  const SpmdPropagation &shardings);

  /// Returns the price of an op, a number in `shardings.ops()`, run once.
  SpmdPrice priceOf(unsigned number) const;
  /// Returns the cost of an op, times how often it is assumed to run.
  double costOf(unsigned number) const;
  /// Returns the part of the terminator's cost that is for a result of the
  /// function.
  double costOfResult(unsigned result) const;
  /// Returns the cost of the ops and of the hints that are not followed.
  double total() const;
  /// Returns what a value's sharding costs because it does not follow the
  /// value's open annotation: one move from the annotation to the sharding.
  double hintCostOf(unsigned slot) const;
  /// Returns how often an op is assumed to run.
  double timesOf(unsigned number) const { return times[number]; }
  /// As SpmdCost::setRings.
  void setRings(llvm::ArrayRef<unsigned> rings) { costs.setRings(rings); }

private:
  /// What determines the price of an op.
  enum class Priced : uint8_t {
    Nothing,
    Terminator,
    Control,
    Annotation,
    Rule
  };

  Priced pricedBy(unsigned number) const;
  double runsOf(mlir::Operation *op) const;
  void classify();
  std::optional<llvm::SmallString<64>> keyOf(unsigned number) const;
  SpmdPrice priceOfTerminator(mlir::Operation *op) const;
  SpmdPrice priceOfYielded(mlir::Operation *op, unsigned number) const;
  SpmdPrice priceOfControl(mlir::Operation *op) const;

  mlir::func::FuncOp function;
  const SpmdPropagation &shardings;
  mlir::OpBuilder builder;
  mlir::Block entry;
  SpmdEmitter emitter;
  SpmdCost costs;
  std::vector<Priced> priced; ///< by op
  std::vector<double> times;  ///< by op
  /// Ops of one class have the same price for the same shardings.
  std::vector<unsigned> classOf;
  mutable llvm::StringMap<SpmdPrice> known;
  llvm::DenseMap<unsigned, unsigned> annotationOfSlot; ///< ops by their results
};

/// Calls `visit` with the number of each value that an op reads or makes, and
/// of those that get what a terminator returns.
void visitSlots(mlir::func::FuncOp function, const SpmdPropagation &shardings,
                mlir::Operation *op, llvm::function_ref<void(unsigned)> visit);

/// Determines the shardings of all values of `function`, whose annotations
/// `shardings` has. Propagates in several orders, takes the cheapest result,
/// and changes the shardings of groups of values while that saves anything. The
/// number of steps is limited in proportion to the number of ops. Fails after
/// an error if a custom call's partitioner fails.
mlir::LogicalResult searchShardings(mlir::func::FuncOp function,
                                    const DeviceMesh &mesh,
                                    SpmdPropagation &shardings);

/// Calls `use` with each op that has a result with a sharding, in order.
void explainShardings(mlir::func::FuncOp function, const DeviceMesh &mesh,
                      const SpmdPropagation &shardings,
                      llvm::function_ref<void(OpSharding)> use);

} // namespace xlac::transforms

#endif
