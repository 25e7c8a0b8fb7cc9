// The scatter kind: scatter and select_and_scatter at the root of a kernel. The
// first phase writes the initial results, unless they share their buffers with
// the operands. The second phase applies the updates in order. Window
// dimensions of the updates that are never indexed are divided into tasks and
// vectors. Many updates of few elements, such as those of a histogram, are
// divided into chunks instead: each combines its updates in a table of its own,
// and the second phase combines the tables.
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "LoopKernel.h"
#include "Loops.h"
#include "ReducerBody.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

namespace {
struct ScatterPlan {
  mlir::Operation *root = nullptr;
  /// The root's result number for each result of the kernel.
  SmallVector<unsigned> numbers;
  bool inPlace = false;
  unsigned width = 1;
  /// Dimensions of the updates that are divided into tasks; all are
  /// independent. A task computes `block` elements of the last one, in vectors
  /// if `vectorDim` is set.
  SmallVector<int64_t> taskDims;
  int64_t vectorDim = -1, block = 1, blocks = 1;
  int64_t firstTasks = 0, tasks = 1;
  /// With tables: the dimension of the updates that is divided into chunks, its
  /// part in a chunk, and the size of a table in the workspace. -1: no tables.
  int64_t chunkDim = -1, chunk = 0, tableBytes = 0;

  bool hasTables() const { return chunkDim >= 0; }
};
} // namespace

//===- Planning -----------------------------------------------------------===//

static mlir::LogicalResult findRoot(ir::KernelOp kernel, ScatterPlan &plan) {
  for (mlir::Value value : kernel.getYield()->getOperands()) {
    auto result = dyn_cast<mlir::OpResult>(value);
    if (!result || (plan.root && result.getOwner() != plan.root) ||
        !isa<ScatterOp, SelectAndScatterOp>(result.getOwner()))
      return kernel.emitOpError("is of kind scatter, but does not return the "
                                "results of one scatter");
    plan.root = result.getOwner();
    plan.numbers.push_back(result.getResultNumber());
  }
  return mlir::success(plan.root != nullptr);
}

/// Returns the input's dimension for each window dimension of the updates.
static SmallVector<int64_t> windowOperandDims(ScatterOp op) {
  auto numbers = op.getScatterDimensionNumbers();
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < int64_t(sizesOf(op.getInputs()[0]).size()); ++dim)
    if (!llvm::is_contained(numbers.getInsertedWindowDims(), dim) &&
        !llvm::is_contained(numbers.getInputBatchingDims(), dim))
      dims.push_back(dim);
  return dims;
}

static void planScatterTasks(ScatterOp op, ScatterPlan &plan) {
  auto numbers = op.getScatterDimensionNumbers();
  SmallVector<int64_t> operandDims = windowOperandDims(op);
  ArrayRef<int64_t> sizes = sizesOf(op.getUpdates()[0]);
  int64_t innermost = int64_t(sizesOf(op.getInputs()[0]).size()) - 1;
  for (auto [window, dim] : llvm::enumerate(numbers.getUpdateWindowDims())) {
    if (llvm::is_contained(numbers.getScatterDimsToOperandDims(),
                           operandDims[window]) ||
        sizes[dim] == 1)
      continue;
    plan.taskDims.push_back(dim);
    if (operandDims[window] == innermost && sizes[dim] >= int64_t(plan.width) &&
        dim == int64_t(sizes.size()) - 1)
      plan.vectorDim = dim;
  }
}

/// Uses batches and channels as tasks if windows do not extend along them.
static void planSelectTasks(SelectAndScatterOp op, ScatterPlan &plan) {
  ArrayRef<int64_t> sizes = sizesOf(op.getSource());
  ArrayRef<int64_t> whole = sizesOf(op.getOperand());
  for (int64_t dim = 0; dim < int64_t(sizes.size()); ++dim) {
    bool single =
        !op.getWindowDimensions() || (*op.getWindowDimensions())[dim] == 1;
    bool dense = !op.getWindowStrides() || (*op.getWindowStrides())[dim] == 1;
    if (!single || !dense || sizes[dim] != whole[dim] || sizes[dim] == 1)
      continue;
    plan.taskDims.push_back(dim);
    if (dim == int64_t(sizes.size()) - 1 && sizes[dim] >= int64_t(plan.width))
      plan.vectorDim = dim;
  }
}

