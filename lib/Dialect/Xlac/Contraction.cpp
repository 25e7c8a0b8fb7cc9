#include "xlac/Dialect/Xlac/Contraction.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using llvm::ArrayRef;

namespace xlac::ir {

bool Contraction::padsLhs() const {
  auto shape = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  return ArrayRef<int64_t>(lhsPadded) != shape ||
         llvm::any_of(lhsLow, [](int64_t low) { return low != 0; }) ||
         llvm::any_of(lhsDilation, [](int64_t step) { return step != 1; });
}

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Contraction startForm(Operation *op) {
  Contraction form;
  form.op = op;
  ArrayRef<int64_t> lhs = shapeOf(op->getOperand(0));
  form.lhsLow.assign(lhs.size(), 0);
  form.lhsDilation.assign(lhs.size(), 1);
  form.lhsPadded.assign(lhs.begin(), lhs.end());
  form.rhsStart.assign(shapeOf(op->getOperand(1)).size(), 0);
  return form;
}

static Contraction describeDot(stablehlo::DotGeneralOp op) {
  Contraction form = startForm(op);
  stablehlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  ArrayRef<int64_t> lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  ArrayRef<int64_t> lhsBatch = numbers.getLhsBatchingDimensions();
  ArrayRef<int64_t> rhsBatch = numbers.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsContracting = numbers.getLhsContractingDimensions();
  ArrayRef<int64_t> rhsContracting = numbers.getRhsContractingDimensions();
  int64_t result = 0;
  for (auto [l, r] : llvm::zip_equal(lhsBatch, rhsBatch))
    form.batch.push_back({lhs[l], l, 1, r, 1, result++, 1});
  for (int64_t l = 0; l < int64_t(lhs.size()); ++l)
    if (!llvm::is_contained(lhsBatch, l) &&
        !llvm::is_contained(lhsContracting, l))
      form.lhsFree.push_back({lhs[l], l, 1, -1, 0, result++, 1});
  for (int64_t r = 0; r < int64_t(rhs.size()); ++r)
    if (!llvm::is_contained(rhsBatch, r) &&
        !llvm::is_contained(rhsContracting, r))
      form.rhsFree.push_back({rhs[r], -1, 0, r, 1, result++, 1});
  for (auto [l, r] : llvm::zip_equal(lhsContracting, rhsContracting))
    form.contracting.push_back({lhs[l], l, 1, r, 1, -1, 0});
  return form;
}

/// Describes groups, features and batches: everything except the window.
static void describeFeatures(stablehlo::ConvolutionOp op, Contraction &form) {
  stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  ArrayRef<int64_t> lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  int64_t featureGroups = op.getFeatureGroupCount();
  int64_t batchGroups = op.getBatchGroupCount();
  int64_t batchDim = numbers.getInputBatchDimension();
  int64_t featureDim = numbers.getInputFeatureDimension();
  int64_t outDim = numbers.getKernelOutputFeatureDimension();
  int64_t inDim = numbers.getKernelInputFeatureDimension();
  int64_t resultBatch = numbers.getOutputBatchDimension();
  int64_t resultFeature = numbers.getOutputFeatureDimension();
  int64_t batches = lhs[batchDim] / batchGroups;
  int64_t features = rhs[outDim] / (featureGroups * batchGroups);
  if (featureGroups > 1)
    form.batch.push_back({featureGroups, featureDim,
                          lhs[featureDim] / featureGroups, outDim, features,
                          resultFeature, features});
  if (batchGroups > 1)
    form.batch.push_back({batchGroups, batchDim, batches, outDim, features,
                          resultFeature, features});
  form.lhsFree.push_back({batches, batchDim, 1, -1, 0, resultBatch, 1});
  form.rhsFree.push_back({features, -1, 0, outDim, 1, resultFeature, 1});
  form.contracting.push_back({rhs[inDim], featureDim, 1, inDim, 1, -1, 0});
}

static Contraction describeConvolution(stablehlo::ConvolutionOp op) {
  Contraction form = startForm(op);
  stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  ArrayRef<int64_t> rhs = shapeOf(op.getRhs());
  ArrayRef<int64_t> result = shapeOf(op.getResult());
  describeFeatures(op, form);
  llvm::SmallVector<int64_t> padding;
  if (std::optional<DenseIntElementsAttr> given = op.getPadding())
    for (const llvm::APInt &amount : given->getValues<llvm::APInt>())
      padding.push_back(amount.getSExtValue());
  ArrayRef<int64_t> spatial = numbers.getInputSpatialDimensions();
  ArrayRef<int64_t> kernelSpatial = numbers.getKernelSpatialDimensions();
  ArrayRef<int64_t> outputSpatial = numbers.getOutputSpatialDimensions();
  for (size_t i = 0; i < spatial.size(); ++i) {
    auto at = [&](std::optional<ArrayRef<int64_t>> values) {
      return values && i < values->size() ? (*values)[i] : 1;
    };
    std::optional<ArrayRef<bool>> reversal = op.getWindowReversal();
    bool reversed = reversal && i < reversal->size() && (*reversal)[i];
    int64_t low = padding.empty() ? 0 : padding[2 * i];
    int64_t high = padding.empty() ? 0 : padding[2 * i + 1];
    int64_t image = spatial[i], kernel = kernelSpatial[i];
    int64_t window = rhs[kernel];
    form.lhsLow[image] = low;
    form.lhsDilation[image] = at(op.getLhsDilation());
    int64_t dilated =
        form.lhsPadded[image] == 0
            ? 0
            : (form.lhsPadded[image] - 1) * form.lhsDilation[image] + 1;
    form.lhsPadded[image] = dilated + low + high;
    form.lhsFree.push_back({result[outputSpatial[i]], image,
                            at(op.getWindowStrides()), -1, 0, outputSpatial[i],
                            1});
    form.contracting.push_back({window, image, at(op.getRhsDilation()), kernel,
                                reversed ? -1 : 1, -1, 0});
    if (reversed)
      form.rhsStart[kernel] = window - 1;
  }
  return form;
}

/// Returns `form`. In builds with asserts, checks that its dimensions exist in
/// operands and result.
static Contraction verified(Contraction form) {
#ifndef NDEBUG
  int64_t lhsRank = shapeOf(form.op->getOperand(0)).size();
  int64_t rhsRank = shapeOf(form.op->getOperand(1)).size();
  int64_t resultRank = shapeOf(form.op->getResult(0)).size();
  for (auto *dims :
       {&form.batch, &form.lhsFree, &form.rhsFree, &form.contracting})
    for (const ContractionDim &dim : *dims)
      assert(dim.lhsDim < lhsRank && dim.rhsDim < rhsRank &&
             dim.resultDim < resultRank && "a dimension of each side");
  for (const ContractionDim &dim : form.batch)
    assert(dim.lhsDim >= 0 && dim.rhsDim >= 0 && dim.resultDim >= 0 &&
           "batch dimensions are on both sides and in the result");
  for (const ContractionDim &dim : form.lhsFree)
    assert(dim.lhsDim >= 0 && dim.rhsDim < 0 && dim.resultDim >= 0 &&
           "free dimensions of the left side are in the result");
  for (const ContractionDim &dim : form.rhsFree)
    assert(dim.lhsDim < 0 && dim.rhsDim >= 0 && dim.resultDim >= 0 &&
           "free dimensions of the right side are in the result");
  for (const ContractionDim &dim : form.contracting)
    assert(dim.lhsDim >= 0 && dim.rhsDim >= 0 && dim.resultDim < 0 &&
           "contracted dimensions are on both sides alone");
  assert(int64_t(form.lhsLow.size()) == lhsRank &&
         int64_t(form.lhsDilation.size()) == lhsRank &&
         int64_t(form.lhsPadded.size()) == lhsRank &&
         int64_t(form.rhsStart.size()) == rhsRank &&
         "padding and starts are those of all dimensions");
#endif
  return form;
}
std::optional<Contraction> describeContraction(Operation *op) {
  if (!isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op) ||
      !llvm::all_of(op->getOperandTypes(), isStaticTensor) ||
      !llvm::all_of(op->getResultTypes(), isStaticTensor))
    return std::nullopt;
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
    return verified(describeDot(dot));
  return verified(describeConvolution(cast<stablehlo::ConvolutionOp>(op)));
}

