#include "FindWeights.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace mlir;

namespace xlac::transforms {

static bool isMovement(Operation *op) {
  return isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::ConvertOp,
             stablehlo::SliceOp, stablehlo::ReverseOp>(op);
}

/// Returns whether a product, convolution, reduction, look-up or loop is behind
/// `value`, as behind activations. Constants and elementwise values of
/// arguments may be weights themselves, such as those that are scaled from 8
/// bits.
static bool isActivation(Value value) {
  // Few ops are between two layers.
  constexpr size_t mostOps = 256;
  SmallVector<Value> open{value};
  DenseSet<Operation *> seen;
  while (!open.empty() && seen.size() < mostOps) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp,
            stablehlo::GatherOp, stablehlo::DynamicSliceOp>(op) ||
        op->getNumRegions() > 0)
      return true;
    llvm::append_range(open, op->getOperands());
  }
  return false;
}

/// Returns whether the op multiplies its operand of this number as weights.
static bool multipliesWeights(Operation *op, unsigned number) {
  auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
  bool mayHaveWeights =
      dot ? dot.getDotDimensionNumbers().getLhsBatchingDimensions().empty()
          : isa<stablehlo::ConvolutionOp>(op) && number == 1;
  return mayHaveWeights && isActivation(op->getOperand(1 - number));
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
