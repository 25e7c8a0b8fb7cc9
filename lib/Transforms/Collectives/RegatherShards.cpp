// The pass that frees gathered values between two uses that are far apart, such
// as those of the forward and the backward pass of a layer. The later use
// gathers the value again from its shards: weights as in Rajbhandari et al.,
// "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models", SC
// 2020, activations as in Korthikanti et al., "Reducing Activation
// Recomputation in Large Transformer Models", MLSys 2023.
#include "xlac/Transforms/Passes.h"

#include "GatheredWeights.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_REGATHERSHARDS
#include "xlac/Transforms/Passes.h.inc"

namespace {
class Regathering {
public:
  explicit Regathering(Block &block);

  void run();

private:
  /// An op that reads a gathered value, and the views through which it does.
  struct Use {
    unsigned position;
    OpOperand *operand;
    SmallVector<Operation *, 2> views;
  };

  void collectUses(Value value, SmallVector<Operation *, 2> views,
                   SmallVector<Use> &uses) const;
  /// Gathers the value again for `uses`, which are in order.
  static void gatherAgain(ir::TensorCollectiveOp gather, Operation *before,
                          MutableArrayRef<Use> uses);
  void eraseUnused(ArrayRef<Use> uses) const;

  Block &block;
  DenseMap<Operation *, unsigned> positions;
  SmallVector<Operation *> ops;
  SmallVector<ir::TensorCollectiveOp> gathers;
};
} // namespace

Regathering::Regathering(Block &block) : block(block) {
  for (Operation &op : block) {
    positions[&op] = ops.size();
    ops.push_back(&op);
    auto gather = dyn_cast<ir::TensorCollectiveOp>(op);
    if (gather && isGatherOrScatter(gather, ir::CollectiveKind::AllGather) &&
        gather->getNumOperands() == 1)
      gathers.push_back(gather);
  }
}

void Regathering::collectUses(Value value, SmallVector<Operation *, 2> views,
                              SmallVector<Use> &uses) const {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isViewLike(user) && user->getBlock() == &block) {
      SmallVector<Operation *, 2> longer = views;
      longer.push_back(user);
      collectUses(user->getResult(0), std::move(longer), uses);
      continue;
    }
    uses.push_back(
        {positions.lookup(block.findAncestorOpInBlock(*user)), &use, views});
  }
}

void Regathering::gatherAgain(ir::TensorCollectiveOp gather, Operation *before,
                              MutableArrayRef<Use> uses) {
  OpBuilder builder(before);
  IRMapping again;
  Operation *copy = builder.clone(*gather);
  again.map(gather->getResult(0), copy->getResult(0));
  for (Use &use : uses) {
    for (Operation *view : use.views)
      if (!again.contains(view->getResult(0)))
        builder.clone(*view, again);
    use.operand->set(again.lookup(use.operand->get()));
  }
}

/// Erases the views that only later uses have read.
void Regathering::eraseUnused(ArrayRef<Use> uses) const {
  llvm::SetVector<Operation *> views;
  for (const Use &use : uses)
    views.insert(use.views.begin(), use.views.end());
  SmallVector<Operation *> order = views.takeVector();
  llvm::sort(order, [&](Operation *a, Operation *b) {
    return positions.lookup(a) > positions.lookup(b);
  });
  for (Operation *view : order)
    if (view->use_empty())
      view->erase();
}

void Regathering::run() {
  if (gathers.empty())
    return;
  // Bytes of gathered values that the ops before each position read.
  SmallVector<SmallVector<Use>> uses(gathers.size());
  SmallVector<int64_t> read(ops.size() + 1, 0);
  for (auto [gather, list] : llvm::zip_equal(gathers, uses)) {
    collectUses(gather->getResult(0), {}, list);
    llvm::stable_sort(list, [](const Use &a, const Use &b) {
      return a.position < b.position;
    });
    for (auto [number, use] : llvm::enumerate(list))
      if (number == 0 || use.position != list[number - 1].position)
        read[use.position + 1] += bytesOfValues(gather->getResult(0));
  }
  for (size_t i = 1; i < read.size(); ++i)
    read[i] += read[i - 1];
  // Values that stay take at most as much memory as the shards, which a device
  // keeps in any case: each is read once in the forward pass and once in the
  // backward pass.
  int64_t most =
      2 * std::max(bytesPerDevice(gathers), int64_t{kLeastBucketBytes});
  for (auto [gather, list] : llvm::zip_equal(gathers, uses)) {
    MutableArrayRef<Use> later(list);
    for (size_t i = list.size(); i-- > 1;)
      if (read[list[i].position] - read[list[i - 1].position + 1] > most) {
        gatherAgain(gather, ops[list[i].position], later.drop_front(i));
        later = later.take_front(i);
      }
    eraseUnused(list);
  }
}

namespace {
class RegatherShards : public impl::RegatherShardsBase<RegatherShards> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        Regathering(function.getBody().front()).run();
  }
};
} // namespace

} // namespace xlac::transforms
