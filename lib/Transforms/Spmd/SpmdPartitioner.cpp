// Values, regions and annotations of a partitioned function. Ops with rules are
// in SpmdPartitionOps.cpp.
#include "SpmdPartitioner.h"

#include "SpmdAnnotations.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace xlac::transforms {

SpmdPartitioner::SpmdPartitioner(func::FuncOp function, const DeviceMesh &mesh,
                                 const SpmdPropagation &shardings,
                                 const SpmdCalls &calls, int64_t replicas,
                                 int64_t channel)
    : function(function), mesh(mesh), shardings(shardings), calls(calls),
      builder(function.getContext()), body(std::make_unique<Block>()),
      emitter(builder, mesh, *body, replicas, channel),
      costs(mesh, emitter, [&shardings](Value value) -> const AxisSharding & {
        return shardings.of(value);
      }) {}

/// Returns the sharding that users see. It is the annotation's if the
/// annotation orders devices differently than the axes.
static Sharding seenSharding(const DeviceMesh &mesh, const AxisSharding &axes,
                             const std::optional<SpmdAnnotation> &annotation) {
  Sharding found = mesh.toSharding(axes);
  if (annotation && annotation->sharding.is_tiled() &&
      annotation->sharding.tiles == found.tiles &&
      annotation->sharding.copies == found.copies &&
      annotation->sharding.summands == found.summands)
    return annotation->sharding;
  return found;
}

Value SpmdPartitioner::toAnnotated(
    Value shard, const AxisSharding &axes,
    const std::optional<SpmdAnnotation> &annotation, bool back) {
  Sharding own = mesh.toSharding(axes);
  Sharding seen = seenSharding(mesh, axes, annotation);
  if (seen == own)
    return shard;
  return back ? emitter.permute(shard, seen, own)
              : emitter.permute(shard, own, seen);
}

static bool isCollective(Operation *op) {
  return isa<stablehlo::AllGatherOp, stablehlo::AllReduceOp,
             stablehlo::AllToAllOp, stablehlo::CollectiveBroadcastOp,
             stablehlo::CollectivePermuteOp, stablehlo::ReduceScatterOp>(op);
}

/// Erases ops that became unused when later ones moved rows of their operands
/// themselves.
static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        eraseUnused(inner);
    if (isOpTriviallyDead(&op) || (op.use_empty() && isCollective(&op)))
      op.erase();
  }
}

LogicalResult SpmdPartitioner::run() {
  Block &old = function.getBody().front();
  builder.setInsertionPointToStart(body.get());
  SmallVector<Type> inputs, outputs;
  for (BlockArgument argument : old.getArguments()) {
    Type type = argument.getType();
    RankedTensorType tensor = shardableType(argument);
    const AxisSharding &axes = shardings.of(argument);
    if (tensor)
      type = emitter.shardType(tensor, axes);
    inputs.push_back(type);
    Value shard = body->addArgument(type, argument.getLoc());
    auto annotation =
        annotationOf(function.getArgAttrDict(argument.getArgNumber()));
    if (tensor)
      shard = toAnnotated(shard, axes, annotation, /*back=*/true);
    argumentShardings.push_back(tensor ? seenSharding(mesh, axes, annotation)
                                       : Sharding());
    set(argument, shard);
  }
  if (failed(partitionBlock(old)))
    return failure();
  SmallVector<Value> returned;
  for (auto [i, value] : llvm::enumerate(old.getTerminator()->getOperands())) {
    const AxisSharding &axes = shardings.ofResult(i);
    bool tensor = shardableType(value) != nullptr;
    auto annotation = annotationOf(function.getResultAttrDict(i));
    Value shard = get(value, axes);
    if (tensor)
      shard = toAnnotated(shard, axes, annotation, /*back=*/false);
    resultShardings.push_back(tensor ? seenSharding(mesh, axes, annotation)
                                     : Sharding());
    returned.push_back(shard);
    outputs.push_back(shard.getType());
  }
  func::ReturnOp::create(builder, old.getTerminator()->getLoc(), returned);
  eraseUnused(*body);
  function.getBody().push_back(body.release());
  old.erase();
  assert(argumentShardings.size() == inputs.size() &&
         resultShardings.size() == outputs.size() &&
         "every argument and result has a sharding");
  function.setType(FunctionType::get(function.getContext(), inputs, outputs));
  return calls.replaceManual(function, [&] { return emitter.newChannel(); });
}

LogicalResult SpmdPartitioner::partitionBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(partitionOp(&op)))
      return failure();
  return success();
}

LogicalResult SpmdPartitioner::partitionOp(Operation *op) {
  // Created at each use, with the sharding required there.
  if (op->getNumResults() == 1 && isFreeToMake(op->getResult(0)) &&
      !shardings.isManual(op->getResult(0)))
    return success();
  if (isAnnotation(op))
    return partitionAnnotation(op);
  auto isManual = [&](Value value) { return shardings.isManual(value); };
  if (llvm::any_of(op->getOperands(), isManual) ||
      llvm::any_of(op->getResults(), isManual))
    cloneManual(op);
  else if (calls.isPartitioned(op))
    return partitionCall(op);
  else if (isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op))
    return partitionControl(op);
  else
    partitionByRule(op);
  return success();
}

