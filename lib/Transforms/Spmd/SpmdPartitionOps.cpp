// Partitions ops that have rules: chooses the axes that shard their factors,
// creates the op on shards, and combines partial results.
#include "SpmdPartitioner.h"

#include "Expand/CustomCalls.h"

#include "xlac/support/call_config.h"
#include "xlac/support/logging.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace xlac::transforms {

//===- The op on shards ---------------------------------------------------===//

Value SpmdPartitioner::localOperand(Operation *op, unsigned number,
                                    const SpmdRule &rule,
                                    ArrayRef<AxisList> axes) {
  Value old = op->getOperand(number);
  RankedTensorType type = shardableType(old);
  Value shard = get(old, costs.neededSharding(op, number, rule, axes));
  if (!isa<stablehlo::DotGeneralOp, stablehlo::ReduceOp>(op) &&
      !(isa<stablehlo::ConvolutionOp>(op) && number == 1))
    return shard;
  // The padding of reduced dimensions must not affect results.
  for (auto [d, factors] : llvm::enumerate(rule.operands[number])) {
    if (factors.size() != 1 ||
        rule.factors[factors.front()].kind != SpmdFactor::Reduced)
      continue;
    const AxisList &cut = axes[factors.front()];
    if (type.getDimSize(d) % mesh.count(cut) == 0)
      continue;
    StablehloBuilder b(builder, op->getLoc());
    auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
    std::optional<double> nothing = reduce ? identityOf(reduce) : 0;
    Value fill = nothing
                     ? b.splat(RankedTensorType::get({}, type.getElementType()),
                               *nothing)
                     : getWhole(op->getOperand(op->getNumResults() + number));
    if (StablehloBuilder::typeOf(fill).getElementType() !=
        type.getElementType())
      fill = b.convert(fill, type.getElementType());
    shard = emitter.maskPadding(shard, d, type.getDimSize(d), cut, fill);
  }
  return shard;
}

void SpmdPartitioner::fixAttributes(Operation *made, const SpmdRule &rule,
                                    ArrayRef<AxisList> axes) {
  auto sizesOf = [](Value value) {
    return SmallVector<int64_t>(StablehloBuilder::typeOf(value).getShape());
  };
  if (auto slice = dyn_cast<stablehlo::SliceOp>(made)) {
    SmallVector<int64_t> limits(slice.getLimitIndices());
    for (auto [d, factors] : llvm::enumerate(rule.operands[0]))
      if (!factors.empty() && !rule.factors[factors.front()].halo)
        limits[d] = sizesOf(made->getOperand(0))[d];
    slice.setLimitIndices(limits);
  } else if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(made)) {
    slice.setSliceSizes(sizesOf(made->getResult(0)));
  } else if (auto gather = dyn_cast<stablehlo::GatherOp>(made)) {
    SmallVector<int64_t> sizes(gather.getSliceSizes());
    for (auto [d, factors] : llvm::enumerate(rule.operands[0]))
      if (!factors.empty() &&
          rule.factors[factors.front()].kind == SpmdFactor::Parallel &&
          !llvm::is_contained(
              gather.getDimensionNumbers().getOperandBatchingDims(), d))
        sizes[d] = sizesOf(made->getOperand(0))[d];
    gather.setSliceSizes(sizes);
  } else if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(made)) {
    if (convolution.getFeatureGroupCount() > 1)
      convolution.setFeatureGroupCount(convolution.getFeatureGroupCount() /
                                       mesh.count(axes[0]));
    else if (convolution.getBatchGroupCount() > 1)
      convolution.setBatchGroupCount(convolution.getBatchGroupCount() /
                                     mesh.count(axes[0]));
  }
}

/// Maps values of the program that `op`'s regions use to complete ones.
void SpmdPartitioner::mapOuterValues(Operation *op, IRMapping &mapping) {
  llvm::SetVector<Value> outer;
  getUsedValuesDefinedAbove(op->getRegions(), outer);
  for (Value value : outer)
    mapping.map(value, getWhole(value));
}

Operation *SpmdPartitioner::cloneLocal(Operation *op, const SpmdRule &rule,
                                       ArrayRef<AxisList> axes,
                                       ValueRange operands) {
  IRMapping mapping;
  mapOuterValues(op, mapping);
  Operation *made = builder.clone(*op, mapping);
  made->setOperands(operands);
  for (auto [result, dims] : llvm::zip_equal(made->getResults(), rule.results))
    if (RankedTensorType type = shardableType(result))
      result.setType(emitter.shardType(type, shardingOf(dims, axes)));
  fixAttributes(made, rule, axes);
  return made;
}

