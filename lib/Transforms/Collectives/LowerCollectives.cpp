// The collectives pass: converts every op that communicates with other
// processes or with the host to an xlac.tensor_collective. Its computation
// becomes a kernel.
#include "xlac/Transforms/Passes.h"

#include "Expand/CustomCalls.h"
#include "ReplicaGroups.h"
#include "Simplify/WidenBody.h"

#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_LOWERCOLLECTIVES
#include "xlac/Transforms/Passes.h.inc"

using ir::CollectiveKind;
using ir::ProcessGrouping;

namespace {

/// The attributes of the collective, without operands.
struct LoweredCollective {
  CollectiveKind kind;
  ProcessGrouping grouping = ProcessGrouping::CrossReplica;
  IdGroups groups;
  int64_t channel = 0, dimension = 0, concat = 0;
  bool dynamicRoot = false, host = false;
  StringAttr target;
  DictionaryAttr config;
  ArrayAttr layouts;
};

class CollectiveLowering {
public:
  explicit CollectiveLowering(ModuleOp module) : symbols(module) {}

  LogicalResult lower(Operation *op);

private:
  FailureOr<LoweredCollective> describe(Operation *op);
  LogicalResult readGroups(Operation *op, Attribute groups,
                           LoweredCollective &what);
  /// Creates a kernel that combines two tensors of `type` like `body` combines
  /// scalars.
  FailureOr<ir::KernelOp> makeReducer(Operation *op, Block &body,
                                      RankedTensorType type);
  /// Creates one reducer for each result and sets `hash` to a hash of their
  /// computations. Returns null for ops without a computation.
  FailureOr<ArrayAttr> makeReducers(Operation *op, TypeRange results,
                                    uint64_t &hash);

  SymbolTable symbols;
};

} // namespace

static int64_t channelOf(std::optional<stablehlo::ChannelHandleAttr> handle) {
  return handle && *handle ? handle->getHandle() : 0;
}

/// For ops whose groups do not span both replicas and partitions.
static ProcessGrouping alongOneDimension(int64_t channel) {
  return channel > 0 ? ProcessGrouping::CrossPartition
                     : ProcessGrouping::CrossReplica;
}

static ProcessGrouping alongBoth(int64_t channel, bool global) {
  if (global)
    return ProcessGrouping::FlattenedIds;
  return channel > 0 ? ProcessGrouping::CrossReplicaAndPartition
                     : ProcessGrouping::CrossReplica;
}

LogicalResult CollectiveLowering::readGroups(Operation *op, Attribute groups,
                                             LoweredCollective &what) {
  std::string problem;
  std::optional<IdGroups> read = readIdGroups(groups, problem);
  if (!read)
    return op->emitOpError(problem);
  what.groups = std::move(*read);
  return success();
}

