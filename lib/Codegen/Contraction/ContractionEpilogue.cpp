// Computes the kernel's results from accumulators. Each row of a finished tile
// goes through the ops after the contraction, in vectors of columns.
#include "ContractionKernel.h"

#include "Loops.h"
#include "Scalar/ScalarOps.h"

#include <memory>
#include <numeric>

using namespace llvm;

namespace xlac::codegen {

namespace {
class Epilogue {
public:
  Epilogue(KernelFunction &function, IRBuilder<> &ir,
           const ContractionKernel &kernel, const AccumulatedTile &tile)
      : function(function), ir(ir), kernel(kernel), tile(tile),
        value(kernel.form.op->getResult(0)), shape(sizesOf(value)),
        element(accumulatorType(ir, kernel.plan.gemm)),
        lanes(kernel.plan.lanes) {}

  void run() {
    if (tile.validColumns) {
      runMasked();
      return;
    }
    // Pieces of a row share what its elements have in common, and wait less for
    // each other's results.
    constexpr int64_t mostPieces = 4;
    int64_t whole = tile.columns / lanes * lanes, rest = tile.columns - whole;
    bool isShort = tile.columns <= mostPieces * lanes;
    emitFor(ir, ir.getInt64(0), tile.rows, 1, [&](Value *row) {
      SmallVector<Piece> pieces;
      if (isShort)
        for (int64_t column = 0; column < whole; column += lanes)
          pieces.push_back(computePiece(lanes, row, ir.getInt64(column)));
      else
        emitFor(ir, ir.getInt64(0), ir.getInt64(whole), lanes,
                [&](Value *column) { emitPiece(lanes, row, column); });
      if (rest)
        pieces.push_back(computePiece(rest, row, ir.getInt64(whole)));
      for (Piece &piece : pieces)
        store(piece);
    });
  }

private:
  /// Neighbouring elements of a row of each result, and their indices there.
  struct Piece {
    std::unique_ptr<ElementEmitter> emitter;
    SmallVector<Element> elements;
    SmallVector<SmallVector<LaneIndex>> places;
  };

  /// Columns after the valid ones are computed but not stored. The tile has
  /// them, with unspecified values.
  void runMasked() {
    Value *whole = ir.CreateAnd(tile.validColumns, -int64_t(lanes));
    Value *left = ir.CreateSub(tile.validColumns, whole);
    Value *mask = leadingMask(ir, lanes, left);
    Value *end =
        ir.CreateAdd(whole, ir.CreateZExt(ir.CreateICmpNE(left, ir.getInt64(0)),
                                          ir.getInt64Ty()));
    emitFor(ir, ir.getInt64(0), tile.rows, 1, [&](Value *row) {
      emitFor(ir, ir.getInt64(0), whole, lanes,
              [&](Value *column) { emitPiece(lanes, row, column); });
      emitFor(ir, whole, end, lanes,
              [&](Value *column) { emitPiece(lanes, row, column, mask); });
    });
  }

  void place(ElementEmitter &emitter, SmallVector<LaneIndex> &indices,
             ArrayRef<ir::ContractionDim> dims, LaneIndex flat) {
    SmallVector<int64_t> sizes;
    for (const ir::ContractionDim &dim : dims)
      sizes.push_back(dim.size);
    if (sizes.empty())
      return;
    for (auto [dim, index] : zip_equal(dims, emitter.delinearize(sizes, flat)))
      indices[dim.resultDim] = emitter.add(
          indices[dim.resultDim], emitter.scale(index, dim.resultStep));
  }

  /// Returns whether `dims` are contiguous dimensions of the result, and all
  /// ops let them be collapsed into one.
  bool runAsOne(ElementEmitter &emitter, ArrayRef<ir::ContractionDim> dims) {
    if (dims.size() < 2)
      return false;
    uint64_t wanted = 0;
    for (size_t i = 0; i < dims.size(); ++i) {
      int64_t dim = dims[i].resultDim;
      if (dims[i].resultStep != 1 || dims[i].size != shape[dim])
        return false;
      if (i + 1 == dims.size())
        break;
      wanted |= uint64_t(1) << dim;
      int64_t next = dim + 1;
      while (next < int64_t(shape.size()) && shape[next] == 1)
        ++next;
      if (next != dims[i + 1].resultDim)
        return false;
    }
    return llvm::all_of(
        function.kernel.getYield()->getOperands(), [&](mlir::Value yielded) {
          return sizesOf(yielded) == shape &&
                 (emitter.collapsibleDims(yielded) & wanted) == wanted;
        });
  }

