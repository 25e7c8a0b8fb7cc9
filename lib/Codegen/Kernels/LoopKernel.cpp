// The loop kind: computes every element of the results on its own. The result's
// index space is divided into boxes: one, unless pads, concatenations or
// updates give more. Boxes are divided into tasks of whole rows or blocks of a
// row, and rows into vectors. Neighbouring dimensions are collapsed if the body
// allows it.
#include "LoopKernel.h"

#include "KernelCost.h"
#include "KernelEmitters.h"
#include "LoopCuts.h"
#include "LoopRepeats.h"
#include "Loops.h"
#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

namespace {
/// Part of the results that one loop nest computes.
struct IterationBox {
  SmallVector<mlir::Value> values; ///< one for each result
  SmallVector<int64_t> sizes;      ///< of the box
  SmallVector<int64_t> offsets;    ///< of the box in the results
  /// If set, the update's clamped start indices are the offsets.
  DynamicUpdateSliceOp update;
  /// The values are the results, of which the box is a part.
  bool isPart = false;

  SmallVector<SmallVector<int64_t>> groups; ///< collapsed dimensions
  SmallVector<int64_t> extents;             ///< of the groups
  bool straddles = false; ///< vectors may cross the ends of rows
  /// Indices of the last group but one that a task computes together. `rows`
  /// counts such blocks.
  int64_t rowBlock = 1;
  /// The group whose indices are a loop around each vector, because most of
  /// what is computed is the same at all of them. `rows` does not count it.
  std::optional<size_t> repeated;
  /// Indices of the last group, whose elements are computed together: each as a
  /// vector along the group before. 1: vectors count through the last group.
  int64_t interleaved = 1;
  int64_t inner = 1, rows = 1, block = 1, blocks = 1;
  int64_t firstTask = 0;

  int64_t tasks() const { return rows * blocks; }
};

struct LoopPlan {
  std::vector<IterationBox> boxes;
  /// Convolutions and windows of reductions that have the results' indices.
  SmallVector<mlir::Operation *> windows;
  unsigned width = 1;
  int64_t tasks = 0;
};
} // namespace

//===- Planning -----------------------------------------------------------===//

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
  bool fills = 2 * inner >= int64_t(width) && body.getOps<ReduceOp>().empty();
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
  int64_t last = lastSignificant(sizes);
  int64_t before = last < 0 ? -1 : lastSignificant(sizes.take_front(last));
  return before >= 0 && last < 64 &&
         paysToInterleave(sizes[last], sizes[before], width, body) &&
         llvm::any_of(
             results,
             [&](mlir::Value result) {
               return !(emitter.collapsibleDims(result) >> before & 1);
             });
}

