// Sorts of which only the first rows are read, along a sharded dimension: each
// device sorts its shard, and the first rows of all shards are gathered and
// sorted again.
#include "SpmdPartitioner.h"

#include "SpmdSorts.h"

using namespace mlir;

namespace xlac::transforms {

namespace {

/// The operand by whose elements alone a sort orders, and the direction.
struct SortKey {
  unsigned operand = 0;
  bool ascends = true;
};

} // namespace

/// Returns the key of a sort if its comparator is a single comparison that
/// orders all elements, so that one value is never before another one.
static std::optional<SortKey> keyOf(stablehlo::SortOp op) {
  Block &body = op->getRegion(0).front();
  auto compare = dyn_cast<stablehlo::CompareOp>(body.front());
  if (!compare || body.getOperations().size() != 2 ||
      body.getTerminator()->getOperand(0) != compare->getResult(0))
    return std::nullopt;
  auto left = dyn_cast<BlockArgument>(compare->getOperand(0));
  auto right = dyn_cast<BlockArgument>(compare->getOperand(1));
  auto direction = compare.getComparisonDirection();
  bool less = direction == stablehlo::ComparisonDirection::LT;
  if (!left || !right || left == right || left.getOwner() != &body ||
      right.getOwner() != &body ||
      left.getArgNumber() / 2 != right.getArgNumber() / 2 ||
      (!less && direction != stablehlo::ComparisonDirection::GT))
    return std::nullopt;
  Type element = StablehloBuilder::typeOf(left).getElementType();
  bool isTotal = compare.getCompareType() ==
                 std::optional(stablehlo::ComparisonType::TOTALORDER);
  bool isIeee =
      element.isF16() || element.isBF16() || element.isF32() || element.isF64();
  if (!isa<IntegerType>(element) && !(isIeee && isTotal))
    return std::nullopt;
  return SortKey{left.getArgNumber() / 2,
                 less == (left.getArgNumber() < right.getArgNumber())};
}

/// Returns a scalar that no other one comes after.
static Value lastOf(StablehloBuilder &b, Type element, bool ascends) {
  auto type = RankedTensorType::get({}, element);
  unsigned width = element.getIntOrFloatBitWidth();
  DenseElementsAttr value;
  if (auto number = dyn_cast<FloatType>(element)) {
    // NaN with all bits set, and the sign of the end of the total order.
    llvm::APInt bits = ascends ? llvm::APInt::getSignedMaxValue(width)
                               : llvm::APInt::getAllOnes(width);
    value = DenseElementsAttr::get(
        type, llvm::APFloat(number.getFloatSemantics(), bits));
  } else {
    bool isUnsigned = element.isUnsignedInteger() || width == 1;
    llvm::APInt most = isUnsigned ? llvm::APInt::getMaxValue(width)
                                  : llvm::APInt::getSignedMaxValue(width);
    llvm::APInt least = isUnsigned ? llvm::APInt::getMinValue(width)
                                   : llvm::APInt::getSignedMinValue(width);
    value = DenseElementsAttr::get(type, ascends ? most : least);
  }
  return b.value("stablehlo.constant", type, {},
                 {b.builder.getNamedAttr("value", value)});
}

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
  auto fillPadding = [&](Value shard, Value fill) {
    return emitter.maskPadding(shard, dim, whole.getDimSize(dim), cut, fill);
  };
  if (std::optional<SortKey> key = keyOf(op); padded && key) {
    // Stable sorts put padding, which is after all elements, last.
    Value &shard = operands[key->operand];
    Type element = StablehloBuilder::typeOf(shard).getElementType();
    shard = fillPadding(shard, lastOf(b, element, key->ascends));
    padded = false;
  }
  if (padded) {
    RankedTensorType type =
        StablehloBuilder::typeOf(operands.front()).clone(builder.getI1Type());
    Value isPadding =
        b.splat(RankedTensorType::get({}, type.getElementType()), 1);
    operands.push_back(fillPadding(b.splat(type, 0), isPadding));
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
