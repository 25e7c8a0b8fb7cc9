// Folds exact ops on constants: integers, IEEE arithmetic, comparisons,
// movement.
#include "PatternFunctions.h"
#include "SimplifyPatterns.h"

#include "Buffers/BufferPlanner.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {
namespace {

/// One element of a constant. Only the member that matches its type is used.
struct Number {
  APInt integer;
  APFloat real = APFloat(0.0);
};

using Compute = llvm::function_ref<std::optional<Number>(ArrayRef<Number>)>;

} // namespace

static Number elementOf(DenseElementsAttr elements, int64_t index) {
  if (isa<FloatType>(elements.getElementType()))
    return {APInt(), elements.isSplat()
                         ? elements.getSplatValue<APFloat>()
                         : *(elements.value_begin<APFloat>() + index)};
  return {elements.isSplat() ? elements.getSplatValue<APInt>()
                             : *(elements.value_begin<APInt>() + index),
          APFloat(0.0)};
}

/// Returns true for types on which APFloat and APInt compute as specified. For
/// f8E8M0FNU, which has no negative numbers, APFloat gives wrong results
/// instead of NaN.
static bool isPlain(Type type) {
  return isa<IntegerType, FloatType>(type) && !isa<Float8E8M0FNUType>(type);
}

/// Applies `compute` to the elements of the constant operands of `op`.
static LogicalResult foldElements(Operation *op, PatternRewriter &rewriter,
                                  Compute compute) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() == 0 ||
      !isPlain(type.getElementType()))
    return failure();
  SmallVector<DenseElementsAttr> operands;
  bool splat = true;
  for (Value operand : op->getOperands()) {
    DenseElementsAttr elements = constantOf(operand);
    if (!elements || !isPlain(elements.getElementType()) ||
        (elements.getType().getShape() != type.getShape()))
      return failure();
    splat &= elements.isSplat();
    operands.push_back(elements);
  }
  if (!splat && bufferSize(type).value_or(INT64_MAX) > kMostFoldedBytes)
    return failure();
  SmallVector<APInt> integers;
  SmallVector<APFloat> reals;
  SmallVector<Number> arguments(operands.size());
  for (int64_t i = 0, e = splat ? 1 : type.getNumElements(); i < e; ++i) {
    for (auto [argument, elements] : llvm::zip_equal(arguments, operands))
      argument = elementOf(elements, i);
    std::optional<Number> result = compute(arguments);
    if (!result)
      return failure();
    if (isa<FloatType>(type.getElementType()))
      reals.push_back(result->real);
    else
      integers.push_back(result->integer);
  }
  auto folded = isa<FloatType>(type.getElementType())
                    ? DenseElementsAttr::get(type, reals)
                    : DenseElementsAttr::get(type, integers);
  rewriter.replaceOpWithNewOp<ConstantOp>(op, folded);
  return success();
}

static bool hasFloats(Operation *op) {
  auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
  return type && isa<FloatType>(type.getElementType());
}

/// Computes IEEE arithmetic in the type's own format, rounded once. Operations
/// with NaN operands or results are left to run time, so that the NaN is the
/// processor's.
static std::optional<Number> floatArithmetic(Operation *op, APFloat left,
                                             const APFloat &right) {
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  if (isa<AddOp>(op))
    left.add(right, nearest);
  else if (isa<SubtractOp>(op))
    left.subtract(right, nearest);
  else if (isa<MulOp>(op))
    left.multiply(right, nearest);
  else if (isa<DivOp>(op))
    left.divide(right, nearest);
  else
    return std::nullopt;
  if (left.isNaN())
    return std::nullopt;
  return Number{APInt(), left};
}