  Element loadAccumulators(ElementEmitter &emitter, unsigned width, Value *row,
                           Value *column) {
    Type *type = width == 1 ? element : FixedVectorType::get(element, width);
    Value *offset = ir.CreateAdd(ir.CreateMul(row, tile.stride), column);
    Value *loaded =
        ir.CreateAlignedLoad(type, ir.CreateGEP(element, tile.values, offset),
                             Align(element->getPrimitiveSizeInBits() / 8));
    mlir::Type resultType = mlir::getElementTypeOrSelf(value.getType());
    if (element->isIntegerTy())
      return {
          ir.CreateTrunc(loaded, laneType(ir.getContext(), resultType, width))};
    if (element->isDoubleTy() && !resultType.isF64())
      loaded = ir.CreateFPTrunc(
          loaded, width == 1 ? ir.getFloatTy()
                             : FixedVectorType::get(ir.getFloatTy(), width));
    ScalarEmitter scalar{ir, width, function.profile};
    return roundToType(scalar, resultType, {loaded});
  }

  /// Sets the indices of `dims` to those of the flat index `flat`.
  void placeFlat(ElementEmitter &emitter, SmallVector<LaneIndex> &indices,
                 ArrayRef<ir::ContractionDim> dims, LaneIndex flat) {
    if (runAsOne(emitter, dims))
      indices[dims.back().resultDim] = flat;
    else
      place(emitter, indices, dims, flat);
  }

  void emitPiece(unsigned width, Value *row, Value *column,
                 Value *active = nullptr) {
    Piece piece = computePiece(width, row, column, active);
    store(piece);
  }

  Piece computePiece(unsigned width, Value *row, Value *column,
                     Value *active = nullptr) {
    Piece piece;
    piece.emitter = std::make_unique<ElementEmitter>(function, ir, width);
    ElementEmitter &emitter = *piece.emitter;
    emitter.setActive(active);
    Element accumulators = loadAccumulators(emitter, width, row, column);
    emitter.bind(
        value, [=](ArrayRef<LaneIndex>) { return accumulators; }, ~uint64_t(0));
    SmallVector<LaneIndex> indices(shape.size(), emitter.uniform(int64_t(0)));
    place(emitter, indices, kernel.batch, emitter.uniform(tile.batch));
    placeFlat(emitter, indices, kernel.m,
              emitter.uniform(ir.CreateAdd(tile.row, row)));
    Value *first = ir.CreateAdd(tile.column, column);
    int64_t multiple = std::gcd<int64_t>(lanes, tile.columnMultiple);
    emitter.indexMath().setMultiple(first, multiple);
    placeFlat(emitter, indices, kernel.n, {first, width > 1 ? 1 : 0, nullptr});

    for (mlir::Value yielded : function.kernel.getYield()->getOperands()) {
      SmallVector<LaneIndex> own = indices;
      if (sizesOf(yielded) != shape) {
        own.clear();
        if (!sizesOf(yielded).empty())
          own = emitter.delinearize(sizesOf(yielded),
                                    emitter.linearize(shape, indices));
      }
      piece.elements.push_back(emitter.emit(yielded, own));
      piece.places.push_back(own);
    }
    return piece;
  }

  /// Stores a piece. All its elements are computed before the first store: a
  /// result may share its buffer with an operand.
  static void store(Piece &piece) {
    for (auto [number, element] : enumerate(piece.elements))
      piece.emitter->store(number, piece.places[number], element);
  }

  KernelFunction &function;
  IRBuilder<> &ir;
  const ContractionKernel &kernel;
  const AccumulatedTile &tile;
  mlir::Value value;
  ArrayRef<int64_t> shape;
  Type *element;
  unsigned lanes;
};
} // namespace

void emitEpilogue(KernelFunction &function, IRBuilder<> &ir,
                  const ContractionKernel &kernel,
                  const AccumulatedTile &tile) {
  Epilogue(function, ir, kernel, tile).run();
}

} // namespace xlac::codegen
