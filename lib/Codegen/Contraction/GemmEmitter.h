// Emits the loops of one planned GEMM. ContractionLoops.cpp defines them; the
// code for swapped operands is in ContractionSwap.cpp, packing in
// ContractionPacking.cpp, prefetching in ContractionPrefetch.cpp.
#ifndef XLAC_LIB_CODEGEN_GEMMEMITTER_H
#define XLAC_LIB_CODEGEN_GEMMEMITTER_H

#include "CellPacking.h"
#include "ContractionPlan.h"
#include "GemmOperands.h"
#include "Microkernel.h"
#include "PanelPacking.h"
#include "TileRegisters.h"

#include "xlac/Codegen/KernelForm.h"

namespace xlac::codegen {

enum class Side { A, B, C };

class GemmEmitter {
public:
  GemmEmitter(llvm::IRBuilder<> &ir, const ContractionPlan &plan,
              const GemmPointers &pointers, const TileEpilogue &finish)
      : ir(ir), plan(plan), gemm(plan.gemm), pointers(pointers), finish(finish),
        element(accumulatorType(ir, gemm)),
        elementA(memoryType(ir, gemm, gemm.a)),
        elementB(memoryType(ir, gemm, gemm.b)),
        vector(llvm::FixedVectorType::get(element, plan.lanes)) {}

  void emitTask(llvm::Value *task);
  void emitPackTask(llvm::Value *task);
  void emitPackTaskOfA(llvm::Value *task);
  void emitSumTask(llvm::Value *task);
  /// Writes the indirection buffer of A, for all tasks.
  void emitTable();
  /// Reserves memory for one tile in the function's entry block.
  void reserveTile();

private:
  /// A block of K.
  struct KBlock {
    llvm::Value *number, *count,
        *k;             ///< flattened index; outermost indices; indices of K
    llvm::Value *a, *b; ///< operands at the start of the block
  };
  struct Range {
    llvm::Value *begin, *end;
  };
  /// The columns of a panel.
  struct Columns {
    int64_t count;
    /// Only so many exist, up to `count`; null means all.
    llvm::Value *valid = nullptr;
  };

  llvm::Value *at(llvm::Value *base, llvm::Value *offset) {
    return ir.CreateGEP(element, base, offset);
  }
  llvm::Value *at(llvm::Value *base, int64_t offset) {
    return at(base, ir.getInt64(offset));
  }
  llvm::Value *atA(llvm::Value *base, llvm::Value *offset) {
    return ir.CreateGEP(elementA, base, offset);
  }
  llvm::Value *atB(llvm::Value *base, llvm::Value *offset) {
    return ir.CreateGEP(elementB, base, offset);
  }
  llvm::Value *times(llvm::Value *value, int64_t factor) {
    return ir.CreateMul(value, ir.getInt64(factor));
  }
  /// Returns a number that depends on sizes. If the plan is for any size, the
  /// builder does not fold it.
  llvm::Value *decision(int64_t number) {
    return plan.anySize ? emitDecision(ir, number) : ir.getInt64(number);
  }
  llvm::Value *smaller(llvm::Value *a, llvm::Value *b) {
    return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
  }
  llvm::Value *larger(llvm::Value *a, llvm::Value *b) {
    return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
  }
  static llvm::SmallVector<StridedDim> strided(llvm::ArrayRef<GemmDim> dims,
                                               Side side) {
    llvm::SmallVector<StridedDim> result;
    for (const GemmDim &dim : dims)
      result.push_back({dim.size, side == Side::A   ? dim.a
                                  : side == Side::B ? dim.b
                                                    : dim.c});
    return result;
  }
  llvm::Value *offsetOf(llvm::ArrayRef<GemmDim> dims, Side side,
                        llvm::Value *index) {
    return emitOffset(ir, strided(dims, side), index);
  }

