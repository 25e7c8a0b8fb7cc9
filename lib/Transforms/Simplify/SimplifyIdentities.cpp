#include "PatternFunctions.h"
#include "SimplifyPatterns.h"

#include "xlac/Dialect/Chlo/ChloDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {

static bool isFloat(Value value) {
  return isa<FloatType>(cast<ShapedType>(value.getType()).getElementType());
}

static bool isInteger(Value value) {
  return isa<IntegerType>(cast<ShapedType>(value.getType()).getElementType());
}

/// Returns true for a splat of the float `wanted`, including its sign.
static bool isFloatSplat(Value value, double wanted) {
  DenseElementsAttr elements = constantOf(value);
  if (!elements || !elements.isSplat() || !isFloat(value))
    return false;
  APFloat held = elements.getSplatValue<APFloat>();
  // Converting `wanted` to the element type instead would change zero to the
  // smallest f8E8M0FNU.
  bool lost = false;
  held.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return held.bitwiseIsEqual(APFloat(wanted));
}

static bool isIntegerSplat(Value value, int64_t wanted) {
  DenseElementsAttr elements = constantOf(value);
  if (!elements || !elements.isSplat() || !isInteger(value))
    return false;
  APInt held = elements.getSplatValue<APInt>();
  return held == APInt(held.getBitWidth(), wanted, /*isSigned=*/true,
                       /*implicitTrunc=*/true);
}

static LogicalResult replace(PatternRewriter &rewriter, Operation *op,
                             Value value) {
  if (value.getType() != op->getResult(0).getType())
    return failure();
  rewriter.replaceOp(op, value);
  return success();
}

/// What tells the front end how gradients pass is no barrier for the compiler.
static LogicalResult dropOwnGradient(OptimizationBarrierOp op,
                                     PatternRewriter &rewriter) {
  if (!op->hasAttr("xlac.own_gradient"))
    return failure();
  rewriter.replaceOp(op, op->getOperands());
  return success();
}

/// x + -0.0 equals x for every x, but x + 0.0 does not if x is -0.0.
static LogicalResult simplifyAdd(AddOp op, PatternRewriter &rewriter) {
  for (auto [one, other] : {std::pair(op.getLhs(), op.getRhs()),
                            std::pair(op.getRhs(), op.getLhs())})
    if (isFloatSplat(other, -0.0) || isIntegerSplat(other, 0))
      return replace(rewriter, op, one);
  return failure();
}

static LogicalResult simplifySubtract(SubtractOp op,
                                      PatternRewriter &rewriter) {
  if (isFloatSplat(op.getRhs(), 0.0) || isIntegerSplat(op.getRhs(), 0))
    return replace(rewriter, op, op.getLhs());
  return failure();
}

static LogicalResult simplifyMultiply(MulOp op, PatternRewriter &rewriter) {
  for (auto [one, other] : {std::pair(op.getLhs(), op.getRhs()),
                            std::pair(op.getRhs(), op.getLhs())}) {
    if (isFloatSplat(other, 1.0) || isIntegerSplat(other, 1))
      return replace(rewriter, op, one);
    if (isIntegerSplat(other, 0))
      return replace(rewriter, op, other);
  }
  return failure();
}

static LogicalResult simplifyDivide(DivOp op, PatternRewriter &rewriter) {
  if (isFloatSplat(op.getRhs(), 1.0) || isIntegerSplat(op.getRhs(), 1))
    return replace(rewriter, op, op.getLhs());
  return failure();
}

/// Simplifies an idempotent bitwise op with a `neutral` and an `absorbing`
/// operand.
static LogicalResult simplifyBits(Operation *op, int64_t neutral,
                                  int64_t absorbing,
                                  PatternRewriter &rewriter) {
  for (unsigned i : {0u, 1u}) {
    Value one = op->getOperand(i), other = op->getOperand(1 - i);
    if (isIntegerSplat(other, neutral))
      return replace(rewriter, op, one);
    if (isIntegerSplat(other, absorbing))
      return replace(rewriter, op, other);
  }
  if (op->getOperand(0) == op->getOperand(1))
    return replace(rewriter, op, op->getOperand(0));
  return failure();
}

static LogicalResult simplifyAnd(AndOp op, PatternRewriter &rewriter) {
  return simplifyBits(op, -1, 0, rewriter);
}

static LogicalResult simplifyOr(OrOp op, PatternRewriter &rewriter) {
  return simplifyBits(op, 0, -1, rewriter);
}

static LogicalResult simplifyConvert(ConvertOp op, PatternRewriter &rewriter) {
  return replace(rewriter, op, op.getOperand());
}

static LogicalResult simplifySelect(SelectOp op, PatternRewriter &rewriter) {
  if (op.getOnTrue() == op.getOnFalse())
    return replace(rewriter, op, op.getOnTrue());
  if (isIntegerSplat(op.getPred(), 0))
    return replace(rewriter, op, op.getOnFalse());
  if (isIntegerSplat(op.getPred(), 1))
    return replace(rewriter, op, op.getOnTrue());
  if (isIntegerSplat(op.getOnTrue(), 1) && isIntegerSplat(op.getOnFalse(), 0))
    return replace(rewriter, op, op.getPred()); // of booleans
  return failure();
}

/// Drops an infinity that is never larger, or smaller, than the other operand.
template <class Op>
static LogicalResult dropInfinity(Op op, PatternRewriter &rewriter) {
  double infinity = std::numeric_limits<double>::infinity();
  double least = isa<MaxOp>(op) ? -infinity : infinity;
  for (auto [one, other] : {std::pair(op.getLhs(), op.getRhs()),
                            std::pair(op.getRhs(), op.getLhs())})
    if (isFloatSplat(other, least))
      return replace(rewriter, op, one);
  return failure();
}

