// Sorts of which only the first rows are read, such as top_k. While a function
// is partitioned, such an op gives only these rows, which its verifier does not
// allow: shortenSorts() comes first, completeSorts() last.
#ifndef XLAC_LIB_TRANSFORMS_SPMDSORTS_H
#define XLAC_LIB_TRANSFORMS_SPMDSORTS_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace xlac::transforms {

/// Marks a sort of which only the first rows are read.
inline constexpr llvm::StringLiteral kFirstRows = "xlac.first_rows";

/// Lets sorts of which slices read at most half of the rows, from the first
/// one on, give only these rows.
void shortenSorts(mlir::func::FuncOp main);
/// Lets all sorts give all rows again, and slices them.
void completeSorts(mlir::func::FuncOp main);

/// Returns whether `op` is a sort that gives only the first rows.
bool givesFirstRows(mlir::Operation *op);
/// Returns the sorted dimension, counted from the first one.
int64_t sortedDim(xlac::stablehlo::SortOp op);

} // namespace xlac::transforms

#endif
