#include "LoopCuts.h"

#include "Element/ElementEmitter.h"
#include "KernelCost.h"
#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/IR/Matchers.h"

#include <set>
#include <tuple>

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {

namespace {

/// How an index of a value follows from those of the results: that of `dim`
/// times `scale` plus `offset`. `dim` is -1 if no single dimension determines
/// it.
struct Source {
  int64_t dim = -1, offset = 0, scale = 1;

  bool operator<(const Source &other) const {
    return std::tie(dim, offset, scale) <
           std::tie(other.dim, other.offset, other.scale);
  }
};
using Sources = SmallVector<Source>;

/// Indices from `begin` on, before `end`.
struct Range {
  int64_t begin, end;

  bool operator<(const Range &other) const {
    return std::tie(begin, end) < std::tie(other.begin, other.end);
  }
};

/// Follows the indices of the results to the ops that join or pad values.
class CutFinder {
public:
  explicit CutFinder(ArrayRef<int64_t> sizes) : sizes(sizes) {
    cuts.resize(sizes.size());
    for (int64_t size : sizes)
      region.push_back({0, size});
  }

  void visit(mlir::Value value, const Sources &sources);

  SmallVector<std::set<int64_t>> cuts;

private:
  /// Returns the results' index of a dimension at which the index of a value
  /// passes from `index` - 1 to `index` or back.
  static int64_t placeOf(Source source, int64_t index);
  /// Cuts the results there if this is inside the region.
  void cut(Source source, int64_t index) {
    if (source.dim < 0)
      return;
    int64_t place = placeOf(source, index);
    if (region[source.dim].begin < place && place < region[source.dim].end)
      cuts[source.dim].insert(place);
  }
  /// Visits a value that an op reads where its own indices are in `ranges`, and
  /// cuts the results there. `own` are the sources of the value's indices.
  void visitPart(mlir::Value value, const Sources &sources,
                 ArrayRef<Range> ranges, const Sources &own);
  void visitOp(PadOp op, const Sources &sources);
  void visitOp(ConcatenateOp op, const Sources &sources);
  void visitOp(DynamicUpdateSliceOp op, const Sources &sources);
  void visitOp(SliceOp op, Sources sources);
  void visitOp(ReverseOp op, Sources sources);
  void visitOp(BroadcastInDimOp op, const Sources &sources);
  void visitOp(TransposeOp op, const Sources &sources);
  void visitOp(ConvolutionOp op, const Sources &sources);

  ArrayRef<int64_t> sizes;
  SmallVector<Range> region; ///< part of the results that reads the value
  std::set<std::tuple<void *, std::vector<Source>, std::vector<Range>>> seen;
};

} // namespace

/// Returns the source of the index `scale` * i + `offset`, where i is the index
/// that `source` describes.
static Source moved(Source source, int64_t offset, int64_t scale = 1) {
  // Larger numbers only occur if the index has a single value.
  if (!isInt<32>(source.offset) || !isInt<32>(source.scale) ||
      !isInt<30>(scale) || !isInt<48>(offset))
    return {};
  return {source.dim, source.offset * scale + offset, source.scale * scale};
}

int64_t CutFinder::placeOf(Source source, int64_t index) {
  if (source.scale > 0)
    return divideCeilSigned(index - source.offset, source.scale);
  return divideFloorSigned(source.offset - index, -source.scale) + 1;
}

void CutFinder::visitPart(mlir::Value value, const Sources &sources,
                          ArrayRef<Range> ranges, const Sources &own) {
  SmallVector<Range> outer = region;
  for (auto [source, range] : zip_equal(sources, ranges)) {
    if (source.dim < 0)
      continue;
    cut(source, range.begin);
    cut(source, range.end);
    auto [begin, end] =
        std::minmax({placeOf(source, range.begin), placeOf(source, range.end)});
    Range &part = region[source.dim];
    part = {std::max(part.begin, begin), std::min(part.end, end)};
  }
  if (all_of(region, [](Range part) { return part.begin < part.end; }))
    visit(value, own);
  region = std::move(outer);
}

/// Returns the ranges that contain all indices of a shape.
static SmallVector<Range> wholeOf(ArrayRef<int64_t> sizes) {
  return map_to_vector(sizes, [](int64_t size) { return Range{0, size}; });
}

void CutFinder::visitOp(PadOp op, const Sources &sources) {
  Sources own = sources;
  SmallVector<Range> ranges = wholeOf(sizesOf(op.getResult()));
  for (auto [dim, size] : enumerate(sizesOf(op.getOperand()))) {
    int64_t low = op.getEdgePaddingLow()[dim];
    if (op.getInteriorPadding()[dim] != 0) {
      own[dim] = {};
      continue;
    }
    ranges[dim] = {low, low + size};
    own[dim] = moved(own[dim], -low);
  }
  visitPart(op.getOperand(), sources, ranges, own);
}

void CutFinder::visitOp(ConcatenateOp op, const Sources &sources) {
  int64_t dim = op.getDimension(), offset = 0;
  SmallVector<Range> ranges = wholeOf(sizesOf(op.getResult()));
  for (mlir::Value input : op.getInputs()) {
    Sources own = sources;
    own[dim] = moved(own[dim], -offset);
    ranges[dim] = {offset, offset + sizesOf(input)[dim]};
    offset = ranges[dim].end;
    visitPart(input, sources, ranges, own);
  }
}

void CutFinder::visitOp(DynamicUpdateSliceOp op, const Sources &sources) {
  visit(op.getOperand(), sources);
  Sources own = sources;
  ArrayRef<int64_t> whole = sizesOf(op.getOperand());
  SmallVector<Range> ranges = wholeOf(whole);
  for (auto [dim, size] : enumerate(sizesOf(op.getUpdate()))) {
    mlir::DenseElementsAttr start;
    if (!matchPattern(op.getStartIndices()[dim], mlir::m_Constant(&start))) {
      own[dim] = {};
      continue;
    }
    APInt number = start.getSplatValue<APInt>();
    bool isUnsigned = start.getElementType().isUnsignedInteger();
    int64_t last = whole[dim] - size;
    int64_t first = isUnsigned
                        ? int64_t(number.getLimitedValue(uint64_t(last)))
                        : std::clamp<int64_t>(number.getSExtValue(), 0, last);
    ranges[dim] = {first, first + size};
    own[dim] = moved(own[dim], -first);
  }
  visitPart(op.getUpdate(), sources, ranges, own);
}

void CutFinder::visitOp(SliceOp op, Sources sources) {
  for (auto [dim, start] : enumerate(op.getStartIndices()))
    sources[dim] = moved(sources[dim], start, op.getStrides()[dim]);
  visit(op.getOperand(), sources);
}

void CutFinder::visitOp(ReverseOp op, Sources sources) {
  for (int64_t dim : op.getDimensions())
    sources[dim] = moved(sources[dim], sizesOf(op.getResult())[dim] - 1, -1);
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
    if (rows > kMostRowsInBlock && sources[dim].dim == rowDimension(sizes) &&
        rowsInBlock(rows, kMostRowsInBlock) < kMostRowsInBlock / 2)
      cut(sources[dim], rows / kMostRowsInBlock * kMostRowsInBlock);
  }
}

void CutFinder::visit(mlir::Value value, const Sources &sources) {
  constexpr size_t mostVisited = 256;
  mlir::Operation *op = value.getDefiningOp();
  if (!op || sources.size() != sizesOf(value).size() ||
      is_contained(sizesOf(value), 0) || seen.size() >= mostVisited ||
      !seen.insert({value.getAsOpaquePointer(),
                    {sources.begin(), sources.end()},
                    {region.begin(), region.end()}})
           .second)
    return;
  TypeSwitch<mlir::Operation *>(op)
      .Case<PadOp, ConcatenateOp, DynamicUpdateSliceOp, SliceOp, ReverseOp,
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
