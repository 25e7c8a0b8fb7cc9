// The reduction kind. Where the innermost dimension is reduced, a task is a
// row: several vector accumulators, a fixed tree, then whatever the kernel
// makes of the row's values, so that softmax is one kernel. Where it is kept,
// lanes are results. Work with few results is split in two phases through the
// workspace. All orders follow from shapes and profile alone.
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "LoopKernel.h"
#include "Loops.h"
#include "ReducerBody.h"
#include "ReductionPlan.h"
#include "Services.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace llvm;
using namespace mlir::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

mlir::LogicalResult scheduleReduction(ir::KernelOp kernel,
                                      const TargetProfile &profile) {
  for (mlir::Value result : kernel.getYield()->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape() ||
        elementBytes(type.getElementType()) == 0 ||
        elementCount(type.getShape()) >= INT64_MAX / 16)
      return kernel.emitOpError("has a result of type ")
             << result.getType() << ", which is not supported";
  }
  LLVMContext context;
  IRBuilder<> ir(context);
  KernelFunction function(kernel, profile);
  ReductionPlan plan = planReduction(function, ir);
  KernelCost cost = costOf(kernel);
  int64_t time = cost.nanoseconds(profile);
  LoopOptions options;
  switch (plan.form) {
  case ReductionForm::Rows:
    setSchedule(kernel, {plan.rows}, {grainOf(plan.rows, time)}, {}, 0,
                cost.flops, cost.bytes);
    return mlir::success();
  case ReductionForm::Partial: {
    int64_t first = plan.chunks * (plan.sweeps         ? 1
                                   : plan.innerReduced ? plan.rows
                                                       : plan.columns);
    int64_t second = countLoopTasks(function, ir, {});
    setSchedule(kernel, {first, second}, {grainOf(first, time), second}, {},
                plan.workspace, cost.flops, cost.bytes);
    return mlir::success();
  }
  case ReductionForm::Loop:
    break;
  }
  if (mlir::failed(checkLoopResults(kernel)))
    return mlir::failure();
  options.width = plan.width > 1 ? plan.width : 0;
  int64_t tasks = countLoopTasks(function, ir, options);
  setSchedule(kernel, {tasks}, {grainOf(tasks, time)}, {}, 0, cost.flops,
              cost.bytes);
  return mlir::success();
}

/// Rows that are fetched ahead: long enough for the processor not to do so by
/// itself, short enough to stay in the second-level cache; and bytes of all of
/// them that are not in a cache anyway.
static constexpr int64_t kLeastPrefetchedRow = 1024, kMostPrefetchedRow = 65536;
static constexpr int64_t kLeastPrefetched = 4 << 20;

//===- Emission -----------------------------------------------------------===//

namespace {
using Elements = SmallVector<Element>;

class ReductionEmitter {
public:
  ReductionEmitter(KernelFunction &function, IRBuilder<> &ir,
                   ReductionPlan &plan)
      : function(function), ir(ir), plan(plan) {}

  void emitRows();
  void emitPartials();
  void emitFinal();

private:
  /// What is known of the row at hand.
  struct Fact {
    mlir::Value value;
    Element element;
  };

