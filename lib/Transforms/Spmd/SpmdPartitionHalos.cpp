// Partitions ops along dimensions with halos: each device gets the rows of
// other shards that its rows of the result depend on.
#include "SpmdPartitioner.h"

using namespace mlir;

namespace xlac::transforms {

//===- Fetching rows ------------------------------------------------------===//

SpmdPartitioner::FetchedRows
SpmdPartitioner::fetchRows(Value value, int64_t dim, AxisRef axes,
                           const HaloPlan &plan, Value fill) {
  Value rows = emitter.exchange(value, dim, axes, plan.exchange);
  if (fill)
    rows = emitter.fillOutside(rows, dim, axes, plan.exchange, fill);
  if (plan.dilation == 1)
    return {rows};
  int64_t spread = (plan.exchange.length - 1) * plan.dilation + 1;
  int64_t phase = plan.phases.front();
  if (llvm::all_equal(plan.phases) && phase + spread <= plan.length)
    return {rows, phase, plan.length - phase - spread, plan.dilation};
  // Devices start at different positions between two rows.
  int64_t low = plan.dilation - 1;
  SmallVector<int64_t> starts;
  for (int64_t one : plan.phases)
    starts.push_back(low - one);
  rows = emitter.padRows(rows, dim, low,
                         std::max<int64_t>(plan.length - spread, 0),
                         plan.dilation, fill);
  return {emitter.slicePerPiece(rows, dim, axes, starts, plan.length)};
}

Value SpmdPartitioner::haloFill(Operation *op, unsigned number,
                                const SpmdRule &rule, ArrayRef<AxisList> axes) {
  Type element = shardableType(op->getOperand(number)).getElementType();
  StablehloBuilder b(builder, op->getLoc());
  if (isa<stablehlo::PadOp>(op))
    return localOperand(op, 1, rule, axes);
  if (isa<stablehlo::ReduceWindowOp>(op))
    return b.convert(getWhole(op->getOperand(op->getNumResults() + number)),
                     element);
  if (isa<stablehlo::ConvolutionOp, stablehlo::SelectAndScatterOp>(op))
    return b.splat(RankedTensorType::get({}, element), 0);
  return {};
}

/// Completes a reverse along dimensions of equal pieces.
Value SpmdPartitioner::reverseEqual(Operation *op, Value part,
                                    const SpmdRule &rule,
                                    ArrayRef<AxisList> axes) {
  auto reverse = dyn_cast<stablehlo::ReverseOp>(op);
  if (!reverse)
    return part;
  AxisSharding cut = shardingOf(rule.operands[0], axes);
  AxisList reversed;
  for (int64_t d : reverse.getDimensions())
    if (costs.haloAxes(op, 0, d, rule, axes).empty())
      reversed.append(cut.dims[d]);
  return emitter.reversePieces(part, reversed);
}

//===- Concatenations -----------------------------------------------------===//

/// Concatenates parts of one value: moves its rows to their new places at once.
Value SpmdPartitioner::rotateRows(Operation *op, Value source,
                                  const SpmdRule &rule,
                                  ArrayRef<AxisList> axes) {
  int64_t dim = cast<stablehlo::ConcatenateOp>(op).getDimension();
  AxisList list = costs.haloAxes(op, 0, dim, rule, axes);
  AxisSharding sharding = shardingOf(rule.operands[0], axes);
  SourceRows rows = costs.sourceRows(source, dim, list);
  if (rows.pieces == 1)
    sharding.dims[dim].clear();
  int64_t pieces = mesh.count(list);
  int64_t shard =
      shardSize(shardableType(op->getResult(0)).getDimSize(dim), pieces);
  ExchangePlan plan(rows, pieces, shard);
  int64_t before = 0;
  for (Value operand : op->getOperands()) {
    auto slice = operand.getDefiningOp<stablehlo::SliceOp>();
    NeededRows needed{
        {}, shard, slice.getStartIndices()[dim], slice.getLimitIndices()[dim]};
    for (int64_t i = 0; i < pieces; ++i)
      needed.starts.push_back(i * shard - before + needed.first);
    plan.add(needed);
    before += needed.limit - needed.first;
  }
  plan.schedule();
  return emitter.exchange(get(source, sharding), dim, list, plan);
}

Value SpmdPartitioner::concatenateRows(Operation *op, const SpmdRule &rule,
                                       ArrayRef<AxisList> axes) {
  auto concatenate = cast<stablehlo::ConcatenateOp>(op);
  Value source = rotatedValue(concatenate);
  if (source && costs.summandAxes(op, axes).empty())
    return rotateRows(op, source, rule, axes);
  int64_t dim = concatenate.getDimension();
  AxisList list = costs.haloAxes(op, 0, dim, rule, axes);
  int64_t pieces = mesh.count(list);
  SourceOperands sources = costs.shardedOperands(op, dim, rule, axes);
  StablehloBuilder b(builder, op->getLoc());
  Value result;
  if (!sources.empty()) {
    SmallVector<Value> shards;
    for (const auto &[number, rows] : sources)
      shards.push_back(localOperand(op, number, rule, axes));
    Value buffer =
        shards.size() == 1 ? shards.front() : b.concatenate(shards, dim);
    result = emitter.exchange(buffer, dim, list,
                              planConcatenation(concatenate, pieces, sources));
  }
  // Each device takes the rows that it needs of complete operands.
  int64_t before = 0;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    int64_t size = shardableType(operand).getDimSize(dim);
    int64_t first = before;
    before += size;
    if (llvm::any_of(sources, [&](const auto &source) {
          return source.first == number;
        }))
      continue;
    HaloRows halo = haloOf(op, number, dim, pieces);
    HaloPlan plan = planHalo(halo, costs.sourceRows(operand, dim, list));
    Value rows =
        fetchRows(localOperand(op, number, rule, axes), dim, list, plan, {})
            .value;
    SmallVector<int64_t> firsts, limits;
    for (int64_t i = 0; i < pieces; ++i) {
      auto clamp = [&](int64_t row) {
        return std::clamp<int64_t>(row - i * halo.length, 0, halo.length);
      };
      firsts.push_back(clamp(first));
      limits.push_back(clamp(first + size));
    }
    Value inside = result ? emitter.insideRows(StablehloBuilder::typeOf(rows),
                                               dim, list, firsts, limits)
                          : Value();
    result = inside ? b.select(inside, rows, result) : rows;
  }
  return result;
}

