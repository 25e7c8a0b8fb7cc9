// How a sort kernel runs: its operands and dimension, and whether its
// comparator is a key order that the library's sort supports. The plan depends
// only on the kernel; scheduling and emission both compute it.
#ifndef XLAC_LIB_CODEGEN_SORTPLAN_H
#define XLAC_LIB_CODEGEN_SORTPLAN_H

#include "Element/ElementEmitter.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

namespace xlac::codegen {

/// A comparator that compares elements of one operand: parameters of the
/// library's sort (xlac/abi/sort.h).
struct SortOrder {
  unsigned operand = 0;
  int64_t bytes = 0, order = 0, flags = 0;
};

/// Returns the order that the comparator implements, or nothing for any other
/// comparator.
std::optional<SortOrder> describeOrder(xlac::stablehlo::SortOp sort);

/// A phase of a sort by keys.
enum class SortPhase {
  Whole,  ///< fills, sorts and finishes whole slices, one a task
  Fill,   ///< copies the keys to an array, by chunks
  Step,   ///< one step of the library's sort
  Finish, ///< computes results from the sorted array, by chunks
};

/// A sort by keys through the library.
struct KeySort {
  SortOrder order;
  bool positions = false; ///< results other than the sorted keys are needed
  /// The keys are contiguous in an operand's buffer, by slices.
  bool inOperand = false;
  bool toResult = false; ///< the library writes the only result
  int64_t keep = 0;      ///< elements of a slice that are needed
  int64_t chunks = 0;    ///< chunks of a slice; 0 sorts whole slices
  int64_t keysOffset = 0, sortedOffset = 0, workOffset = 0; ///< in memory
  int64_t memory = 0; ///< workspace, or scratch if whole slices are sorted
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
  std::optional<KeySort> keys; ///< else a merge sort with the comparator
  /// Merge sort: two arrays for each operand.
  llvm::SmallVector<int64_t> offsets;
  int64_t scratch = 0; ///< merge sort
};

/// Sets the plan. Fails with an error if the kernel is not supported.
mlir::LogicalResult planSort(ir::KernelOp kernel, SortPlan &plan);

/// Returns the indices of slice `task`, with 0 along the sorted dimension.
llvm::SmallVector<LaneIndex> sliceOf(ElementEmitter &emitter, SortPlan &plan,
                                     llvm::Value *task);

/// Emits phase `phase` of a plan with keys.
void emitKeySort(KernelFunction &function, llvm::IRBuilder<> &ir,
                 SortPlan &plan, unsigned phase);

} // namespace xlac::codegen

#endif
