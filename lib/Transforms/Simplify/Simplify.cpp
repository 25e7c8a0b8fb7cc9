// The simplify pass: applies patterns up to a fixed point, then eliminates
// common subexpressions.
#include "xlac/Transforms/Passes.h"

#include "PatternFunctions.h"
#include "SimplifyPatterns.h"
#include "StablehloBuilder.h"
#include "WidenBody.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_SIMPLIFY
#include "xlac/Transforms/Passes.h.inc"

DenseElementsAttr constantOf(Value value) {
  auto constant = value.getDefiningOp<stablehlo::ConstantOp>();
  return constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                  : DenseElementsAttr();
}

namespace {

/// Replaces ops with an empty result by a constant.
struct DropEmpty : RewritePattern {
  DropEmpty(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/10, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
        isa<stablehlo::ConstantOp>(op) ||
        !isa_and_nonnull<stablehlo::StablehloDialect>(op->getDialect()))
      return failure();
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape() || type.getNumElements() != 0 ||
        !isMemoryEffectFree(op) ||
        !isa<IntegerType, FloatType, ComplexType>(type.getElementType()))
      return failure();
    auto elements = DenseElementsAttr::get(type, ArrayRef<Attribute>());
    rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(op, elements);
    return success();
  }
};

} // namespace

/// Replaces a reduction of an empty tensor by its initial values. A loop would
/// still iterate over the dimensions with a size other than 0.
static mlir::LogicalResult foldEmptyReduce(stablehlo::ReduceOp op,
                                           mlir::PatternRewriter &rewriter) {
  auto input = dyn_cast<RankedTensorType>(op.getInputs().front().getType());
  if (!input || !input.hasStaticShape() || input.getNumElements() != 0)
    return failure();
  StablehloBuilder b(rewriter, op.getLoc());
  SmallVector<Value> results;
  for (auto [init, result] :
       llvm::zip_equal(op.getInitValues(), op.getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    auto from = dyn_cast<RankedTensorType>(init.getType());
    if (!type || !from || from.getRank() != 0 || !type.hasStaticShape() ||
        from.getElementType() != type.getElementType())
      return failure();
    results.push_back(b.broadcastInDim(init, type.getShape(), {}));
  }
  rewriter.replaceOp(op, results);
  return success();
}

/// Replaces a reduction over dimensions of size 1 by its body on the initial
/// values and the only elements, which fuses with everything elementwise.
/// Gradients of broadcasts contain such reductions.
static mlir::LogicalResult widenUnitReduce(stablehlo::ReduceOp op,
                                           mlir::PatternRewriter &rewriter) {
  Block &body = op.getBody().front();
  if (!isStaticOp(op) ||
      !llvm::all_of(body.without_terminator(),
                    [](Operation &inner) { return canWiden(&inner); }))
    return failure();
  ArrayRef<int64_t> sizes =
      cast<RankedTensorType>(op.getInputs()[0].getType()).getShape();
  if (llvm::any_of(op.getDimensions(),
                   [&](int64_t dim) { return sizes[dim] != 1; }))
    return failure();
  // The body may compute in wider types.
  SmallVector<Value> values(op.getInitValues());
  llvm::append_range(values, op.getInputs());
  for (auto [value, argument] : llvm::zip_equal(values, body.getArguments()))
    if (getElementTypeOrSelf(value) != getElementTypeOrSelf(argument))
      return failure();
  for (auto [value, result] :
       llvm::zip_equal(body.getTerminator()->getOperands(), op.getResults()))
    if (getElementTypeOrSelf(value) != getElementTypeOrSelf(result))
      return failure();
  StablehloBuilder b(rewriter, op.getLoc());
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op.getResult(0).getType()).getShape();
  size_t count = op.getInputs().size();
  for (size_t i = 0; i < count; ++i) {
    values[i] = b.broadcastInDim(values[i], shape, {});
    values[count + i] = b.reshape(values[count + i], shape);
  }
  SmallVector<Value> results = widenBody(b, body, values, shape);
  rewriter.replaceOp(op, results);
  return success();
}

/// Replaces a contraction of an empty operand by zeros, the sums of no
/// products. Without this, the kernel of a padded convolution would read beside
/// an image that has no elements.
template <class Op>
static mlir::LogicalResult
foldEmptyContraction(Op op, mlir::PatternRewriter &rewriter) {
  auto isEmpty = [](Value operand) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    return type && type.hasStaticShape() && type.getNumElements() == 0;
  };
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if ((!isEmpty(op.getLhs()) && !isEmpty(op.getRhs())) || !type ||
      !type.hasStaticShape())
    return failure();
  Type element = type.getElementType();
  Type real = element;
  if (auto complex = dyn_cast<ComplexType>(element))
    real = complex.getElementType();
  // The scales of microscaling formats have no zero.
  if (!isa<IntegerType, FloatType>(real) || isa<Float8E8M0FNUType>(real))
    return failure();
  Attribute zero = rewriter.getZeroAttr(real);
  if (isa<ComplexType>(element))
    zero = rewriter.getArrayAttr({zero, zero});
  rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(
      op, DenseElementsAttr::get(type, zero));
  return success();
}

namespace {

class Simplify : public impl::SimplifyBase<Simplify> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    all.add<DropEmpty>(context);
    addFunctions<foldEmptyReduce, widenUnitReduce,
                 foldEmptyContraction<stablehlo::ConvolutionOp>,
                 foldEmptyContraction<stablehlo::DotGeneralOp>>(all);
    populateMovementPatterns(all);
    populateIdentityPatterns(all);
    populateFoldPatterns(all);
    populateBranchPatterns(all);
    populateScatterPatterns(all);
    populateSelectionPatterns(all);
    populateConvolutionPatterns(all);
    populateProductPatterns(all);
    populateReductionPatterns(all);
    patterns = std::move(all);
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true);
    // The blocks of a StableHLO program come from the user and must not be
    // merged.
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      getOperation().emitWarning("simplification did not come to an end");
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
} // namespace xlac::transforms