//===- Windows ------------------------------------------------------------===//

static void setPadding(Operation *made, int64_t d, int64_t low, int64_t high,
                       int64_t rank) {
  auto type = RankedTensorType::get({rank, 2},
                                    IntegerType::get(made->getContext(), 64));
  auto known = made->getAttrOfType<DenseIntElementsAttr>("padding");
  SmallVector<int64_t> padding(2 * rank, 0);
  if (known)
    padding.assign(known.getValues<int64_t>().begin(),
                   known.getValues<int64_t>().end());
  padding[2 * d] = low;
  padding[2 * d + 1] = high;
  made->setAttr("padding", DenseIntElementsAttr::get(type, padding));
}

static void setNumber(Operation *made, StringRef name, int64_t d,
                      int64_t number, int64_t rank) {
  auto known = made->getAttrOfType<DenseI64ArrayAttr>(name);
  SmallVector<int64_t> numbers(rank, 1);
  if (known && !known.empty())
    numbers.assign(known.asArrayRef().begin(), known.asArrayRef().end());
  if (numbers[d] == number)
    return;
  numbers[d] = number;
  made->setAttr(name, DenseI64ArrayAttr::get(made->getContext(), numbers));
}

/// Changes what the attributes of `made` say of the dimension `dim` of its
/// operand.
void SpmdPartitioner::setWindow(Operation *made, int64_t dim,
                                const FetchedRows &rows) {
  RankedTensorType type = StablehloBuilder::typeOf(rows.value);
  int64_t rank = type.getRank();
  if (auto slice = dyn_cast<stablehlo::SliceOp>(made)) {
    setNumber(made, "start_indices", dim, 0, rank);
    setNumber(made, "limit_indices", dim, type.getDimSize(dim), rank);
  } else if (isa<stablehlo::PadOp>(made)) {
    setNumber(made, "edge_padding_low", dim, rows.low, rank);
    setNumber(made, "edge_padding_high", dim, rows.high, rank);
    setNumber(made, "interior_padding", dim, rows.dilation - 1, rank);
  } else if (isa<stablehlo::ReduceWindowOp>(made)) {
    setPadding(made, dim, rows.low, rows.high, rank);
    setNumber(made, "base_dilations", dim, rows.dilation, rank);
  } else if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(made)) {
    int64_t spatial = spatialOf(convolution, dim);
    setPadding(made, spatial, rows.low, rows.high, rank - 2);
    setNumber(made, "lhs_dilation", spatial, rows.dilation, rank - 2);
  }
}

//===- Scans --------------------------------------------------------------===//

