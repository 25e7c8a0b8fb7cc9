#include "FusionCost.h"

#include "Buffers/BufferPlanner.h"

#include "xlac/Dialect/Stablehlo/OpCost.h"
#include "xlac/Dialect/Xlac/Contraction.h"
#include "xlac/Dialect/Xlac/Reducer.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace xlac::transforms {

SmallVector<Value> valuesReadBy(Operation *op) {
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return read.takeVector();
}

/// Constants up to this size are cloned into the kernels that read them.
static constexpr int64_t kKernelConstantBytes = 4096;
/// Below this number of elements, strided reads stay in the first-level cache.
static constexpr int64_t kHeavyTranspose = 4096;

/// Returns whether a reduction of innermost dimensions has many rows that are
/// shorter than a vector. Each lane then reduces a row of its own.
static bool reducesShortRows(stablehlo::ReduceOp reduce) {
  constexpr int64_t longestRow = 6, fewestRows = 64;
  auto type = dyn_cast<RankedTensorType>(reduce.getInputs()[0].getType());
  if (!type || !type.hasStaticShape())
    return false;
  int64_t row = 1, rows = 1;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    bool isReduced = llvm::is_contained(reduce.getDimensions(), int64_t(dim));
    if (!isReduced && size != 1 && row != 1)
      return false;
    (isReduced ? row : rows) *= size;
  }
  return row > 1 && row <= longestRow && rows >= fewestRows;
}

FusionRole roleOf(Operation *op) {
  if (isa<stablehlo::ConstantOp>(op))
    return FusionRole::Constant;
  if (isBufferAlias(op))
    return FusionRole::Alias;
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return reducesShortRows(reduce) ? FusionRole::Loop : FusionRole::Reduction;
  if (ir::isContractionSupported(op))
    return FusionRole::Contraction;
  if (isa<stablehlo::ScatterOp, stablehlo::SelectAndScatterOp>(op))
    return FusionRole::Scatter;
  if (isa<stablehlo::SortOp>(op))
    return FusionRole::Sort;
  if (ir::describeScan(op))
    return FusionRole::Scan;
  if (isa<stablehlo::FftOp, stablehlo::TriangularSolveOp,
          stablehlo::CholeskyOp>(op))
    return FusionRole::Library;
  if (isElementwise(op) ||
      isa<stablehlo::BroadcastInDimOp, stablehlo::TransposeOp,
          stablehlo::SliceOp, stablehlo::ReverseOp, stablehlo::PadOp,
          stablehlo::ConcatenateOp, stablehlo::IotaOp,
          stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp,
          stablehlo::GatherOp, stablehlo::BitcastConvertOp,
          stablehlo::ReduceWindowOp, stablehlo::DotGeneralOp,
          stablehlo::ConvolutionOp, stablehlo::RngBitGeneratorOp>(op))
    return FusionRole::Loop;
  return FusionRole::Control;
}

bool isElementwise(Operation *op) {
  return isa<stablehlo::SelectOp, stablehlo::ClampOp>(op) ||
         (op->hasTrait<stablehlo::Elementwise>() && op->getNumRegions() == 0 &&
          op->getNumResults() == 1);
}

int64_t elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

int64_t elementsOf(Operation *op) {
  return op->getNumResults() ? elementsOf(op->getResult(0)) : 0;
}

double resultBytes(Operation *op) {
  double total = 0;
  for (Type type : op->getResultTypes())
    total += bufferSize(type).value_or(0);
  return total;
}

//===- Cost ---------------------------------------------------------------===//

static double ratio(double many, double few) {
  return few > 0 ? many / few : many;
}

static double windowSize(Operation *op) {
  double size = 1;
  if (ir::describeScan(op))
    return size;
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op))
    for (int64_t extent : window.getWindowDimensions())
      size *= extent;
  return size;
}

/// Returns K: the number of elements that one element of a contraction sums
/// over.
static double gemmK(Operation *op) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
    auto type = cast<ShapedType>(dot.getLhs().getType());
    double depth = 1;
    for (int64_t dim :
         dot.getDotDimensionNumbers().getLhsContractingDimensions())
      depth *= type.getDimSize(dim);
    return depth;
  }
  auto convolution = cast<stablehlo::ConvolutionOp>(op);
  auto type = cast<ShapedType>(convolution.getRhs().getType());
  int64_t features = type.getDimSize(
      convolution.getDimensionNumbers().getKernelOutputFeatureDimension());
  return ratio(elementsOf(convolution.getRhs()), features);
}

double elementCost(Operation *op) {
  // Each lane computes whether and where it has an element.
  constexpr double costOfDilation = 16;
  if (isDilatingPad(op))
    return costOfDilation;
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    double reducer = 1;
    for (Operation &step : window.getBody().front().without_terminator())
      reducer += costPerElement(&step);
    return reducer * windowSize(op);
  }
  if (isa<stablehlo::ReduceOp>(op))
    return ratio(elementsOf(op->getOperand(0)), elementsOf(op));
  if (isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op))
    return 2 * gemmK(op);
  return costPerElement(op);
}