static std::optional<APInt> integerArithmetic(Operation *op, const APInt &left,
                                              const APInt &right,
                                              bool isUnsigned) {
  bool isBool = left.getBitWidth() == 1;
  if (isa<AndOp>(op))
    return left & right;
  if (isa<OrOp>(op))
    return left | right;
  if (isa<XorOp>(op))
    return left ^ right;
  if (isBool)
    return std::nullopt;
  if (isa<AddOp>(op))
    return left + right;
  if (isa<SubtractOp>(op))
    return left - right;
  if (isa<MulOp>(op))
    return left * right;
  if (isa<MaxOp>(op))
    return isUnsigned ? llvm::APIntOps::umax(left, right)
                      : llvm::APIntOps::smax(left, right);
  if (isa<MinOp>(op))
    return isUnsigned ? llvm::APIntOps::umin(left, right)
                      : llvm::APIntOps::smin(left, right);
  if (right.isZero() || (!isUnsigned && right.isAllOnes()))
    return std::nullopt;
  if (isa<DivOp>(op))
    return isUnsigned ? left.udiv(right) : left.sdiv(right);
  if (isa<RemOp>(op))
    return isUnsigned ? left.urem(right) : left.srem(right);
  return std::nullopt;
}

template <class Op>
static LogicalResult foldBinary(Op op, PatternRewriter &rewriter) {
  bool floats = hasFloats(op);
  Type element = cast<ShapedType>(op->getResult(0).getType()).getElementType();
  bool isUnsigned = element.isUnsignedInteger();
  return foldElements(
      op, rewriter, [&](ArrayRef<Number> in) -> std::optional<Number> {
        if (floats)
          return floatArithmetic(op, in[0].real, in[1].real);
        std::optional<APInt> result =
            integerArithmetic(op, in[0].integer, in[1].integer, isUnsigned);
        if (!result)
          return std::nullopt;
        return Number{*result};
      });
}

static LogicalResult foldNegate(NegOp op, PatternRewriter &rewriter) {
  bool floats = hasFloats(op);
  return foldElements(op, rewriter,
                      [&](ArrayRef<Number> in) -> std::optional<Number> {
                        if (floats)
                          return Number{APInt(), llvm::neg(in[0].real)};
                        return Number{-in[0].integer};
                      });
}

static LogicalResult foldNot(NotOp op, PatternRewriter &rewriter) {
  return foldElements(op, rewriter,
                      [&](ArrayRef<Number> in) -> std::optional<Number> {
                        return Number{~in[0].integer};
                      });
}

static LogicalResult foldSign(SignOp op, PatternRewriter &rewriter) {
  if (hasFloats(op))
    return failure();
  return foldElements(op, rewriter,
                      [&](ArrayRef<Number> in) -> std::optional<Number> {
                        unsigned width = in[0].integer.getBitWidth();
                        if (in[0].integer.isNegative())
                          return Number{APInt::getAllOnes(width)};
                        return Number{APInt(width, !in[0].integer.isZero())};
                      });
}

static LogicalResult foldSelect(SelectOp op, PatternRewriter &rewriter) {
  return foldElements(op, rewriter,
                      [&](ArrayRef<Number> in) -> std::optional<Number> {
                        return in[0].integer.isZero() ? in[2] : in[1];
                      });
}

static LogicalResult foldClamp(ClampOp op, PatternRewriter &rewriter) {
  Type element = cast<ShapedType>(op.getType()).getElementType();
  if (hasFloats(op) || element.isInteger(1))
    return failure();
  bool isUnsigned = element.isUnsignedInteger();
  return foldElements(op, rewriter,
                      [&](ArrayRef<Number> in) -> std::optional<Number> {
                        const APInt &low = in[0].integer, &high = in[2].integer;
                        if (isUnsigned)
                          return Number{llvm::APIntOps::umin(
                              llvm::APIntOps::umax(in[1].integer, low), high)};
                        return Number{llvm::APIntOps::smin(
                            llvm::APIntOps::smax(in[1].integer, low), high)};
                      });
}

