// Ops that need a loop for each element: reduce, reduce_window, and dot_general
// and convolution that are not computed as a packed GEMM. Each lane is one
// element of the result.
#include "ElementEmitter.h"
#include "Kernels/KernelCost.h"
#include "Kernels/PairwiseSum.h"
#include "Kernels/ReducerBody.h"
#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

using NestBody =
    function_ref<SmallVector<Element>(ArrayRef<Value *>, ArrayRef<Element>)>;

bool ElementEmitter::emitInnerLoop(mlir::OpResult value,
                                   ArrayRef<LaneIndex> indices,
                                   Element &result) {
  mlir::Operation *op = value.getOwner();
  if (isa<DotGeneralOp>(op)) {
    result = emitDot(value, indices);
    return true;
  }
  if (isa<ConvolutionOp>(op)) {
    result = emitConvolution(value, indices)[0];
    return true;
  }
  if (!isa<ReduceOp, ReduceWindowOp>(op))
    return false;
  SmallVector<Element> all = isa<ReduceOp>(op) ? emitReduce(op, indices)
                                               : emitReduceWindow(op, indices);
  // The same loop computes the other results.
  for (auto [number, other] : llvm::enumerate(op->getResults())) {
    if (other == value)
      continue;
    remember(keyOf(other, indices), all[number]);
  }
  result = all[value.getResultNumber()];
  return true;
}

SmallVector<Element> ElementEmitter::convert(mlir::Operation *op,
                                             mlir::ValueRange values,
                                             ArrayRef<Element> elements,
                                             mlir::TypeRange wanted) {
  ScalarEmitter scalar{ir, laneCount, kernel.profile};
  SmallVector<Element> converted;
  for (auto [value, element, type] : zip(values, elements, wanted)) {
    mlir::Type from = mlir::getElementTypeOrSelf(value);
    mlir::Type to = mlir::getElementTypeOrSelf(type);
    converted.push_back(
        from == to ? element
                   : check(emitConversion(scalar, from, to, element), op, to));
  }
  return converted;
}

/// Emits a loop nest that reduces pairwise by `reducer`. Returns nothing if a
/// sequential reduction from `initial` is accurate enough.
static std::optional<SmallVector<Element>>
emitLongReduction(ElementEmitter &emitter, mlir::Region &reducer,
                  ArrayRef<int64_t> sizes, ArrayRef<Element> initial,
                  NestBody step) {
  std::optional<int64_t> block;
  if (ir::isSimpleReducer(reducer))
    block = pairwiseBlock(reducer);
  if (!isPairwise(block, elementCount(sizes)))
    return std::nullopt;
  auto combine = [&](ArrayRef<Element> left, ArrayRef<Element> right) {
    SmallVector<Element> arguments(left);
    llvm::append_range(arguments, right);
    return emitter.emitRegion(reducer, arguments);
  };
  SmallVector<Element> neutral;
  for (unsigned number = 0; number < initial.size(); ++number)
    neutral.push_back(reducerIdentity(emitter, reducer, number));
  SumNest nest{sizes, neutral, combine, block};
  return combine(initial, emitSumNest(emitter, nest, step));
}

SmallVector<Element> ElementEmitter::emitReduce(mlir::Operation *op,
                                                ArrayRef<LaneIndex> indices) {
  auto reduce = cast<ReduceOp>(op);
  mlir::TypeRange types = reduce.getBody().front().getArgumentTypes();
  SmallVector<int64_t> sizes;
  SmallVector<LaneIndex> moved;
  size_t next = 0;
  ArrayRef<int64_t> inputSizes = sizesOf(reduce.getInputs()[0]);
  for (auto [dim, size] : llvm::enumerate(inputSizes)) {
    bool reduced = llvm::is_contained(reduce.getDimensions(), int64_t(dim));
    moved.push_back(reduced ? LaneIndex() : indices[next++]);
    if (reduced)
      sizes.push_back(size);
  }
  SmallVector<Element> initial;
  for (mlir::Value value : reduce.getInitValues())
    initial.push_back(emit(value, {}));
  initial = convert(op, reduce.getInitValues(), initial, types);
  auto step = [&](ArrayRef<Value *> positions, ArrayRef<Element> carried) {
    size_t at = 0;
    for (int64_t dim = 0; dim < int64_t(moved.size()); ++dim)
      if (llvm::is_contained(reduce.getDimensions(), dim))
        moved[dim] = uniform(positions[at++]);
    SmallVector<Element> elements;
    for (mlir::Value input : reduce.getInputs())
      elements.push_back(emit(input, moved));
    SmallVector<Element> arguments(carried);
    llvm::append_range(arguments, convert(op, reduce.getInputs(), elements,
                                          types.drop_front(carried.size())));
    return emitRegion(reduce.getBody(), arguments);
  };
  if (auto sums =
          emitLongReduction(*this, reduce.getBody(), sizes, initial, step))
    return *sums;
  // Without a loop, elements that others read as well are computed once.
  constexpr int64_t mostUnrolled = 6;
  if (kernel.anySize() || elementCount(sizes) > mostUnrolled)
    return loopNest(sizes, initial, step);
  SmallVector<Element> result(initial);
  for (int64_t number = 0; number < elementCount(sizes); ++number) {
    SmallVector<Value *> positions(sizes.size());
    int64_t rest = number;
    for (size_t dim = sizes.size(); dim-- > 0; rest /= sizes[dim])
      positions[dim] = ir.getInt64(rest % sizes[dim]);
    result = step(positions, result);
  }
  return result;
}

