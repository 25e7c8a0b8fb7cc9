// Sorts by keys. The keys are copied to an array. The library's routine sorts
// them or computes their order. The results are computed from that.
#include "KernelEmitters.h"
#include "Loops.h"
#include "Services.h"
#include "SortPlan.h"

#include "xlac/abi/abi.h"
#include "xlac/abi/sort.h"

using namespace llvm;
using mlir::RankedTensorType;

namespace xlac::codegen {

namespace {
class KeySortEmitter {
public:
  KeySortEmitter(KernelFunction &function, IRBuilder<> &ir, SortPlan &plan)
      : function(function), ir(ir), plan(plan), sort(*plan.keys) {
    lanes = std::max(1, function.profile.vector_bits / 64);
  }

  void run(const KeySort::Phase &phase);

private:
  using Along = function_ref<void(ElementEmitter &, LaneIndex)>;

  Value *at(Value *base, Value *bytes) {
    return ir.CreateGEP(ir.getInt8Ty(), base, bytes);
  }
  Value *at(Value *base, int64_t bytes) { return at(base, ir.getInt64(bytes)); }
  Value *product(Value *index, int64_t factor) {
    return ir.CreateMul(index, ir.getInt64(factor));
  }
  void setMemory(Value *memory);
  void along(Value *begin, Value *end, Along body);
  void fill(Value *slice, Value *array, Value *begin, Value *end);
  void callLibrary(int64_t step, Value *rows, Value *sorted, Value *first,
                   Value *last);
  void bindResults(ElementEmitter &emitter, Value *array);
  void finish(Value *slice, Value *array, Value *piece, int64_t pieces);
  void runWhole();

  mlir::Value key() { return plan.root.getInputs()[sort.order.operand]; }
  RankedTensorType arrayType(int64_t count) {
    return RankedTensorType::get({count},
                                 mlir::getElementTypeOrSelf(key().getType()));
  }
  int64_t sliceBytes() { return plan.count * sort.order.bytes; }
  int64_t sortedBytes() {
    return sort.keep * (sort.positions ? 4 : sort.order.bytes);
  }

