// chlo.ragged_dot: the sizes of groups say which rows (or contracted elements)
// belong to which. Every group is computed for all rows, and masks choose.
#include "ExpandPatterns.h"
#include "StablehloBuilder.h"

#include "xlac/Dialect/Chlo/ChloDialect.h"

namespace xlac::transforms {

using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = mlir::stablehlo;
namespace chlo = mlir::chlo;

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

/// i1 tensor of batch..., `length`, groups: whether a position is in a group.
/// `sizes` has the batch dimensions, if any, then the groups.
static Value groupMask(StablehloBuilder &b, Value sizes, int64_t length) {
  RankedTensorType type = StablehloBuilder::typeOf(sizes);
  int64_t batch = type.getRank() - 1, groups = type.getDimSize(batch);
  llvm::SmallVector<int64_t> leading(type.getShape().drop_back());
  llvm::SmallVector<int64_t> batchDims;
  for (int64_t d = 0; d < batch; ++d)
    batchDims.push_back(d);

  // Ends of groups: sums of all sizes up to and with each.
  llvm::SmallVector<int64_t> square(leading);
  square.append({groups, groups});
  llvm::SmallVector<int64_t> lastDims(batchDims);
  lastDims.push_back(batch + 1);
  Value spread = b.broadcastInDim(sizes, square, lastDims);
  RankedTensorType squareType = StablehloBuilder::typeOf(spread);
  Value upTo =
      b.compare(hlo::ComparisonDirection::LE, b.iota(squareType, batch + 1),
                b.iota(squareType, batch));
  Value ends =
      b.sum(b.select(upTo, spread, b.splat(squareType, 0)), {batch + 1});

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
      result = dot(b, op, op.getLhs(), numbers, 0);
    else
      result = expandFree(b, op, numbers, ragged[0]);
    rewriter.replaceOp(op, result);
    return mlir::success();
  }

private:
  /// dot_general; the left side may have `shift` dimensions in front.
  static Value dot(StablehloBuilder &b, chlo::RaggedDotOp op, Value lhs,
                   chlo::RaggedDotDimensionNumbersAttr numbers, int64_t shift) {
    auto shifted = [&](llvm::ArrayRef<int64_t> dimensions) {
      llvm::SmallVector<int64_t> moved;
      for (int64_t d : dimensions)
        moved.push_back(d + shift);
      return moved;
    };
    mlir::Type element =
        llvm::cast<RankedTensorType>(op->getResult(0).getType())
            .getElementType();
    return b.dotGeneral(
        lhs, op.getRhs(), shifted(numbers.getLhsBatchingDimensions()),
        numbers.getRhsBatchingDimensions(),
        shifted(numbers.getLhsContractingDimensions()),
        numbers.getRhsContractingDimensions(), element, stablehloPrecision(op));
  }

  /// Position of `dimension` among the free ones of an operand.
  static int64_t freePosition(int64_t dimension, llvm::ArrayRef<int64_t> batch,
                              llvm::ArrayRef<int64_t> contracting) {
    int64_t position = 0;
    for (int64_t d = 0; d < dimension; ++d)
      position +=
          !llvm::is_contained(batch, d) && !llvm::is_contained(contracting, d);
    return position;
  }

  /// Rows of the left side are in groups, each with a right side of its own.
  static Value expandFree(StablehloBuilder &b, chlo::RaggedDotOp op,
                          chlo::RaggedDotDimensionNumbersAttr numbers,
                          int64_t ragged) {
    Value all = dot(b, op, op.getLhs(), numbers, 0);
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
    Value spread = b.broadcastInDim(mask, type.getShape(), positions);
    return b.sum(b.select(spread, all, b.splat(type, 0)), {group});
  }

  /// Contracted elements are in groups, each with a result of its own.
  static Value expandContracting(StablehloBuilder &b, chlo::RaggedDotOp op,
                                 chlo::RaggedDotDimensionNumbersAttr numbers,
                                 int64_t ragged) {
    RankedTensorType lhs = StablehloBuilder::typeOf(op.getLhs());
    Value mask = groupMask(b, op.getGroupSizes(), lhs.getDimSize(ragged));
    RankedTensorType maskType = StablehloBuilder::typeOf(mask);
    int64_t maskRank = maskType.getRank();
    int64_t groups = maskType.getDimSize(maskRank - 1);
    // Groups first, then the left side's own dimensions.
    llvm::SmallVector<int64_t> permutation = {maskRank - 1}, shape = {groups};
    llvm::SmallVector<int64_t> positions = {0}, ownDims;
    for (int64_t d = 0; d + 1 < maskRank; ++d) {
      permutation.push_back(d);
      positions.push_back(d + 2 == maskRank
                              ? ragged + 1
                              : numbers.getLhsBatchingDimensions()[d] + 1);
    }
    shape.append(lhs.getShape().begin(), lhs.getShape().end());
    for (int64_t d = 0; d < lhs.getRank(); ++d)
      ownDims.push_back(d + 1);
    Value spreadMask =
        b.broadcastInDim(b.transpose(mask, permutation), shape, positions);
    Value spread = b.broadcastInDim(op.getLhs(), shape, ownDims);
    Value masked = b.select(spreadMask, spread,
                            b.splat(StablehloBuilder::typeOf(spread), 0));
    Value all = dot(b, op, masked, numbers, 1);
    // The groups come behind the batch dimensions; they go to the front.
    int64_t batch = numbers.getLhsBatchingDimensions().size();
    llvm::SmallVector<int64_t> toFront = {batch};
    for (int64_t d = 0; d < StablehloBuilder::typeOf(all).getRank(); ++d)
      if (d != batch)
        toFront.push_back(d);
    return b.transpose(all, toFront);
  }
};

} // namespace

void addRaggedDotPattern(mlir::RewritePatternSet &patterns) {
  patterns.add<ExpandRaggedDot>(patterns.getContext());
}

} // namespace xlac::transforms
