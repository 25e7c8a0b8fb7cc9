// Packs operands of GEMMs of narrow integers as cells.
#ifndef XLAC_LIB_CODEGEN_CELLPACKING_H
#define XLAC_LIB_CODEGEN_CELLPACKING_H

#include "CellProducts.h"
#include "ContractionPlan.h"
#include "PanelPacking.h"

namespace xlac::codegen {

/// Returns the products of the plan's cells.
CellProducts cellProducts(const ContractionPlan &plan);

/// Returns how `kind`'s cells are read from elements in `format`, which are
/// adjacent in memory. Their signs are flipped if `flips` is set. Empty if
/// cells are read as they are.
Widening cellWidening(llvm::LLVMContext &context, CellKind kind,
                      NumberFormat format, bool isUnsigned, bool flips);

/// Returns one register of 32-bit cells: the first elements of all `parts`,
/// then the second ones, and so on. All parts together are as large as it.
llvm::Value *emitInterleaved(llvm::IRBuilder<> &ir,
                             llvm::ArrayRef<llvm::Value *> parts);

/// One side of a block of K.
struct CellSource {
  PanelSource panel; ///< elements as stored in memory
  Widening widening; ///< of cells
  unsigned cellSize = 1;
  PairPacking packing = PairPacking::Staged;
  llvm::Value *count = nullptr; ///< of the outermost dimension of K
  llvm::Value *k = nullptr;     ///< the same, flattened
  llvm::Value *stage = nullptr; ///< scratch for elements; may be null for Runs
};

/// Returns the number of cells of the block.
llvm::Value *emitCellCount(llvm::IRBuilder<> &ir, const CellSource &source);

/// Packs cells of a panel: target[cell * width + lane] for lanes first + [0,
/// width). Lanes that are not valid get unspecified values. May write up to a
/// register beyond the end.
void emitPackCells(llvm::IRBuilder<> &ir, const CellSource &source,
                   llvm::Value *first, unsigned width, ValidLanes valid,
                   llvm::Value *target);

/// The same for `panels` full panels of a source of Lines, whose targets are
/// `stride` cells apart. `width` is a multiple of a register's lanes.
void emitPackCellLines(llvm::IRBuilder<> &ir, const CellSource &source,
                       llvm::Value *first, unsigned width, llvm::Value *panels,
                       llvm::Value *target, int64_t stride);

/// Packs one row of a source of Runs whose K has one stride. It starts at
/// `from`. May write up to a register beyond the end.
void emitPackCellRun(llvm::IRBuilder<> &ir, const CellSource &source,
                     llvm::Value *from, llvm::Value *target);

/// Writes the row of `width` sums from which a panel of packed cells at `cells`
/// starts, if A's signs are flipped.
void emitCellStart(llvm::IRBuilder<> &ir, const CellProducts &products,
                   const CellSource &source, llvm::Value *cells, unsigned width,
                   llvm::Value *target);

} // namespace xlac::codegen

#endif
