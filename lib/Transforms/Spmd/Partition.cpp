// The partition pass: converts the global program to the program of one device.
#include "xlac/Transforms/Passes.h"

#include "SpmdAnnotations.h"
#include "SpmdArguments.h"
#include "SpmdPads.h"
#include "SpmdPartitioner.h"
#include "SpmdSearch.h"
#include "SpmdSlices.h"
#include "SpmdSorts.h"

#include "xlac/Transforms/CallPartitioning.h"
#include "xlac/support/program_names.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_PARTITION
#include "xlac/Transforms/Passes.h.inc"

namespace {

class Partition : public impl::PartitionBase<Partition> {
public:
  using Base::Base;
  Partition(PartitionOptions options, CallPartitioning calls)
      : Base(std::move(options)), embedded(std::move(calls)) {}

private:
  void runOnOperation() override;
  LogicalResult prepareCalls(func::FuncOp main, const SpmdCalls &calls,
                             bool &partitionsCalls);
  LogicalResult partition(ModuleOp module, func::FuncOp main,
                          const DeviceMesh &mesh, const SpmdCalls &calls);
  void partitionManual(func::FuncOp main);
  void annotateArguments(func::FuncOp main, int64_t devices);
  void annotateLongest(func::FuncOp main, int64_t devices);
  void describe(ModuleOp module, FunctionType whole,
                const SpmdPartitioner &partitioner);

  CallPartitioning embedded;
};

} // namespace

static int64_t channelOf(Operation *op) {
  auto handle =
      op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  return handle ? handle.getHandle() : 0;
}

