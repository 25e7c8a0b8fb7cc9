// The two phases of a reduction with few results. The first stores partial
// values of chunks in the workspace, and the second reduces them to the
// results.
#include "KernelCost.h"
#include "LoopKernel.h"
#include "Loops.h"
#include "PairwiseSum.h"
#include "ReducerBody.h"
#include "ReductionEmitter.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

using Elements = SmallVector<Element>;

/// Returns the type of the partial values of operand `operand` of `reduce`: one
/// for each level, chunk and row. Level 0 finally holds the sum of the chunk.
static RankedTensorType partialType(const ReductionPlan &plan, ReduceOp reduce,
                                    unsigned operand) {
  mlir::Type element = mlir::getElementTypeOrSelf(
      reduce.getBody().front().getTerminator()->getOperand(operand).getType());
  return RankedTensorType::get({plan.sweepLevels * plan.chunks, plan.rows},
                               element);
}

static Value *partialBase(KernelFunction &function, IRBuilder<> &ir,
                          const ReductionPlan &plan, unsigned number) {
  assert(function.workspace && number < plan.partialOffsets.size() &&
         "partial values are in the workspace");
  return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), function.workspace,
                                       plan.partialOffsets[number]);
}

void ReductionEmitter::emitPartials() {
  if (plan.sweeps) {
    emitFor(ir, function.begin, function.end, 1, [&](Value *task) {
      IndexMath math(ir);
      sweepPart = math.rem(task, plan.sweepParts);
      sweepChunk(math.div(task, plan.sweepParts));
    });
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
                          ir.getInt64(plan.outerSizes[0]));
    }
    unsigned number = 0;
    for (ReduceOp reduce : plan.reduces) {
      Elements elements = plan.streams > 1
                              ? reduceParts(reduce, innerBegin, innerEnd, tail)
                              : reduceRow(reduce, outerBegin, outerEnd,
                                          innerBegin, innerEnd, tail);
      ElementEmitter scalar(function, ir, 1);
      for (auto [operand, element] : llvm::enumerate(elements))
        scalar.storeTo(partialType(plan, reduce, operand),
                       partialBase(function, ir, plan, number++),
                       {scalar.uniform(chunk), scalar.uniform(place)}, element);
    }
  });
}

/// Computes partial values of a vector of neighbouring results: vector
/// `column`, or, if that is null, the vector from result `firstColumn` on.
void ReductionEmitter::emitColumnPartial(Value *chunk, Value *column,
                                         unsigned width, int64_t firstColumn) {
  ElementEmitter emitter(function, ir, width);
  Value *base = column ? emitter.indexMath().mul(column, width)
                       : ir.getInt64(firstColumn);
  LaneIndex linear{base, width > 1 ? 1 : 0, nullptr};
  row = emitter.delinearize(plan.rowSizes, linear);
  IndexMath &math = emitter.indexMath();
  Value *begin = math.mul(chunk, plan.chunk);
  Value *end =
      math.min(math.add(begin, plan.chunk), ir.getInt64(plan.outerSizes[0]));
  unsigned number = 0;
  for (ReduceOp reduce : plan.reduces) {
    SmallVector<int64_t> sizes{plan.chunk};
    llvm::append_range(sizes, ArrayRef<int64_t>(plan.outerSizes).drop_front());
    Elements neutral = identities(emitter, reduce);
    SumNest nest{sizes, neutral, combineBy(emitter, reduce),
                 pairwiseBlock(reduce.getBody())};
    nest.begin = begin;
    nest.end = end;
    Elements elements = emitSumNest(
        emitter, nest, [&](ArrayRef<Value *> outer, ArrayRef<Element> now) {
          Elements inputs =
              inputsAt(emitter, reduce, indicesIn(emitter, outer, {}));
          return combine(emitter, reduce, Elements(now), inputs);
        });
    for (auto [operand, element] : llvm::enumerate(elements))
      emitter.storeTo(partialType(plan, reduce, operand),
                      partialBase(function, ir, plan, number++),
                      {emitter.uniform(chunk), linear}, element);
  }
}