//===- Partial results ----------------------------------------------------===//

Value SpmdPartitioner::combine(Value part, AxisSharding &now,
                               const AxisSharding &wanted, AxisList partial,
                               RankedTensorType whole, Region *computation) {
  for (int64_t d = 0; d < whole.getRank(); ++d) {
    AxisList run = takeScattered(mesh, whole, now, wanted, d, partial);
    if (run.empty())
      continue;
    part = emitter.reduceScatter(part, d, run, computation);
    now.dims[d].append(run);
  }
  return emitter.allReduce(part, partial, computation);
}

/// Combines partial results of a reducer of several values, which no all_reduce
/// supports: gathers all devices' results and reduces them again with the same
/// computation.
SmallVector<Value> SpmdPartitioner::reduceAgain(Operation *op, Operation *made,
                                                const AxisList &partial) {
  StablehloBuilder b(builder, op->getLoc());
  size_t count = made->getNumResults();
  SmallVector<Value> operands;
  for (Value result : made->getResults()) {
    SmallVector<int64_t> sizes(StablehloBuilder::typeOf(result).getShape());
    sizes.insert(sizes.begin(), 1);
    operands.push_back(emitter.allGather(b.reshape(result, sizes), 0, partial));
  }
  for (Value init : made->getOperands().drop_front(count))
    operands.push_back(init);
  OperationState state(
      op->getLoc(), "stablehlo.reduce", operands, made->getResultTypes(),
      {builder.getNamedAttr("dimensions", builder.getDenseI64ArrayAttr({0}))});
  IRMapping mapping;
  made->getRegion(0).cloneInto(state.addRegion(), mapping);
  return SmallVector<Value>(builder.create(state)->getResults());
}

/// Returns an initial value that must be added once, after all parts are
/// combined. Null if it makes no difference.
Value SpmdPartitioner::lateInit(Operation *op, const AxisList &partial) {
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  if (partial.empty() || !reduce || !identityOf(reduce))
    return {};
  Value init = op->getOperand(1);
  bool sum = *identityOf(reduce) == 0;
  return sum && isZero(init) ? Value() : getWhole(init);
}

void SpmdPartitioner::finish(Operation *op, Operation *made,
                             SmallVector<Value> parts, const SpmdRule &rule,
                             ArrayRef<AxisList> axes) {
  AxisList partial = costs.partialAxes(op, rule, axes);
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  auto scatter = dyn_cast<stablehlo::ScatterOp>(op);
  bool combines = reduce || (scatter && !isPlainSum(op->getRegion(0)));
  Region *computation = combines ? &op->getRegion(0) : nullptr;
  if (!partial.empty() && reduce && reducerOf(reduce) == SpmdReducer::Picks) {
    parts = reduceAgain(op, made, partial);
    partial.clear();
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    RankedTensorType whole = shardableType(result);
    if (!whole || result.use_empty()) {
      set(result, parts[i]);
      continue;
    }
    AxisSharding now = shardingOf(rule.results[i], axes);
    const AxisSharding &wanted = shardings.of(result);
    Type element = whole.getElementType();
    StablehloBuilder b(builder, op->getLoc());
    bool widened =
        StablehloBuilder::typeOf(parts[i]).getElementType() != element;
    AxisList rest = partial, kept = costs.summandAxes(op, axes);
    costs.keepSummands(op, wanted, rest, kept);
    if (!rest.empty())
      parts[i] = combine(parts[i], now, wanted, rest, whole, computation);
    llvm::sort(kept);
    now.unreduced = kept;
    if (widened)
      parts[i] = b.convert(parts[i], element);
    if (Value init = lateInit(op, partial)) {
      Value everywhere = b.broadcastInDim(
          init, StablehloBuilder::typeOf(parts[i]).getShape(), {});
      parts[i] =
          b.value(op->getRegion(0).front().front().getName().getStringRef(),
                  parts[i].getType(), {parts[i], everywhere});
    }
    set(result, emitter.reshard(parts[i], whole, now, wanted));
  }
}

