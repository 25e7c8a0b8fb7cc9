// Replaces a select_and_scatter that adds, the gradient of a pooling by
// maximum, by loops over whole tensors. They run in vectors and on all threads;
// a scatter of overlapping windows does neither.
//
// First, the number of the place that each window selects is found, in the
// order of select_and_scatter. Then, with a stride of s in one dimension and no
// padding, element s * q + r lies in window q at place r, in window q - 1 at
// place s + r, and so on. The elements of one remainder r are one part: each
// adds the sources of those of its windows that selected it. The parts are
// interleaved.
#include "PatternFunctions.h"
#include "SimplifyPatterns.h"
#include "WidenBody.h"

#include "xlac/Dialect/Xlac/Reducer.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {

namespace {

/// Most places of a window, and combinations of remainders, for which code
/// is written out.
constexpr int64_t kMostPlaces = 25, kMostRemainders = 16;
/// Fewest elements of the operand for which more code pays off.
constexpr int64_t kLeastElements = 1 << 11;

/// One dimension of the operand.
struct WindowDim {
  int64_t operand, windows;  ///< sizes of the operand and the source
  int64_t places, stride;    ///< of a window
  int64_t low = 0, high = 0; ///< padding

  int64_t start = 0, result = 0; ///< the range of the operand that is read

  int64_t padded() const { return low + operand + high; }
  /// Returns the number of elements of each part, the last of which may be
  /// beyond the end.
  int64_t partSize() const { return llvm::divideCeilSigned(result, stride); }
  /// Returns the place that element 0 of part `r` has in the last window that
  /// contains it.
  int64_t firstPlace(int64_t r) const { return (low + start + r) % stride; }
  /// Returns the number of that window.
  int64_t firstWindow(int64_t r) const { return (low + start + r) / stride; }
  /// Returns the number of places of a window that belong to part `r`.
  int64_t placesOfPart(int64_t r) const {
    int64_t first = firstPlace(r);
    return first < places ? llvm::divideCeilSigned(places - first, stride) : 0;
  }
};

/// Returns the only reader of the op if it takes a part of the result. JAX
/// removes padding in this way.
SliceOp sliceOf(SelectAndScatterOp op) {
  if (!op->hasOneUse())
    return nullptr;
  auto slice = dyn_cast<SliceOp>(*op->user_begin());
  if (!slice || !llvm::all_of(slice.getStrides(),
                              [](int64_t stride) { return stride == 1; }))
    return nullptr;
  return slice;
}

SmallVector<WindowDim> windowDims(SelectAndScatterOp op) {
  SmallVector<int64_t> padding;
  if (auto given = op.getPadding())
    for (const APInt &amount : given->getValues<APInt>())
      padding.push_back(amount.getSExtValue());
  SmallVector<WindowDim> dims;
  RankedTensorType source = StablehloBuilder::typeOf(op.getSource());
  for (auto [d, size] :
       llvm::enumerate(StablehloBuilder::typeOf(op.getOperand()).getShape())) {
    auto at = [&](std::optional<ArrayRef<int64_t>> list) {
      return list ? (*list)[d] : 1;
    };
    WindowDim dim{size, source.getDimSize(d), at(op.getWindowDimensions()),
                  at(op.getWindowStrides())};
    if (!padding.empty()) {
      dim.low = padding[2 * d];
      dim.high = padding[2 * d + 1];
    }
    dim.result = size;
    if (SliceOp slice = sliceOf(op)) {
      dim.start = slice.getStartIndices()[d];
      dim.result = StablehloBuilder::typeOf(slice.getResult()).getDimSize(d);
    }
    dims.push_back(dim);
  }
  return dims;
}

/// Emits the loops of one select_and_scatter.
class SelectionSplit {
public:
  SelectionSplit(StablehloBuilder &b, SelectAndScatterOp op,
                 ArrayRef<WindowDim> dims)
      : b(b), op(op), dims(dims), source(op.getSource()),
        sourceType(StablehloBuilder::typeOf(source)),
        remainders(dims.size(), 0) {
    SmallVector<int64_t> shape;
    for (const WindowDim &dim : dims)
      shape.push_back(dim.partSize());
    partType = sourceType.clone(shape);
  }

