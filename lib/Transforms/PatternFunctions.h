// Rewrite patterns written as functions.
#ifndef XLAC_LIB_TRANSFORMS_PATTERNFUNCTIONS_H
#define XLAC_LIB_TRANSFORMS_PATTERNFUNCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace xlac::transforms {

/// Adds each function `LogicalResult (OpType op, PatternRewriter &rewriter)` as
/// a pattern for ops of its OpType.
template <auto... Functions>
void addFunctions(mlir::RewritePatternSet &patterns) {
  (patterns.add(Functions), ...);
}

} // namespace xlac::transforms

#endif
