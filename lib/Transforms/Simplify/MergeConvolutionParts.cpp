// Writes a convolution over a dilated image, such as a transposed convolution,
// as one convolution of the image itself. With a dilation of d, result
// d * q + p sees the pixels around q through every d-th position of the window.
// If d divides the window's size, or the window is not larger than d, each of
// the places p that see the image does so through equally many positions. The
// places become output features of a convolution with a smaller window, whose
// result is transposed so that they lie between the pixels.
//
// Results that see an image of one pixel see it through one position each, as
// if the pixel were dilated by the size of the window.
#include "DilatedConvolutions.h"
#include "StablehloBuilder.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace xlac::transforms {

using llvm::SmallVector;
using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

namespace {

/// A spatial dimension. Place p of pixel q is result step * q + p + offset().
/// A dimension that is not merged has a step of 1, and one place.
struct MergedDim : SpatialDim {
  explicit MergedDim(const SpatialDim &dim)
      : SpatialDim(dim), hasOnePixel(image == 1 && window > 1 && result > 1),
        merges(stride == 1 && windowDilation == 1 &&
               (dilation > 1 || hasOnePixel)),
        step(!merges       ? 1
             : hasOnePixel ? window
                           : dilation),
        places(std::min(window, step)), positions(window / places) {}

  bool hasOnePixel, merges;
  int64_t step;
  int64_t places;    ///< those that see the image
  int64_t positions; ///< through which each place sees the image

  bool isEven() const { return places * positions == window; }
  int64_t offset() const { return low - (places - 1); }
  /// The first pixel with a place in the result.
  int64_t first() const {
    return merges ? llvm::divideFloorSigned(-offset(), step) : 0;
  }
  /// The number of pixels with a place in the result.
  int64_t count() const {
    return merges ? llvm::divideFloorSigned(result - 1 - offset(), step) + 1 -
                        first()
                  : result;
  }
  int64_t lowPadding() const { return merges ? -first() : low; }
  int64_t highPadding() const {
    return merges ? count() + positions - 1 - image - lowPadding() : high;
  }
  /// The number of places before the first result.
  int64_t skipped() const { return merges ? -offset() - step * first() : 0; }
};

/// The order of a group's features in the merged convolution: the places are
/// outermost, or the original features. If features are last in memory, those
/// of a place are together.
struct FeatureOrder {
  FeatureOrder(bool placesFirst, size_t dims)
      : firstPlace(placesFirst ? 1 : 2), feature(placesFirst ? dims + 1 : 1),
        rank(dims + 2) {}

  int64_t group = 0, firstPlace, feature, rank;
};

/// Emits a merged convolution.
class Merging {
public:
  Merging(StablehloBuilder &b, hlo::ConvolutionOp op, Value weights,
          llvm::ArrayRef<MergedDim> dims)
      : b(b), op(op), weights(weights), numbers(op.getDimensionNumbers()),
        dims(dims),
        order(int64_t(numbers.getOutputFeatureDimension()) + 1 ==
                  StablehloBuilder::typeOf(op.getResult()).getRank(),
              dims.size()),
        groups(op.getFeatureGroupCount()),
        features(StablehloBuilder::typeOf(weights).getDimSize(
                     numbers.getKernelOutputFeatureDimension()) /
                 groups) {}

  Value run() {
    Value placed = placeWeights(), result = convolve(placed);
    bool isFloat =
        llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(op.getType()));
    bool allSee = llvm::all_of(
        dims, [](const MergedDim &dim) { return dim.places == dim.step; });
    Value zeros = isFloat ? zerosSeen(placed) : nullptr;
    // The sum is a part of the convolution's kernel, if all its features are
    // those of the result.
    if (zeros && allSee)
      result = addToFeatures(
          result,
          b.reshape(zeros, StablehloBuilder::typeOf(zeros).getNumElements()));
    result = spreadFeatures(result);
    if (zeros && !allSee)
      result = addToFeatures(result, zeros);
    return interleave(result);
  }

private:
  /// Returns the index of the spatial dimension whose `member` is `dim`, or the
  /// number of such dimensions.
  size_t spatial(int64_t SpatialDim::*member, int64_t dim) const {
    return llvm::find_if(
               dims, [&](const MergedDim &one) { return one.*member == dim; }) -
           dims.begin();
  }