//===- Windows ------------------------------------------------------------===//

namespace {
/// One dimension of a window of reduce_window or convolution.
struct WindowDimension {
  int64_t size = 1, stride = 1, padLow = 0, baseDilation = 1,
          windowDilation = 1;
  bool reversed = false;
};
} // namespace

static int64_t at(std::optional<ArrayRef<int64_t>> values, size_t dim,
                  int64_t otherwise) {
  return values && dim < values->size() ? (*values)[dim] : otherwise;
}

static int64_t padLow(std::optional<mlir::DenseIntElementsAttr> padding,
                      size_t dim) {
  if (!padding)
    return 0;
  return (*padding).getValues<APInt>()[{uint64_t(dim), 0}].getSExtValue();
}

namespace {
/// Position in the operand of a window.
struct WindowIndex {
  SmallVector<LaneIndex> indices; ///< clamped into bounds
  SmallVector<LaneIndex> free;    ///< not clamped
  Value *valid = nullptr;         ///< cleared for padding
  bool isDense = true;            ///< the operand has no holes

  ArrayRef<LaneIndex> freeIndices() const {
    return isDense ? ArrayRef<LaneIndex>(free) : ArrayRef<LaneIndex>();
  }
};
} // namespace

/// Sets dimension `dim` of `where` to the position of window element `inWindow`
/// in the window at `index` + `shift` of `windows`.
static void windowIndexOf(ElementEmitter &emitter, WindowIndex &where,
                          int64_t dim, const WindowDimension &window,
                          int64_t size, int64_t windows, LaneIndex index,
                          int64_t shift, Value *inWindow) {
  // Constants are added once, so that windows at different shifts share the
  // positions that they have in common.
  int64_t offset = shift * window.stride - window.padLow;
  LaneIndex position = emitter.scale(index, window.stride);
  if (auto *number = dyn_cast<ConstantInt>(inWindow)) {
    int64_t place = number->getSExtValue();
    if (window.reversed)
      place = window.size - 1 - place;
    offset += place * window.windowDilation;
  } else {
    LaneIndex place = emitter.uniform(inWindow);
    if (window.reversed)
      place = emitter.add(emitter.scale(place, -1), window.size - 1);
    position =
        emitter.add(position, emitter.scale(place, window.windowDilation));
  }
  position = emitter.add(position, offset);
  where.indices[dim] = where.free[dim] = position;
  where.isDense &= window.baseDilation == 1;
  int64_t lowest = -window.padLow;
  int64_t highest = (windows - 1) * window.stride +
                    (window.size - 1) * window.windowDilation - window.padLow;
  if (window.baseDilation == 1 && lowest >= 0 && highest < size)
    return;
  where.indices[dim] =
      emitter.undilate(position, size, window.baseDilation, where.valid);
}

/// Emits the body for all places of the innermost `sizes`, one after the other.
/// `outer` are the indices in the other dimensions.
static SmallVector<Element> unrolled(ArrayRef<Value *> outer,
                                     ArrayRef<int64_t> sizes, IRBuilder<> &ir,
                                     ArrayRef<Element> initial, NestBody body) {
  SmallVector<Element> carried(initial);
  for (int64_t number = 0, count = elementCount(sizes); number < count;
       ++number) {
    SmallVector<Value *> places(outer);
    places.resize(outer.size() + sizes.size());
    int64_t rest = number;
    for (size_t dim = sizes.size(); dim-- > 0; rest /= sizes[dim])
      places[outer.size() + dim] = ir.getInt64(rest % sizes[dim]);
    carried = body(places, carried);
  }
  return carried;
}

