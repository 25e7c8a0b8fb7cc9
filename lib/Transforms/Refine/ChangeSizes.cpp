// First, classes of equal sizes are propagated from the arguments through the
// factors of each op (SpmdRules.h), forwards and backwards, until nothing
// changes. Then one walk in program order sets the types: those of constants,
// iotas, broadcasts and reshapes from the classes, all others by shape rules.
#include "ChangeSizes.h"

#include "Spmd/SpmdRules.h"
#include "StablehloBuilder.h"

#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Transforms/Passes.h"
#include "xlac/support/size_limit.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>

using namespace mlir;

namespace xlac::transforms {

#define GEN_PASS_DEF_CHANGESIZES
#include "xlac/Transforms/Passes.h.inc"

namespace {

/// A size that changes. Values that are found to have the same size are joined.
struct SizeClass {
  int64_t before, after;
  unsigned parent; ///< itself unless it was joined to another class
};

/// The classes whose product is a size, the slowest first.
using ClassList = SmallVector<unsigned, 2>;
using ValueClasses = SmallVector<ClassList, 4>;

class SizeChange {
public:
  explicit SizeChange(func::FuncOp function) : function(function) {}

  LogicalResult addArguments(ArrayRef<SizedArgument> sizes);
  LogicalResult propagate();
  LogicalResult apply();

private:
  unsigned find(unsigned number) const;
  bool merge(ClassList &into, const ClassList &from);
  bool mergeValues(Value first, Value second);
  void distribute(const ClassList &list, ArrayRef<unsigned> factors,
                  const SpmdRule &rule, MutableArrayRef<ClassList> of);
  ValueClasses *classesOf(Value value);
  bool propagateThrough(Operation *op);
  bool propagateThrough(const SpmdRule &rule, Operation *op);

  std::optional<int64_t> sizeAfter(int64_t size, const ClassList &list) const;
  LogicalResult planTypes();
  void noteNumber(int64_t before, int64_t after);
  void noteNumbers(Operation *op);
  std::optional<int64_t> numberAfter(int64_t number) const;
  Attribute elementAfter(Attribute element, mlir::Type type) const;
  LogicalResult applyToConstant(stablehlo::ConstantOp op);
  void setSizeAttributes(Operation *op);
  LogicalResult inferTypes(Operation *op);
  LogicalResult applyToControl(Operation *op);
  LogicalResult applyTo(Block &block);

