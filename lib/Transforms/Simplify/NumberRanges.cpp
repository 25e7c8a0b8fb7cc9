#include "NumberRanges.h"

#include "SimplifyPatterns.h"
#include "StablehloBuilder.h"
#include "WidenBody.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {

/// Returns for each dimension of `to` the dimension of `from` that a reshape
/// leaves as it is.
static SmallVector<int64_t> keptDims(ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to) {
  SmallVector<int64_t> dims(to.size(), kMixedDim);
  int64_t inner = 1, innerFrom = 1, next = int64_t(from.size()) - 1;
  for (int64_t dim = int64_t(to.size()) - 1; dim >= 0; --dim) {
    if (to[dim] == 1) {
      dims[dim] = -1;
      continue;
    }
    while (next >= 0 && (from[next] == 1 || innerFrom < inner))
      innerFrom *= from[next--];
    if (next >= 0 && innerFrom == inner && from[next] == to[dim])
      dims[dim] = next;
    inner *= to[dim];
  }
  return dims;
}

std::optional<SmallVector<int64_t>> operandDims(Operation *op,
                                                unsigned number) {
  if (op->getNumResults() != 1 || !isStaticOp(op))
    return std::nullopt;
  ArrayRef<int64_t> from =
      StablehloBuilder::typeOf(op->getOperand(number)).getShape();
  ArrayRef<int64_t> to = StablehloBuilder::typeOf(op->getResult(0)).getShape();
  SmallVector<int64_t> dims(to.size(), -1);
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    for (auto [dim, target] :
         llvm::enumerate(broadcast.getBroadcastDimensions()))
      if (from[dim] == to[target])
        dims[target] = int64_t(dim);
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    llvm::copy(transpose.getPermutation(), dims.begin());
  } else if (isa<ReshapeOp>(op)) {
    dims = keptDims(from, to);
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    if (reduce.getInputs().size() != 1)
      return std::nullopt;
    if (number > 0)
      return dims;
    auto next = dims.begin();
    for (int64_t dim = 0; dim < int64_t(from.size()); ++dim)
      if (!llvm::is_contained(reduce.getDimensions(), dim))
        *next++ = dim;
  } else if (op->getNumOperands() > 0 && canWiden(op) &&
             !isa<OptimizationBarrierOp>(op)) {
    if (!from.empty())
      std::iota(dims.begin(), dims.end(), 0);
  } else {
    return std::nullopt;
  }
  return dims;
}

namespace {

/// Evaluates ops on ranges of numbers.
class RangeEvaluator {
public:
  using Range = std::optional<NumberRange>;
  using Box = ArrayRef<IndexRange>;

  Range evaluate(Value value, Box box) {
    assert(isStaticTensor(value.getType()) && "a box has an end");
    RankedTensorType type = StablehloBuilder::typeOf(value);
    Range range;
    if (++steps <= kMostSteps)
      range = rangeOf(value, type, box);
    if (range && !holds(type.getElementType(), *range))
      range = std::nullopt;
    if (!range && type.getElementType().isInteger(1))
      range = {0, 1};
    return range;
  }

private:
  /// Values to look at for one result. Larger expressions are unknown.
  static constexpr unsigned kMostSteps = 256;
  /// Larger constants are not searched.
  static constexpr int64_t kMostElements = 1 << 24;

  /// Returns whether the type has all integers of the range, which `double`
  /// represents.
  static bool holds(Type element, NumberRange range) {
    if (std::isnan(range.low) || std::isnan(range.high))
      return false;
    if (isa<FloatType>(element))
      return true;
    auto integer = dyn_cast<IntegerType>(element);
    if (!integer)
      return false;
    int bits = int(std::min(integer.getWidth(), 54u));
    bool isUnsigned = integer.isUnsigned() || bits == 1;
    double high = std::ldexp(1, isUnsigned ? bits : bits - 1);
    return range.low >= (isUnsigned ? 0 : -high) && range.high < high;
  }

  /// Returns whether the type, if it is a float, has this integer and all
  /// smaller ones.
  static bool isExact(Type element, double integer) {
    auto type = dyn_cast<FloatType>(element);
    return !type ||
           (type.getWidth() >= 16 &&
            std::abs(integer) <= std::ldexp(1, type.getFPMantissaWidth()));
  }