/// Iterates over the results of the current part in vectors, of which the last
/// may be narrower. `base` is the first result of each.
void ReductionEmitter::forColumns(
    function_ref<void(Value *base, unsigned width)> body) {
  int64_t rest = plan.rows % plan.width;
  Value *begin = ir.getInt64(0), *end = ir.getInt64(plan.rows - rest);
  if (plan.sweepParts > 1) {
    IndexMath math(ir);
    int64_t size = plan.sweepColumns * plan.width;
    begin = math.mul(sweepPart, size);
    end = math.min(math.add(begin, size), end);
  }
  emitFor(ir, begin, end, plan.width,
          [&](Value *base) { body(base, plan.width); });
  if (!rest)
    return;
  auto emitRest = [&] { body(ir.getInt64(plan.rows - rest), rest); };
  if (plan.sweepParts > 1)
    emitIf(ir, ir.CreateICmpEQ(sweepPart, ir.getInt64(plan.sweepParts - 1)),
           emitRest);
  else
    emitRest();
}

/// Replaces the partial values of level `level` of a vector of results by the
/// result of `update`.
void ReductionEmitter::forPartials(
    Value *chunk, Value *base, unsigned width, int64_t level,
    function_ref<Elements(ElementEmitter &emitter, ReduceOp reduce,
                          Elements now)>
        update) {
  ElementEmitter emitter(function, ir, width);
  // The last vector may be narrower, but begins behind whole ones.
  emitter.indexMath().setMultiple(base, plan.width);
  LaneIndex linear{base, width > 1 ? 1 : 0, nullptr};
  row = emitter.delinearize(plan.rowSizes, linear);
  SmallVector<LaneIndex> place{
      emitter.add(emitter.uniform(chunk), level * plan.chunks), linear};
  unsigned number = 0;
  for (ReduceOp reduce : plan.reduces) {
    unsigned first = number;
    Elements elements;
    for (unsigned i = 0; i < reduce.getInputs().size(); ++i)
      elements.push_back(
          emitter.load(partialType(plan, reduce, i),
                       partialBase(function, ir, plan, first + i), place));
    elements = update(emitter, reduce, elements);
    for (auto [operand, element] : llvm::enumerate(elements))
      emitter.storeTo(partialType(plan, reduce, operand),
                      partialBase(function, ir, plan, number++), place,
                      element);
  }
}

/// Carries full levels: once a level has accumulated `kSweepFan` values of the
/// next level, adds it to the level before it. Without `groups`, carries every
/// level.
void ReductionEmitter::carryPartials(Value *chunk, Value *groups) {
  int64_t period = 1;
  for (int64_t level = plan.sweepLevels - 1; level > 0; --level) {
    auto carry = [&] {
      forColumns([&](Value *base, unsigned width) {
        SmallVector<Elements> behind;
        forPartials(
            chunk, base, width, level,
            [&](ElementEmitter &emitter, ReduceOp reduce, Elements now) {
              behind.push_back(now);
              return identities(emitter, reduce);
            });
        size_t next = 0;
        forPartials(
            chunk, base, width, level - 1,
            [&](ElementEmitter &emitter, ReduceOp reduce, Elements now) {
              return combine(emitter, reduce, now, behind[next++]);
            });
      });
    };
    period *= kSweepFan;
    if (!groups)
      carry();
    else
      emitIf(ir,
             ir.CreateICmpEQ(ir.CreateAnd(groups, ir.getInt64(period - 1)),
                             ir.getInt64(0)),
             carry);
  }
}

/// Sets all partial values of a chunk to the identities of the reducers.
void ReductionEmitter::clearPartials(Value *chunk) {
  for (int64_t level = 0; level < plan.sweepLevels; ++level)
    forColumns([&](Value *base, unsigned width) {
      forPartials(chunk, base, width, level,
                  [&](ElementEmitter &emitter, ReduceOp reduce, Elements) {
                    return identities(emitter, reduce);
                  });
    });
}