/// Chooses tables if one task would do all updates, and they are so many more
/// than the results that combining the tables is cheap.
static void planTables(KernelFunction &function, ScatterOp op,
                       ScatterPlan &plan) {
  constexpr int64_t chunks = 16, leastUpdates = 1 << 14, leastRatio = 4;
  // A table stays in the first-level cache.
  constexpr int64_t mostBytes = 16 << 10;
  mlir::Type element = mlir::getElementTypeOrSelf(op.getInputs()[0].getType());
  mlir::Block &body = op.getUpdateComputation().front();
  if (function.anySize() || plan.tasks != 1 || op->getNumResults() != 1 ||
      !ir::isSimpleReducer(op.getUpdateComputation()) ||
      mlir::getElementTypeOrSelf(body.getArgument(0).getType()) != element)
    return;
  int64_t results = elementCount(sizesOf(op.getInputs()[0]));
  int64_t bytes = results * elementBytes(element);
  ArrayRef<int64_t> sizes = sizesOf(op.getUpdates()[0]);
  int64_t updates = elementCount(sizes);
  if (bytes == 0 || bytes > mostBytes || updates < leastUpdates ||
      updates / (chunks * leastRatio) < results)
    return;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size < chunks)
      continue;
    plan.chunkDim = dim;
    plan.chunk = divideCeil(size, chunks);
    plan.tasks = divideCeil(size, plan.chunk);
    plan.tableBytes = alignTo(bytes, 64);
    return;
  }
}

/// Returns how many elements along the vector dimension, which has `extent`, a
/// task computes, if there are `others` for each. With few tasks they are no
/// more than a cache line, which only one thread writes, or the two lines that
/// processors fetch together, if updates are read from memory.
static int64_t blockOf(const ScatterPlan &plan, int64_t extent,
                       int64_t others) {
  constexpr int64_t fewTasks = 8, lineBytes = 64, farBytes = 4 << 20;
  int64_t block = 4 * int64_t(plan.width);
  if (others * divideCeil(extent, block) >= fewTasks)
    return block;
  int64_t bytes = INT64_MAX, read = 0;
  for (mlir::Type type : plan.root->getResultTypes())
    bytes = std::min(bytes, elementBytes(mlir::getElementTypeOrSelf(type)));
  for (mlir::Type type : plan.root->getOperandTypes())
    read = std::max(read, bytesOf(type));
  int64_t piece = read >= farBytes ? 2 * lineBytes : lineBytes;
  return std::min(
      block, int64_t(alignTo(std::max<int64_t>(piece / bytes, 1), plan.width)));
}

static mlir::LogicalResult planScatter(KernelFunction &function,
                                       ScatterPlan &plan) {
  ir::KernelOp kernel = function.kernel;
  if (mlir::failed(findRoot(kernel, plan)))
    return mlir::failure();
  plan.width = laneCountOf(kernel, function.profile);
  ArrayRef<int64_t> sizes;
  if (auto scatter = dyn_cast<ScatterOp>(plan.root)) {
    sizes = sizesOf(scatter.getUpdates()[0]);
    planScatterTasks(scatter, plan);
    plan.inPlace = true;
    for (auto [result, number] : llvm::enumerate(plan.numbers)) {
      auto argument =
          dyn_cast<mlir::BlockArgument>(scatter.getInputs()[number]);
      plan.inPlace &= argument && kernel.getInPlaceOperand(result) ==
                                      argument.getArgNumber();
    }
  } else {
    auto select = cast<SelectAndScatterOp>(plan.root);
    sizes = sizesOf(select.getSource());
    planSelectTasks(select, plan);
  }
  if (llvm::is_contained(sizes, 0)) {
    plan.tasks = 0;
    return mlir::success();
  }
  for (int64_t dim : plan.taskDims)
    plan.tasks *= sizes[dim];
  if (plan.vectorDim >= 0) {
    int64_t extent = sizes[plan.vectorDim];
    plan.block = blockOf(plan, extent, plan.tasks / extent);
    plan.blocks = (extent + plan.block - 1) / plan.block;
    assert(llvm::is_contained(plan.taskDims, plan.vectorDim) &&
           plan.tasks % extent == 0 && "vectors run along a task's dimension");
    plan.tasks = plan.tasks / extent * plan.blocks;
  }
  if (auto scatter = dyn_cast<ScatterOp>(plan.root))
    planTables(function, scatter, plan);
  return mlir::success();
}

