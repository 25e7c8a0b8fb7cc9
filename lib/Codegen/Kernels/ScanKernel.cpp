// The scan kind: running sums, products, minima and so on. Along rows, vectors
// are scanned in registers, each continuing from the previous one, with several
// rows at a time. Along other dimensions, lanes are neighbouring slices. Few
// long rows are scanned in two phases over chunks. The value carried into a
// block of a slice comes from a tree of the blocks' sums, so rounding errors
// grow with the logarithm of a slice's length. Results may apply elementwise
// ops to the scanned values.
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "Loops.h"
#include "PairwiseSum.h"

#include "xlac/Dialect/Stablehlo/OpCost.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/Reducer.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

namespace {
using Elements = SmallVector<Element>;

struct ScanPlan {
  ReduceWindowOp root;
  ir::Scan scan;
  int64_t count = 0; ///< elements of a slice
  unsigned lanes = 1;
  /// Lanes are along the scanned dimension, which is the innermost one.
  bool alongRows = false;
  /// Otherwise: the dimension of the lanes, or -1.
  int64_t laneDim = -1;
  int64_t laneSize = 1;
  /// Slices that one task computes together: rows, or vectors of columns.
  int64_t group = 1;
  int64_t groups = 1; ///< of rows, or along laneDim
  SmallVector<int64_t> otherDims, otherSizes;
  int64_t rows = 1;
  int64_t tasks = 1;
  /// Number of chunks of a row, and their size in elements. The total of each
  /// chunk is in the workspace before rows are scanned.
  int64_t chunks = 1, chunk = 0;
  SmallVector<int64_t> totals; ///< workspace offsets, by operand
  int64_t workspace = 0;
};
} // namespace

/// Totals of chunks that are added sequentially into a chunk's initial value.
static constexpr int64_t kTotalsInChain = 4;
/// Number of rows or vectors that hide the latency of one.
static constexpr int64_t kGroup = 4, kColumnGroup = 8;

static void collectOthers(ScanPlan &plan, ArrayRef<int64_t> sizes) {
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (int64_t(dim) != plan.scan.dim && int64_t(dim) != plan.laneDim) {
      plan.otherDims.push_back(dim);
      plan.otherSizes.push_back(size);
      plan.rows *= size;
    }
}

/// Splits few long rows into chunks, so that several threads have work. The
/// total of a chunk combines its elements in another order.
static void chooseChunks(ScanPlan &plan) {
  if (!plan.scan.simple)
    return;
  constexpr int64_t fewRows = 8, shortest = 1 << 15, most = 64;
  if (plan.rows >= fewRows || plan.rows == 0 || plan.count < 2 * shortest)
    return;
  int64_t chunks = std::min(plan.count / shortest, most);
  int64_t each = (plan.count + chunks - 1) / chunks;
  plan.chunk = (each + plan.lanes - 1) / plan.lanes * plan.lanes;
  plan.chunks = (plan.count + plan.chunk - 1) / plan.chunk;
  plan.group = 1;
  mlir::TypeRange types = plan.root.getBody().front().getArgumentTypes();
  for (mlir::Type type : types.take_front(plan.root.getInputs().size())) {
    plan.totals.push_back(plan.workspace);
    int64_t bytes = plan.rows * plan.chunks *
                    elementBytes(mlir::getElementTypeOrSelf(type));
    plan.workspace += (bytes + 63) / 64 * 64;
  }
  assert(plan.chunk % plan.lanes == 0 &&
         plan.chunks * plan.chunk >= plan.count &&
         (plan.chunks - 1) * plan.chunk < plan.count && "chunks cover a row");
}

/// Returns the time that the reducer takes for an element, as a multiple of
/// that of an addition.
static int64_t reducerCost(ReduceWindowOp root) {
  int64_t cost = 0;
  for (mlir::Operation &op : root.getBody().front().without_terminator())
    cost += costPerElement(&op);
  return std::max<int64_t>(cost, 1);
}

