// The transpose kind. Square tiles are read along the operand's rows,
// transposed in registers by shuffles, and written along the result's rows,
// with elementwise ops in between. Kernels of any other form use plain loops.
#include "KernelCost.h"
#include "KernelEmitters.h"
#include "LoopKernel.h"
#include "Loops.h"
#include "Scalar/ScalarOps.h"
#include "TransposedCopy.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

namespace {
struct TransposePlan {
  TransposeOp root;
  SmallVector<SmallVector<int64_t>> groups; ///< of result dimensions
  SmallVector<int64_t> extents;
  size_t across = 0; ///< the group in which the operand is contiguous
  unsigned tile = 1;
  int64_t tasks = 0, blocks = 1;
  static constexpr int64_t block = 64; ///< of the group `across`, for a task
};
} // namespace

/// Returns true if `value` reaches the kernel's results only through
/// elementwise ops.
static bool onlyElementwiseBehind(mlir::Value value) {
  for (mlir::Operation *user : value.getUsers()) {
    if (isa<ir::YieldOp>(user))
      continue;
    if (!isScalarOp(user) || user->getNumResults() != 1 ||
        sizesOf(user->getResult(0)) != sizesOf(value) ||
        !onlyElementwiseBehind(user->getResult(0)))
      return false;
  }
  return true;
}

static bool hasComplexLanes(ir::KernelOp kernel) {
  for (mlir::Operation &op : kernel.getBody().front())
    for (mlir::Type type : op.getResultTypes())
      if (isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(type)))
        return true;
  return false;
}

/// Returns the plan, or nothing if tiles do not fit the kernel.
static std::optional<TransposePlan> planTranspose(KernelFunction &function,
                                                  IRBuilder<> &ir) {
  TransposePlan plan;
  ir::KernelOp kernel = function.kernel;
  for (mlir::Operation &op : kernel.getBody().front())
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      if (plan.root)
        return std::nullopt;
      plan.root = transpose;
    }
  if (!plan.root || !onlyElementwiseBehind(plan.root.getResult()) ||
      hasComplexLanes(kernel))
    return std::nullopt;
  ArrayRef<int64_t> sizes = sizesOf(plan.root.getResult());
  ElementEmitter emitter(function, ir, 1);
  uint64_t freedom = emitter.collapsibleDims(plan.root.getResult());
  for (mlir::Value result : kernel.getYield()->getOperands()) {
    if (sizesOf(result) != sizes)
      return std::nullopt;
    freedom &= emitter.collapsibleDims(result);
  }
  int64_t lastFrom = -1;
  for (auto [dim, size] : llvm::enumerate(sizesOf(plan.root.getOperand())))
    if (size != 1)
      lastFrom = dim;
  bool joins = false;
  std::optional<size_t> across;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size == 1)
      continue;
    if (!joins) {
      plan.groups.emplace_back();
      plan.extents.push_back(1);
    }
    plan.groups.back().push_back(dim);
    plan.extents.back() *= size;
    if (plan.root.getPermutation()[dim] == lastFrom)
      across = plan.groups.size() - 1;
    joins = dim < 64 && (freedom >> dim & 1);
  }
  if (!across || *across + 1 == plan.groups.size())
    return std::nullopt;
  assert(plan.groups.size() == plan.extents.size() &&
         "every group of dimensions has an extent");
  plan.across = *across;
  plan.tile = std::min(16u, laneCountOf(kernel, function.profile));
  if (plan.tile < 2 || plan.extents.back() < plan.tile ||
      plan.extents[plan.across] < plan.tile)
    return std::nullopt;
  plan.blocks = (plan.extents[plan.across] + plan.block - 1) / plan.block;
  plan.tasks = plan.blocks;
  for (size_t group = 0; group + 1 < plan.groups.size(); ++group)
    if (group != plan.across)
      plan.tasks *= plan.extents[group];
  return plan;
}

static mlir::LogicalResult scheduleTranspose(ir::KernelOp kernel,
                                             const TargetProfile &profile) {
  if (mlir::failed(checkLoopResults(kernel)))
    return mlir::failure();
  LLVMContext context;
  IRBuilder<> ir(context);
  KernelFunction function(kernel, profile);
  std::optional<TransposePlan> plan = planTranspose(function, ir);
  if (!plan)
    return loopKind.schedule(kernel, profile);
  KernelCost cost = costOf(kernel);
  setSchedule(kernel, {plan->tasks},
              {grainOf(plan->tasks, cost.nanoseconds(profile), profile)},
              {int64_t(plan->tile)}, 0, cost.flops, cost.bytes);
  return mlir::success();
}

