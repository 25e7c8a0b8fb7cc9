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

/// Returns booleans, which cannot be summed over devices, as bytes.
Value SpmdPartitioner::summable(Value rows) {
  if (!StablehloBuilder::typeOf(rows).getElementType().isInteger(1))
    return rows;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(rows);
  return StablehloBuilder(builder, rows.getLoc())
      .convert(rows, builder.getIntegerType(8, /*isSigned=*/false));
}

/// Returns whether indices are at least 0 and below `sizes`.
static Value areBelow(StablehloBuilder &b, Value indices, Value sizes) {
  Value zero = b.splat(StablehloBuilder::typeOf(indices), 0);
  return b.logicalAnd(
      b.compare(stablehlo::ComparisonDirection::GE, indices, zero),
      b.compare(stablehlo::ComparisonDirection::LT, indices, sizes));
}

/// Lets the window of a dynamic_slice or dynamic_update_slice move over a shard
/// with margins: rows of other shards are in the margins. A slice has the
/// identity of a sum for these rows. A slice of one row needs no margins: the
/// row is in the shard or not.
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
  auto scalar = RankedTensorType::get({}, builder.getI64Type());
  Value fill = b.splat(scalar.clone(shard.getElementType()), -0.0), inside;
  for (int64_t d = 0; d < whole.getRank(); ++d) {
    int64_t size = part.getDimSize(d);
    Value start = boundedStart(b, made->getOperand(starts + d),
                               whole.getDimSize(d) - size);
    if (llvm::is_contained(moved, d)) {
      start = b.subtract(start, emitter.offset(cut.dims[d], shard.getDimSize(d),
                                               scalar.getElementType()));
      if (reads && size == 1) {
        Value own =
            areBelow(b, start, b.splat(scalar, double(shard.getDimSize(d))));
        inside = inside ? b.logicalAnd(inside, own) : own;
      } else {
        rows = emitter.padRows(rows, d, size, size, 1, fill);
        start = b.add(start, b.splat(scalar, double(size)));
      }
    }
    made->setOperand(starts + d, start);
  }
  made->setOperand(0, rows);
  if (reads && inside) {
    builder.setInsertionPointAfter(made);
    Value row = made->getResult(0);
    RankedTensorType type = StablehloBuilder::typeOf(row);
    Value mask = b.broadcastInDim(inside, type.getShape(), {});
    return summable(b.select(mask, row, b.splat(type, -0.0)));
  }
  if (reads)
    return summable(made->getResult(0));
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

/// Returns indices as i64, or as they are if they are i32 and `mayBeShort`:
/// offsets of shards are subtracted from them. Indices above all bounds stay
/// above them.
static Value signedIndices(StablehloBuilder &b, Value indices,
                           bool mayBeShort) {
  Type word = b.builder.getI64Type(), half = b.builder.getI32Type();
  RankedTensorType type = StablehloBuilder::typeOf(indices);
  if (type.getElementType() == word ||
      (mayBeShort && type.getElementType() == half))
    return indices;
  if (type.getElementType().isUnsignedInteger(64))
    indices = b.value("stablehlo.minimum", type,
                      {indices, b.splat(type, double(int64_t(1) << 62))});
  return b.convert(indices, word);
}

/// Gives updates that are padding, because indices are sharded unevenly,
/// indices outside of the input.
void SpmdPartitioner::dropPadding(Operation *op, Operation *made,
                                  const SpmdRule &rule,
                                  ArrayRef<AxisList> axes) {
  unsigned number = indicesOf(op).operand;
  RankedTensorType whole = shardableType(op->getOperand(number));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(made);
  StablehloBuilder b(builder, op->getLoc());
  for (auto [d, factors] : llvm::enumerate(rule.operands[number])) {
    if (factors.empty() ||
        rule.factors[factors.front()].kind != SpmdFactor::Reduced)
      continue;
    const AxisList &cut = axes[factors.front()];
    if (whole.getDimSize(d) % mesh.count(cut) == 0)
      continue;
    Type word = builder.getI64Type();
    Value given = signedIndices(b, made->getOperand(number), false);
    // No window reaches the input from here.
    Value nowhere =
        b.splat(RankedTensorType::get({}, word), -double(int64_t(1) << 62));
    made->setOperand(number, emitter.maskPadding(given, d, whole.getDimSize(d),
                                                 cut, nowhere));
  }
}

