// The fusion pass: groups and outlines every block of the entry function, inner
// blocks first.
#include "xlac/Transforms/Passes.h"

#include "OutlineKernels.h"

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_FUSEKERNELS
#include "xlac/Transforms/Passes.h.inc"

/// Values that leave a block or enter a loop must be in a buffer. Writing a
/// large splat with a kernel is cheaper than storing it in the image.
static void broadcastLargeConstants(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto constant = dyn_cast<stablehlo::ConstantOp>(op);
    if (!constant || resultBytes(&op) <= 4096)
      continue;
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || !elements.isSplat())
      continue;
    Value wide;
    for (OpOperand &use : llvm::make_early_inc_range(op.getUses())) {
      Operation *user = use.getOwner();
      FusionRole role = roleOf(user);
      if (role != FusionRole::Control && role != FusionRole::Library &&
          role != FusionRole::Alias &&
          !isa<stablehlo::ScatterOp, stablehlo::DynamicUpdateSliceOp>(user))
        continue;
      if (!wide) {
        OpBuilder builder(&op);
        builder.setInsertionPointAfter(&op);
        auto type = cast<RankedTensorType>(constant.getType());
        auto scalar = stablehlo::ConstantOp::create(
            builder, op.getLoc(),
            elements.resizeSplat(
                RankedTensorType::get({}, type.getElementType())));
        wide = stablehlo::BroadcastInDimOp::create(
            builder, op.getLoc(), type, scalar,
            builder.getDenseI64ArrayAttr({}));
      }
      use.set(wide);
    }
  }
}

static LogicalResult fuse(Block &block, KernelOutliner &outliner) {
  broadcastLargeConstants(block);
  for (Operation &op : block)
    if (isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op))
      for (Region &region : op.getRegions())
        if (failed(fuse(region.front(), outliner)))
          return failure();
  FusionGroups groups(block);
  return outliner.outline(block, groups);
}

namespace {
class FuseKernels : public impl::FuseKernelsBase<FuseKernels> {
  void runOnOperation() override {
    KernelOutliner outliner(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (!function.isExternal() &&
          failed(fuse(function.getBody().front(), outliner)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace xlac::transforms