/// f8E8M0FNU has no negative numbers: negation gives NaN.
static bool hasNegatives(Value value) {
  return !isa<Float8E8M0FNUType>(
      cast<ShapedType>(value.getType()).getElementType());
}

/// Removes a double not or negate.
template <class Op>
static LogicalResult simplifyInvolution(Op op, PatternRewriter &rewriter) {
  auto inner = op.getOperand().template getDefiningOp<Op>();
  if (inner && hasNegatives(inner.getOperand()))
    return replace(rewriter, op, inner.getOperand());
  return failure();
}

/// Returns the operand of the negate that defines `value`, if `value` is a
/// float with a single use.
static Value negatedOnce(Value value) {
  auto negate = value.getDefiningOp<NegOp>();
  if (negate && value.hasOneUse() && isFloat(value) && hasNegatives(value))
    return negate.getOperand();
  return nullptr;
}

/// x + -y equals x - y, and x - -y equals x + y, bit by bit.
static LogicalResult addNegated(AddOp op, PatternRewriter &rewriter) {
  for (auto [one, other] : {std::pair(op.getLhs(), op.getRhs()),
                            std::pair(op.getRhs(), op.getLhs())})
    if (Value inner = negatedOnce(other)) {
      rewriter.replaceOpWithNewOp<SubtractOp>(op, op.getType(), one, inner);
      return success();
    }
  return failure();
}

static LogicalResult subtractNegated(SubtractOp op, PatternRewriter &rewriter) {
  Value inner = negatedOnce(op.getRhs());
  if (!inner)
    return failure();
  rewriter.replaceOpWithNewOp<AddOp>(op, op.getType(), op.getLhs(), inner);
  return success();
}

/// Moves negation outwards: -x * y to -(x * y), and f(-x) to -f(x) for odd
/// functions. The program often computes the inner value for x, too, as in a
/// normal distribution of x and -x.
static LogicalResult multiplyNegated(MulOp op, PatternRewriter &rewriter) {
  for (auto [one, other] : {std::pair(op.getLhs(), op.getRhs()),
                            std::pair(op.getRhs(), op.getLhs())})
    if (Value inner = negatedOnce(one)) {
      Value product =
          MulOp::create(rewriter, op.getLoc(), op.getType(), inner, other);
      rewriter.replaceOpWithNewOp<NegOp>(op, op.getType(), product);
      return success();
    }
  return failure();
}

template <class Op>
static LogicalResult oddOfNegated(Op op, PatternRewriter &rewriter) {
  Value inner = negatedOnce(op.getOperand());
  if (!inner)
    return failure();
  Value value = Op::create(rewriter, op.getLoc(), TypeRange(op.getType()),
                           ValueRange(inner), op->getAttrs());
  rewriter.replaceOpWithNewOp<NegOp>(op, op.getType(), value);
  return success();
}

/// Returns an op of type `Op` with the operands `value` and `bound` before
/// `user` in its block, or null.
template <class Op>
static Op boundedBefore(Operation *user, Value value, Value bound) {
  for (Operation *other : value.getUsers()) {
    auto op = dyn_cast<Op>(other);
    if (!op || op->getBlock() != user->getBlock() ||
        !op->isBeforeInBlock(user) || op.getLhs() == op.getRhs())
      continue;
    Value second = op.getLhs() == value ? op.getRhs() : op.getLhs();
    DenseElementsAttr one = constantOf(second), two = constantOf(bound);
    if (second == bound || (one && one == two))
      return op;
  }
  return nullptr;
}

/// Replaces x > c by max(x, c) > c if the program computes max(x, c); min and <
/// likewise. The results are equal, also for NaN and zeros. The gradient of a
/// relu then needs only the relu's result, which the next layer keeps anyway,
/// and not the operand.
static LogicalResult compareBounded(CompareOp op, PatternRewriter &rewriter) {
  if (op.getCompareType() == ComparisonType::TOTALORDER ||
      !(isFloat(op.getLhs()) || isInteger(op.getLhs())))
    return failure();
  bool greater = op.getComparisonDirection() == ComparisonDirection::GT;
  if (!greater && op.getComparisonDirection() != ComparisonDirection::LT)
    return failure();
  // x > c and c < x use the maximum, x < c and c > x the minimum.
  for (bool leftIsValue : {true, false}) {
    Value value = leftIsValue ? op.getLhs() : op.getRhs();
    Value bound = leftIsValue ? op.getRhs() : op.getLhs();
    Operation *bounded =
        greater == leftIsValue
            ? boundedBefore<MaxOp>(op, value, bound).getOperation()
            : boundedBefore<MinOp>(op, value, bound).getOperation();
    if (!bounded)
      continue;
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperand(leftIsValue ? 0 : 1, bounded->getResult(0));
    });
    return success();
  }
  return failure();
}

void populateIdentityPatterns(RewritePatternSet &patterns) {
  addFunctions<dropOwnGradient, simplifyAdd, simplifySubtract, simplifyMultiply,
               simplifyDivide, simplifyAnd, simplifyOr, simplifyConvert,
               simplifySelect, dropInfinity<MaxOp>, dropInfinity<MinOp>,
               compareBounded, addNegated, subtractNegated, multiplyNegated,
               oddOfNegated<SineOp>, oddOfNegated<TanOp>, oddOfNegated<TanhOp>,
               oddOfNegated<CbrtOp>, oddOfNegated<chlo::ErfOp>,
               oddOfNegated<chlo::ErfInvOp>, simplifyInvolution<NegOp>,
               simplifyInvolution<NotOp>>(patterns);
}

} // namespace xlac::transforms
