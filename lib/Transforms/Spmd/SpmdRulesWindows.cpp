// Rules of ops whose results depend on neighbouring rows: a device gets the
// rows of other shards that it needs.
#include "SpmdHalos.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace xlac::transforms {

/// Returns whether a scan from `init` may start again on each device.
static bool startsAgain(Operation *combination, Value init) {
  if (isa<stablehlo::MaxOp, stablehlo::MinOp, stablehlo::AndOp,
          stablehlo::OrOp>(combination))
    return true;
  RankedTensorType type = shardableType(init);
  if (isa<stablehlo::AddOp>(combination))
    return type && canSum(type) && isZero(init);
  SplatElementsAttr splat;
  if (!isa<stablehlo::MulOp>(combination) || !init.getDefiningOp() ||
      !matchPattern(init.getDefiningOp(), m_Constant(&splat)))
    return false;
  if (isa<FloatType>(splat.getElementType()))
    return splat.getSplatValue<APFloat>().isExactlyValue(1);
  return isa<IntegerType>(splat.getElementType()) &&
         splat.getSplatValue<APInt>().isOne();
}

bool canScan(stablehlo::ReduceWindowOp op) {
  if (op->getNumResults() != 1)
    return false;
  Operation *combination = onlyOp(op->getRegion(0).front());
  return combination &&
         shardableType(op->getOperand(0)).getElementType() ==
             shardableType(op->getResult(0)).getElementType() &&
         startsAgain(combination, op->getOperand(1));
}

/// Returns whether windows with rows beyond the ends, which repeat the end
/// rows, select the same values: the selection is a comparison.
static bool canExtend(stablehlo::SelectAndScatterOp op) {
  Operation *select = onlyOp(op->getRegion(0).front());
  auto compare = dyn_cast_or_null<stablehlo::CompareOp>(select);
  if (!compare ||
      compare.getComparisonDirection() == stablehlo::ComparisonDirection::EQ ||
      compare.getComparisonDirection() == stablehlo::ComparisonDirection::NE)
    return false;
  RankedTensorType type = shardableType(op->getResult(0));
  return canSum(type) && isPlainSum(op->getRegion(1)) &&
         isZero(op->getOperand(2));
}

/// Returns the dimensions that have halos.
static SmallVector<bool> dimsWithHalo(Operation *op, int64_t rank) {
  SmallVector<bool> dims(rank, true);
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    for (int64_t d = 0; d < rank; ++d)
      dims[d] = scanKind(op, d) == ScanKind::None || canScan(window);
  } else if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op)) {
    for (int64_t d = 0; d < rank; ++d)
      dims[d] = llvm::is_contained(reverse.getDimensions(), d);
  } else if (auto scatter = dyn_cast<stablehlo::SelectAndScatterOp>(op)) {
    dims.assign(rank, canExtend(scatter));
  } else if (!isa<stablehlo::SliceOp, stablehlo::PadOp,
                  stablehlo::ConcatenateOp>(op)) {
    dims.assign(rank, false);
  }
  return dims;
}

void addHaloFactors(Operation *op, SpmdRule &rule) {
  RankedTensorType type = shardableType(op->getResult(0));
  int64_t rank = type.getRank();
  SmallVector<bool> halo = dimsWithHalo(op, rank);
  for (int64_t d = 0; d < rank; ++d) {
    if (!halo[d] || !rule.results[0][d].empty() || type.getDimSize(d) < 2)
      continue;
    auto isEmpty = [&](Value value) {
      RankedTensorType one = shardableType(value);
      return one && one.getRank() == rank && one.getDimSize(d) == 0;
    };
    if (llvm::any_of(op->getOperands(), isEmpty))
      continue;
    unsigned factor = rule.addFactor(type.getDimSize(d));
    rule.factors[factor].halo = true;
    for (auto [dims, value] : llvm::zip_equal(rule.operands, op->getOperands()))
      if (shardableType(value).getRank() == rank && rank > 0)
        dims[d] = {factor};
    for (DimFactors &dims : rule.results)
      dims[d] = {factor};
  }
}

void addSpatialFactors(stablehlo::ConvolutionOp op, SpmdRule &rule) {
  auto numbers = op.getDimensionNumbers();
  RankedTensorType lhs = shardableType(op->getOperand(0));
  RankedTensorType out = shardableType(op->getResult(0));
  for (auto [i, dims] :
       llvm::enumerate(llvm::zip_equal(numbers.getInputSpatialDimensions(),
                                       numbers.getKernelSpatialDimensions(),
                                       numbers.getOutputSpatialDimensions()))) {
    auto [from, kernel, to] = dims;
    int64_t results = out.getDimSize(to);
    bool contracts = contractsKernel(op, int64_t(i));
    if (lhs.getDimSize(from) < 2 || results == 0 ||
        shardableType(op->getOperand(1)).getDimSize(kernel) == 0 ||
        (contracts && !canSum(out)))
      continue;
    if (contracts) {
      int64_t size = shardableType(op->getOperand(1)).getDimSize(kernel);
      unsigned factor = rule.addFactor(size, SpmdFactor::Reduced);
      rule.factors[factor].halo = true;
      rule.operands[0][from] = rule.operands[1][kernel] = {factor};
    } else if (results > 1) {
      unsigned factor = rule.addFactor(results);
      rule.factors[factor].halo = true;
      rule.operands[0][from] = rule.results[0][to] = {factor};
    }
  }
}

} // namespace xlac::transforms
