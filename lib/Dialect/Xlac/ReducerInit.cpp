// Evaluates a reducer on its initial values.
#include "ReducerInit.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <variant>

using namespace xlac::stablehlo;
using llvm::APFloat;
using llvm::APInt;
using llvm::ArrayRef;
using llvm::dyn_cast;
using llvm::isa;

namespace xlac::ir {

namespace {
/// A known number, or monostate for an unknown one.
using Number = std::variant<std::monostate, APInt, APFloat>;
} // namespace

static const APFloat *floatIn(const Number &number) {
  return std::get_if<APFloat>(&number);
}

static const APInt *integerIn(const Number &number) {
  return std::get_if<APInt>(&number);
}

static bool isSame(const Number &left, const Number &right) {
  if (auto *a = integerIn(left), *b = integerIn(right); a && b)
    return *a == *b;
  auto *a = floatIn(left), *b = floatIn(right);
  return a && b && (a->bitwiseIsEqual(*b) || (a->isNaN() && b->isNaN()));
}

static Number constantNumber(mlir::DenseElementsAttr elements) {
  if (!elements.isSplat())
    return {};
  if (isa<mlir::FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>();
  if (isa<mlir::IntegerType>(elements.getElementType()))
    return elements.getSplatValue<APInt>();
  return {};
}

/// Returns the function's value at the places where it is exact, which are
/// those that identities of reducers reach.
static Number elementaryFunction(mlir::Operation *op, const APFloat &x) {
  const llvm::fltSemantics &format = x.getSemantics();
  if (x.isNaN())
    return APFloat::getNaN(format);
  if (x.isInfinity() && !x.isNegative())
    return x;
  bool plusOne = isa<Log1pOp>(op), minusOne = isa<Expm1Op>(op);
  if (isa<ExpOp>(op) || minusOne) {
    if (x.isInfinity())
      return minusOne ? APFloat::getOne(format, /*Negative=*/true)
                      : APFloat::getZero(format);
    if (!x.isZero())
      return {};
    return minusOne ? x : APFloat::getOne(format);
  }
  if (x.isInfinity())
    return APFloat::getNaN(format);
  if (plusOne && x.isZero())
    return x;
  if (x.isExactlyValue(plusOne ? -1.0 : 0.0))
    return APFloat::getInf(format, /*Negative=*/true);
  if (!plusOne && x.isExactlyValue(1.0))
    return APFloat::getZero(format);
  return {};
}

static Number arithmetic(mlir::Operation *op, APFloat left,
                         const APFloat &right) {
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  if (isa<MaxOp>(op))
    return maximum(left, right);
  if (isa<MinOp>(op))
    return minimum(left, right);
  if (isa<AddOp>(op))
    left.add(right, nearest);
  else if (isa<SubtractOp>(op))
    left.subtract(right, nearest);
  else
    left.multiply(right, nearest);
  return left;
}

static Number arithmetic(mlir::Operation *op, const APInt &left,
                         const APInt &right) {
  mlir::Type type = mlir::getElementTypeOrSelf(op->getResult(0));
  bool isBool = type.isInteger(1);
  bool isUnsigned = isBool || type.isUnsignedInteger();
  if (isa<MaxOp>(op))
    return isUnsigned ? llvm::APIntOps::umax(left, right)
                      : llvm::APIntOps::smax(left, right);
  if (isa<MinOp>(op))
    return isUnsigned ? llvm::APIntOps::umin(left, right)
                      : llvm::APIntOps::smin(left, right);
  // Addition of booleans is an or, and multiplication an and.
  if (isa<OrOp>(op) || (isBool && isa<AddOp>(op)))
    return left | right;
  if (isa<AndOp>(op) || (isBool && isa<MulOp>(op)))
    return left & right;
  if (isa<XorOp>(op))
    return left ^ right;
  if (isBool)
    return {};
  return isa<AddOp>(op)        ? left + right
         : isa<SubtractOp>(op) ? left - right
                               : left * right;
}

static Number comparison(CompareOp op, const Number &left,
                         const Number &right) {
  bool less, equal, unordered = false;
  if (auto *a = floatIn(left), *b = floatIn(right); a && b) {
    if (op.getCompareType() == ComparisonType::TOTALORDER)
      return {};
    APFloat::cmpResult order = a->compare(*b);
    less = order == APFloat::cmpLessThan;
    equal = order == APFloat::cmpEqual;
    unordered = order == APFloat::cmpUnordered;
  } else if (auto *a = integerIn(left), *b = integerIn(right); a && b) {
    mlir::Type type = mlir::getElementTypeOrSelf(op.getLhs());
    bool isUnsigned = type.isInteger(1) || type.isUnsignedInteger();
    less = isUnsigned ? a->ult(*b) : a->slt(*b);
    equal = *a == *b;
  } else {
    return {};
  }
  bool greater = !less && !equal && !unordered;
  bool holds = false;
  switch (op.getComparisonDirection()) {
  case ComparisonDirection::EQ:
    holds = equal;
    break;
  case ComparisonDirection::NE:
    holds = !equal;
    break;
  case ComparisonDirection::LT:
    holds = less;
    break;
  case ComparisonDirection::LE:
    holds = less || equal;
    break;
  case ComparisonDirection::GT:
    holds = greater;
    break;
  case ComparisonDirection::GE:
    holds = greater || equal;
    break;
  }
  return APInt(1, holds);
}

static Number selection(ArrayRef<Number> in) {
  if (auto *predicate = integerIn(in[0]))
    return predicate->isZero() ? in[2] : in[1];
  return isSame(in[1], in[2]) ? in[1] : Number();
}

/// Evaluates an op on numbers; the result is unknown for other ops.
static Number evaluate(mlir::Operation *op, ArrayRef<Number> in) {
  return llvm::TypeSwitch<mlir::Operation *, Number>(op)
      .Case<BroadcastInDimOp, ReshapeOp>([&](auto) { return in[0]; })
      .Case<AddOp, SubtractOp, MulOp, MaxOp, MinOp, AndOp, OrOp, XorOp>(
          [&](auto) -> Number {
            if (auto *a = floatIn(in[0]), *b = floatIn(in[1]); a && b)
              return arithmetic(op, *a, *b);
            if (auto *a = integerIn(in[0]), *b = integerIn(in[1]); a && b)
              return arithmetic(op, *a, *b);
            return {};
          })
      .Case<ExpOp, Expm1Op, LogOp, Log1pOp>([&](auto) {
        auto *x = floatIn(in[0]);
        return x ? elementaryFunction(op, *x) : Number();
      })
      .Case([&](AbsOp) -> Number {
        if (auto *x = floatIn(in[0]))
          return abs(*x);
        return {};
      })
      .Case([&](NegOp) -> Number {
        if (auto *x = floatIn(in[0]))
          return neg(*x);
        return {};
      })
      .Case([&](NotOp) -> Number {
        if (auto *x = integerIn(in[0]))
          return ~*x;
        return {};
      })
      .Case(
          [&](CompareOp compare) { return comparison(compare, in[0], in[1]); })
      .Case([&](SelectOp) { return selection(in); })
      .Default([](mlir::Operation *) { return Number(); });
}

/// Constants may be outside of the region.
static Number numberOf(const llvm::DenseMap<mlir::Value, Number> &known,
                       mlir::Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  mlir::DenseElementsAttr elements;
  return matchPattern(value, mlir::m_Constant(&elements))
             ? constantNumber(elements)
             : Number();
}

bool keepsInit(mlir::Region &body, mlir::ValueRange inits) {
  llvm::DenseMap<mlir::Value, Number> known;
  mlir::Block &block = body.front();
  llvm::SmallVector<Number> start;
  for (auto [number, init] : llvm::enumerate(inits)) {
    mlir::DenseElementsAttr elements;
    if (!matchPattern(init, mlir::m_Constant(&elements)))
      return false;
    mlir::Value left = block.getArgument(number);
    // An element of the operand, which may have a narrower type, is converted.
    if (mlir::getElementTypeOrSelf(left) != elements.getElementType())
      return false;
    start.push_back(constantNumber(elements));
    known[left] = known[block.getArgument(number + inits.size())] =
        start.back();
  }
  for (mlir::Operation &op : block.without_terminator()) {
    if (op.getNumRegions() > 0 || op.getNumResults() != 1)
      return false;
    llvm::SmallVector<Number> in;
    for (mlir::Value operand : op.getOperands())
      in.push_back(numberOf(known, operand));
    if (!op.hasTrait<mlir::OpTrait::ConstantLike>())
      known[op.getResult(0)] = evaluate(&op, in);
  }
  return llvm::all_of(
      llvm::zip_equal(block.getTerminator()->getOperands(), start),
      [&](auto both) {
        return isSame(numberOf(known, std::get<0>(both)), std::get<1>(both));
      });
}

} // namespace xlac::ir