  void prepare(ElementEmitter &emitter) {
    for (const Fact &fact : facts)
      emitter.know(fact.value, row, fact.element);
  }
  void enterRow(Value *number);
  void prefetchNextRow(Value *at);
  // Where a row's kept values lie: in the result, or in scratch if that is not
  // to come into the caches.
  RankedTensorType keptType() {
    auto type = cast<RankedTensorType>(plan.kept.value.getType());
    return scratch ? RankedTensorType::get({plan.inner}, type.getElementType())
                   : type;
  }
  Value *keptBase() {
    return scratch ? scratch : function.resultPointers[plan.kept.result];
  }
  ArrayRef<LaneIndex> keptIndices(ArrayRef<LaneIndex> indices) {
    return scratch ? indices.slice(plan.innerDims.back(), 1) : indices;
  }
  void keep(ElementEmitter &emitter, ReduceOp reduce,
            ArrayRef<LaneIndex> indices);
  void recall(ElementEmitter &emitter, ArrayRef<LaneIndex> indices);
  SmallVector<LaneIndex> indicesIn(ElementEmitter &emitter,
                                   ArrayRef<Value *> outer, LaneIndex inner);
  Elements identities(ElementEmitter &emitter, ReduceOp reduce);
  Elements inputsAt(ElementEmitter &emitter, ReduceOp reduce,
                    ArrayRef<LaneIndex> indices);
  Elements combine(ElementEmitter &emitter, ReduceOp reduce, Elements left,
                   ArrayRef<Element> right);
  Elements reduceRange(ReduceOp reduce, ArrayRef<Value *> outer,
                       Elements carried, unsigned accumulators, Value *begin,
                       Value *end, bool withTail, Value *tailWanted);
  Elements horizontal(ReduceOp reduce, Elements carried, unsigned accumulators);
  Elements reduceRow(ReduceOp reduce, Value *outerBegin, Value *outerEnd,
                     Value *begin, Value *end, Value *tailWanted);
  void addInitial(ReduceOp reduce, Elements &elements);
  void storeRowResult(unsigned number);
  void storeFullResults();
  void emitColumnPartial(Value *chunk, Value *column, unsigned width,
                         int64_t firstColumn);
  void sweepChunk(Value *chunk);
  void sweepColumn(Value *chunk, Value *base, unsigned width,
                   ArrayRef<Value *> outer, Value *begin, Value *end);
  void forColumns(function_ref<void(Value *base, unsigned width)> body);

  KernelFunction &function;
  IRBuilder<> &ir;
  ReductionPlan &plan;
  SmallVector<LaneIndex> row; ///< indices of the kept dimensions
  Value *rowNumber = nullptr;
  Value *scratch = nullptr; ///< of one row's kept values, if not in the result
  SmallVector<Fact> facts;
};
} // namespace

void ReductionEmitter::enterRow(Value *number) {
  ElementEmitter scalar(function, ir, 1);
  rowNumber = number;
  row = scalar.delinearize(plan.keptSizes, scalar.uniform(number));
  facts.clear();
}

/// Asks for what the next row has at `at`. A pass over a row that lies in the
/// cache leaves the memory idle, which then fetches what the next row's first
/// pass would wait for.
void ReductionEmitter::prefetchNextRow(Value *at) {
  ArrayRef<int64_t> sizes = plan.sizes;
  bool rowsRun = plan.innerReduced && plan.outerDims.empty() &&
                 llvm::all_of(llvm::enumerate(plan.keptDims), [](auto entry) {
                   return int64_t(entry.index()) == entry.value();
                 });
  if (!rowsRun)
    return;
  for (auto [argument, base] :
       zip_equal(function.kernel.getBody().getArguments(),
                 function.operandPointers)) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getShape() != sizes)
      continue;
    int64_t size = elementBytes(type.getElementType());
    int64_t rowBytes = plan.inner * size;
    if (rowBytes < kLeastPrefetchedRow || rowBytes > kMostPrefetchedRow ||
        rowBytes * plan.rows < kLeastPrefetched)
      continue;
    Value *row = ir.CreateAdd(rowNumber, ir.getInt64(1));
    Value *offset =
        ir.CreateAdd(ir.CreateMul(row, ir.getInt64(plan.inner)), at);
    Value *address = ir.CreateGEP(ir.getInt8Ty(), base,
                                  ir.CreateMul(offset, ir.getInt64(size)));
    constexpr unsigned read = 0, secondLevel = 2, data = 1;
    ir.CreateIntrinsic(Intrinsic::prefetch, {address->getType()},
                       {address, ir.getInt32(read), ir.getInt32(secondLevel),
                        ir.getInt32(data)});
  }
}

/// Indices of an input's element: those of the row, of the outer loops, and
/// along the inner extent.
SmallVector<LaneIndex> ReductionEmitter::indicesIn(ElementEmitter &emitter,
                                                   ArrayRef<Value *> outer,
                                                   LaneIndex inner) {
  SmallVector<LaneIndex> indices(plan.sizes.size(),
                                 emitter.uniform(int64_t(0)));
  for (auto [dim, index] : zip_equal(plan.keptDims, row))
    indices[dim] = index;
  for (auto [dim, index] : zip_equal(plan.outerDims, outer))
    indices[dim] = emitter.uniform(index);
  if (!plan.innerDims.empty())
    indices[plan.innerDims.back()] = inner;
  return indices;
}

