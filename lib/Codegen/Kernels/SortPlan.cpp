// Plans sort kernels.
#include "SortPlan.h"
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "Scalar/ScalarOps.h"

#include "xlac/abi/sort.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

/// Returns true if `op` reads only elements of the slice that it computes.
static bool isSliceLocal(mlir::Operation &op, SortPlan &plan) {
  if (op.hasTrait<mlir::OpTrait::ConstantLike>() || isScalarOp(&op) ||
      isa<IotaOp>(op))
    return true;
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op))
    return sizesOf(broadcast.getOperand()).empty();
  auto slice = dyn_cast<SliceOp>(op);
  if (!slice)
    return false;
  for (int64_t dim : plan.otherDims)
    if (sizesOf(slice.getOperand())[dim] != sizesOf(slice.getResult())[dim])
      return false;
  return true;
}

/// Returns the number of elements of a slice that the kernel's results need. It
/// is less than all if only slices from the first element on are read.
static int64_t wantedOf(SortPlan &plan) {
  int64_t wanted = 0;
  for (mlir::Value result : plan.root.getResults())
    for (mlir::Operation *user : result.getUsers()) {
      auto slice = dyn_cast<SliceOp>(user);
      if (!slice || slice.getStartIndices()[plan.dim] != 0)
        return plan.count;
      wanted = std::max(wanted, slice.getLimitIndices()[plan.dim]);
    }
  return wanted;
}

/// Returns the number of chunks of a slice that are sorted in parallel; 0 if
/// whole slices are.
static int64_t chunksOf(SortPlan &plan, const KeySort &sort) {
  constexpr int64_t longSlice = 1 << 16, chunk = 1 << 15, manySlices = 16;
  if (plan.count < longSlice || plan.slices > manySlices)
    return 0;
  if (sort.keep == plan.count)
    return std::clamp<int64_t>(plan.count / chunk, 2, 32);
  // Each chunk selects its own candidates, most of which are discarded.
  return std::clamp<int64_t>(
      plan.count / std::max<int64_t>(chunk, 512 * sort.keep), 2, 16);
}

/// Lays out the memory of the sort.
static void layOutArrays(SortPlan &plan, KeySort &sort) {
  bool whole = sort.chunks == 0;
  int64_t slices = whole ? 1 : plan.slices;
  auto place = [&](int64_t &offset, int64_t bytes) {
    offset = sort.memory;
    sort.memory += (bytes + 63) / 64 * 64;
  };
  if (!sort.inOperand)
    place(sort.keysOffset, slices * plan.count * sort.order.bytes);
  if (!sort.toResult)
    place(sort.sortedOffset,
          slices * sort.keep * (sort.positions ? 4 : sort.order.bytes));
  place(sort.workOffset,
        slices * xlac_sort_workspace(sort.order.bytes, sort.positions,
                                     plan.count, sort.keep, sort.chunks));
}

static void choosePhases(SortPlan &plan, KeySort &sort) {
  int64_t pieces = plan.slices * sort.chunks;
  auto add = [&](SortPhase what, int64_t step, int64_t tasks) {
    sort.phases.push_back({what, step, tasks});
  };
  if (sort.chunks == 0)
    return add(SortPhase::Whole, XLAC_SORT_ROWS, plan.slices);
  if (!sort.inOperand)
    add(SortPhase::Fill, 0, pieces);
  if (sort.keep < plan.count) {
    add(SortPhase::Step, XLAC_SORT_SELECT, pieces);
    add(SortPhase::Step, XLAC_SORT_MERGE, plan.slices);
  } else {
    for (int64_t step : {XLAC_SORT_RANGE, XLAC_SORT_COUNT, XLAC_SORT_DISTRIBUTE,
                         XLAC_SORT_BUCKETS})
      add(SortPhase::Step, step, pieces);
  }
  if (!sort.toResult)
    // The first few results take little time.
    add(SortPhase::Finish, 0, sort.keep < plan.count ? plan.slices : pieces);
}

