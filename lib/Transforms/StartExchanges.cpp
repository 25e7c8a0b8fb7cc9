// The pass that lets collectives go on beside kernels: each exchange that is
// worth a thread is started where it stands and awaited behind; the order of
// launches then moves the two apart.
#include "xlac/Transforms/Passes.h"

#include "BufferPlanner.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_STARTEXCHANGES
#include "xlac/Transforms/Passes.h.inc"

/// Fewer bytes are there before another thread wakes.
static constexpr int64_t kLeastBytes = 64 << 10;

/// True for what only the peers have a part in, not the host.
static bool isCollective(ir::CollectiveKind kind) {
  switch (kind) {
  case ir::CollectiveKind::AllGather:
  case ir::CollectiveKind::AllReduce:
  case ir::CollectiveKind::AllToAll:
  case ir::CollectiveKind::Broadcast:
  case ir::CollectiveKind::Permute:
  case ir::CollectiveKind::Reduce:
  case ir::CollectiveKind::ReduceScatter:
    return true;
  default:
    return false;
  }
}

static bool isWorthStarting(ir::ExchangeOp exchange) {
  if (!isCollective(exchange.getWhat().getKind()) || exchange.getStarted())
    return false;
  int64_t bytes = 0;
  for (Type type : exchange->getOperandTypes())
    bytes += bufferSize(type).value_or(0);
  return bytes >= kLeastBytes;
}

namespace {
class StartExchanges : public impl::StartExchangesBase<StartExchanges> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      for (ir::ExchangeOp exchange :
           llvm::to_vector(function.getBody().front().getOps<ir::ExchangeOp>()))
        if (isWorthStarting(exchange))
          start(exchange);
    }
  }

  static void start(ir::ExchangeOp exchange) {
    OpBuilder builder(exchange->getContext());
    builder.setInsertionPointAfter(exchange);
    exchange.setStarted(true);
    auto await = ir::AwaitOp::create(
        builder, exchange.getLoc(), exchange.getResultTypes(),
        exchange.getResults(), exchange.getOperands());
    exchange->replaceUsesWithIf(await.getResults(), [&](OpOperand &use) {
      return use.getOwner() != await;
    });
  }
};
} // namespace

} // namespace xlac::transforms
