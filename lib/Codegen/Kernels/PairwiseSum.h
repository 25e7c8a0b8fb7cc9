// Pairwise summation (Higham, "The accuracy of floating point summation", 1993)
// in emitted code: blocks are summed one after the other, and the sums of
// blocks meet in a binary tree. The error then grows with the logarithm of the
// number of addends, where that of a plain chain grows with the number itself.
#ifndef XLAC_LIB_CODEGEN_PAIRWISESUM_H
#define XLAC_LIB_CODEGEN_PAIRWISESUM_H

#include "Element/ElementEmitter.h"

namespace xlac::codegen {

using CombineElements = std::function<llvm::SmallVector<Element>(
    llvm::ArrayRef<Element> left, llvm::ArrayRef<Element> right)>;

/// The most steps of a plain chain in which a simple reducer rounds in every
/// step: a block of a pairwise sum has so many, and reductions of at most twice
/// as many are plain. Nothing for reducers that never round.
std::optional<int64_t> pairwiseBlock(mlir::Region &reducer);

/// The same for sums of products in `type`.
std::optional<int64_t> pairwiseBlock(mlir::Type type);

/// True if a chain of `steps` is to be cut into blocks.
inline bool isPairwise(std::optional<int64_t> block, int64_t steps) {
  return block && steps > 2 * *block;
}

/// The tree over the sums of blocks. Its state lies in the function's frame: a
/// stack whose level k holds the sum of 2^k blocks, or nothing.
class PairwiseSum {
public:
  /// An empty sum. `identities` are neutral to `combine`; at most `mostBlocks`
  /// are pushed.
  PairwiseSum(ElementEmitter &emitter, llvm::ArrayRef<Element> identities,
              int64_t mostBlocks, CombineElements combine);

  /// Emits the code that adds the sum of the next block.
  void push(llvm::ArrayRef<Element> block);

  /// The sum of all blocks, in their order.
  llvm::SmallVector<Element> total();

private:
  llvm::SmallVector<Element> load(llvm::Value *level);

  ElementEmitter &emitter;
  llvm::SmallVector<Element> identities;
  CombineElements combine;
  llvm::AllocaInst *count;
  llvm::SmallVector<llvm::AllocaInst *> stacks; ///< one for each part
};

/// What a nest of loops adds up.
struct SumNest {
  llvm::ArrayRef<int64_t> sizes;
  llvm::ArrayRef<Element> identities;
  CombineElements combine;
  std::optional<int64_t> block; ///< pairwiseBlock() of what is added
  int64_t steps = 1;            ///< of the chain in each run of the body
  /// Where set, the first dimension runs over [begin, end), at most `sizes[0]`
  /// steps.
  llvm::Value *begin = nullptr, *end = nullptr;
};

/// Carries elements through a nest as ElementEmitter::loopNest does, from the
/// identities on; where chains would be too long, in blocks that meet pairwise.
llvm::SmallVector<Element> emitSumNest(
    ElementEmitter &emitter, const SumNest &nest,
    llvm::function_ref<llvm::SmallVector<Element>(
        llvm::ArrayRef<llvm::Value *> indices, llvm::ArrayRef<Element> carried)>
        body);

} // namespace xlac::codegen

#endif
