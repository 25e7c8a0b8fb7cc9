// How a sort kernel runs: what is sorted along which dimension, and whether its
// comparator is an order of keys that the library's sort knows. Follows from
// the kernel alone; scheduling and emission both ask for it.
#ifndef XLAC_LIB_CODEGEN_SORTPLAN_H
#define XLAC_LIB_CODEGEN_SORTPLAN_H

#include "Element/ElementEmitter.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

namespace xlac::codegen {

/// A comparator that compares one operand by itself: parameters of the
/// library's sort (xlac/abi/sort.h).
struct SortOrder {
  unsigned operand = 0;
  int64_t bytes = 0, order = 0, flags = 0;
};

/// The order that the comparator is; nothing for any other comparator.
std::optional<SortOrder> describeOrder(xlac::stablehlo::SortOp sort);

/// What happens in one phase of a sort by keys.
enum class SortPhase {
  Whole,  ///< tasks are slices: fill, sort, finish
  Fill,   ///< the keys are computed and laid side by side, by chunks
  Step,   ///< one step of the library's sort
  Finish, ///< results are computed from what was sorted, by chunks
};

/// A sort by keys through the library.
struct KeySort {
  SortOrder order;
  bool positions = false; ///< more is wanted than the keys in order
  bool inOperand = false; ///< the keys lie in an operand's buffer, by slices
  bool toResult = false;  ///< the library writes the only result
  int64_t keep = 0;       ///< elements of a slice that are wanted
  int64_t chunks = 0;     ///< pieces of a slice; 0: slices are sorted whole
  int64_t keysOffset = 0, sortedOffset = 0, workOffset = 0; ///< in memory
  int64_t memory = 0; ///< workspace, or scratch where slices are sorted whole
  struct Phase {
    SortPhase what;
    int64_t step = 0; ///< xlac_sort_step
    int64_t tasks = 0;
  };
  llvm::SmallVector<Phase> phases;
};

struct SortPlan {
  xlac::stablehlo::SortOp root;
  int64_t dim = 0, count = 1, slices = 1;
  llvm::SmallVector<int64_t> otherDims, otherSizes;
  std::optional<KeySort> keys;        ///< else a merge sort with the comparator
  llvm::SmallVector<int64_t> offsets; ///< merging: two arrays for each operand
  int64_t scratch = 0;                ///< merging
};

/// Fills in the plan; fails with an error on what cannot be done.
mlir::LogicalResult planSort(ir::KernelOp kernel, SortPlan &plan);

/// Indices of slice `task`, with 0 along the sorted dimension.
llvm::SmallVector<LaneIndex> sliceOf(ElementEmitter &emitter, SortPlan &plan,
                                     llvm::Value *task);

/// Emits phase `phase` of a plan with keys.
void emitKeySort(KernelFunction &function, llvm::IRBuilder<> &ir,
                 SortPlan &plan, unsigned phase);

} // namespace xlac::codegen

#endif
