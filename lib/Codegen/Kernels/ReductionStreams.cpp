// Reductions that read several streams of memory at a time: rows that lie
// apart, or parts of a chunk.
#include "ReductionEmitter.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace llvm;
using namespace xlac::stablehlo;

namespace xlac::codegen {

using Elements = SmallVector<Element>;

/// Returns a vector of sums for each stream, over `length` elements from its
/// beginning: whole vectors, at most `most` elements.
Elements ReductionEmitter::reduceStreams(ArrayRef<ReduceOp> reduces,
                                         ArrayRef<Stream> streams,
                                         Value *length, int64_t most) {
  unsigned width = plan.width;
  size_t count = countInputs(reduces);
  ElementEmitter emitter(function, ir, width);
  Elements neutral;
  for (size_t u = 0; u < streams.size(); ++u)
    llvm::append_range(neutral, identities(emitter, reduces));
  auto sweep = [&](Value *begin, Value *end, ArrayRef<Element> carried) {
    return emitter.loop(
        begin, end, width, carried, [&](Value *at, ArrayRef<Element> now) {
          Elements next;
          for (const Stream &stream : streams) {
            row = stream.row;
            LaneIndex inner{ir.CreateAdd(stream.begin, at), width > 1 ? 1 : 0,
                            nullptr};
            Elements inputs =
                inputsAt(emitter, reduces, indicesIn(emitter, {}, inner));
            llvm::append_range(
                next, combine(emitter, reduces, now.take_front(count), inputs));
            now = now.drop_front(count);
          }
          return next;
        });
  };
  std::optional<int64_t> leastBlock = leastPairwiseBlock(reduces);
  if (!isPairwise(leastBlock, most / width))
    return sweep(ir.getInt64(0), length, neutral);
  // The nest is a loop over blocks.
  int64_t block = *leastBlock * width, blocks = divideCeil(most, block);
  SumNest nest{blocks, neutral, combineBy(emitter, reduces), leastBlock};
  nest.steps = *leastBlock;
  nest.begin = ir.getInt64(0);
  nest.end = ir.CreateUDiv(ir.CreateAdd(length, ir.getInt64(block - 1)),
                           ir.getInt64(block));
  return emitSumNest(
      emitter, nest, [&](ArrayRef<Value *> index, ArrayRef<Element> now) {
        IndexMath &math = emitter.indexMath();
        Value *begin = math.mul(index[0], block);
        return sweep(begin, math.min(math.add(begin, block), length), now);
      });
}

/// Adds the last elements of each row, which fill no vector.
Elements ReductionEmitter::addRests(ArrayRef<ReduceOp> reduces,
                                    ArrayRef<Stream> streams,
                                    ArrayRef<Element> carried) {
  int64_t rest = plan.inner % plan.width;
  if (rest == 0)
    return Elements(carried);
  size_t count = countInputs(reduces);
  ElementEmitter emitter(function, ir, plan.width), narrow(function, ir, rest);
  Elements sums;
  for (const Stream &stream : streams) {
    row = stream.row;
    LaneIndex inner{ir.getInt64(plan.inner - rest), rest > 1 ? 1 : 0, nullptr};
    llvm::append_range(sums, addRest(emitter, narrow, reduces, {}, inner,
                                     carried.take_front(count)));
    carried = carried.drop_front(count);
  }
  return sums;
}

/// Reduces the elements in [begin, end) of the inner extent in parts of the
/// same length, and what is left like a row.
Elements ReductionEmitter::reduceParts(ReduceOp reduce, Value *begin,
                                       Value *end, Value *tailWanted) {
  IndexMath math(ir);
  int64_t unit = plan.width * plan.streams;
  Value *length =
      math.mul(math.div(ir.CreateSub(end, begin), unit), plan.width);
  SmallVector<Stream> streams;
  for (int64_t number = 0; number < plan.streams; ++number)
    streams.push_back(
        {rowNumber, row, math.add(begin, math.mul(length, number))});
  Elements carried = reduceStreams(reduce, streams, length,
                                   divideCeil(plan.chunk, plan.streams));
  Value *left = math.add(begin, math.mul(length, plan.streams));
  carried = reduceRange(reduce, {}, std::move(carried), plan.streams, left, end,
                        true, tailWanted);
  return horizontal(reduce, carried, plan.streams);
}

/// Computes everything of the rows that task `task` reduces at the same time.
void ReductionEmitter::emitRowStreams(Value *task) {
  ArrayRef<ReduceOp> reduces = plan.passes.front();
  SmallVector<Stream> streams;
  int64_t spacing = plan.rows / plan.streams;
  for (int64_t number = 0; number < plan.streams; ++number) {
    enterRow(ir.CreateAdd(task, ir.getInt64(number * spacing)));
    streams.push_back({rowNumber, row, ir.getInt64(0)});
  }
  int64_t whole = plan.inner - plan.inner % plan.width;
  Elements carried = reduceStreams(reduces, streams, ir.getInt64(whole), whole);
  carried = addRests(reduces, streams, carried);
  size_t count = countInputs(reduces), first = 0;
  for (const Stream &stream : streams) {
    rowNumber = stream.number;
    row = stream.row;
    facts.clear();
    Elements sums(ArrayRef<Element>(carried).slice(first, count));
    first += count;
    addFacts(reduces, horizontal(reduces, sums, 1));
    storeRowResults();
  }
}

} // namespace xlac::codegen
