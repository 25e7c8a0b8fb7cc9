#include "TripCount.h"

#include "Simplify/SimplifyPatterns.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace xlac::transforms {

/// Returns the value of a scalar integer constant.
static std::optional<int64_t> integerOf(Value value) {
  DenseElementsAttr elements = constantOf(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!elements || !type || type.getRank() != 0 ||
      !type.getElementType().isInteger() ||
      type.getElementType().getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  APInt held = elements.getSplatValue<APInt>();
  if (type.getElementType().isUnsignedInteger())
    return held.getActiveBits() < 64
               ? std::optional<int64_t>(held.getZExtValue())
               : std::nullopt;
  return held.getSExtValue();
}

std::optional<int64_t> tripCount(stablehlo::WhileOp loop) {
  Block &condition = loop.getCond().front(), &body = loop.getBody().front();
  auto compare = condition.getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<stablehlo::CompareOp>();
  if (!compare ||
      compare.getComparisonDirection() != stablehlo::ComparisonDirection::LT)
    return std::nullopt;
  auto counter = dyn_cast<BlockArgument>(compare.getLhs());
  if (!counter || counter.getOwner() != &condition)
    return std::nullopt;
  unsigned number = counter.getArgNumber();
  auto next = body.getTerminator()
                  ->getOperand(number)
                  .getDefiningOp<stablehlo::AddOp>();
  if (!next)
    return std::nullopt;
  Value stepValue;
  if (next.getLhs() == body.getArgument(number))
    stepValue = next.getRhs();
  else if (next.getRhs() == body.getArgument(number))
    stepValue = next.getLhs();
  else
    return std::nullopt;
  std::optional<int64_t> begin = integerOf(loop->getOperand(number)),
                         end = integerOf(compare.getRhs()),
                         step = integerOf(stepValue);
  if (!begin || !end || !step || *step <= 0)
    return std::nullopt;
  // Stay far from values at which the counter would wrap.
  unsigned width = getElementTypeOrSelf(next.getType()).getIntOrFloatBitWidth();
  int64_t most = width > 2 ? int64_t(1) << (std::min(width, 62u) - 2) : 0;
  if (*begin < -most || *end > most || *step > most)
    return std::nullopt;
  return *begin < *end ? llvm::divideCeil(*end - *begin, *step) : 0;
}

} // namespace xlac::transforms
