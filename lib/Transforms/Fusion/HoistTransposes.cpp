// Moves elementwise ops behind the transposition of their result. The kernel
// that transposes computes them, and nothing is stored between.
#include "xlac/Transforms/Passes.h"

#include "FusionCost.h"
#include "StablehloBuilder.h"

#include "mlir/IR/TypeUtilities.h"

namespace xlac::transforms {
#define GEN_PASS_DEF_HOISTTRANSPOSES
#include "xlac/Transforms/Passes.h.inc"

using namespace mlir;
using stablehlo::TransposeOp;

/// Returns whether another shape of `value` costs nothing: it is a splat, or
/// broadcast from far fewer elements.
static bool isCheap(Value value) {
  Operation *op = value.getDefiningOp();
  if (elementsOf(value) <= 1)
    return true;
  if (auto constant = dyn_cast_or_null<stablehlo::ConstantOp>(op))
    return constant.getValue().isSplat();
  return isa_and_nonnull<stablehlo::BroadcastInDimOp>(op) &&
         elementsOf(op->getOperand(0)) <= elementsOf(value) / 8;
}

/// Returns the only operand of `op` that is not cheap, if all have the result's
/// shape or one element. Otherwise returns null.
static OpOperand *largeOperand(Operation *op) {
  OpOperand *large = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isScalar = shapeOf(operand.get()).empty();
    if (!isScalar && shapeOf(operand.get()) != shapeOf(op->getResult(0)))
      return nullptr;
    if (isCheap(operand.get()))
      continue;
    if (large || isScalar)
      return nullptr;
    large = &operand;
  }
  return large;
}

/// Returns the cheap `value` with its dimensions permuted.
static Value transposeCheap(OpBuilder &builder, Value value,
                            ArrayRef<int64_t> permutation) {
  if (shapeOf(value).empty())
    return value;
  Operation *op = value.getDefiningOp();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  if (auto constant = dyn_cast_or_null<stablehlo::ConstantOp>(op))
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
      return stablehlo::ConstantOp::create(
          builder, op->getLoc(), splat.resizeSplat(type.clone(shape)));
  StablehloBuilder b(builder, value.getLoc());
  auto broadcast = dyn_cast_or_null<stablehlo::BroadcastInDimOp>(op);
  if (!broadcast)
    return b.transpose(value, permutation);
  SmallVector<int64_t> dims;
  for (int64_t dim : broadcast.getBroadcastDimensions())
    dims.push_back(llvm::find(permutation, dim) - permutation.begin());
  return b.broadcastInDim(broadcast.getOperand(), shape, dims);
}

static bool isMultiplied(TransposeOp op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    return roleOf(user) == FusionRole::Contraction;
  });
}

/// Moves the elementwise ops before `transpose` that only it reads, if they
/// begin with an argument or with elements that are narrower than theirs.
static void hoist(TransposeOp transpose) {
  if (!isStaticOp(transpose) || !isHeavyTranspose(transpose) ||
      isMultiplied(transpose))
    return;
  SmallVector<OpOperand *> chain;
  Value origin = transpose.getOperand();
  while (Operation *op = origin.getDefiningOp()) {
    if (!origin.hasOneUse() || !isElementwise(op) || !isStaticOp(op))
      break;
    OpOperand *large = largeOperand(op);
    if (!large)
      break;
    chain.push_back(large);
    origin = large->get();
  }
  auto width = [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  };
  if (chain.empty() || width(origin) == 0 ||
      (!isa<BlockArgument>(origin) && width(origin) >= width(transpose)))
    return;
  OpBuilder builder(transpose);
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  Value made = StablehloBuilder(builder, transpose.getLoc())
                   .transpose(origin, permutation);
  for (OpOperand *large : llvm::reverse(chain)) {
    Operation *op = large->getOwner();
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(
          &operand == large
              ? made
              : transposeCheap(builder, operand.get(), permutation));
    Operation *moved = builder.clone(*op);
    moved->setOperands(operands);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    moved->getResult(0).setType(type.clone(shapeOf(made)));
    made = moved->getResult(0);
  }
  transpose.getResult().replaceAllUsesWith(made);
  transpose.erase();
  for (OpOperand *large : chain)
    large->getOwner()->erase();
}

namespace {
class HoistTransposes : public impl::HoistTransposesBase<HoistTransposes> {
  void runOnOperation() override {
    SmallVector<TransposeOp> transposes;
    getOperation().walk([&](TransposeOp op) { transposes.push_back(op); });
    llvm::for_each(transposes, hoist);
  }
};
} // namespace

} // namespace xlac::transforms
