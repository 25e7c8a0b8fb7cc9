// Patterns of the expanding passes that live in files of their own.
#ifndef XLAC_LIB_TRANSFORMS_EXPANDPATTERNS_H
#define XLAC_LIB_TRANSFORMS_EXPANDPATTERNS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace xlac::transforms {

/// Applies expanding patterns until none fits. Ops are not folded and blocks
/// not merged on the way: that is for the simplify pass.
mlir::LogicalResult expandAll(mlir::ModuleOp module,
                              mlir::RewritePatternSet patterns);

/// chlo.ragged_dot of all three modes as dot_general and masks.
void addRaggedDotPattern(mlir::RewritePatternSet &patterns);

/// batch_norm_inference, _training and _grad as arithmetic.
void addBatchNormPatterns(mlir::RewritePatternSet &patterns);

/// dot, einsum and unary_einsum as dot_general, sums and transposes.
void addContractionPatterns(mlir::RewritePatternSet &patterns);

/// Convolutions over an image that is spread by zeros as several over the image
/// itself, without the products with those zeros.
void addConvolutionPatterns(mlir::RewritePatternSet &patterns);

/// dynamic_* ops whose result has a static shape as static ops, or as gathers
/// where what they are given is known at run time only.
void addDynamicPatterns(mlir::RewritePatternSet &patterns);

/// Replaces quantized tensors by tensors of their storage type, and ops on them
/// by arithmetic. Fails, with an error on the op, where that cannot be done.
mlir::LogicalResult expandQuantized(mlir::ModuleOp module);

} // namespace xlac::transforms

#endif