SpmdPartitioner::CutIndices SpmdPartitioner::cutIndices(Operation *op,
                                                        const SpmdRule &rule,
                                                        ArrayRef<AxisList> axes,
                                                        Type element) {
  Indices indices = indicesOf(op);
  RankedTensorType whole = shardableType(op->getOperand(0));
  StablehloBuilder b(builder, op->getLoc());
  auto scalar = RankedTensorType::get({}, element);
  CutIndices found;
  for (auto [component, d] : llvm::enumerate(indices.dims)) {
    ArrayRef<unsigned> factors = rule.operands[0][d];
    AxisList list;
    if (!factors.empty() &&
        rule.factors[factors.front()].kind == SpmdFactor::Indexed)
      list = axes[factors.front()];
    int64_t size = shardSize(whole.getDimSize(d), mesh.count(list));
    int64_t window = indices.window.empty() ? 0 : indices.window[d];
    found.limits.push_back(b.splat(scalar, whole.getDimSize(d) - window));
    found.sizes.push_back(b.splat(scalar, size));
    Value first = b.splat(scalar, 0);
    if (mesh.count(list) > 1) {
      first = emitter.offset(list, size, element);
      found.isCut = true;
      if (window <= 1)
        found.single.push_back(component);
      else
        first = b.subtract(first, b.splat(scalar, window));
      if (window > 1)
        found.windows.push_back({d, window});
    }
    found.firsts.push_back(first);
  }
  return found;
}

/// Converts indices into a sharded dimension to indices into this device's
/// shard. A scatter then ignores indices of other shards. For a gather, returns
/// the result with the rows of other shards masked. Windows of a gather move
/// over a shard with margins, which have the identity of a sum. Null if no
/// indexed dimension is sharded.
Value SpmdPartitioner::shiftIndices(Operation *op, Operation *made,
                                    const SpmdRule &rule,
                                    ArrayRef<AxisList> axes) {
  Indices indices = indicesOf(op);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(made);
  StablehloBuilder b(builder, op->getLoc());
  Value given = made->getOperand(indices.operand);
  if (!isa<IntegerType>(StablehloBuilder::typeOf(given).getElementType()))
    return {};
  RankedTensorType whole = shardableType(op->getOperand(0));
  bool mayBeShort = llvm::all_of(indices.dims, [&](int64_t d) {
    int64_t window = indices.window.empty() ? 0 : indices.window[d];
    return whole.getDimSize(d) + window <= INT32_MAX;
  });
  Value wide = signedIndices(b, given, mayBeShort);
  RankedTensorType type = StablehloBuilder::typeOf(wide);
  CutIndices cut = cutIndices(op, rule, axes, type.getElementType());
  if (!cut.isCut)
    return {};
  auto everywhere = [&](ArrayRef<Value> scalars) {
    return broadcastScalars(b, scalars, type, indices.vectorDim);
  };
  bool reads = isa<stablehlo::GatherOp>(op);
  Value zero = b.splat(type, 0);
  // A gather clamps indices to the bounds of the global value.
  if (reads)
    wide =
        b.value("stablehlo.clamp", type, {zero, wide, everywhere(cut.limits)});
  Value shifted = b.subtract(wide, everywhere(cut.firsts));
  made->setOperand(indices.operand, shifted);
  if (!reads)
    return {};
  Value rows = made->getOperand(0);
  Value fill = b.splat(RankedTensorType::get(
                           {}, StablehloBuilder::typeOf(rows).getElementType()),
                       -0.0);
  for (auto [d, window] : cut.windows)
    rows = emitter.padRows(rows, d, window, window, 1, fill);
  made->setOperand(0, rows);
  if (cut.single.empty())
    return summable(made->getResult(0));
  Value inside = areBelow(b, shifted, everywhere(cut.sizes));
  return summable(maskRows(made, insideRows(made, inside, cut.single)));
}

/// Returns the results of a scatter of shards. A window may be larger than a
/// shard, but no op accepts that: such shards are padded meanwhile.
SmallVector<Value> SpmdPartitioner::fitWindows(stablehlo::ScatterOp made) {
  auto numbers = made.getScatterDimensionNumbers();
  size_t count = made->getNumResults();
  ArrayRef<int64_t> sizes =
      StablehloBuilder::typeOf(made->getResult(0)).getShape();
  RankedTensorType updates =
      StablehloBuilder::typeOf(made->getOperand(count + 1));
  SmallVector<int64_t> limits(sizes), larger(sizes);
  size_t next = 0;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (!llvm::is_contained(numbers.getInsertedWindowDims(), int64_t(d)) &&
        !llvm::is_contained(numbers.getInputBatchingDims(), int64_t(d)))
      larger[d] = std::max(
          sizes[d], updates.getDimSize(numbers.getUpdateWindowDims()[next++]));
  SmallVector<Value> parts(made->getResults());
  if (larger == limits)
    return parts;
  OpBuilder::InsertionGuard guard(builder);
  StablehloBuilder b(builder, made->getLoc());
  for (size_t i = 0; i < count; ++i) {
    builder.setInsertionPoint(made);
    Value input = made->getOperand(i);
    for (size_t d = 0; d < larger.size(); ++d)
      if (larger[d] > limits[d])
        input = emitter.padRows(input, d, 0, larger[d] - limits[d], 1, {});
    made->setOperand(i, input);
    Value result = made->getResult(i);
    result.setType(input.getType());
    builder.setInsertionPointAfter(made);
    parts[i] = b.slice(result, SmallVector<int64_t>(limits.size(), 0), limits);
  }
  return parts;
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