/// After the inputs of `reduce` at `indices` were emitted.
void ReductionEmitter::keep(ElementEmitter &emitter, ReduceOp reduce,
                            ArrayRef<LaneIndex> indices) {
  mlir::Value value = plan.kept.value;
  if (value && reduce == plan.reduces.back())
    emitter.storeTo(keptType(), keptBase(), keptIndices(indices),
                    emitter.emit(value, indices));
}

/// Before a result is emitted at `indices`.
void ReductionEmitter::recall(ElementEmitter &emitter,
                              ArrayRef<LaneIndex> indices) {
  mlir::Value value = plan.kept.value;
  if (value)
    emitter.know(value, indices,
                 emitter.load(keptType(), keptBase(), keptIndices(indices)));
}

Elements ReductionEmitter::identities(ElementEmitter &emitter,
                                      ReduceOp reduce) {
  Elements result;
  for (size_t i = 0; i < reduce.getInputs().size(); ++i)
    result.push_back(reducerIdentity(emitter, reduce.getBody(), i));
  return result;
}

Elements ReductionEmitter::inputsAt(ElementEmitter &emitter, ReduceOp reduce,
                                    ArrayRef<LaneIndex> indices) {
  Elements elements;
  for (mlir::Value input : reduce.getInputs())
    elements.push_back(emitter.emit(input, indices));
  mlir::TypeRange types = reduce.getBody().front().getArgumentTypes();
  return emitter.convert(reduce, reduce.getInputs(), elements,
                         types.drop_front(elements.size()));
}

Elements ReductionEmitter::combine(ElementEmitter &emitter, ReduceOp reduce,
                                   Elements left, ArrayRef<Element> right) {
  llvm::append_range(left, right);
  return emitter.emitRegion(reduce.getBody(), left);
}

/// The first lanes from `part`, the others from `rest`.
static Element widen(IRBuilder<> &ir, Element part, Element rest,
                     unsigned width) {
  auto join = [&](Value *few, Value *all) -> Value * {
    if (!all)
      return nullptr;
    if (!few->getType()->isVectorTy())
      return ir.CreateInsertElement(all, few, uint64_t(0));
    unsigned count = cast<FixedVectorType>(few->getType())->getNumElements();
    SmallVector<int> mask(width, PoisonMaskElem), blend;
    for (unsigned lane = 0; lane < count; ++lane)
      mask[lane] = lane;
    Value *wide = ir.CreateShuffleVector(few, mask);
    for (unsigned lane = 0; lane < width; ++lane)
      blend.push_back(lane < count ? lane : width + lane);
    return ir.CreateShuffleVector(wide, all, blend);
  };
  return {join(part.real, rest.real), join(part.imag, rest.imag)};
}