FailureOr<LoweredCollective> CollectiveLowering::describe(Operation *op) {
  LoweredCollective what;
  Attribute groups;
  bool both = false, global = false;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](stablehlo::AllGatherOp gather) {
        what.kind = CollectiveKind::AllGather;
        what.channel = channelOf(gather.getChannelHandle());
        what.dimension = gather.getAllGatherDim();
        groups = gather.getReplicaGroups();
        both = true;
        global = gather.getUseGlobalDeviceIds();
      })
      .Case([&](stablehlo::AllReduceOp reduce) {
        what.kind = CollectiveKind::AllReduce;
        what.channel = channelOf(reduce.getChannelHandle());
        groups = reduce.getReplicaGroups();
        both = true;
        global = reduce.getUseGlobalDeviceIds();
      })
      .Case([&](stablehlo::ReduceScatterOp scatter) {
        what.kind = CollectiveKind::ReduceScatter;
        what.channel = channelOf(scatter.getChannelHandle());
        what.dimension = scatter.getScatterDimension();
        groups = scatter.getReplicaGroups();
        both = true;
        global = scatter.getUseGlobalDeviceIds();
      })
      .Case([&](stablehlo::AllToAllOp collective) {
        what.kind = CollectiveKind::AllToAll;
        what.channel = channelOf(collective.getChannelHandle());
        what.dimension = collective.getSplitDimension();
        what.concat = collective.getConcatDimension();
        groups = collective.getReplicaGroups();
      })
      .Case([&](stablehlo::CollectiveBroadcastOp broadcast) {
        what.kind = CollectiveKind::Broadcast;
        what.channel = channelOf(broadcast.getChannelHandle());
        what.dynamicRoot = broadcast.getHasDynamicRoot();
        groups = broadcast.getReplicaGroups();
      })
      .Case([&](stablehlo::CollectiveReduceOp reduce) {
        what.kind = CollectiveKind::Reduce;
        what.channel = channelOf(reduce.getChannelHandle());
        what.dynamicRoot = reduce.getHasDynamicRoot();
        groups = reduce.getReplicaGroups();
        both = global = reduce.getUseGlobalDeviceIds();
      })
      .Case([&](stablehlo::CollectivePermuteOp permute) {
        what.kind = CollectiveKind::Permute;
        what.channel = channelOf(permute.getChannelHandle());
        groups = permute.getSourceTargetPairs();
      })
      .Case([&](stablehlo::SendOp send) {
        what.kind = CollectiveKind::Send;
        what.channel = channelOf(send.getChannelHandle());
        what.host = send.getIsHostTransfer();
        groups = send.getSourceTargetPairs().value_or(nullptr);
      })
      .Case([&](stablehlo::RecvOp recv) {
        what.kind = CollectiveKind::Recv;
        what.channel = channelOf(recv.getChannelHandle());
        what.host = recv.getIsHostTransfer();
        groups = recv.getSourceTargetPairs().value_or(nullptr);
      })
      .Case([&](stablehlo::InfeedOp) { what.kind = CollectiveKind::Infeed; })
      .Case([&](stablehlo::OutfeedOp) { what.kind = CollectiveKind::Outfeed; })
      .Case([&](stablehlo::CustomCallOp call) {
        what.kind = CollectiveKind::CustomCall;
        what.target = call.getCallTargetNameAttr();
        what.config = call->getAttrOfType<DictionaryAttr>(kCallConfig);
        what.layouts = call->getAttrOfType<ArrayAttr>(kCallLayouts);
      })
      .Case([&](stablehlo::PartitionIdOp) {
        what.kind = CollectiveKind::PartitionId;
      })
      .Case([&](stablehlo::ReplicaIdOp) {
        what.kind = CollectiveKind::ReplicaId;
      });
  what.grouping =
      both ? alongBoth(what.channel, global) : alongOneDimension(what.channel);
  if (groups && failed(readGroups(op, groups, what)))
    return failure();
  return what;
}

