// Replaces scatters by ops that fuse with others and need no pass over indices:
// a scatter of one window at a constant place by an update of a slice (JAX
// writes x.at[1:-1].add(y) as such a scatter), and a scatter of one update a
// row into equal elements by a comparison of indices.
#include "PatternFunctions.h"
#include "SimplifyPatterns.h"
#include "WidenBody.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {

namespace {
/// A window of a scatter's operand.
struct ScatterWindow {
  SmallVector<int64_t> starts, limits;

  SmallVector<int64_t> sizes() const {
    SmallVector<int64_t> result;
    for (auto [start, limit] : llvm::zip_equal(starts, limits))
      result.push_back(limit - start);
    return result;
  }
};
} // namespace

/// Returns the only window that `op` updates, or nothing if there may be
/// others, its place is unknown, or a part of it is outside of the operand.
static std::optional<ScatterWindow> onlyWindow(ScatterOp op) {
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  DenseElementsAttr indices = constantOf(op.getScatterIndices());
  auto updates = cast<RankedTensorType>(op.getUpdates()[0].getType());
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op.getInputs()[0].getType()).getShape();
  ArrayRef<int64_t> toOperand = numbers.getScatterDimsToOperandDims();
  if (!indices || !numbers.getInputBatchingDims().empty() ||
      indices.getNumElements() != int64_t(toOperand.size()))
    return std::nullopt;
  ScatterWindow window;
  window.starts.assign(shape.size(), 0);
  bool isUnsigned = indices.getElementType().isUnsignedInteger();
  for (auto [dim, index] :
       llvm::zip_equal(toOperand, indices.getValues<APInt>())) {
    if (index.getSignificantBits() > 63)
      return std::nullopt;
    window.starts[dim] =
        isUnsigned ? int64_t(index.getZExtValue()) : index.getSExtValue();
  }
  size_t next = 0;
  ArrayRef<int64_t> windowDims = numbers.getUpdateWindowDims();
  for (auto [dim, size] : llvm::enumerate(shape)) {
    bool inserted =
        llvm::is_contained(numbers.getInsertedWindowDims(), int64_t(dim));
    int64_t extent = inserted ? 1 : updates.getDimSize(windowDims[next++]);
    int64_t start = window.starts[dim];
    if (start < 0 || extent > size || start > size - extent)
      return std::nullopt;
    window.limits.push_back(start + extent);
  }
  // Several updates may have index vectors without elements.
  if (updates.getNumElements() != ShapedType::getNumElements(window.sizes()))
    return std::nullopt;
  return window;
}

/// Returns true if tensor ops can combine updates of `op` with elements: it has
/// one operand, and everything has the same element type.
static bool canCombine(ScatterOp op) {
  Block &body = op.getUpdateComputation().front();
  if (op->getNumResults() != 1 || !isStaticOp(op) ||
      !llvm::all_of(body.without_terminator(),
                    [](Operation &inner) { return canWiden(&inner); }))
    return false;
  Type element = getElementTypeOrSelf(op.getInputs()[0]);
  SmallVector<Value> values(body.getArguments());
  values.append({op.getUpdates()[0], body.getTerminator()->getOperand(0)});
  return llvm::all_of(values, [&](Value value) {
    return getElementTypeOrSelf(value) == element;
  });
}

static LogicalResult updateWindow(ScatterOp op, PatternRewriter &rewriter) {
  if (!canCombine(op))
    return failure();
  Block &body = op.getUpdateComputation().front();
  Value operand = op.getInputs()[0], update = op.getUpdates()[0];
  std::optional<ScatterWindow> window = onlyWindow(op);
  if (!window)
    return failure();
  StablehloBuilder b(rewriter, op.getLoc());
  SmallVector<int64_t> sizes = window->sizes();
  update = b.reshape(update, sizes);
  Value before = b.slice(operand, window->starts, window->limits);
  Value combined = widenBody(b, body, {before, update}, sizes)[0];
  SmallVector<Value> starts;
  auto index = RankedTensorType::get({}, rewriter.getI64Type());
  for (int64_t start : window->starts)
    starts.push_back(b.splat(index, double(start)));
  rewriter.replaceOpWithNewOp<DynamicUpdateSliceOp>(
      op, op.getResult(0).getType(), operand, combined, starts);
  return success();
}

namespace {
/// A scatter along one dimension of its operand, with one index for each
/// element of its batching dimensions. Says to which operand dimension each
/// dimension of indices and updates belongs. Others have size 1 and -1.
struct RowScatter {
  int64_t dim = 0;
  SmallVector<int64_t> indexDims, updateDims;
};
} // namespace

