// The reduction kind. If the innermost dimension is reduced, a task is a row:
// several vector accumulators, a fixed tree, then the results computed from the
// row, so that softmax is one kernel. If the innermost dimension is kept, lanes
// are results. Reductions with few results are split into two phases through
// the workspace. The order of additions depends only on shapes and the profile.
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "LoopKernel.h"
#include "Loops.h"
#include "ReducerBody.h"
#include "ReductionEmitter.h"
#include "Services.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

/// Returns an estimate of the second phase, which reads all partial values.
static int64_t finalTime(const ReductionPlan &plan) {
  return plan.chunks * plan.rows * int64_t(plan.partialOffsets.size());
}

static mlir::LogicalResult scheduleReduction(ir::KernelOp kernel,
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
    if (plan.sums)
      setSchedule(kernel, {plan.sums->chunks, plan.sums->columns},
                  {grainOf(plan.sums->chunks, time, profile),
                   grainOf(plan.sums->columns, finalTime(*plan.sums), profile)},
                  {}, plan.workspace, cost.flops, cost.bytes);
    else
      setSchedule(kernel, {plan.rows / plan.streams},
                  {grainOf(plan.rows / plan.streams, time, profile)}, {}, 0,
                  cost.flops, cost.bytes);
    kernel.setMayOverwrite(findOverwritten(kernel, plan));
    return mlir::success();
  case ReductionForm::Partial: {
    int64_t first = plan.chunks * (plan.sweeps         ? plan.sweepParts
                                   : plan.innerReduced ? plan.rows
                                                       : plan.columns);
    int64_t second = countLoopTasks(
        function, ir, ReductionEmitter(function, ir, plan).finalOptions());
    setSchedule(kernel, {first, second},
                {grainOf(first, time, profile),
                 grainOf(second, finalTime(plan), profile)},
                {}, plan.workspace, cost.flops, cost.bytes);
    return mlir::success();
  }
  case ReductionForm::Loop:
    break;
  }
  if (mlir::failed(checkLoopResults(kernel)))
    return mlir::failure();
  options.width = plan.width > 1 ? plan.width : 0;
  int64_t tasks = countLoopTasks(function, ir, options);
  setSchedule(kernel, {tasks}, {grainOf(tasks, time, profile)}, {}, 0,
              cost.flops, cost.bytes);
  return mlir::success();
}

/// Length of rows that are prefetched, in bytes: too long for the hardware
/// prefetcher, and short enough for the second-level cache. Also the least
/// bytes of all rows together, below which they are in a cache anyway.
static constexpr int64_t kLeastPrefetchedRow = 1024, kMostPrefetchedRow = 65536;
static constexpr int64_t kLeastPrefetched = 4 << 20;

//===- Emission -----------------------------------------------------------===//

using Elements = SmallVector<Element>;

void ReductionEmitter::enterRow(Value *number) {
  ElementEmitter scalar(function, ir, 1);
  rowNumber = number;
  row = scalar.delinearize(plan.keptSizes, scalar.uniform(number));
  facts.clear();
  isKept = false;
}

/// Prefetches the data of the next row at position `at`. A pass over a cached
/// row leaves memory idle, which can then fetch what the next row's first pass
/// needs.
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
    // Code for any size prefetches always.
    if (!function.anySize() &&
        (rowBytes < kLeastPrefetchedRow || rowBytes > kMostPrefetchedRow ||
         rowBytes * plan.rows < kLeastPrefetched))
      continue;
    Value *row = ir.CreateAdd(rowNumber, ir.getInt64(1));
    Value *offset =
        ir.CreateAdd(ir.CreateMul(row, ir.getInt64(plan.inner)), at);
    emitPrefetch(ir, ir.CreateGEP(ir.getInt8Ty(), base,
                                  ir.CreateMul(offset, ir.getInt64(size))));
  }
}

/// Returns the indices of an input's element from those of the row, of the
/// outer loops, and along the inner extent.
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

