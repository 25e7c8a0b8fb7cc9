#include "LoopCuts.h"

#include "Element/ElementEmitter.h"
#include "KernelCost.h"
#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Matchers.h"

#include <set>

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {

namespace {

/// How an index of a value follows from those of the results: that of `dim`
/// plus `offset`. `dim` is -1 if no single dimension determines it.
struct Source {
  int64_t dim = -1, offset = 0;

  bool operator<(const Source &other) const {
    return std::pair(dim, offset) < std::pair(other.dim, other.offset);
  }
};
using Sources = SmallVector<Source>;

/// Follows the indices of the results to the ops that join or pad values.
class CutFinder {
public:
  explicit CutFinder(ArrayRef<int64_t> sizes) : sizes(sizes) {
    cuts.resize(sizes.size());
  }

  void visit(mlir::Value value, const Sources &sources);

  SmallVector<std::set<int64_t>> cuts;

private:
  void cut(Source source, int64_t index) {
    int64_t place = index - source.offset;
    if (source.dim >= 0 && place > 0 && place < sizes[source.dim])
      cuts[source.dim].insert(place);
  }
  void visitOp(PadOp op, Sources sources);
  void visitOp(ConcatenateOp op, const Sources &sources);
  void visitOp(DynamicUpdateSliceOp op, Sources sources);
  void visitOp(SliceOp op, Sources sources);
  void visitOp(BroadcastInDimOp op, const Sources &sources);
  void visitOp(TransposeOp op, const Sources &sources);
  void visitOp(ConvolutionOp op, const Sources &sources);

  ArrayRef<int64_t> sizes;
  std::set<std::pair<void *, std::vector<Source>>> seen;
};

} // namespace

static Source moved(Source source, int64_t offset) {
  source.offset += offset;
  return source;
}

void CutFinder::visitOp(PadOp op, Sources sources) {
  for (auto [dim, size] : enumerate(sizesOf(op.getOperand()))) {
    int64_t low = op.getEdgePaddingLow()[dim];
    if (op.getInteriorPadding()[dim] != 0) {
      sources[dim] = {};
      continue;
    }
    cut(sources[dim], low);
    cut(sources[dim], low + size);
    sources[dim] = moved(sources[dim], -low);
  }
  visit(op.getOperand(), sources);
}

void CutFinder::visitOp(ConcatenateOp op, const Sources &sources) {
  int64_t dim = op.getDimension(), offset = 0;
  for (mlir::Value input : op.getInputs()) {
    Sources own = sources;
    own[dim] = moved(own[dim], -offset);
    offset += sizesOf(input)[dim];
    cut(sources[dim], offset);
    visit(input, own);
  }
}

void CutFinder::visitOp(DynamicUpdateSliceOp op, Sources sources) {
  visit(op.getOperand(), sources);
  ArrayRef<int64_t> whole = sizesOf(op.getOperand());
  for (auto [dim, size] : enumerate(sizesOf(op.getUpdate()))) {
    mlir::DenseElementsAttr start;
    if (!matchPattern(op.getStartIndices()[dim], mlir::m_Constant(&start))) {
      sources[dim] = {};
      continue;
    }
    APInt number = start.getSplatValue<APInt>();
    bool isUnsigned = start.getElementType().isUnsignedInteger();
    int64_t last = whole[dim] - size;
    int64_t first = isUnsigned
                        ? int64_t(number.getLimitedValue(uint64_t(last)))
                        : std::clamp<int64_t>(number.getSExtValue(), 0, last);
    cut(sources[dim], first);
    cut(sources[dim], first + size);
    sources[dim] = moved(sources[dim], -first);
  }
  visit(op.getUpdate(), sources);
}

void CutFinder::visitOp(SliceOp op, Sources sources) {
  for (auto [dim, start] : enumerate(op.getStartIndices()))
    sources[dim] =
        op.getStrides()[dim] == 1 ? moved(sources[dim], start) : Source();
  visit(op.getOperand(), sources);
}

void CutFinder::visitOp(BroadcastInDimOp op, const Sources &sources) {
  Sources own;
  for (auto [size, dim] :
       zip_equal(sizesOf(op.getOperand()), op.getBroadcastDimensions()))
    own.push_back(size == 1 ? Source() : sources[dim]);
  visit(op.getOperand(), own);
}

void CutFinder::visitOp(TransposeOp op, const Sources &sources) {
  Sources own(sources.size());
  for (auto [to, from] : enumerate(op.getPermutation()))
    own[from] = sources[to];
  visit(op.getOperand(), own);
}

int64_t rowDimension(ArrayRef<int64_t> sizes) {
  bool isInner = true;
  for (int64_t dim = int64_t(sizes.size()) - 1; dim >= 0; --dim) {
    if (sizes[dim] == 1)
      continue;
    if (!isInner)
      return dim;
    isInner = false;
  }
  return -1;
}

int64_t rowsInBlock(int64_t rows, int64_t most) {
  int64_t block = std::min(rows, most);
  while (rows % block != 0)
    --block;
  return block;
}

/// Separates the rows that are left after whole blocks, if there are no equal
/// blocks of several rows.
void CutFinder::visitOp(ConvolutionOp op, const Sources &sources) {
  for (int64_t dim : op.getDimensionNumbers().getOutputSpatialDimensions()) {
    int64_t rows = sizesOf(op.getResult())[dim];
    if (sources[dim].dim == rowDimension(sizes) && rows > kMostRowsInBlock &&
        rowsInBlock(rows, kMostRowsInBlock) < kMostRowsInBlock / 2)
      cut(sources[dim], rows / kMostRowsInBlock * kMostRowsInBlock);
  }
}

void CutFinder::visit(mlir::Value value, const Sources &sources) {
  constexpr size_t mostVisited = 256;
  mlir::Operation *op = value.getDefiningOp();
  if (!op || sources.size() != sizesOf(value).size() ||
      is_contained(sizesOf(value), 0) || seen.size() >= mostVisited ||
      !seen.insert(
               {value.getAsOpaquePointer(), {sources.begin(), sources.end()}})
           .second)
    return;
  TypeSwitch<mlir::Operation *>(op)
      .Case<PadOp, ConcatenateOp, DynamicUpdateSliceOp, SliceOp,
            BroadcastInDimOp, TransposeOp, ConvolutionOp>(
          [&](auto known) { visitOp(known, sources); })
      .Default([&](mlir::Operation *) {
        if (isScalarOp(op))
          for (mlir::Value operand : op->getOperands())
            visit(operand, sources);
      });
}

SmallVector<SmallVector<int64_t>> findLoopCuts(ir::KernelOp kernel) {
  // Every box has its own code, and small results are quick anyway.
  constexpr int64_t leastElements = 4096, mostBoxes = 9, mostOps = 400;
  mlir::OperandRange results = kernel.getYield()->getOperands();
  SmallVector<SmallVector<int64_t>> begins;
  if (results.empty())
    return begins;
  ArrayRef<int64_t> sizes = sizesOf(results[0]);
  begins.assign(sizes.size(), {0});
  if (elementCount(sizes) < leastElements)
    return begins;
  CutFinder finder(sizes);
  Sources identity;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    identity.push_back({int64_t(dim), 0});
  for (mlir::Value result : results) {
    if (sizesOf(result) != sizes)
      return begins;
    finder.visit(result, identity);
  }
  // Cuts of the innermost dimension matter most: elsewhere all lanes decide
  // alike.
  int64_t boxes = 1;
  int64_t ops = int64_t(kernel.getBody().front().getOperations().size());
  for (size_t dim = sizes.size(); dim-- > 0;) {
    int64_t parts = int64_t(finder.cuts[dim].size()) + 1;
    if (boxes * parts > mostBoxes || boxes * parts * ops > mostOps)
      continue;
    boxes *= parts;
    begins[dim].append(finder.cuts[dim].begin(), finder.cuts[dim].end());
  }
  return begins;
}

} // namespace xlac::codegen
