#include "PatternFunctions.h"
#include "SimplifyPatterns.h"
#include "StablehloBuilder.h"

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {

/// Returns `dot` with exchanged operands, whose result has the free dimensions
/// of the right one first.
static Value exchangeOperands(DotGeneralOp dot, PatternRewriter &rewriter) {
  auto numbers = dot.getDotDimensionNumbers();
  ArrayAttr precision = dot.getPrecisionConfigAttr();
  if (precision) {
    assert(precision.size() == 2 && "one precision for each operand");
    precision = rewriter.getArrayAttr({precision[1], precision[0]});
  }
  return StablehloBuilder(rewriter, dot.getLoc())
      .dotGeneral(dot.getRhs(), dot.getLhs(),
                  numbers.getRhsBatchingDimensions(),
                  numbers.getLhsBatchingDimensions(),
                  numbers.getRhsContractingDimensions(),
                  numbers.getLhsContractingDimensions(),
                  StablehloBuilder::typeOf(dot->getResult(0)).getElementType(),
                  precision);
}

/// Exchanges the operands of a product whose result is transposed, if no
/// transposition, or one that moves whole rows, is then left. Gradients of
/// weights are such products.
static LogicalResult exchangeForTranspose(TransposeOp op,
                                          PatternRewriter &rewriter) {
  auto dot = op.getOperand().getDefiningOp<DotGeneralOp>();
  if (!dot || !dot->hasOneUse() || dot->hasAttr("algorithm") ||
      !isStaticOp(dot))
    return failure();
  auto numbers = dot.getDotDimensionNumbers();
  int64_t rank = int64_t(op.getPermutation().size());
  int64_t batch = int64_t(numbers.getLhsBatchingDimensions().size());
  int64_t left = StablehloBuilder::typeOf(dot.getLhs()).getRank() - batch -
                 int64_t(numbers.getLhsContractingDimensions().size());
  int64_t right = rank - batch - left;
  if (left == 0 || right == 0)
    return failure();
  SmallVector<int64_t> rest;
  for (int64_t d : op.getPermutation())
    rest.push_back(d < batch ? d : d < batch + left ? d + right : d - left);
  if (op.getPermutation().back() == rank - 1 || rest.back() != rank - 1)
    return failure();
  Value product = exchangeOperands(dot, rewriter);
  if (llvm::is_sorted(rest))
    rewriter.replaceOp(op, product);
  else
    rewriter.replaceOpWithNewOp<TransposeOp>(
        op, op.getType(), product, rewriter.getDenseI64ArrayAttr(rest));
  return success();
}

void populateProductPatterns(RewritePatternSet &patterns) {
  addFunctions<exchangeForTranspose>(patterns);
}

} // namespace xlac::transforms
