// The pass that unrolls short counted loops of elementwise ops, such as the
// rounds of JAX's random numbers. A loop loads and stores all carried values in
// each iteration, whereas one kernel of all iterations keeps them in registers.
#include "xlac/Transforms/Passes.h"

#include "Fusion/FusionCost.h"
#include "SimplifyPatterns.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_UNROLLLOOPS
#include "xlac/Transforms/Passes.h.inc"

/// Loops with more iterations or ops are not unrolled, since a loop is compiled
/// once.
static constexpr int64_t kMostTrips = 16;
static constexpr int64_t kMostUnrolledOps = 400;

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

/// Returns the trip count of a loop whose counter has a constant start, step
/// and end, if it is at most kMostTrips.
static std::optional<int64_t> tripCount(stablehlo::WhileOp loop) {
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
  int64_t trips = 0;
  for (int64_t i = *begin; i < *end; i += *step)
    if (++trips > kMostTrips)
      return std::nullopt;
  return trips;
}

/// Returns true if all ops of `block` would become part of loop kernels.
static bool isElementwiseWork(Block &block) {
  return llvm::all_of(block.without_terminator(), [](Operation &op) {
    return isElementwise(&op) ||
           isa<stablehlo::ConstantOp, stablehlo::BroadcastInDimOp,
               stablehlo::SliceOp, stablehlo::ReshapeOp, stablehlo::IotaOp,
               stablehlo::ConcatenateOp>(op);
  });
}

static void unroll(stablehlo::WhileOp loop, int64_t trips) {
  OpBuilder builder(loop);
  Block &body = loop.getBody().front();
  SmallVector<Value> carried(loop->getOperands());
  for (int64_t trip = 0; trip < trips; ++trip) {
    IRMapping mapping;
    mapping.map(body.getArguments(), carried);
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [value, result] :
         llvm::zip_equal(carried, body.getTerminator()->getOperands()))
      value = mapping.lookupOrDefault(result);
  }
  loop->replaceAllUsesWith(carried);
  loop->erase();
}

namespace {
class UnrollLoops : public impl::UnrollLoopsBase<UnrollLoops> {
  void runOnOperation() override {
    // Inner loops first: unrolling them may make the outer loop elementwise.
    getOperation().walk<WalkOrder::PostOrder>([](stablehlo::WhileOp loop) {
      Block &condition = loop.getCond().front(), &body = loop.getBody().front();
      if (!isElementwiseWork(condition) || !isElementwiseWork(body))
        return;
      int64_t ops = body.getOperations().size();
      std::optional<int64_t> trips = tripCount(loop);
      if (trips && *trips * ops <= kMostUnrolledOps)
        unroll(loop, *trips);
    });
  }
};
} // namespace

} // namespace xlac::transforms