/// Combines a scan of each shard with the totals of the shards before it, or
/// after it.
Value SpmdPartitioner::combineScan(Operation *op, Value part, int64_t dim,
                                   AxisRef axes) {
  StablehloBuilder b(builder, op->getLoc());
  RankedTensorType type = StablehloBuilder::typeOf(part);
  bool forward = scanKind(op, dim) == ScanKind::Prefix;
  int64_t pieces = mesh.count(axes), size = type.getDimSize(dim);
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape());
  starts[dim] = forward ? size - 1 : 0;
  limits[dim] = starts[dim] + 1;
  Value totals = emitter.allGather(b.slice(part, starts, limits), dim, axes);
  SmallVector<int64_t> firsts, ends;
  for (int64_t i = 0; i < pieces; ++i) {
    firsts.push_back(forward ? 0 : i + 1);
    ends.push_back(forward ? i : pieces);
  }
  RankedTensorType row = StablehloBuilder::typeOf(totals);
  Value init = getWhole(op->getOperand(1));
  Value others = emitter.insideRows(row, dim, axes, firsts, ends);
  totals = b.select(others, totals, b.broadcastInDim(init, row.getShape(), {}));
  SmallVector<int64_t> rest(type.getShape()), dims;
  rest.erase(rest.begin() + dim);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != dim)
      dims.push_back(d);
  OperationState state(op->getLoc(), "stablehlo.reduce", {totals, init},
                       {type.clone(rest)},
                       {builder.getNamedAttr(
                           "dimensions", builder.getDenseI64ArrayAttr({dim}))});
  IRMapping mapping;
  op->getRegion(0).cloneInto(state.addRegion(), mapping);
  Value before = b.broadcastInDim(builder.create(state)->getResult(0),
                                  type.getShape(), dims);
  StringRef name = onlyOp(op->getRegion(0).front())->getName().getStringRef();
  return b.value(name, type,
                 {forward ? before : part, forward ? part : before});
}

//===- Selected elements --------------------------------------------------===//

namespace {
/// The rows of each device's buffer that a plan of one part fills: [first,
/// limit), and the last of them. Other rows are before or after.
struct FilledRows {
  explicit FilledRows(const ExchangePlan &plan)
      : none(plan.targets, 0), all(plan.targets, plan.length) {
    for (int64_t i = 0; i < plan.targets; ++i) {
      auto [first, limit] = plan.filled(i);
      firsts.push_back(first);
      afterFirsts.push_back(first + 1);
      limits.push_back(limit);
      lasts.push_back(std::max<int64_t>(limit - 1, 0));
    }
  }
  SmallVector<int64_t> none, all, firsts, afterFirsts, limits, lasts;
};
} // namespace

/// Repeats the first and the last row of the complete value before and after
/// it. They are selected only where the repeated row would be.
Value SpmdPartitioner::repeatEnds(Value rows, int64_t dim, AxisRef axes,
                                  const ExchangePlan &plan) {
  RankedTensorType type = StablehloBuilder::typeOf(rows);
  StablehloBuilder b(builder, rows.getLoc());
  FilledRows filled(plan);
  auto everywhere = [&](ArrayRef<int64_t> from) {
    return b.broadcastInDim(
        emitter.slicePerPiece(rows, dim, axes, from, 1), type.getShape(),
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  };
  Value low = everywhere(filled.firsts), high = everywhere(filled.lasts);
  if (Value inside =
          emitter.insideRows(type, dim, axes, filled.firsts, filled.all))
    rows = b.select(inside, rows, low);
  if (Value inside =
          emitter.insideRows(type, dim, axes, filled.none, filled.limits))
    rows = b.select(inside, rows, high);
  return rows;
}

/// Adds what repeated rows got to the rows that they repeat.
Value SpmdPartitioner::addToEnds(Value rows, int64_t dim, AxisRef axes,
                                 const ExchangePlan &plan) {
  RankedTensorType type = StablehloBuilder::typeOf(rows);
  StablehloBuilder b(builder, rows.getLoc());
  FilledRows filled(plan);
  Value zeros = b.splat(type, 0);
  SmallVector<int64_t> kept;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != dim)
      kept.push_back(d);
  Value result = rows;
  auto add = [&](Value inside, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    if (!inside)
      return;
    Value total = b.broadcastInDim(b.sum(b.select(inside, zeros, rows), {dim}),
                                   type.getShape(), kept);
    Value place = emitter.insideRows(type, dim, axes, from, to);
    result = b.add(result, place ? b.select(place, total, zeros) : total);
  };
  add(emitter.insideRows(type, dim, axes, filled.firsts, filled.all),
      filled.firsts, filled.afterFirsts);
  add(emitter.insideRows(type, dim, axes, filled.none, filled.limits),
      filled.lasts, filled.limits);
  return result;
}

