#include "FindWeights.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace mlir;

namespace xlac::transforms {

static bool isMovement(Operation *op) {
  return isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::ConvertOp,
             stablehlo::SliceOp, stablehlo::ReverseOp>(op);
}

/// Returns whether `value` is an argument, moved or converted or not.
static bool isArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isMovement(op))
      return false;
    value = op->getOperand(0);
  }
  return true;
}

/// Returns whether the op multiplies its operand of this number as weights. If
/// both operands of a product are arguments, nothing tells which one changes.
static bool multipliesWeights(Operation *op, unsigned number) {
  if (isa<stablehlo::ConvolutionOp>(op))
    return number == 1;
  auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
  return dot &&
         dot.getDotDimensionNumbers().getLhsBatchingDimensions().empty() &&
         !isArgument(op->getOperand(1 - number));
}

/// Returns whether the op reads a few elements of its operand, at indices.
static bool looksUp(Operation *op, unsigned number) {
  return number == 0 && isa<stablehlo::GatherOp, stablehlo::DynamicSliceOp>(op);
}

/// Returns whether all uses of `value` are those of weights. Sets `multiplied`
/// if one of them is a product or convolution.
static bool hasUsesOfWeights(Value value, bool &multiplied) {
  for (OpOperand &use : value.getUses()) {
    Operation *op = use.getOwner();
    if (multipliesWeights(op, use.getOperandNumber())) {
      multiplied = true;
      continue;
    }
    if (looksUp(op, use.getOperandNumber()))
      continue;
    if (!isMovement(op) || !hasUsesOfWeights(op->getResult(0), multiplied))
      return false;
  }
  return true;
}

bool isWeight(BlockArgument argument) {
  bool multiplied = false;
  return hasUsesOfWeights(argument, multiplied) && multiplied;
}

} // namespace xlac::transforms