/// Returns the results before any update.
static mlir::Value initialValue(const ScatterPlan &plan, unsigned number) {
  if (auto scatter = dyn_cast<ScatterOp>(plan.root))
    return scatter.getInputs()[number];
  return cast<SelectAndScatterOp>(plan.root).getInitValue();
}

static LoopOptions initialOptions(const ScatterPlan &plan) {
  LoopOptions options;
  options.prepare = [&plan](ElementEmitter &emitter) {
    for (mlir::OpResult result : plan.root->getResults()) {
      mlir::Value initial = initialValue(plan, result.getResultNumber());
      bool scalar = sizesOf(initial).empty();
      emitter.bind(result, [&emitter, initial,
                            scalar](ArrayRef<LaneIndex> indices) {
        return emitter.emit(initial, scalar ? ArrayRef<LaneIndex>() : indices);
      });
    }
  };
  return options;
}

static Value *tableOf(KernelFunction &function, IRBuilder<> &ir,
                      const ScatterPlan &plan, Value *chunk) {
  return ir.CreateGEP(ir.getInt8Ty(), function.workspace,
                      ir.CreateMul(chunk, ir.getInt64(plan.tableBytes)));
}

/// Returns the options of the loop that combines the operand and all tables.
static LoopOptions tableOptions(KernelFunction &function, IRBuilder<> &ir,
                                const ScatterPlan &plan) {
  LoopOptions options;
  options.prepare = [&](ElementEmitter &emitter) {
    auto combine = [&](ArrayRef<LaneIndex> indices) {
      auto op = cast<ScatterOp>(plan.root);
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      Element sum = emitter.emit(op.getInputs()[0], indices);
      for (int64_t chunk = 0; chunk < plan.tasks; ++chunk) {
        Value *table = tableOf(function, ir, plan, ir.getInt64(chunk));
        sum = emitter.emitRegion(op.getUpdateComputation(),
                                 {sum, emitter.load(type, table, indices)})[0];
      }
      return sum;
    };
    emitter.bind(plan.root->getResult(0), combine);
  };
  return options;
}

static mlir::LogicalResult scheduleScatter(ir::KernelOp kernel,
                                           const TargetProfile &profile) {
  KernelFunction function(kernel, profile);
  ScatterPlan plan;
  if (mlir::failed(checkLoopResults(kernel)) ||
      mlir::failed(planScatter(function, plan)))
    return mlir::failure();
  KernelCost cost = costOf(kernel);
  int64_t time = cost.nanoseconds(profile);
  SmallVector<int64_t> tasks, grain;
  LLVMContext context;
  IRBuilder<> ir(context);
  if (plan.hasTables()) {
    int64_t loop =
        countLoopTasks(function, ir, tableOptions(function, ir, plan));
    setSchedule(kernel, {plan.tasks, loop},
                {grainOf(plan.tasks, time, profile), loop}, {},
                plan.tasks * plan.tableBytes, cost.flops, cost.bytes);
    return mlir::success();
  }
  if (!plan.inPlace) {
    tasks.push_back(countLoopTasks(function, ir, initialOptions(plan)));
    grain.push_back(grainOf(tasks[0], time, profile));
  }
  tasks.push_back(plan.tasks);
  grain.push_back(grainOf(plan.tasks, time, profile));
  setSchedule(kernel, tasks, grain, {}, 0, cost.flops, cost.bytes);
  return mlir::success();
}

