// Replaces convolutions that training steps contain by ops with faster kernels:
// gradients of depthwise convolutions, and those of an image that is cut into
// patches.
#include "PatternFunctions.h"
#include "SimplifyPatterns.h"
#include "StablehloBuilder.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {

/// Returns an attribute with a number for each spatial dimension, which may be
/// left out.
static int64_t numberOf(std::optional<ArrayRef<int64_t>> list, size_t dim) {
  return list ? (*list)[dim] : 1;
}

static bool areOnes(std::optional<ArrayRef<int64_t>> list) {
  return !list || llvm::all_of(*list, [](int64_t one) { return one == 1; });
}

static bool isReversed(ConvolutionOp op, size_t dim) {
  auto reversal = op.getWindowReversal();
  return reversal && (*reversal)[dim];
}

/// Returns the padding before and after each spatial dimension.
static SmallVector<std::pair<int64_t, int64_t>> paddingOf(ConvolutionOp op) {
  SmallVector<std::pair<int64_t, int64_t>> padding(
      op.getDimensionNumbers().getInputSpatialDimensions().size());
  if (auto given = op.getPadding())
    for (auto [i, amount] : llvm::enumerate(given->getValues<APInt>())) {
      auto &[low, high] = padding[i / 2];
      (i % 2 ? high : low) = amount.getSExtValue();
    }
  return padding;
}

static int64_t sizeOf(Value value, int64_t dim) {
  return StablehloBuilder::typeOf(value).getDimSize(dim);
}

/// Moves the weights' input channels, of which there is one, before the output
/// channels, which then are last. The gradient of a depthwise convolution has
/// them behind.
static LogicalResult orderDepthwiseWeights(ConvolutionOp op,
                                           PatternRewriter &rewriter) {
  auto numbers = op.getDimensionNumbers();
  if (!isStaticOp(op) || op.getFeatureGroupCount() == 1)
    return failure();
  RankedTensorType type = StablehloBuilder::typeOf(op.getRhs());
  int64_t last = type.getRank() - 1;
  if (last < 1 || numbers.getKernelInputFeatureDimension() != last ||
      numbers.getKernelOutputFeatureDimension() != last - 1 ||
      type.getDimSize(last) != 1)
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[last - 1], shape[last]);
  Value weights =
      StablehloBuilder(rewriter, op.getLoc()).reshape(op.getRhs(), shape);
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperand(1, weights);
    op.setDimensionNumbersAttr(ConvDimensionNumbersAttr::get(
        op.getContext(), numbers.getInputBatchDimension(),
        numbers.getInputFeatureDimension(), numbers.getInputSpatialDimensions(),
        last - 1, last, numbers.getKernelSpatialDimensions(),
        numbers.getOutputBatchDimension(), numbers.getOutputFeatureDimension(),
        numbers.getOutputSpatialDimensions()));
  });
  return success();
}

//===- Gradients of depthwise weights -------------------------------------===//

namespace {
/// Writes the gradient of a depthwise convolution's weights as a sum over the
/// products of two images for each place of the window. Its batch groups are
/// the channels, and its window is the gradient of the result. Both images have
/// their channels last, or their rows.
class DepthwiseGradient {
public:
  DepthwiseGradient(StablehloBuilder &b, ConvolutionOp op)
      : b(b), op(op), numbers(op.getDimensionNumbers()),
        channels(int64_t(op.getBatchGroupCount())) {}

  bool matches() {
    constexpr int64_t mostPlaces = 49, leastChannels = 8;
    auto element = getElementTypeOrSelf(op.getType());
    int64_t places = 1;
    for (int64_t dim : numbers.getOutputSpatialDimensions())
      places = llvm::SaturatingMultiply<uint64_t>(places,
                                                  sizeOf(op.getResult(), dim));
    return channels >= leastChannels && op.getFeatureGroupCount() == 1 &&
           (hasChannelsLast() || hasRowsLast()) &&
           sizeOf(op.getLhs(), numbers.getInputBatchDimension()) == channels &&
           sizeOf(op.getRhs(), numbers.getKernelOutputFeatureDimension()) ==
               channels &&
           0 < places && places <= mostPlaces &&
           StablehloBuilder::typeOf(op.getRhs()).getNumElements() > 0 &&
           areOnes(op.getLhsDilation()) && !anyReversed() &&
           isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) &&
           llvm::all_of(op->getOperandTypes(), [&](Type type) {
             return getElementTypeOrSelf(type) == element;
           });
  }

