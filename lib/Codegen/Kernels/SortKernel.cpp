// The sort kind. If the comparator is a plain order, sorts by keys through the
// library (KeySort.cpp). Otherwise emits a stable merge sort of each slice in
// scratch memory with the comparator inlined. Results may be elementwise ops on
// sorted values, and slices of them along the sorted dimension.
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "Loops.h"
#include "Scalar/ScalarOps.h"
#include "Services.h"
#include "SortPlan.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

namespace {
using Elements = SmallVector<Element>;
} // namespace

static mlir::LogicalResult scheduleKeySort(ir::KernelOp kernel, SortPlan &plan,
                                           KernelCost cost,
                                           const TargetProfile &profile) {
  constexpr int64_t perElement = 8;
  const KeySort &sort = *plan.keys;
  int64_t time =
      perElement * plan.count * std::min<int64_t>(plan.slices, 1 << 24);
  SmallVector<int64_t> tasks, grain;
  for (const KeySort::Phase &phase : sort.phases) {
    tasks.push_back(phase.tasks);
    grain.push_back(sort.chunks ? 1 : grainOf(phase.tasks, time, profile));
  }
  setSchedule(kernel, tasks, grain, {}, sort.chunks ? sort.memory : 0,
              cost.flops + time, cost.bytes);
  return mlir::success();
}

static mlir::LogicalResult scheduleSort(ir::KernelOp kernel,
                                        const TargetProfile &profile) {
  SortPlan plan;
  if (mlir::failed(planSort(kernel, plan)))
    return mlir::failure();
  KernelCost cost = costOf(kernel);
  if (plan.keys)
    return scheduleKeySort(kernel, plan, cost, profile);
  int64_t steps = 4 * (1 + Log2_64_Ceil(std::max<int64_t>(1, plan.count)));
  int64_t time = std::min<int64_t>(plan.count * steps, 1 << 30) *
                 std::min<int64_t>(plan.slices, 1 << 20);
  int64_t tasks = plan.count == 0 ? 0 : plan.slices;
  setSchedule(kernel, {tasks}, {grainOf(tasks, time, profile)}, {}, 0,
              cost.flops + time, cost.bytes);
  return mlir::success();
}

namespace {
class SortEmitter {
public:
  SortEmitter(KernelFunction &function, IRBuilder<> &ir, SortPlan &plan)
      : function(function), ir(ir), plan(plan) {}

  void run();

private:
  RankedTensorType arrayType(unsigned operand) {
    return RankedTensorType::get(
        {plan.count},
        mlir::getElementTypeOrSelf(plan.root.getInputs()[operand].getType()));
  }
  Elements loadAt(ElementEmitter &emitter, ArrayRef<Value *> arrays,
                  Value *position) {
    Elements elements;
    for (auto [operand, array] : llvm::enumerate(arrays))
      elements.push_back(
          emitter.load(arrayType(operand), array, {emitter.uniform(position)}));
    return elements;
  }
  void storeAt(ElementEmitter &emitter, ArrayRef<Value *> arrays,
               Value *position, ArrayRef<Element> elements) {
    for (auto [operand, array] : llvm::enumerate(arrays))
      emitter.storeTo(arrayType(operand), array, {emitter.uniform(position)},
                      elements[operand]);
  }
  void fillArrays(ArrayRef<LaneIndex> slice, ArrayRef<Value *> arrays);
  LoopValues sortArrays(ArrayRef<Value *> arrays, ArrayRef<Value *> spares);
  void mergeRuns(ArrayRef<Value *> from, ArrayRef<Value *> to, Value *run);
  void storeResults(ArrayRef<LaneIndex> slice, ArrayRef<Value *> arrays);

  KernelFunction &function;
  IRBuilder<> &ir;
  SortPlan &plan;
};
} // namespace

void SortEmitter::fillArrays(ArrayRef<LaneIndex> slice,
                             ArrayRef<Value *> arrays) {
  ElementEmitter emitter(function, ir, 1);
  emitter.loop(ir.getInt64(0), ir.getInt64(plan.count), 1, {},
               [&](Value *position, ArrayRef<Element>) {
                 SmallVector<LaneIndex> indices(slice);
                 indices[plan.dim] = emitter.uniform(position);
                 Elements elements;
                 for (mlir::Value input : plan.root.getInputs())
                   elements.push_back(emitter.emit(input, indices));
                 storeAt(emitter, arrays, position, elements);
                 return Elements();
               });
}

