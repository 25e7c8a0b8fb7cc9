// Patterns that replace branches whose predicate is constant.
#include "SimplifyPatterns.h"

#include "PatternFunctions.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace mlir;

namespace xlac::transforms {

Region *takenBranch(Operation *op) {
  DenseElementsAttr predicate = constantOf(op->getOperand(0));
  if (!predicate || predicate.getNumElements() != 1)
    return nullptr;
  APInt value = predicate.getSplatValue<APInt>();
  if (isa<stablehlo::IfOp>(op))
    return &op->getRegion(value.isZero() ? 1 : 0);
  // An index out of range selects the last branch.
  uint64_t last = op->getNumRegions() - 1;
  return &op->getRegion(value.ule(last) ? value.getZExtValue() : last);
}

void inlineBranch(Operation *op, Region &branch, RewriterBase &rewriter) {
  Block &block = branch.front();
  Operation *end = block.getTerminator();
  SmallVector<Value> results(end->getOperands());
  rewriter.inlineBlockBefore(&block, op);
  rewriter.eraseOp(end);
  rewriter.replaceOp(op, results);
}

template <class Op>
static mlir::LogicalResult replaceByBranch(Op op, PatternRewriter &rewriter) {
  Region *branch = takenBranch(op);
  if (!branch || branch->front().getTerminator()->getOperandTypes() !=
                     op->getResultTypes())
    return failure();
  inlineBranch(op, *branch, rewriter);
  return success();
}

void populateBranchPatterns(RewritePatternSet &patterns) {
  addFunctions<replaceByBranch<stablehlo::CaseOp>,
               replaceByBranch<stablehlo::IfOp>>(patterns);
}

} // namespace xlac::transforms