/// Adds what lies at [begin, end) of the inner extent to the accumulators
/// (first those of accumulator 0); `begin` and `end` are multiples of the
/// width, or `end` that of the extent's last whole vector. The tail behind it
/// follows where `tailWanted` is true.
Elements ReductionEmitter::reduceRange(ReduceOp reduce, ArrayRef<Value *> outer,
                                       Elements carried, unsigned accumulators,
                                       Value *begin, Value *end, bool withTail,
                                       Value *tailWanted) {
  unsigned width = plan.width, count = reduce.getInputs().size();
  ElementEmitter emitter(function, ir, width);
  prepare(emitter);
  auto step = [&](Value *position, ArrayRef<Element> now, unsigned used) {
    Elements next;
    for (unsigned u = 0; u < used; ++u) {
      Value *at = emitter.indexMath().add(position, int64_t(u) * width);
      LaneIndex inner{at, width > 1 ? 1 : 0, nullptr};
      SmallVector<LaneIndex> indices = indicesIn(emitter, outer, inner);
      if (plan.form == ReductionForm::Rows && plan.reduces.size() > 1 &&
          reduce == plan.reduces[1])
        prefetchNextRow(at);
      Elements inputs = inputsAt(emitter, reduce, indices);
      keep(emitter, reduce, indices);
      Elements own(now.slice(u * count, count));
      llvm::append_range(next, combine(emitter, reduce, own, inputs));
    }
    llvm::append_range(next, now.drop_front(used * count));
    return next;
  };
  Value *mainEnd = begin;
  if (accumulators > 1) {
    int64_t stride = int64_t(width) * accumulators;
    Value *length = ir.CreateSub(end, begin);
    Value *whole = ir.CreateMul(ir.CreateSDiv(length, ir.getInt64(stride)),
                                ir.getInt64(stride));
    mainEnd = ir.CreateAdd(begin, whole);
    if (llvm::any_of(reduce.getInputs(), takesLong)) {
      // What takes long hides the sums' latency by itself: written once, with
      // the accumulators taking turns, it compiles in a quarter of the time.
      carried = emitter.loop(begin, mainEnd, width, carried,
                             [&](Value *position, ArrayRef<Element> now) {
                               Elements next = step(position, now, 1);
                               std::rotate(next.begin(), next.begin() + count,
                                           next.end());
                               return next;
                             });
    } else {
      carried = emitter.loop(begin, mainEnd, stride, carried,
                             [&](Value *position, ArrayRef<Element> now) {
                               return step(position, now, accumulators);
                             });
    }
  }
  carried = emitter.loop(mainEnd, end, width, carried,
                         [&](Value *position, ArrayRef<Element> now) {
                           return step(position, now, 1);
                         });
  int64_t rest = plan.inner % width;
  if (!withTail || rest == 0)
    return carried;
  Value *tail = ir.getInt64(plan.inner - rest);
  Value *tailEnd =
      tailWanted ? ir.CreateSelect(tailWanted, ir.getInt64(plan.inner), tail)
                 : ir.getInt64(plan.inner);
  return emitter.loop(
      tail, tailEnd, width, carried, [&](Value *, ArrayRef<Element> now) {
        ElementEmitter narrow(function, ir, rest);
        prepare(narrow);
        LaneIndex inner{tail, rest > 1 ? 1 : 0, nullptr};
        SmallVector<LaneIndex> indices = indicesIn(narrow, outer, inner);
        Elements inputs = inputsAt(narrow, reduce, indices);
        keep(narrow, reduce, indices);
        Elements neutral = identities(emitter, reduce);
        for (auto [input, identity] : zip_equal(inputs, neutral))
          input = widen(ir, input, identity, width);
        Elements next =
            combine(emitter, reduce, Elements(now.take_front(count)), inputs);
        llvm::append_range(next, now.drop_front(count));
        return next;
      });
}

static Elements halfOf(IRBuilder<> &ir, ArrayRef<Element> elements,
                       unsigned width, bool upper) {
  auto half = [&](Value *value) -> Value * {
    if (!value)
      return nullptr;
    if (width == 2)
      return ir.CreateExtractElement(value, uint64_t(upper));
    SmallVector<int> mask;
    for (unsigned lane = 0; lane < width / 2; ++lane)
      mask.push_back(lane + (upper ? width / 2 : 0));
    return ir.CreateShuffleVector(value, mask);
  };
  Elements result;
  for (const Element &element : elements)
    result.push_back({half(element.real), half(element.imag)});
  return result;
}

/// Accumulators to one, then its lanes to one, by halves.
Elements ReductionEmitter::horizontal(ReduceOp reduce, Elements carried,
                                      unsigned accumulators) {
  unsigned count = reduce.getInputs().size();
  ElementEmitter emitter(function, ir, plan.width);
  for (unsigned left = accumulators; left > 1; left /= 2) {
    Elements next;
    for (unsigned u = 0; u < left; u += 2) {
      ArrayRef<Element> pair =
          ArrayRef<Element>(carried).slice(u * count, 2 * count);
      llvm::append_range(next, combine(emitter, reduce,
                                       Elements(pair.take_front(count)),
                                       pair.drop_front(count)));
    }
    carried = next;
  }
  for (unsigned width = plan.width; width > 1; width /= 2) {
    ElementEmitter narrow(function, ir, width / 2);
    carried = combine(narrow, reduce, halfOf(ir, carried, width, false),
                      halfOf(ir, carried, width, true));
  }
  return carried;
}