  func::FuncOp function;
  std::vector<Operation *> order; ///< all ops except those of computations
  std::vector<SizeClass> classes;
  DenseMap<Value, ValueClasses> valueClasses;
  DenseMap<Operation *, SpmdRule> rules;
  /// Types before the change, and after it according to classes.
  DenseMap<Value, std::pair<RankedTensorType, RankedTensorType>> types;
  /// Numbers of elements before the change and after it.
  std::map<int64_t, int64_t> numbers;
  bool hasConflict = false;
};

} // namespace

//===- Classes ------------------------------------------------------------===//

unsigned SizeChange::find(unsigned number) const {
  while (classes[number].parent != number)
    number = classes[number].parent;
  return number;
}

/// Returns null for values without static tensor type.
ValueClasses *SizeChange::classesOf(Value value) {
  RankedTensorType type = shardableType(value);
  if (!type)
    return nullptr;
  auto [found, isNew] = valueClasses.try_emplace(value);
  if (isNew)
    found->second.resize(type.getRank());
  return &found->second;
}

LogicalResult SizeChange::addArguments(ArrayRef<SizedArgument> sizes) {
  for (const auto &[number, shape] : sizes) {
    if (number >= function.getNumArguments())
      return failure();
    BlockArgument argument = function.getArgument(number);
    RankedTensorType type = shardableType(argument);
    if (!type || type.getRank() != int64_t(shape.size()))
      return failure();
    ValueClasses &dims = *classesOf(argument);
    for (auto [d, size] : llvm::enumerate(shape)) {
      if (size == type.getDimSize(d))
        continue;
      unsigned added = classes.size();
      classes.push_back({type.getDimSize(d), size, added});
      dims[d] = {added};
    }
  }
  return success();
}

/// Makes `into` the classes that both lists describe. Returns whether it has
/// changed or classes were joined.
bool SizeChange::merge(ClassList &into, const ClassList &from) {
  if (from.empty())
    return false;
  if (into.size() < from.size()) {
    into = from;
    return true;
  }
  if (into.size() != from.size())
    return false;
  bool isChanged = false;
  for (auto [a, b] : llvm::zip_equal(into, from)) {
    unsigned first = find(a), second = find(b);
    if (first == second)
      continue;
    // One size cannot change in two ways.
    if (classes[first].before != classes[second].before ||
        classes[first].after != classes[second].after)
      hasConflict = true;
    classes[std::max(first, second)].parent = std::min(first, second);
    isChanged = true;
  }
  return isChanged;
}

bool SizeChange::mergeValues(Value first, Value second) {
  ValueClasses *a = classesOf(first);
  if (!a || !classesOf(second))
    return false;
  a = classesOf(first); // the second lookup may have moved the entries
  ValueClasses &b = *classesOf(second);
  if (a->size() != b.size())
    return false;
  bool isChanged = false;
  for (auto [left, right] : llvm::zip_equal(*a, b)) {
    isChanged |= merge(left, right);
    isChanged |= merge(right, left);
  }
  return isChanged;
}

/// Assigns the classes of a dimension to the factors that it consists of: each
/// factor takes the next classes that divide its size. A class that fits no
/// factor goes to the slowest.
void SizeChange::distribute(const ClassList &list, ArrayRef<unsigned> factors,
                            const SpmdRule &rule,
                            MutableArrayRef<ClassList> of) {
  SmallVector<ClassList, 4> lists(factors.size());
  if (factors.size() == 1) {
    lists[0] = list;
  } else {
    size_t next = 0;
    for (auto [taken, factor] : llvm::zip_equal(lists, factors)) {
      int64_t rest = rule.factors[factor].size;
      for (; next < list.size() && rest % classes[find(list[next])].before == 0;
           ++next) {
        taken.push_back(list[next]);
        rest /= classes[find(list[next])].before;
      }
    }
    if (next < list.size())
      hasConflict = true;
  }
  for (auto [taken, factor] : llvm::zip_equal(lists, factors))
    merge(of[factor], taken);
}

bool SizeChange::propagateThrough(const SpmdRule &rule, Operation *op) {
  SmallVector<ClassList> factors(rule.factors.size());
  auto collect = [&](ValueRange values, ArrayRef<DimFactors> tensors) {
    for (auto [value, dims] : llvm::zip_equal(values, tensors))
      if (ValueClasses *own = classesOf(value))
        for (auto [list, parts] : llvm::zip(*own, dims))
          if (!list.empty() && !parts.empty())
            distribute(list, parts, rule, factors);
  };
  collect(op->getOperands(), rule.operands);
  collect(op->getResults(), rule.results);
  bool isChanged = false;
  auto extend = [&](ValueRange values, ArrayRef<DimFactors> tensors) {
    for (auto [value, dims] : llvm::zip_equal(values, tensors))
      if (ValueClasses *own = classesOf(value))
        for (auto [list, parts] : llvm::zip(*own, dims)) {
          ClassList all;
          for (unsigned factor : parts)
            all.append(factors[factor]);
          isChanged |= merge(list, all);
        }
  };
  extend(op->getOperands(), rule.operands);
  extend(op->getResults(), rule.results);
  return isChanged;
}

bool SizeChange::propagateThrough(Operation *op) {
  bool isChanged = false;
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op)) {
    Operation *end = loop->getRegion(1).front().getTerminator();
    for (auto [i, operand] : llvm::enumerate(loop->getOperands())) {
      isChanged |= mergeValues(operand, loop->getResult(i));
      isChanged |= mergeValues(operand, end->getOperand(i));
      for (Region &region : loop->getRegions())
        isChanged |= mergeValues(operand, region.getArgument(i));
    }
  } else if (isa<stablehlo::IfOp, stablehlo::CaseOp>(op)) {
    for (Region &region : op->getRegions())
      for (auto [result, value] : llvm::zip_equal(
               op->getResults(), region.front().getTerminator()->getOperands()))
        isChanged |= mergeValues(result, value);
  } else if (!op->hasTrait<OpTrait::IsTerminator>()) {
    auto [found, isNew] = rules.try_emplace(op);
    if (isNew)
      found->second = spmdRule(op);
    return propagateThrough(found->second, op);
  }
  return isChanged;
}

/// Returns true for ops whose regions contain ops on tensors of any shape.
static bool isControl(Operation *op) {
  return isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op);
}

static void collectOps(Block &block, std::vector<Operation *> &order) {
  for (Operation &op : block) {
    order.push_back(&op);
    if (isControl(&op))
      for (Region &region : op.getRegions())
        collectOps(region.front(), order);
  }
}