//===- Emission -----------------------------------------------------------===//

namespace {
using Elements = SmallVector<Element>;

class ScatterEmitter {
public:
  ScatterEmitter(KernelFunction &function, IRBuilder<> &ir, ScatterPlan &plan)
      : function(function), ir(ir), plan(plan) {}

  void emitUpdates();
  void emitTables();
  void emitSelections();

private:
  void
  forUpdates(ArrayRef<int64_t> sizes,
             function_ref<void(ElementEmitter &, ArrayRef<LaneIndex>)> body);
  void forVectors(int64_t extent, Value *block,
                  function_ref<void(Value *, unsigned)> body);
  void update(ElementEmitter &emitter, ArrayRef<LaneIndex> indices);
  void select(ElementEmitter &emitter, ArrayRef<LaneIndex> indices);
  void combineInto(ElementEmitter &emitter, mlir::Region &body,
                   ArrayRef<LaneIndex> place, ArrayRef<Element> updates,
                   Value *where = nullptr);
  RankedTensorType resultType(unsigned number) {
    return cast<RankedTensorType>(
        function.kernel.getYield()->getOperand(number).getType());
  }

  /// Where result `result` of the kernel is updated.
  Value *targetOf(unsigned result) {
    return table ? table : function.resultPointers[result];
  }

  KernelFunction &function;
  IRBuilder<> &ir;
  ScatterPlan &plan;
  Value *table = nullptr; ///< of the current chunk
};
} // namespace

/// Calls `body` for all updates of the tasks, in order, and for each vector
/// along the plan's vector dimension.
void ScatterEmitter::forUpdates(
    ArrayRef<int64_t> sizes,
    function_ref<void(ElementEmitter &, ArrayRef<LaneIndex>)> body) {
  SmallVector<int64_t> taskSizes, otherDims, otherSizes;
  for (int64_t dim : plan.taskDims)
    taskSizes.push_back(dim == plan.vectorDim ? plan.blocks : sizes[dim]);
  for (int64_t dim = 0; dim < int64_t(sizes.size()); ++dim)
    if (!llvm::is_contained(plan.taskDims, dim)) {
      otherDims.push_back(dim);
      otherSizes.push_back(sizes[dim]);
    }
  // Vectors are the inner loop: a task reads all of its part of an update,
  // which is contiguous, before the next one.
  emitFor(ir, function.begin, function.end, 1, [&](Value *task) {
    ElementEmitter scalar(function, ir, 1);
    SmallVector<LaneIndex> indices(sizes.size(), scalar.uniform(int64_t(0)));
    SmallVector<LaneIndex> byTask =
        scalar.delinearize(taskSizes, scalar.uniform(task));
    for (auto [dim, index] : zip_equal(plan.taskDims, byTask))
      indices[dim] = index;
    Value *block = plan.vectorDim < 0 ? nullptr : indices[plan.vectorDim].base;
    scalar.loopNest(
        otherSizes, {}, [&](ArrayRef<Value *> others, ArrayRef<Element>) {
          for (auto [dim, index] : zip_equal(otherDims, others))
            indices[dim] = scalar.uniform(index);
          if (block)
            forVectors(sizes[plan.vectorDim], block,
                       [&](Value *position, unsigned width) {
                         indices[plan.vectorDim] = {position, width > 1 ? 1 : 0,
                                                    nullptr};
                         ElementEmitter emitter(function, ir, width);
                         body(emitter, indices);
                       });
          else
            body(scalar, indices);
          return Elements();
        });
  });
}