/// The reduction of the row at hand, without its initial values: outer loops
/// over [outerBegin, outerEnd) of the first outer dimension and all of the
/// others, and [begin, end) of the inner extent.
Elements ReductionEmitter::reduceRow(ReduceOp reduce, Value *outerBegin,
                                     Value *outerEnd, Value *begin, Value *end,
                                     Value *tailWanted) {
  unsigned accumulators = plan.inner >= 4 * int64_t(plan.width) ? 4 : 1;
  ElementEmitter emitter(function, ir, plan.width);
  Elements carried;
  for (unsigned u = 0; u < accumulators; ++u)
    llvm::append_range(carried, identities(emitter, reduce));
  if (plan.outerDims.empty())
    carried = reduceRange(reduce, {}, carried, accumulators, begin, end, true,
                          tailWanted);
  else
    carried = emitter.loop(
        outerBegin, outerEnd, 1, carried,
        [&](Value *first, ArrayRef<Element> now) {
          SmallVector<int64_t> others;
          for (int64_t dim : ArrayRef<int64_t>(plan.outerDims).drop_front())
            others.push_back(plan.sizes[dim]);
          return emitter.loopNest(
              others, now,
              [&](ArrayRef<Value *> rest, ArrayRef<Element> inner) {
                SmallVector<Value *> outer{first};
                llvm::append_range(outer, rest);
                return reduceRange(reduce, outer, Elements(inner), accumulators,
                                   begin, end, true, tailWanted);
              });
        });
  return horizontal(reduce, carried, accumulators);
}

void ReductionEmitter::addInitial(ReduceOp reduce, Elements &elements) {
  ElementEmitter scalar(function, ir, 1);
  Elements initial;
  for (mlir::Value value : reduce.getInitValues())
    initial.push_back(scalar.emit(value, {}));
  initial = scalar.convert(reduce, reduce.getInitValues(), initial,
                           reduce.getBody().front().getArgumentTypes());
  elements = combine(scalar, reduce, initial, elements);
}

//===- Rows ---------------------------------------------------------------===//

void ReductionEmitter::storeRowResult(unsigned number) {
  mlir::Value result = function.kernel.getYield()->getOperand(number);
  ElementEmitter scalar(function, ir, 1);
  prepare(scalar);
  SmallVector<LaneIndex> indices =
      sizesOf(result) == ArrayRef<int64_t>(plan.keptSizes)
          ? row
          : scalar.delinearize(sizesOf(result), scalar.uniform(rowNumber));
  // Of the row's shape but for dimensions of size 1: the same indices, so that
  // what is known of the row is found.
  SmallVector<int64_t> significant, rowSignificant;
  for (int64_t size : sizesOf(result))
    if (size != 1)
      significant.push_back(size);
  SmallVector<LaneIndex> rowIndices;
  for (auto [size, index] : zip_equal(plan.keptSizes, row))
    if (size != 1) {
      rowSignificant.push_back(size);
      rowIndices.push_back(index);
    }
  if (significant == rowSignificant) {
    size_t next = 0;
    for (auto [dim, size] : llvm::enumerate(sizesOf(result)))
      indices[dim] =
          size == 1 ? scalar.uniform(int64_t(0)) : rowIndices[next++];
  }
  scalar.store(number, indices, scalar.emit(result, indices));
}

/// One pass along the row for all results that have its elements.
void ReductionEmitter::storeFullResults() {
  SmallVector<unsigned> numbers;
  mlir::OperandRange results = function.kernel.getYield()->getOperands();
  for (unsigned number = 0; number < results.size(); ++number)
    if (!isRowShaped(plan, results[number]))
      numbers.push_back(number);
  if (numbers.empty())
    return;
  ElementEmitter scalar(function, ir, 1);
  SmallVector<int64_t> outerSizes;
  for (int64_t dim : plan.outerDims)
    outerSizes.push_back(plan.sizes[dim]);
  scalar.loopNest(
      outerSizes, {}, [&](ArrayRef<Value *> outer, ArrayRef<Element>) {
        auto pass = [&](Value *begin, Value *end, unsigned width) {
          ElementEmitter emitter(function, ir, width);
          prepare(emitter);
          emitter.loop(
              begin, end, width, {}, [&](Value *at, ArrayRef<Element>) {
                LaneIndex inner{at, width > 1 ? 1 : 0, nullptr};
                SmallVector<LaneIndex> indices =
                    indicesIn(emitter, outer, inner);
                recall(emitter, indices);
                if (plan.reduces.size() == 1)
                  prefetchNextRow(at);
                Elements elements;
                for (unsigned number : numbers)
                  elements.push_back(emitter.emit(results[number], indices));
                for (auto [number, element] : zip_equal(numbers, elements))
                  emitter.store(number, indices, element);
                return Elements();
              });
        };
        int64_t rest = plan.inner % plan.width;
        pass(ir.getInt64(0), ir.getInt64(plan.inner - rest), plan.width);
        if (rest)
          pass(ir.getInt64(plan.inner - rest), ir.getInt64(plan.inner), rest);
        return Elements();
      });
}

