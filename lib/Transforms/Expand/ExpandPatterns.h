// Patterns of the expanding passes that have their own files.
#ifndef XLAC_LIB_TRANSFORMS_EXPANDPATTERNS_H
#define XLAC_LIB_TRANSFORMS_EXPANDPATTERNS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace xlac::transforms {

/// Applies expanding patterns until none matches. It does not fold ops or merge
/// blocks; the simplify pass does.
mlir::LogicalResult expandAll(mlir::ModuleOp module,
                              mlir::RewritePatternSet patterns);

/// Expands all three modes of chlo.ragged_dot to dot_general and masks.
void addRaggedDotPattern(mlir::RewritePatternSet &patterns);

/// Expands batch_norm_inference, _training and _grad to arithmetic.
void addBatchNormPatterns(mlir::RewritePatternSet &patterns);

/// Expands dot, einsum and unary_einsum to dot_general, sums and transposes,
/// and products of large complex matrices to products of their parts.
void addContractionPatterns(mlir::RewritePatternSet &patterns);

/// Splits convolutions over a dilated image into several convolutions over the
/// image itself, which skip the multiplications by zeros.
void addConvolutionPatterns(mlir::RewritePatternSet &patterns);

/// Expands dynamic_* ops with a static result shape to static ops, or to
/// gathers if their operands are known only at run time.
void addDynamicPatterns(mlir::RewritePatternSet &patterns);

/// Replaces quantized tensors by tensors of their storage type, and ops on them
/// by arithmetic. Fails, with an error on the op, if this is not possible.
mlir::LogicalResult expandQuantized(mlir::ModuleOp module);

} // namespace xlac::transforms

#endif