  Value run() {
    Type element = getElementTypeOrSelf(op.getType());
    // Sums of narrow numbers are rounded once.
    Type wide = element.getIntOrFloatBitWidth() < 32
                    ? Type(b.builder.getF32Type())
                    : element;
    image = padded(b.convert(op.getLhs(), wide));
    gradient = b.convert(op.getRhs(), wide);
    // One kernel computes all sums from operands in memory.
    Operation *computed = b.op("stablehlo.optimization_barrier",
                               {image.getType(), gradient.getType()},
                               {image, gradient});
    image = computed->getResult(0);
    gradient = computed->getResult(1);
    SmallVector<int64_t> place(spatial());
    SmallVector<Value> sums;
    addSums(place, 0, sums);
    Value all = b.concatenate(sums, 0);
    // The places of the window in their order, then the channels.
    SmallVector<int64_t> shape;
    for (int64_t dim : numbers.getOutputSpatialDimensions())
      shape.push_back(sizeOf(op.getResult(), dim));
    shape.push_back(channels);
    RankedTensorType type = StablehloBuilder::typeOf(op.getResult());
    SmallVector<int64_t> order;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != int64_t(numbers.getOutputBatchDimension()))
        order.push_back(positionOf(dim));
    all = b.transpose(b.reshape(all, shape), order);
    return b.convert(b.reshape(all, type.getShape()), element);
  }

private:
  static int64_t lastOf(Value value) {
    return StablehloBuilder::typeOf(value).getRank() - 1;
  }

  size_t spatial() const { return numbers.getOutputSpatialDimensions().size(); }

  bool hasChannelsLast() {
    return numbers.getInputBatchDimension() == lastOf(op.getLhs()) &&
           numbers.getKernelOutputFeatureDimension() == lastOf(op.getRhs());
  }

  bool hasRowsLast() {
    constexpr int64_t leastPixels = 8;
    int64_t last = lastOf(op.getRhs());
    return spatial() > 0 &&
           numbers.getInputSpatialDimensions().back() == lastOf(op.getLhs()) &&
           numbers.getKernelSpatialDimensions().back() == last &&
           sizeOf(op.getRhs(), last) >= leastPixels &&
           (!op.getRhsDilation() || op.getRhsDilation()->back() == 1);
  }

  bool anyReversed() {
    return llvm::any_of(llvm::seq<size_t>(0, spatial()),
                        [&](size_t dim) { return isReversed(op, dim); });
  }

  /// Returns which dimension of the sums a result's dimension is.
  int64_t positionOf(int64_t dim) const {
    if (dim == int64_t(numbers.getOutputFeatureDimension()))
      return spatial();
    return llvm::find(numbers.getOutputSpatialDimensions(), dim) -
           numbers.getOutputSpatialDimensions().begin();
  }

  Value padded(Value value) {
    SmallVector<int64_t> low(StablehloBuilder::typeOf(value).getRank(), 0);
    SmallVector<int64_t> high(low);
    for (auto [dim, amounts] :
         llvm::zip_equal(numbers.getInputSpatialDimensions(), paddingOf(op))) {
      low[dim] = amounts.first;
      high[dim] = amounts.second;
    }
    return b.pad(value, low, high);
  }

  /// Appends the sums of all places from dimension `dim` on.
  void addSums(SmallVector<int64_t> &place, size_t dim,
               SmallVector<Value> &sums) {
    if (dim == place.size()) {
      sums.push_back(b.reshape(sumOf(place), {1, channels}));
      return;
    }
    int64_t size =
        sizeOf(op.getResult(), numbers.getOutputSpatialDimensions()[dim]);
    for (place[dim] = 0; place[dim] < size; ++place[dim])
      addSums(place, dim + 1, sums);
  }

  Value sumOf(ArrayRef<int64_t> place) {
    RankedTensorType type = StablehloBuilder::typeOf(image);
    SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
        strides(type.getRank(), 1), order(type.getRank());
    for (auto [i, dim] : llvm::enumerate(numbers.getInputSpatialDimensions())) {
      int64_t windowDim = numbers.getKernelSpatialDimensions()[i];
      starts[dim] = place[i] * numberOf(op.getWindowStrides(), i);
      strides[dim] = numberOf(op.getRhsDilation(), i);
      limits[dim] =
          starts[dim] + (sizeOf(gradient, windowDim) - 1) * strides[dim] + 1;
      order[windowDim] = dim;
    }
    order[numbers.getKernelInputFeatureDimension()] =
        numbers.getInputFeatureDimension();
    int64_t channelDim = numbers.getKernelOutputFeatureDimension();
    order[channelDim] = numbers.getInputBatchDimension();
    Value seen = b.transpose(b.slice(image, starts, limits, strides), order);
    SmallVector<int64_t> summed =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    summed.erase(summed.begin() + channelDim);
    return b.sum(b.multiply(seen, gradient), summed);
  }

  StablehloBuilder &b;
  ConvolutionOp op;
  ConvDimensionNumbersAttr numbers;
  int64_t channels;
  Value image, gradient;
};
} // namespace