//===- Values -------------------------------------------------------------===//

Value SpmdPartitioner::get(Value old, const AxisSharding &sharding) {
  RankedTensorType type = shardableType(old);
  if (!type || shardings.isManual(old))
    return shards.lookup(old);
  bool free = isFreeToMake(old);
  const AxisSharding &own = shardings.of(old);
  if (!free && own == sharding)
    return shards.lookup(old);
  for (auto &[known, value] : others[old])
    if (known == sharding)
      return value;
  Value made = free ? emitter.reshard(makeFree(old, sharding.reduced()), type,
                                      sharding.reduced(), sharding)
                    : emitter.reshard(shards.lookup(old), type, own, sharding);
  others[old].push_back({sharding, made});
  return made;
}

Value SpmdPartitioner::getWhole(Value old) {
  RankedTensorType type = shardableType(old);
  return get(old, AxisSharding(type ? type.getRank() : 0));
}

Value SpmdPartitioner::makeFree(Value old, const AxisSharding &sharding) {
  Operation *op = old.getDefiningOp();
  RankedTensorType whole = shardableType(old);
  RankedTensorType type = emitter.shardType(whole, sharding);
  StablehloBuilder b(builder, op->getLoc());
  SplatElementsAttr splat;
  if (matchPattern(op, m_Constant(&splat)))
    return b.value("stablehlo.constant", type, {},
                   {builder.getNamedAttr("value", splat.resizeSplat(type))});
  if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) {
    int64_t dim = iota.getIotaDimension();
    AxisRef axes = sharding.dims[dim];
    if (mesh.count(axes) == 1)
      return b.iota(type, dim);
    // Count in i64 first, because elements may have any type.
    Type word = builder.getI64Type();
    Value first = emitter.offset(axes, type.getDimSize(dim), word);
    Value places = b.add(b.iota(type.clone(word), dim),
                         b.broadcastInDim(first, type.getShape(), {}));
    return b.convert(places, type.getElementType());
  }
  assert(int64_t(sharding.dims.size()) == whole.getRank() &&
         "a sharding has the tensor's rank");
  auto broadcast = cast<stablehlo::BroadcastInDimOp>(op);
  Value operand = broadcast->getOperand(0);
  RankedTensorType from = shardableType(operand);
  AxisSharding inner(from.getRank());
  for (auto [d, target] : llvm::enumerate(broadcast.getBroadcastDimensions()))
    if (from.getDimSize(d) == whole.getDimSize(target) &&
        from.getDimSize(d) > 1)
      inner.dims[d] = sharding.dims[target];
  return b.value("stablehlo.broadcast_in_dim", type, {get(operand, inner)},
                 op->getAttrs());
}

//===- Annotations --------------------------------------------------------===//

LogicalResult SpmdPartitioner::partitionAnnotation(Operation *op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  std::optional<SpmdAnnotation> annotation =
      annotationOf(op->getDiscardableAttrDictionary());
  if (isShardToFull(op)) {
    RankedTensorType whole = shardableType(result);
    const AxisSharding &axes = shardings.of(result);
    Value part = shardings.isManual(operand)
                     ? shards.lookup(operand)
                     : get(operand, axes.without(shardings.manualAxes(op)));
    if (!whole || part.getType() != emitter.shardType(whole, axes))
      return op->emitError("puts parts of type ")
             << part.getType() << " together to " << result.getType()
             << ", whose parts are of another type";
    set(result, toAnnotated(part, axes, annotation, /*back=*/true));
    return success();
  }
  if (!isFullToShard(op)) {
    // The sharding annotation of the operand describes the result.
    set(result, get(operand, shardings.of(result)));
    return success();
  }
  AxisSharding axes = shardings.of(operand);
  std::optional<SpmdAnnotation> asked;
  if (Operation *placed = operand.getDefiningOp();
      placed && isAnnotation(placed))
    asked = annotationOf(placed->getDiscardableAttrDictionary());
  Value part = toAnnotated(get(operand, axes), axes, asked, /*back=*/false);
  // What the compiler cuts stays cut where not all axes are manual.
  RankedTensorType type = shardableType(result);
  AxisSharding rest = axes.without(shardings.manualAxes(op));
  if (!type || part.getType() != emitter.shardType(type, rest))
    return op->emitError("takes parts of type ")
           << result.getType() << " of " << operand.getType()
           << ", whose parts are of type " << part.getType();
  set(result, shardings.isManual(result)
                  ? part
                  : emitter.reshard(part, type, rest, shardings.of(result)));
  return success();
}