bool requestsHighestPrecision(Operation *op) {
  auto isHighest = [](std::optional<ArrayAttr> config) {
    return config && llvm::any_of(*config, [](Attribute each) {
             auto precision = dyn_cast<stablehlo::PrecisionAttr>(each);
             return precision &&
                    precision.getValue() == stablehlo::Precision::HIGHEST;
           });
  };
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
    return isHighest(dot.getPrecisionConfig());
  if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op))
    return isHighest(convolution.getPrecisionConfig());
  return false;
}

/// Returns true if every channel is convolved with its own small window, and
/// adjacent result elements read adjacent image elements. The few
/// multiplications of each element are then vectorized over elements, since M
/// of the GEMM would be 1.
static bool isDepthwise(stablehlo::ConvolutionOp op) {
  constexpr int64_t mostProducts = 64;
  auto numbers = op.getDimensionNumbers();
  auto kernel = cast<RankedTensorType>(op.getRhs().getType()).getShape();
  auto result = cast<RankedTensorType>(op.getType()).getShape();
  int64_t last = int64_t(result.size()) - 1, products = 1;
  for (int64_t dim : numbers.getKernelSpatialDimensions())
    products = llvm::SaturatingMultiply<uint64_t>(products, kernel[dim]);
  if (op.getBatchGroupCount() != 1 || products > mostProducts ||
      kernel[numbers.getKernelInputFeatureDimension()] != 1 ||
      kernel[numbers.getKernelOutputFeatureDimension()] !=
          int64_t(op.getFeatureGroupCount()))
    return false;
  if (numbers.getOutputFeatureDimension() == last)
    return numbers.getInputFeatureDimension() == last &&
           numbers.getKernelOutputFeatureDimension() == last;
  if (!numbers.getOutputSpatialDimensions().empty() &&
      numbers.getOutputSpatialDimensions().back() == last)
    return numbers.getInputSpatialDimensions().back() == last &&
           (!op.getWindowStrides() || op.getWindowStrides()->back() <= 2) &&
           (!op.getLhsDilation() || op.getLhsDilation()->back() == 1);
  return false;
}

bool isContractionSupported(Operation *op) {
  std::optional<Contraction> form = describeContraction(op);
  if (!form)
    return false;
  auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op);
  if (convolution && isDepthwise(convolution))
    return false;
  auto isFloat = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    auto number = dyn_cast<FloatType>(element);
    return number && (number.isF64() || number.isF32() ||
                      number.getWidth() == 16 || number.getWidth() == 8);
  };
  auto isInteger = [](Type type) {
    auto number = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
    return number && number.getWidth() >= 8;
  };
  auto all = [&](auto isSupported) {
    return llvm::all_of(op->getOperandTypes(), isSupported) &&
           llvm::all_of(op->getResultTypes(), isSupported);
  };
  // Require sizes whose products are far from overflow.
  double work = 1;
  for (auto *dims :
       {&form->batch, &form->lhsFree, &form->rhsFree, &form->contracting})
    for (const ContractionDim &dim : *dims) {
      if (dim.size <= 0)
        return false;
      work *= double(dim.size);
    }
  double padded = 1;
  for (int64_t size : form->lhsPadded) {
    if (size <= 0)
      return false;
    padded *= double(size);
  }
  return work < 1e18 && padded < 1e15 && (all(isFloat) || all(isInteger));
}

} // namespace xlac::ir
