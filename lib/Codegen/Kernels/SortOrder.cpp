// Analyzes comparators to find those that are a plain order of one operand.
#include "KernelEmitters.h"
#include "Scalar/ScalarOpsInternal.h"
#include "SortPlan.h"

#include "xlac/abi/sort.h"

#include "mlir/IR/Matchers.h"

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {

/// Returns the value of a float constant, or nothing.
static std::optional<APFloat> constantFloat(mlir::Value value) {
  mlir::DenseElementsAttr elements;
  if (!matchPattern(value, mlir::m_Constant(&elements)) ||
      !elements.isSplat() || !isa<mlir::FloatType>(elements.getElementType()))
    return std::nullopt;
  return elements.getSplatValue<APFloat>();
}

/// Returns the sort flag of a `select(condition, one, …)` that replaces all
/// zeros or all NaNs of `argument` by one value; 0 for other selects.
static int64_t mergedBy(SelectOp select, mlir::Value argument) {
  auto compare = select.getPred().getDefiningOp<CompareOp>();
  std::optional<APFloat> one = constantFloat(select.getOnTrue());
  if (!compare || !one)
    return 0;
  std::optional<CompareAttributes> how = compareAttributes(compare);
  mlir::Value left = compare.getLhs(), right = compare.getRhs();
  if (!how || how->totalOrder)
    return 0;
  if (how->direction == Comparison::NE && left == argument &&
      right == argument && one->isNaN() && !one->isNegative())
    return XLAC_SORT_EQUAL_NANS;
  if (how->direction != Comparison::EQ || !one->isZero())
    return 0;
  std::optional<APFloat> zero = constantFloat(left == argument ? right : left);
  bool compared = left == argument || right == argument;
  return compared && zero && zero->isZero() ? XLAC_SORT_EQUAL_ZEROS : 0;
}

/// Returns the argument that `side` equals, except that zeros or NaNs may be
/// replaced by one value.
static std::optional<unsigned> argumentOf(mlir::Value side, int64_t &flags) {
  SmallVector<SelectOp> selects;
  while (auto select = side.getDefiningOp<SelectOp>()) {
    selects.push_back(select);
    side = select.getOnFalse();
  }
  auto argument = dyn_cast<mlir::BlockArgument>(side);
  if (!argument)
    return std::nullopt;
  for (SelectOp select : selects) {
    int64_t flag = mergedBy(select, argument);
    if (flag == 0)
      return std::nullopt;
    flags |= flag;
  }
  return argument.getArgNumber();
}

/// Sets how elements of `type` compare. Returns false if no key order expresses
/// it.
static bool orderElements(mlir::Type type, bool totalOrder, SortOrder &order) {
  order.bytes = elementBytes(type);
  if (auto integer = dyn_cast<mlir::IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned() || integer.getWidth() == 1;
    order.order = isUnsigned ? XLAC_SORT_UNSIGNED : XLAC_SORT_SIGNED;
    unsigned width = integer.getWidth();
    return width == 1 || (width == 8 * order.bytes && isPowerOf2_64(width));
  }
  if (!type.isF16() && !type.isBF16() && !type.isF32() && !type.isF64())
    return false;
  order.order = type.isBF16() ? XLAC_SORT_BFLOAT : XLAC_SORT_FLOAT;
  // Elements that IEEE comparisons do not order are equal.
  if (!totalOrder)
    order.flags |= XLAC_SORT_EQUAL_ZEROS | XLAC_SORT_EQUAL_NANS;
  return true;
}

std::optional<SortOrder> describeOrder(SortOp sort) {
  mlir::Block &body = sort.getComparator().front();
  auto compare = body.getTerminator()->getOperand(0).getDefiningOp<CompareOp>();
  std::optional<CompareAttributes> how;
  if (compare)
    how = compareAttributes(compare);
  if (!how ||
      (how->direction != Comparison::LT && how->direction != Comparison::GT))
    return std::nullopt;
  SortOrder order;
  int64_t leftFlags = 0, rightFlags = 0;
  std::optional<unsigned> left = argumentOf(compare.getLhs(), leftFlags);
  std::optional<unsigned> right = argumentOf(compare.getRhs(), rightFlags);
  if (!left || !right || *left / 2 != *right / 2 || *left == *right ||
      leftFlags != rightFlags)
    return std::nullopt;
  order.operand = *left / 2;
  order.flags = leftFlags;
  bool swapped = *left > *right;
  if ((how->direction == Comparison::GT) != swapped)
    order.flags |= XLAC_SORT_DESCENDING;
  mlir::Type element =
      mlir::getElementTypeOrSelf(sort.getInputs()[order.operand].getType());
  if (!orderElements(element, how->totalOrder, order))
    return std::nullopt;
  return order;
}

} // namespace xlac::codegen