void SpmdPartitioner::cloneManual(Operation *op) {
  IRMapping mapping;
  auto map = [&](Value value) {
    if (!mapping.contains(value))
      mapping.map(value, getWhole(value));
  };
  for (Value operand : op->getOperands())
    map(operand);
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
        map(operand);
  });
  Operation *made = builder.clone(*op, mapping);
  for (auto [old, now] : llvm::zip_equal(op->getResults(), made->getResults()))
    set(old, now);
}

//===- Custom calls of an embedder ----------------------------------------===//

AxisSharding SpmdPartitioner::axesOf(const Sharding &sharding,
                                     Value value) const {
  int64_t rank = shardableType(value).getRank();
  std::optional<AxisSharding> exact = mesh.fromSharding(sharding, rank);
  return exact ? *exact : mesh.nearest(sharding, rank);
}

LogicalResult SpmdPartitioner::partitionCall(Operation *op) {
  FailureOr<CallSite> site = calls.siteOf(
      op, [&](Value value) { return mesh.toSharding(shardings.of(value)); });
  if (failed(site))
    return failure();
  if (calls.infers(op)) {
    FailureOr<std::vector<Sharding>> adapted = calls.adaptResults(op, *site);
    if (failed(adapted))
      return failure();
    for (auto [result, sharding] : llvm::zip_equal(site->results, *adapted))
      if (sharding.kind != Sharding::Kind::Unknown)
        result.sharding = std::move(sharding);
  }
  FailureOr<PartitionedCall> call = calls.partition(op, *site);
  if (failed(call))
    return failure();
  for (const auto *list : {&call->operands, &call->results})
    for (const Sharding &sharding : *list)
      if (sharding.kind == Sharding::Kind::Manual)
        return op->emitError("the partitioner of custom_call @")
               << site->target << " returned the sharding {manual} for a call "
               << "in code that the compiler partitions";
  SmallVector<Value> operands;
  for (auto [value, sharding] :
       llvm::zip_equal(op->getOperands(), call->operands)) {
    AxisSharding axes = axesOf(sharding, value);
    operands.push_back(toAnnotated(get(value, axes), axes,
                                   SpmdAnnotation{sharding, {}},
                                   /*back=*/false));
  }
  SmallVector<Type> types;
  for (auto [value, sharding] :
       llvm::zip_equal(op->getResults(), call->results))
    types.push_back(
        emitter.shardType(shardableType(value), axesOf(sharding, value)));
  FailureOr<SmallVector<Value>> made =
      calls.emit(op, *call, operands, types, builder,
                 [&] { return emitter.newChannel(); });
  if (failed(made))
    return failure();
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    AxisSharding axes = axesOf(call->results[i], result);
    Value part =
        toAnnotated((*made)[i], axes, SpmdAnnotation{call->results[i], {}},
                    /*back=*/true);
    set(result, emitter.reshard(part, shardableType(result), axes,
                                shardings.of(result)));
  }
  return success();
}

//===- Regions ------------------------------------------------------------===//

/// Partitions a region of one op. The values that it yields have the shardings
/// of `op`'s results, except for the condition of a loop.
LogicalResult SpmdPartitioner::partitionRegion(Region &from, Region &to,
                                               Operation *op) {
  OpBuilder::InsertionGuard guard(builder);
  Others outside = others;
  Block &old = from.front();
  Block &made = to.emplaceBlock();
  for (BlockArgument argument : old.getArguments()) {
    Type type = argument.getType();
    if (RankedTensorType tensor = shardableType(argument))
      type = emitter.shardType(tensor, shardings.of(argument));
    set(argument, made.addArgument(type, argument.getLoc()));
  }
  builder.setInsertionPointToStart(&made);
  if (failed(partitionBlock(old)))
    return failure();
  Operation *end = old.getTerminator();
  bool condition = isa<stablehlo::WhileOp>(op) && &from == &op->getRegion(0);
  SmallVector<Value> returned;
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    returned.push_back(condition ? getWhole(value)
                                 : get(value, shardings.of(op->getResult(i))));
  StablehloBuilder(builder, end->getLoc()).op("stablehlo.return", {}, returned);
  others = std::move(outside);
  return success();
}

LogicalResult SpmdPartitioner::partitionControl(Operation *op) {
  SmallVector<Value> operands;
  bool loop = isa<stablehlo::WhileOp>(op);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    operands.push_back(loop ? get(operand, shardings.of(op->getResult(i)))
                            : getWhole(operand));
  SmallVector<Type> types;
  for (Value result : op->getResults()) {
    RankedTensorType tensor = shardableType(result);
    types.push_back(tensor ? emitter.shardType(tensor, shardings.of(result))
                           : result.getType());
  }
  OperationState state(op->getLoc(), op->getName().getStringRef(), operands,
                       types, op->getAttrs());
  for (Region &region : op->getRegions())
    if (failed(partitionRegion(region, *state.addRegion(), op)))
      return failure();
  Operation *made = builder.create(state);
  for (auto [old, now] : llvm::zip_equal(op->getResults(), made->getResults()))
    set(old, now);
  return success();
}

} // namespace xlac::transforms
