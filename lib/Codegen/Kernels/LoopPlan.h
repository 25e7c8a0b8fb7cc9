// How the loop kind divides the results of a kernel: boxes, tasks, vectors.
#ifndef XLAC_LIB_CODEGEN_LOOPPLAN_H
#define XLAC_LIB_CODEGEN_LOOPPLAN_H

#include "Element/ElementEmitter.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include <functional>
#include <optional>
#include <vector>

namespace xlac::codegen {

struct LoopOptions {
  /// Lanes of the vectors. 0 selects the lanes of the kernel's types.
  unsigned width = 0;
  /// Called on every element emitter before it is used.
  std::function<void(ElementEmitter &)> prepare;
};

/// Part of the results that one loop nest computes.
struct IterationBox {
  llvm::SmallVector<mlir::Value> values; ///< one for each result
  llvm::SmallVector<int64_t> sizes;      ///< of the box
  llvm::SmallVector<int64_t> offsets;    ///< of the box in the results
  /// If set, the update's clamped start indices are the offsets.
  xlac::stablehlo::DynamicUpdateSliceOp update;
  /// The values are the results, of which the box is a part.
  bool isPart = false;

  llvm::SmallVector<llvm::SmallVector<int64_t>>
      groups;                         ///< collapsed dimensions
  llvm::SmallVector<int64_t> extents; ///< of the groups
  bool straddles = false;             ///< vectors may cross the ends of rows
  /// Indices of the last group but one that a task computes together. `rows`
  /// counts such blocks.
  int64_t rowBlock = 1;
  /// The group whose indices are a loop around each vector, because most of
  /// what is computed is the same at all of them. `rows` does not count it.
  std::optional<size_t> repeated;
  /// Indices of the last group, whose elements are computed together: each as a
  /// vector along the group before. 1: vectors count through the last group.
  int64_t interleaved = 1;
  /// Values that a loop of their own stores, strip by strip (findFission).
  llvm::SmallVector<mlir::Value> stored;
  int64_t inner = 1, rows = 1, block = 1, blocks = 1;
  int64_t firstTask = 0;

  int64_t tasks() const { return rows * blocks; }
  /// How often the loop around each vector runs.
  int64_t repetitions() const { return repeated ? extents[*repeated] : 1; }
};

struct LoopPlan {
  std::vector<IterationBox> boxes;
  /// Convolutions and windows of reductions that have the results' indices.
  llvm::SmallVector<mlir::Operation *> windows;
  unsigned width = 1;
  int64_t tasks = 0;
};

/// Plans the loop of a kernel. `ir` is only used to describe elements: nothing
/// is emitted.
LoopPlan planLoop(KernelFunction &function, llvm::IRBuilder<> &ir,
                  const LoopOptions &options);

} // namespace xlac::codegen

#endif
