// Indices of gathers and scatters into sharded dimensions.
#include "SpmdPartitioner.h"

using namespace mlir;

namespace xlac::transforms {

namespace {

/// The indices of a gather or scatter.
struct Indices {
  unsigned operand;         ///< number of the indices operand
  ArrayRef<int64_t> dims;   ///< indexed dimension of each component
  int64_t vectorDim;        ///< dimension of the components
  ArrayRef<int64_t> window; ///< slice sizes of a gather
};

} // namespace

static Indices indicesOf(Operation *op) {
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
    auto numbers = gather.getDimensionNumbers();
    return {1, numbers.getStartIndexMap(), numbers.getIndexVectorDim(),
            gather.getSliceSizes()};
  }
  auto numbers = cast<stablehlo::ScatterOp>(op).getScatterDimensionNumbers();
  return {op->getNumResults(),
          numbers.getScatterDimsToOperandDims(),
          numbers.getIndexVectorDim(),
          {}};
}

/// Returns the start of a dynamic slice, within bounds, as i64. Types of all
/// widths are allowed: a bound need not fit into a narrow one.
static Value boundedStart(StablehloBuilder &b, Value start, int64_t most) {
  Type word = b.builder.getI64Type();
  if (StablehloBuilder::typeOf(start).getElementType().getIntOrFloatBitWidth() <
      64)
    start = b.convert(start, word);
  RankedTensorType type = StablehloBuilder::typeOf(start);
  Value bounded =
      b.value("stablehlo.clamp", type,
              {b.splat(type, 0), start, b.splat(type, double(most))});
  return b.convert(bounded, word);
}

/// Lets the window of a dynamic_slice or dynamic_update_slice move over a shard
/// with margins: rows of other shards are in the margins. A slice has the
/// identity of a sum for these rows.
Value SpmdPartitioner::moveWindow(Operation *op, Operation *made,
                                  const SpmdRule &rule,
                                  ArrayRef<AxisList> axes) {
  bool reads = isa<stablehlo::DynamicSliceOp>(op);
  RankedTensorType whole = shardableType(op->getOperand(0));
  RankedTensorType part =
      shardableType(reads ? op->getResult(0) : op->getOperand(1));
  AxisSharding cut = shardingOf(rule.operands[0], axes);
  SmallVector<int64_t> moved;
  for (int64_t d = 0; d < whole.getRank(); ++d)
    if (mesh.count(cut.dims[d]) > 1 &&
        part.getDimSize(d) != whole.getDimSize(d))
      moved.push_back(d);
  if (moved.empty())
    return made->getResult(0);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(made);
  StablehloBuilder b(builder, op->getLoc());
  unsigned starts = reads ? 1 : 2;
  Value rows = made->getOperand(0);
  RankedTensorType shard = StablehloBuilder::typeOf(rows);
  Value fill = b.splat(RankedTensorType::get({}, shard.getElementType()), -0.0);
  for (int64_t d = 0; d < whole.getRank(); ++d) {
    int64_t size = part.getDimSize(d);
    Value start = boundedStart(b, made->getOperand(starts + d),
                               whole.getDimSize(d) - size);
    if (llvm::is_contained(moved, d)) {
      rows = emitter.padRows(rows, d, size, size, 1, fill);
      Value own = emitter.offset(cut.dims[d], shard.getDimSize(d),
                                 builder.getI64Type());
      auto scalar = StablehloBuilder::typeOf(start);
      start = b.add(b.subtract(start, own), b.splat(scalar, double(size)));
    }
    made->setOperand(starts + d, start);
  }
  made->setOperand(0, rows);
  if (reads)
    return made->getResult(0);
  made->getResult(0).setType(rows.getType());
  builder.setInsertionPointAfter(made);
  SmallVector<int64_t> firsts(whole.getRank(), 0), limits(shard.getShape());
  for (int64_t d : moved) {
    firsts[d] = part.getDimSize(d);
    limits[d] += firsts[d];
  }
  return b.slice(made->getResult(0), firsts, limits);
}

/// Broadcasts one scalar for each component to `type`.
static Value broadcastScalars(StablehloBuilder &b, ArrayRef<Value> scalars,
                              RankedTensorType type, int64_t vectorDim) {
  if (vectorDim == type.getRank())
    return b.broadcastInDim(scalars.front(), type.getShape(), {});
  SmallVector<Value> ones;
  for (Value one : scalars)
    ones.push_back(b.reshape(one, {1}));
  Value all = ones.size() == 1 ? ones[0] : b.concatenate(ones, 0);
  return b.broadcastInDim(all, type.getShape(), {vectorDim});
}

