// The pass that splits an all_reduce of many tensors, such as the gradients of
// a step, into buckets. Each bucket can be communicated while the tensors of
// the next are computed (Li et al., "PyTorch Distributed: Experiences on
// Accelerating Data Parallel Training", VLDB 2020).
#include "xlac/Transforms/Passes.h"

#include "Buffers/BufferPlanner.h"
#include "Fusion/FusionCost.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_BUCKETALLREDUCES
#include "xlac/Transforms/Passes.h.inc"

/// Bytes of a full bucket: they take a millisecond through shared memory, a
/// hundred times the fixed cost of a collective.
static constexpr int64_t kBucketBytes = 4 << 20;

namespace {
class Buckets {
public:
  /// Analyzes the ops of `block`.
  explicit Buckets(Block &block);

  void cut(stablehlo::AllReduceOp reduce);

private:
  /// Returns the length of the longest chain of ops that computes `value`.
  int64_t depthOf(Value value) const { return depths.lookup(value); }

  DenseMap<Value, int64_t> depths;
};
} // namespace

Buckets::Buckets(Block &block) {
  for (Operation &op : block) {
    int64_t depth = 0;
    for (Value value : valuesReadBy(&op))
      depth = std::max(depth, depthOf(value));
    for (Value result : op.getResults())
      depths[result] = depth + 1;
  }
}

/// Creates the same all_reduce on some of the operands.
static void reduceSome(stablehlo::AllReduceOp whole,
                       ArrayRef<unsigned> numbers) {
  OpBuilder builder(whole);
  OperationState state(whole.getLoc(), whole->getName());
  for (unsigned number : numbers) {
    state.addOperands(whole->getOperand(number));
    state.addTypes(whole->getResult(number).getType());
  }
  state.addAttributes(whole->getAttrs());
  IRMapping same;
  whole.getComputation().cloneInto(state.addRegion(), same);
  Operation *some = builder.create(state);
  for (auto [number, result] : llvm::zip_equal(numbers, some->getResults()))
    whole->getResult(number).replaceAllUsesWith(result);
}

void Buckets::cut(stablehlo::AllReduceOp reduce) {
  SmallVector<unsigned> order;
  int64_t total = 0;
  for (auto [number, operand] : llvm::enumerate(reduce->getOperands())) {
    order.push_back(number);
    total += bufferSize(operand.getType()).value_or(0);
  }
  if (order.size() < 2 || total <= kBucketBytes)
    return;
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return depthOf(reduce->getOperand(a)) < depthOf(reduce->getOperand(b));
  });
  SmallVector<unsigned> bucket;
  int64_t bytes = 0;
  for (unsigned number : order) {
    bucket.push_back(number);
    bytes += bufferSize(reduce->getOperand(number).getType()).value_or(0);
    if (bytes < kBucketBytes && number != order.back())
      continue;
    reduceSome(reduce, bucket);
    bucket.clear();
    bytes = 0;
  }
  reduce->erase();
}

namespace {
class BucketAllReduces : public impl::BucketAllReducesBase<BucketAllReduces> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      Block &block = function.getBody().front();
      auto found = llvm::to_vector(block.getOps<stablehlo::AllReduceOp>());
      if (found.empty())
        continue;
      Buckets buckets(block);
      for (stablehlo::AllReduceOp reduce : found)
        buckets.cut(reduce);
    }
  }
};
} // namespace

} // namespace xlac::transforms