/// Emits a loop nest over a window. A small window is unrolled, so that values
/// shared by its rows and columns are computed once. So are the rows of a
/// larger one, or the parts of a long row.
static SmallVector<Element> overWindow(ElementEmitter &emitter,
                                       ArrayRef<int64_t> sizes,
                                       ArrayRef<Element> initial,
                                       NestBody body) {
  constexpr int64_t mostUnrolled = 64;
  int64_t mostPlaces =
      std::clamp<int64_t>(mostUnrolled / int64_t(initial.size()), 1, 9);
  if (emitter.width() == 1 || elementCount(sizes) == 0)
    return emitter.loopNest(sizes, initial, body);
  size_t loops = sizes.size();
  int64_t count = 1;
  while (loops > 0 && count * sizes[loops - 1] <= mostPlaces)
    count *= sizes[--loops];
  IRBuilder<> &ir = emitter.builder();
  if (loops == 0)
    return unrolled({}, sizes, ir, initial, body);
  ArrayRef<int64_t> inner = sizes.drop_front(loops);
  int64_t size = sizes[loops - 1], part = mostPlaces / count;
  int64_t whole = size / part * part;
  auto overParts = [&](ArrayRef<Value *> outer, ArrayRef<Element> start) {
    auto partAt = [&](Value *begin, int64_t length, ArrayRef<Element> carried) {
      SmallVector<Element> sums(carried);
      for (int64_t place = 0; place < length; ++place) {
        SmallVector<Value *> places(outer);
        places.push_back(emitter.indexMath().add(begin, place));
        sums = unrolled(places, inner, ir, sums, body);
      }
      return sums;
    };
    SmallVector<Element> sums =
        emitter.loop(ir.getInt64(0), ir.getInt64(whole), part, start,
                     [&](Value *begin, ArrayRef<Element> carried) {
                       return partAt(begin, part, carried);
                     });
    return partAt(ir.getInt64(whole), size - whole, sums);
  };
  return emitter.loopNest(sizes.take_front(loops - 1), initial, overParts);
}

SmallVector<Element>
ElementEmitter::emitReduceWindow(mlir::Operation *op,
                                 ArrayRef<LaneIndex> indices) {
  auto reduce = cast<ReduceWindowOp>(op);
  mlir::TypeRange types = reduce.getBody().front().getArgumentTypes();
  ArrayRef<int64_t> inputSizes = sizesOf(reduce.getInputs()[0]);
  ArrayRef<int64_t> resultSizes = sizesOf(op->getResult(0));
  ArrayRef<int64_t> windowSizes = reduce.getWindowDimensions();
  SmallVector<Element> initial;
  for (mlir::Value value : reduce.getInitValues())
    initial.push_back(emit(value, {}));
  SmallVector<Element> padding = initial;
  initial = convert(op, reduce.getInitValues(), initial, types);
  bool empty = llvm::is_contained(inputSizes, 0);
  auto step = [&](ArrayRef<Value *> places, ArrayRef<Element> carried) {
    WindowIndex where;
    where.indices.resize(windowSizes.size());
    where.free.resize(windowSizes.size());
    for (size_t dim = 0; dim < windowSizes.size() && !empty; ++dim) {
      WindowDimension window;
      window.size = windowSizes[dim];
      window.stride = at(reduce.getWindowStrides(), dim, 1);
      window.padLow = padLow(reduce.getPadding(), dim);
      window.baseDilation = at(reduce.getBaseDilations(), dim, 1);
      window.windowDilation = at(reduce.getWindowDilations(), dim, 1);
      windowIndexOf(*this, where, dim, window, inputSizes[dim],
                    resultSizes[dim], indices[dim], 0, places[dim]);
    }
    SmallVector<Element> elements;
    for (auto [input, pad] : zip_equal(reduce.getInputs(), padding))
      elements.push_back(empty ? pad
                               : emitWhere(where.valid, input, where.indices,
                                           where.freeIndices(), pad));
    SmallVector<Element> arguments(carried);
    llvm::append_range(arguments, convert(op, reduce.getInputs(), elements,
                                          types.drop_front(carried.size())));
    return emitRegion(reduce.getBody(), arguments);
  };
  if (auto sums = emitLongReduction(*this, reduce.getBody(), windowSizes,
                                    initial, step))
    return *sums;
  return overWindow(*this, windowSizes, initial, step);
}