  SmallVector<int64_t> featureShape() const {
    SmallVector<int64_t> shape(order.rank);
    shape[order.group] = groups;
    shape[order.feature] = features;
    for (auto [i, dim] : llvm::enumerate(dims))
      shape[order.firstPlace + i] = dim.places;
    return shape;
  }

  /// Returns the weights with the output features as in FeatureOrder. Only
  /// positions that a place sees remain in the window.
  Value placeWeights() {
    llvm::ArrayRef<int64_t> sizes =
        StablehloBuilder::typeOf(weights).getShape();
    int64_t output = numbers.getKernelOutputFeatureDimension();
    SmallVector<int64_t> shape, kept(sizes.size()), reversed, moved(order.rank);
    for (int64_t dim = 0; dim < int64_t(sizes.size()); ++dim) {
      kept[dim] = shape.size();
      size_t i = spatial(&SpatialDim::windowDim, dim);
      if (dim == output) {
        moved[order.group] = shape.size();
        moved[order.feature] = shape.size() + 1;
        shape.append({groups, features});
      } else if (i < dims.size()) {
        // The last position belongs to the first place.
        moved[order.firstPlace + i] = shape.size() + 1;
        if (!dims[i].reversed)
          reversed.push_back(shape.size() + 1);
        shape.append({dims[i].positions, dims[i].places});
      } else {
        shape.push_back(sizes[dim]);
      }
    }
    SmallVector<int64_t> permutation;
    for (int64_t dim = 0; dim < int64_t(sizes.size()); ++dim)
      if (dim == output)
        llvm::append_range(permutation, moved);
      else
        permutation.push_back(kept[dim]);
    Value placed = b.reshape(weights, shape);
    if (!reversed.empty())
      placed =
          b.value("stablehlo.reverse", placed.getType(), {placed},
                  {b.builder.getNamedAttr(
                      "dimensions", b.builder.getDenseI64ArrayAttr(reversed))});
    return b.transpose(placed, permutation);
  }

  Value convolve(Value placed) {
    SmallVector<int64_t> window(StablehloBuilder::typeOf(weights).getShape());
    RankedTensorType type = StablehloBuilder::typeOf(op.getResult());
    SmallVector<int64_t> shape(type.getShape()), padding;
    SmallVector<bool> reversal;
    for (const MergedDim &dim : dims) {
      reversal.push_back(dim.reversed && dim.positions > 1);
      window[dim.windowDim] = dim.positions;
      shape[dim.resultDim] = dim.count();
      padding.append({dim.lowPadding(), dim.highPadding()});
    }
    int64_t all = mlir::ShapedType::getNumElements(featureShape());
    window[numbers.getKernelOutputFeatureDimension()] = all;
    shape[numbers.getOutputFeatureDimension()] = all;
    mlir::NamedAttrList attributes(op->getAttrs());
    auto pairs = RankedTensorType::get({int64_t(dims.size()), 2},
                                       b.builder.getI64Type());
    attributes.set("padding", mlir::DenseIntElementsAttr::get(
                                  pairs, llvm::ArrayRef(padding)));
    attributes.set("window_reversal",
                   mlir::DenseBoolArrayAttr::get(op.getContext(), reversal));
    attributes.erase("lhs_dilation");
    return b.value("stablehlo.convolution", type.clone(shape),
                   {op.getLhs(), b.reshape(placed, window)},
                   attributes.getAttrs());
  }

  /// The first dimension of FeatureOrder in a spread result.
  int64_t featureDim() const { return numbers.getOutputFeatureDimension(); }

