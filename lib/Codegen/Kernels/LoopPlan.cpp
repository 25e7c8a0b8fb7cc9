#include "LoopPlan.h"

#include "KernelCost.h"
#include "LoopCuts.h"
#include "LoopFission.h"
#include "LoopRepeats.h"
#include "Scalar/ScalarOps.h"

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {

/// Elements from which on a loop may be divided in two.
static constexpr int64_t kLeastDivided = 128;

static std::vector<IterationBox> boxesOfConcatenate(ConcatenateOp op) {
  std::vector<IterationBox> boxes;
  int64_t dim = op.getDimension(), offset = 0;
  for (mlir::Value input : op.getInputs()) {
    IterationBox box;
    box.values = {input};
    box.sizes = SmallVector<int64_t>(sizesOf(input));
    box.offsets.assign(box.sizes.size(), 0);
    box.offsets[dim] = offset;
    offset += box.sizes[dim];
    boxes.push_back(std::move(box));
  }
  return boxes;
}

/// Returns a box for the operand, and boxes before and after it in each
/// dimension.
static std::vector<IterationBox> boxesOfPad(PadOp op) {
  ArrayRef<int64_t> low = op.getEdgePaddingLow(),
                    high = op.getEdgePaddingHigh();
  ArrayRef<int64_t> sizes = sizesOf(op.getOperand());
  ArrayRef<int64_t> whole = sizesOf(op.getResult());
  std::vector<IterationBox> boxes(1);
  boxes[0].values = {op.getOperand()};
  boxes[0].sizes = SmallVector<int64_t>(sizes);
  boxes[0].offsets = SmallVector<int64_t>(low);
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    for (bool behind : {false, true}) {
      int64_t extent = behind ? high[dim] : low[dim];
      if (extent == 0)
        continue;
      IterationBox box;
      box.values = {op.getPaddingValue()};
      box.sizes = SmallVector<int64_t>(whole);
      box.offsets.assign(whole.size(), 0);
      for (size_t outer = 0; outer < dim; ++outer) {
        box.sizes[outer] = sizes[outer];
        box.offsets[outer] = low[outer];
      }
      box.sizes[dim] = extent;
      box.offsets[dim] = behind ? low[dim] + sizes[dim] : 0;
      boxes.push_back(std::move(box));
    }
  }
  return boxes;
}

/// Returns true if result 0 shares the buffer of operand `value`.
static bool isInPlace(ir::KernelOp kernel, mlir::Value value) {
  auto argument = dyn_cast<mlir::BlockArgument>(value);
  return argument && kernel.getInPlaceOperand(0) == argument.getArgNumber();
}

/// Returns boxes of the results themselves, divided at `begins` along each
/// dimension.
static std::vector<IterationBox>
boxesOfParts(mlir::OperandRange results,
             ArrayRef<SmallVector<int64_t>> begins) {
  std::vector<IterationBox> boxes(1);
  boxes[0].values.assign(results.begin(), results.end());
  if (!results.empty())
    boxes[0].sizes = SmallVector<int64_t>(sizesOf(results[0]));
  boxes[0].offsets.assign(boxes[0].sizes.size(), 0);
  for (auto [dim, places] : llvm::enumerate(begins)) {
    if (places.size() == 1)
      continue;
    std::vector<IterationBox> divided;
    for (const IterationBox &box : boxes)
      for (auto [number, begin] : llvm::enumerate(places)) {
        divided.push_back(box);
        divided.back().isPart = true;
        divided.back().offsets[dim] = begin;
        divided.back().sizes[dim] =
            (number + 1 < places.size() ? places[number + 1] : box.sizes[dim]) -
            begin;
      }
    boxes = std::move(divided);
  }
  return boxes;
}

/// Returns the last dimension larger than 1, or -1.
static int64_t lastSignificant(ArrayRef<int64_t> sizes) {
  int64_t dim = int64_t(sizes.size()) - 1;
  while (dim >= 0 && sizes[dim] == 1)
    --dim;
  return dim;
}