static std::optional<RowScatter> describeRowScatter(ScatterOp op) {
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op.getInputs()[0].getType()).getShape();
  ArrayRef<int64_t> indices =
      cast<RankedTensorType>(op.getScatterIndices().getType()).getShape();
  ArrayRef<int64_t> updates =
      cast<RankedTensorType>(op.getUpdates()[0].getType()).getShape();
  if (numbers.getScatterDimsToOperandDims().size() != 1)
    return std::nullopt;
  RowScatter row;
  row.dim = numbers.getScatterDimsToOperandDims()[0];
  row.indexDims.assign(indices.size(), -1);
  row.updateDims.assign(updates.size(), -1);
  for (auto [operandDim, indexDim] :
       llvm::zip_equal(numbers.getInputBatchingDims(),
                       numbers.getScatterIndicesBatchingDims()))
    row.indexDims[indexDim] = operandDim;
  for (auto [size, dim] : llvm::zip_equal(indices, row.indexDims))
    if (dim < 0 && size != 1)
      return std::nullopt;
  // Dimensions of updates outside of windows are those of the indices.
  ArrayRef<int64_t> windowDims = numbers.getUpdateWindowDims();
  size_t next = 0;
  for (size_t dim = 0; dim < updates.size(); ++dim) {
    if (llvm::is_contained(windowDims, int64_t(dim)))
      continue;
    if (int64_t(next) == numbers.getIndexVectorDim())
      ++next;
    row.updateDims[dim] = row.indexDims[next++];
  }
  // Windows are whole, except along `dim`.
  next = 0;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t number = int64_t(dim);
    if (llvm::is_contained(numbers.getInputBatchingDims(), number))
      continue;
    bool inserted = llvm::is_contained(numbers.getInsertedWindowDims(), number);
    int64_t extent = inserted ? 1 : updates[windowDims[next]];
    if (extent != (number == row.dim ? 1 : size))
      return std::nullopt;
    if (!inserted)
      row.updateDims[windowDims[next++]] = number == row.dim ? -1 : number;
  }
  return row;
}

/// Broadcasts `value`, of which dimension i belongs to dimension dims[i] of
/// `shape`. Where that is -1, `value` has the size 1.
static Value spread(StablehloBuilder &b, Value value, ArrayRef<int64_t> dims,
                    ArrayRef<int64_t> shape) {
  SmallVector<int64_t> sizes, targets;
  for (auto [size, dim] :
       llvm::zip_equal(StablehloBuilder::typeOf(value).getShape(), dims))
    if (dim >= 0) {
      sizes.push_back(size);
      targets.push_back(dim);
    }
  return b.broadcastInDim(b.reshape(value, sizes), shape, targets);
}

/// Replaces a scatter of one update a row into equal elements, such as the
/// gradient of picking one class for each example, by a comparison of indices.
/// It fuses with its readers, so that the elements need not be stored.
static LogicalResult compareIndices(ScatterOp op, PatternRewriter &rewriter) {
  Value operand = op.getInputs()[0], update = op.getUpdates()[0];
  DenseElementsAttr before = constantOf(operand);
  auto type = cast<RankedTensorType>(operand.getType());
  if (!before || !before.isSplat() || !canCombine(op))
    return failure();
  std::optional<RowScatter> row = describeRowScatter(op);
  if (!row)
    return failure();
  StablehloBuilder b(rewriter, op.getLoc());
  // Comparing 32 bits at a time is faster, where they are enough.
  Value index = op.getScatterIndices();
  auto indexType = cast<IntegerType>(getElementTypeOrSelf(index));
  bool isNarrow = indexType.getWidth() < 32 ||
                  (indexType.getWidth() == 32 && !indexType.isUnsigned());
  Type compared = isNarrow && type.getDimSize(row->dim) <= INT32_MAX
                      ? rewriter.getI32Type()
                      : rewriter.getI64Type();
  if (indexType != compared)
    index = b.convert(index, compared);
  Value places = b.iota(type.clone(compared), row->dim);
  Value isPlace = b.compare(ComparisonDirection::EQ, places,
                            spread(b, index, row->indexDims, type.getShape()));
  auto updates = cast<RankedTensorType>(update.getType());
  Value equal =
      ConstantOp::create(rewriter, op.getLoc(), before.resizeSplat(updates));
  Value combined = widenBody(b, op.getUpdateComputation().front(),
                             {equal, update}, updates.getShape())[0];
  rewriter.replaceOp(
      op,
      b.select(isPlace, spread(b, combined, row->updateDims, type.getShape()),
               operand));
  return success();
}