  /// Returns the result with a dimension for each one of FeatureOrder, and all
  /// places, also those that see no pixel.
  Value spreadFeatures(Value result) {
    SmallVector<int64_t> shape(StablehloBuilder::typeOf(result).getShape()),
        parts = featureShape();
    shape.erase(shape.begin() + featureDim());
    shape.insert(shape.begin() + featureDim(), parts.begin(), parts.end());
    return padPlaces(b.reshape(result, shape), featureDim());
  }

  /// Adds zeros for the places that see no pixel. The dimensions of
  /// FeatureOrder begin with `begin`.
  Value padPlaces(Value value, int64_t begin) {
    SmallVector<int64_t> high(StablehloBuilder::typeOf(value).getRank(), 0);
    for (auto [i, dim] : llvm::enumerate(dims))
      high[begin + order.firstPlace + i] = dim.step - dim.places;
    return b.pad(value, SmallVector<int64_t>(high.size(), 0), high);
  }

  /// Returns what the zeros between the pixels add to each feature of
  /// FeatureOrder: zero, or NaN if a weight that meets one is not finite.
  Value zerosSeen(Value placed) {
    RankedTensorType type = StablehloBuilder::typeOf(placed);
    int64_t input = numbers.getKernelInputFeatureDimension(),
            output = numbers.getKernelOutputFeatureDimension();
    auto behindOutput = [&](int64_t dim) {
      return dim + (dim > output ? order.rank - 1 : 0);
    };
    Value zeros =
        b.sum(b.multiply(placed, b.splat(type, 0)), {behindOutput(input)});
    Value seen =
        b.convert(b.compare(hlo::ComparisonDirection::NE, zeros, zeros),
                  b.builder.getI32Type());
    SmallVector<int64_t> positions, places, others;
    for (const MergedDim &dim : dims)
      positions.push_back(behindOutput(dim.windowDim) -
                          (dim.windowDim > input));
    llvm::sort(positions);
    seen = padPlaces(b.sum(seen, positions), 0);
    for (int64_t dim = 0; dim < order.rank; ++dim)
      (dim == order.group || dim == order.feature ? others : places)
          .push_back(dim);
    RankedTensorType counts = StablehloBuilder::typeOf(seen);
    Value unseen = b.subtract(
        b.broadcastInDim(b.sum(seen, places), counts.getShape(), others), seen);
    RankedTensorType sums =
        counts.clone(mlir::getElementTypeOrSelf(op.getType()));
    return b.select(
        b.compare(hlo::ComparisonDirection::GT, unseen, b.splat(counts, 0)),
        b.splat(sums, std::nan("")), b.splat(sums, 0));
  }

  /// Adds `zeros`, whose dimensions are those of `value` from the features on.
  Value addToFeatures(Value value, Value zeros) {
    auto features = llvm::seq<int64_t>(
        featureDim(), featureDim() + StablehloBuilder::typeOf(zeros).getRank());
    return b.add(value, b.broadcastInDim(
                            zeros, StablehloBuilder::typeOf(value).getShape(),
                            llvm::to_vector(features)));
  }

  /// Puts the places between the pixels.
  Value interleave(Value spread) {
    RankedTensorType type = StablehloBuilder::typeOf(op.getResult());
    SmallVector<int64_t> permutation, shape(type.getShape()),
        starts(type.getRank(), 0), limits;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      size_t i = spatial(&SpatialDim::resultDim, dim);
      if (dim == featureDim()) {
        permutation.push_back(dim + order.group);
        permutation.push_back(dim + order.feature);
      } else {
        permutation.push_back(dim + (dim > featureDim() ? order.rank - 1 : 0));
      }
      if (i < dims.size()) {
        permutation.push_back(featureDim() + order.firstPlace + i);
        shape[dim] = dims[i].count() * dims[i].step;
        starts[dim] = dims[i].skipped();
      }
      limits.push_back(starts[dim] + type.getDimSize(dim));
    }
    Value all = b.reshape(b.transpose(spread, permutation), shape);
    if (llvm::ArrayRef(shape) == type.getShape())
      return all;
    return b.slice(all, starts, limits);
  }

  StablehloBuilder &b;
  hlo::ConvolutionOp op;
  Value weights; ///< in the order that the dimensions describe
  hlo::ConvDimensionNumbersAttr numbers;
  llvm::ArrayRef<MergedDim> dims;
  FeatureOrder order;
  int64_t groups, features;
};

} // namespace

