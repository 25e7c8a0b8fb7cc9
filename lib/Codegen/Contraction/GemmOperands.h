// Operands of the loops of a planned contraction, and the result tiles that
// they produce.
#ifndef XLAC_LIB_CODEGEN_GEMMOPERANDS_H
#define XLAC_LIB_CODEGEN_GEMMOPERANDS_H

#include "ContractionPlan.h"
#include "Widening.h"

#include <functional>

namespace xlac::codegen {

/// Addresses that the tasks of a GEMM use.
struct GemmPointers {
  /// Element (0, 0, 0) of each operand, before operands are swapped.
  llvm::Value *a = nullptr, *b = nullptr;
  llvm::Value *c = nullptr;      ///< used if the GEMM's result is plain
  llvm::Value *shared = nullptr; ///< packed B, if the plan shares it
  /// 64-byte aligned memory of scratchBytes(), or scratchStage for packing
  /// only.
  llvm::Value *scratch = nullptr;
  /// For sides that are not Plain. Tile registers do not use them.
  Widening widenA = {}, widenB = {};
  /// 64-byte aligned memory of partBytes(), if the plan divides K.
  llvm::Value *parts = nullptr;
  llvm::Value *sharedA = nullptr; ///< packed A, if the plan shares it
};

/// A finished tile of the result: the accumulator of (row, column) is at
/// values[row * stride + column]. Rows and columns are those of the GEMM before
/// operands are swapped.
struct AccumulatedTile {
  llvm::Value *batch = nullptr; ///< flattened index of the batch
  llvm::Value *row = nullptr;   ///< first row, flattened
  llvm::Value *rows = nullptr;  ///< number of rows
  llvm::Value *column = nullptr;
  int64_t columns = 0;
  llvm::Value *validColumns = nullptr; ///< only so many exist; null means all
  int64_t columnMultiple = 0; ///< divides `column`; 0: a vector's lanes
  llvm::Value *values = nullptr;
  llvm::Value *stride = nullptr;
};

/// Returns the type of the accumulators.
llvm::Type *accumulatorType(llvm::IRBuilder<> &ir, const Gemm &gemm);

/// Returns the type in memory of elements in `format`.
llvm::Type *memoryType(llvm::IRBuilder<> &ir, const Gemm &gemm,
                       NumberFormat format);

using TileEpilogue = std::function<void(const AccumulatedTile &)>;

} // namespace xlac::codegen

#endif