/// Calls `body` for the vectors of a block of the vector dimension, which has
/// `extent`.
void ScatterEmitter::forVectors(int64_t extent, Value *block,
                                function_ref<void(Value *, unsigned)> body) {
  int64_t rest = extent % plan.width;
  Value *begin = ir.CreateMul(block, ir.getInt64(plan.block));
  Value *end = ir.CreateBinaryIntrinsic(
      Intrinsic::smin, ir.CreateAdd(begin, ir.getInt64(plan.block)),
      ir.getInt64(extent - rest));
  emitFor(ir, begin, end, plan.width,
          [&](Value *position) { body(position, plan.width); });
  if (rest)
    emitIf(ir, ir.CreateICmpEQ(block, ir.getInt64(plan.blocks - 1)),
           [&] { body(ir.getInt64(extent - rest), rest); });
}

/// Computes results[place] = body(results[place], updates) for all results
/// together, in the lanes that `where` selects.
void ScatterEmitter::combineInto(ElementEmitter &emitter, mlir::Region &body,
                                 ArrayRef<LaneIndex> place,
                                 ArrayRef<Element> updates, Value *where) {
  SmallVector<int> resultOf(plan.root->getNumResults(), -1);
  for (auto [result, number] : llvm::enumerate(plan.numbers))
    resultOf[number] = result;
  Elements arguments;
  for (unsigned number = 0; number < resultOf.size(); ++number) {
    if (resultOf[number] < 0) { // unused, so not stored anywhere
      arguments.push_back(emitter.zero(
          mlir::getElementTypeOrSelf(plan.root->getResult(number).getType())));
      continue;
    }
    arguments.push_back(emitter.load(resultType(resultOf[number]),
                                     targetOf(resultOf[number]), place));
  }
  assert(arguments.size() == updates.size() && "every result has an update");
  llvm::append_range(arguments, updates);
  Elements results = emitter.emitRegion(body, arguments);
  for (auto [result, number] : llvm::enumerate(plan.numbers)) {
    Element changed = emitter.select(where, results[number], arguments[number]);
    if (table)
      emitter.storeTo(resultType(result), table, place, changed);
    else
      emitter.store(result, place, changed);
  }
}

void ScatterEmitter::update(ElementEmitter &emitter,
                            ArrayRef<LaneIndex> indices) {
  auto op = cast<ScatterOp>(plan.root);
  auto numbers = op.getScatterDimensionNumbers();
  ArrayRef<int64_t> sizes = sizesOf(op.getInputs()[0]);
  SmallVector<LaneIndex> scatterIndex;
  for (auto [dim, index] : llvm::enumerate(indices))
    if (!llvm::is_contained(numbers.getUpdateWindowDims(), int64_t(dim)))
      scatterIndex.push_back(index);
  SmallVector<LaneIndex> place(sizes.size(), emitter.uniform(int64_t(0)));
  for (auto [dim, window] :
       zip_equal(windowOperandDims(op), numbers.getUpdateWindowDims()))
    place[dim] = indices[window];
  int64_t vectorDim = numbers.getIndexVectorDim();
  int64_t indexRank = sizesOf(op.getScatterIndices()).size();
  for (auto [dim, source] : zip_equal(numbers.getInputBatchingDims(),
                                      numbers.getScatterIndicesBatchingDims()))
    place[dim] =
        emitter.add(place[dim], scatterIndex[source - (source > vectorDim)]);
  Value *valid = nullptr;
  for (auto [number, dim] :
       llvm::enumerate(numbers.getScatterDimsToOperandDims())) {
    SmallVector<LaneIndex> at(scatterIndex);
    if (vectorDim < indexRank)
      at.insert(at.begin() + vectorDim, emitter.uniform(int64_t(number)));
    LaneIndex start = emitter.emitIndex(op.getScatterIndices(), at);
    place[dim] = emitter.add(place[dim], start);
    valid = emitter.both(valid, emitter.inBounds(place[dim], sizes[dim]));
  }
  // Windows can exceed dimensions that are not indexed only if the update is
  // larger than the input, which verification rejects.
  auto apply = [&] {
    ElementEmitter::Scope scope(emitter);
    Elements updates;
    for (mlir::Value value : op.getUpdates())
      updates.push_back(emitter.emit(value, indices));
    mlir::TypeRange types =
        op.getUpdateComputation().front().getArgumentTypes();
    updates = emitter.convert(op, op.getUpdates(), updates,
                              types.drop_front(updates.size()));
    combineInto(emitter, op.getUpdateComputation(), place, updates);
  };
  if (valid)
    emitIf(ir, valid, apply);
  else
    apply();
}

