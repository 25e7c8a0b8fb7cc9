// The rewrites of the simplify pass, by family. None changes a bit of a result.
#ifndef XLAC_LIB_TRANSFORMS_SIMPLIFYPATTERNS_H
#define XLAC_LIB_TRANSFORMS_SIMPLIFYPATTERNS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"

namespace xlac::transforms {

/// Constants that folding makes are not larger, splats aside.
inline constexpr int64_t kMostFoldedBytes = 64 << 10;

/// Removes and composes movement ops.
void populateMovementPatterns(mlir::RewritePatternSet &patterns);
/// Removes elementwise ops that give back an operand.
void populateIdentityPatterns(mlir::RewritePatternSet &patterns);
/// Computes exact ops on constants.
void populateFoldPatterns(mlir::RewritePatternSet &patterns);

/// The elements of a constant `value`, or null.
mlir::DenseElementsAttr constantOf(mlir::Value value);

} // namespace xlac::transforms

#endif