  Value run() {
    selected = selectedPlaces();
    // Windows that overlap read both several times.
    if (llvm::any_of(dims, [](const WindowDim &dim) {
          return dim.places > dim.stride;
        })) {
      Operation *computed =
          b.op("stablehlo.optimization_barrier",
               {selected.getType(), source.getType()}, {selected, source});
      selected = computed->getResult(0);
      source = computed->getResult(1);
    }
    SmallVector<int64_t> whole, limits;
    for (const WindowDim &dim : dims) {
      whole.push_back(dim.partSize() * dim.stride);
      limits.push_back(dim.result);
    }
    return b.slice(b.reshape(interleaved(0), whole),
                   SmallVector<int64_t>(dims.size(), 0), limits);
  }

private:
  IntegerType numberType() { return b.builder.getI32Type(); }

  /// Returns the place with this number in each dimension.
  SmallVector<int64_t> placeOf(int64_t number) const {
    SmallVector<int64_t> place(dims.size());
    for (size_t d = dims.size(); d-- > 0; number /= dims[d].places)
      place[d] = number % dims[d].places;
    return place;
  }

  int64_t numberOf(ArrayRef<int64_t> place) const {
    int64_t number = 0;
    for (auto [dim, at] : llvm::zip_equal(dims, place))
      number = number * dim.places + at;
    return number;
  }

  /// Returns the operand's element at one place of each window.
  Value elementsAt(Value padded, ArrayRef<int64_t> place) {
    SmallVector<int64_t> limits, strides;
    for (auto [dim, at] : llvm::zip_equal(dims, place)) {
      limits.push_back(at + dim.stride * (dim.windows - 1) + 1);
      strides.push_back(dim.stride);
    }
    return b.slice(padded, place, limits, strides);
  }

  /// Returns whether each window's place is inside of the operand; null if all
  /// are.
  Value isInside(ArrayRef<int64_t> place) {
    Value inside;
    auto require = [&](Value condition) {
      inside = inside ? b.logicalAnd(inside, condition) : condition;
    };
    RankedTensorType type = sourceType.clone(numberType());
    for (auto [d, dim] : llvm::enumerate(dims)) {
      int64_t first = place[d] - dim.low;
      int64_t last = first + dim.stride * (dim.windows - 1);
      Value index;
      if (first < 0 || last >= dim.operand)
        index = b.multiply(b.iota(type, d), b.splat(type, dim.stride));
      if (first < 0)
        require(
            b.compare(ComparisonDirection::GE, index, b.splat(type, -first)));
      if (last >= dim.operand)
        require(b.compare(ComparisonDirection::LT, index,
                          b.splat(type, dim.operand - first)));
    }
    return inside;
  }

  Value logicalNot(Value value) {
    return b.value("stablehlo.not", value.getType(), {value});
  }
  Value logicalOr(Value a, Value c) {
    return b.value("stablehlo.or", a.getType(), {a, c});
  }

  /// Returns the operand with its padding, whose value is never selected.
  Value paddedOperand() {
    SmallVector<int64_t> low, high;
    for (const WindowDim &dim : dims) {
      low.push_back(dim.low);
      high.push_back(dim.high);
    }
    return b.pad(op.getOperand(), low, high);
  }

  /// Returns the number of the place that each window selects. The first place
  /// inside of the operand is selected until another one replaces it.
  Value selectedPlaces() {
    int64_t count = 1;
    for (const WindowDim &dim : dims)
      count *= dim.places;
    Value padded = paddedOperand();
    RankedTensorType type = sourceType.clone(numberType());
    SmallVector<int64_t> first = placeOf(0);
    Value best = elementsAt(padded, first), number = b.splat(type, 0);
    Value hasBest = isInside(first); // null: every window has one
    for (int64_t next = 1; next < count; ++next) {
      SmallVector<int64_t> place = placeOf(next);
      Value element = elementsAt(padded, place), inside = isInside(place);
      Value replaces =
          logicalNot(widenBody(b, op.getSelect().front(), {best, element},
                               sourceType.getShape())[0]);
      if (hasBest)
        replaces = logicalOr(replaces, logicalNot(hasBest));
      if (inside)
        replaces = b.logicalAnd(replaces, inside);
      best = b.select(replaces, element, best);
      number = b.select(replaces, b.splat(type, double(next)), number);
      if (hasBest)
        hasBest = inside ? logicalOr(hasBest, inside) : Value();
    }
    return number;
  }