void ReductionEmitter::emitRows() {
  if (plan.kept.value && function.isStreamed(plan.kept.result) &&
      plan.outerDims.empty())
    scratch = requestScratch(
        function, ir,
        plan.inner * elementBytes(mlir::getElementTypeOrSelf(plan.kept.value)));
  emitFor(ir, function.begin, function.end, 1, [&](Value *number) {
    enterRow(number);
    Value *zero = ir.getInt64(0);
    Value *outerEnd = plan.outerDims.empty()
                          ? zero
                          : ir.getInt64(plan.sizes[plan.outerDims[0]]);
    Value *end = ir.getInt64(plan.inner - plan.inner % plan.width);
    for (ReduceOp reduce : plan.reduces) {
      Elements elements = reduceRow(reduce, zero, outerEnd, zero, end, nullptr);
      addInitial(reduce, elements);
      for (auto [result, element] : zip_equal(reduce.getResults(), elements))
        facts.push_back({result, element});
    }
    storeFullResults();
    for (unsigned i = 0; i < function.kernel.getYield()->getNumOperands(); ++i)
      if (isRowShaped(plan, function.kernel.getYield()->getOperand(i)))
        storeRowResult(i);
  });
}

//===- Two phases ---------------------------------------------------------===//

/// Type of the partial values of operand `operand` of `reduce`: one for each
/// chunk and row.
static RankedTensorType partialType(const ReductionPlan &plan, ReduceOp reduce,
                                    unsigned operand) {
  mlir::Type element = mlir::getElementTypeOrSelf(
      reduce.getBody().front().getTerminator()->getOperand(operand).getType());
  return RankedTensorType::get({plan.chunks, plan.rows}, element);
}

static Value *partialBase(KernelFunction &function, IRBuilder<> &ir,
                          const ReductionPlan &plan, unsigned number) {
  return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), function.workspace,
                                       plan.partialOffsets[number]);
}

void ReductionEmitter::emitPartials() {
  if (plan.sweeps) {
    emitFor(ir, function.begin, function.end, 1,
            [&](Value *chunk) { sweepChunk(chunk); });
    return;
  }
  bool splitsInner = plan.innerReduced && plan.outerDims.empty();
  emitFor(ir, function.begin, function.end, 1, [&](Value *task) {
    IndexMath math(ir);
    int64_t each = plan.innerReduced ? plan.rows : plan.columns;
    Value *chunk = math.div(task, each), *place = math.rem(task, each);
    if (!plan.innerReduced) {
      int64_t rest = plan.rows % plan.width;
      if (plan.columns > (rest ? 1 : 0)) {
        Value *whole =
            ir.CreateICmpSLT(place, ir.getInt64(plan.rows / plan.width));
        emitIf(ir, whole,
               [&] { emitColumnPartial(chunk, place, plan.width, 0); });
      }
      if (rest)
        emitIf(
            ir, ir.CreateICmpEQ(place, ir.getInt64(plan.rows / plan.width)),
            [&] { emitColumnPartial(chunk, nullptr, rest, plan.rows - rest); });
      return;
    }
    enterRow(place);
    Value *begin = math.mul(chunk, plan.chunk);
    int64_t rest = plan.inner % plan.width;
    Value *innerBegin = ir.getInt64(0),
          *innerEnd = ir.getInt64(plan.inner - rest);
    Value *outerBegin = innerBegin, *outerEnd = innerBegin, *tail = nullptr;
    if (splitsInner) {
      innerBegin = math.min(begin, innerEnd);
      innerEnd = math.min(math.add(begin, plan.chunk), innerEnd);
      tail = ir.CreateICmpEQ(chunk, ir.getInt64(plan.chunks - 1));
    } else {
      outerBegin = begin;
      outerEnd = math.min(math.add(begin, plan.chunk),
                          ir.getInt64(plan.sizes[plan.outerDims[0]]));
    }
    unsigned number = 0;
    for (ReduceOp reduce : plan.reduces) {
      Elements elements =
          reduceRow(reduce, outerBegin, outerEnd, innerBegin, innerEnd, tail);
      ElementEmitter scalar(function, ir, 1);
      for (auto [operand, element] : llvm::enumerate(elements))
        scalar.storeTo(partialType(plan, reduce, operand),
                       partialBase(function, ir, plan, number++),
                       {scalar.uniform(chunk), scalar.uniform(place)}, element);
    }
  });
}