/// Returns whether elements of a dimension of size `inner`, the innermost one,
/// are worth a vector each along the dimension before, of size `outer`. Vectors
/// along short dimensions cross the ends of rows, so that each lane computes
/// indices of its own; and if the body reduces rows, all lanes do the same.
static bool paysToInterleave(int64_t inner, int64_t outer, unsigned width,
                             mlir::Block &body) {
  constexpr int64_t mostElements = 8, mostOps = 256;
  bool fills = 2 * inner >= int64_t(width) &&
               (int64_t(width) % inner == 0 || body.getOps<ReduceOp>().empty());
  // The body is emitted for each element.
  int64_t ops = int64_t(body.getOperations().size());
  return inner > 1 && inner <= mostElements && !fills &&
         2 * outer >= int64_t(width) && inner * ops <= mostOps;
}

/// Returns whether the results' last dimension is short and cannot be collapsed
/// with the one before, so that boxes should contain all of it.
static bool keepsLastDimension(ElementEmitter &emitter, mlir::Block &body,
                               unsigned width) {
  mlir::OperandRange results = body.getTerminator()->getOperands();
  if (results.empty())
    return false;
  ArrayRef<int64_t> sizes = sizesOf(results[0]);
  int64_t last = lastSignificant(sizes), before = rowDimension(sizes);
  return before >= 0 && last < 64 &&
         paysToInterleave(sizes[last], sizes[before], width, body) &&
         llvm::any_of(
             results,
             [&](mlir::Value result) {
               return !(emitter.collapsibleDims(result) >> before & 1);
             });
}

/// Returns the boxes of the op that joins or pads the only result, or nothing.
/// Boxes contain all of dimension `kept`, if it is not -1.
static std::vector<IterationBox> boxesOfRoot(ir::KernelOp kernel,
                                             int64_t kept) {
  mlir::OperandRange results = kernel.getYield()->getOperands();
  if (results.size() != 1)
    return {};
  mlir::Operation *root = results[0].getDefiningOp();
  if (auto concatenate = dyn_cast_or_null<ConcatenateOp>(root))
    if (concatenate.getInputs().size() <= 16 &&
        int64_t(concatenate.getDimension()) != kept)
      return boxesOfConcatenate(concatenate);
  if (auto pad = dyn_cast_or_null<PadOp>(root)) {
    auto plain = [](int64_t amount) { return amount >= 0; };
    bool dividesLast = kept >= 0 && sizesOf(pad.getOperand())[kept] !=
                                        sizesOf(pad.getResult())[kept];
    if (!dividesLast && llvm::all_of(pad.getEdgePaddingLow(), plain) &&
        llvm::all_of(pad.getEdgePaddingHigh(), plain) &&
        llvm::all_of(pad.getInteriorPadding(),
                     [](int64_t amount) { return amount == 0; }))
      return boxesOfPad(pad);
  }
  auto update = dyn_cast_or_null<DynamicUpdateSliceOp>(root);
  if (update && isInPlace(kernel, update.getOperand())) {
    IterationBox box;
    box.values = {update.getUpdate()};
    box.sizes = SmallVector<int64_t>(sizesOf(update.getUpdate()));
    box.offsets.assign(box.sizes.size(), 0);
    box.update = update;
    return {box};
  }
  return {};
}

/// `keepsLast`: boxes contain all of the last dimension larger than 1.
static std::vector<IterationBox> findBoxes(KernelFunction &function,
                                           const LoopOptions &options,
                                           bool keepsLast) {
  ir::KernelOp kernel = function.kernel;
  mlir::OperandRange results = kernel.getYield()->getOperands();
  int64_t kept = keepsLast ? lastSignificant(sizesOf(results[0])) : -1;
  std::vector<IterationBox> boxes = boxesOfRoot(kernel, kept);
  bool updates = !boxes.empty() && boxes[0].update;
  // The structure of code for any size does not depend on sizes.
  if (updates || function.anySize() || options.prepare)
    return boxes.empty() ? boxesOfParts(results, {}) : boxes;
  SmallVector<SmallVector<int64_t>> cuts = findLoopCuts(kernel);
  if (kept >= 0 && kept < int64_t(cuts.size()))
    cuts[kept] = {0};
  std::vector<IterationBox> parts = boxesOfParts(results, cuts);
  // The operands of the root may be joined and padded values, too.
  return boxes.empty() || parts.size() > boxes.size() ? parts : boxes;
}

