// How the reductions of a kernel run: along rows, in two phases or by plain
// loops, and which value of a row is kept between passes. The plan depends only
// on shapes and the profile; scheduling and emission both compute it.
#ifndef XLAC_LIB_CODEGEN_REDUCTIONPLAN_H
#define XLAC_LIB_CODEGEN_REDUCTIONPLAN_H

#include "Element/ElementEmitter.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include <memory>

namespace xlac::codegen {

/// How a kernel's reductions are computed.
enum class ReductionForm {
  Loop,    ///< a loop for each result; lanes are results
  Rows,    ///< each task has some rows; lanes are along rows
  Partial, ///< two phases, the first one over chunks of the reduced elements
};

/// A value that a reduction of a row reads and a result is computed from
/// (softmax's exponentials). The reduction stores it in the result's buffer, or
/// in scratch memory for one row, and later passes read it there instead of
/// recomputing it.
struct KeptValue {
  mlir::Value value; ///< null if there is none
  unsigned result = 0;
  xlac::stablehlo::ReduceOp reduce; ///< stores the value
  bool inScratch = false;           ///< because the result has another type
};

/// Slices that a sweep adds up at a time. More slices load and store partial
/// values less often. Fewer slices let the hardware prefetch the next part of
/// each.
inline constexpr int64_t kSweepGroup = 8;
/// Number of groups that are added to one partial value, and then of partial
/// values of each level.
inline constexpr int64_t kSweepFan = 64;

struct ReductionPlan {
  ReductionForm form = ReductionForm::Loop;
  llvm::SmallVector<xlac::stablehlo::ReduceOp> reduces;
  /// Rows: the reductions of each pass over a row. Those of one pass do not
  /// depend on each other.
  llvm::SmallVector<llvm::SmallVector<xlac::stablehlo::ReduceOp>> passes;
  /// Rows: the reductions that combine the rows element by element, or null. A
  /// task adds its rows, a chunk, to partial values in the workspace.
  std::shared_ptr<ReductionPlan> sums;
  llvm::SmallVector<int64_t> sizes,
      keptSizes; ///< of the inputs, of the results
  llvm::SmallVector<int64_t> keptDims;
  /// `keptSizes`, where dimensions that the inputs allow to be collapsed into
  /// the next one have size 1, and that one the product.
  llvm::SmallVector<int64_t> rowSizes;
  /// Dimensions that plain loops reduce, and their sizes. Each stands for a
  /// group of neighbours that is collapsed into it, the last one of the group.
  llvm::SmallVector<int64_t> outerDims, outerSizes;
  /// Reduced dimensions that are collapsed.
  llvm::SmallVector<int64_t> innerDims;
  int64_t rows = 1, inner = 1;
  bool innerReduced = false;
  unsigned width = 1; ///< lanes along a row, or of results
  /// Along a row: native vectors that the lanes fill, as vectorsAtOnce().
  unsigned vectors = 1;
  /// Places that a loop over cheap elements in memory reads at a time: in rows
  /// that are `rows / streams` apart, or in equal parts of a chunk. The
  /// hardware prefetches each of several streams as far ahead as a single one.
  int64_t streams = 1;
  int64_t chunks = 1;  ///< Partial: pieces of the split dimension
  int64_t chunk = 0;   ///< Partial: size of a piece
  int64_t columns = 1; ///< Partial, inner kept: vectors of results
  /// Partial, inner kept: a task reads its chunk in memory order, with its
  /// partial values in the workspace.
  bool sweeps = false;
  /// With `sweeps`: levels of partial values, so that none accumulates more
  /// than `kSweepFan` values of the next level.
  int64_t sweepLevels = 1;
  /// With `sweeps`: parts of the vectors of results, and vectors of a part. A
  /// task sweeps one part of a chunk. The parts do not change any sum.
  int64_t sweepParts = 1, sweepColumns = 1;
  llvm::SmallVector<int64_t>
      partialOffsets; ///< in the workspace, by reduce and operand
  int64_t workspace = 0;
  KeptValue kept; ///< Rows only
};

/// Returns the plan of a kernel with reductions. If none of them is supported,
/// its form is Loop and `reduces` may be empty.
ReductionPlan planReduction(KernelFunction &function, llvm::IRBuilder<> &ir);

/// Returns the kernel's may_overwrite: pairs of a result and an operand.
llvm::SmallVector<int64_t> findOverwritten(ir::KernelOp kernel,
                                           const ReductionPlan &plan);

/// Returns whether elements of inputs of the reductions take long to compute
/// (takesLong()).
bool takeLong(llvm::ArrayRef<xlac::stablehlo::ReduceOp> reduces);

/// Returns whether `value` has one element for each row.
bool isRowShaped(const ReductionPlan &plan, mlir::Value value);

/// Returns whether `value` depends on a reduction of `plan.sums`. It is then
/// computed in the second phase.
bool dependsOnSums(const ReductionPlan &plan, mlir::Value value);

} // namespace xlac::codegen

#endif