/// Partial values of a vector of neighbouring results: number `column`, or,
/// when that is null, the one from result `firstColumn` on.
void ReductionEmitter::emitColumnPartial(Value *chunk, Value *column,
                                         unsigned width, int64_t firstColumn) {
  ElementEmitter emitter(function, ir, width);
  Value *base = column ? emitter.indexMath().mul(column, width)
                       : ir.getInt64(firstColumn);
  LaneIndex linear{base, width > 1 ? 1 : 0, nullptr};
  row = emitter.delinearize(plan.keptSizes, linear);
  IndexMath &math = emitter.indexMath();
  Value *begin = math.mul(chunk, plan.chunk);
  Value *end = math.min(math.add(begin, plan.chunk),
                        ir.getInt64(plan.sizes[plan.outerDims[0]]));
  unsigned number = 0;
  for (ReduceOp reduce : plan.reduces) {
    SmallVector<int64_t> others;
    for (int64_t dim : ArrayRef<int64_t>(plan.outerDims).drop_front())
      others.push_back(plan.sizes[dim]);
    Elements elements = emitter.loop(
        begin, end, 1, identities(emitter, reduce),
        [&](Value *first, ArrayRef<Element> now) {
          return emitter.loopNest(
              others, now,
              [&](ArrayRef<Value *> rest, ArrayRef<Element> inner) {
                SmallVector<Value *> outer{first};
                llvm::append_range(outer, rest);
                Elements inputs =
                    inputsAt(emitter, reduce, indicesIn(emitter, outer, {}));
                return combine(emitter, reduce, Elements(inner), inputs);
              });
        });
    for (auto [operand, element] : llvm::enumerate(elements))
      emitter.storeTo(partialType(plan, reduce, operand),
                      partialBase(function, ir, plan, number++),
                      {emitter.uniform(chunk), linear}, element);
  }
}

/// The results in vectors, the last one maybe narrower; `base` is the first of
/// each.
void ReductionEmitter::forColumns(
    function_ref<void(Value *base, unsigned width)> body) {
  int64_t rest = plan.rows % plan.width;
  emitFor(ir, ir.getInt64(0), ir.getInt64(plan.rows - rest), plan.width,
          [&](Value *base) { body(base, plan.width); });
  if (rest)
    body(ir.getInt64(plan.rows - rest), rest);
}

/// The partial values of a chunk, some slices of the input after the other as
/// memory has them.
void ReductionEmitter::sweepChunk(Value *chunk) {
  // So many that a partial value is rarely fetched and put back, and so few
  // that each one's next piece is still being fetched ahead.
  constexpr int64_t group = 8;
  forColumns([&](Value *base, unsigned width) {
    sweepColumn(chunk, base, width, {}, nullptr, nullptr);
  });
  auto sweep = [&](ArrayRef<Value *> outer, Value *begin, Value *end) {
    emitFor(ir, begin, end, group, [&](Value *first) {
      IndexMath math(ir);
      Value *last = math.min(math.add(first, group), end);
      forColumns([&](Value *base, unsigned width) {
        sweepColumn(chunk, base, width, outer, first, last);
      });
    });
  };
  IndexMath math(ir);
  Value *begin = math.mul(chunk, plan.chunk);
  Value *end = math.min(math.add(begin, plan.chunk),
                        ir.getInt64(plan.sizes[plan.outerDims[0]]));
  if (plan.outerDims.size() == 1) {
    sweep({}, begin, end);
    return;
  }
  SmallVector<int64_t> middle;
  for (int64_t dim : ArrayRef<int64_t>(plan.outerDims).drop_front().drop_back())
    middle.push_back(plan.sizes[dim]);
  emitFor(ir, begin, end, 1, [&](Value *first) {
    ElementEmitter scalar(function, ir, 1);
    scalar.loopNest(middle, {}, [&](ArrayRef<Value *> rest, ArrayRef<Element>) {
      SmallVector<Value *> outer{first};
      llvm::append_range(outer, rest);
      sweep(outer, ir.getInt64(0),
            ir.getInt64(plan.sizes[plan.outerDims.back()]));
      return Elements();
    });
  });
}