void ScatterEmitter::emitUpdates() {
  auto op = cast<ScatterOp>(plan.root);
  forUpdates(sizesOf(op.getUpdates()[0]),
             [&](ElementEmitter &emitter, ArrayRef<LaneIndex> indices) {
               update(emitter, indices);
             });
}

/// Combines the updates of each chunk in the chunk's table, which begins with
/// identities.
void ScatterEmitter::emitTables() {
  auto op = cast<ScatterOp>(plan.root);
  ArrayRef<int64_t> sizes = sizesOf(op.getUpdates()[0]);
  SmallVector<int64_t> otherDims, otherSizes;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (int64_t(dim) != plan.chunkDim) {
      otherDims.push_back(dim);
      otherSizes.push_back(size);
    }
  ElementEmitter emitter(function, ir, 1);
  emitFor(ir, function.begin, function.end, 1, [&](Value *chunk) {
    table = tableOf(function, ir, plan, chunk);
    Element identity =
        reducerIdentity(emitter, op.getUpdateComputation(), /*number=*/0);
    ArrayRef<int64_t> shape = resultType(0).getShape();
    emitter.loopNest(shape, {}, [&](ArrayRef<Value *> at, ArrayRef<Element>) {
      SmallVector<LaneIndex> place;
      for (Value *index : at)
        place.push_back(emitter.uniform(index));
      emitter.storeTo(resultType(0), table, place, identity);
      return Elements();
    });
    Value *begin = ir.CreateMul(chunk, ir.getInt64(plan.chunk));
    Value *end = ir.CreateBinaryIntrinsic(
        Intrinsic::smin, ir.CreateAdd(begin, ir.getInt64(plan.chunk)),
        ir.getInt64(sizes[plan.chunkDim]));
    emitFor(ir, begin, end, 1, [&](Value *first) {
      ElementEmitter one(function, ir, 1);
      one.loopNest(otherSizes, {},
                   [&](ArrayRef<Value *> others, ArrayRef<Element>) {
                     SmallVector<LaneIndex> indices(sizes.size());
                     indices[plan.chunkDim] = one.uniform(first);
                     for (auto [dim, index] : zip_equal(otherDims, others))
                       indices[dim] = one.uniform(index);
                     update(one, indices);
                     return Elements();
                   });
    });
    table = nullptr;
  });
}

/// Returns the operand's index for a position in the window of source element
/// `indices`. Clears `valid` for padding.
static SmallVector<LaneIndex> windowIndex(ElementEmitter &emitter,
                                          SelectAndScatterOp op,
                                          ArrayRef<LaneIndex> indices,
                                          ArrayRef<Value *> places,
                                          Value *&valid) {
  SmallVector<LaneIndex> at;
  for (auto [dim, size] : llvm::enumerate(sizesOf(op.getOperand()))) {
    int64_t window =
        op.getWindowDimensions() ? (*op.getWindowDimensions())[dim] : 1;
    int64_t stride = op.getWindowStrides() ? (*op.getWindowStrides())[dim] : 1;
    int64_t low = 0;
    if (op.getPadding())
      low = (*op.getPadding())
                .getValues<APInt>()[{uint64_t(dim), 0}]
                .getSExtValue();
    LaneIndex position =
        emitter.add(emitter.add(emitter.scale(indices[dim], stride),
                                emitter.uniform(places[dim])),
                    -low);
    int64_t highest =
        (sizesOf(op.getSource())[dim] - 1) * stride + window - 1 - low;
    if (low > 0 || highest >= size) {
      valid = emitter.both(valid, emitter.inBounds(position, size));
      position = emitter.clamp(position, 0, size - 1);
    }
    at.push_back(position);
  }
  return at;
}