LogicalResult SizeChange::propagate() {
  // Classes reach most ops in one walk forwards, and constants that broadcasts
  // use in one walk backwards.
  constexpr int kMostRounds = 16;
  collectOps(function.getBody().front(), order);
  for (int round = 0; round < kMostRounds && !hasConflict; ++round) {
    bool isChanged = false;
    for (Operation *op : order)
      isChanged |= propagateThrough(op);
    for (Operation *op : llvm::reverse(order))
      isChanged |= propagateThrough(op);
    if (!isChanged)
      return failure(hasConflict);
  }
  return failure();
}

//===- Types --------------------------------------------------------------===//

std::optional<int64_t> SizeChange::sizeAfter(int64_t size,
                                             const ClassList &list) const {
  for (unsigned number : list) {
    const SizeClass &one = classes[find(number)];
    if (one.before == 0 || size % one.before != 0 ||
        llvm::MulOverflow(size / one.before, one.after, size))
      return std::nullopt;
  }
  return size;
}

/// Determines the types that follow from classes. Fails if the size of a value
/// is no multiple of its classes, or is impossible.
LogicalResult SizeChange::planTypes() {
  for (const auto &[value, lists] : valueClasses) {
    RankedTensorType type = shardableType(value);
    SmallVector<int64_t> sizes;
    for (auto [size, list] : llvm::zip_equal(type.getShape(), lists)) {
      std::optional<int64_t> after = sizeAfter(size, list);
      if (!after)
        return failure();
      sizes.push_back(*after);
    }
    if (llvm::any_of(sizes, [](int64_t size) { return size < 0; }) ||
        !is_holdable(sizes))
      return failure();
    types[value] = {type, type.clone(sizes)};
  }
  return success();
}

void SizeChange::noteNumber(int64_t before, int64_t after) {
  // Smaller numbers are more often something else.
  constexpr int64_t kLeast = 5;
  if (before != after && before >= kLeast)
    numbers.try_emplace(before, after);
}

/// Notes sizes, and numbers of reduced elements.
void SizeChange::noteNumbers(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto [before, after] = types.lookup(operand);
    if (before == after)
      continue;
    for (auto [old, now] : llvm::zip_equal(before.getShape(), after.getShape()))
      noteNumber(old, now);
    noteNumber(before.getNumElements(), after.getNumElements());
  }
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  if (!reduce)
    return;
  auto [before, after] = types.lookup(op->getOperand(0));
  if (before == after)
    return;
  int64_t old = 1, now = 1;
  for (int64_t d : reduce.getDimensions()) {
    old *= before.getDimSize(d);
    now *= after.getDimSize(d);
  }
  noteNumber(old, now);
}

std::optional<int64_t> SizeChange::numberAfter(int64_t number) const {
  if (auto found = numbers.find(number); found != numbers.end())
    return found->second;
  // The last index, or the divisor of an unbiased variance.
  if (auto found = numbers.find(number + 1); found != numbers.end())
    return found->second - 1;
  return std::nullopt;
}

/// Returns a number of elements or the reciprocal of one as it is after the
/// change, and other elements unchanged.
Attribute SizeChange::elementAfter(Attribute element, mlir::Type type) const {
  if (auto number = dyn_cast<IntegerAttr>(element)) {
    const APInt &value = number.getValue();
    if (value.getBitWidth() <= 8 || value.getSignificantBits() > 63)
      return number;
    std::optional<int64_t> after = numberAfter(value.getSExtValue());
    if (!after || !llvm::isIntN(value.getBitWidth() - 1, *after))
      return number;
    return IntegerAttr::get(type, APInt(value.getBitWidth(), *after));
  }
  auto number = cast<FloatAttr>(element);
  double value = number.getValueAsDouble();
  if (!(value > 0))
    return number;
  bool isReciprocal = value < 1;
  double whole = std::round(isReciprocal ? 1 / value : value);
  // Rounding to the element type must give the constant back.
  if (whole > 1e15 ||
      FloatAttr::get(type, isReciprocal ? 1 / whole : whole) != number)
    return number;
  std::optional<int64_t> after = numberAfter(int64_t(whole));
  if (!after || *after <= 0)
    return number;
  return FloatAttr::get(type,
                        isReciprocal ? 1 / double(*after) : double(*after));
}

LogicalResult SizeChange::applyToConstant(stablehlo::ConstantOp op) {
  auto [before, after] = types.lookup(op->getResult(0));
  if (!after)
    return success();
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat)
    return success(before == after);
  mlir::Type element = after.getElementType();
  if (isa<FloatType, IntegerType>(element))
    op.setValueAttr(DenseElementsAttr::get(
        after, elementAfter(splat.getSplatValue<Attribute>(), element)));
  else
    op.setValueAttr(cast<DenseElementsAttr>(splat).resizeSplat(after));
  op->getResult(0).setType(after);
  return success();
}

