// Products of pairs of bf16 in plain LLVM IR: the setting of AMX's tile
// registers, a block of products on them or on vectors, and the packing of
// operands into the order that both load. Needs a profile with the features;
// who runs code for tile registers must have the system's leave.
#ifndef XLAC_LIB_CODEGEN_TILEREGISTERS_H
#define XLAC_LIB_CODEGEN_TILEREGISTERS_H

#include "ContractionPlan.h"
#include "Microkernel.h"

namespace xlac::codegen {

/// Sets all registers to 16 rows of 64 bytes, until emitTileRelease().
void emitTileSetting(llvm::IRBuilder<> &ir);
/// Gives the registers back, so that the system need not save them.
void emitTileRelease(llvm::IRBuilder<> &ir);

/// Registers of C in a block: one or two each way.
struct TileBlock {
  unsigned rows = 1, columns = 1;
};

/// What a block works on. Strides are in bytes.
struct PairOperands {
  llvm::Value *a = nullptr, *aRow = nullptr; ///< a depth takes two bytes
  llvm::Value *b = nullptr, *bRow = nullptr; ///< a row is a pair of depths
  llvm::Value *k = nullptr; ///< zeros follow up to kTileK of them
  llvm::Value *c = nullptr, *cRow = nullptr; ///< whole registers of f32
  llvm::Value *accumulate = nullptr;         ///< add to C
};

/// C (+)= A * B through a function that all blocks of the shape in the module
/// share. The registers must have been set.
void emitTileBlockCall(llvm::IRBuilder<> &ir, const TileBlock &block,
                       const PairOperands &operands);

/// The same for `rows` rows of `registers` vectors of C; A's memory and C's
/// have a multiple of kPairRows of them.
void emitPairVectorsCall(llvm::IRBuilder<> &ir, unsigned registers,
                         const PairOperands &operands, llvm::Value *rows);

/// One side of a block of the depth, in 16-bit elements.
struct PairSource {
  PanelSource panel;
  PairPacking packing = PairPacking::Staged;
  llvm::Value *count = nullptr; ///< of the outermost dimension of the depth
  llvm::Value *k = nullptr;     ///< the same, flattened
  llvm::Value *stage = nullptr; ///< scratch for what is Staged
};

/// Copies a panel of B, lanes first + [0, width): pairs of depths side by side,
/// target[(depth / 2 * width + lane) * 2 + depth % 2]. Lanes at or beyond
/// `valid` get any value; depths are filled up to whole registers with zeros.
void emitPackPairs(llvm::IRBuilder<> &ir, const PairSource &source,
                   llvm::Value *first, unsigned width, unsigned valid,
                   llvm::Value *target);

/// Copies 16 rows of A, lanes first + [0, 16): target + lane * rowBytes holds
/// the depths of one, filled up likewise. Rows from `valid` on get any value.
void emitPackTileRows(llvm::IRBuilder<> &ir, const PairSource &source,
                      llvm::Value *first, unsigned valid, int64_t rowBytes,
                      llvm::Value *target);

} // namespace xlac::codegen

#endif