/// Returns the dimensions of a box that can be collapsed in the stored result.
/// Bit i is set if dimension i and the next one larger than 1 are contiguous
/// there.
static uint64_t storeCollapsibleDims(ArrayRef<int64_t> box,
                                     ArrayRef<int64_t> whole) {
  uint64_t bits = 0;
  for (size_t dim = 0; dim < box.size() && dim < 64; ++dim) {
    size_t next = dim + 1;
    while (next < box.size() && box[next] == 1 && whole[next] == 1)
      ++next;
    if (next < box.size() && box[next] == whole[next])
      bits |= uint64_t(1) << dim;
  }
  return bits;
}

static void groupDimensions(ElementEmitter &emitter, IterationBox &box,
                            ArrayRef<int64_t> whole) {
  uint64_t freedom = storeCollapsibleDims(box.sizes, whole);
  for (mlir::Value value : box.values)
    if (box.isPart || ArrayRef<int64_t>(box.sizes) == sizesOf(value))
      freedom &= emitter.collapsibleDims(value);
  bool joins = false;
  for (auto [dim, size] : llvm::enumerate(box.sizes)) {
    if (size == 1)
      continue;
    if (joins) {
      box.groups.back().push_back(dim);
      box.extents.back() *= size;
    } else {
      box.groups.push_back({int64_t(dim)});
      box.extents.push_back(size);
    }
    joins = dim < 64 && (freedom >> dim & 1);
  }
}

/// Returns the convolutions and windows of reductions that compute the results
/// through elementwise ops alone, so that they have the results' indices.
static SmallVector<mlir::Operation *> findWindows(ir::KernelOp kernel) {
  SmallVector<mlir::Operation *> windows;
  mlir::OperandRange results = kernel.getYield()->getOperands();
  SmallVector<mlir::Value> pending(results.begin(), results.end());
  SmallPtrSet<mlir::Operation *, 16> seen;
  while (!pending.empty()) {
    mlir::Value value = pending.pop_back_val();
    mlir::Operation *op = value.getDefiningOp();
    if (!op || sizesOf(value) != sizesOf(results[0]) || !seen.insert(op).second)
      continue;
    if (isa<ConvolutionOp, ReduceWindowOp>(op))
      windows.push_back(op);
    else if (isScalarOp(op))
      append_range(pending, op->getOperands());
  }
  return windows;
}

/// Returns how many rows of the box are computed together. All have the same
/// window, and neighbours along a spatial dimension share most of the elements
/// that they read.
static int64_t rowBlockOf(const IterationBox &box,
                          ArrayRef<mlir::Operation *> windows) {
  // Fewer rows of many ops, because each row has code of its own.
  constexpr int64_t mostRowsOfManyOps = 4, fewOps = 8;
  if (windows.size() != 1 || box.update || box.extents.size() < 2)
    return 1;
  ArrayRef<int64_t> group = box.groups[box.groups.size() - 2];
  auto op = dyn_cast<ConvolutionOp>(windows[0]);
  if (!op || group.size() != 1 ||
      !is_contained(op.getDimensionNumbers().getOutputSpatialDimensions(),
                    group[0]))
    return 1;
  int64_t rows = box.extents[box.extents.size() - 2];
  if (rows <= kMostRowsInBlock)
    return rows;
  int64_t ops = int64_t(op->getBlock()->getOperations().size());
  return rowsInBlock(rows, ops > fewOps ? mostRowsOfManyOps : kMostRowsInBlock);
}