/// Sets lanes along another dimension than the scanned one: the innermost one
/// that fills a vector. If none does, and the reducer is expensive enough to
/// gain from it, part of a vector along the largest one.
static void chooseLaneDim(ArrayRef<int64_t> sizes, int64_t lanes,
                          ScanPlan &plan) {
  constexpr int64_t cheap = 4;
  int64_t largest = -1;
  for (int64_t dim = int64_t(sizes.size()) - 1; dim >= 0; --dim) {
    if (dim == plan.scan.dim)
      continue;
    if (largest < 0 || sizes[dim] > sizes[largest])
      largest = dim;
    if (sizes[dim] < lanes)
      continue;
    largest = dim;
    break;
  }
  if (lanes <= 1 || largest < 0 || sizes[largest] < 2 ||
      (sizes[largest] < lanes && reducerCost(plan.root) <= cheap))
    return;
  plan.laneDim = largest;
  plan.laneSize = sizes[largest];
  plan.lanes = std::min<int64_t>(lanes, bit_floor(uint64_t(plan.laneSize)));
  // A long reducer and long elements fill the pipelines by themselves.
  bool isLong = reducerCost(plan.root) > cheap ||
                llvm::any_of(plan.root.getInputs(), takesLong);
  int64_t group = isLong ? 2 : kColumnGroup;
  plan.group = std::min(plan.laneSize / plan.lanes, group);
  int64_t width = plan.lanes * plan.group;
  plan.groups = (plan.laneSize + width - 1) / width;
}

/// Whether combining the lanes of a vector costs more than reading lanes from
/// different rows.
static bool isCheaperAcrossRows(ArrayRef<int64_t> sizes, int64_t lanes,
                                ScanPlan &plan) {
  constexpr int64_t expensive = 12;
  return reducerCost(plan.root) > expensive &&
         any_of(sizes.drop_back(), [&](int64_t size) { return size >= lanes; });
}

/// Chooses the lanes: along the scanned dimension if it is the innermost one
/// and the reducer is cheap, else along another dimension.
static void chooseLanes(ir::KernelOp kernel, const TargetProfile &profile,
                        ScanPlan &plan) {
  ArrayRef<int64_t> sizes = sizesOf(plan.root.getInputs()[0]);
  int64_t lanes = laneCountOf(kernel, profile);
  plan.alongRows =
      lanes > 1 && plan.count >= lanes &&
      elementCount(sizes.drop_front(plan.scan.dim + 1)) == 1 &&
      !isCheaperAcrossRows(sizes.take_front(plan.scan.dim + 1), lanes, plan);
  if (plan.alongRows) {
    plan.lanes = lanes;
    collectOthers(plan, sizes);
    plan.group = std::clamp<int64_t>(plan.rows, 1, kGroup);
    chooseChunks(plan);
    plan.groups = (plan.rows + plan.group - 1) / plan.group;
    plan.tasks = plan.groups * plan.chunks;
    return;
  }
  chooseLaneDim(sizes, lanes, plan);
  collectOthers(plan, sizes);
  plan.tasks = plan.groups * plan.rows;
}

static mlir::LogicalResult
planScan(ir::KernelOp kernel, const TargetProfile &profile, ScanPlan &plan) {
  for (mlir::Operation &op : kernel.getBody().front())
    if (std::optional<ir::Scan> scan = ir::describeScan(&op)) {
      if (plan.root)
        return kernel.emitOpError("is of kind scan, but has two of them");
      plan.root = cast<ReduceWindowOp>(op);
      plan.scan = *scan;
    }
  if (!plan.root)
    return kernel.emitOpError("is of kind scan, but scans nothing");
  ArrayRef<int64_t> sizes = sizesOf(plan.root.getInputs()[0]);
  for (mlir::Value result : kernel.getYield()->getOperands())
    if (sizesOf(result) != sizes ||
        elementBytes(mlir::getElementTypeOrSelf(result.getType())) == 0)
      return kernel.emitOpError("is of kind scan and has a result of type ")
             << result.getType();
  assert(0 <= plan.scan.dim && plan.scan.dim < int64_t(sizes.size()) &&
         "a scan runs along one of the dimensions");
  plan.count = sizes[plan.scan.dim];
  chooseLanes(kernel, profile, plan);
  assert(plan.rows * plan.count * plan.laneSize == elementCount(sizes) &&
         "every element is in one slice");
  assert((plan.alongRows ? plan.group <= std::max<int64_t>(plan.rows, 1)
                         : plan.lanes * plan.group <= plan.laneSize) &&
         "a task does no more slices than there are");
  return mlir::success();
}

