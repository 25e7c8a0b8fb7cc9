// The pass that starts each all_gather of weights ahead: at least when the
// program begins to read the previous one, and earlier while the weights in
// flight are few. Gathers then travel while the kernels of earlier weights run.
#include "xlac/Transforms/Passes.h"

#include "Buffers/ValueLiveness.h"
#include "GatheredWeights.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_PREFETCHGATHERS
#include "xlac/Transforms/Passes.h.inc"

/// Most bytes of weights in flight. A link of 100 Gbit/s carries them in 3 ms.
static constexpr int64_t kMostBytesInFlight = 32 << 20;

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

/// Returns how many bytes of weights may be in flight: what a device holds of
/// all weights, about a layer of a model that has as many layers as there are
/// devices.
static int64_t bytesInFlight(ArrayRef<ir::AwaitOp> awaits) {
  llvm::SetVector<Value> shards; // some are gathered twice
  for (ir::AwaitOp await : awaits)
    for (Value shard : await.getCollective().getOperands())
      shards.insert(shard);
  return std::min(bytesOfValues(shards.getArrayRef()), kMostBytesInFlight);
}

namespace {
/// An all_gather whose result the program begins to read at `reader`.
struct GatherInUse {
  Operation *reader;
  int64_t bytes;
};
} // namespace

/// Returns where the next gather starts: at the first reader of the previous
/// one, or of an earlier one if those behind it have at most `bytes` together.
static Operation *placeOf(ArrayRef<GatherInUse> earlier, int64_t bytes) {
  if (earlier.empty())
    return nullptr;
  size_t last = earlier.size() - 1;
  while (last > 0 && earlier[last].bytes <= bytes) {
    bytes -= earlier[last].bytes;
    --last;
  }
  return earlier[last].reader;
}

/// Moves `gather`, and what computes its shards, before `place` unless it is
/// there or `place` is null. Returns false if the shards cannot move.
static bool moveTo(Operation *place, ir::TensorCollectiveOp gather) {
  SmallVector<Operation *> shards;
  if (!llvm::all_of(gather.getOperands(), [&](Value shard) {
        return collectShardOps(shard, place ? place : gather, 1, shards);
      }))
    return false;
  if (place && place->isBeforeInBlock(gather)) {
    for (Operation *op : shards)
      op->moveBefore(place);
    gather->moveBefore(place);
  }
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
    SmallVector<ir::AwaitOp> awaits;
    for (ir::AwaitOp await : block.getOps<ir::AwaitOp>())
      if (await.getCollective().getWhat().getKind() ==
          ir::CollectiveKind::AllGather)
        awaits.push_back(await);
    int64_t window = bytesInFlight(awaits);
    SmallVector<GatherInUse> earlier;
    for (ir::AwaitOp await : awaits) {
      ir::TensorCollectiveOp gather = await.getCollective();
      int64_t bytes = bytesOfValues(gather.getResults());
      // Shards that kernels compute may not exist so early.
      if (!moveTo(placeOf(earlier, window - bytes), gather) &&
          !moveTo(placeOf(earlier, 0), gather))
        continue;
      if (Operation *reader = firstReader(block, await.getResults()))
        earlier.push_back({reader, bytes});
    }
  }
};
} // namespace

} // namespace xlac::transforms
