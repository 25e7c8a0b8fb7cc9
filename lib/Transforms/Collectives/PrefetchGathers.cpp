// The pass that starts each all_gather of weights one step ahead: when the
// program begins to read the previous one. The gather then travels while the
// kernels of the previous weights run, and at most one bucket of weights beside
// those in use takes memory.
#include "xlac/Transforms/Passes.h"

#include "Buffers/ValueLiveness.h"
#include "GatheredWeights.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_PREFETCHGATHERS
#include "xlac/Transforms/Passes.h.inc"

/// Returns the first op of `block` that reads one of `values` or an alias, or
/// null.
static Operation *firstReader(Block &block, ValueRange values) {
  Operation *first = nullptr;
  for (Value value : values)
    for (Operation *user : value.getUsers()) {
      Operation *reader = block.findAncestorOpInBlock(*user);
      if (reader == user && isBufferAlias(user))
        reader = firstReader(block, user->getResults());
      if (reader && (!first || reader->isBeforeInBlock(first)))
        first = reader;
    }
  return first;
}

/// Collects the ops from arguments to `value` that come at or after `place`, in
/// order. At most `kernels` of them may be calls; returns false otherwise.
static bool collectShardOps(Value value, Operation *place, unsigned kernels,
                            SmallVector<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != place->getBlock())
    return true;
  if (isa<ir::CallOp>(op) && kernels > 0)
    --kernels;
  else if (!isa<stablehlo::ReshapeOp, stablehlo::ConstantOp>(op))
    return false;
  for (Value operand : op->getOperands())
    if (!collectShardOps(operand, place, kernels, ops))
      return false;
  if (!op->isBeforeInBlock(place) && !llvm::is_contained(ops, op))
    ops.push_back(op);
  return true;
}

namespace {
class PrefetchGathers : public impl::PrefetchGathersBase<PrefetchGathers> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        prefetch(function.getBody().front());
  }

  static void prefetch(Block &block) {
    Operation *place = nullptr; // the first reader of the previous gather
    for (ir::AwaitOp await : llvm::to_vector(block.getOps<ir::AwaitOp>())) {
      ir::TensorCollectiveOp gather = await.getCollective();
      if (gather.getWhat().getKind() != ir::CollectiveKind::AllGather)
        continue;
      SmallVector<Operation *> shards;
      if (!llvm::all_of(gather.getOperands(), [&](Value shard) {
            return collectShardOps(shard, place ? place : gather, 1, shards);
          }))
        continue;
      if (place && place->isBeforeInBlock(gather)) {
        for (Operation *op : shards)
          op->moveBefore(place);
        gather->moveBefore(place);
      }
      Operation *reader = firstReader(block, await.getResults());
      place = reader ? reader : place;
    }
  }
};
} // namespace

} // namespace xlac::transforms