static mlir::LogicalResult scheduleScan(ir::KernelOp kernel,
                                        const TargetProfile &profile) {
  ScanPlan plan;
  if (mlir::failed(planScan(kernel, profile, plan)))
    return mlir::failure();
  KernelCost cost = costOf(kernel);
  // Each vector of a slice depends on the previous one.
  int64_t vectors = plan.alongRows ? plan.count / plan.lanes : plan.count;
  int64_t steps = plan.rows * vectors * reducerCost(plan.root);
  if (!plan.alongRows)
    steps *= plan.groups;
  int64_t time = std::max(cost.nanoseconds(profile), steps);
  SmallVector<int64_t> tasks(plan.chunks > 1 ? 2 : 1, plan.tasks);
  SmallVector<int64_t> grain(tasks.size(), grainOf(plan.tasks, time, profile));
  setSchedule(kernel, tasks, grain, {}, plan.workspace, cost.flops, cost.bytes);
  return mlir::success();
}

namespace {
class ScanEmitter {
public:
  ScanEmitter(KernelFunction &function, IRBuilder<> &ir, ScanPlan &plan)
      : function(function), ir(ir), plan(plan),
        emitter(function, ir, plan.lanes), scalar(function, ir, 1) {}

  /// Phase 0 of two: computes the totals of a chunk.
  void emitTotals(Value *task);
  void emitRows(Value *task);
  void emitColumns(Value *task);

private:
  using Slices = SmallVector<SmallVector<LaneIndex>>;

  Slices rowsOf(Value *task);
  Slices columnsOf(Value *task);
  void setOthers(SmallVectorImpl<LaneIndex> &slice, Value *number);
  LaneIndex placeOf(Value *position, unsigned width);
  Elements read(ElementEmitter &from, ArrayRef<LaneIndex> indices);
  Elements combine(ElementEmitter &at, ArrayRef<Element> before,
                   ArrayRef<Element> after);
  Elements initial(ElementEmitter &at);
  Elements shuffled(ArrayRef<Element> elements, ArrayRef<int> lanes);
  Elements prefixes(Elements elements);
  Elements lastOf(ArrayRef<Element> scanned);
  /// Returns the value that a step adds to each slice, given the carried
  /// values.
  using Step = function_ref<Elements(Value *, ArrayRef<Element>)>;
  Elements combineSlices(ArrayRef<Element> left, ArrayRef<Element> right);
  Elements walk(Value *begin, Value *end, int64_t stride, int64_t most,
                ArrayRef<Element> carried, Step step);
  Elements initialOfSlices();
  Elements scanRow(ArrayRef<LaneIndex> indices, ArrayRef<Element> carried);
  void scanRows(Slices &slices, Value *begin, Value *end, Elements carried);
  void storeResults(ElementEmitter &at, ArrayRef<LaneIndex> indices,
                    ArrayRef<Element> scanned);
  Elements carriedInto(Value *row, Value *chunk);
  RankedTensorType totalsType(unsigned operand) {
    mlir::Type type = plan.root.getBody().front().getArgumentTypes()[operand];
    return RankedTensorType::get({plan.rows * plan.chunks},
                                 mlir::getElementTypeOrSelf(type));
  }
  Value *totalsOf(unsigned operand) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), function.workspace,
                                         plan.totals[operand]);
  }
  Value *wholeVectors(Value *length) {
    Value *lanes = ir.getInt64(plan.lanes);
    return ir.CreateMul(ir.CreateUDiv(length, lanes), lanes);
  }
  size_t operands() { return plan.root.getInputs().size(); }

  KernelFunction &function;
  IRBuilder<> &ir;
  ScanPlan &plan;
  ElementEmitter emitter, scalar;
};
} // namespace

