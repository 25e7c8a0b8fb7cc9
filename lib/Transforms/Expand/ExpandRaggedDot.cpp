// Expands chlo.ragged_dot. The group sizes state which rows (or contracted
// elements) belong to each group. Every group is computed for all rows, and
// masks select.
#include "ExpandPatterns.h"
#include "StablehloBuilder.h"

#include "xlac/Dialect/Chlo/ChloDialect.h"

namespace xlac::transforms {

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

static mlir::Attribute stablehloPrecision(chlo::RaggedDotOp op) {
  auto config = op->getAttrOfType<mlir::ArrayAttr>("precision_config");
  if (!config)
    return nullptr;
  llvm::SmallVector<mlir::Attribute> precisions;
  for (mlir::Attribute entry : config)
    precisions.push_back(hlo::PrecisionAttr::get(
        op.getContext(),
        hlo::Precision(llvm::cast<chlo::PrecisionAttr>(entry).getValue())));
  return mlir::ArrayAttr::get(op.getContext(), precisions);
}

/// Returns an i1 tensor of batch..., `length`, groups: whether a position is in
/// a group. `sizes` has the batch dimensions, if any, then the groups.
static Value groupMask(StablehloBuilder &b, Value sizes, int64_t length) {
  RankedTensorType type = StablehloBuilder::typeOf(sizes);
  int64_t batch = type.getRank() - 1, groups = type.getDimSize(batch);
  llvm::SmallVector<int64_t> leading(type.getShape().drop_back());
  llvm::SmallVector<int64_t> batchDims;
  for (int64_t d = 0; d < batch; ++d)
    batchDims.push_back(d);

  // End of each group: the sum of all sizes up to and including it.
  llvm::SmallVector<int64_t> square(leading);
  square.append({groups, groups});
  llvm::SmallVector<int64_t> lastDims(batchDims);
  lastDims.push_back(batch + 1);
  Value repeated = b.broadcastInDim(sizes, square, lastDims);
  RankedTensorType squareType = StablehloBuilder::typeOf(repeated);
  Value upTo =
      b.compare(hlo::ComparisonDirection::LE, b.iota(squareType, batch + 1),
                b.iota(squareType, batch));
  Value ends =
      b.sum(b.select(upTo, repeated, b.splat(squareType, 0)), {batch + 1});

  llvm::SmallVector<int64_t> shape(leading);
  shape.append({length, groups});
  Value end = b.broadcastInDim(ends, shape, lastDims);
  Value start = b.broadcastInDim(b.subtract(ends, sizes), shape, lastDims);
  Value position = b.iota(StablehloBuilder::typeOf(end), batch);
  return b.logicalAnd(b.compare(hlo::ComparisonDirection::GE, position, start),
                      b.compare(hlo::ComparisonDirection::LT, position, end));
}

namespace {

struct ExpandRaggedDot : mlir::OpRewritePattern<chlo::RaggedDotOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(chlo::RaggedDotOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!isStaticOp(op))
      return mlir::failure();
    chlo::RaggedDotDimensionNumbersAttr numbers =
        op.getRaggedDotDimensionNumbers();
    llvm::ArrayRef<int64_t> ragged = numbers.getLhsRaggedDimensions();
    int64_t sizesRank = StablehloBuilder::typeOf(op.getGroupSizes()).getRank();
    int64_t batch = numbers.getLhsBatchingDimensions().size();
    if (ragged.size() != 1 || (sizesRank != 1 && sizesRank != batch + 1))
      return mlir::failure();
    StablehloBuilder b(rewriter, op.getLoc());
    Value result;
    if (llvm::is_contained(numbers.getLhsContractingDimensions(), ragged[0]))
      result = expandContracting(b, op, numbers, ragged[0]);
    else if (llvm::is_contained(numbers.getLhsBatchingDimensions(), ragged[0]))
      result = dot(b, op, numbers);
    else
      result = expandFree(b, op, numbers, ragged[0]);
    rewriter.replaceOp(op, result);
    return mlir::success();
  }

private:
  /// Returns the dot product of the whole operands, ignoring groups.
  static Value dot(StablehloBuilder &b, chlo::RaggedDotOp op,
                   chlo::RaggedDotDimensionNumbersAttr numbers) {
    return b.dotGeneral(op.getLhs(), op.getRhs(),
                        numbers.getLhsBatchingDimensions(),
                        numbers.getRhsBatchingDimensions(),
                        numbers.getLhsContractingDimensions(),
                        numbers.getRhsContractingDimensions(),
                        resultElement(op), stablehloPrecision(op));
  }

  static mlir::Type resultElement(chlo::RaggedDotOp op) {
    return llvm::cast<RankedTensorType>(op->getResult(0).getType())
        .getElementType();
  }