//===- Contractions -------------------------------------------------------===//

/// Floats of 16 bits and fewer are accumulated in f32 and rounded once.
static mlir::Type accumulatorType(mlir::Type type) {
  auto narrow = dyn_cast<mlir::FloatType>(type);
  return narrow && narrow.getWidth() < 32
             ? mlir::Type(mlir::Float32Type::get(type.getContext()))
             : type;
}

namespace {
/// A sum of products in `type`, as loops carry it. A sum of complex products is
/// four sums of real products, which are combined at the end. Their parts are
/// rounded alike, so that they cancel where the exact terms do.
struct ProductSum {
  IRBuilder<> &ir;
  mlir::Type type;

  bool isComplex() const { return isa<mlir::ComplexType>(type); }
  SmallVector<Element> start(Element zero) const {
    return SmallVector<Element>(isComplex() ? 2 : 1, zero);
  }
  SmallVector<Element> add(ArrayRef<Element> sum, Element left,
                           Element right) const;
  /// Returns the sum of two sums of floats.
  SmallVector<Element> plus(ArrayRef<Element> left,
                            ArrayRef<Element> right) const;
  Element finish(ArrayRef<Element> sum) const;
  /// Returns a nest that sums over loops of `sizes`, from `start`. Keeps
  /// references to both and to this object.
  SumNest nest(ArrayRef<int64_t> sizes, ArrayRef<Element> start) const {
    return {sizes, start,
            [this](ArrayRef<Element> left, ArrayRef<Element> right) {
              return plus(left, right);
            },
            pairwiseBlock(type)};
  }
};
} // namespace

/// Returns the sum plus left * right. Booleans are summed with or.
SmallVector<Element> ProductSum::add(ArrayRef<Element> sum, Element left,
                                     Element right) const {
  if (isComplex()) {
    auto plus = [&](Value *before, Value *a, Value *b) {
      return ir.CreateFAdd(before, ir.CreateFMul(a, b));
    };
    return {{plus(sum[0].real, left.real, right.real),
             plus(sum[0].imag, left.real, right.imag)},
            {plus(sum[1].real, left.imag, right.imag),
             plus(sum[1].imag, left.imag, right.real)}};
  }
  if (isa<mlir::FloatType>(type))
    return {
        Element{ir.CreateIntrinsic(Intrinsic::fmuladd, {left.real->getType()},
                                   {left.real, right.real, sum[0].real})}};
  if (type.isInteger(1))
    return {
        Element{ir.CreateOr(sum[0].real, ir.CreateAnd(left.real, right.real))}};
  return {
      Element{ir.CreateAdd(sum[0].real, ir.CreateMul(left.real, right.real))}};
}

SmallVector<Element> ProductSum::plus(ArrayRef<Element> left,
                                      ArrayRef<Element> right) const {
  SmallVector<Element> sums;
  for (auto [a, b] : zip_equal(left, right))
    sums.push_back({ir.CreateFAdd(a.real, b.real),
                    a.imag ? ir.CreateFAdd(a.imag, b.imag) : nullptr});
  return sums;
}

Element ProductSum::finish(ArrayRef<Element> sum) const {
  if (!isComplex())
    return sum[0];
  return {ir.CreateFSub(sum[0].real, sum[1].real),
          ir.CreateFAdd(sum[0].imag, sum[1].imag)};
}

