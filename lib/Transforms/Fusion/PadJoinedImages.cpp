// Pads the image of a convolution where it is created, if that is a
// concatenation. A contraction copies an image to pad it, so that the kernel
// needs the image and the padded copy at once. The loop that joins pieces can
// write the padded image instead. Shards with the rows of their neighbours are
// such images, and so are those of networks that join channels.
#include "xlac/Transforms/Passes.h"

#include "StablehloBuilder.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/Contraction.h"

#include "mlir/IR/TypeUtilities.h"

namespace xlac::transforms {
#define GEN_PASS_DEF_PADJOINEDIMAGES
#include "xlac/Transforms/Passes.h.inc"

using llvm::SmallVector;
using mlir::RankedTensorType;
using mlir::Value;
using stablehlo::ConvolutionOp;

/// Returns whether a tensor of this type can be padded with zeros.
static bool hasZero(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  return mlir::isa<mlir::IntegerType, mlir::FloatType, mlir::ComplexType>(
             element) &&
         !mlir::isa<mlir::Float8E8M0FNUType>(element);
}

static bool isDilated(ConvolutionOp op) {
  std::optional<llvm::ArrayRef<int64_t>> dilation = op.getLhsDilation();
  return dilation &&
         llvm::any_of(*dilation, [](int64_t step) { return step != 1; });
}

/// Returns whether a loop of the same block joins pieces to the value, and
/// nothing else reads it.
static bool isJoinedFor(Value image, ConvolutionOp op) {
  auto pieces = image.getDefiningOp<stablehlo::ConcatenateOp>();
  return pieces && pieces->getBlock() == op->getBlock() && image.hasOneUse();
}

static void padImage(ConvolutionOp op) {
  Value image = op.getLhs();
  mlir::DenseIntElementsAttr padding = op.getPaddingAttr();
  if (!isStaticOp(op) || !padding || isDilated(op) || !isJoinedFor(image, op) ||
      !hasZero(image.getType()) || !ir::isContractionSupported(op))
    return;
  auto amounts = llvm::to_vector(padding.getValues<int64_t>());
  if (llvm::all_of(amounts, [](int64_t amount) { return amount == 0; }) ||
      llvm::any_of(amounts, [](int64_t amount) { return amount < 0; }))
    return;
  SmallVector<int64_t> low(StablehloBuilder::typeOf(image).getRank(), 0);
  SmallVector<int64_t> high(low);
  for (auto [i, dim] :
       llvm::enumerate(op.getDimensionNumbers().getInputSpatialDimensions())) {
    low[dim] = amounts[2 * i];
    high[dim] = amounts[2 * i + 1];
  }
  mlir::OpBuilder builder(op);
  op->setOperand(0,
                 StablehloBuilder(builder, op.getLoc()).pad(image, low, high));
  op->removeAttr(op.getPaddingAttrName());
}

namespace {
class PadJoinedImages : public impl::PadJoinedImagesBase<PadJoinedImages> {
  void runOnOperation() override { getOperation().walk(padImage); }
};
} // namespace

} // namespace xlac::transforms
