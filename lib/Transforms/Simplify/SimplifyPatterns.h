// The patterns of the simplify pass, by family. They preserve results bit by
// bit, except that the order of the sums of a product or reduction may change.
#ifndef XLAC_LIB_TRANSFORMS_SIMPLIFYPATTERNS_H
#define XLAC_LIB_TRANSFORMS_SIMPLIFYPATTERNS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"

namespace xlac::transforms {

/// Largest constant that folding creates, except for splats.
inline constexpr int64_t kMostFoldedBytes = 64 << 10;

/// Adds patterns that remove and compose movement ops.
void populateMovementPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns that remove elementwise ops whose result equals an operand.
void populateIdentityPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns that fold exact ops on constants.
void populateFoldPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns that replace a `case` or `if` with a constant predicate.
void populateBranchPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns that exchange the operands of products.
void populateProductPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns that change the order of reduced dimensions.
void populateReductionPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns that replace scatters by updates of slices.
void populateScatterPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns that replace gradients of convolutions by faster ops.
void populateConvolutionPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns that replace select_and_scatter by loops over whole tensors.
void populateSelectionPatterns(mlir::RewritePatternSet &patterns);

/// Returns the elements of a constant `value`, or null.
mlir::DenseElementsAttr constantOf(mlir::Value value);

/// Returns the branch that the `case` or `if` takes, or null if its predicate
/// is no constant.
mlir::Region *takenBranch(mlir::Operation *op);

/// Replaces the `case` or `if` by the ops of `branch`, whose results may have
/// other types than `op` has.
void inlineBranch(mlir::Operation *op, mlir::Region &branch,
                  mlir::RewriterBase &rewriter);

} // namespace xlac::transforms

#endif
