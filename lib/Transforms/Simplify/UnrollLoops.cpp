// The pass that unrolls short counted loops of elementwise ops, such as the
// rounds of JAX's random numbers. A loop loads and stores all carried values in
// each iteration, whereas one kernel of all iterations keeps them in registers.
#include "xlac/Transforms/Passes.h"

#include "Fusion/FusionCost.h"
#include "SimplifyPatterns.h"
#include "TripCount.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_UNROLLLOOPS
#include "xlac/Transforms/Passes.h.inc"

/// Loops with more iterations or ops are not unrolled, since a loop is compiled
/// once.
static constexpr int64_t kMostTrips = 16;
static constexpr int64_t kMostUnrolledOps = 400;

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
      if (trips && *trips <= kMostTrips && *trips * ops <= kMostUnrolledOps)
        unroll(loop, *trips);
    });
  }
};
} // namespace

} // namespace xlac::transforms