/// Returns whether the box contains the dimensions of its last group, one of
/// several, in the results whole.
static bool hasWholeRows(const IterationBox &box, ArrayRef<int64_t> whole) {
  size_t first = box.groups[box.groups.size() - 2].back() + 1;
  return ArrayRef(box.sizes).drop_front(first) == whole.drop_front(first);
}

/// Makes the last group of a box interleaved if that pays. The box must contain
/// the group's dimensions in the results whole.
static void interleaveBox(IterationBox &box, ArrayRef<int64_t> whole,
                          unsigned width, mlir::Block &body) {
  size_t groups = box.groups.size();
  if (groups < 2 || !hasWholeRows(box, whole) ||
      !paysToInterleave(box.extents[groups - 1], box.extents[groups - 2], width,
                        body))
    return;
  box.interleaved = box.extents.back();
  box.repeated.reset();
}

/// Returns whether vectors of a box may cross the ends of its short rows. A
/// window of such a vector is gathered at each place. In a part of the results,
/// each lane also decides what it reads, so that this only pays where ops
/// compute and the vector is stored as a whole.
static bool mayStraddle(const IterationBox &box, ArrayRef<int64_t> whole,
                        ArrayRef<mlir::Operation *> windows,
                        mlir::Block &body) {
  if (box.interleaved > 1 || box.extents.size() < 2 || !windows.empty())
    return false;
  auto computes = [](mlir::Operation &op) { return isScalarOp(&op); };
  return !box.isPart ||
         (hasWholeRows(box, whole) && llvm::any_of(body, computes));
}

/// Returns the elements that are worth a task. Those of reductions take the
/// longer the more they reduce.
static int64_t elementsOfTask(mlir::Block &body) {
  constexpr int64_t leastElements = 1024;
  int64_t reduced = 1;
  for (ReduceOp reduce : body.getOps<ReduceOp>())
    reduced = std::max(
        reduced,
        elementsOf(reduce.getInputs()[0].getType()) /
            std::max<int64_t>(1, elementsOf(reduce.getResult(0).getType())));
  return std::max<int64_t>(1, leastElements / reduced);
}

/// Divides a box into tasks: rows, or blocks of a row if there are few rows.
static void splitBox(IterationBox &box, unsigned width, ArrayRef<int64_t> whole,
                     ArrayRef<mlir::Operation *> windows, bool blocksRows,
                     mlir::Block &body) {
  // Several vectors share cache lines.
  constexpr int64_t wantedTasks = 256, leastVectors = 4;
  int64_t count = elementCount(box.sizes);
  int64_t inner =
      box.extents.empty()
          ? 1
          : box.extents[box.extents.size() - (box.interleaved > 1 ? 2 : 1)];
  // Lanes of rows that fill a vector have constant distances.
  bool areShort = inner * 2 < int64_t(width) ||
                  (inner < int64_t(width) && int64_t(width) % inner == 0);
  box.straddles = areShort && mayStraddle(box, whole, windows, body);
  box.inner = box.straddles ? count : inner;
  box.rows = count == 0 ? 0 : count / box.inner;
  if (box.rows == 0)
    return;
  if (blocksRows)
    box.rowBlock = rowBlockOf(box, windows);
  if (box.straddles)
    box.repeated.reset();
  int64_t together = box.rowBlock * box.repetitions() * box.interleaved;
  box.rows /= together;
  int64_t leastBlock = std::max<int64_t>(elementsOfTask(body) / together,
                                         leastVectors * int64_t(width));
  int64_t blocks = std::clamp<int64_t>(
      box.inner / leastBlock, 1, std::max<int64_t>(1, wantedTasks / box.rows));
  int64_t block = (box.inner + blocks - 1) / blocks;
  box.block = (block + width - 1) / width * width;
  box.blocks = (box.inner + box.block - 1) / box.block;
  assert(box.rows * together * box.inner == count && box.block % width == 0 &&
         box.blocks * box.block >= box.inner && "tasks cover the box");
}