/// The parts of a scatter are combined, so the input must count on one device
/// only, unless it may count more than once.
void SpmdPartitioner::keepOnFirst(stablehlo::ScatterOp op, Operation *made,
                                  const AxisList &partial) {
  if (partial.empty())
    return;
  std::optional<double> identity = identityOf(op);
  if (!identity || (isPlainSum(op->getRegion(0)) && isZero(op->getOperand(0))))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(made);
  made->setOperand(
      0, emitter.keepOnFirst(made->getOperand(0), partial, *identity));
}

//===- Partitioning by rule -----------------------------------------------===//

/// Logs which operands are gathered, completely or along some axes.
void SpmdPartitioner::logGathers(Operation *op, const SpmdRule &rule,
                                 ArrayRef<AxisList> axes) {
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    RankedTensorType type = shardableType(value);
    if (!type || isFreeToMake(value))
      continue;
    const AxisSharding &own = shardings.of(value);
    AxisSharding needed = costs.neededSharding(op, i, rule, axes);
    bool gathered = llvm::any_of(own.dims, [&](const AxisList &list) {
      return llvm::any_of(list,
                          [&](unsigned axis) { return !needed.uses(axis); });
    });
    if (!gathered)
      continue;
    std::string text;
    llvm::raw_string_ostream(text)
        << op->getName() << " at " << op->getLoc() << " gathers operand " << i
        << ", " << type << ", from " << mesh.toSharding(own).str() << " to "
        << mesh.toSharding(needed).str();
    log_info(text);
  }
}

/// The device that alone makes a custom call.
static std::optional<int64_t> deviceOfCall(Operation *op) {
  auto config = op->getAttrOfType<DictionaryAttr>(kCallConfig);
  auto device =
      config ? config.getAs<IntegerAttr>(names::kOnlyPartition) : IntegerAttr();
  return device ? std::optional(device.getInt()) : std::nullopt;
}

void SpmdPartitioner::partitionByRule(Operation *op) {
  SpmdRule rule = spmdRule(op);
  FactorAxes axes = costs.chooseAxes(op, rule);
  if (is_logged("collectives"))
    logGathers(op, rule, axes);
  if (costs.hasHalo(op, rule, axes))
    return partitionHalos(op, rule, axes);
  AxisList partial = costs.partialAxes(op, rule, axes);
  if (auto sort = dyn_cast<stablehlo::SortOp>(op);
      sort && mesh.count(partial) > 1)
    return partitionFirstRows(sort, rule, axes);
  if (auto random = dyn_cast<stablehlo::RngBitGeneratorOp>(op);
      random && llvm::any_of(axes, [&](const AxisList &list) {
        return mesh.count(list) > 1;
      }))
    return drawPart(random, rule, axes);
  if (auto fft = dyn_cast<stablehlo::FftOp>(op);
      fft && transformByDims(fft, axes, rule))
    return;
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(localOperand(op, i, rule, axes));
  Operation *made = cloneLocal(op, rule, axes, operands);
  if (isa<stablehlo::DotGeneralOp>(op) && !partial.empty()) {
    // Devices' sums are combined in the same precision in which each device
    // sums.
    RankedTensorType type = StablehloBuilder::typeOf(made->getResult(0));
    if (isa<FloatType>(type.getElementType()) &&
        type.getElementType().getIntOrFloatBitWidth() < 32)
      made->getResult(0).setType(type.clone(builder.getF32Type()));
  }
  if (lateInit(op, partial)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(made);
    made->setOperand(1,
                     StablehloBuilder(builder, op->getLoc())
                         .splat(StablehloBuilder::typeOf(made->getOperand(1)),
                                *identityOf(cast<stablehlo::ReduceOp>(op))));
  }
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
    keepOnFirst(scatter, made, partial);
    dropPadding(op, made, rule, axes);
  }
  SmallVector<Value> parts(made->getResults());
  if (isa<stablehlo::GatherOp, stablehlo::ScatterOp>(op))
    if (Value rows = shiftIndices(op, made, rule, axes))
      parts[0] = rows;
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(made))
    parts = fitWindows(scatter);
  if (isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op))
    parts[0] = moveWindow(op, made, rule, axes);
  if (isa<stablehlo::ReverseOp>(op))
    parts[0] = reverseEqual(op, parts[0], rule, axes);
  if (std::optional<int64_t> device = deviceOfCall(op))
    for (Value &part : parts)
      if (shardableType(part))
        part = emitter.broadcastFrom(part, *device);
  finish(op, made, std::move(parts), rule, axes);
}

} // namespace xlac::transforms
