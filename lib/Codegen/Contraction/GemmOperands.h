// What the loops of a planned contraction work on, and the pieces of the result
// that they hand on.
#ifndef XLAC_LIB_CODEGEN_GEMMOPERANDS_H
#define XLAC_LIB_CODEGEN_GEMMOPERANDS_H

#include "ContractionPlan.h"
#include "Widening.h"

#include <functional>

namespace xlac::codegen {

/// Addresses that the tasks of a product work on.
struct GemmPointers {
  /// Element (0, 0, 0) of each, of the product before it was turned.
  llvm::Value *a = nullptr, *b = nullptr;
  llvm::Value *c = nullptr;      ///< used when the product's result is plain
  llvm::Value *shared = nullptr; ///< packed B, when the plan shares it
  /// 64-byte aligned: scratchBytes(), or scratchStage to pack alone.
  llvm::Value *scratch = nullptr;
  /// For sides that are not Plain; tile registers do without.
  Widening widenA = {}, widenB = {};
};

/// A finished piece of the result: accumulator (row, column) lies at
/// values[row * stride + column]. Rows and columns are those of the product
/// before it was turned.
struct AccumulatedTile {
  llvm::Value *batch = nullptr; ///< flattened index of the batch
  llvm::Value *row = nullptr;   ///< first one, flattened
  llvm::Value *rows = nullptr;  ///< how many
  llvm::Value *column = nullptr;
  int64_t columns = 0;
  int64_t columnMultiple = 0; ///< divides `column`; 0 for the vectors' lanes
  llvm::Value *values = nullptr;
  int64_t stride = 0;
};

/// What sums are kept in.
llvm::Type *accumulatorType(llvm::IRBuilder<> &ir, const Gemm &gemm);

/// What memory holds for elements in `format`.
llvm::Type *memoryType(llvm::IRBuilder<> &ir, const Gemm &gemm,
                       NumberFormat format);

using TileEpilogue = std::function<void(const AccumulatedTile &)>;

} // namespace xlac::codegen

#endif