/// Returns the lanes of a loop. Chains of ops on elements of 16 bits are
/// computed in f32 with a rounding after each op. With AVX512, which has enough
/// registers, a loop computes two vectors of them at once, which hides the
/// latency. A single op of f16 is faster with one.
static unsigned lanesOfLoop(KernelFunction &function) {
  ir::KernelOp kernel = function.kernel;
  unsigned lanes = laneCountOf(kernel, function.profile);
  mlir::Block &body = kernel.getBody().front();
  bool isChain =
      llvm::count_if(body.without_terminator(),
                     [](mlir::Operation &op) { return isScalarOp(&op); }) > 1;
  auto isHalf = [&](mlir::Value value) {
    mlir::Type element = mlir::getElementTypeOrSelf(value.getType());
    return element.isBF16() || (element.isF16() && isChain);
  };
  bool onlyHalves = (function.profile.features & kFeatureAvx512) &&
                    llvm::all_of(kernel.getYield()->getOperands(), isHalf) &&
                    llvm::all_of(body.getArguments(), isHalf);
  return onlyHalves ? 2 * lanes : lanes;
}

/// Returns the least extent of an innermost group of dimensions.
static int64_t leastInner(ArrayRef<IterationBox> boxes) {
  int64_t least = INT64_MAX;
  for (const IterationBox &box : boxes)
    least = std::min(least, box.extents.empty() ? 1 : box.extents.back());
  return least;
}

LoopPlan planLoop(KernelFunction &function, IRBuilder<> &ir,
                  const LoopOptions &options) {
  LoopPlan plan;
  plan.width = options.width ? options.width : lanesOfLoop(function);
  ElementEmitter emitter(function, ir, 1);
  if (options.prepare)
    options.prepare(emitter);
  mlir::OperandRange results = function.kernel.getYield()->getOperands();
  ArrayRef<int64_t> whole =
      results.empty() ? ArrayRef<int64_t>() : sizesOf(results[0]);
  plan.windows = findWindows(function.kernel);
  mlir::Block &body = function.kernel.getBody().front();
  bool mayInterleave = !function.anySize() && !options.prepare &&
                       plan.windows.empty() &&
                       llvm::all_of(results, [&](mlir::Value result) {
                         return sizesOf(result) == whole;
                       });
  plan.boxes =
      findBoxes(function, options,
                mayInterleave && keepsLastDimension(emitter, body, plan.width));
  // Code for any size does not depend on sizes, bound values have generators,
  // and other boxes have the values of operands.
  bool blocksRows = !function.anySize() && !options.prepare &&
                    llvm::equal(plan.boxes[0].values, results);
  // With AVX-512, it was not measured whether two loops are faster.
  SmallVector<mlir::Value> stored;
  if (blocksRows && !options.width && function.profile.vector_bits <= 256)
    stored = findFission(results);
  for (IterationBox &box : plan.boxes)
    groupDimensions(emitter, box, whole);
  if (!options.width && !function.anySize())
    plan.width *= vectorsAtOnce(results, leastInner(plan.boxes), plan.width,
                                function.profile);
  for (IterationBox &box : plan.boxes) {
    if (blocksRows && plan.windows.empty())
      box.repeated = findRepeatedGroup(function.kernel, box.groups);
    if (mayInterleave)
      interleaveBox(box, whole, plan.width, body);
    splitBox(box, plan.width, whole, plan.windows, blocksRows, body);
    if (box.inner >= kLeastDivided && box.rowBlock == 1 && !box.repeated &&
        box.interleaved == 1)
      box.stored = stored;
    box.firstTask = plan.tasks;
    plan.tasks += box.tasks();
    assert(box.groups.size() == box.extents.size() &&
           box.offsets.size() == box.sizes.size() &&
           "every group and dimension of a box is described");
  }
  assert(plan.width >= 1 && plan.tasks >= 0 && "a loop has lanes");
  return plan;
}

} // namespace xlac::codegen