/// Stores the kept value. Call after the inputs of `reduces` at `indices` were
/// emitted.
void ReductionEmitter::keep(ElementEmitter &emitter, ArrayRef<ReduceOp> reduces,
                            ArrayRef<LaneIndex> indices) {
  mlir::Value value = plan.kept.value;
  if (value && llvm::is_contained(reduces, plan.kept.reduce))
    emitter.storeTo(keptType(), keptBase(), keptIndices(indices),
                    emitter.emit(value, indices));
}

/// Loads the kept value if an earlier pass stored it. Call before anything is
/// emitted at `indices`.
void ReductionEmitter::recall(ElementEmitter &emitter,
                              ArrayRef<LaneIndex> indices) {
  mlir::Value value = plan.kept.value;
  if (isKept)
    emitter.memoize(value, indices,
                    emitter.load(keptType(), keptBase(), keptIndices(indices)));
}

size_t countInputs(ArrayRef<ReduceOp> reduces) {
  size_t count = 0;
  for (ReduceOp reduce : reduces)
    count += reduce.getInputs().size();
  return count;
}

Elements ReductionEmitter::identities(ElementEmitter &emitter,
                                      ArrayRef<ReduceOp> reduces) {
  Elements result;
  for (ReduceOp reduce : reduces)
    for (size_t i = 0; i < reduce.getInputs().size(); ++i)
      result.push_back(reducerIdentity(emitter, reduce.getBody(), i));
  return result;
}

Elements ReductionEmitter::inputsAt(ElementEmitter &emitter,
                                    ArrayRef<ReduceOp> reduces,
                                    ArrayRef<LaneIndex> indices) {
  Elements result;
  for (ReduceOp reduce : reduces) {
    Elements elements;
    for (mlir::Value input : reduce.getInputs())
      elements.push_back(emitter.emit(input, indices));
    mlir::TypeRange types = reduce.getBody().front().getArgumentTypes();
    llvm::append_range(result,
                       emitter.convert(reduce, reduce.getInputs(), elements,
                                       types.drop_front(elements.size())));
  }
  return result;
}

Elements ReductionEmitter::combine(ElementEmitter &emitter,
                                   ArrayRef<ReduceOp> reduces,
                                   ArrayRef<Element> left,
                                   ArrayRef<Element> right) {
  assert(left.size() == right.size() && left.size() == countInputs(reduces) &&
         "a reducer combines one element an input with another one");
  Elements result;
  for (ReduceOp reduce : reduces) {
    size_t count = reduce.getInputs().size(), first = result.size();
    Elements arguments(left.slice(first, count));
    llvm::append_range(arguments, right.slice(first, count));
    llvm::append_range(result, emitter.emitRegion(reduce.getBody(), arguments));
  }
  return result;
}

/// Combines any number of sets of the reducers' values, each with its
/// counterpart.
CombineElements ReductionEmitter::combineBy(ElementEmitter &emitter,
                                            ArrayRef<ReduceOp> reduces) {
  SmallVector<ReduceOp> own(reduces);
  return [this, &emitter, own](ArrayRef<Element> left,
                               ArrayRef<Element> right) {
    size_t count = countInputs(own);
    Elements result;
    for (size_t first = 0; first < left.size(); first += count)
      llvm::append_range(result, combine(emitter, own, left.slice(first, count),
                                         right.slice(first, count)));
    return result;
  };
}

/// Takes the first lanes from `part` and the others from `rest`.
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