  Range rangeOf(llvm::Value *block, int64_t perBlock, int64_t all) {
    llvm::Value *size = decision(perBlock);
    llvm::Value *begin = ir.CreateMul(block, size);
    return {begin, smaller(ir.CreateAdd(begin, size), decision(all))};
  }
  KBlock enterKBlock(llvm::Value *number, llvm::Value *a, llvm::Value *b);
  llvm::Value *firstRow(llvm::Value *tile) {
    llvm::Value *row = ir.CreateMul(tile, decision(plan.bigRows - 1));
    return ir.CreateAdd(row, smaller(tile, decision(plan.bigTiles)));
  }
  /// Returns the number of rows of a tile of a plan for any size.
  llvm::Value *rowsOf(llvm::Value *tile) {
    llvm::Value *isSmall = ir.CreateICmpSGE(tile, decision(plan.bigTiles));
    return ir.CreateSub(decision(plan.bigRows),
                        ir.CreateZExt(isSmall, ir.getInt64Ty()));
  }
  /// Runs `body` for each height of a tile if `rows` is this height.
  void forHeights(llvm::Value *rows,
                  llvm::function_ref<void(int64_t height)> body) {
    for (int64_t height = 1; height <= plan.tileRows; ++height)
      emitIf(ir, ir.CreateICmpEQ(rows, ir.getInt64(height)),
             [&] { body(height); });
  }
  void packPanels(const KBlock &k, Range panels, llvm::Value *target);
  void packTiles(const KBlock &k, Range tiles, llvm::Value *target);
  llvm::Value *sharedTiles(llvm::Value *block, Range tiles);
  llvm::Value *sharedPanels(llvm::Value *block, Range panels);
  void packRows(const KBlock &k, llvm::Value *tile, llvm::Value *target);
  /// Sets the packing and the indices of K of a PairSource or CellSource.
  template <class Source>
  void enterBlock(Source &source, const KBlock &k, Side side);
  PairSource pairSource(const KBlock &k, Side side);
  /// Side A or B of the block, as packing element by element reads it.
  PanelSource panelSource(const KBlock &k, Side side);
  bool hasCells() const { return plan.cells != CellKind::None; }
  void packPairs(const KBlock &k, Range panels, llvm::Value *target);
  CellSource cellSource(const KBlock &k, Side side);
  void packCellPanels(const KBlock &k, Range panels, llvm::Value *target);
  void packTileRows(const KBlock &k, Range tiles, llvm::Value *target);
  void multiply(const KBlock &k, Range tiles, Range panels);
  void prefetchNext(const KBlock &k, llvm::Value *tile, Range panels);
  Stream streamOfLines(const KBlock &k, Range tiles, llvm::Value *tile,
                       llvm::Value *panel);
  Stream streamOfPacked(const KBlock &k, Range tiles, llvm::Value *tile,
                        Range panels, llvm::Value *panel);
  void prefetchFarLines(const KBlock &k, Range panels, llvm::Value *panel);
  void prefetchRows(const KBlock &k, Range tiles, llvm::Value *tile,
                    llvm::Value *panel);
  void emitPanel(const KBlock &k, Range tiles, Range panels, llvm::Value *tile,
                 llvm::Value *panel, Columns columns);
  void emitTileInMemory(const KBlock &k, Range tiles, Range panels,
                        llvm::Value *tile, llvm::Value *panel, Columns columns,
                        llvm::Value *b);
  void emitDirectTile(const KBlock &k, llvm::Value *panel, llvm::Value *b);
  /// Computes a tile's rows of C. Returns the number of rows.
  llvm::Value *emitSizes(const KBlock &k, llvm::Value *tile, llvm::Value *panel,
                         Columns columns, llvm::Value *b,
                         llvm::ArrayRef<llvm::Value *> outputs,
                         llvm::Value *stride);
  llvm::Value *emitPairs(const KBlock &k, int64_t columns, llvm::Value *b,
                         llvm::Value *c, int64_t stride);
  PairOperands pairOperands(const KBlock &k, llvm::Value *b, llvm::Value *c,
                            int64_t stride);
  TileBlock tileBlock(unsigned columns);
  void emitTileRegisters(unsigned columns, const PairOperands &operands,
                         llvm::Value *rows);
  /// Emits a tile of sums along K.
  void emitDots(const KBlock &k, Columns columns, int64_t rows, llvm::Value *b,
                llvm::Value *output, llvm::Value *stride);
  void emitRows(const KBlock &k, llvm::Value *panel, Columns columns,
                int64_t rows, llvm::Value *b,
                llvm::ArrayRef<llvm::Value *> outputs, llvm::Value *stride);
  llvm::Value *isLaterBlock(const KBlock &k);
  /// Returns where the sums of a tile are between blocks of K, and the distance
  /// between its rows. Tile and panel count from the task's first ones.
  std::pair<llvm::Value *, int64_t>
  placeOfSums(llvm::Value *memory, llvm::Value *tile, llvm::Value *panel);
  /// Calls `body` with the offset of each vector of a tile.
  void forVectors(llvm::Value *rows, int64_t columns, llvm::Value *stride,
                  llvm::function_ref<void(llvm::Value *)> body);
  void addParts(llvm::Value *first, llvm::Value *rows, int64_t columns,
                llvm::Value *stride);
  void finishSums(llvm::Value *tile, llvm::Value *panel, int64_t columns);
  void finishSwappedSums(llvm::Value *firstTile, llvm::Value *panel,
                         int64_t columns);
  void addToSumTree(const KBlock &k, llvm::Value *values, llvm::Value *rows,
                    int64_t columns, llvm::Value *stride);
  /// Transposes the result panels of a whole task (swapped operands).
  void transposeResult(Range tiles, Range panels);
  /// Transposes the sums of `rows` rows of a panel, which start at `from`, and
  /// passes them on.
  void finishTransposed(llvm::Value *firstTile, llvm::Value *from, int64_t rows,
                        llvm::Value *panel, int64_t columns);
  void transposePanel(llvm::Value *from, int64_t rows, int64_t columns,
                      llvm::Value *target);
  void storeRows(const AccumulatedTile &swapped);
  void fillTable(llvm::ArrayRef<GemmDim> dims, int64_t place,
                 llvm::Value *first, llvm::Value *offset);
  /// One stride separates the rows of C.
  bool hasEvenRowsOfC() const {
    return isRun(gemm.m, gemm.m.back().c, &GemmDim::c);
  }
  /// Tiles read rows of A in place through a shared function, although no
  /// single stride leads through them. A call takes too long for small tiles.
  bool hasRowTable() const {
    constexpr int64_t leastK = 64;
    return !plan.packA && !plan.indirectA && !plan.dots && !plan.usesPairs &&
           !hasCells() && (gemm.m.size() > 1 || plan.runsA) &&
           gemm.k.back().a == 1 && vector->getPrimitiveSizeInBits() <= 256 &&
           (!plan.directC || hasEvenRowsOfC()) &&
           (plan.anySize || plan.blockK() >= leastK);
  }
  bool hasSmallTiles() const { return plan.bigTiles < plan.tiles; }
  /// If the plan is for any size, whether there is one depends on N.
  bool hasLastPanel() const {
    return plan.anySize || plan.lastColumns < plan.panelColumns();
  }
  /// Columns of N that whole panels do not cover, in a plan for any size.
  llvm::Value *columnsLeft() {
    return ir.CreateURem(emitSize(ir, gemm.nSize()),
                         ir.getInt64(plan.panelColumns()));
  }
  int64_t wholePanels() const { return gemm.nSize() / plan.panelColumns(); }
  llvm::Value *endOfWhole(Range panels) {
    return smaller(panels.end, decision(wholePanels()));
  }
  /// Runs `body` for the full panels of the range, then for the last, partial
  /// one.
  void
  forPanels(Range panels,
            llvm::function_ref<void(llvm::Value *panel, Columns columns)> body);
  /// Runs `body` for the last panel if it is in the range and partial.
  void forLastPanel(
      Range panels,
      llvm::function_ref<void(llvm::Value *panel, Columns columns)> body);

  llvm::IRBuilder<> &ir;
  const ContractionPlan &plan;
  const Gemm &gemm;
  const GemmPointers &pointers;
  const TileEpilogue &finish;
  llvm::Type *element, *elementA, *elementB;
  llvm::FixedVectorType *vector;
  llvm::Value *tileMemory = nullptr;

  // State of the current task or tile.
  llvm::Value *batch = nullptr, *c = nullptr, *packedB = nullptr,
              *packedA = nullptr, *partial = nullptr, *stage = nullptr,
              *table = nullptr, *rowTable = nullptr, *swapped = nullptr;
  llvm::Value *tileRow = nullptr;
  llvm::SmallVector<llvm::Value *> aRows;
  Stream later; ///< what the current tile prefetches, if anything
};

/// Exchanges the operands if the plan does.
GemmPointers planned(const ContractionPlan &plan, GemmPointers pointers);

} // namespace xlac::codegen

#endif
