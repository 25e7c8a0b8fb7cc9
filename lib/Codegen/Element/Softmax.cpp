#include "Softmax.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/Reducer.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {

/// Returns the reduction whose result `value` has for each element of a row, or
/// null.
static ReduceOp reductionOfRow(mlir::Value value) {
  auto broadcast = value.getDefiningOp<BroadcastInDimOp>();
  auto reduce =
      broadcast ? broadcast.getOperand().getDefiningOp<ReduceOp>() : ReduceOp();
  if (!reduce || reduce.getNumResults() != 1 ||
      reduce.getInputs()[0].getType() != value.getType())
    return {};
  // Each result belongs to the dimensions that were kept.
  SmallVector<int64_t> kept;
  auto rank = cast<mlir::RankedTensorType>(value.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!is_contained(reduce.getDimensions(), dim))
      kept.push_back(dim);
  return broadcast.getBroadcastDimensions() == ArrayRef(kept) ? reduce
                                                              : ReduceOp();
}

/// Returns whether the reduction, which has one result, combines its elements
/// by `Op` alone.
template <typename Op> static bool reducesBy(ReduceOp reduce) {
  return isa<Op>(reduce.getBody().front().front()) &&
         ir::isSimpleReducer(reduce.getBody());
}

bool dividesInSoftmax(mlir::Operation *op) {
  auto divide = dyn_cast<DivOp>(op);
  if (!divide)
    return false;
  auto type = mlir::getElementTypeOrSelf(divide.getType());
  ReduceOp sum = reductionOfRow(divide.getRhs());
  if (!(type.isF32() || type.isF64()) || !sum || !reducesBy<AddOp>(sum) ||
      sum.getInputs()[0] != divide.getLhs() ||
      !matchPattern(sum.getInitValues()[0], mlir::m_AnyZeroFloat()))
    return false;
  auto exponential = divide.getLhs().getDefiningOp<ExpOp>();
  auto difference = exponential
                        ? exponential.getOperand().getDefiningOp<SubtractOp>()
                        : SubtractOp();
  if (!difference)
    return false;
  ReduceOp maximum = reductionOfRow(difference.getRhs());
  return maximum && reducesBy<MaxOp>(maximum) &&
         maximum.getInputs()[0] == difference.getLhs() &&
         maximum.getDimensions() == sum.getDimensions() &&
         matchPattern(maximum.getInitValues()[0], mlir::m_NegInfFloat());
}

Num divideInSoftmax(Num a, Num b) {
  assert(hasFusedMultiply(a) && "the remainder is exact");
  Num reciprocal = 1.0 / b;
  Num quotient = a * reciprocal;
  Num remainder = fma(-quotient, b, a);
  return fma(remainder, reciprocal, quotient);
}

} // namespace xlac::codegen