Element ElementEmitter::emitDot(mlir::OpResult value,
                                ArrayRef<LaneIndex> indices) {
  auto dot = cast<DotGeneralOp>(value.getOwner());
  auto numbers = dot.getDotDimensionNumbers();
  mlir::Type type = accumulatorType(mlir::getElementTypeOrSelf(value));
  SmallVector<int64_t> sizes;
  for (int64_t dim : numbers.getLhsContractingDimensions())
    sizes.push_back(sizesOf(dot.getLhs())[dim]);

  size_t batches = numbers.getLhsBatchingDimensions().size(), next = batches;
  auto fixed = [&](mlir::Value operand, ArrayRef<int64_t> batching,
                   ArrayRef<int64_t> contracting) {
    SmallVector<LaneIndex> moved(sizesOf(operand).size());
    for (size_t dim = 0; dim < moved.size(); ++dim)
      if (!llvm::is_contained(batching, int64_t(dim)) &&
          !llvm::is_contained(contracting, int64_t(dim)))
        moved[dim] = indices[next++];
    for (auto [number, dim] : llvm::enumerate(batching))
      moved[dim] = indices[number];
    return moved;
  };
  SmallVector<LaneIndex> left =
      fixed(dot.getLhs(), numbers.getLhsBatchingDimensions(),
            numbers.getLhsContractingDimensions());
  SmallVector<LaneIndex> right =
      fixed(dot.getRhs(), numbers.getRhsBatchingDimensions(),
            numbers.getRhsContractingDimensions());

  ProductSum products{ir, type};
  auto step = [&](ArrayRef<Value *> positions, ArrayRef<Element> carried) {
    for (auto [number, position] : llvm::enumerate(positions)) {
      left[numbers.getLhsContractingDimensions()[number]] = uniform(position);
      right[numbers.getRhsContractingDimensions()[number]] = uniform(position);
    }
    Element elements[] = {emit(dot.getLhs(), left), emit(dot.getRhs(), right)};
    SmallVector<Element> wide =
        convert(dot, dot->getOperands(), elements, {type, type});
    return products.add(carried, wide[0], wide[1]);
  };
  SmallVector<Element> nothing = products.start(zero(type));
  SmallVector<Element> sum =
      emitSumNest(*this, products.nest(sizes, nothing), step);
  ScalarEmitter scalar{ir, laneCount, kernel.profile};
  return roundToType(scalar, mlir::getElementTypeOrSelf(value),
                     products.finish(sum));
}

namespace {
/// Emits the factors of one product of a convolution.
class ConvolutionFactors {
public:
  /// `indices` are those of the result; elementsAt() adds `shift` to the one of
  /// dimension `blockDim`.
  ConvolutionFactors(ElementEmitter &emitter, mlir::OpResult value,
                     ArrayRef<LaneIndex> indices, int64_t blockDim);

  /// Sizes of the window, and the number of input features of a group.
  ArrayRef<int64_t> sizes() const { return windowSizes; }
  /// The elements of the input and of the window at these places of the window.
  /// The last place is an input feature of the group.
  std::array<Element, 2> elementsAt(ArrayRef<Value *> places, int64_t shift);

private:
  WindowDimension windowDimension(size_t number);

  ElementEmitter &emitter;
  ConvolutionOp op;
  stablehlo::ConvDimensionNumbersAttr numbers;
  ArrayRef<int64_t> resultSizes;
  SmallVector<int64_t> windowSizes;
  SmallVector<LaneIndex> indices;
  int64_t blockDim;
  LaneIndex feature, batch, firstFeature;
};
} // namespace

ConvolutionFactors::ConvolutionFactors(ElementEmitter &emitter,
                                       mlir::OpResult value,
                                       ArrayRef<LaneIndex> given,
                                       int64_t blockDim)
    : emitter(emitter), op(cast<ConvolutionOp>(value.getOwner())),
      numbers(op.getDimensionNumbers()), resultSizes(sizesOf(value)),
      indices(given), blockDim(blockDim),
      feature(indices[numbers.getOutputFeatureDimension()]),
      batch(indices[numbers.getOutputBatchDimension()]),
      firstFeature(emitter.uniform(int64_t(0))) {
  ArrayRef<int64_t> kernelSizes = sizesOf(op.getRhs());
  for (int64_t dim : numbers.getKernelSpatialDimensions())
    windowSizes.push_back(kernelSizes[dim]);
  windowSizes.push_back(kernelSizes[numbers.getKernelInputFeatureDimension()]);
  int64_t features = resultSizes[numbers.getOutputFeatureDimension()];
  auto groupOf = [&](int64_t groups) {
    return emitter.divide(feature, features / groups).first;
  };
  if (int64_t groups = op.getFeatureGroupCount(); groups > 1)
    firstFeature = emitter.scale(groupOf(groups), windowSizes.back());
  if (int64_t groups = op.getBatchGroupCount(); groups > 1) {
    int64_t batches = resultSizes[numbers.getOutputBatchDimension()];
    batch = emitter.add(emitter.scale(groupOf(groups), batches), batch);
  }
}

