// The scan kind: running sums, products, minima, … Each task goes once along
// the scanned dimension, with a lane for each of several neighbouring slices.
// Results may be elementwise ops on what was scanned.
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "Loops.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/Reducer.h"

using namespace llvm;
using namespace mlir::stablehlo;

namespace xlac::codegen {

namespace {
using Elements = SmallVector<Element>;

struct ScanPlan {
  ReduceWindowOp root;
  ir::Scan scan;
  int64_t count = 0; ///< elements of a slice
  /// The dimension along which lanes lie side by side, or -1, and how many of
  /// its indices one task covers.
  int64_t laneDim = -1;
  unsigned lanes = 1;
  int64_t laneSize = 1, chunks = 1;
  SmallVector<int64_t> otherDims, otherSizes;
  int64_t tasks = 1;
};
} // namespace

/// Lanes lie along the innermost dimension that is not scanned and fills a
/// vector.
static void chooseLanes(ir::KernelOp kernel, const TargetProfile &profile,
                        ScanPlan &plan) {
  ArrayRef<int64_t> sizes = sizesOf(plan.root.getInputs()[0]);
  int64_t lanes = laneCountOf(kernel, profile);
  for (int64_t dim = int64_t(sizes.size()) - 1; dim >= 0; --dim)
    if (dim != plan.scan.dim && lanes > 1 && sizes[dim] >= lanes) {
      plan.laneDim = dim;
      plan.lanes = lanes;
      plan.laneSize = sizes[dim];
      plan.chunks = (sizes[dim] + lanes - 1) / lanes;
      break;
    }
  plan.tasks = plan.chunks;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (int64_t(dim) != plan.scan.dim && int64_t(dim) != plan.laneDim) {
      plan.otherDims.push_back(dim);
      plan.otherSizes.push_back(size);
      plan.tasks *= size;
    }
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
  plan.count = sizes[plan.scan.dim];
  chooseLanes(kernel, profile, plan);
  return mlir::success();
}

mlir::LogicalResult scheduleScan(ir::KernelOp kernel,
                                 const TargetProfile &profile) {
  ScanPlan plan;
  if (mlir::failed(planScan(kernel, profile, plan)))
    return mlir::failure();
  KernelCost cost = costOf(kernel);
  // One element waits for the one before.
  int64_t time = std::max(cost.nanoseconds(profile), plan.tasks * plan.count);
  setSchedule(kernel, {plan.tasks}, {grainOf(plan.tasks, time)}, {}, 0,
              cost.flops, cost.bytes);
  return mlir::success();
}

namespace {
class ScanEmitter {
public:
  ScanEmitter(KernelFunction &function, IRBuilder<> &ir, ScanPlan &plan)
      : function(function), ir(ir), plan(plan),
        emitter(function, ir, plan.lanes) {}

  void emitTask(Value *task);

private:
  SmallVector<LaneIndex> sliceOf(Value *task);
  Elements step(ArrayRef<LaneIndex> indices, ArrayRef<Element> carried);
  void storeResults(ArrayRef<LaneIndex> indices, ArrayRef<Element> scanned);

  KernelFunction &function;
  IRBuilder<> &ir;
  ScanPlan &plan;
  ElementEmitter emitter;
};
} // namespace

/// Where the task's slices lie; the last chunk begins early enough to be whole,
/// and writes again what its neighbour writes.
SmallVector<LaneIndex> ScanEmitter::sliceOf(Value *task) {
  SmallVector<LaneIndex> indices(sizesOf(plan.root.getInputs()[0]).size(),
                                 emitter.uniform(int64_t(0)));
  Value *chunk = ir.CreateURem(task, ir.getInt64(plan.chunks));
  Value *rest = ir.CreateUDiv(task, ir.getInt64(plan.chunks));
  SmallVector<LaneIndex> others =
      emitter.delinearize(plan.otherSizes, emitter.uniform(rest));
  for (auto [dim, index] : zip_equal(plan.otherDims, others))
    indices[dim] = index;
  if (plan.laneDim >= 0) {
    Value *first = ir.CreateMul(chunk, ir.getInt64(plan.lanes));
    first = ir.CreateBinaryIntrinsic(Intrinsic::smin, first,
                                     ir.getInt64(plan.laneSize - plan.lanes));
    indices[plan.laneDim] = LaneIndex{first, 1, nullptr};
  }
  return indices;
}

Elements ScanEmitter::step(ArrayRef<LaneIndex> indices,
                           ArrayRef<Element> carried) {
  mlir::TypeRange types = plan.root.getBody().front().getArgumentTypes();
  Elements elements;
  for (mlir::Value input : plan.root.getInputs())
    elements.push_back(emitter.emit(input, indices));
  Elements arguments(carried);
  append_range(arguments,
               emitter.convert(plan.root, plan.root.getInputs(), elements,
                               types.drop_front(carried.size())));
  return emitter.emitRegion(plan.root.getBody(), arguments);
}

void ScanEmitter::storeResults(ArrayRef<LaneIndex> indices,
                               ArrayRef<Element> scanned) {
  for (auto [number, result] : enumerate(plan.root.getResults()))
    emitter.know(result, indices, scanned[number]);
  for (auto [number, result] :
       enumerate(function.kernel.getYield()->getOperands()))
    emitter.store(number, indices, emitter.emit(result, indices));
}

void ScanEmitter::emitTask(Value *task) {
  ElementEmitter::Scope scope(emitter);
  SmallVector<LaneIndex> slice = sliceOf(task);
  Elements initial;
  for (mlir::Value value : plan.root.getInitValues())
    initial.push_back(emitter.emit(value, {}));
  initial = emitter.convert(plan.root, plan.root.getInitValues(), initial,
                            plan.root.getBody().front().getArgumentTypes());
  emitter.loop(ir.getInt64(0), ir.getInt64(plan.count), 1, initial,
               [&](Value *position, ArrayRef<Element> carried) {
                 Value *place = position;
                 if (plan.scan.reverse)
                   place = ir.CreateSub(ir.getInt64(plan.count - 1), position);
                 slice[plan.scan.dim] = emitter.uniform(place);
                 Elements next = step(slice, carried);
                 storeResults(slice, next);
                 return next;
               });
}

Error emitScan(KernelFunction &function, IRBuilder<> &ir, unsigned phase) {
  ScanPlan plan;
  if (mlir::failed(planScan(function.kernel, function.profile, plan)))
    return createStringError("kernel @" + function.kernel.getSymName() +
                             " is no scan");
  ScanEmitter emitter(function, ir, plan);
  emitFor(ir, function.begin, function.end, 1,
          [&](Value *task) { emitter.emitTask(task); });
  return Error::success();
}

} // namespace xlac::codegen
