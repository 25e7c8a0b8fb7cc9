// Emits pairwise summation (Higham, "The accuracy of floating point summation",
// 1993). Blocks are summed sequentially, and a binary tree adds up the sums of
// blocks. The error grows with the logarithm of the number of addends, whereas
// that of a sequential sum grows with the number itself.
#ifndef XLAC_LIB_CODEGEN_PAIRWISESUM_H
#define XLAC_LIB_CODEGEN_PAIRWISESUM_H

#include "Element/ElementEmitter.h"

namespace xlac::codegen {

using CombineElements = std::function<llvm::SmallVector<Element>(
    llvm::ArrayRef<Element> left, llvm::ArrayRef<Element> right)>;

/// Returns the most sequential steps for a reducer that rounds in every step,
/// or nothing for reducers that never round. This is the block of a pairwise
/// sum. Reductions of at most twice this length are sequential.
std::optional<int64_t> pairwiseBlock(mlir::Region &reducer);

/// The same for sums of products in `type`.
std::optional<int64_t> pairwiseBlock(mlir::Type type);

/// Returns whether a sequence of `steps` must be divided into blocks.
inline bool isPairwise(std::optional<int64_t> block, int64_t steps) {
  return block && steps > 2 * *block;
}

/// The tree over the sums of blocks. Its state is in the function's frame: a
/// stack whose level k holds the sum of 2^k blocks or is empty.
class PairwiseSum {
public:
  /// Creates an empty sum. `identities` are the identities of `combine`. At
  /// most `mostBlocks` blocks may be pushed.
  PairwiseSum(ElementEmitter &emitter, llvm::ArrayRef<Element> identities,
              int64_t mostBlocks, CombineElements combine);

  /// Emits the code that adds the sum of the next block.
  void push(llvm::ArrayRef<Element> block);

  /// Returns the sum of all blocks, in their order.
  llvm::SmallVector<Element> total();

private:
  llvm::SmallVector<Element> load(llvm::Value *level);

  ElementEmitter &emitter;
  llvm::SmallVector<Element> identities;
  CombineElements combine;
  llvm::AllocaInst *count;
  llvm::SmallVector<llvm::AllocaInst *> stacks; ///< one for each part
};

/// A loop nest that sums.
struct SumNest {
  llvm::ArrayRef<int64_t> sizes;
  llvm::ArrayRef<Element> identities;
  CombineElements combine;
  std::optional<int64_t> block; ///< pairwiseBlock() of the addends
  int64_t steps = 1;            ///< sequential steps in each run of the body
  /// If set, the first dimension iterates over [begin, end), at most `sizes[0]`
  /// steps.
  llvm::Value *begin = nullptr, *end = nullptr;
};

/// Carries elements through a loop nest like ElementEmitter::loopNest, starting
/// from the identities. Long sequences are divided into blocks; the sums of
/// many blocks are added pairwise.
llvm::SmallVector<Element> emitSumNest(
    ElementEmitter &emitter, const SumNest &nest,
    llvm::function_ref<llvm::SmallVector<Element>(
        llvm::ArrayRef<llvm::Value *> indices, llvm::ArrayRef<Element> carried)>
        body);

} // namespace xlac::codegen

#endif