/// `keepsLast`: boxes contain all of the last dimension larger than 1.
static std::vector<IterationBox> findBoxes(KernelFunction &function,
                                           const LoopOptions &options,
                                           bool keepsLast) {
  ir::KernelOp kernel = function.kernel;
  mlir::OperandRange results = kernel.getYield()->getOperands();
  int64_t kept = keepsLast ? lastSignificant(sizesOf(results[0])) : -1;
  if (results.size() == 1) {
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
  }
  // The structure of code for any size does not depend on sizes.
  if (function.anySize() || options.prepare)
    return boxesOfParts(results, {});
  SmallVector<SmallVector<int64_t>> cuts = findLoopCuts(kernel);
  if (kept >= 0 && kept < int64_t(cuts.size()))
    cuts[kept] = {0};
  return boxesOfParts(results, cuts);
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

/// Returns how often the loop around each vector runs.
static int64_t repetitionsOf(const IterationBox &box) {
  return box.repeated ? box.extents[*box.repeated] : 1;
}

/// Makes the last group of a box interleaved if that pays. The box must contain
/// the group's dimensions in the results whole.
static void interleaveBox(IterationBox &box, ArrayRef<int64_t> whole,
                          unsigned width, mlir::Block &body) {
  size_t groups = box.groups.size();
  if (groups < 2 || !paysToInterleave(box.extents[groups - 1],
                                      box.extents[groups - 2], width, body))
    return;
  for (size_t dim = box.groups[groups - 2].back() + 1; dim < whole.size();
       ++dim)
    if (box.sizes[dim] != whole[dim])
      return;
  box.interleaved = box.extents.back();
  box.repeated.reset();
}

/// Divides a box into tasks: rows, or blocks of a row if there are few rows.
static void splitBox(IterationBox &box, unsigned width,
                     ArrayRef<mlir::Operation *> windows, bool blocksRows) {
  constexpr int64_t wantedTasks = 256, leastElements = 1024;
  int64_t count = elementCount(box.sizes);
  bool interleaves = box.interleaved > 1;
  int64_t inner = box.extents.empty()
                      ? 1
                      : box.extents[box.extents.size() - (interleaves ? 2 : 1)];
  // A window of a vector that crosses rows is gathered at each place.
  box.straddles = !interleaves && box.extents.size() > 1 &&
                  inner * 2 < int64_t(width) && windows.empty();
  box.inner = box.straddles ? count : inner;
  box.rows = count == 0 ? 0 : count / box.inner;
  if (box.rows == 0)
    return;
  if (blocksRows)
    box.rowBlock = rowBlockOf(box, windows);
  if (box.straddles)
    box.repeated.reset();
  int64_t together = box.rowBlock * repetitionsOf(box) * box.interleaved;
  box.rows /= together;
  int64_t leastBlock = std::max<int64_t>(leastElements / together, width);
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

static LoopPlan planLoop(KernelFunction &function, IRBuilder<> &ir,
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
  for (IterationBox &box : plan.boxes) {
    groupDimensions(emitter, box, whole);
    if (blocksRows && plan.windows.empty())
      box.repeated = findRepeatedGroup(function.kernel, box.groups);
    if (mayInterleave)
      interleaveBox(box, whole, plan.width, body);
    splitBox(box, plan.width, plan.windows, blocksRows);
    box.firstTask = plan.tasks;
    plan.tasks += box.tasks();
    assert(box.groups.size() == box.extents.size() &&
           box.offsets.size() == box.sizes.size() &&
           "every group and dimension of a box is described");
  }
  assert(plan.width >= 1 && plan.tasks >= 0 && "a loop has lanes");
  return plan;
}

mlir::LogicalResult checkLoopResults(ir::KernelOp kernel) {
  mlir::OperandRange results = kernel.getYield()->getOperands();
  for (mlir::Value result : results) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape() ||
        elementBytes(type.getElementType()) == 0)
      return kernel.emitOpError("has a result of type ")
             << result.getType() << ", which is not supported";
    if (elementCount(type.getShape()) != elementCount(sizesOf(results[0])))
      return kernel.emitOpError("has results of different element counts");
    if (elementCount(type.getShape()) >= INT64_MAX / 16)
      return kernel.emitOpError("has a result that is too large");
  }
  return mlir::success();
}

static mlir::LogicalResult scheduleLoop(ir::KernelOp kernel,
                                        const TargetProfile &profile) {
  if (mlir::failed(checkLoopResults(kernel)))
    return mlir::failure();
  LLVMContext context;
  IRBuilder<> ir(context);
  KernelFunction function(kernel, profile);
  int64_t tasks = countLoopTasks(function, ir, {});
  KernelCost cost = costOf(kernel);
  setSchedule(kernel, {tasks},
              {grainOf(tasks, cost.nanoseconds(profile), profile)}, {}, 0,
              cost.flops, cost.bytes);
  return mlir::success();
}

//===- Emission -----------------------------------------------------------===//

namespace {
class LoopEmitter {
public:
  LoopEmitter(KernelFunction &function, IRBuilder<> &ir,
              const LoopOptions &options)
      : function(function), ir(ir), options(options) {}