/// Returns a splat or the operand of a broadcast, `value`, in the shape without
/// dimension `dim`, or null if elements may differ along `dim`.
static Value withoutDim(StablehloBuilder &b, Value value, int64_t dim) {
  auto type = StablehloBuilder::typeOf(value);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  if (DenseElementsAttr elements = constantOf(value);
      elements && elements.isSplat())
    return ConstantOp::create(b.builder, b.location,
                              elements.resizeSplat(type.clone(shape)));
  auto broadcast = value.getDefiningOp<BroadcastInDimOp>();
  if (!broadcast)
    return nullptr;
  SmallVector<int64_t> sizes, targets;
  for (auto [size, target] : llvm::zip_equal(
           StablehloBuilder::typeOf(broadcast.getOperand()).getShape(),
           broadcast.getBroadcastDimensions())) {
    if (target == dim && size != 1)
      return nullptr;
    if (target == dim)
      continue;
    sizes.push_back(size);
    targets.push_back(target - (target > dim));
  }
  return b.broadcastInDim(b.reshape(broadcast.getOperand(), sizes), shape,
                          targets);
}

/// Replaces the sum over rows that have one number at a place and zeros
/// elsewhere, perhaps negated, by that number, or by zero if the place is
/// outside. The gradient of a logarithm of a softmax contains such sums.
static LogicalResult sumOfOne(ReduceOp op, PatternRewriter &rewriter) {
  Block &body = op.getBody().front();
  auto type = dyn_cast<RankedTensorType>(op.getInputs()[0].getType());
  if (op.getInputs().size() != 1 || op.getDimensions().size() != 1 ||
      !isStaticOp(op) || !isa<FloatType, IntegerType>(type.getElementType()) ||
      !llvm::hasSingleElement(body.without_terminator()) ||
      !isa<AddOp>(body.front()) ||
      body.front().getOperand(0) == body.front().getOperand(1) ||
      getElementTypeOrSelf(op.getResult(0)) != type.getElementType())
    return failure();
  int64_t dim = op.getDimensions()[0], size = type.getDimSize(dim);
  Value input = op.getInputs()[0];
  auto negate = input.getDefiningOp<NegOp>();
  auto pick = (negate ? negate.getOperand() : input).getDefiningOp<SelectOp>();
  auto compare = pick ? pick.getPred().getDefiningOp<CompareOp>() : CompareOp();
  auto places = compare ? compare.getLhs().getDefiningOp<IotaOp>() : IotaOp();
  if (!places || int64_t(places.getIotaDimension()) != dim || size == 0 ||
      compare.getComparisonDirection() != ComparisonDirection::EQ)
    return failure();
  // The initial value also makes -0.0 of zeros 0.0.
  for (Value zero : {Value(pick.getOnFalse()), op.getInitValues()[0]}) {
    DenseElementsAttr elements = constantOf(zero);
    if (!elements || !elements.isSplat() ||
        elements.getSplatValue<Attribute>() !=
            rewriter.getZeroAttr(type.getElementType()))
      return failure();
  }
  auto indexType = dyn_cast<IntegerType>(getElementTypeOrSelf(places));
  if (!indexType || indexType.getWidth() < 32 || size > INT32_MAX)
    return failure();
  StablehloBuilder b(rewriter, op.getLoc());
  Value index = withoutDim(b, compare.getRhs(), dim);
  Value number = withoutDim(b, pick.getOnTrue(), dim);
  if (!index || !number)
    return failure();
  auto indices = StablehloBuilder::typeOf(index);
  auto numbers = StablehloBuilder::typeOf(number);
  Value isInside = b.logicalAnd(
      b.compare(ComparisonDirection::GE, index, b.splat(indices, 0)),
      b.compare(ComparisonDirection::LT, index,
                b.splat(indices, double(size))));
  Value zero = b.splat(numbers, 0);
  if (negate)
    number = NegOp::create(rewriter, op.getLoc(), number);
  rewriter.replaceOp(op, b.add(zero, b.select(isInside, number, zero)));
  return success();
}

void populateScatterPatterns(RewritePatternSet &patterns) {
  addFunctions<updateWindow, compareIndices, sumOfOne>(patterns);
}

} // namespace xlac::transforms