/// Converts indices into a sharded dimension to indices into this device's
/// shard. A scatter then ignores indices of other shards. For a gather, returns
/// the result with the rows of other shards masked. Null if no indexed
/// dimension is sharded.
Value SpmdPartitioner::shiftIndices(Operation *op, Operation *made,
                                    const SpmdRule &rule,
                                    ArrayRef<AxisList> axes) {
  Indices indices = indicesOf(op);
  RankedTensorType whole = shardableType(op->getOperand(0));
  Value given = made->getOperand(indices.operand);
  RankedTensorType type = StablehloBuilder::typeOf(given);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(made);
  StablehloBuilder b(builder, op->getLoc());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  SmallVector<Value> firsts, limits, sizes;
  SmallVector<int64_t> cut;
  for (auto [component, d] : llvm::enumerate(indices.dims)) {
    ArrayRef<unsigned> factors = rule.operands[0][d];
    AxisList list;
    if (!factors.empty() &&
        rule.factors[factors.front()].kind == SpmdFactor::Indexed)
      list = axes[factors.front()];
    int64_t size = shardSize(whole.getDimSize(d), mesh.count(list));
    if (!list.empty())
      cut.push_back(component);
    firsts.push_back(list.empty()
                         ? b.splat(scalar, 0)
                         : emitter.offset(list, size, type.getElementType()));
    int64_t window = indices.window.empty() ? 0 : indices.window[d];
    limits.push_back(b.splat(scalar, whole.getDimSize(d) - window));
    sizes.push_back(b.splat(scalar, size));
  }
  if (cut.empty())
    return {};
  Value zero = b.splat(type, 0);
  // A gather clamps indices to the bounds of the global value.
  if (isa<stablehlo::GatherOp>(op))
    given = b.value(
        "stablehlo.clamp", type,
        {zero, given, broadcastScalars(b, limits, type, indices.vectorDim)});
  Value shifted =
      b.subtract(given, broadcastScalars(b, firsts, type, indices.vectorDim));
  made->setOperand(indices.operand, shifted);
  if (!isa<stablehlo::GatherOp>(op))
    return {};
  Value inside = b.logicalAnd(
      b.compare(stablehlo::ComparisonDirection::GE, shifted, zero),
      b.compare(stablehlo::ComparisonDirection::LT, shifted,
                broadcastScalars(b, sizes, type, indices.vectorDim)));
  return maskRows(made, insideRows(made, inside, cut));
}

/// Returns, for each row of indices, whether all of the given components are
/// inside.
Value SpmdPartitioner::insideRows(Operation *made, Value inside,
                                  ArrayRef<int64_t> components) {
  RankedTensorType type = StablehloBuilder::typeOf(inside);
  int64_t vectorDim = indicesOf(made).vectorDim;
  if (vectorDim == type.getRank())
    return inside;
  StablehloBuilder b(builder, made->getLoc());
  SmallVector<int64_t> batch(type.getShape());
  batch.erase(batch.begin() + vectorDim);
  Value rows;
  for (int64_t component : components) {
    SmallVector<int64_t> starts(type.getRank(), 0), ends(type.getShape());
    starts[vectorDim] = component;
    ends[vectorDim] = component + 1;
    Value one = b.reshape(b.slice(inside, starts, ends), batch);
    rows = rows ? b.logicalAnd(rows, one) : one;
  }
  return rows;
}

/// Returns the result of a gather, with the identity of a sum (-0.0, or 0 of
/// integers) in rows that are not inside.
Value SpmdPartitioner::maskRows(Operation *made, Value inside) {
  builder.setInsertionPointAfter(made);
  StablehloBuilder b(builder, made->getLoc());
  Value rows = made->getResult(0);
  RankedTensorType type = StablehloBuilder::typeOf(rows);
  auto numbers = cast<stablehlo::GatherOp>(made).getDimensionNumbers();
  SmallVector<int64_t> batch;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(numbers.getOffsetDims(), d))
      batch.push_back(d);
  Value mask = b.broadcastInDim(inside, type.getShape(), batch);
  return b.select(mask, rows, b.splat(type, -0.0));
}

} // namespace xlac::transforms
