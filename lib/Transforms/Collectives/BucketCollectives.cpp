// The pass that combines all_gathers, and reduce_scatters, into buckets. A
// program that shards its weights gathers and scatters each of them; most take
// less time than the fixed cost of a collective.
#include "xlac/Transforms/Passes.h"

#include "Fusion/FusionGroups.h"
#include "GatheredWeights.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_BUCKETCOLLECTIVES
#include "xlac/Transforms/Passes.h.inc"

namespace {

/// Collectives of one kind, groups and dimension that become one.
struct CollectiveBucket {
  SmallVector<ir::TensorCollectiveOp> members;
  int64_t bytes = 0;
  /// Ops that depend on results of members, in order.
  SmallVector<Operation *> readers;
  DenseSet<Operation *> dependent; ///< members and readers
};

/// Returns the attribute of a collective with another channel and body.
ir::CollectiveAttr withIdentity(ir::CollectiveAttr what, int64_t channel,
                                uint64_t body) {
  return ir::CollectiveAttr::get(
      what.getContext(), what.getKind(), what.getGrouping(), what.getGroups(),
      what.getColumns(), channel, what.getDimension(), what.getConcat(),
      what.getFill(), what.getDynamicRoot(), what.getHost(), body,
      what.getTarget(), what.getConfig(), what.getLayouts());
}

/// Returns the attribute that members of a bucket share.
ir::CollectiveAttr sharedAttribute(ir::CollectiveAttr what) {
  return withIdentity(what, 0, 0);
}

/// The all_gathers of a block. The first one of a bucket takes in later ones
/// whose shards exist before it.
class GatherBuckets {
public:
  explicit GatherBuckets(Block &block);
  void run();

private:
  /// Moves the views that compute the shard of `gather` before `first`. Returns
  /// false if something else computes it after `first`.
  bool raiseShard(ir::TensorCollectiveOp gather, Operation *first) const;

  SmallVector<ir::TensorCollectiveOp> gathers;
  int64_t most = 0; ///< bytes of a bucket of several gathers
};

/// The reduce_scatters of a block. Earlier ones of a bucket wait for the last
/// one, and so do their readers.
class ScatterBuckets {
public:
  explicit ScatterBuckets(Block &block);
  void run();

private:
  /// Creates the collective for the open bucket of `key`.
  void close(Attribute key);
  /// Closes the buckets that an op depends on and that it cannot wait for, and
  /// makes it a reader of the others.
  void visit(Operation *op);

  Block &block;
  int64_t least = 0; ///< bytes of a full bucket
  llvm::MapVector<Attribute, CollectiveBucket> open;
};

} // namespace

/// Creates one collective at `position` from the members of a bucket.
static Operation *createBucket(ArrayRef<ir::TensorCollectiveOp> members,
                               Operation *position) {
  if (members.size() == 1)
    return members.front();
  SmallVector<Value> operands;
  SmallVector<Type> types;
  SmallVector<Attribute> reducers;
  uint64_t hash = 0;
  for (ir::TensorCollectiveOp member : members) {
    llvm::append_range(operands, member.getOperands());
    llvm::append_range(types, member.getResultTypes());
    if (member.getReducers())
      llvm::append_range(reducers, *member.getReducers());
    // Not llvm::hash_combine, whose values differ between processes.
    hash = hash * 0x9e3779b97f4a7c15 + member.getWhat().getBody();
  }
  ir::TensorCollectiveOp first = members.front();
  ir::CollectiveAttr what = first.getWhat();
  ir::CollectiveAttr attribute = withIdentity(what, what.getChannel(), hash);
  OpBuilder builder(position);
  auto all = ir::TensorCollectiveOp::create(
      builder, first.getLoc(), types, attribute, operands,
      reducers.empty() ? ArrayAttr() : builder.getArrayAttr(reducers));
  ResultRange results = all.getResults();
  for (ir::TensorCollectiveOp member : members) {
    member->replaceAllUsesWith(results.take_front(member->getNumResults()));
    results = results.drop_front(member->getNumResults());
  }
  for (ir::TensorCollectiveOp member : members)
    member->erase();
  return all;
}

//===- Gathers ------------------------------------------------------------===//