template <class Less>
static bool compare(ComparisonDirection direction, bool equal, bool unordered,
                    Less less) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return equal;
  case ComparisonDirection::NE:
    return !equal;
  case ComparisonDirection::LT:
    return !unordered && less();
  case ComparisonDirection::LE:
    return !unordered && (equal || less());
  case ComparisonDirection::GT:
    return !unordered && !equal && !less();
  case ComparisonDirection::GE:
    return !unordered && !less();
  }
  return false;
}

static LogicalResult foldCompare(CompareOp op, PatternRewriter &rewriter) {
  if (op.getCompareType() == ComparisonType::TOTALORDER)
    return failure();
  bool floats = hasFloats(op);
  Type element = cast<ShapedType>(op.getLhs().getType()).getElementType();
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  return foldElements(
      op, rewriter, [&](ArrayRef<Number> in) -> std::optional<Number> {
        bool result;
        if (floats) {
          APFloat::cmpResult order = in[0].real.compare(in[1].real);
          result =
              compare(op.getComparisonDirection(), order == APFloat::cmpEqual,
                      order == APFloat::cmpUnordered,
                      [&] { return order == APFloat::cmpLessThan; });
        } else {
          const APInt &left = in[0].integer, &right = in[1].integer;
          result =
              compare(op.getComparisonDirection(), left == right, false, [&] {
                return isUnsigned ? left.ult(right) : left.slt(right);
              });
        }
        return Number{APInt(1, result)};
      });
}

/// Folds conversions from integer to integer or float, and from float to float.
/// Float to integer has separate rules for values out of range.
static LogicalResult foldConvert(ConvertOp op, PatternRewriter &rewriter) {
  Type from = cast<ShapedType>(op.getOperand().getType()).getElementType();
  Type to = cast<ShapedType>(op.getType()).getElementType();
  if (!isPlain(from) || !isPlain(to) ||
      (isa<FloatType>(from) && isa<IntegerType>(to)) || to.isInteger(1))
    return failure();
  bool isUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  return foldElements(
      op, rewriter, [&](ArrayRef<Number> in) -> std::optional<Number> {
        if (auto integer = dyn_cast<IntegerType>(to))
          return Number{isUnsigned
                            ? in[0].integer.zextOrTrunc(integer.getWidth())
                            : in[0].integer.sextOrTrunc(integer.getWidth())};
        const llvm::fltSemantics &format =
            cast<FloatType>(to).getFloatSemantics();
        APFloat result(format);
        if (isa<IntegerType>(from)) {
          result.convertFromAPInt(in[0].integer, !isUnsigned,
                                  APFloat::rmNearestTiesToEven);
        } else {
          if (in[0].real.isNaN())
            return std::nullopt;
          bool lost;
          result = in[0].real;
          result.convert(format, APFloat::rmNearestTiesToEven, &lost);
        }
        if (result.isInfinity() && !APFloat::semanticsHasInf(format))
          return std::nullopt;
        return Number{APInt(), result};
      });
}

//===- Movement -----------------------------------------------------------===//

/// Folds a movement op on a splat, or a reshape: only the shape changes.
template <class Op>
static LogicalResult foldMovement(Op op, PatternRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  DenseElementsAttr elements = constantOf(op->getOperand(0));
  if (!type || !type.hasStaticShape() || !elements ||
      type.getElementType() != elements.getElementType())
    return failure();
  if (elements.isSplat() && type.getNumElements() > 0)
    rewriter.replaceOpWithNewOp<ConstantOp>(op, elements.resizeSplat(type));
  else if (isa<ReshapeOp>(op.getOperation()))
    rewriter.replaceOpWithNewOp<ConstantOp>(op, elements.reshape(type));
  else
    return failure();
  return success();
}

/// Returns the operand's index of the element at `index` of the result.
static SmallVector<int64_t> sourceOf(SliceOp op, ArrayRef<int64_t> index) {
  SmallVector<int64_t> source;
  for (auto [place, start, stride] :
       llvm::zip_equal(index, op.getStartIndices(), op.getStrides()))
    source.push_back(start + place * stride);
  return source;
}

