// How the reductions of one kernel run: along rows, in two phases or by plain
// loops, and what of a row is kept between its passes. Follows from shapes and
// profile alone; scheduling and emission both ask for it.
#ifndef XLAC_LIB_CODEGEN_REDUCTIONPLAN_H
#define XLAC_LIB_CODEGEN_REDUCTIONPLAN_H

#include "Element/ElementEmitter.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

namespace xlac::codegen {

/// How a kernel's reductions are computed.
enum class ReductionForm {
  Loop,    ///< each result by a loop of its own, lanes are results
  Rows,    ///< each task some rows, lanes run along them
  Partial, ///< two phases, the first one over chunks of what is reduced
};

/// A value that the last reduction of a row reads and a result is made from
/// (softmax's exponentials). The reduction leaves it in the result's buffer,
/// where the last pass finds it instead of computing it again.
struct KeptValue {
  mlir::Value value; ///< null: none
  unsigned result = 0;
};

/// Slices that a sweep adds up at once: so many that a partial value is rarely
/// fetched and put back, and so few that each one's next piece is still being
/// fetched ahead.
inline constexpr int64_t kSweepGroup = 8;
/// Groups, and then sets of partial values, that meet in one partial value.
inline constexpr int64_t kSweepFan = 64;

struct ReductionPlan {
  ReductionForm form = ReductionForm::Loop;
  llvm::SmallVector<xlac::stablehlo::ReduceOp> reduces;
  llvm::SmallVector<int64_t> sizes,
      keptSizes; ///< of the inputs, of the results
  llvm::SmallVector<int64_t> keptDims,
      outerDims;                        ///< outer: reduced by plain loops
  llvm::SmallVector<int64_t> innerDims; ///< reduced dims that run as one
  int64_t rows = 1, inner = 1;
  bool innerReduced = false;
  unsigned width = 1;  ///< lanes along a row, or of results
  int64_t chunks = 1;  ///< Partial: pieces of the dimension that is split
  int64_t chunk = 0;   ///< Partial: its size in each
  int64_t columns = 1; ///< Partial, inner kept: vectors of results
  /// Partial, inner kept: a task goes through its chunk in the order of memory,
  /// with its partial values in the workspace.
  bool sweeps = false;
  /// With `sweeps`: sets of partial values, so that none adds up more than
  /// `kSweepFan` of the set behind it.
  int64_t sweepLevels = 1;
  llvm::SmallVector<int64_t>
      partialOffsets; ///< in the workspace, by reduce and operand
  int64_t workspace = 0;
  KeptValue kept; ///< Rows only
};

/// The plan of a kernel with reductions; without usable ones its form is Loop
/// and `reduces` may be empty.
ReductionPlan planReduction(KernelFunction &function, llvm::IRBuilder<> &ir);

/// True if computing an element of `value` takes as long as an exponential or
/// longer.
bool takesLong(mlir::Value value);

/// True if `value` has one element a row.
bool isRowShaped(const ReductionPlan &plan, mlir::Value value);

} // namespace xlac::codegen

#endif