WindowDimension ConvolutionFactors::windowDimension(size_t number) {
  WindowDimension window;
  window.size = windowSizes[number];
  window.stride = at(op.getWindowStrides(), number, 1);
  window.padLow = padLow(op.getPadding(), number);
  window.baseDilation = at(op.getLhsDilation(), number, 1);
  window.windowDilation = at(op.getRhsDilation(), number, 1);
  window.reversed = op.getWindowReversal() && (*op.getWindowReversal())[number];
  return window;
}

std::array<Element, 2> ConvolutionFactors::elementsAt(ArrayRef<Value *> places,
                                                      int64_t shift) {
  ArrayRef<int64_t> inputSizes = sizesOf(op.getLhs());
  WindowIndex where;
  where.indices.resize(inputSizes.size());
  where.free.resize(inputSizes.size());
  SmallVector<LaneIndex> right(inputSizes.size());
  size_t spatial = places.size() - 1;
  for (size_t number = 0; number < spatial; ++number) {
    int64_t inputDim = numbers.getInputSpatialDimensions()[number];
    int64_t resultDim = numbers.getOutputSpatialDimensions()[number];
    windowIndexOf(emitter, where, inputDim, windowDimension(number),
                  inputSizes[inputDim], resultSizes[resultDim],
                  indices[resultDim], resultDim == blockDim ? shift : 0,
                  places[number]);
    right[numbers.getKernelSpatialDimensions()[number]] =
        emitter.uniform(places[number]);
  }
  auto fixed = [&](int64_t dim, LaneIndex index) {
    where.indices[dim] = where.free[dim] = index;
  };
  LaneIndex inputFeature = emitter.uniform(places[spatial]);
  fixed(numbers.getInputBatchDimension(), batch);
  fixed(numbers.getInputFeatureDimension(),
        emitter.add(firstFeature, inputFeature));
  right[numbers.getKernelInputFeatureDimension()] = inputFeature;
  right[numbers.getKernelOutputFeatureDimension()] = feature;
  mlir::Value input = op.getLhs();
  return {emitter.emitWhere(where.valid, input, where.indices,
                            where.freeIndices(),
                            emitter.zero(mlir::getElementTypeOrSelf(input))),
          emitter.emit(op.getRhs(), right)};
}

SmallVector<Element> ElementEmitter::emitConvolution(mlir::OpResult value,
                                                     ArrayRef<LaneIndex> given,
                                                     int64_t blockDim,
                                                     int64_t block) {
  auto op = cast<ConvolutionOp>(value.getOwner());
  mlir::Type element = mlir::getElementTypeOrSelf(value);
  mlir::Type type = accumulatorType(element);
  ConvolutionFactors factors(*this, value, normalize(value, given), blockDim);
  ScalarEmitter scalar{ir, laneCount, kernel.profile};
  // A sum of nothing, which is rounded as every sum: f8E8M0FNU has no zero.
  if (llvm::is_contained(sizesOf(op.getLhs()), 0))
    return SmallVector<Element>(block,
                                roundToType(scalar, element, zero(type)));

  ProductSum products{ir, type};
  SmallVector<Element> nothing = products.start(zero(type));
  size_t parts = nothing.size();
  for (int64_t shift = 1; shift < block; ++shift)
    nothing.append(products.start(zero(type)));
  auto step = [&](ArrayRef<Value *> places, ArrayRef<Element> carried) {
    SmallVector<Element> sums;
    for (int64_t shift = 0; shift < block; ++shift) {
      SmallVector<Element> wide =
          convert(op, op->getOperands(), factors.elementsAt(places, shift),
                  {type, type});
      sums.append(
          products.add(carried.slice(shift * parts, parts), wide[0], wide[1]));
    }
    return sums;
  };
  ArrayRef<int64_t> sizes = factors.sizes();
  SumNest nest = products.nest(sizes, nothing);
  SmallVector<Element> sums = isPairwise(nest.block, elementCount(sizes))
                                  ? emitSumNest(*this, nest, step)
                                  : overWindow(*this, sizes, nothing, step);
  SmallVector<Element> results;
  for (int64_t shift = 0; shift < block; ++shift)
    results.push_back(roundToType(
        scalar, element,
        products.finish(ArrayRef(sums).slice(shift * parts, parts))));
  return results;
}

} // namespace xlac::codegen
