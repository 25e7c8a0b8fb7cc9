// GEMMs of VNNI pairs of bf16, or of groups of four bytes, in plain LLVM IR:
// the configuration of AMX tile registers, a block GEMM on them or on vectors,
// and the packing of operands. Bytes require tile registers, and CellPacking.h
// packs their B. Requires a profile with these features. A process that runs
// code for tile registers needs permission from the operating system.
#ifndef XLAC_LIB_CODEGEN_TILEREGISTERS_H
#define XLAC_LIB_CODEGEN_TILEREGISTERS_H

#include "ContractionPlan.h"
#include "PanelPacking.h"

namespace xlac::codegen {

/// Configures all tile registers to 16 rows of 64 bytes, until
/// emitTileRelease().
void emitTileSetting(llvm::IRBuilder<> &ir);
/// Releases the tile registers, so that the system need not save them.
void emitTileRelease(llvm::IRBuilder<> &ir);

/// What tile registers hold: pairs of bf16, or groups of four bytes with signs
/// (I) or without (U), first A's and then B's.
enum class TileProducts : uint8_t { BF16, II, IU, UI, UU };

/// Returns the products of bytes.
inline TileProducts tileProducts(bool unsignedA, bool unsignedB) {
  return unsignedA   ? unsignedB ? TileProducts::UU : TileProducts::UI
         : unsignedB ? TileProducts::IU
                     : TileProducts::II;
}

/// Registers of C in a block: one or two in each direction.
struct TileBlock {
  unsigned rows = 1, columns = 1;
  TileProducts products = TileProducts::BF16;
};

/// Operands of a block. Strides are in bytes.
struct PairOperands {
  llvm::Value *a = nullptr, *aRow = nullptr;
  llvm::Value *b = nullptr, *bRow = nullptr; ///< a row of pairs or groups
  llvm::Value *k = nullptr; ///< followed by zeros up to whole registers
  llvm::Value *c = nullptr, *cRow = nullptr; ///< full registers of f32 or i32
  llvm::Value *accumulate = nullptr;         ///< add to C
};

/// Emits C = A * B or C += A * B through a function that all blocks of the
/// shape in the module share. The registers must have been configured.
void emitTileBlockCall(llvm::IRBuilder<> &ir, const TileBlock &block,
                       const PairOperands &operands);

/// The same for `rows` rows of `registers` vectors of C. The memory of A and C
/// has a multiple of kPairRows rows.
void emitPairVectorsCall(llvm::IRBuilder<> &ir, unsigned registers,
                         const PairOperands &operands, llvm::Value *rows);

/// One side of a block of K, in elements of 8 or 16 bits.
struct PairSource {
  PanelSource panel;
  PairPacking packing = PairPacking::Staged;
  llvm::Value *count = nullptr; ///< of the outermost dimension of K
  llvm::Value *k = nullptr;     ///< the same, flattened
  llvm::Value *stage = nullptr; ///< scratch for Staged packing
};

/// Packs a panel of bf16 B, lanes first + [0, width), as VNNI pairs: target[(k
/// / 2 * width + lane) * 2 + k % 2]. Lanes from `valid` on get unspecified
/// values. K is padded with zeros to whole registers.
void emitPackPairs(llvm::IRBuilder<> &ir, const PairSource &source,
                   llvm::Value *first, unsigned width, unsigned valid,
                   llvm::Value *target);

/// Packs 16 rows of A, lanes first + [0, 16): target + lane * rowBytes holds
/// one row along K, padded likewise. Rows from `valid` on get unspecified
/// values.
void emitPackTileRows(llvm::IRBuilder<> &ir, const PairSource &source,
                      llvm::Value *first, unsigned valid, int64_t rowBytes,
                      llvm::Value *target);

} // namespace xlac::codegen

#endif