/// Returns whether the program refers to partitions. Its author has then
/// partitioned it.
static bool usesPartitions(func::FuncOp main) {
  return main
      .walk([](Operation *op) {
        bool uses = isa<stablehlo::PartitionIdOp>(op) || channelOf(op) > 0;
        return uses ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns a channel number above those of the program.
static int64_t freeChannel(func::FuncOp main) {
  int64_t channel = 1;
  main.walk(
      [&](Operation *op) { channel = std::max(channel, channelOf(op) + 1); });
  return channel;
}

static int64_t countOf(ModuleOp module, StringRef name) {
  auto attribute = module->getAttrOfType<IntegerAttr>(name);
  return attribute ? std::max<int64_t>(attribute.getInt(), 1) : 1;
}

/// Returns all annotations of a function, including those of arguments and
/// results.
static SmallVector<Sharding> allShardings(func::FuncOp main) {
  SmallVector<Sharding> all;
  auto add = [&](DictionaryAttr attributes) {
    if (auto annotation = annotationOf(attributes))
      all.push_back(annotation->sharding);
  };
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    add(main.getArgAttrDict(i));
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    add(main.getResultAttrDict(i));
  main.walk([&](stablehlo::CustomCallOp call) {
    if (isAnnotation(call))
      add(call->getDiscardableAttrDictionary());
    if (auto manual = manualAxesOf(call))
      all.push_back(std::move(*manual));
  });
  return all;
}

/// Shards every large argument along its longest dimension that `devices`
/// divides.
void Partition::annotateLongest(func::FuncOp main, int64_t devices) {
  for (BlockArgument argument : main.getArguments()) {
    RankedTensorType type = shardableType(argument);
    if (!type || type.getNumElements() < smallest ||
        annotationOf(main.getArgAttrDict(argument.getArgNumber())))
      continue;
    int64_t best = -1;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.getDimSize(d) % devices == 0 &&
          (best < 0 || type.getDimSize(d) > type.getDimSize(best)))
        best = d;
    if (best < 0)
      continue;
    Sharding sharding;
    sharding.kind = Sharding::Kind::Tiled;
    sharding.tiles.assign(type.getRank(), 1);
    sharding.tiles[best] = devices;
    for (int64_t device = 0; device < devices; ++device)
      sharding.devices.push_back(device);
    main.setArgAttr(argument.getArgNumber(), kShardingName,
                    StringAttr::get(&getContext(), sharding.str()));
  }
}

/// Annotates the arguments that the program leaves open as the best plan does,
/// if any argument is large.
void Partition::annotateArguments(func::FuncOp main, int64_t devices) {
  if (llvm::none_of(main.getArguments(), [&](BlockArgument argument) {
        RankedTensorType type = shardableType(argument);
        return type && type.getNumElements() >= smallest;
      }))
    return;
  std::vector<ArgumentPlan> plans = searchArguments(main, devices, embedded);
  if (plans.empty())
    return annotateLongest(main, devices);
  for (auto [i, sharding] : llvm::enumerate(plans.front().arguments))
    if (shardableType(main.getArgument(i)) &&
        !annotationOf(main.getArgAttrDict(i)))
      main.setArgAttr(i, kShardingName,
                      StringAttr::get(&getContext(), sharding.str()));
  if (embedded.onPlan)
    for (ArgumentPlan &plan : plans)
      embedded.onPlan(std::move(plan));
}

void Partition::describe(ModuleOp module, FunctionType whole,
                         const SpmdPartitioner &partitioner) {
  Builder builder(&getContext());
  auto texts = [&](const std::vector<Sharding> &shardings) {
    SmallVector<Attribute> all;
    for (const Sharding &sharding : shardings)
      all.push_back(builder.getStringAttr(sharding.str()));
    return builder.getArrayAttr(all);
  };
  module->setAttr(names::kArgumentShardings, texts(partitioner.arguments()));
  module->setAttr(names::kResultShardings, texts(partitioner.results()));
  module->setAttr(names::kGlobalArguments,
                  builder.getTypeArrayAttr(whole.getInputs()));
  module->setAttr(names::kGlobalResults,
                  builder.getTypeArrayAttr(whole.getResults()));
}

/// An argument's memory can be reused only for a result with the type of its
/// shard.
static void dropAliases(func::FuncOp main) {
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    main.removeArgAttr(i, kShardingName);
    main.removeArgAttr(i, kOpenName);
    main.removeArgAttr(i, kPriorityName);
    auto alias = main.getArgAttrOfType<IntegerAttr>(i, names::kAliasingOutput);
    if (alias &&
        (alias.getInt() < 0 || alias.getInt() >= main.getNumResults() ||
         main.getResultTypes()[alias.getInt()] != main.getArgumentTypes()[i]))
      main.removeArgAttr(i, names::kAliasingOutput);
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    main.setResultAttrs(i, ArrayRef<NamedAttribute>());
}

/// Replaces each barrier of several values by one for each value. Values of one
/// op share the axes of the mesh among their dimensions, but values of a
/// barrier have nothing to do with each other.
static void splitBarriers(func::FuncOp main) {
  SmallVector<stablehlo::OptimizationBarrierOp> barriers;
  main.walk([&](stablehlo::OptimizationBarrierOp op) {
    if (op->getNumOperands() > 1)
      barriers.push_back(op);
  });
  for (stablehlo::OptimizationBarrierOp op : barriers) {
    OpBuilder builder(op);
    for (auto [operand, result] :
         llvm::zip_equal(op->getOperands(), op->getResults()))
      result.replaceAllUsesWith(
          stablehlo::OptimizationBarrierOp::create(builder, op.getLoc(),
                                                   result.getType(), operand)
              ->getResult(0));
    op->erase();
  }
}

/// Returns whether the leading dimensions of all operands and results of a
/// built-in call are batches: JAX's calls of LAPACK.
static bool isLapackCall(StringRef target) {
  return target.starts_with("lapack_") && target.ends_with("_ffi");
}

/// Removes the rules of calls that do not use them. Sets `partitionsCalls` if
/// the embedder partitions a call. Fails, with an error on the call, if its
/// rule is invalid.
LogicalResult Partition::prepareCalls(func::FuncOp main, const SpmdCalls &calls,
                                      bool &partitionsCalls) {
  llvm::StringSet<> targets;
  for (const std::string &target : batchTargets)
    targets.insert(target);
  WalkResult result = main.walk([&](stablehlo::CustomCallOp call) {
    if (!calls.isPartitioned(call)) {
      call->removeAttr(kRuleName);
      StringRef target = call.getCallTargetName();
      if (!targets.contains(target) && !isLapackCall(target))
        call->removeAttr(kBatchName);
      return WalkResult::advance();
    }
    partitionsCalls = true;
    call->removeAttr(kBatchName);
    auto text = call->getAttrOfType<StringAttr>(kRuleName);
    SpmdRule rule;
    rule.operands.resize(call->getNumOperands());
    rule.results.resize(call->getNumResults());
    std::string problem;
    if (text && !addSdyRule(text.getValue(), call, rule, problem))
      return WalkResult(call.emitOpError("@")
                        << call.getCallTargetName() << ' ' << problem);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Partition::partition(ModuleOp module, func::FuncOp main,
                                   const DeviceMesh &mesh,
                                   const SpmdCalls &calls) {
  SpmdPropagation shardings(main, mesh, calls);
  annotateShardings(main, shardings);
  if (failed(searchShardings(main, mesh, shardings)))
    return failure();
  if (embedded.onSharding)
    explainShardings(main, mesh, shardings, embedded.onSharding);
  int64_t channel = freeChannel(main);
  FunctionType whole = main.getFunctionType();
  SpmdPartitioner partitioner(main, mesh, shardings, calls,
                              countOf(module, names::kReplicaCount), channel);
  if (failed(partitioner.run()))
    return failure();
  completeSorts(main);
  describe(module, whole, partitioner);
  dropAliases(main);
  return success();
}

/// Replaces the embedder's calls in a program that is written for one device.
void Partition::partitionManual(func::FuncOp main) {
  int64_t channel = freeChannel(main);
  DeviceMesh mesh = DeviceMesh::choose(partitionCount(getOperation()), {});
  SpmdCalls calls(embedded, mesh);
  if (failed(calls.replaceManual(main, [&] { return channel++; })))
    return signalPassFailure();
  if (embedded.onPartitioned)
    embedded.onPartitioned(getOperation());
}

void Partition::runOnOperation() {
  ModuleOp module = getOperation();
  int64_t devices = partitionCount(module);
  auto main = module.lookupSymbol<func::FuncOp>(entry);
  if (devices <= 1 || !main || main.isExternal())
    return;
  if (devices > kMostPartitions) {
    module.emitError("is for ") << devices << " partitions, which are too many";
    return signalPassFailure();
  }
  SmallVector<Sharding> annotations = allShardings(main);
  bool partitionsCalls = false;
  {
    DeviceMesh mesh = DeviceMesh::choose(devices, {});
    SpmdCalls calls(embedded, mesh);
    if (failed(prepareCalls(main, calls, partitionsCalls)))
      return signalPassFailure();
  }
  auto request = module->getAttrOfType<BoolAttr>(names::kAutomaticPartitioning);
  bool isRequested = request && request.getValue();
  bool isManual = usesPartitions(main);
  if (annotations.empty()) {
    if (isManual && partitionsCalls)
      return partitionManual(main);
    if (isManual || (!automatic && !isRequested && !partitionsCalls))
      return;
  }
  shortenSorts(main);
  splitBarriers(main);
  joinPads(main);
  selectFewRows(main, devices);
  if (!isManual && (isRequested || (automatic && annotations.empty()))) {
    annotateArguments(main, devices);
    annotations = allShardings(main);
  }
  DeviceMesh mesh = DeviceMesh::choose(devices, annotations);
  SpmdCalls calls(embedded, mesh);
  if (failed(partition(module, main, mesh, calls)))
    return signalPassFailure();
  if (partitionsCalls && embedded.onPartitioned)
    embedded.onPartitioned(module);
}

std::unique_ptr<Pass> createPartition(PartitionOptions options,
                                      CallPartitioning calls) {
  return std::make_unique<Partition>(std::move(options), std::move(calls));
}

} // namespace xlac::transforms