/// Iterates over the window of source element `indices` to find the element
/// that `select` prefers. Iterates again to scatter the source to it, because
/// each lane has its own position.
void ScatterEmitter::select(ElementEmitter &emitter,
                            ArrayRef<LaneIndex> indices) {
  auto op = cast<SelectAndScatterOp>(plan.root);
  SmallVector<int64_t> window(sizesOf(op.getOperand()).size(), 1);
  if (op.getWindowDimensions())
    window.assign(op.getWindowDimensions()->begin(),
                  op.getWindowDimensions()->end());
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  auto numberOf = [&](ArrayRef<Value *> places) {
    SmallVector<LaneIndex> at;
    for (Value *place : places)
      at.push_back(emitter.uniform(place));
    Value *number = emitter.linearize(window, at).base;
    return emitter.splat(ir.CreateTrunc(number, ir.getInt32Ty()));
  };
  // The number of the position chosen so far (-1 for none), and its element.
  Elements initial{{emitter.splat(ir.getInt32(-1))},
                   emitter.zero(type.getElementType())};
  Value *none = initial[0].real;
  Elements chosen = emitter.loopNest(
      window, initial,
      [&](ArrayRef<Value *> places, ArrayRef<Element> carried) {
        Value *valid = nullptr;
        SmallVector<LaneIndex> at =
            windowIndex(emitter, op, indices, places, valid);
        Element element = emitter.emit(op.getOperand(), at);
        Value *keeps =
            emitter.emitRegion(op.getSelect(), {carried[1], element})[0].real;
        Value *takes = ir.CreateOr(ir.CreateICmpEQ(carried[0].real, none),
                                   ir.CreateNot(keeps));
        takes = emitter.both(valid, takes);
        return Elements{emitter.select(takes, {numberOf(places)}, carried[0]),
                        emitter.select(takes, element, carried[1])};
      });
  Element source = emitter.emit(op.getSource(), indices);
  emitter.loopNest(
      window, {}, [&](ArrayRef<Value *> places, ArrayRef<Element>) {
        Value *valid = nullptr;
        SmallVector<LaneIndex> at =
            windowIndex(emitter, op, indices, places, valid);
        Value *here = ir.CreateICmpEQ(chosen[0].real, numberOf(places));
        auto apply = [&] {
          ElementEmitter::Scope scope(emitter);
          combineInto(emitter, op.getScatter(), at, {source}, here);
        };
        if (valid && !valid->getType()->isVectorTy())
          emitIf(ir, valid, apply);
        else
          apply();
        return Elements();
      });
}

void ScatterEmitter::emitSelections() {
  auto op = cast<SelectAndScatterOp>(plan.root);
  forUpdates(sizesOf(op.getSource()),
             [&](ElementEmitter &emitter, ArrayRef<LaneIndex> indices) {
               select(emitter, indices);
             });
}

static Error emitScatter(KernelFunction &function, IRBuilder<> &ir,
                         unsigned phase) {
  ScatterPlan plan;
  if (mlir::failed(planScatter(function, plan)))
    return createStringError("kernel @" + function.kernel.getSymName() +
                             " is not a scatter");
  if (plan.hasTables() && phase == 1) {
    emitLoopTasks(function, ir, tableOptions(function, ir, plan), phase);
    return Error::success();
  }
  if (phase == 0 && !plan.inPlace && !plan.hasTables()) {
    emitLoopTasks(function, ir, initialOptions(plan), phase);
    return Error::success();
  }
  ScatterEmitter emitter(function, ir, plan);
  if (plan.tasks == 0)
    return Error::success();
  if (plan.hasTables())
    emitter.emitTables();
  else if (isa<ScatterOp>(plan.root))
    emitter.emitUpdates();
  else
    emitter.emitSelections();
  return Error::success();
}

const KernelKind scatterKind = {scheduleScatter, emitScatter};

} // namespace xlac::codegen