/// Returns what `weights` reverses along spatial dimensions, which are marked
/// as reversed then, or `weights`.
static Value readReversed(Value weights, SmallVector<SpatialDim> &dims) {
  auto reverse = weights.getDefiningOp<hlo::ReverseOp>();
  auto isReversed = [&](const SpatialDim &dim) {
    return llvm::is_contained(reverse.getDimensions(), dim.windowDim);
  };
  if (!reverse || int64_t(reverse.getDimensions().size()) !=
                      llvm::count_if(dims, isReversed))
    return weights;
  for (SpatialDim &dim : dims)
    dim.reversed ^= isReversed(dim);
  return reverse.getOperand();
}

static bool paysToMerge(hlo::ConvolutionOp op, llvm::ArrayRef<MergedDim> dims) {
  // With less work, the time to compile what moves the places is lost.
  constexpr int64_t leastProducts = 1 << 16;
  hlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  RankedTensorType weights = StablehloBuilder::typeOf(op.getRhs());
  int64_t features =
      weights.getDimSize(numbers.getKernelOutputFeatureDimension());
  int64_t products = productsOf(op);
  if (products < leastProducts)
    return false;
  int64_t parts = 1;
  bool hasZeros = false;
  double spread = 1;
  for (const MergedDim &dim : dims) {
    parts = llvm::SaturatingMultiply<uint64_t>(parts, dim.step);
    hasZeros |= dim.places < dim.step;
    spread *= double(dim.count()) * double(dim.step) / double(dim.result);
  }
  // A few results of pixels that are far from each other.
  constexpr double mostSpread = 8;
  if (spread > mostSpread)
    return false;
  if (parts > kMostParts)
    return true;
  // A part of zeros costs less than places of zeros, and depthwise convolutions
  // are fastest with one feature for each channel.
  int64_t groups = op.getFeatureGroupCount();
  if (hasZeros ||
      (groups > 1 &&
       weights.getDimSize(numbers.getKernelInputFeatureDimension()) == 1))
    return false;
  // If the features of one part fill the lanes of a vector, what is computed
  // beyond the ends of a small image takes longer than several kernels.
  constexpr int64_t manyFeatures = 16;
  constexpr double smallSpread = 1.1;
  return products < kLeastSplitProducts || features / groups < manyFeatures ||
         spread < smallSpread;
}

mlir::LogicalResult mergeConvolutionParts(hlo::ConvolutionOp op,
                                          mlir::PatternRewriter &rewriter) {
  auto isComplex = [](mlir::Type type) {
    return llvm::isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(type));
  };
  if (!isStaticOp(op) || op.getBatchGroupCount() != 1 ||
      !hasElementsWithZero(op) || isComplex(op.getType()) ||
      llvm::any_of(op->getOperandTypes(), isComplex))
    return mlir::failure();
  SmallVector<SpatialDim> spatial = spatialDims(op);
  Value windows = readReversed(op.getRhs(), spatial);
  SmallVector<MergedDim> dims = llvm::map_to_vector(
      spatial, [](const SpatialDim &dim) { return MergedDim(dim); });
  for (const MergedDim &dim : dims)
    if (!dim.isEven() || (dim.dilation > 1 && !dim.merges))
      return mlir::failure();
  if (llvm::none_of(dims, [](const MergedDim &dim) { return dim.merges; }) ||
      !paysToMerge(op, dims))
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(op, Merging(b, op, windows, dims).run());
  return mlir::success();
}

} // namespace xlac::transforms
