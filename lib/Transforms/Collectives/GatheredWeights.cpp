#include "GatheredWeights.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace xlac::transforms {

bool isGatherOrScatter(ir::TensorCollectiveOp collective,
                       ir::CollectiveKind kind) {
  assert((kind == ir::CollectiveKind::AllGather ||
          kind == ir::CollectiveKind::ReduceScatter) &&
         "a kind with whole tensors on one side");
  ir::CollectiveAttr what = collective.getWhat();
  return what.getKind() == kind && !collective.getStarted() &&
         what.getColumns() > 0;
}

bool isViewLike(Operation *op) {
  return isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::ConvertOp,
             stablehlo::BroadcastInDimOp>(op);
}

bool isOfArgument(Value shard) {
  while (Operation *op = shard.getDefiningOp()) {
    if (!isViewLike(op))
      return false;
    shard = op->getOperand(0);
  }
  return isa<func::FuncOp>(shard.getParentBlock()->getParentOp());
}

int64_t bytesPerDevice(ArrayRef<ir::TensorCollectiveOp> found) {
  int64_t bytes = 0;
  for (ir::TensorCollectiveOp collective : found)
    bytes += std::min(bytesOfValues(collective.getOperands()),
                      bytesOfValues(collective.getResults()));
  return bytes;
}

} // namespace xlac::transforms