/// Merges neighbouring runs of length `run`. On equal elements the left run
/// goes first, so the sort is stable.
void SortEmitter::mergeRuns(ArrayRef<Value *> from, ArrayRef<Value *> to,
                            Value *run) {
  Value *count = ir.getInt64(plan.count), *one = ir.getInt64(1);
  auto smaller = [&](Value *left, Value *right) {
    return ir.CreateBinaryIntrinsic(Intrinsic::smin, left, right);
  };
  emitFor(
      ir, ir.getInt64(0), count, ir.CreateMul(run, ir.getInt64(2)), {},
      [&](Value *low, ArrayRef<Value *>) {
        Value *middle = smaller(ir.CreateAdd(low, run), count);
        Value *high = smaller(ir.CreateAdd(middle, run), count);
        emitFor(
            ir, low, high, one, {low, middle},
            [&](Value *out, ArrayRef<Value *> heads) {
              ElementEmitter emitter(function, ir, 1);
              Value *left = heads[0], *right = heads[1];
              Elements fromLeft = loadAt(
                  emitter, from, smaller(left, ir.CreateSub(count, one)));
              Elements fromRight = loadAt(
                  emitter, from, smaller(right, ir.CreateSub(count, one)));
              Elements pairs;
              for (auto [l, r] : zip_equal(fromLeft, fromRight)) {
                pairs.push_back(r);
                pairs.push_back(l);
              }
              Value *before =
                  emitter.emitRegion(plan.root.getComparator(), pairs)[0].real;
              Value *leftDone = ir.CreateICmpSGE(left, middle);
              Value *rightOpen = ir.CreateICmpSLT(right, high);
              Value *takeRight =
                  ir.CreateAnd(rightOpen, ir.CreateOr(leftDone, before));
              Elements taken;
              for (auto [l, r] : zip_equal(fromLeft, fromRight))
                taken.push_back(emitter.select(takeRight, r, l));
              storeAt(emitter, to, out, taken);
              Value *step = ir.CreateZExt(takeRight, ir.getInt64Ty());
              return LoopValues{ir.CreateAdd(left, ir.CreateSub(one, step)),
                                ir.CreateAdd(right, step)};
            });
        return LoopValues();
      });
}

/// Sorts, and returns the arrays that contain the result.
LoopValues SortEmitter::sortArrays(ArrayRef<Value *> arrays,
                                   ArrayRef<Value *> spares) {
  int64_t passes = Log2_64_Ceil(plan.count);
  LoopValues both(arrays);
  llvm::append_range(both, spares);
  LoopValues done =
      emitFor(ir, ir.getInt64(0), ir.getInt64(passes), ir.getInt64(1), both,
              [&](Value *pass, ArrayRef<Value *> now) {
                ArrayRef<Value *> from = now.take_front(arrays.size());
                ArrayRef<Value *> to = now.drop_front(arrays.size());
                mergeRuns(from, to, ir.CreateShl(ir.getInt64(1), pass));
                LoopValues next(to);
                llvm::append_range(next, from);
                return next;
              });
  return LoopValues(ArrayRef<Value *>(done).take_front(arrays.size()));
}

void SortEmitter::storeResults(ArrayRef<LaneIndex> slice,
                               ArrayRef<Value *> arrays) {
  mlir::OperandRange results = function.kernel.getYield()->getOperands();
  for (unsigned number = 0; number < results.size(); ++number) {
    ElementEmitter emitter(function, ir, 1);
    for (auto [operand, result] : llvm::enumerate(plan.root.getResults())) {
      Value *array = arrays[operand];
      emitter.bind(result, [this, &emitter, array,
                            operand](ArrayRef<LaneIndex> indices) {
        return emitter.load(arrayType(operand), array, {indices[plan.dim]});
      });
    }
    int64_t length = sizesOf(results[number])[plan.dim];
    emitter.loop(ir.getInt64(0), ir.getInt64(length), 1, {},
                 [&](Value *position, ArrayRef<Element>) {
                   SmallVector<LaneIndex> indices(slice);
                   indices[plan.dim] = emitter.uniform(position);
                   emitter.store(number, indices,
                                 emitter.emit(results[number], indices));
                   return Elements();
                 });
  }
}

void SortEmitter::run() {
  Value *scratch = requestScratch(function, ir, plan.scratch);
  LoopValues arrays, spares;
  for (size_t i = 0; i < plan.offsets.size(); ++i)
    (i % 2 ? spares : arrays)
        .push_back(ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), scratch,
                                                 plan.offsets[i]));
  emitFor(ir, function.begin, function.end, 1, [&](Value *task) {
    ElementEmitter scalar(function, ir, 1);
    SmallVector<LaneIndex> slice = sliceOf(scalar, plan, task);
    fillArrays(slice, arrays);
    LoopValues sorted = sortArrays(arrays, spares);
    storeResults(slice, sorted);
  });
}

static Error emitSort(KernelFunction &function, IRBuilder<> &ir,
                      unsigned phase) {
  SortPlan plan;
  if (mlir::failed(planSort(function.kernel, plan)))
    return createStringError("kernel @" + function.kernel.getSymName() +
                             " is not a sort");
  if (plan.keys)
    emitKeySort(function, ir, plan, phase);
  else if (plan.count != 0 && plan.slices != 0)
    SortEmitter(function, ir, plan).run();
  return Error::success();
}

const KernelKind sortKind = {scheduleSort, emitSort};

} // namespace xlac::codegen