  void run() {
    LoopPlan plan = planLoop(function, ir, options);
    windows = plan.windows;
    for (IterationBox &box : plan.boxes) {
      if (box.tasks() == 0)
        continue;
      Value *low = function.begin, *high = function.end;
      if (plan.boxes.size() == 1) {
        emitBox(box, plan.width, low, high);
        continue;
      }
      Value *first = ir.getInt64(box.firstTask);
      Value *last = ir.getInt64(box.tasks());
      auto within = [&](Value *task) {
        Value *local = ir.CreateSub(task, first);
        local =
            ir.CreateBinaryIntrinsic(Intrinsic::smax, local, ir.getInt64(0));
        return ir.CreateBinaryIntrinsic(Intrinsic::smin, local, last);
      };
      low = within(low);
      high = within(high);
      emitIf(ir, ir.CreateICmpSLT(low, high),
             [&] { emitBox(box, plan.width, low, high); });
    }
  }

private:
  /// Emits tasks [low, high) of the box. Requires low < high.
  void emitBox(IterationBox &box, unsigned width, Value *low, Value *high) {
    findOffsets(box);
    if (function.anySize()) {
      emitAnyBox(box, width, low, high);
      return;
    }
    int64_t rest = box.inner % width;
    Value *mainEnd = ir.getInt64(box.inner - rest);
    if (box.rows == 1) {
      Value *begin = ir.CreateMul(low, ir.getInt64(box.block));
      Value *end = ir.CreateMul(high, ir.getInt64(box.block));
      end = ir.CreateBinaryIntrinsic(Intrinsic::smin, end, mainEnd);
      if (box.inner != rest)
        emitVectors(box, width, {}, begin, end);
      if (rest)
        emitIf(ir, ir.CreateICmpEQ(high, ir.getInt64(box.blocks)),
               [&] { emitVectors(box, rest, {}, mainEnd, nullptr); });
      return;
    }
    emitFor(ir, low, high, 1, [&](Value *task) {
      IndexMath math(ir);
      Value *row = math.div(task, box.blocks);
      Value *block = math.rem(task, box.blocks);
      Value *begin = math.mul(block, box.block);
      Value *end = math.add(begin, box.block);
      if (box.inner != rest)
        emitVectors(box, width, row, begin,
                    box.blocks == 1 ? mainEnd : math.min(end, mainEnd));
      if (!rest)
        return;
      auto tail = [&] { emitVectors(box, rest, row, mainEnd, nullptr); };
      if (box.blocks == 1)
        tail();
      else
        emitIf(ir, ir.CreateICmpEQ(block, ir.getInt64(box.blocks - 1)), tail);
    });
  }

  /// The same for any sizes. The last vector of a row is whole, but only lanes
  /// that are left are active.
  void emitAnyBox(IterationBox &box, unsigned width, Value *low, Value *high) {
    KernelFunction::VectorExtent inner =
        function.vectorExtent(ir, box.inner, width);
    Value *each = function.decision(ir, box.block);
    Value *blocks = function.decision(ir, box.blocks);
    auto tail = [&](Value *row, Value *isLast) {
      if (width == 1)
        return;
      Value *hasTail = ir.CreateICmpNE(inner.left, ir.getInt64(0));
      emitIf(ir, ir.CreateAnd(isLast, hasTail), [&] {
        emitVectors(box, width, row, inner.whole, nullptr,
                    leadingMask(ir, width, inner.left));
      });
    };
    bool isOneRow = box.straddles || box.extents.size() <= 1;
    if (isOneRow) {
      Value *end = ir.CreateBinaryIntrinsic(
          Intrinsic::smin, ir.CreateMul(high, each), inner.whole);
      emitVectors(box, width, {}, ir.CreateMul(low, each), end);
      tail({}, ir.CreateICmpEQ(high, blocks));
      return;
    }
    emitFor(ir, low, high, 1, [&](Value *task) {
      Value *row = ir.CreateUDiv(task, blocks);
      Value *block = ir.CreateURem(task, blocks);
      Value *begin = ir.CreateMul(block, each);
      Value *end = ir.CreateBinaryIntrinsic(
          Intrinsic::smin, ir.CreateAdd(begin, each), inner.whole);
      emitVectors(box, width, row, begin, end);
      tail(row, ir.CreateICmpEQ(ir.CreateAdd(block, ir.getInt64(1)), blocks));
    });
  }

  void findOffsets(IterationBox &box) {
    offsets.clear();
    ElementEmitter scalar(function, ir, 1);
    for (size_t dim = 0; dim < box.offsets.size(); ++dim) {
      if (!box.update) {
        offsets.push_back(ir.getInt64(box.offsets[dim]));
        continue;
      }
      int64_t lastStart =
          sizesOf(box.update.getOperand())[dim] - box.sizes[dim];
      assert(lastStart >= 0 && "an update fits its operand");
      offsets.push_back(
          lastStart == 0
              ? ir.getInt64(0)
              : scalar
                    .clamp(
                        scalar.emitIndex(box.update.getStartIndices()[dim], {}),
                        0, lastStart)
                    .base);
    }
  }

