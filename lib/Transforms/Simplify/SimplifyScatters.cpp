// Replaces a scatter of one window at a constant place by an update of a slice,
// which fuses with other ops and needs no pass over indices. JAX writes
// x.at[1:-1].add(y) as such a scatter.
#include "PatternFunctions.h"
#include "SimplifyPatterns.h"
#include "WidenBody.h"

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

static LogicalResult updateWindow(ScatterOp op, PatternRewriter &rewriter) {
  Block &body = op.getUpdateComputation().front();
  Value result = body.getTerminator()->getOperand(0);
  if (op->getNumResults() != 1 || !isStaticOp(op) ||
      !llvm::all_of(body.without_terminator(),
                    [](Operation &inner) { return canWiden(&inner); }))
    return failure();
  Value operand = op.getInputs()[0], update = op.getUpdates()[0];
  Type element = getElementTypeOrSelf(operand);
  if (getElementTypeOrSelf(update) != element ||
      getElementTypeOrSelf(result) != element)
    return failure();
  for (BlockArgument argument : body.getArguments())
    if (getElementTypeOrSelf(argument) != element)
      return failure();
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

void populateScatterPatterns(RewritePatternSet &patterns) {
  addFunctions<updateWindow>(patterns);
}

} // namespace xlac::transforms