GatherBuckets::GatherBuckets(Block &block) {
  SmallVector<ir::TensorCollectiveOp> weights;
  for (auto collective : block.getOps<ir::TensorCollectiveOp>())
    if (isGatherOrScatter(collective, ir::CollectiveKind::AllGather)) {
      gathers.push_back(collective);
      if (llvm::all_of(collective.getOperands(), isOfArgument))
        weights.push_back(collective);
    }
  // A bucket is gathered for its first member, so the others take memory
  // early: at most as much as the shards.
  most =
      std::clamp(bytesPerDevice(weights), kLeastBucketBytes, kMostBucketBytes);
}

bool GatherBuckets::raiseShard(ir::TensorCollectiveOp gather,
                               Operation *first) const {
  SmallVector<Operation *> views;
  for (Value shard : gather.getOperands()) {
    Operation *op = shard.getDefiningOp();
    while (op && op->getBlock() == first->getBlock() &&
           !op->isBeforeInBlock(first)) {
      if (!isViewLike(op))
        return false;
      views.push_back(op);
      op = op->getOperand(0).getDefiningOp();
    }
  }
  llvm::sort(views,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  views.erase(llvm::unique(views), views.end());
  for (Operation *view : views)
    view->moveBefore(first);
  return true;
}

void GatherBuckets::run() {
  llvm::MapVector<Attribute, CollectiveBucket> open;
  auto close = [](CollectiveBucket &bucket) {
    if (!bucket.members.empty())
      createBucket(bucket.members, bucket.members.front());
    bucket = {};
  };
  for (ir::TensorCollectiveOp gather : gathers) {
    CollectiveBucket &bucket = open[sharedAttribute(gather.getWhat())];
    int64_t bytes = bytesOfValues(gather.getResults());
    if (bucket.bytes + bytes > most)
      close(bucket);
    if (!bucket.members.empty() && !raiseShard(gather, bucket.members.front()))
      continue; // a gather of its own
    bucket.members.push_back(gather);
    bucket.bytes += bytes;
  }
  for (auto &[key, bucket] : open)
    close(bucket);
}

//===- Reduce-scatters ----------------------------------------------------===//

ScatterBuckets::ScatterBuckets(Block &block) : block(block) {
  SmallVector<ir::TensorCollectiveOp> scatters;
  for (auto collective : block.getOps<ir::TensorCollectiveOp>())
    if (isGatherOrScatter(collective, ir::CollectiveKind::ReduceScatter))
      scatters.push_back(collective);
  least =
      std::clamp(bytesPerDevice(scatters), kLeastBucketBytes, kMostBucketBytes);
}

void ScatterBuckets::close(Attribute key) {
  CollectiveBucket bucket = std::move(open[key]);
  open.erase(key);
  Operation *last = createBucket(bucket.members, bucket.members.back());
  for (Operation *reader : bucket.readers)
    if (reader->isBeforeInBlock(last)) {
      reader->moveAfter(last);
      last = reader;
    }
}

void ScatterBuckets::visit(Operation *op) {
  bool waits = !isOrdered(op) && !op->hasTrait<OpTrait::IsTerminator>();
  SmallVector<Attribute> needed;
  for (auto &[key, bucket] : open) {
    bool depends = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        depends |= operand.getDefiningOp() &&
                   bucket.dependent.contains(operand.getDefiningOp());
    });
    if (!depends)
      continue;
    if (!waits) {
      needed.push_back(key);
      continue;
    }
    bucket.readers.push_back(op);
    bucket.dependent.insert(op);
  }
  for (Attribute key : needed)
    close(key);
}

void ScatterBuckets::run() {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    visit(&op);
    auto scatter = dyn_cast<ir::TensorCollectiveOp>(op);
    if (!scatter ||
        !isGatherOrScatter(scatter, ir::CollectiveKind::ReduceScatter))
      continue;
    Attribute key = sharedAttribute(scatter.getWhat());
    CollectiveBucket &bucket = open[key];
    bucket.members.push_back(scatter);
    bucket.dependent.insert(scatter);
    bucket.bytes += bytesOfValues(scatter.getOperands());
    if (bucket.bytes >= least)
      close(key);
  }
  while (!open.empty()) // results that nothing reads
    close(open.front().first);
}

namespace {
class BucketCollectives
    : public impl::BucketCollectivesBase<BucketCollectives> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      GatherBuckets(function.getBody().front()).run();
      ScatterBuckets(function.getBody().front()).run();
    }
  }
};
} // namespace

} // namespace xlac::transforms
