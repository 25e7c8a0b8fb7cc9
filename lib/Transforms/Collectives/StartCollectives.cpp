// The pass that overlaps collectives with kernels. Each collective that is
// worth a thread is started at its position and awaited immediately after.
// Ordering the launches then moves start and await apart.
#include "xlac/Transforms/Passes.h"

#include "CollectiveKinds.h"
#include "GatheredWeights.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_STARTCOLLECTIVES
#include "xlac/Transforms/Passes.h.inc"

/// Fewer bytes are transferred before another thread wakes up.
static constexpr int64_t kLeastBytes = 64 << 10;

static bool isWorthStarting(ir::TensorCollectiveOp collective) {
  if (!isCollective(collective.getWhat().getKind()) || collective.getStarted())
    return false;
  return std::max(bytesOfValues(collective->getOperands()),
                  bytesOfValues(collective->getResults())) >= kLeastBytes;
}

namespace {
class StartCollectives : public impl::StartCollectivesBase<StartCollectives> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      for (ir::TensorCollectiveOp collective : llvm::to_vector(
               function.getBody().front().getOps<ir::TensorCollectiveOp>()))
        if (isWorthStarting(collective))
          start(collective);
    }
  }

  static void start(ir::TensorCollectiveOp collective) {
    OpBuilder builder(collective->getContext());
    builder.setInsertionPointAfter(collective);
    collective.setStarted(true);
    auto await = ir::AwaitOp::create(
        builder, collective.getLoc(), collective.getResultTypes(),
        collective.getResults(), collective.getOperands());
    collective->replaceUsesWithIf(await.getResults(), [&](OpOperand &use) {
      return use.getOwner() != await;
    });
  }
};
} // namespace

} // namespace xlac::transforms