namespace {
class TransposeEmitter {
public:
  TransposeEmitter(KernelFunction &function, IRBuilder<> &ir,
                   TransposePlan &plan)
      : function(function), ir(ir), plan(plan) {}

  void run();

private:
  SmallVector<LaneIndex> indicesAt(LaneIndex across, LaneIndex along);
  void emitTile(Value *across, Value *along);
  void transpose(MutableArrayRef<Value *> rows);
  void emitSingles(Value *acrossBegin, Value *acrossEnd, Value *alongBegin,
                   Value *alongEnd);

  KernelFunction &function;
  IRBuilder<> &ir;
  TransposePlan &plan;
  SmallVector<LaneIndex> outer; ///< by group; the tile's groups are set later
  AllocaInst *before = nullptr, *behind = nullptr; ///< rows, and columns
  Value *table = nullptr;                          ///< of the row addresses
};
} // namespace

SmallVector<LaneIndex> TransposeEmitter::indicesAt(LaneIndex across,
                                                   LaneIndex along) {
  SmallVector<LaneIndex> indices(sizesOf(plan.root.getResult()).size(),
                                 LaneIndex{ir.getInt64(0), 0, nullptr});
  for (auto [group, dims] : llvm::enumerate(plan.groups))
    indices[dims.back()] = group == plan.across              ? across
                           : group + 1 == plan.groups.size() ? along
                                                             : outer[group];
  return indices;
}

/// Transposes the tile: lane j of vector i becomes lane i of vector j. It goes
/// through memory in the first-level cache, so that one function serves the
/// whole module.
void TransposeEmitter::transpose(MutableArrayRef<Value *> rows) {
  assert(rows.size() == plan.tile && "a tile is square");
  auto *vector = cast<FixedVectorType>(rows[0]->getType());
  if (!canCopyTransposed(vector)) {
    llvm::copy(emitTransposed(ir, rows), rows.begin());
    return;
  }
  unsigned bits = vector->getScalarSizeInBits();
  auto *cells = FixedVectorType::get(ir.getIntNTy(bits), plan.tile);
  int64_t stride = plan.tile * bits / 8;
  auto at = [&](Value *memory, size_t row) {
    return ir.CreateGEP(cells, memory, ir.getInt64(row));
  };
  if (!before) {
    auto *tile = ArrayType::get(cells, plan.tile);
    before = emitFrameMemory(ir, tile, Align(64));
    behind = emitFrameMemory(ir, tile, Align(64));
    // Once, at the beginning of the function.
    IRBuilder<> top(before->getParent(), std::next(before->getIterator()));
    SmallVector<Value *> starts;
    for (unsigned row = 0; row < plan.tile; ++row)
      starts.push_back(top.CreateGEP(cells, before, top.getInt64(row)));
    table = emitRowTable(top, starts);
  }
  for (auto [row, value] : llvm::enumerate(rows))
    ir.CreateAlignedStore(value, at(before, row), Align(1));
  emitTransposedCopy(ir, {cells, {}}, table, ir.getInt64(0), behind,
                     ir.getInt64(stride), ir.getInt64(plan.tile));
  for (auto [row, value] : llvm::enumerate(rows))
    value = ir.CreateAlignedLoad(vector, at(behind, row), Align(1));
}

void TransposeEmitter::emitTile(Value *across, Value *along) {
  ElementEmitter emitter(function, ir, plan.tile);
  SmallVector<Value *> rows;
  for (unsigned row = 0; row < plan.tile; ++row) {
    SmallVector<LaneIndex> indices =
        indicesAt({across, 1, nullptr},
                  emitter.add(emitter.uniform(along), int64_t(row)));
    SmallVector<LaneIndex> from(indices.size());
    for (auto [to, source] : llvm::enumerate(plan.root.getPermutation()))
      from[source] = indices[to];
    rows.push_back(emitter.emit(plan.root.getOperand(), from).real);
  }
  transpose(rows);
  Value *current = nullptr;
  emitter.bind(plan.root.getResult(),
               [&](ArrayRef<LaneIndex>) { return Element{current}; });
  mlir::OperandRange results = function.kernel.getYield()->getOperands();
  for (unsigned row = 0; row < plan.tile; ++row) {
    current = rows[row];
    SmallVector<LaneIndex> indices =
        indicesAt(emitter.add(emitter.uniform(across), int64_t(row)),
                  {along, 1, nullptr});
    SmallVector<Element> elements;
    for (mlir::Value result : results)
      elements.push_back(emitter.emit(result, indices));
    for (auto [number, element] : llvm::enumerate(elements))
      emitter.store(number, indices, element);
  }
}

