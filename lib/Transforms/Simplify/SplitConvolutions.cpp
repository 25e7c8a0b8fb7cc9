// Splits convolutions over a dilated image, such as gradients of strided
// convolutions. With a dilation of d in one dimension, each result reads one of
// d parts of the window; at all other positions the image has zeros. These are
// d convolutions of the undilated image, each with a part of the window. Their
// results are interleaved.
#include "DilatedConvolutions.h"
#include "Expand/ExpandPatterns.h"
#include "PatternFunctions.h"
#include "StablehloBuilder.h"

#include "llvm/Support/MathExtras.h"

namespace xlac::transforms {

using llvm::SmallVector;
using mlir::RankedTensorType;
using mlir::Value;
namespace hlo = xlac::stablehlo;

namespace {

/// A spatial dimension whose result d * q + r belongs to part r.
struct SplitDim : SpatialDim {
  explicit SplitDim(const SpatialDim &dim) : SpatialDim(dim) {}

  bool splits() const {
    return dilation > 1 && stride == 1 && windowDilation == 1;
  }
  int64_t parts() const { return splits() ? dilation : 1; }
  /// Returns the number of results of each part, the last of which may be
  /// beyond the end.
  int64_t count() const { return llvm::divideCeil(result, parts()); }
  /// Returns the first window position that part `r` reads; it reads every
  /// `parts()`-th position from there on.
  int64_t first(int64_t r) const {
    return ((low - r) % parts() + parts()) % parts();
  }
  int64_t places(int64_t r) const {
    return window > first(r) ? llvm::divideCeil(window - first(r), parts()) : 0;
  }
  int64_t partLow(int64_t r) const {
    return splits() ? (low - r - first(r)) / parts() : low;
  }
  int64_t partHigh(int64_t r) const {
    return splits() ? count() - 1 + places(r) - image - partLow(r) : high;
  }
  /// Range in the window's memory of the positions of part `r`.
  int64_t begin(int64_t r) const {
    return reversed ? (window - 1 - first(r)) % parts() : first(r);
  }
  int64_t end(int64_t r) const { return reversed ? window - first(r) : window; }
  bool sees(int64_t r, int64_t place) const {
    return place >= begin(r) && place < end(r) &&
           (place - begin(r)) % parts() == 0;
  }
};

/// Emits the parts of one convolution.
class Splitting {
public:
  Splitting(StablehloBuilder &b, hlo::ConvolutionOp op,
            llvm::ArrayRef<SplitDim> dims)
      : b(b), op(op), dims(dims), residues(dims.size(), 0),
        type(StablehloBuilder::typeOf(op.getResult())) {
    SmallVector<int64_t> shape(type.getShape());
    for (const SplitDim &dim : dims)
      shape[dim.resultDim] = dim.count();
    partType = type.clone(shape);
    if (!llvm::isa<mlir::IntegerType>(type.getElementType()))
      unseen = productsWithZero();
  }

  Value run() {
    Value all = interleaved(0);
    SmallVector<int64_t> whole(type.getShape());
    for (const SplitDim &dim : dims)
      whole[dim.resultDim] = dim.count() * dim.parts();
    all = b.reshape(all, whole);
    if (llvm::ArrayRef(whole) == type.getShape())
      return all;
    return b.slice(all, SmallVector<int64_t>(whole.size(), 0), type.getShape());
  }

private:
  /// Returns, for each window position and each output feature, the sum of its
  /// weights times zero: zero, or NaN.
  Value productsWithZero() {
    Value weights = op.getRhs();
    int64_t inputDim =
        op.getDimensionNumbers().getKernelInputFeatureDimension();
    Value zero = b.splat(StablehloBuilder::typeOf(weights), 0);
    return b.convert(b.sum(b.multiply(weights, zero), {inputDim}),
                     type.getElementType());
  }