static SmallVector<int64_t> sourceOf(TransposeOp op, ArrayRef<int64_t> index) {
  SmallVector<int64_t> source(index.size());
  for (auto [place, dim] : llvm::zip_equal(index, op.getPermutation()))
    source[dim] = place;
  return source;
}

static SmallVector<int64_t> sourceOf(ReverseOp op, ArrayRef<int64_t> index) {
  SmallVector<int64_t> source(index);
  for (int64_t dim : op.getDimensions())
    source[dim] = op.getType().getDimSize(dim) - 1 - index[dim];
  return source;
}

/// Folds an op that selects or permutes elements of a small constant.
template <class Op>
static LogicalResult foldChoice(Op op, PatternRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  DenseElementsAttr elements = constantOf(op->getOperand(0));
  if (!type || !type.hasStaticShape() || !elements || elements.isSplat() ||
      !elements.getElementType().isIntOrFloat() ||
      type.getElementType() != elements.getElementType() ||
      bufferSize(type).value_or(INT64_MAX) > kMostFoldedBytes)
    return failure();
  ArrayRef<int64_t> shape = type.getShape();
  ArrayRef<int64_t> from = elements.getType().getShape();
  auto values = elements.getValues<Attribute>();
  SmallVector<Attribute> chosen;
  for (int64_t number = 0; number < type.getNumElements(); ++number) {
    SmallVector<int64_t> index(shape.size());
    int64_t rest = number, place = 0;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      index[dim] = rest % shape[dim];
    for (auto [size, at] : llvm::zip_equal(from, sourceOf(op, index)))
      place = place * size + at;
    chosen.push_back(values[place]);
  }
  rewriter.replaceOpWithNewOp<ConstantOp>(op,
                                          DenseElementsAttr::get(type, chosen));
  return success();
}

/// Folds a concatenation of small constants, such as the indices that JAX makes
/// of constants.
static LogicalResult foldConcatenate(ConcatenateOp op,
                                     PatternRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat() ||
      bufferSize(type).value_or(INT64_MAX) > kMostFoldedBytes)
    return failure();
  SmallVector<DenseElementsAttr> parts;
  for (Value input : op.getInputs()) {
    parts.push_back(constantOf(input));
    if (!parts.back() || parts.back().getElementType() != type.getElementType())
      return failure();
  }
  // Before the joined dimension, the parts alternate.
  int64_t outer = 1;
  for (int64_t size : type.getShape().take_front(op.getDimension()))
    outer *= size;
  SmallVector<Attribute> joined;
  for (int64_t row = 0; row < outer; ++row)
    for (DenseElementsAttr part : parts) {
      int64_t each = part.getNumElements() / outer;
      auto values = part.getValues<Attribute>();
      for (int64_t i = row * each; i < (row + 1) * each; ++i)
        joined.push_back(values[i]);
    }
  rewriter.replaceOpWithNewOp<ConstantOp>(op,
                                          DenseElementsAttr::get(type, joined));
  return success();
}

void populateFoldPatterns(RewritePatternSet &patterns) {
  addFunctions<foldBinary<AddOp>, foldBinary<SubtractOp>, foldBinary<MulOp>,
               foldBinary<DivOp>, foldBinary<RemOp>, foldBinary<MaxOp>,
               foldBinary<MinOp>, foldBinary<AndOp>, foldBinary<OrOp>,
               foldBinary<XorOp>, foldNegate, foldNot, foldSign, foldSelect,
               foldClamp, foldCompare, foldConvert, foldMovement<ReshapeOp>,
               foldMovement<BroadcastInDimOp>, foldMovement<TransposeOp>,
               foldMovement<SliceOp>, foldMovement<ReverseOp>, foldConcatenate,
               foldChoice<SliceOp>, foldChoice<TransposeOp>,
               foldChoice<ReverseOp>>(patterns);
}

} // namespace xlac::transforms