  /// Emits vectors of `width` from `begin` to `end` of the inner extent of row
  /// `row`. Without `end`, emits one vector. With `active`, only these lanes
  /// have elements.
  void emitVectors(IterationBox &box, unsigned width, Value *row, Value *begin,
                   Value *end, Value *active = nullptr) {
    ElementEmitter emitter(function, ir, width);
    emitter.setActive(active);
    if (options.prepare)
      options.prepare(emitter);
    if (box.isPart && row)
      emitter.indexMath().setRange(row, 0, box.rows - 1);
    auto step = [&](Value *position) {
      emitter.indexMath().setMultiple(position,
                                      std::gcd<int64_t>(width, box.block));
      if (box.isPart)
        emitter.indexMath().setRange(position, 0, box.inner - width);
      ElementEmitter::Scope scope(emitter);
      emitVector(emitter, box, row, position);
    };
    if (!end) {
      step(begin);
      return;
    }
    emitFor(ir, begin, end, width, step);
  }

  void emitVector(ElementEmitter &emitter, IterationBox &box, Value *row,
                  Value *position) {
    LaneIndex inner{position, emitter.width() > 1 ? 1 : 0, nullptr};
    SmallVector<LaneIndex> byGroup;
    if (box.straddles)
      byGroup = emitter.delinearize(box.extents, inner);
    else if (!box.extents.empty())
      byGroup = indicesOfRow(emitter, box, row, inner);
    SmallVector<LaneIndex> indices(box.sizes.size(),
                                   emitter.uniform(int64_t(0)));
    for (auto [group, index] : zip_equal(box.groups, byGroup))
      indices[group.back()] = index;

    if (box.rowBlock > 1) {
      emitRows(emitter, box, indices);
      return;
    }
    if (box.interleaved > 1) {
      emitInterleaved(emitter, box, indices);
      return;
    }
    emitResults(emitter, box, indices);
    if (box.repeated)
      emitRepetitions(emitter, box, indices);
  }

  /// Returns the index of each group at `inner` of row `row`; 0 of the repeated
  /// and of the interleaved group.
  static SmallVector<LaneIndex> indicesOfRow(ElementEmitter &emitter,
                                             const IterationBox &box,
                                             Value *row, LaneIndex inner) {
    bool interleaves = box.interleaved > 1;
    SmallVector<int64_t> extents(
        ArrayRef(box.extents).drop_back(interleaves ? 2 : 1));
    if (box.repeated)
      extents.erase(extents.begin() + *box.repeated);
    SmallVector<LaneIndex> byGroup;
    if (!extents.empty()) {
      extents.back() /= box.rowBlock;
      byGroup = emitter.delinearize(extents, row ? emitter.uniform(row)
                                                 : emitter.uniform(int64_t(0)));
      byGroup.back() = emitter.scale(byGroup.back(), box.rowBlock);
    }
    if (box.repeated)
      byGroup.insert(byGroup.begin() + *box.repeated,
                     emitter.uniform(int64_t(0)));
    byGroup.push_back(inner);
    if (interleaves)
      byGroup.push_back(emitter.uniform(int64_t(0)));
    return byGroup;
  }

  /// Emits the results at the other indices of the repeated group. The emitter
  /// knows what it has computed at the first one.
  void emitRepetitions(ElementEmitter &emitter, IterationBox &box,
                       ArrayRef<LaneIndex> indices) {
    int64_t count = repetitionsOf(box);
    emitFor(ir, ir.getInt64(1), ir.getInt64(count), 1, [&](Value *repetition) {
      ElementEmitter::Scope scope(emitter);
      emitter.indexMath().setRange(repetition, 1, count - 1);
      SmallVector<LaneIndex> at(indices);
      at[box.groups[*box.repeated].back()] = emitter.uniform(repetition);
      emitResults(emitter, box, at);
    });
  }

  /// Emits a block of rows at and behind `indices`.
  void emitRows(ElementEmitter &emitter, IterationBox &box,
                ArrayRef<LaneIndex> indices) {
    int64_t dim = box.groups[box.groups.size() - 2].back();
    auto rowAt = [&](int64_t row) {
      SmallVector<LaneIndex> at(indices);
      at[dim] = emitter.add(at[dim], row);
      return at;
    };
    for (mlir::Operation *window : windows) {
      mlir::OpResult value = window->getResult(0);
      SmallVector<Element> elements = emitter.emitConvolution(
          value, placeOf(emitter, box, indices), dim, box.rowBlock);
      for (auto [row, element] : llvm::enumerate(elements))
        emitter.memoize(value, placeOf(emitter, box, rowAt(int64_t(row))),
                        element);
    }
    for (int64_t row = 0; row < box.rowBlock; ++row)
      emitResults(emitter, box, rowAt(row));
  }