#ifndef NDEBUG
/// Asserts that a plan of a sort by keys is consistent.
static void verifyKeySort(SortPlan &plan, const KeySort &sort) {
  assert(1 <= sort.keep && sort.keep <= plan.count &&
         "some elements of a slice are wanted");
  assert(sort.order.operand < plan.root.getInputs().size() &&
         sort.order.bytes > 0 && "the keys are an operand");
  assert(sort.keysOffset % 64 == 0 && sort.sortedOffset % 64 == 0 &&
         sort.workOffset % 64 == 0 && sort.workOffset <= sort.memory &&
         "arrays are aligned in the memory");
  assert(0 <= sort.chunks && sort.chunks <= plan.count &&
         "a slice has no more pieces than elements");
  assert(!sort.phases.empty() &&
         llvm::all_of(
             sort.phases,
             [](const KeySort::Phase &phase) { return phase.tasks >= 1; }) &&
         "every phase has tasks");
}
#endif
/// Plans a sort by keys if the comparator is a key order.
static std::optional<KeySort> planKeys(ir::KernelOp kernel, SortPlan &plan) {
  std::optional<SortOrder> order = describeOrder(plan.root);
  if (!order || plan.count < 2 || plan.count > INT32_MAX || plan.slices == 0)
    return std::nullopt;
  KeySort sort;
  sort.order = *order;
  sort.keep = wantedOf(plan);
  if (sort.keep == 0 || 4 * sort.keep > plan.count)
    sort.keep = plan.count;
  mlir::Value key = plan.root.getInputs()[order->operand];
  for (auto [number, result] : llvm::enumerate(plan.root.getResults()))
    sort.positions |= number != order->operand && !result.use_empty();
  if (sort.positions)
    sort.order.flags |= XLAC_SORT_POSITIONS;
  ArrayRef<int64_t> sizes = sizesOf(key);
  bool innermost = elementCount(sizes.drop_front(plan.dim + 1)) == 1;
  // In a buffer, any byte but 0 is true, whereas keys must be 0 or 1.
  sort.inOperand = innermost && isa<mlir::BlockArgument>(key) &&
                   !mlir::getElementTypeOrSelf(key.getType()).isInteger(1);
  mlir::OperandRange results = kernel.getYield()->getOperands();
  mlir::Value sorted = plan.root.getResults()[order->operand];
  auto isSorted = [&](mlir::Value result) {
    auto slice = result.getDefiningOp<SliceOp>();
    return result == sorted ||
           (slice && slice.getOperand() == sorted && sort.keep < plan.count &&
            slice.getLimitIndices()[plan.dim] == sort.keep &&
            llvm::all_of(slice.getStrides(), [](int64_t s) { return s == 1; }));
  };
  sort.toResult = innermost && !sort.positions && results.size() == 1 &&
                  isSorted(results[0]);
  sort.chunks = chunksOf(plan, sort);
  layOutArrays(plan, sort);
  choosePhases(plan, sort);
#ifndef NDEBUG
  verifyKeySort(plan, sort);
#endif
  return sort;
}

mlir::LogicalResult planSort(ir::KernelOp kernel, SortPlan &plan) {
  mlir::Block &body = kernel.getBody().front();
  for (mlir::Operation &op : body) {
    auto sort = dyn_cast<SortOp>(op);
    if (sort && plan.root)
      return kernel.emitOpError("is of kind sort, but has two of them");
    if (sort)
      plan.root = sort;
  }
  if (!plan.root)
    return kernel.emitOpError("is of kind sort, but sorts nothing");
  ArrayRef<int64_t> sizes = sizesOf(plan.root.getInputs()[0]);
  plan.dim = plan.root.getDimension();
  if (plan.dim < 0)
    plan.dim += sizes.size();
  if (plan.dim < 0 || plan.dim >= int64_t(sizes.size()))
    return plan.root.emitOpError("sorts along a dimension it does not have");
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (int64_t(dim) == plan.dim) {
      plan.count = size;
      continue;
    }
    plan.otherDims.push_back(dim);
    plan.otherSizes.push_back(size);
    plan.slices *= size;
  }
  assert(plan.slices * plan.count == elementCount(sizes) &&
         "every element is in one slice");
  bool behind = false;
  for (mlir::Operation &op : body.without_terminator()) {
    if (behind && !isSliceLocal(op, plan))
      return op.emitOpError("cannot be computed after a sort");
    behind |= &op == plan.root.getOperation();
  }
  for (mlir::Value input : plan.root.getInputs()) {
    int64_t bytes =
        plan.count * elementBytes(mlir::getElementTypeOrSelf(input.getType()));
    for (int copy = 0; copy < 2; ++copy) {
      plan.offsets.push_back(plan.scratch);
      plan.scratch += (bytes + 63) / 64 * 64;
    }
  }
  for (mlir::Value result : kernel.getYield()->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    bool fits = type && type.hasStaticShape() &&
                type.getRank() == int64_t(sizes.size()) &&
                elementBytes(type.getElementType()) != 0;
    for (int64_t dim : plan.otherDims)
      fits = fits && type.getDimSize(dim) == sizes[dim];
    if (!fits)
      return kernel.emitOpError("is of kind sort and has a result of type ")
             << result.getType();
  }
  plan.keys = planKeys(kernel, plan);
  return mlir::success();
}

SmallVector<LaneIndex> sliceOf(ElementEmitter &emitter, SortPlan &plan,
                               Value *task) {
  SmallVector<LaneIndex> slice(plan.otherDims.size() + 1,
                               emitter.uniform(int64_t(0)));
  assert(plan.otherDims.size() == plan.otherSizes.size() &&
         "every other dimension has a size");
  SmallVector<LaneIndex> others =
      emitter.delinearize(plan.otherSizes, emitter.uniform(task));
  for (auto [dim, index] : zip_equal(plan.otherDims, others))
    slice[dim] = index;
  return slice;
}

} // namespace xlac::codegen