  /// Returns the position of `dimension` among the free dimensions of an
  /// operand.
  static int64_t freePosition(int64_t dimension, llvm::ArrayRef<int64_t> batch,
                              llvm::ArrayRef<int64_t> contracting) {
    int64_t position = 0;
    for (int64_t d = 0; d < dimension; ++d)
      position +=
          !llvm::is_contained(batch, d) && !llvm::is_contained(contracting, d);
    return position;
  }

  /// Rows of the left side are in groups, each with its own right side.
  static Value expandFree(StablehloBuilder &b, chlo::RaggedDotOp op,
                          chlo::RaggedDotDimensionNumbersAttr numbers,
                          int64_t ragged) {
    Value all = dot(b, op, numbers);
    RankedTensorType lhs = StablehloBuilder::typeOf(op.getLhs());
    llvm::ArrayRef<int64_t> batch = numbers.getLhsBatchingDimensions();
    llvm::ArrayRef<int64_t> contracting = numbers.getLhsContractingDimensions();
    int64_t lhsFree = lhs.getRank() - batch.size() - contracting.size();
    int64_t row = batch.size() + freePosition(ragged, batch, contracting);
    int64_t group = batch.size() + lhsFree +
                    freePosition(numbers.getRhsGroupDimensions()[0],
                                 numbers.getRhsBatchingDimensions(),
                                 numbers.getRhsContractingDimensions());
    Value mask = groupMask(b, op.getGroupSizes(), lhs.getDimSize(ragged));
    llvm::SmallVector<int64_t> positions;
    for (int64_t d = 0; d + 2 < StablehloBuilder::typeOf(mask).getRank(); ++d)
      positions.push_back(d);
    positions.append({row, group});
    RankedTensorType type = StablehloBuilder::typeOf(all);
    Value repeated = b.broadcastInDim(mask, type.getShape(), positions);
    return b.sum(b.select(repeated, all, b.splat(type, 0)), {group});
  }

  /// Contracted elements are in groups, each with its own result. Both sides
  /// are 0 outside the group, because an infinity there would make the sum NaN.
  static Value expandContracting(StablehloBuilder &b, chlo::RaggedDotOp op,
                                 chlo::RaggedDotDimensionNumbersAttr numbers,
                                 int64_t ragged) {
    llvm::ArrayRef<int64_t> lhsContracting =
        numbers.getLhsContractingDimensions();
    llvm::ArrayRef<int64_t> rhsContracting =
        numbers.getRhsContractingDimensions();
    int64_t place = llvm::find(lhsContracting, ragged) - lhsContracting.begin();
    Value mask =
        groupMask(b, op.getGroupSizes(),
                  StablehloBuilder::typeOf(op.getLhs()).getDimSize(ragged));
    Value lhs = inEachGroup(b, op.getLhs(), mask,
                            numbers.getLhsBatchingDimensions(), ragged);
    Value rhs =
        inEachGroup(b, op.getRhs(), mask, numbers.getRhsBatchingDimensions(),
                    rhsContracting[place]);
    auto behindGroup = [](llvm::ArrayRef<int64_t> dimensions, bool batch) {
      llvm::SmallVector<int64_t> moved;
      if (batch)
        moved.push_back(0);
      for (int64_t d : dimensions)
        moved.push_back(d + 1);
      return moved;
    };
    return b.dotGeneral(
        lhs, rhs, behindGroup(numbers.getLhsBatchingDimensions(), true),
        behindGroup(numbers.getRhsBatchingDimensions(), true),
        behindGroup(lhsContracting, false), behindGroup(rhsContracting, false),
        resultElement(op), stablehloPrecision(op));
  }

  /// Returns `operand` once for each group, with 0 where `mask` (batch…,
  /// position, group) is false. The group dimension comes first.
  static Value inEachGroup(StablehloBuilder &b, Value operand, Value mask,
                           llvm::ArrayRef<int64_t> batching, int64_t ragged) {
    RankedTensorType type = StablehloBuilder::typeOf(operand);
    RankedTensorType maskType = StablehloBuilder::typeOf(mask);
    int64_t maskRank = maskType.getRank();
    llvm::SmallVector<int64_t> permutation = {maskRank - 1}, positions = {0};
    for (int64_t d = 0; d + 1 < maskRank; ++d) {
      permutation.push_back(d);
      positions.push_back((d + 2 == maskRank ? ragged : batching[d]) + 1);
    }
    llvm::SmallVector<int64_t> shape = {maskType.getShape().back()}, ownDims;
    shape.append(type.getShape().begin(), type.getShape().end());
    for (int64_t d = 0; d < type.getRank(); ++d)
      ownDims.push_back(d + 1);
    Value inside =
        b.broadcastInDim(b.transpose(mask, permutation), shape, positions);
    Value repeated = b.broadcastInDim(operand, shape, ownDims);
    return b.select(inside, repeated,
                    b.splat(StablehloBuilder::typeOf(repeated), 0));
  }
};

} // namespace

void addRaggedDotPattern(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandRaggedDot>(patterns.getContext());
}

} // namespace xlac::transforms