void ScanEmitter::setOthers(SmallVectorImpl<LaneIndex> &slice, Value *number) {
  SmallVector<LaneIndex> others =
      emitter.delinearize(plan.otherSizes, emitter.uniform(number));
  for (auto [dim, index] : zip_equal(plan.otherDims, others))
    slice[dim] = index;
}

/// Returns the rows of a task. The last group starts early enough to be full,
/// and rewrites rows of its neighbour.
ScanEmitter::Slices ScanEmitter::rowsOf(Value *task) {
  Value *first = ir.CreateUDiv(task, ir.getInt64(plan.chunks));
  first = ir.CreateMul(first, ir.getInt64(plan.group));
  first = ir.CreateBinaryIntrinsic(Intrinsic::smin, first,
                                   ir.getInt64(plan.rows - plan.group));
  Slices slices;
  for (int64_t row = 0; row < plan.group; ++row) {
    slices.emplace_back(sizesOf(plan.root.getInputs()[0]).size(),
                        emitter.uniform(int64_t(0)));
    setOthers(slices.back(), ir.CreateAdd(first, ir.getInt64(row)));
  }
  return slices;
}

/// Returns the vectors of columns of a task. The last group starts early enough
/// to be full, too.
ScanEmitter::Slices ScanEmitter::columnsOf(Value *task) {
  Value *group = ir.CreateURem(task, ir.getInt64(plan.groups));
  Value *rest = ir.CreateUDiv(task, ir.getInt64(plan.groups));
  int64_t width = plan.lanes * plan.group;
  Value *first = ir.CreateBinaryIntrinsic(
      Intrinsic::smin, ir.CreateMul(group, ir.getInt64(width)),
      ir.getInt64(plan.laneSize - width));
  Slices slices;
  for (int64_t vector = 0; vector < plan.group; ++vector) {
    slices.emplace_back(sizesOf(plan.root.getInputs()[0]).size(),
                        emitter.uniform(int64_t(0)));
    setOthers(slices.back(), rest);
    if (plan.laneDim >= 0)
      slices.back()[plan.laneDim] = LaneIndex{
          ir.CreateAdd(first, ir.getInt64(vector * plan.lanes)), 1, nullptr};
  }
  return slices;
}

/// Returns the index of `width` elements that are `position` elements after the
/// first one in the scan's direction.
LaneIndex ScanEmitter::placeOf(Value *position, unsigned width) {
  if (plan.scan.reverse)
    position = ir.CreateSub(ir.getInt64(plan.count - width), position);
  return LaneIndex{position, width > 1 ? 1 : 0, nullptr};
}

Elements ScanEmitter::read(ElementEmitter &from, ArrayRef<LaneIndex> indices) {
  Elements elements;
  for (mlir::Value input : plan.root.getInputs())
    elements.push_back(from.emit(input, indices));
  mlir::TypeRange types = plan.root.getBody().front().getArgumentTypes();
  return from.convert(plan.root, plan.root.getInputs(), elements,
                      types.drop_front(operands()));
}

/// Combines two neighbours; `before` comes first in the scan's direction. The
/// reducer gets them in the order of their indices.
Elements ScanEmitter::combine(ElementEmitter &at, ArrayRef<Element> before,
                              ArrayRef<Element> after) {
  if (plan.scan.reverse)
    std::swap(before, after);
  Elements arguments(before);
  append_range(arguments, after);
  return at.emitRegion(plan.root.getBody(), arguments);
}