  Range rangeOf(Value value, RankedTensorType type, Box box) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (auto iota = dyn_cast<IotaOp>(op)) {
      IndexRange along = box[iota.getIotaDimension()];
      if (!isExact(type.getElementType(), double(along.end)))
        return std::nullopt;
      return NumberRange{double(along.begin), double(along.end - 1)};
    }
    if (DenseElementsAttr elements = constantOf(value))
      return rangeOf(elements, type, box);
    if (isa<BroadcastInDimOp, ReshapeOp, TransposeOp>(op))
      return operand(op, 0, box);
    if (auto slice = dyn_cast<SliceOp>(op))
      return rangeOf(slice, box);
    if (auto convert = dyn_cast<ConvertOp>(op))
      return rangeOf(convert, type, box);
    if (auto select = dyn_cast<SelectOp>(op)) {
      Range mask = operand(op, 0, box);
      if (mask->isOneNumber())
        return operand(op, mask->low != 0 ? 1 : 2, box);
      return joined(operand(op, 1, box), operand(op, 2, box));
    }
    if (isa<NotOp>(op) && type.getElementType().isInteger(1)) {
      Range mask = operand(op, 0, box);
      return NumberRange{1 - mask->high, 1 - mask->low};
    }
    // Floats are rounded. Their operands need not be looked at.
    bool isNumber = isa<FloatType>(type.getElementType());
    if (!isa<CompareOp, MaxOp, MinOp>(op) &&
        (isNumber || !isa<AddOp, SubtractOp, AndOp, OrOp>(op)))
      return std::nullopt;
    Range a = operand(op, 0, box), b = operand(op, 1, box);
    if (!a || !b)
      return std::nullopt;
    if (auto compare = dyn_cast<CompareOp>(op))
      return compared(compare.getComparisonDirection(), *a, *b);
    return combined(op, type.getElementType(), *a, *b);
  }

  Range operand(Operation *op, unsigned number, Box box) {
    std::optional<SmallVector<int64_t>> dims = operandDims(op, number);
    bool isMask = getElementTypeOrSelf(op->getOperand(number)).isInteger(1);
    if (!dims)
      return isMask ? Range({0, 1}) : std::nullopt;
    SmallVector<IndexRange> inner;
    for (int64_t size :
         StablehloBuilder::typeOf(op->getOperand(number)).getShape())
      inner.push_back({0, size});
    for (auto [dim, range] : llvm::zip_equal(*dims, box))
      if (dim >= 0)
        inner[dim] = range;
    return evaluate(op->getOperand(number), inner);
  }

  static Range joined(Range a, Range b) {
    if (!a || !b)
      return std::nullopt;
    return NumberRange{std::min(a->low, b->low), std::max(a->high, b->high)};
  }

  static Range numberOf(const APFloat &number) {
    if (number.isNaN() || number.isNegZero())
      return std::nullopt;
    bool inexact = false;
    APFloat wide = number;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
    return NumberRange{wide.convertToDouble(), wide.convertToDouble()};
  }
  static Range numberOf(const APInt &number, IntegerType type) {
    bool isUnsigned = type.isUnsigned() || type.getWidth() == 1;
    double rounded = number.roundToDouble(!isUnsigned);
    return NumberRange{rounded, rounded};
  }

  static Range rangeOf(DenseElementsAttr elements, RankedTensorType type,
                       Box box) {
    if (!type.getElementType().isIntOrFloat() || type.getNumElements() == 0)
      return std::nullopt;
    if (type.getElementType().isInteger(1))
      return search(elements, box, elements.getValues<bool>(), [](bool number) {
        return NumberRange{double(number), double(number)};
      });
    if (auto integer = dyn_cast<IntegerType>(type.getElementType()))
      return search(
          elements, box, elements.getValues<APInt>(),
          [&](const APInt &number) { return numberOf(number, integer); });
    return search(elements, box, elements.getValues<APFloat>(),
                  [](const APFloat &number) { return numberOf(number); });
  }

