// Replaces convolutions that training steps contain by ops with faster kernels:
// gradients of depthwise convolutions.
#include "PatternFunctions.h"
#include "SimplifyPatterns.h"
#include "StablehloBuilder.h"

#include "mlir/IR/TypeUtilities.h"

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
    Operation *computed =
        b.op("stablehlo.optimization_barrier",
             {image.getType(), gradient.getType()}, {image, gradient});
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

void populateConvolutionPatterns(RewritePatternSet &patterns) {
  addFunctions<orderDepthwiseWeights, sumDepthwiseProducts>(patterns);
}

} // namespace xlac::transforms