Elements ScanEmitter::initial(ElementEmitter &at) {
  Elements elements;
  for (mlir::Value value : plan.root.getInitValues())
    elements.push_back(at.emit(value, {}));
  mlir::TypeRange types = plan.root.getBody().front().getArgumentTypes();
  return at.convert(plan.root, plan.root.getInitValues(), elements,
                    types.take_front(operands()));
}

Elements ScanEmitter::shuffled(ArrayRef<Element> elements,
                               ArrayRef<int> lanes) {
  Elements result;
  for (const Element &element : elements)
    result.push_back(
        {ir.CreateShuffleVector(element.real, lanes),
         element.imag ? ir.CreateShuffleVector(element.imag, lanes) : nullptr});
  return result;
}

/// Combines each lane with all lanes before it, in log2(lanes) steps.
Elements ScanEmitter::prefixes(Elements elements) {
  int lanes = plan.lanes;
  for (int distance = 1; distance < lanes; distance *= 2) {
    SmallVector<int> from;
    SmallVector<Constant *> reached;
    for (int lane = 0; lane < lanes; ++lane) {
      int before = plan.scan.reverse ? lane + distance : lane - distance;
      bool there = before >= 0 && before < lanes;
      from.push_back(there ? before : lane);
      reached.push_back(ir.getInt1(there));
    }
    Elements both = combine(emitter, shuffled(elements, from), elements);
    Value *mask = ConstantVector::get(reached);
    for (auto [element, combined] : zip_equal(elements, both))
      element = emitter.select(mask, combined, element);
  }
  return elements;
}

/// Broadcasts the last lane of the scan.
Elements ScanEmitter::lastOf(ArrayRef<Element> scanned) {
  SmallVector<int> last(plan.lanes, plan.scan.reverse ? 0 : plan.lanes - 1);
  return shuffled(scanned, last);
}

void ScanEmitter::storeResults(ElementEmitter &at, ArrayRef<LaneIndex> indices,
                               ArrayRef<Element> scanned) {
  for (auto [number, result] : enumerate(plan.root.getResults()))
    at.memoize(result, indices, scanned[number]);
  for (auto [number, result] :
       enumerate(function.kernel.getYield()->getOperands()))
    at.store(number, indices, at.emit(result, indices));
}

/// `left` and `right` have one element for each slice and operand.
Elements ScanEmitter::combineSlices(ArrayRef<Element> left,
                                    ArrayRef<Element> right) {
  assert(left.size() == right.size() && left.size() % operands() == 0 &&
         "both hold one element a slice and operand");
  Elements all;
  for (size_t i = 0; i < left.size(); i += operands())
    append_range(all, combine(emitter, left.slice(i, operands()),
                              right.slice(i, operands())));
  return all;
}

Elements ScanEmitter::initialOfSlices() {
  Elements elements;
  for (int64_t slice = 0; slice < plan.group; ++slice)
    append_range(elements, initial(emitter));
  return elements;
}

/// Iterates over [begin, end), at most `most` positions, in steps of `stride`.
/// Returns the final values. Long iterations are divided into blocks: the value
/// carried into a block is the pairwise sum of the blocks before it.
Elements ScanEmitter::walk(Value *begin, Value *end, int64_t stride,
                           int64_t most, ArrayRef<Element> carried, Step step) {
  std::optional<int64_t> block = pairwiseBlock(plan.root.getBody());
  if (!isPairwise(block, most / stride))
    return emitter.loop(begin, end, stride, carried,
                        [&](Value *position, ArrayRef<Element> now) {
                          return combineSlices(now, step(position, now));
                        });
  size_t count = carried.size();
  int64_t width = *block * stride;
  PairwiseSum sums(emitter, carried, divideCeil(most, width),
                   [&](ArrayRef<Element> left, ArrayRef<Element> right) {
                     return combineSlices(left, right);
                   });
  emitter.loop(begin, end, width, {}, [&](Value *first, ArrayRef<Element>) {
    Value *last = ir.CreateBinaryIntrinsic(
        Intrinsic::smin, ir.CreateAdd(first, ir.getInt64(width)), end);
    // The block's own sum follows the carried values.
    Elements state = sums.total();
    append_range(state, initialOfSlices());
    state = emitter.loop(
        first, last, stride, state,
        [&](Value *position, ArrayRef<Element> now) {
          Elements own = step(position, now.take_front(count));
          Elements next = combineSlices(now.take_front(count), own);
          append_range(next, combineSlices(now.drop_front(count), own));
          return next;
        });
    sums.push(ArrayRef(state).drop_front(count));
    return Elements();
  });
  return sums.total();
}