/// `sizes`, with the new sizes where they are those of `before`.
static SmallVector<int64_t> sizesIn(ArrayRef<int64_t> sizes,
                                    ArrayRef<int64_t> before,
                                    ArrayRef<int64_t> after) {
  SmallVector<int64_t> all(sizes);
  for (auto [size, old, now] : llvm::zip_equal(all, before, after))
    if (size == old)
      size = now;
  return all;
}

/// Adapts attributes that contain sizes. The operands have their new types.
void SizeChange::setSizeAttributes(Operation *op) {
  if (op->getNumOperands() == 0)
    return;
  auto [before, planned] = types.lookup(op->getOperand(0));
  if (!before)
    return;
  auto after = cast<RankedTensorType>(op->getOperand(0).getType());
  // A slice to the end remains one.
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op))
    slice.setLimitIndices(
        sizesIn(slice.getLimitIndices(), before.getShape(), after.getShape()));
  else if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op))
    slice.setSliceSizes(
        sizesIn(slice.getSliceSizes(), before.getShape(), after.getShape()));
  else if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    gather.setSliceSizes(
        sizesIn(gather.getSliceSizes(), before.getShape(), after.getShape()));
}

/// Sets the result types by the shape rule.
LogicalResult SizeChange::inferTypes(Operation *op) {
  // The rules of these take sizes from the declared types.
  if (isa<stablehlo::IotaOp, stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp,
          stablehlo::BitcastConvertOp>(op)) {
    if (RankedTensorType after = types.lookup(op->getResult(0)).second)
      op->getResult(0).setType(after);
    return success();
  }
  bool isChanged = llvm::any_of(op->getOperands(), [&](Value operand) {
    RankedTensorType before = types.lookup(operand).first;
    return before && before != operand.getType();
  });
  if (!isChanged)
    return success();
  if (!opKind(op->getName()) || isa<stablehlo::CustomCallOp>(op))
    return failure();
  setSizeAttributes(op);
  for (Value result : op->getResults())
    if (RankedTensorType type = shardableType(result))
      result.setType(type.clone(
          SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic)));
  FailureOr<SmallVector<mlir::Type>> inferred = refinedResultTypes(op);
  if (failed(inferred))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), *inferred)) {
    if (!isStaticTensor(type))
      return failure();
    result.setType(type);
  }
  return success();
}

LogicalResult SizeChange::applyToControl(Operation *op) {
  bool isLoop = isa<stablehlo::WhileOp>(op);
  for (Region &region : op->getRegions()) {
    if (isLoop)
      for (auto [argument, operand] :
           llvm::zip_equal(region.getArguments(), op->getOperands()))
        argument.setType(operand.getType());
    if (failed(applyTo(region.front())))
      return failure();
  }
  // The body of a loop, or the first branch.
  Operation *end = op->getRegion(isLoop ? 1 : 0).front().getTerminator();
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), end->getOperands()))
    result.setType(value.getType());
  return success();
}

LogicalResult SizeChange::applyTo(Block &block) {
  for (Operation &op : block.without_terminator()) {
    LogicalResult applied = success();
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
      applied = applyToConstant(constant);
    else if (isControl(&op))
      applied = applyToControl(&op);
    else
      applied = inferTypes(&op);
    if (failed(applied))
      return failure();
  }
  return success();
}

LogicalResult SizeChange::apply() {
  if (failed(planTypes()))
    return failure();
  for (Operation *op : order)
    noteNumbers(op);
  Block &body = function.getBody().front();
  for (BlockArgument argument : body.getArguments())
    if (RankedTensorType after = types.lookup(argument).second)
      argument.setType(after);
  if (failed(applyTo(body)))
    return failure();
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
  return verify(function);
}

LogicalResult changeSizes(func::FuncOp function,
                          ArrayRef<SizedArgument> sizes) {
  assert(llvm::hasSingleElement(function.getBody()) && "calls are inlined");
  SizeChange change(function);
  if (failed(change.addArguments(sizes)) || failed(change.propagate()))
    return failure();
  return change.apply();
}

namespace {
class ChangeSizes : public impl::ChangeSizesBase<ChangeSizes> {
public:
  using Base::Base;

private:
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>(entry);
    if (!main)
      return signalPassFailure();
    FailureOr<SmallVector<SizedArgument>> arguments = readSizes(main, sizes);
    if (failed(arguments) || failed(changeSizes(main, *arguments)))
      signalPassFailure();
  }
};
} // namespace

} // namespace xlac::transforms
