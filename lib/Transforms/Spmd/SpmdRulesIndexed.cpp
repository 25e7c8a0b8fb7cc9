// Rules of gather, scatter and convolution, whose attributes relate the
// dimensions.
#include "SpmdRules.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace xlac::transforms {

/// Returns the dimensions below `rank` that are in neither list.
static SmallVector<int64_t> others(int64_t rank, ArrayRef<int64_t> first,
                                   ArrayRef<int64_t> second = {}) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(first, d) && !llvm::is_contained(second, d))
      dims.push_back(d);
  return dims;
}

void addGatherFactors(stablehlo::GatherOp op, SpmdRule &rule) {
  auto numbers = op.getDimensionNumbers();
  RankedTensorType operand = shardableType(op->getOperand(0));
  RankedTensorType indices = shardableType(op->getOperand(1));
  RankedTensorType result = shardableType(op->getResult(0));
  SmallVector<int64_t> batch =
      others(result.getRank(), numbers.getOffsetDims());
  SmallVector<int64_t> rows =
      others(indices.getRank(), {numbers.getIndexVectorDim()});
  for (auto [row, out] : llvm::zip_equal(rows, batch)) {
    unsigned factor = rule.addFactor(indices.getDimSize(row));
    rule.operands[1][row] = rule.results[0][out] = {factor};
    for (auto [from, at] :
         llvm::zip_equal(numbers.getOperandBatchingDims(),
                         numbers.getStartIndicesBatchingDims()))
      if (at == row)
        rule.operands[0][from] = {factor};
  }
  SmallVector<int64_t> offsets =
      others(operand.getRank(), numbers.getCollapsedSliceDims(),
             numbers.getOperandBatchingDims());
  for (auto [from, out] : llvm::zip_equal(offsets, numbers.getOffsetDims()))
    if (op.getSliceSizes()[from] == operand.getDimSize(from))
      rule.operands[0][from] =
          rule.results[0][out] = {rule.addFactor(operand.getDimSize(from))};
  if (!canCombineRows(result))
    return;
  for (int64_t d : numbers.getStartIndexMap())
    if (rule.operands[0][d].empty() && op.getSliceSizes()[d] > 0)
      rule.operands[0][d] = {
          rule.addFactor(operand.getDimSize(d), SpmdFactor::Indexed)};
}

SpmdReducer reducerOf(stablehlo::ScatterOp op) {
  if (op->getNumResults() != 1)
    return SpmdReducer::None;
  RankedTensorType input = shardableType(op->getOperand(0));
  Block &body = op->getRegion(0).front();
  Operation *only = onlyOp(body);
  if (isa_and_nonnull<stablehlo::AddOp>(only) && canSum(input))
    return SpmdReducer::OneOp;
  // Only a sum may be computed in another type than that of the input.
  if (!only || !canCombineRows(input) ||
      getElementTypeOrSelf(body.getArgument(0).getType()) !=
          input.getElementType())
    return SpmdReducer::None;
  // (inf + 0i) * (1 + 0i) has a NaN.
  if (isa<stablehlo::MulOp>(only) && isa<ComplexType>(input.getElementType()))
    return SpmdReducer::None;
  bool isKnown = isa<stablehlo::AddOp, stablehlo::MulOp, stablehlo::MaxOp,
                     stablehlo::MinOp, stablehlo::AndOp, stablehlo::OrOp,
                     stablehlo::XorOp>(only);
  return isKnown ? SpmdReducer::OneOp : SpmdReducer::None;
}

std::optional<double> identityOf(stablehlo::ScatterOp op) {
  Operation *only = onlyOp(op->getRegion(0).front());
  bool isBoolean =
      shardableType(op->getOperand(0)).getElementType().isInteger(1);
  if (isa_and_nonnull<stablehlo::MulOp>(only) && !isBoolean)
    return 1;
  if (isa_and_nonnull<stablehlo::XorOp>(only) ||
      (isa_and_nonnull<stablehlo::AddOp>(only) && !isBoolean))
    return -0.0;
  return std::nullopt;
}