  KernelFunction &function;
  IRBuilder<> &ir;
  SortPlan &plan;
  const KeySort &sort;
  unsigned lanes;
  /// Arrays of all slices, or of the one that is being sorted.
  Value *keys = nullptr, *sorted = nullptr, *work = nullptr;
};
} // namespace

void KeySortEmitter::setMemory(Value *memory) {
  keys = sort.inOperand
             ? function.operandPointers[cast<mlir::BlockArgument>(key())
                                            .getArgNumber()]
             : at(memory, sort.keysOffset);
  sorted = sort.toResult ? function.resultPointers[0]
                         : at(memory, sort.sortedOffset);
  work = at(memory, sort.workOffset);
}

/// Runs `body` for all positions in [begin, end), in vectors if possible.
void KeySortEmitter::along(Value *begin, Value *end, Along body) {
  Value *whole = ir.CreateAdd(
      begin,
      ir.CreateMul(ir.CreateSDiv(ir.CreateSub(end, begin), ir.getInt64(lanes)),
                   ir.getInt64(lanes)));
  auto loop = [&](Value *from, Value *to, unsigned width) {
    ElementEmitter emitter(function, ir, width);
    emitter.loop(from, to, width, {}, [&](Value *place, ArrayRef<Element>) {
      body(emitter, LaneIndex{place, width > 1 ? 1 : 0, nullptr});
      return SmallVector<Element>();
    });
  };
  if (lanes > 1)
    loop(begin, whole, lanes);
  loop(lanes > 1 ? whole : begin, end, 1);
}

void KeySortEmitter::fill(Value *slice, Value *array, Value *begin,
                          Value *end) {
  along(begin, end, [&](ElementEmitter &emitter, LaneIndex place) {
    SmallVector<LaneIndex> indices = sliceOf(emitter, plan, slice);
    indices[plan.dim] = place;
    emitter.storeTo(arrayType(plan.count), array, {place},
                    emitter.emit(key(), indices));
  });
}

void KeySortEmitter::callLibrary(int64_t step, Value *rows, Value *result,
                                 Value *first, Value *last) {
  SmallVector<Value *> values(XLAC_SORT_PARAMETERS);
  values[XLAC_SORT_AT_STEP] = ir.getInt64(step);
  values[XLAC_SORT_AT_FIRST] = first;
  values[XLAC_SORT_AT_LAST] = last;
  values[XLAC_SORT_AT_BYTES] = ir.getInt64(sort.order.bytes);
  values[XLAC_SORT_AT_ORDER] = ir.getInt64(sort.order.order);
  values[XLAC_SORT_AT_FLAGS] = ir.getInt64(sort.order.flags);
  values[XLAC_SORT_AT_COUNT] = ir.getInt64(plan.count);
  values[XLAC_SORT_AT_KEEP] = ir.getInt64(sort.keep);
  values[XLAC_SORT_AT_CHUNKS] = ir.getInt64(sort.chunks);
  codegen::callLibrary(function, ir, XLAC_LIBRARY_SORT, {rows, result, work},
                       values);
}

/// Binds the sort's results to the sorted keys in `array`, or to operands at
/// the positions in `array`.
void KeySortEmitter::bindResults(ElementEmitter &emitter, Value *array) {
  for (auto [number, result] : llvm::enumerate(plan.root.getResults())) {
    mlir::Value input = plan.root.getInputs()[number];
    if (!sort.positions) {
      if (number == sort.order.operand)
        emitter.bind(result, [=, this, &emitter](ArrayRef<LaneIndex> indices) {
          return emitter.load(arrayType(sort.keep), array, {indices[plan.dim]});
        });
      continue;
    }
    emitter.bind(result, [=, this, &emitter](ArrayRef<LaneIndex> indices) {
      auto places = RankedTensorType::get(
          {sort.keep}, mlir::IntegerType::get(input.getContext(), 32));
      Value *place = emitter.load(places, array, {indices[plan.dim]}).real;
      Type *wide = ir.getInt64Ty();
      if (auto *vector = dyn_cast<FixedVectorType>(place->getType()))
        wide = FixedVectorType::get(wide, vector->getNumElements());
      place = ir.CreateSExt(place, wide);
      SmallVector<LaneIndex> from(indices);
      from[plan.dim] = emitter.width() == 1 ? emitter.uniform(place)
                                            : LaneIndex{nullptr, 0, place};
      return emitter.emit(input, from);
    });
  }
}

/// Computes piece `piece` of `pieces` of the results' slice.
void KeySortEmitter::finish(Value *slice, Value *array, Value *piece,
                            int64_t pieces) {
  mlir::OperandRange results = function.kernel.getYield()->getOperands();
  for (unsigned number = 0; number < results.size(); ++number) {
    int64_t length = sizesOf(results[number])[plan.dim];
    auto bound = [&](Value *index) {
      return ir.CreateUDiv(product(index, length), ir.getInt64(pieces));
    };
    along(bound(piece), bound(ir.CreateAdd(piece, ir.getInt64(1))),
          [&](ElementEmitter &emitter, LaneIndex place) {
            bindResults(emitter, array);
            SmallVector<LaneIndex> indices = sliceOf(emitter, plan, slice);
            indices[plan.dim] = place;
            emitter.store(number, indices,
                          emitter.emit(results[number], indices));
          });
  }
}

void KeySortEmitter::runWhole() {
  setMemory(requestScratch(function, ir, sort.memory));
  Value *one = ir.getInt64(1), *none = ir.getInt64(0);
  if (sort.inOperand && sort.toResult)
    return callLibrary(XLAC_SORT_ROWS, keys, sorted, function.begin,
                       function.end);
  emitFor(ir, function.begin, function.end, 1, [&](Value *slice) {
    Value *row = keys, *result = sorted;
    if (sort.inOperand)
      row = at(keys, product(slice, sliceBytes()));
    else
      fill(slice, keys, none, ir.getInt64(plan.count));
    if (sort.toResult)
      result = at(sorted, product(slice, sortedBytes()));
    callLibrary(XLAC_SORT_ROWS, row, result, none, one);
    if (!sort.toResult)
      finish(slice, sorted, none, 1);
  });
}

void KeySortEmitter::run(const KeySort::Phase &phase) {
  if (phase.what == SortPhase::Whole)
    return runWhole();
  setMemory(function.workspace);
  if (phase.what == SortPhase::Step)
    return callLibrary(phase.step, keys, sorted, function.begin, function.end);
  emitFor(ir, function.begin, function.end, 1, [&](Value *task) {
    int64_t pieces = phase.tasks / plan.slices;
    Value *chunks = ir.getInt64(pieces);
    Value *slice = ir.CreateUDiv(task, chunks);
    Value *chunk = ir.CreateURem(task, chunks);
    if (phase.what == SortPhase::Finish)
      return finish(slice, at(sorted, product(slice, sortedBytes())), chunk,
                    pieces);
    auto bound = [&](Value *index) {
      return ir.CreateUDiv(product(index, plan.count), chunks);
    };
    fill(slice, at(keys, product(slice, sliceBytes())), bound(chunk),
         bound(ir.CreateAdd(chunk, ir.getInt64(1))));
  });
}

void emitKeySort(KernelFunction &function, IRBuilder<> &ir, SortPlan &plan,
                 unsigned phase) {
  if (phase < plan.keys->phases.size())
    KeySortEmitter(function, ir, plan).run(plan.keys->phases[phase]);
}

} // namespace xlac::codegen