  template <class Numbers>
  static Range
  search(DenseElementsAttr elements, Box box, const Numbers &numbers,
         llvm::function_ref<Range(decltype(*numbers.begin()))> rangeOfOne) {
    if (elements.isSplat())
      return rangeOfOne(*numbers.begin());
    int64_t count = 1;
    for (IndexRange range : box)
      count *= range.size();
    if (count > kMostElements)
      return std::nullopt;
    auto type = cast<RankedTensorType>(elements.getType());
    bool isMask = type.getElementType().isInteger(1);
    IndexRange row = box.back();
    Range all;
    for (int64_t number = 0; number < count; number += row.size()) {
      int64_t first = row.begin, rest = number / row.size(), stride = 1;
      for (int64_t dim = type.getRank() - 2; dim >= 0; --dim) {
        stride *= type.getDimSize(dim + 1);
        first += (box[dim].begin + rest % box[dim].size()) * stride;
        rest /= box[dim].size();
      }
      for (int64_t index = first; index < first + row.size(); ++index) {
        Range one = rangeOfOne(*(numbers.begin() + index));
        all = number == 0 && index == first ? one : joined(all, one);
        if (!all || (isMask && !all->isOneNumber()))
          return std::nullopt;
      }
    }
    return all;
  }

  /// The box of the operand has the elements between those of the slice, too.
  Range rangeOf(SliceOp op, Box box) {
    if (!isStaticOp(op))
      return std::nullopt;
    SmallVector<IndexRange> inner;
    for (auto [range, start, stride] :
         llvm::zip_equal(box, op.getStartIndices(), op.getStrides()))
      inner.push_back(
          {start + range.begin * stride, start + (range.end - 1) * stride + 1});
    return evaluate(op.getOperand(), inner);
  }

  Range rangeOf(ConvertOp op, RankedTensorType type, Box box) {
    Type from = getElementTypeOrSelf(op.getOperand());
    Range range = operand(op, 0, box);
    if (!range || !isa<IntegerType>(from))
      return std::nullopt;
    if (type.getElementType().isInteger(1)) {
      if (range->low > 0 || range->high < 0)
        return NumberRange{1, 1};
      return NumberRange{0, double(!range->isOneNumber())};
    }
    if (!isExact(type.getElementType(), range->low) ||
        !isExact(type.getElementType(), range->high))
      return std::nullopt;
    return range;
  }

  static Range truth(bool isTrue, bool isFalse) {
    return NumberRange{double(isTrue), double(!isFalse)};
  }

  static Range compared(ComparisonDirection direction, NumberRange a,
                        NumberRange b) {
    bool apart = a.high < b.low || b.high < a.low;
    bool equal = a.isOneNumber() && b.isOneNumber() && a.low == b.low;
    switch (direction) {
    case ComparisonDirection::EQ:
      return truth(equal, apart);
    case ComparisonDirection::NE:
      return truth(apart, equal);
    case ComparisonDirection::LT:
      return truth(a.high < b.low, a.low >= b.high);
    case ComparisonDirection::LE:
      return truth(a.high <= b.low, a.low > b.high);
    case ComparisonDirection::GT:
      return truth(a.low > b.high, a.high <= b.low);
    case ComparisonDirection::GE:
      return truth(a.low >= b.high, a.high < b.low);
    }
    llvm_unreachable("unknown direction");
  }

  /// Arithmetic on integers that does not wrap, and logic on booleans.
  static Range combined(Operation *op, Type element, NumberRange a,
                        NumberRange b) {
    if (isa<MaxOp>(op))
      return NumberRange{std::max(a.low, b.low), std::max(a.high, b.high)};
    if (isa<MinOp>(op))
      return NumberRange{std::min(a.low, b.low), std::min(a.high, b.high)};
    if (element.isInteger(1)) {
      if (isa<AndOp>(op))
        return NumberRange{std::min(a.low, b.low), std::min(a.high, b.high)};
      if (isa<OrOp>(op))
        return NumberRange{std::max(a.low, b.low), std::max(a.high, b.high)};
      return std::nullopt;
    }
    if (isa<AddOp>(op))
      return NumberRange{a.low + b.low, a.high + b.high};
    if (isa<SubtractOp>(op))
      return NumberRange{a.low - b.high, a.high - b.low};
    return std::nullopt;
  }

  unsigned steps = 0;
};

} // namespace

std::optional<NumberRange> numbersIn(Value value, ArrayRef<IndexRange> box) {
  return RangeEvaluator().evaluate(value, box);
}

} // namespace xlac::transforms