void TransposeEmitter::emitSingles(Value *acrossBegin, Value *acrossEnd,
                                   Value *alongBegin, Value *alongEnd) {
  ElementEmitter emitter(function, ir, 1);
  emitFor(ir, acrossBegin, acrossEnd, 1, [&](Value *across) {
    emitter.loop(
        alongBegin, alongEnd, 1, {}, [&](Value *along, ArrayRef<Element>) {
          SmallVector<LaneIndex> indices =
              indicesAt(emitter.uniform(across), emitter.uniform(along));
          SmallVector<Element> elements;
          for (mlir::Value result : function.kernel.getYield()->getOperands())
            elements.push_back(emitter.emit(result, indices));
          for (auto [number, element] : llvm::enumerate(elements))
            emitter.store(number, indices, element);
          return SmallVector<Element>();
        });
  });
}

void TransposeEmitter::run() {
  int64_t acrossExtent = plan.extents[plan.across], tile = plan.tile;
  int64_t alongExtent = plan.extents.back();
  int64_t acrossMain = acrossExtent - acrossExtent % tile;
  int64_t alongMain = alongExtent - alongExtent % tile;
  SmallVector<int64_t> taskSizes;
  for (size_t group = 0; group + 1 < plan.groups.size(); ++group)
    if (group != plan.across)
      taskSizes.push_back(plan.extents[group]);
  taskSizes.push_back(plan.blocks);
  emitFor(ir, function.begin, function.end, 1, [&](Value *task) {
    ElementEmitter scalar(function, ir, 1);
    SmallVector<LaneIndex> byTask =
        scalar.delinearize(taskSizes, scalar.uniform(task));
    Value *block = byTask.pop_back_val().base;
    outer.assign(plan.groups.size(), scalar.uniform(int64_t(0)));
    size_t next = 0;
    for (size_t group = 0; group + 1 < plan.groups.size(); ++group)
      if (group != plan.across)
        outer[group] = byTask[next++];
    Value *begin = ir.CreateMul(block, ir.getInt64(plan.block));
    auto upTo = [&](int64_t extent) {
      return ir.CreateBinaryIntrinsic(
          Intrinsic::smin, ir.CreateAdd(begin, ir.getInt64(plan.block)),
          ir.getInt64(extent));
    };
    Value *end = upTo(acrossExtent), *mainEnd = upTo(acrossMain);
    Value *zero = ir.getInt64(0), *main = ir.getInt64(alongMain);
    // Two adjacent tiles fill whole cache lines of the result.
    int64_t pairs = alongMain - alongMain % (2 * tile);
    emitFor(ir, zero, ir.getInt64(pairs), 2 * tile, [&](Value *along) {
      emitFor(ir, begin, mainEnd, tile, [&](Value *across) {
        emitTile(across, along);
        emitTile(across, ir.CreateAdd(along, ir.getInt64(tile)));
      });
    });
    if (pairs != alongMain)
      emitFor(ir, begin, mainEnd, tile,
              [&](Value *across) { emitTile(across, ir.getInt64(pairs)); });
    if (alongMain != alongExtent)
      emitSingles(begin, end, main, ir.getInt64(alongExtent));
    if (acrossMain != acrossExtent)
      emitSingles(ir.CreateBinaryIntrinsic(Intrinsic::smax, begin,
                                           ir.getInt64(acrossMain)),
                  end, zero, main);
  });
}

static Error emitTranspose(KernelFunction &function, IRBuilder<> &ir,
                           unsigned phase) {
  std::optional<TransposePlan> plan = planTranspose(function, ir);
  if (!plan)
    return loopKind.emit(function, ir, phase);
  TransposeEmitter(function, ir, *plan).run();
  return Error::success();
}

const KernelKind transposeKind = {scheduleTranspose, emitTranspose};

} // namespace xlac::codegen