/// Computes the partial values of a chunk. It reads several slices of the input
/// at a time, in memory order.
void ReductionEmitter::sweepChunk(Value *chunk) {
  static_assert(isPowerOf2_64(kSweepFan) && isPowerOf2_64(kSweepGroup));
  clearPartials(chunk);
  AllocaInst *count = emitFrameMemory(ir, ir.getInt64Ty(), Align(8), "groups");
  ir.CreateStore(ir.getInt64(0), count);
  auto sweep = [&](ArrayRef<Value *> outer, Value *begin, Value *end) {
    auto group = [&](Value *first, Value *spacing, Value *last) {
      forColumns([&](Value *base, unsigned width) {
        sweepColumn(chunk, base, width, outer, first, spacing, last);
      });
      Value *groups =
          ir.CreateAdd(ir.CreateLoad(ir.getInt64Ty(), count), ir.getInt64(1));
      ir.CreateStore(groups, count);
      carryPartials(chunk, groups);
    };
    Value *length = ir.CreateSub(end, begin);
    Value *groups = ir.CreateLShr(length, ir.getInt64(Log2_64(kSweepGroup)));
    emitFor(ir, begin, ir.CreateAdd(begin, groups), 1,
            [&](Value *first) { group(first, groups, nullptr); });
    Value *whole =
        ir.CreateAdd(begin, ir.CreateMul(groups, ir.getInt64(kSweepGroup)));
    emitIf(ir, ir.CreateICmpSLT(whole, end),
           [&] { group(whole, ir.getInt64(1), end); });
  };
  IndexMath math(ir);
  Value *begin = math.mul(chunk, plan.chunk);
  Value *end =
      math.min(math.add(begin, plan.chunk), ir.getInt64(plan.outerSizes[0]));
  if (plan.outerDims.size() == 1) {
    sweep({}, begin, end);
  } else {
    SmallVector<int64_t> middle(
        ArrayRef<int64_t>(plan.outerSizes).drop_front().drop_back());
    emitFor(ir, begin, end, 1, [&](Value *first) {
      ElementEmitter scalar(function, ir, 1);
      scalar.loopNest(
          middle, {}, [&](ArrayRef<Value *> rest, ArrayRef<Element>) {
            SmallVector<Value *> outer{first};
            llvm::append_range(outer, rest);
            sweep(outer, ir.getInt64(0), ir.getInt64(plan.outerSizes.back()));
            return Elements();
          });
    });
  }
  carryPartials(chunk, nullptr);
}

/// Returns slice `number` of a group whose first one is `begin`.
static Value *sliceAt(ElementEmitter &emitter, Value *begin, Value *spacing,
                      int64_t number) {
  IndexMath &math = emitter.indexMath();
  return math.add(begin, math.mul(spacing, number));
}

/// Adds a group of slices of the last outer dimension to the partial values of
/// a vector of results: `kSweepGroup` ones from `begin` on, `spacing` apart, or
/// those before `end` if it is given.
void ReductionEmitter::sweepColumn(Value *chunk, Value *base, unsigned width,
                                   ArrayRef<Value *> outer, Value *begin,
                                   Value *spacing, Value *end) {
  forPartials(chunk, base, width, plan.sweepLevels - 1,
              [&](ElementEmitter &emitter, ReduceOp reduce, Elements partial) {
                auto add = [&](Value *slice, ArrayRef<Element> now) {
                  SmallVector<Value *> indices(outer);
                  indices.push_back(slice);
                  Elements inputs = inputsAt(emitter, reduce,
                                             indicesIn(emitter, indices, {}));
                  return combine(emitter, reduce, Elements(now), inputs);
                };
                Elements group = identities(emitter, reduce);
                if (end)
                  group = emitter.loop(begin, end, 1, group, add);
                for (int64_t slice = 0; !end && slice < kSweepGroup; ++slice)
                  group = add(sliceAt(emitter, begin, spacing, slice), group);
                return combine(emitter, reduce, partial, group);
              });
}

LoopOptions ReductionEmitter::finalOptions() {
  LoopOptions options;
  options.prepare = [this](ElementEmitter &emitter) {
    unsigned first = 0;
    for (ReduceOp reduce : plan.reduces) {
      unsigned count = reduce.getInputs().size();
      for (unsigned i = 0; i < count; ++i) {
        auto generate = [this, &emitter, reduce, first,
                         i](ArrayRef<LaneIndex> indices) {
          return emitFinalSum(emitter, reduce, first,
                              emitter.linearize(plan.keptSizes, indices))[i];
        };
        // Linear indices may exceed a dimension.
        emitter.bind(reduce.getResult(i), generate, ~uint64_t(0));
      }
      first += count;
    }
  };
  return options;
}