/// Adds the elements in [begin, end) of the inner extent to the accumulators,
/// starting with accumulator 0. `begin` and `end` are multiples of the width,
/// or `end` is the end of the extent's last full vector. The tail follows if
/// `tailWanted` is true.
Elements ReductionEmitter::reduceRange(ArrayRef<ReduceOp> reduces,
                                       ArrayRef<Value *> outer,
                                       Elements carried, unsigned accumulators,
                                       Value *begin, Value *end, bool withTail,
                                       Value *tailWanted) {
  unsigned width = plan.width;
  size_t count = countInputs(reduces);
  ElementEmitter emitter(function, ir, width);
  prepare(emitter);
  auto step = [&](Value *position, ArrayRef<Element> now, unsigned used) {
    Elements next;
    for (unsigned u = 0; u < used; ++u) {
      Value *at = emitter.indexMath().add(position, int64_t(u) * width);
      LaneIndex inner{at, width > 1 ? 1 : 0, nullptr};
      SmallVector<LaneIndex> indices = indicesIn(emitter, outer, inner);
      if (plan.passes.size() > 1 && reduces.front() == plan.passes[1].front())
        prefetchNextRow(at);
      recall(emitter, indices);
      Elements inputs = inputsAt(emitter, reduces, indices);
      keep(emitter, reduces, indices);
      llvm::append_range(
          next, combine(emitter, reduces, now.slice(u * count, count), inputs));
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
    if (takeLong(reduces)) {
      // Slow steps hide the latency of the sums by themselves. Emitting the
      // step once, with rotating accumulators, compiles in a quarter of the
      // time.
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
  if (!withTail)
    return carried;
  if (function.anySize())
    return reduceMaskedTail(reduces, outer, std::move(carried), tailWanted);
  int64_t rest = plan.inner % width;
  if (rest == 0)
    return carried;
  Value *tail = ir.getInt64(plan.inner - rest);
  Value *tailEnd =
      tailWanted ? ir.CreateSelect(tailWanted, ir.getInt64(plan.inner), tail)
                 : ir.getInt64(plan.inner);
  return emitter.loop(tail, tailEnd, width, carried,
                      [&](Value *, ArrayRef<Element> now) {
                        ElementEmitter narrow(function, ir, rest);
                        prepare(narrow);
                        LaneIndex inner{tail, rest > 1 ? 1 : 0, nullptr};
                        Elements next = addRest(emitter, narrow, reduces, outer,
                                                inner, now.take_front(count));
                        llvm::append_range(next, now.drop_front(count));
                        return next;
                      });
}

/// Adds the elements at `inner`, which `narrow` emits and which fill no vector,
/// to one set of accumulators.
Elements ReductionEmitter::addRest(ElementEmitter &emitter,
                                   ElementEmitter &narrow,
                                   ArrayRef<ReduceOp> reduces,
                                   ArrayRef<Value *> outer, LaneIndex inner,
                                   ArrayRef<Element> carried) {
  SmallVector<LaneIndex> indices = indicesIn(narrow, outer, inner);
  recall(narrow, indices);
  Elements inputs = inputsAt(narrow, reduces, indices);
  keep(narrow, reduces, indices);
  for (auto [input, identity] : zip_equal(inputs, identities(emitter, reduces)))
    input = widen(ir, input, identity, plan.width);
  return combine(emitter, reduces, carried, inputs);
}

/// The tail of an inner extent of any size: a whole vector in which the lanes
/// behind the end are neutral.
Elements ReductionEmitter::reduceMaskedTail(ArrayRef<ReduceOp> reduces,
                                            ArrayRef<Value *> outer,
                                            Elements carried,
                                            Value *tailWanted) {
  unsigned width = plan.width;
  size_t count = countInputs(reduces);
  if (width == 1)
    return carried;
  Extent extent = innerExtent();
  Value *end = extent.end;
  if (tailWanted)
    end = ir.CreateSelect(tailWanted, end, extent.whole);
  Value *mask = leadingMask(ir, width, extent.left);
  ElementEmitter emitter(function, ir, width);
  return emitter.loop(
      extent.whole, end, width, carried, [&](Value *, ArrayRef<Element> now) {
        ElementEmitter partial(function, ir, width);
        prepare(partial);
        partial.setActive(mask);
        LaneIndex inner{extent.whole, 1, nullptr};
        SmallVector<LaneIndex> indices = indicesIn(partial, outer, inner);
        recall(partial, indices);
        Elements inputs = inputsAt(partial, reduces, indices);
        keep(partial, reduces, indices);
        Elements neutral = identities(emitter, reduces);
        for (auto [input, identity] : zip_equal(inputs, neutral))
          input = partial.select(mask, input, identity);
        Elements next =
            combine(emitter, reduces, now.take_front(count), inputs);
        llvm::append_range(next, now.drop_front(count));
        return next;
      });
}

static Elements halfOf(IRBuilder<> &ir, ArrayRef<Element> elements,
                       unsigned width, bool upper) {
  assert(isPowerOf2_32(width) && width > 1 && "vectors have halves");
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

/// Combines the accumulators to one, then its lanes to one, by halves.
Elements ReductionEmitter::horizontal(ArrayRef<ReduceOp> reduces,
                                      Elements carried, unsigned accumulators) {
  size_t count = countInputs(reduces);
  assert(isPowerOf2_32(accumulators) &&
         carried.size() == accumulators * count &&
         "accumulators meet by halves");
  ElementEmitter emitter(function, ir, plan.width);
  for (unsigned left = accumulators; left > 1; left /= 2) {
    Elements next;
    for (unsigned u = 0; u < left; u += 2) {
      ArrayRef<Element> pair =
          ArrayRef<Element>(carried).slice(u * count, 2 * count);
      llvm::append_range(next, combine(emitter, reduces, pair.take_front(count),
                                       pair.drop_front(count)));
    }
    carried = next;
  }
  for (unsigned width = plan.width; width > 1; width /= 2) {
    ElementEmitter narrow(function, ir, width / 2);
    carried = combine(narrow, reduces, halfOf(ir, carried, width, false),
                      halfOf(ir, carried, width, true));
  }
  return carried;
}

std::optional<int64_t> leastPairwiseBlock(ArrayRef<ReduceOp> reduces) {
  std::optional<int64_t> least;
  for (ReduceOp reduce : reduces)
    if (auto block = pairwiseBlock(reduce.getBody()))
      least = std::min(least.value_or(*block), *block);
  return least;
}

/// Reduces the current row, without the initial values. Loops over [outerBegin,
/// outerEnd) of the first outer dimension, all other outer dimensions, and
/// [begin, end) of the inner extent.
Elements ReductionEmitter::reduceRow(ArrayRef<ReduceOp> reduces,
                                     Value *outerBegin, Value *outerEnd,
                                     Value *begin, Value *end,
                                     Value *tailWanted) {
  unsigned most = 4 / plan.vectors;
  unsigned accumulators = plan.inner >= most * int64_t(plan.width) ? most : 1;
  ElementEmitter emitter(function, ir, plan.width);
  Elements neutral;
  for (unsigned u = 0; u < accumulators; ++u)
    llvm::append_range(neutral, identities(emitter, reduces));
  SmallVector<int64_t> sizes(plan.outerSizes);
  SumNest nest{sizes, neutral, combineBy(emitter, reduces),
               leastPairwiseBlock(reduces)};
  if (!sizes.empty()) {
    nest.begin = outerBegin;
    nest.end = outerEnd;
  }
  int64_t stride = int64_t(plan.width) * accumulators;
  bool splitsInner = plan.form == ReductionForm::Partial && sizes.empty();
  int64_t extent = splitsInner ? plan.chunk : plan.inner;
  if (!isPairwise(nest.block, extent / stride)) {
    nest.steps = std::max<int64_t>(extent / stride, 1);
    return horizontal(
        reduces,
        emitSumNest(emitter, nest,
                    [&](ArrayRef<Value *> outer, ArrayRef<Element> carried) {
                      return reduceRange(reduces, outer, Elements(carried),
                                         accumulators, begin, end, true,
                                         tailWanted);
                    }),
        accumulators);
  }
  // The blocks of the inner extent are an additional dimension of the nest. An
  // empty piece has one block, for the tail.
  IndexMath &math = emitter.indexMath();
  int64_t length = *nest.block * stride;
  if (sizes.empty()) {
    Value *blocks = ir.CreateUDiv(
        ir.CreateAdd(ir.CreateSub(end, begin), ir.getInt64(length - 1)),
        ir.getInt64(length));
    nest.begin = ir.getInt64(0);
    nest.end = ir.CreateSelect(ir.CreateICmpEQ(blocks, ir.getInt64(0)),
                               ir.getInt64(1), blocks);
  }
  sizes.push_back(divideCeil(extent, length));
  nest.sizes = sizes;
  nest.steps = *nest.block;
  Elements carried = emitSumNest(
      emitter, nest, [&](ArrayRef<Value *> indices, ArrayRef<Element> now) {
        Value *first = math.add(begin, math.mul(indices.back(), length));
        Value *last = math.min(math.add(first, length), end);
        Value *isLast = ir.CreateICmpEQ(last, end);
        return reduceRange(
            reduces, indices.drop_back(), Elements(now), accumulators, first,
            last, true, tailWanted ? ir.CreateAnd(tailWanted, isLast) : isLast);
      });
  return horizontal(reduces, carried, accumulators);
}

/// Returns the results of a reduction: its initial values combined with
/// `elements`.
Elements ReductionEmitter::addInitial(ReduceOp reduce,
                                      ArrayRef<Element> elements) {
  ElementEmitter scalar(function, ir, 1);
  Elements initial;
  for (mlir::Value value : reduce.getInitValues())
    initial.push_back(scalar.emit(value, {}));
  initial = scalar.convert(reduce, reduce.getInitValues(), initial,
                           reduce.getBody().front().getArgumentTypes());
  return combine(scalar, reduce, initial, elements);
}

/// Notes the results of reductions with these sums for the current row.
void ReductionEmitter::addFacts(ArrayRef<ReduceOp> reduces,
                                ArrayRef<Element> sums) {
  for (ReduceOp reduce : reduces) {
    size_t count = reduce.getInputs().size();
    Elements elements = addInitial(reduce, sums.take_front(count));
    sums = sums.drop_front(count);
    for (auto [result, element] : zip_equal(reduce.getResults(), elements))
      facts.push_back({result, element});
  }
}

//===- Rows ---------------------------------------------------------------===//

void ReductionEmitter::storeRowResults() {
  mlir::OperandRange results = function.kernel.getYield()->getOperands();
  for (auto [number, result] : llvm::enumerate(results))
    if (isRowShaped(plan, result) && !dependsOnSums(plan, result))
      storeRowResult(number);
}

void ReductionEmitter::storeRowResult(unsigned number) {
  mlir::Value result = function.kernel.getYield()->getOperand(number);
  ElementEmitter scalar(function, ir, 1);
  prepare(scalar);
  SmallVector<LaneIndex> indices =
      sizesOf(result) == ArrayRef<int64_t>(plan.keptSizes)
          ? row
          : scalar.delinearize(sizesOf(result), scalar.uniform(rowNumber));
  // If the result has the row's shape except for dimensions of size 1, reuse
  // the row's indices, so that memoized values are found.
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

/// Makes one pass along the row for all results with one element for each of
/// its elements. Adds the row to the partial values of `chunk`, if there are
/// any.
void ReductionEmitter::storeFullResults(Value *chunk) {
  SmallVector<unsigned> numbers;
  mlir::OperandRange results = function.kernel.getYield()->getOperands();
  for (unsigned number = 0; number < results.size(); ++number)
    if (!isRowShaped(plan, results[number]) &&
        !dependsOnSums(plan, results[number]))
      numbers.push_back(number);
  if (numbers.empty() && !plan.sums)
    return;
  ElementEmitter scalar(function, ir, 1);
  scalar.loopNest(
      plan.outerSizes, {}, [&](ArrayRef<Value *> outer, ArrayRef<Element>) {
        auto pass = [&](Value *begin, Value *end, unsigned width,
                        Value *active = nullptr) {
          ElementEmitter emitter(function, ir, width);
          prepare(emitter);
          emitter.setActive(active);
          emitter.loop(
              begin, end, width, {}, [&](Value *at, ArrayRef<Element>) {
                LaneIndex inner{at, width > 1 ? 1 : 0, nullptr};
                SmallVector<LaneIndex> indices =
                    indicesIn(emitter, outer, inner);
                recall(emitter, indices);
                if (plan.passes.size() == 1)
                  prefetchNextRow(at);
                Elements elements;
                for (unsigned number : numbers)
                  elements.push_back(emitter.emit(results[number], indices));
                if (plan.sums)
                  addToSums(emitter, chunk, inner, indices);
                for (auto [number, element] : zip_equal(numbers, elements))
                  emitter.store(number, indices, element);
                return Elements();
              });
        };
        if (function.anySize()) {
          Extent extent = innerExtent();
          pass(ir.getInt64(0), extent.whole, plan.width);
          if (plan.width > 1)
            pass(extent.whole, extent.end, plan.width,
                 leadingMask(ir, plan.width, extent.left));
          return Elements();
        }
        int64_t rest = plan.inner % plan.width;
        pass(ir.getInt64(0), ir.getInt64(plan.inner - rest), plan.width);
        if (rest)
          pass(ir.getInt64(plan.inner - rest), ir.getInt64(plan.inner), rest);
        return Elements();
      });
}

void ReductionEmitter::emitRows() {
  if (plan.kept.inScratch ||
      (plan.kept.value && function.isStreamed(plan.kept.result) &&
       plan.outerDims.empty()))
    scratch = requestScratch(
        function, ir,
        plan.inner * elementBytes(mlir::getElementTypeOrSelf(plan.kept.value)));
  if (plan.sums)
    emitFor(ir, function.begin, function.end, 1, [&](Value *chunk) {
      ReductionEmitter(function, ir, *plan.sums).clearPartials(chunk);
      IndexMath math(ir);
      Value *first = math.mul(chunk, plan.sums->chunk);
      Value *last =
          math.min(math.add(first, plan.sums->chunk), ir.getInt64(plan.rows));
      emitFor(ir, first, last, 1,
              [&](Value *number) { emitRow(number, chunk); });
    });
  else
    emitFor(ir, function.begin, function.end, 1, [&](Value *number) {
      if (plan.streams > 1)
        emitRowStreams(number);
      else
        emitRow(number, nullptr);
    });
}

/// Computes everything of row `number`, which is a part of `chunk` if rows are
/// combined.
void ReductionEmitter::emitRow(Value *number, Value *chunk) {
  enterRow(number);
  Value *zero = ir.getInt64(0);
  Value *outerEnd =
      plan.outerDims.empty() ? zero : ir.getInt64(plan.outerSizes[0]);
  Value *end = function.anySize()
                   ? innerExtent().whole
                   : ir.getInt64(plan.inner - plan.inner % plan.width);
  for (ArrayRef<ReduceOp> pass : plan.passes) {
    addFacts(pass, reduceRow(pass, zero, outerEnd, zero, end, nullptr));
    isKept |= plan.kept.value && llvm::is_contained(pass, plan.kept.reduce);
  }
  storeFullResults(chunk);
  storeRowResults();
}

static Error emitReduction(KernelFunction &function, IRBuilder<> &ir,
                           unsigned phase) {
  ReductionPlan plan = planReduction(function, ir);
  ReductionEmitter emitter(function, ir, plan);
  switch (plan.form) {
  case ReductionForm::Rows:
    if (phase == 0)
      emitter.emitRows();
    else
      emitter.emitSums();
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
    emitLoopTasks(function, ir, options, 0);
    break;
  }
  }
  return Error::success();
}

const KernelKind reductionKind = {scheduleReduction, emitReduction};

} // namespace xlac::codegen