/// Scans one vector of a row and returns its last element.
Elements ScanEmitter::scanRow(ArrayRef<LaneIndex> indices,
                              ArrayRef<Element> carried) {
  Elements scanned = prefixes(read(emitter, indices));
  storeResults(emitter, indices, combine(emitter, carried, scanned));
  return lastOf(scanned);
}

/// Scans [begin, end) of all slices. `carried` has one element for each slice
/// and operand, in all lanes.
void ScanEmitter::scanRows(Slices &slices, Value *begin, Value *end,
                           Elements carried) {
  size_t each = operands();
  int64_t most = plan.chunks > 1 ? plan.chunk : plan.count;
  Value *whole = ir.CreateAdd(begin, wholeVectors(ir.CreateSub(end, begin)));
  carried = walk(begin, whole, plan.lanes, most, carried,
                 [&](Value *position, ArrayRef<Element> now) {
                   Elements own;
                   for (auto [number, slice] : enumerate(slices)) {
                     slice[plan.scan.dim] = placeOf(position, plan.lanes);
                     append_range(
                         own, scanRow(slice, now.slice(number * each, each)));
                   }
                   return own;
                 });
  for (Element &element : carried) {
    element.real = ir.CreateExtractElement(element.real, uint64_t(0));
    if (element.imag)
      element.imag = ir.CreateExtractElement(element.imag, uint64_t(0));
  }
  scalar.loop(
      whole, end, 1, carried, [&](Value *position, ArrayRef<Element> now) {
        Elements next;
        for (auto [number, slice] : enumerate(slices)) {
          slice[plan.scan.dim] = placeOf(position, 1);
          Elements scanned = combine(scalar, now.slice(number * each, each),
                                     read(scalar, slice));
          storeResults(scalar, slice, scanned);
          append_range(next, scanned);
        }
        return next;
      });
}

/// Returns the value carried into a chunk of a row: the totals of the chunks
/// before it.
Elements ScanEmitter::carriedInto(Value *row, Value *chunk) {
  Value *first = ir.CreateMul(row, ir.getInt64(plan.chunks));
  Elements start = initial(scalar);
  std::optional<int64_t> block = pairwiseBlock(plan.root.getBody());
  if (block)
    block = kTotalsInChain;
  SumNest nest{plan.chunks, start,
               [&](ArrayRef<Element> left, ArrayRef<Element> right) {
                 return combine(scalar, left, right);
               },
               block};
  nest.begin = first;
  nest.end = ir.CreateAdd(first, chunk);
  return emitSumNest(
      scalar, nest, [&](ArrayRef<Value *> place, ArrayRef<Element> carried) {
        Elements totals;
        for (unsigned operand = 0; operand < operands(); ++operand)
          totals.push_back(scalar.load(totalsType(operand), totalsOf(operand),
                                       {scalar.uniform(place[0])}));
        return combine(scalar, carried, totals);
      });
}

