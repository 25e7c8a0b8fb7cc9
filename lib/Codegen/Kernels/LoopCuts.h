// Places where the results of a loop begin to read other elements.
#ifndef XLAC_LIB_CODEGEN_LOOPCUTS_H
#define XLAC_LIB_CODEGEN_LOOPCUTS_H

#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "llvm/ADT/SmallVector.h"

namespace xlac::codegen {

/// Most rows of a convolution that a loop computes together.
constexpr int64_t kMostRowsInBlock = 8;

/// Returns the dimension before the innermost one, ignoring those of size 1, or
/// -1. Loops compute its rows in blocks.
int64_t rowDimension(llvm::ArrayRef<int64_t> sizes);

/// Returns the largest divisor of `rows` that is at most `most`. Both are
/// positive.
int64_t rowsInBlock(int64_t rows, int64_t most);

/// Returns, for each dimension of the kernel's results, the ascending indices
/// at which boxes begin: 0 and the places where pads, concatenations and
/// updates at constant places change from one operand to another. In a box, no
/// lane decides which operand it reads. Rows of a convolution that are left
/// after blocks of `kMostRowsInBlock` are a box, too. The results have one
/// shape. There is one box if more boxes would cost more than they save.
llvm::SmallVector<llvm::SmallVector<int64_t>> findLoopCuts(ir::KernelOp kernel);

} // namespace xlac::codegen

#endif