double demand(Operation *op, unsigned number) {
  Value operand = op->getOperand(number);
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    auto type = cast<ShapedType>(broadcast.getType());
    auto from = cast<ShapedType>(operand.getType());
    // The innermost dimension larger than 1.
    int64_t inner = type.getRank() - 1;
    while (inner >= 0 && type.getDimSize(inner) == 1)
      --inner;
    if (inner < 0)
      return 1;
    ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
    for (auto [i, dim] : llvm::enumerate(dims))
      if (dim == inner && from.getDimSize(i) != 1)
        return 1;
    return 1.0 / std::max<int64_t>(type.getDimSize(inner), 1);
  }
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return number < reduce.getInputs().size()
               ? ratio(elementsOf(operand), elementsOf(op))
               : 1;
  if (isa<stablehlo::ReduceWindowOp>(op))
    return number < op->getNumOperands() / 2 ? windowSize(op) : 1;
  if (isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op))
    return gemmK(op);
  // The start indices of a slice are the same for all elements.
  if (isa<stablehlo::DynamicSliceOp>(op))
    return number == 0 ? 1 : ratio(1, elementsOf(op));
  if (isa<stablehlo::DynamicUpdateSliceOp>(op))
    return number == 0   ? 1
           : number == 1 ? ratio(elementsOf(operand), elementsOf(op))
                         : ratio(1, elementsOf(op));
  // An element comes from one of the operands.
  if (isa<stablehlo::ConcatenateOp>(op))
    return ratio(elementsOf(operand), elementsOf(op));
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    return number == 0 ? 1 : ratio(elementsOf(operand), elementsOf(op));
  if (isa<stablehlo::SortOp, stablehlo::ScatterOp,
          stablehlo::SelectAndScatterOp>(op))
    return ratio(elementsOf(operand), elementsOf(op));
  if (isElementwise(op) && elementsOf(operand) < elementsOf(op))
    return ratio(elementsOf(operand), elementsOf(op));
  return 1;
}

//===- Kinds of op --------------------------------------------------------===//

bool isKernelConstant(Operation *op) {
  auto constant = dyn_cast_or_null<stablehlo::ConstantOp>(op);
  if (!constant)
    return false;
  auto elements = dyn_cast<ElementsAttr>(constant.getValue());
  return elements &&
         (elements.isSplat() || resultBytes(op) <= kKernelConstantBytes);
}

bool isDilatingPad(Operation *op) {
  auto pad = dyn_cast_or_null<stablehlo::PadOp>(op);
  return pad && llvm::any_of(pad.getInteriorPadding(),
                             [](int64_t amount) { return amount != 0; });
}

bool isFreeToRepeat(Operation *op) {
  if (isa<stablehlo::IotaOp>(op))
    return true;
  // It reads fewer bytes than it writes.
  if (isa<stablehlo::BroadcastInDimOp>(op))
    return true;
  if (isa<stablehlo::SliceOp, stablehlo::ReverseOp>(op))
    return true;
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op))
    return !isHeavyTranspose(op);
  return false;
}

/// Returns true if every dimension of the result is a part of one dimension of
/// the operand: dimensions are split, but not collapsed.
static bool onlySplits(stablehlo::ReshapeOp reshape) {
  ArrayRef<int64_t> from =
      cast<ShapedType>(reshape.getOperand().getType()).getShape();
  ArrayRef<int64_t> to = cast<ShapedType>(reshape.getType()).getShape();
  size_t i = 0;
  int64_t left = 1;
  for (int64_t extent : to) {
    if (extent == 1)
      continue;
    while (left == 1 && i < from.size())
      left = from[i++];
    if (extent == 0 || left % extent != 0)
      return false;
    left /= extent;
  }
  return left == 1;
}

bool isStrideChange(Operation *op) {
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op))
    return onlySplits(reshape);
  return isa<stablehlo::TransposeOp, stablehlo::SliceOp, stablehlo::ReverseOp,
             stablehlo::BroadcastInDimOp>(op);
}

bool isHeavyTranspose(Operation *op) {
  auto transpose = dyn_cast<stablehlo::TransposeOp>(op);
  if (!transpose || elementsOf(op) < kHeavyTranspose)
    return false;
  // The operand's dimension that becomes the innermost, ignoring dimensions of
  // size 1.
  ArrayRef<int64_t> shape =
      cast<ShapedType>(transpose.getOperand().getType()).getShape();
  auto innermost = [&](auto dims) {
    for (int64_t dim : dims)
      if (shape[dim] != 1)
        return dim;
    return int64_t(-1);
  };
  auto order = llvm::to_vector(llvm::reverse(transpose.getPermutation()));
  auto plain =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, shape.size())));
  return innermost(order) != innermost(plain);
}

} // namespace xlac::transforms