  /// Returns the parts from dimension `number` on, for the current residues.
  /// Each split dimension is followed by a dimension of the part's number.
  Value interleaved(size_t number) {
    if (number == dims.size())
      return withUnitDims(part());
    SmallVector<Value> parts;
    for (int64_t r = 0; r < dims[number].parts(); ++r) {
      residues[number] = r;
      parts.push_back(interleaved(number + 1));
    }
    return parts.size() == 1 ? parts[0]
                             : b.concatenate(parts, dilatedDim(number));
  }

  /// Returns the dimension of the part's number along dimension `number`.
  int64_t dilatedDim(size_t number) const {
    int64_t before = 0;
    for (const SplitDim &dim : dims)
      before += dim.splits() && dim.resultDim < dims[number].resultDim;
    return dims[number].resultDim + before + 1;
  }

  Value withUnitDims(Value value) {
    SmallVector<int64_t> shape;
    for (int64_t d = 0; d < partType.getRank(); ++d) {
      shape.push_back(partType.getDimSize(d));
      if (llvm::any_of(dims, [&](const SplitDim &dim) {
            return dim.splits() && dim.resultDim == d;
          }))
        shape.push_back(1);
    }
    return b.reshape(value, shape);
  }

  /// Returns the convolution with the window positions that the residues
  /// select.
  Value part() {
    RankedTensorType window = StablehloBuilder::typeOf(op.getRhs());
    SmallVector<int64_t> starts(window.getRank(), 0);
    SmallVector<int64_t> limits(window.getShape());
    SmallVector<int64_t> strides(window.getRank(), 1), padding, dilation;
    bool isEmpty = false;
    for (auto [dim, r] : llvm::zip_equal(dims, residues)) {
      starts[dim.windowDim] = dim.begin(r);
      limits[dim.windowDim] = dim.end(r);
      strides[dim.windowDim] = dim.parts();
      isEmpty |= dim.places(r) == 0;
      padding.append({dim.partLow(r), dim.partHigh(r)});
      dilation.push_back(dim.splits() ? 1 : dim.dilation);
    }
    Value result;
    if (isEmpty) {
      result = b.splat(partType, 0);
    } else {
      mlir::Builder &make = b.builder;
      Value weights = b.slice(op.getRhs(), starts, limits, strides);
      mlir::NamedAttrList attributes(op->getAttrs());
      auto pairs =
          RankedTensorType::get({int64_t(dims.size()), 2}, make.getI64Type());
      attributes.set("padding", mlir::DenseIntElementsAttr::get(
                                    pairs, llvm::ArrayRef(padding)));
      attributes.set("lhs_dilation", make.getDenseI64ArrayAttr(dilation));
      result = b.value("stablehlo.convolution", partType,
                       {op.getLhs(), weights}, attributes.getAttrs());
    }
    return unseen ? b.add(result, unseenSum()) : result;
  }

  /// Returns what the positions that the residues skip add to each feature:
  /// zero, or NaN.
  Value unseenSum() {
    hlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
    int64_t inputDim = numbers.getKernelInputFeatureDimension();
    auto behindInput = [&](int64_t dim) { return dim - (dim > inputDim); };
    RankedTensorType type = StablehloBuilder::typeOf(unseen);
    SmallVector<int64_t> summed, maskShape(type.getRank(), 1);
    for (const SplitDim &dim : dims) {
      summed.push_back(behindInput(dim.windowDim));
      maskShape[summed.back()] = dim.window;
    }
    auto bits = RankedTensorType::get(maskShape, b.builder.getI1Type());
    SmallVector<bool> isLeftOut;
    for (int64_t i = 0; i < bits.getNumElements(); ++i) {
      int64_t rest = i;
      bool seen = true;
      for (int64_t d = type.getRank() - 1; d >= 0; --d) {
        int64_t place = rest % maskShape[d];
        rest /= maskShape[d];
        for (auto [dim, r] : llvm::zip_equal(dims, residues))
          if (behindInput(dim.windowDim) == d)
            seen &= dim.sees(r, place);
      }
      isLeftOut.push_back(!seen);
    }
    Value mask =
        b.value("stablehlo.constant", bits, {},
                {b.builder.getNamedAttr(
                    "value", mlir::DenseElementsAttr::get(bits, isLeftOut))});
    auto all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    mask = b.broadcastInDim(mask, type.getShape(), all);
    llvm::sort(summed);
    Value sum = b.sum(b.select(mask, unseen, b.splat(type, 0)), summed);
    return b.broadcastInDim(sum, partType.getShape(),
                            {numbers.getOutputFeatureDimension()});
  }