static LogicalResult sumDepthwiseProducts(ConvolutionOp op,
                                          PatternRewriter &rewriter) {
  StablehloBuilder b(rewriter, op.getLoc());
  DepthwiseGradient gradient(b, op);
  if (!isStaticOp(op) || !gradient.matches())
    return failure();
  rewriter.replaceOp(op, gradient.run());
  return success();
}

//===- Gradients of patches -----------------------------------------------===//

namespace {
/// Writes a convolution over an image that zeros spread as a product of
/// matrices, if each result sees at most one pixel of the image: windows are
/// not larger than the dilation d. Pixel q and place t of the reversed window
/// then give result d * q + t + low - (window - 1).
class PatchProduct {
public:
  PatchProduct(StablehloBuilder &b, ConvolutionOp op)
      : b(b), op(op), numbers(op.getDimensionNumbers()),
        padding(paddingOf(op)) {}

  bool matches() {
    // With fewer parts, a convolution for each part of the window is as fast.
    constexpr int64_t leastParts = 17;
    Type element = getElementTypeOrSelf(op.getType());
    if (op.getFeatureGroupCount() != 1 || op.getBatchGroupCount() != 1 ||
        !areOnes(op.getWindowStrides()) || !areOnes(op.getRhsDilation()) ||
        !isa<IntegerType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
            element) ||
        element.isInteger(1) ||
        StablehloBuilder::typeOf(op.getResult()).getNumElements() == 0)
      return false;
    int64_t parts = 1;
    for (size_t i = 0; i < padding.size(); ++i) {
      parts = llvm::SaturatingMultiply<uint64_t>(parts, dilation(i));
      if (window(i) > dilation(i) || offset(i) > 0 || rest(i) > 0 ||
          pixels(i) == 0)
        return false;
    }
    return parts >= leastParts;
  }

  Value run() {
    Value weights = spreadWeights();
    int64_t feature = numbers.getInputFeatureDimension(),
            input = numbers.getKernelInputFeatureDimension();
    Type element = getElementTypeOrSelf(op.getType());
    Value product =
        b.dotGeneral(op.getLhs(), weights, {}, {}, {feature}, {input}, element,
                     op->getAttr("precision_config"));
    int64_t free = StablehloBuilder::typeOf(op.getLhs()).getRank() - 1;
    auto inImage = [&](int64_t dim) { return dim - (dim > feature); };
    auto inWeights = [&](int64_t dim) { return free + dim - (dim > input); };
    if (isa<FloatType>(element))
      product = b.add(product, zerosSeen(weights, product, free));
    SmallVector<int64_t> order, shape, starts, limits;
    RankedTensorType type = StablehloBuilder::typeOf(op.getResult());
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      shape.push_back(type.getDimSize(dim));
      starts.push_back(0);
      if (dim == int64_t(numbers.getOutputBatchDimension())) {
        order.push_back(inImage(numbers.getInputBatchDimension()));
      } else if (dim == int64_t(numbers.getOutputFeatureDimension())) {
        order.push_back(inWeights(numbers.getKernelOutputFeatureDimension()));
      } else {
        size_t i = llvm::find(numbers.getOutputSpatialDimensions(), dim) -
                   numbers.getOutputSpatialDimensions().begin();
        order.push_back(inImage(numbers.getInputSpatialDimensions()[i]));
        order.push_back(inWeights(numbers.getKernelSpatialDimensions()[i]));
        shape.back() = pixels(i) * dilation(i);
        starts.back() = -offset(i);
      }
      limits.push_back(starts.back() + type.getDimSize(dim));
    }
    return b.slice(b.reshape(b.transpose(product, order), shape), starts,
                   limits);
  }