  /// Emits all elements of the interleaved group at `indices`.
  void emitInterleaved(ElementEmitter &emitter, IterationBox &box,
                       ArrayRef<LaneIndex> indices) {
    SmallVector<SmallVector<Element>> byResult(box.values.size());
    SmallVector<SmallVector<LaneIndex>> firstPlaces;
    for (int64_t number = 0; number < box.interleaved; ++number) {
      SmallVector<LaneIndex> at(indices);
      at[box.groups.back().back()] = emitter.uniform(number);
      ResultVectors vectors = emitElements(emitter, box, at);
      for (auto [all, element] : zip_equal(byResult, vectors.elements))
        all.push_back(element);
      if (number == 0)
        firstPlaces = std::move(vectors.places);
    }
    for (auto [number, elements] : llvm::enumerate(byResult))
      emitter.storeInterleaved(number, firstPlaces[number], elements);
  }

  /// Returns the indices in the results of those in a part of them.
  static SmallVector<LaneIndex> placeOf(ElementEmitter &emitter,
                                        const IterationBox &box,
                                        ArrayRef<LaneIndex> indices) {
    SmallVector<LaneIndex> place(indices);
    if (box.isPart)
      for (auto [index, offset] : zip_equal(place, box.offsets))
        index = emitter.add(index, offset);
    return place;
  }

  void emitResults(ElementEmitter &emitter, IterationBox &box,
                   ArrayRef<LaneIndex> indices) {
    // Compute all elements before the first store: a result may share its
    // buffer with an operand.
    ResultVectors vectors = emitElements(emitter, box, indices);
    for (auto [number, element] : llvm::enumerate(vectors.elements))
      emitter.store(number, vectors.places[number], element);
  }

  /// An element of each result, and its indices there.
  struct ResultVectors {
    SmallVector<Element> elements;
    SmallVector<SmallVector<LaneIndex>> places;
  };
  ResultVectors emitElements(ElementEmitter &emitter, IterationBox &box,
                             ArrayRef<LaneIndex> indices) {
    ResultVectors vectors;
    auto &[elements, places] = vectors;
    for (auto [number, value] : llvm::enumerate(box.values)) {
      ArrayRef<int64_t> sizes = sizesOf(value);
      SmallVector<LaneIndex> own;
      if (sizes == ArrayRef<int64_t>(box.sizes) || box.isPart)
        own = placeOf(emitter, box, indices);
      else if (!sizes.empty())
        own = emitter.delinearize(sizes, emitter.linearize(box.sizes, indices));
      elements.push_back(emitter.emit(value, own));
      if (box.isPart) {
        places.push_back(own);
        continue;
      }
      if (sizes == ArrayRef<int64_t>(box.sizes) || sizes.empty()) {
        own.assign(indices.begin(), indices.end());
        for (size_t dim = 0; dim < own.size(); ++dim)
          own[dim] = emitter.add(own[dim], emitter.uniform(offsets[dim]));
      }
      places.push_back(own);
    }
    return vectors;
  }

  KernelFunction &function;
  IRBuilder<> &ir;
  const LoopOptions &options;
  SmallVector<Value *> offsets;
  SmallVector<mlir::Operation *> windows;
};
} // namespace

int64_t countLoopTasks(KernelFunction &function, IRBuilder<> &ir,
                       const LoopOptions &options) {
  return planLoop(function, ir, options).tasks;
}

void emitLoopTasks(KernelFunction &function, IRBuilder<> &ir,
                   const LoopOptions &options, unsigned phase) {
  assert(countLoopTasks(function, ir, options) ==
             function.kernel.getSchedule().getTasks()[phase] &&
         "the loop was scheduled with these options");
  LoopEmitter(function, ir, options).run();
}

static Error emitLoop(KernelFunction &function, IRBuilder<> &ir,
                      unsigned phase) {
  emitLoopTasks(function, ir, {}, phase);
  return Error::success();
}

const KernelKind loopKind = {scheduleLoop, emitLoop};

} // namespace xlac::codegen