void addScatterFactors(stablehlo::ScatterOp op, SpmdRule &rule) {
  auto numbers = op.getScatterDimensionNumbers();
  size_t count = op->getNumResults();
  RankedTensorType input = shardableType(op->getOperand(0));
  RankedTensorType indices = shardableType(op->getOperand(count));
  RankedTensorType updates = shardableType(op->getOperand(count + 1));
  auto addToInputs = [&](int64_t d, unsigned factor) {
    for (size_t i = 0; i < count; ++i)
      rule.operands[i][d] = rule.results[i][d] = {factor};
  };
  auto addToUpdates = [&](int64_t d, unsigned factor) {
    for (size_t i = 0; i < count; ++i)
      rule.operands[count + 1 + i][d] = {factor};
  };
  SmallVector<int64_t> windows =
      others(input.getRank(), numbers.getInsertedWindowDims(),
             numbers.getInputBatchingDims());
  // A window that indices may move can be out of bounds element by element.
  for (auto [d, window] :
       llvm::zip_equal(windows, numbers.getUpdateWindowDims()))
    if (input.getDimSize(d) == updates.getDimSize(window) &&
        !llvm::is_contained(numbers.getScatterDimsToOperandDims(), d)) {
      unsigned factor = rule.addFactor(input.getDimSize(d));
      addToInputs(d, factor);
      addToUpdates(window, factor);
    }
  bool combines = reducerOf(op) != SpmdReducer::None;
  SmallVector<int64_t> rows =
      others(indices.getRank(), {numbers.getIndexVectorDim()});
  SmallVector<int64_t> scattered =
      others(updates.getRank(), numbers.getUpdateWindowDims());
  for (auto [row, from] : llvm::zip_equal(rows, scattered)) {
    bool batching =
        llvm::is_contained(numbers.getScatterIndicesBatchingDims(), row);
    if (!batching && !combines)
      continue;
    // Padding gets an index outside of the input, if there is an index.
    unsigned factor = rule.addFactor(
        indices.getDimSize(row),
        batching ? SpmdFactor::Parallel : SpmdFactor::Reduced,
        batching || !numbers.getScatterDimsToOperandDims().empty());
    rule.operands[count][row] = {factor};
    addToUpdates(from, factor);
    for (auto [d, at] :
         llvm::zip_equal(numbers.getInputBatchingDims(),
                         numbers.getScatterIndicesBatchingDims()))
      if (at == row)
        addToInputs(d, factor);
  }
  // Updates outside of a shard are ignored, element by element.
  for (int64_t d : numbers.getScatterDimsToOperandDims())
    addToInputs(d, rule.addFactor(input.getDimSize(d), SpmdFactor::Indexed));
}

void addConvolutionFactors(stablehlo::ConvolutionOp op, SpmdRule &rule) {
  auto numbers = op.getDimensionNumbers();
  RankedTensorType lhs = shardableType(op->getOperand(0));
  RankedTensorType rhs = shardableType(op->getOperand(1));
  RankedTensorType out = shardableType(op->getResult(0));
  auto &batch = rule.operands[0][numbers.getInputBatchDimension()];
  auto &feature = rule.operands[0][numbers.getInputFeatureDimension()];
  auto &kernelIn = rule.operands[1][numbers.getKernelInputFeatureDimension()];
  auto &kernelOut = rule.operands[1][numbers.getKernelOutputFeatureDimension()];
  auto &outBatch = rule.results[0][numbers.getOutputBatchDimension()];
  auto &outFeature = rule.results[0][numbers.getOutputFeatureDimension()];
  int64_t groups = op.getFeatureGroupCount() * op.getBatchGroupCount();
  if (groups > 1) {
    unsigned group = rule.addFactor(groups, SpmdFactor::Parallel, false);
    (op.getFeatureGroupCount() > 1 ? feature : batch).push_back(group);
    kernelOut.push_back(group);
    outFeature.push_back(group);
  }
  unsigned row =
      rule.addFactor(out.getDimSize(numbers.getOutputBatchDimension()),
                     SpmdFactor::Parallel, groups == 1);
  batch.push_back(row);
  outBatch.push_back(row);
  unsigned made = rule.addFactor(
      rhs.getDimSize(numbers.getKernelOutputFeatureDimension()) / groups,
      SpmdFactor::Parallel, groups == 1);
  kernelOut.push_back(made);
  outFeature.push_back(made);
  addSpatialFactors(op, rule);
  if (!canSum(out))
    return;
  unsigned contracted =
      rule.addFactor(lhs.getDimSize(numbers.getInputFeatureDimension()) /
                         op.getFeatureGroupCount(),
                     SpmdFactor::Reduced, false);
  feature.push_back(contracted);
  kernelIn.push_back(contracted);
}

} // namespace xlac::transforms
