// Sorts of which only the first rows are read, along a sharded dimension: each
// device sorts its shard, and the first rows of all shards are gathered and
// sorted again.
#include "SpmdPartitioner.h"

#include "SpmdSorts.h"

using namespace mlir;

namespace xlac::transforms {

/// Makes the comparator of `sort`, whose last operand says what is padding, put
/// all padding last.
static void putPaddingLast(Operation *sort, OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  Block &body = sort->getRegion(0).front();
  auto flag = RankedTensorType::get({}, builder.getI1Type());
  Value first = body.addArgument(flag, sort->getLoc());
  Value second = body.addArgument(flag, sort->getLoc());
  Operation *end = body.getTerminator();
  builder.setInsertionPoint(end);
  StablehloBuilder b(builder, sort->getLoc());
  Value before = end->getOperand(0);
  // Of two elements that are not padding, the program decides.
  Value differ = b.compare(stablehlo::ComparisonDirection::NE, first, second);
  end->setOperand(0, b.select(differ, second, before));
}

Operation *SpmdPartitioner::sortRows(Operation *op, ArrayRef<Value> operands,
                                     int64_t dim, int64_t rows, bool padded) {
  SmallVector<Type> types;
  for (Value operand : operands) {
    RankedTensorType type = StablehloBuilder::typeOf(operand);
    SmallVector<int64_t> sizes(type.getShape());
    sizes[dim] = std::min(rows, sizes[dim]);
    types.push_back(type.clone(sizes));
  }
  OperationState state(op->getLoc(), op->getName().getStringRef(), operands,
                       types, op->getAttrs());
  IRMapping mapping;
  mapOuterValues(op, mapping);
  op->getRegion(0).cloneInto(state.addRegion(), mapping);
  Operation *made = builder.create(state);
  // Equal elements keep their order in the whole dimension.
  made->setAttr("is_stable", builder.getBoolAttr(true));
  if (padded)
    putPaddingLast(made, builder);
  return made;
}

void SpmdPartitioner::partitionFirstRows(stablehlo::SortOp op,
                                         const SpmdRule &rule,
                                         ArrayRef<AxisList> axes) {
  int64_t dim = sortedDim(op);
  RankedTensorType whole = shardableType(op->getOperand(0));
  int64_t rows = shardableType(op->getResult(0)).getDimSize(dim);
  AxisList cut = axes[rule.operands[0][dim].front()];
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(localOperand(op, i, rule, axes));
  StablehloBuilder b(builder, op->getLoc());
  bool padded = whole.getDimSize(dim) % mesh.count(cut) != 0;
  if (padded) {
    RankedTensorType type =
        StablehloBuilder::typeOf(operands.front()).clone(builder.getI1Type());
    Value isPadding =
        b.splat(RankedTensorType::get({}, type.getElementType()), 1);
    operands.push_back(emitter.maskPadding(
        b.splat(type, 0), dim, whole.getDimSize(dim), cut, isPadding));
  }
  Operation *own = sortRows(op, operands, dim, rows, padded);
  SmallVector<Value> candidates;
  for (Value result : own->getResults())
    candidates.push_back(emitter.allGather(result, dim, cut));
  Operation *all = sortRows(op, candidates, dim, rows, padded);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    set(result, emitter.reshard(all->getResult(i), shardableType(result),
                                shardingOf(rule.results[i], axes),
                                shardings.of(result)));
}

} // namespace xlac::transforms
