// Two ways to write a convolution over a dilated image as convolutions of the
// image itself, without the multiplications by zeros.
#ifndef XLAC_LIB_TRANSFORMS_SIMPLIFY_DILATEDCONVOLUTIONS_H
#define XLAC_LIB_TRANSFORMS_SIMPLIFY_DILATEDCONVOLUTIONS_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/PatternMatch.h"

namespace xlac::transforms {

/// Each part of a split convolution is compiled separately. More parts would
/// take too long, as would any for fewer multiplications.
constexpr int64_t kMostParts = 16, kLeastSplitProducts = 1 << 21;

/// A spatial dimension of a convolution.
struct SpatialDim {
  int64_t image, window, result;          ///< sizes
  int64_t imageDim, windowDim, resultDim; ///< places among all dimensions
  int64_t stride, dilation, windowDilation, low, high;
  bool reversed;
};

/// Returns the spatial dimensions of a convolution of static shapes, in the
/// order of its attributes.
llvm::SmallVector<SpatialDim> spatialDims(stablehlo::ConvolutionOp op);

/// Returns whether operands and result have elements, of types with a zero.
bool hasElementsWithZero(stablehlo::ConvolutionOp op);

/// Returns the number of multiplications, of which most are by zeros.
int64_t productsOf(stablehlo::ConvolutionOp op);

/// Replaces the op by one convolution with more output features, if the same
/// number of positions of the window sees a pixel in each result.
mlir::LogicalResult mergeConvolutionParts(stablehlo::ConvolutionOp op,
                                          mlir::PatternRewriter &rewriter);

} // namespace xlac::transforms

#endif
