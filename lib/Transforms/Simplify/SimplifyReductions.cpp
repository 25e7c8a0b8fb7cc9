#include "PatternFunctions.h"
#include "SimplifyPatterns.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/Reducer.h"

using namespace mlir;
using namespace xlac::stablehlo;

namespace xlac::transforms {

/// Reduces a short innermost dimension after the outer ones, if dimensions
/// between them are kept, as in the means of groups of channels with channels
/// last. The first reduction then adds whole rows of all channels.
static LogicalResult reduceInnerLast(ReduceOp op, PatternRewriter &rewriter) {
  constexpr int64_t longest = 16, leastRow = 16, leastRows = 16,
                    leastElements = 1 << 15;
  if (op.getInputs().size() != 1 || !ir::isSimpleReducer(op.getBody()) ||
      !ir::mayRepeatInitialValues(op.getBody(), op.getInitValues()))
    return failure();
  auto type = dyn_cast<RankedTensorType>(op.getInputs()[0].getType());
  auto result = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  // Sums of 16 bits would be rounded between the reductions.
  if (!type || !type.hasStaticShape() || !result ||
      result.getElementType() != type.getElementType() ||
      !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() < 32 ||
      type.getNumElements() < leastElements)
    return failure();
  ArrayRef<int64_t> dims = op.getDimensions();
  auto isReduced = [&](int64_t dim) { return llvm::is_contained(dims, dim); };
  // The reduced dimensions behind all kept ones, and the kept ones before them.
  int64_t rank = type.getRank(), inner = 1, middle = 1, dim = rank;
  SmallVector<int64_t> kept, outer, last;
  for (; dim > 0 && (isReduced(dim - 1) || type.getDimSize(dim - 1) == 1);
       --dim)
    inner *= type.getDimSize(dim - 1);
  for (; dim > 0 && !isReduced(dim - 1); --dim)
    middle *= type.getDimSize(dim - 1);
  int64_t rows = 1;
  for (int64_t each = 0; each < rank; ++each) {
    if (isReduced(each) && each < dim) {
      outer.push_back(each);
      rows *= type.getDimSize(each);
      continue;
    }
    if (isReduced(each))
      last.push_back(int64_t(kept.size()));
    kept.push_back(type.getDimSize(each));
  }
  if (inner < 2 || inner > longest || rows < leastRows ||
      middle * inner < leastRow)
    return failure();
  auto reduce = [&](Value value, ArrayRef<int64_t> along, Type to) {
    auto made = cast<ReduceOp>(rewriter.clone(*op));
    made.getInputsMutable().assign(value);
    made.setDimensions(along);
    made.getResult(0).setType(to);
    return made.getResult(0);
  };
  Value sums = reduce(op.getInputs()[0], outer, type.clone(kept));
  rewriter.replaceOp(op, reduce(sums, last, result));
  return success();
}

void populateReductionPatterns(RewritePatternSet &patterns) {
  addFunctions<reduceInnerLast>(patterns);
}

} // namespace xlac::transforms