  /// Returns the part of the current remainders. It adds windows in their
  /// order.
  Value part() {
    SmallVector<int64_t> counts;
    int64_t all = 1;
    for (auto [dim, r] : llvm::zip_equal(dims, remainders)) {
      counts.push_back(dim.placesOfPart(r));
      all *= counts.back();
    }
    Value sum = b.splat(partType, 0);
    for (int64_t term = 0; term < all; ++term) {
      SmallVector<int64_t> place(dims.size()), low(place), high(place);
      int64_t rest = all - 1 - term;
      bool isEmpty = false;
      for (size_t d = dims.size(); d-- > 0; rest /= counts[d]) {
        const WindowDim &dim = dims[d];
        int64_t r = remainders[d], back = rest % counts[d];
        place[d] = dim.firstPlace(r) + dim.stride * back;
        low[d] = back - dim.firstWindow(r);
        high[d] = dim.partSize() - dim.windows - low[d];
        isEmpty |= low[d] >= dim.partSize() || -low[d] >= dim.windows;
      }
      if (isEmpty)
        continue;
      Value isSelected = b.compare(
          ComparisonDirection::EQ, selected,
          b.splat(StablehloBuilder::typeOf(selected), numberOf(place)));
      Value added = b.select(isSelected, source, b.splat(sourceType, 0));
      sum = b.add(sum, b.pad(added, low, high));
    }
    return sum;
  }

  /// Returns the parts from dimension `d` on, for the current remainders.
  /// Each dimension is followed by a dimension of the remainder.
  Value interleaved(size_t d) {
    if (d == dims.size()) {
      SmallVector<int64_t> shape;
      for (int64_t size : partType.getShape())
        shape.append({size, 1});
      return b.reshape(part(), shape);
    }
    SmallVector<Value> parts;
    for (int64_t r = 0; r < dims[d].stride; ++r) {
      remainders[d] = r;
      parts.push_back(interleaved(d + 1));
    }
    return parts.size() == 1 ? parts[0] : b.concatenate(parts, 2 * d + 1);
  }

  StablehloBuilder &b;
  SelectAndScatterOp op;
  ArrayRef<WindowDim> dims;
  Value source;
  RankedTensorType sourceType, partType;
  Value selected;                  ///< numbers of places
  SmallVector<int64_t> remainders; ///< of the part that is being emitted
};

} // namespace

/// Returns whether the op adds to zeros, and selects by ops that exist for
/// whole tensors.
static bool addsToZeros(SelectAndScatterOp op) {
  Type element = getElementTypeOrSelf(op.getType());
  Block &select = op.getSelect().front(), &scatter = op.getScatter().front();
  if (!isa<IntegerType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
          element) ||
      element.isInteger(1) || !ir::isSimpleReducer(op.getScatter()) ||
      !scatter.getTerminator()->getOperand(0).getDefiningOp<AddOp>() ||
      !llvm::all_of(select.without_terminator(),
                    [](Operation &inner) { return canWiden(&inner); }))
    return false;
  auto hasElement = [&](Value value) {
    return getElementTypeOrSelf(value) == element;
  };
  DenseElementsAttr initial = constantOf(op.getInitValue());
  Builder builder(op.getContext());
  return llvm::all_of(select.getArguments(), hasElement) &&
         llvm::all_of(scatter.getArguments(), hasElement) && initial &&
         initial.getSplatValue<Attribute>() == builder.getZeroAttr(element);
}

static LogicalResult splitSelection(SelectAndScatterOp op,
                                    PatternRewriter &rewriter) {
  if (!isStaticOp(op) || !addsToZeros(op) ||
      StablehloBuilder::typeOf(op.getOperand()).getNumElements() <
          kLeastElements ||
      StablehloBuilder::typeOf(op.getSource()).getNumElements() == 0)
    return failure();
  SmallVector<WindowDim> dims = windowDims(op);
  int64_t places = 1, parts = 1;
  for (const WindowDim &dim : dims) {
    if (dim.low < 0 || dim.high < 0 || dim.padded() > INT32_MAX ||
        dim.result == 0)
      return failure();
    places = llvm::SaturatingMultiply<uint64_t>(places, dim.places);
    parts = llvm::SaturatingMultiply<uint64_t>(parts, dim.stride);
  }
  if (places < 2 || places > kMostPlaces || parts > kMostRemainders)
    return failure();
  StablehloBuilder b(rewriter, op.getLoc());
  Value result = SelectionSplit(b, op, dims).run();
  if (SliceOp slice = sliceOf(op))
    rewriter.replaceOp(slice, result);
  else
    rewriter.replaceOp(op, result);
  return success();
}

void populateSelectionPatterns(RewritePatternSet &patterns) {
  addFunctions<splitSelection>(patterns);
}

} // namespace xlac::transforms