FailureOr<ir::KernelOp> CollectiveLowering::makeReducer(Operation *op,
                                                        Block &body,
                                                        RankedTensorType type) {
  for (Operation &inner : body.without_terminator())
    if (!canWiden(&inner))
      return op->emitOpError("has a computation that contains ")
             << inner.getName() << ", which is not supported";
  llvm::SetVector<Value> outer;
  getUsedValuesDefinedAbove(op->getRegions(), outer);
  for (Value value : outer)
    if (!value.getDefiningOp() ||
        !value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
      return op->emitOpError("has a computation that reads a value of its "
                             "surroundings, which is not supported");
  if (body.getNumArguments() != 2 ||
      body.getTerminator()->getNumOperands() != 1)
    return op->emitOpError("has a computation of ")
           << body.getNumArguments() << " arguments, which is not supported";
  // The kernel combines a piece of the tensor, so that the transport may
  // combine data piece by piece as it arrives.
  constexpr int64_t kPiece = 4096;
  type = RankedTensorType::get({std::min(type.getNumElements(), kPiece)},
                               type.getElementType());
  MLIRContext *context = op->getContext();
  OpBuilder builder(context);
  auto kernel = ir::KernelOp::create(
      builder, op->getLoc(), "reducer",
      ir::ScheduleAttr::get(context, ir::ScheduleKind::Loop, {}, {}, {}, 0, 0,
                            0),
      builder.getDenseI64ArrayAttr({}));
  symbols.insert(kernel);
  Block &inside = kernel.getBody().emplaceBlock();
  inside.addArguments({type, type}, {op->getLoc(), op->getLoc()});
  builder.setInsertionPointToEnd(&inside);
  StablehloBuilder b(builder, op->getLoc());
  SmallVector<Value> results =
      widenBody(b, body, inside.getArguments(), type.getShape());
  ir::YieldOp::create(builder, op->getLoc(), results);
  return kernel;
}

FailureOr<ArrayAttr> CollectiveLowering::makeReducers(Operation *op,
                                                      TypeRange results,
                                                      uint64_t &hash) {
  if (op->getNumRegions() == 0)
    return ArrayAttr();
  SmallVector<Attribute> names;
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (Type type : results) {
    auto tensor = cast<RankedTensorType>(type);
    FailureOr<ir::KernelOp> kernel =
        makeReducer(op, op->getRegion(0).front(), tensor);
    if (failed(kernel))
      return failure();
    kernel->getBody().walk([&](Operation *inner) {
      inner->print(stream, OpPrintingFlags().useLocalScope());
    });
    names.push_back(FlatSymbolRefAttr::get(kernel->getSymNameAttr()));
  }
  // Processes that run different programs must combine in the same way.
  hash = llvm::xxh3_64bits(text);
  return ArrayAttr::get(op->getContext(), names);
}

LogicalResult CollectiveLowering::lower(Operation *op) {
  FailureOr<LoweredCollective> what = describe(op);
  if (failed(what))
    return failure();
  SmallVector<Value> operands, results;
  SmallVector<Type> types;
  OpBuilder builder(op);
  auto split = [&](Value value, SmallVector<Value> &into) -> LogicalResult {
    if (isa<stablehlo::TokenType>(value.getType()))
      return success();
    if (!isStaticTensor(value.getType()))
      return op->emitOpError("takes or gives a value of type ")
             << value.getType() << ", which is not supported";
    into.push_back(value);
    return success();
  };
  for (Value operand : op->getOperands())
    if (failed(split(operand, operands)))
      return failure();
  for (Value result : op->getResults())
    if (failed(split(result, results)))
      return failure();
  for (Value result : results)
    types.push_back(result.getType());
  uint64_t hash = 0;
  FailureOr<ArrayAttr> reducers = makeReducers(op, types, hash);
  if (failed(reducers))
    return failure();
  ArrayRef<int64_t> fill;
  if (auto bits = op->getAttrOfType<DenseI64ArrayAttr>("xlac.fill"))
    fill = bits.asArrayRef();
  auto attribute = ir::CollectiveAttr::get(
      op->getContext(), what->kind, what->grouping, what->groups.ids,
      what->groups.columns, what->channel, what->dimension, what->concat, fill,
      what->dynamicRoot, what->host, hash, what->target, what->config,
      what->layouts);
  auto collective = ir::TensorCollectiveOp::create(
      builder, op->getLoc(), types, attribute, operands, *reducers);
  assert((!*reducers || (*reducers).size() == results.size()) &&
         "every result has a reducer or none has");
  for (auto [old, made] : llvm::zip_equal(results, collective.getResults()))
    old.replaceAllUsesWith(made);
  for (Value result : op->getResults())
    if (isa<stablehlo::TokenType>(result.getType()) && !result.use_empty()) {
      OperationState token(op->getLoc(), "stablehlo.after_all", {},
                           {result.getType()});
      result.replaceAllUsesWith(builder.create(token)->getResult(0));
    }
  op->erase();
  return success();
}

static bool talksToOthers(Operation *op) {
  return isa<stablehlo::AllGatherOp, stablehlo::AllReduceOp,
             stablehlo::AllToAllOp, stablehlo::CollectiveBroadcastOp,
             stablehlo::CollectivePermuteOp, stablehlo::CollectiveReduceOp,
             stablehlo::ReduceScatterOp, stablehlo::SendOp, stablehlo::RecvOp,
             stablehlo::InfeedOp, stablehlo::OutfeedOp,
             stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp,
             stablehlo::CustomCallOp>(op);
}

namespace {
class LowerCollectives : public impl::LowerCollectivesBase<LowerCollectives> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (talksToOthers(op))
        found.push_back(op);
    });
    CollectiveLowering lowering(getOperation());
    for (Operation *op : found)
      if (failed(lowering.lower(op)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace xlac::transforms