void ScanEmitter::emitRows(Value *task) {
  ElementEmitter::Scope vectors(emitter), scalars(scalar);
  Slices slices = rowsOf(task);
  if (plan.chunks == 1)
    return scanRows(slices, ir.getInt64(0), ir.getInt64(plan.count),
                    initialOfSlices());
  Value *chunk = ir.CreateURem(task, ir.getInt64(plan.chunks));
  Value *row = ir.CreateUDiv(task, ir.getInt64(plan.chunks));
  Value *begin = ir.CreateMul(chunk, ir.getInt64(plan.chunk));
  Value *end = ir.CreateBinaryIntrinsic(
      Intrinsic::smin, ir.CreateAdd(begin, ir.getInt64(plan.chunk)),
      ir.getInt64(plan.count));
  Elements carried;
  for (const Element &element : carriedInto(row, chunk))
    carried.push_back(emitter.splat(element));
  scanRows(slices, begin, end, carried);
}

/// The total of a row's last chunk, the only one that may be partial, is not
/// used.
void ScanEmitter::emitTotals(Value *task) {
  Value *chunk = ir.CreateURem(task, ir.getInt64(plan.chunks));
  emitIf(ir, ir.CreateICmpNE(chunk, ir.getInt64(plan.chunks - 1)), [&] {
    ElementEmitter::Scope vectors(emitter), scalars(scalar);
    SmallVector<LaneIndex> slice = rowsOf(task).front();
    Value *begin = ir.CreateMul(chunk, ir.getInt64(plan.chunk));
    int64_t steps = plan.chunk / plan.lanes;
    Elements start = initial(emitter);
    SumNest nest{steps, start,
                 [&](ArrayRef<Element> left, ArrayRef<Element> right) {
                   return combine(emitter, left, right);
                 },
                 pairwiseBlock(plan.root.getBody())};
    Elements totals = emitSumNest(
        emitter, nest, [&](ArrayRef<Value *> place, ArrayRef<Element> now) {
          Value *ahead = ir.CreateMul(place[0], ir.getInt64(plan.lanes));
          slice[plan.scan.dim] =
              placeOf(ir.CreateAdd(begin, ahead), plan.lanes);
          return combine(emitter, now, read(emitter, slice));
        });
    totals = lastOf(prefixes(totals));
    for (unsigned operand = 0; operand < operands(); ++operand) {
      Element total{ir.CreateExtractElement(totals[operand].real, uint64_t(0))};
      if (totals[operand].imag)
        total.imag = ir.CreateExtractElement(totals[operand].imag, uint64_t(0));
      scalar.storeTo(totalsType(operand), totalsOf(operand),
                     {scalar.uniform(task)}, total);
    }
  });
}

void ScanEmitter::emitColumns(Value *task) {
  ElementEmitter::Scope scope(emitter);
  Slices slices = columnsOf(task);
  size_t each = operands();
  walk(ir.getInt64(0), ir.getInt64(plan.count), 1, plan.count,
       initialOfSlices(), [&](Value *position, ArrayRef<Element> now) {
         Elements own;
         for (auto [number, slice] : enumerate(slices)) {
           slice[plan.scan.dim] = emitter.uniform(placeOf(position, 1).base);
           Elements read = this->read(emitter, slice);
           storeResults(emitter, slice,
                        combine(emitter, now.slice(number * each, each), read));
           append_range(own, read);
         }
         return own;
       });
}

static Error emitScan(KernelFunction &function, IRBuilder<> &ir,
                      unsigned phase) {
  ScanPlan plan;
  if (mlir::failed(planScan(function.kernel, function.profile, plan)))
    return createStringError("kernel @" + function.kernel.getSymName() +
                             " is not a scan");
  ScanEmitter emitter(function, ir, plan);
  if (plan.tasks == 0)
    return Error::success();
  emitFor(ir, function.begin, function.end, 1, [&](Value *task) {
    if (!plan.alongRows)
      emitter.emitColumns(task);
    else if (plan.chunks > 1 && phase == 0)
      emitter.emitTotals(task);
    else
      emitter.emitRows(task);
  });
  return Error::success();
}

const KernelKind scanKind = {scheduleScan, emitScan};

} // namespace xlac::codegen