/// Combines the partial values of the chunks to a reduction's results at
/// `linear`. `first` is the number of its first partial value.
ReductionEmitter::Elements
ReductionEmitter::emitFinalSum(ElementEmitter &emitter, ReduceOp reduce,
                               unsigned first, LaneIndex linear) {
  Elements initial;
  for (mlir::Value value : reduce.getInitValues())
    initial.push_back(emitter.emit(value, {}));
  initial = emitter.convert(reduce, reduce.getInitValues(), initial,
                            reduce.getBody().front().getArgumentTypes());
  // There are few chunks, so their tree may have small blocks.
  constexpr int64_t chunkBlock = 4;
  std::optional<int64_t> block = pairwiseBlock(reduce.getBody());
  if (block)
    block = chunkBlock;
  Elements neutral = identities(emitter, reduce);
  SumNest nest{plan.chunks, neutral, combineBy(emitter, reduce), block};
  Elements sum = emitSumNest(
      emitter, nest, [&](ArrayRef<Value *> chunk, ArrayRef<Element> carried) {
        Elements parts;
        for (unsigned k = 0; k < initial.size(); ++k)
          parts.push_back(
              emitter.load(partialType(plan, reduce, k),
                           partialBase(function, ir, plan, first + k),
                           {emitter.uniform(chunk[0]), linear}));
        return combine(emitter, reduce, Elements(carried), parts);
      });
  return combine(emitter, reduce, initial, sum);
}

//===- Sums of rows -------------------------------------------------------===//

/// Adds the elements of the current row at `indices`, `inner` in the row, to
/// the partial values of `chunk`.
void ReductionEmitter::addToSums(ElementEmitter &emitter, Value *chunk,
                                 LaneIndex inner, ArrayRef<LaneIndex> indices) {
  ReductionPlan &sums = *plan.sums;
  SmallVector<LaneIndex> place{emitter.uniform(chunk), inner};
  unsigned number = 0;
  for (ReduceOp reduce : sums.reduces) {
    unsigned first = number;
    Elements inputs = inputsAt(emitter, reduce, indices), now;
    for (unsigned i = 0; i < inputs.size(); ++i)
      now.push_back(emitter.load(partialType(sums, reduce, i),
                                 partialBase(function, ir, sums, first + i),
                                 place));
    now = combine(emitter, reduce, now, inputs);
    for (auto [operand, element] : llvm::enumerate(now))
      emitter.storeTo(partialType(sums, reduce, operand),
                      partialBase(function, ir, sums, number++), place,
                      element);
  }
}

void ReductionEmitter::emitSums() {
  ReductionPlan &sums = *plan.sums;
  ReductionEmitter partials(function, ir, sums);
  LoopOptions options = partials.finalOptions();
  mlir::OperandRange results = function.kernel.getYield()->getOperands();
  auto store = [&](Value *base, unsigned width) {
    ElementEmitter emitter(function, ir, width);
    options.prepare(emitter);
    LaneIndex linear{base, width > 1 ? 1 : 0, nullptr};
    for (auto [number, result] : llvm::enumerate(results)) {
      if (!dependsOnSums(plan, result))
        continue;
      SmallVector<LaneIndex> indices =
          emitter.delinearize(sizesOf(result), linear);
      emitter.store(number, indices, emitter.emit(result, indices));
    }
  };
  emitFor(ir, function.begin, function.end, 1, [&](Value *column) {
    int64_t rest = sums.rows % sums.width, whole = sums.rows / sums.width;
    if (whole)
      emitIf(ir, ir.CreateICmpSLT(column, ir.getInt64(whole)), [&] {
        store(ir.CreateMul(column, ir.getInt64(sums.width)), sums.width);
      });
    if (rest)
      emitIf(ir, ir.CreateICmpEQ(column, ir.getInt64(whole)),
             [&] { store(ir.getInt64(whole * sums.width), rest); });
  });
}

void ReductionEmitter::emitFinal() {
  LoopOptions options = finalOptions();
  emitLoopTasks(function, ir, options, 1);
}

} // namespace xlac::codegen