/// Adds slices [begin, end) of the last outer dimension to the partial values
/// of a vector of results; without `begin` these become the identities.
void ReductionEmitter::sweepColumn(Value *chunk, Value *base, unsigned width,
                                   ArrayRef<Value *> outer, Value *begin,
                                   Value *end) {
  ElementEmitter emitter(function, ir, width);
  LaneIndex linear{base, width > 1 ? 1 : 0, nullptr};
  row = emitter.delinearize(plan.keptSizes, linear);
  SmallVector<LaneIndex> place{emitter.uniform(chunk), linear};
  unsigned number = 0;
  for (ReduceOp reduce : plan.reduces) {
    Elements elements = identities(emitter, reduce);
    unsigned first = number;
    for (unsigned i = 0; begin && i < elements.size(); ++i)
      elements[i] =
          emitter.load(partialType(plan, reduce, i),
                       partialBase(function, ir, plan, first + i), place);
    if (begin)
      elements = emitter.loop(
          begin, end, 1, elements, [&](Value *last, ArrayRef<Element> now) {
            SmallVector<Value *> indices(outer);
            indices.push_back(last);
            Elements inputs =
                inputsAt(emitter, reduce, indicesIn(emitter, indices, {}));
            return combine(emitter, reduce, Elements(now), inputs);
          });
    for (auto [operand, element] : llvm::enumerate(elements))
      emitter.storeTo(partialType(plan, reduce, operand),
                      partialBase(function, ir, plan, number++), place,
                      element);
  }
}

/// The second phase: a loop over the results in which each reduction is that of
/// its chunks.
void ReductionEmitter::emitFinal() {
  LoopOptions options;
  options.prepare = [&](ElementEmitter &emitter) {
    unsigned first = 0;
    for (ReduceOp reduce : plan.reduces) {
      unsigned count = reduce.getInputs().size();
      for (unsigned i = 0; i < count; ++i) {
        auto generate = [this, &emitter, reduce, first,
                         i](ArrayRef<LaneIndex> indices) mutable {
          LaneIndex linear = emitter.linearize(plan.keptSizes, indices);
          Elements initial;
          for (mlir::Value value : reduce.getInitValues())
            initial.push_back(emitter.emit(value, {}));
          initial =
              emitter.convert(reduce, reduce.getInitValues(), initial,
                              reduce.getBody().front().getArgumentTypes());
          return emitter.loop(
              ir.getInt64(0), ir.getInt64(plan.chunks), 1, initial,
              [&](Value *chunk, ArrayRef<Element> carried) {
                Elements parts;
                for (unsigned k = 0; k < initial.size(); ++k)
                  parts.push_back(
                      emitter.load(partialType(plan, reduce, k),
                                   partialBase(function, ir, plan, first + k),
                                   {emitter.uniform(chunk), linear}));
                return combine(emitter, reduce, Elements(carried), parts);
              })[i];
        };
        emitter.bind(reduce.getResult(i), generate);
      }
      first += count;
    }
  };
  emitLoopTasks(function, ir, options);
}

Error emitReduction(KernelFunction &function, IRBuilder<> &ir, unsigned phase) {
  ReductionPlan plan = planReduction(function, ir);
  ReductionEmitter emitter(function, ir, plan);
  switch (plan.form) {
  case ReductionForm::Rows:
    emitter.emitRows();
    break;
  case ReductionForm::Partial:
    if (phase == 0)
      emitter.emitPartials();
    else
      emitter.emitFinal();
    break;
  case ReductionForm::Loop: {
    LoopOptions options;
    options.width = plan.width > 1 ? plan.width : 0;
    emitLoopTasks(function, ir, options);
    break;
  }
  }
  return Error::success();
}

} // namespace xlac::codegen