private:
  int64_t dilation(size_t i) { return numberOf(op.getLhsDilation(), i); }
  int64_t window(size_t i) {
    return sizeOf(op.getRhs(), numbers.getKernelSpatialDimensions()[i]);
  }
  int64_t pixels(size_t i) {
    return sizeOf(op.getLhs(), numbers.getInputSpatialDimensions()[i]);
  }
  /// Returns where the first pixel's place 0 lies in the result.
  int64_t offset(size_t i) { return padding[i].first - window(i) + 1; }
  /// Returns by how much the result ends after the last pixel's places.
  int64_t rest(size_t i) {
    int64_t size =
        sizeOf(op.getResult(), numbers.getOutputSpatialDimensions()[i]);
    return size - offset(i) - pixels(i) * dilation(i);
  }

  /// Returns the weights, reversed, in windows as large as the dilation.
  Value spreadWeights() {
    Value weights = op.getRhs();
    SmallVector<int64_t> reversed,
        high(StablehloBuilder::typeOf(weights).getRank(), 0);
    for (auto [i, dim] :
         llvm::enumerate(numbers.getKernelSpatialDimensions())) {
      if (!isReversed(op, i))
        reversed.push_back(dim);
      high[dim] = dilation(i) - window(i);
    }
    weights =
        b.value("stablehlo.reverse", weights.getType(), {weights},
                {b.builder.getNamedAttr(
                    "dimensions", b.builder.getDenseI64ArrayAttr(reversed))});
    return b.pad(weights, SmallVector<int64_t>(high.size(), 0), high);
  }

  /// Returns what the other places add to each element of the product, whose
  /// first dimensions are the image's: zero, or NaN if a weight there is not
  /// finite.
  Value zerosSeen(Value weights, Value product, int64_t free) {
    RankedTensorType whole = StablehloBuilder::typeOf(weights);
    int64_t input = numbers.getKernelInputFeatureDimension();
    Value zeros = b.sum(b.multiply(weights, b.splat(whole, 0)), {input});
    Value isNan = b.convert(b.compare(ComparisonDirection::NE, zeros, zeros),
                            b.builder.getI32Type());
    SmallVector<int64_t> places;
    for (int64_t dim : numbers.getKernelSpatialDimensions())
      places.push_back(dim - (dim > input));
    llvm::sort(places);
    int64_t output = numbers.getKernelOutputFeatureDimension();
    Value others = b.broadcastInDim(b.sum(isNan, places),
                                    StablehloBuilder::typeOf(isNan).getShape(),
                                    {output - (output > input)});
    others = b.subtract(others, isNan);
    RankedTensorType type = StablehloBuilder::typeOf(zeros).clone(
        getElementTypeOrSelf(product.getType()));
    Value seen =
        b.select(b.compare(ComparisonDirection::GT, others,
                           b.splat(StablehloBuilder::typeOf(others), 0)),
                 b.splat(type, std::nan("")), b.splat(type, 0));
    RankedTensorType result = StablehloBuilder::typeOf(product);
    return b.broadcastInDim(
        seen, result.getShape(),
        llvm::to_vector(llvm::seq<int64_t>(free, result.getRank())));
  }

  StablehloBuilder &b;
  ConvolutionOp op;
  ConvDimensionNumbersAttr numbers;
  SmallVector<std::pair<int64_t, int64_t>> padding;
};
} // namespace

static LogicalResult multiplyPatches(ConvolutionOp op,
                                     PatternRewriter &rewriter) {
  StablehloBuilder b(rewriter, op.getLoc());
  PatchProduct product(b, op);
  if (!isStaticOp(op) || !product.matches())
    return failure();
  rewriter.replaceOp(op, product.run());
  return success();
}

void populateConvolutionPatterns(RewritePatternSet &patterns) {
  addFunctions<orderDepthwiseWeights, sumDepthwiseProducts, multiplyPatches>(
      patterns);
}

} // namespace xlac::transforms