Value SpmdPartitioner::selectAndScatterRows(Operation *op, const SpmdRule &rule,
                                            ArrayRef<AxisList> axes) {
  auto scatter = cast<stablehlo::SelectAndScatterOp>(op);
  RankedTensorType whole = shardableType(op->getOperand(0));
  int64_t rank = whole.getRank();
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(localOperand(op, i, rule, axes));
  Value zero = haloFill(op, 1, rule, axes);
  SmallVector<std::tuple<int64_t, AxisList, ExchangePlan>> cut;
  for (int64_t d = 0; d < rank; ++d) {
    AxisList list = costs.haloAxes(op, 0, d, rule, axes);
    if (list.empty())
      continue;
    for (unsigned i : {0u, 1u}) {
      HaloPlan plan = planHalo(haloOf(op, i, d, mesh.count(list)),
                               costs.sourceRows(op->getOperand(i), d, list));
      operands[i] =
          fetchRows(operands[i], d, list, plan, i == 1 ? zero : Value()).value;
      if (i == 0) {
        operands[i] = repeatEnds(operands[i], d, list, plan.exchange);
        cut.push_back({d, list, plan.exchange});
      }
    }
  }
  Operation *made = cloneLocal(op, rule, axes, operands);
  for (auto &[d, list, plan] : cut)
    setPadding(made, d, 0, 0, rank);
  made->getResult(0).setType(operands[0].getType());
  Value result = made->getResult(0);
  for (auto &[d, list, plan] : cut) {
    result = addToEnds(result, d, list, plan);
    result = emitter.slicePerPiece(
        result, d, list, scatterRows(scatter, d, mesh.count(list)).own,
        shardSize(whole.getDimSize(d), mesh.count(list)));
  }
  return result;
}

//===- Ops ----------------------------------------------------------------===//

void SpmdPartitioner::partitionHalos(Operation *op, const SpmdRule &rule,
                                     ArrayRef<AxisList> axes) {
  if (isa<stablehlo::ConcatenateOp>(op))
    return finish(op, nullptr, {concatenateRows(op, rule, axes)}, rule, axes);
  if (isa<stablehlo::SelectAndScatterOp>(op))
    return finish(op, nullptr, {selectAndScatterRows(op, rule, axes)}, rule,
                  axes);
  SmallVector<Value> operands;
  SmallVector<std::pair<int64_t, FetchedRows>> windows;
  SmallVector<std::pair<int64_t, AxisList>> scans;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    Value old = op->getOperand(i);
    operands.push_back(localOperand(op, i, rule, axes));
    for (size_t d = 0; d < rule.operands[i].size(); ++d) {
      AxisList list = costs.haloAxes(op, i, d, rule, axes);
      if (list.empty())
        continue;
      Value fill = haloFill(op, i, rule, axes);
      if (scanKind(op, d) != ScanKind::None) {
        int64_t size = shardableType(old).getDimSize(d);
        if (size % mesh.count(list) != 0)
          operands[i] = emitter.maskPadding(operands[i], d, size, list, fill);
        scans.push_back({d, list});
        continue;
      }
      HaloPlan plan = planHalo(haloOf(op, i, d, mesh.count(list)),
                               costs.sourceRows(old, d, list));
      FetchedRows rows = fetchRows(operands[i], d, list, plan, fill);
      operands[i] = rows.value;
      if (i == 0)
        windows.push_back({d, rows});
    }
  }
  Operation *made = cloneLocal(op, rule, axes, operands);
  for (auto &[d, rows] : windows)
    setWindow(made, d, rows);
  SmallVector<Value> parts(made->getResults());
  for (auto &[d, list] : scans) {
    RankedTensorType type = StablehloBuilder::typeOf(parts[0]);
    int64_t size = type.getDimSize(d);
    bool forward = scanKind(op, d) == ScanKind::Prefix;
    setPadding(made, d, forward ? size - 1 : 0, forward ? 0 : size - 1,
               type.getRank());
    setNumber(made, "window_dimensions", d, size, type.getRank());
  }
  for (auto &[d, list] : scans)
    parts[0] = combineScan(op, parts[0], d, list);
  parts[0] = reverseEqual(op, parts[0], rule, axes);
  finish(op, made, std::move(parts), rule, axes);
}

} // namespace xlac::transforms