  StablehloBuilder &b;
  hlo::ConvolutionOp op;
  llvm::ArrayRef<SplitDim> dims;
  SmallVector<int64_t> residues; ///< the part that is being emitted
  RankedTensorType type, partType;
  Value unseen; ///< null if all weights are integers
};

} // namespace

SmallVector<SpatialDim> spatialDims(hlo::ConvolutionOp op) {
  hlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  auto size = [](Value value, int64_t dim) {
    return StablehloBuilder::typeOf(value).getDimSize(dim);
  };
  SmallVector<int64_t> padding;
  if (auto given = op.getPadding())
    for (const llvm::APInt &amount : given->getValues<llvm::APInt>())
      padding.push_back(amount.getSExtValue());
  SmallVector<SpatialDim> dims;
  for (auto [i, imageDim] :
       llvm::enumerate(numbers.getInputSpatialDimensions())) {
    auto at = [&](std::optional<llvm::ArrayRef<int64_t>> list) {
      return list ? (*list)[i] : 1;
    };
    int64_t windowDim = numbers.getKernelSpatialDimensions()[i];
    int64_t resultDim = numbers.getOutputSpatialDimensions()[i];
    auto reversal = op.getWindowReversal();
    dims.push_back(
        {size(op.getLhs(), imageDim), size(op.getRhs(), windowDim),
         size(op.getResult(), resultDim), imageDim, windowDim, resultDim,
         at(op.getWindowStrides()), at(op.getLhsDilation()),
         at(op.getRhsDilation()), padding.empty() ? 0 : padding[2 * i],
         padding.empty() ? 0 : padding[2 * i + 1], reversal && (*reversal)[i]});
  }
  return dims;
}

bool hasElementsWithZero(hlo::ConvolutionOp op) {
  auto fits = [](Value value) {
    RankedTensorType type = StablehloBuilder::typeOf(value);
    return type.getNumElements() > 0 &&
           llvm::isa<mlir::IntegerType, mlir::ComplexType, mlir::Float64Type,
                     mlir::Float32Type, mlir::Float16Type, mlir::BFloat16Type>(
               type.getElementType());
  };
  return fits(op.getLhs()) && fits(op.getRhs()) && fits(op.getResult());
}

int64_t productsOf(hlo::ConvolutionOp op) {
  RankedTensorType weights = StablehloBuilder::typeOf(op.getRhs());
  int64_t features = weights.getDimSize(
      op.getDimensionNumbers().getKernelOutputFeatureDimension());
  return StablehloBuilder::typeOf(op.getResult()).getNumElements() *
         (weights.getNumElements() / features);
}

static mlir::LogicalResult splitDilatedImage(hlo::ConvolutionOp op,
                                             mlir::PatternRewriter &rewriter) {
  if (!isStaticOp(op) || !op.getLhsDilation() || !hasElementsWithZero(op))
    return mlir::failure();
  SmallVector<SplitDim> dims = llvm::map_to_vector(
      spatialDims(op), [](const SpatialDim &dim) { return SplitDim(dim); });
  int64_t parts = 1;
  for (const SplitDim &dim : dims)
    parts = llvm::SaturatingMultiply<uint64_t>(parts, dim.parts());
  if (parts == 1 || parts > kMostParts || productsOf(op) < kLeastSplitProducts)
    return mlir::failure();
  StablehloBuilder b(rewriter, op.getLoc());
  rewriter.replaceOp(op, Splitting(b, op, dims).run());
  return mlir::success();
}

void addConvolutionPatterns(mlir::RewritePatternSet &patterns) {
  addFunctions<splitDilatedImage>(patterns);
  patterns.add(mergeConvolutionParts, /*benefit=*/2);
}

} // namespace xlac::transforms
