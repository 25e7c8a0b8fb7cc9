#include "ElementEmitter.h"

#include "Loops.h"
#include "Scalar/ScalarOps.h"
#include "Softmax.h"

#include <numeric>

using namespace llvm;
using mlir::RankedTensorType;

namespace xlac::codegen {

ElementEmitter::ElementEmitter(KernelFunction &kernel, IRBuilder<> &builder,
                               unsigned width)
    : kernel(kernel), ir(builder), laneCount(width),
      math(builder, !kernel.anySize()) {
  assert(width >= 1 && "an emitter has lanes");
  auto note = [&](mlir::Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape())
      return;
    int64_t count = 1;
    for (int64_t size : type.getShape())
      if (__builtin_mul_overflow(count, size, &count))
        count = INT64_MAX;
    smallIndices &= count <= INT32_MAX;
  };
  mlir::Block &body = kernel.kernel.getBody().front();
  for (mlir::Value argument : body.getArguments())
    note(argument);
  for (mlir::Operation &op : body)
    for (mlir::Value result : op.getResults())
      note(result);
}

//===- Scopes and loops ---------------------------------------------------===//

ElementEmitter::Scope::Scope(ElementEmitter &emitter)
    : emitter(emitter), mark(emitter.knownOrder.size()),
      indexMark(emitter.math.mark()) {}

ElementEmitter::Scope::~Scope() {
  for (; emitter.knownOrder.size() > mark; emitter.knownOrder.pop_back())
    emitter.known.erase(emitter.knownOrder.back());
  emitter.math.release(indexMark);
}

void ElementEmitter::forget() {
  known.clear();
  knownOrder.clear();
  math.release(0);
}

ElementEmitter::Key ElementEmitter::keyOf(mlir::Value value,
                                          ArrayRef<LaneIndex> indices) {
  Key key{value.getAsOpaquePointer(),
          reinterpret_cast<void *>(size_t(laneCount))};
  for (const LaneIndex &index : indices) {
    key.push_back(index.base);
    key.push_back(reinterpret_cast<void *>(index.stride));
    key.push_back(index.lanes);
  }
  return key;
}

SmallVector<LaneIndex> ElementEmitter::normalize(mlir::Value value,
                                                 ArrayRef<LaneIndex> given) {
  assert(given.size() == sizesOf(value).size() &&
         "an element has an index for each dimension");
  SmallVector<LaneIndex> indices(given);
  for (auto [index, size] : zip_equal(indices, sizesOf(value))) {
    if (size == 1)
      index = uniform(int64_t(0));
    else if (laneCount == 1)
      index = {index.base, 0, nullptr};
  }
  return indices;
}

void ElementEmitter::memoize(mlir::Value value, ArrayRef<LaneIndex> indices,
                             Element element) {
  remember(keyOf(value, normalize(value, indices)), splat(element));
}

void ElementEmitter::remember(const Key &key, Element element) {
  assert(element.real && "an element has a value");
  auto [place, isNew] = known.emplace(key, element);
  if (isNew)
    knownOrder.push_back(place);
}

SmallVector<Element> ElementEmitter::loop(Value *begin, Value *end,
                                          int64_t step,
                                          ArrayRef<Element> initial,
                                          LoopBody body) {
  assert(step > 0 && "loops count up");
  auto flatten = [](ArrayRef<Element> elements) {
    LoopValues values;
    for (const Element &element : elements) {
      values.push_back(element.real);
      if (element.imag)
        values.push_back(element.imag);
    }
    return values;
  };
  auto restore = [&](ArrayRef<Value *> values) {
    SmallVector<Element> elements;
    size_t next = 0;
    for (const Element &like : initial) {
      Element element{values[next++]};
      if (like.imag)
        element.imag = values[next++];
      elements.push_back(element);
    }
    return elements;
  };
  LoopValues results =
      emitFor(ir, begin, end, ir.getInt64(step), flatten(initial),
              [&](Value *index, ArrayRef<Value *> carried) {
                Scope scope(*this);
                math.setMultiple(index, std::gcd(math.multipleOf(begin), step));
                return flatten(body(index, restore(carried)));
              });
  return restore(results);
}

SmallVector<Element> ElementEmitter::loopNest(
    ArrayRef<int64_t> sizes, ArrayRef<Element> initial,
    function_ref<SmallVector<Element>(ArrayRef<Value *>, ArrayRef<Element>)>
        body) {
  SmallVector<Value *> indices;
  std::function<SmallVector<Element>(ArrayRef<Element>)> level =
      [&](ArrayRef<Element> carried) -> SmallVector<Element> {
    if (indices.size() == sizes.size())
      return body(indices, carried);
    return loop(ir.getInt64(0), ir.getInt64(sizes[indices.size()]), 1, carried,
                [&](Value *index, ArrayRef<Element> inner) {
                  indices.push_back(index);
                  SmallVector<Element> next = level(inner);
                  indices.pop_back();
                  return next;
                });
  };
  return level(initial);
}

//===- Elements -----------------------------------------------------------===//

Element ElementEmitter::emit(mlir::Value value, ArrayRef<LaneIndex> given) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape()) {
    mlir::Operation *op = value.getDefiningOp();
    kernel.fail(op ? op : kernel.kernel.getOperation(),
                "only tensors of static shape can be computed in a kernel");
    return {PoisonValue::get(ir.getInt8Ty())};
  }
  SmallVector<LaneIndex> indices = normalize(value, given);

  if (auto found = bound.find(value); found != bound.end()) {
    ElementGenerator generator = found->second.generator;
    Element element = generator(indices);
    if (laneCount > 1)
      return splat(element);
    auto first = [&](Value *&part) {
      if (part && part->getType()->isVectorTy())
        part = ir.CreateExtractElement(part, uint64_t(0));
    };
    first(element.real);
    first(element.imag);
    return element;
  }

  Key key = keyOf(value, indices);
  if (auto found = known.find(key); found != known.end())
    return found->second;

  Element element;
  if (auto argument = dyn_cast<mlir::BlockArgument>(value)) {
    assert((argument.getOwner() != &kernel.kernel.getBody().front() ||
            argument.getArgNumber() < kernel.operandPointers.size()) &&
           "every operand of the kernel has an address");
    if (argument.getOwner() == &kernel.kernel.getBody().front())
      element = load(type, kernel.operandPointers[argument.getArgNumber()],
                     indices, laneCount > 1 ? loadMask : nullptr);
    else {
      kernel.fail(argument.getOwner()->getParentOp(),
                  "a value of its region is used where it is not known");
      element = poison(type.getElementType());
    }
  } else {
    element = emitDefinition(cast<mlir::OpResult>(value), indices);
  }
  remember(key, element);
  return element;
}

void ElementEmitter::bind(mlir::Value value, ElementGenerator generator,
                          uint64_t collapsibleDims) {
  assert(generator && "a bound value has a generator");
  bound[value] = {std::move(generator), collapsibleDims};
}

Element ElementEmitter::emitDefinition(mlir::OpResult value,
                                       ArrayRef<LaneIndex> indices) {
  mlir::Operation *op = value.getOwner();
  if (op->hasTrait<mlir::OpTrait::ConstantLike>())
    return emitConstant(value, indices);
  Element result;
  if (emitMovement(value, indices, result) ||
      emitInnerLoop(value, indices, result))
    return result;
  if (isScalarOp(op))
    return emitElementwise(value, indices);
  kernel.fail(op, "is not supported inside a kernel");
  return poison(mlir::getElementTypeOrSelf(value));
}

Element ElementEmitter::emitElementwise(mlir::OpResult value,
                                        ArrayRef<LaneIndex> indices) {
  mlir::Operation *op = value.getOwner();
  SmallVector<Element> operands;
  for (mlir::Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    bool scalar = type && type.getRank() == 0;
    if (type && !scalar && type.getRank() != int64_t(indices.size())) {
      kernel.fail(op, "has operands of different rank");
      return poison(mlir::getElementTypeOrSelf(value));
    }
    operands.push_back(emit(operand, scalar ? ArrayRef<LaneIndex>() : indices));
  }
  assert(operands.size() == op->getNumOperands() && "an element an operand");
  ScalarEmitter scalar{ir, laneCount, kernel.profile};
  if (dividesInSoftmax(op)) {
    Num a{&scalar, operands[0].real}, b{&scalar, operands[1].real};
    if (hasFusedMultiply(a))
      return {divideInSoftmax(a, b).value};
  }
  return check(emitScalarOp(scalar, op, operands), op,
               mlir::getElementTypeOrSelf(value));
}

Element ElementEmitter::check(Expected<Element> element, mlir::Operation *op,
                              mlir::Type type) {
  if (element)
    return *element;
  kernel.fail(op, toString(element.takeError()));
  return poison(type);
}

SmallVector<Element> ElementEmitter::emitRegion(mlir::Region &region,
                                                ArrayRef<Element> arguments) {
  assert(region.hasOneBlock() && region.getNumArguments() == arguments.size() &&
         "a region takes an element an argument");
  mlir::Block &block = region.front();
  Scope scope(*this);
  for (auto [argument, element] : zip_equal(block.getArguments(), arguments)) {
    Element copy = element;
    bind(argument, [copy](ArrayRef<LaneIndex>) { return copy; });
  }
  SmallVector<Element> results;
  for (mlir::Value result : block.getTerminator()->getOperands())
    results.push_back(emit(result, {}));
  for (mlir::BlockArgument argument : block.getArguments())
    bound.erase(argument);
  return results;
}

//===- Constants ----------------------------------------------------------===//

/// Appends the bits of a constant's parts as they are stored in memory.
static void appendBits(mlir::Attribute value, mlir::Type type,
                       SmallVectorImpl<APInt> &bits) {
  if (auto parts = dyn_cast<mlir::ArrayAttr>(value)) {
    for (mlir::Attribute part : parts)
      appendBits(part, type, bits);
    return;
  }
  unsigned width = elementBytes(type) * 8;
  if (auto number = dyn_cast<mlir::FloatAttr>(value)) {
    bits.push_back(number.getValue().bitcastToAPInt().zext(width));
    return;
  }
  APInt number = cast<mlir::IntegerAttr>(value).getValue();
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  bits.push_back(isUnsigned ? number.zext(width) : number.sext(width));
}

static llvm::Constant *makeGlobal(mlir::DenseElementsAttr value,
                                  llvm::Module &module) {
  mlir::Type type = value.getElementType();
  if (auto complex = dyn_cast<mlir::ComplexType>(type))
    type = complex.getElementType();
  SmallVector<APInt> bits;
  for (mlir::Attribute element : value.getValues<mlir::Attribute>())
    appendBits(element, type, bits);
  assert(llvm::all_of(bits,
                      [&](const APInt &element) {
                        return element.getBitWidth() ==
                               unsigned(elementBytes(type)) * 8;
                      }) &&
         "a constant's elements are as wide as memory has them");
  unsigned width = elementBytes(type) * 8;
  auto *integer = IntegerType::get(module.getContext(), width);
  SmallVector<llvm::Constant *> elements;
  for (const APInt &element : bits)
    elements.push_back(ConstantInt::get(integer, element));
  auto *array = ArrayType::get(integer, elements.size());
  auto *global =
      new GlobalVariable(module, array, true, GlobalValue::PrivateLinkage,
                         ConstantArray::get(array, elements));
  global->setAlignment(Align(64));
  return global;
}

/// Returns the row-major number of an element, if its indices are constants
/// that all lanes share.
static std::optional<int64_t> knownPlace(ArrayRef<int64_t> sizes,
                                         ArrayRef<LaneIndex> indices) {
  int64_t place = 0;
  for (auto [size, index] : zip_equal(sizes, indices)) {
    auto *base = dyn_cast<ConstantInt>(index.base ? index.base : index.lanes);
    if (!base || index.lanes || index.stride != 0)
      return std::nullopt;
    int64_t number = base->getSExtValue();
    if (number < 0 || number >= size)
      return std::nullopt;
    place = place * size + number;
  }
  return place;
}

Element ElementEmitter::emitConstant(mlir::OpResult value,
                                     ArrayRef<LaneIndex> indices) {
  mlir::Operation *op = value.getOwner();
  auto attribute = op->getAttrOfType<mlir::DenseElementsAttr>("value");
  auto type = cast<RankedTensorType>(value.getType());
  mlir::Type element = type.getElementType();
  if (!attribute || elementBytes(element) == 0) {
    kernel.fail(op, "holds a constant that do not fit in a kernel");
    return poison(element);
  }
  if (attribute.isSplat())
    return constant(element, attribute.getSplatValue<mlir::Attribute>());
  if (std::optional<int64_t> place = knownPlace(type.getShape(), indices))
    return constant(element, attribute.getValues<mlir::Attribute>()[*place]);
  llvm::Constant *&global = kernel.constants[attribute];
  if (!global)
    global = makeGlobal(attribute, *kernel.function->getParent());
  return load(type, global, indices);
}

Element ElementEmitter::constant(mlir::Type elementType,
                                 mlir::Attribute value) {
  ScalarEmitter scalar{ir, laneCount, kernel.profile};
  return constantElement(scalar, elementType, value);
}

static mlir::Type partType(mlir::Type type) {
  auto complex = dyn_cast<mlir::ComplexType>(type);
  return complex ? complex.getElementType() : type;
}

Element ElementEmitter::zero(mlir::Type type) {
  Type *lanes = laneType(ir.getContext(), type, laneCount);
  if (!lanes)
    return poison(type);
  Value *nothing = llvm::Constant::getNullValue(lanes);
  return {nothing, isa<mlir::ComplexType>(type) ? nothing : nullptr};
}

Element ElementEmitter::poison(mlir::Type type) {
  Type *lanes = laneType(ir.getContext(), partType(type), laneCount);
  if (!lanes)
    lanes = laneCount == 1
                ? ir.getInt8Ty()
                : (Type *)FixedVectorType::get(ir.getInt8Ty(), laneCount);
  Value *nothing = PoisonValue::get(lanes);
  return {nothing, isa<mlir::ComplexType>(type) ? nothing : nullptr};
}

//===- Lanes --------------------------------------------------------------===//

Value *ElementEmitter::splat(Value *scalar) {
  if (laneCount == 1 || scalar->getType()->isVectorTy())
    return scalar;
  return ir.CreateVectorSplat(laneCount, scalar);
}

Element ElementEmitter::splat(Element scalar) {
  return {splat(scalar.real), scalar.imag ? splat(scalar.imag) : nullptr};
}

Element ElementEmitter::select(Value *condition, Element yes, Element no) {
  assert(!yes.imag == !no.imag && "both are complex or neither is");
  if (!condition)
    return yes;
  if (auto *known = dyn_cast<ConstantInt>(condition))
    return known->isOne() ? yes : no;
  return {ir.CreateSelect(condition, yes.real, no.real),
          yes.imag ? ir.CreateSelect(condition, yes.imag, no.imag) : nullptr};
}

Value *ElementEmitter::both(Value *left, Value *right) {
  if (!left || !right)
    return left ? left : right;
  assert(left->getType()->getScalarType()->isIntegerTy(1) &&
         right->getType()->getScalarType()->isIntegerTy(1) &&
         "conditions are bits");
  for (auto [known, other] : {std::pair(left, right), std::pair(right, left)})
    if (auto *bit = dyn_cast<ConstantInt>(known))
      return bit->isOne() ? other : known;
  if (left->getType() != right->getType()) {
    left = splat(left);
    right = splat(right);
  }
  return ir.CreateAnd(left, right);
}

Value *ElementEmitter::lanesOf(LaneIndex index) {
  if (index.lanes)
    return index.lanes;
  if (laneCount == 1)
    return index.base;
  return index.stride == 0 ? math.splat(index.base, laneCount)
                           : math.lanes(index.base, index.stride, laneCount);
}

LaneIndex ElementEmitter::offsetLanes(Value *base, ArrayRef<int64_t> offsets) {
  int64_t stride = offsets[1] - offsets[0];
  bool isRegular = true;
  for (size_t lane = 1; lane < offsets.size(); ++lane)
    isRegular &= offsets[lane] - offsets[lane - 1] == stride;
  if (isRegular)
    return {math.add(base, offsets[0]), stride, nullptr};
  auto *constant = cast<ConstantDataVector>(ConstantDataVector::get(
      ir.getContext(), to_vector_of<uint64_t>(offsets)));
  return {base, 0, math.add(math.splat(base, laneCount), constant), constant};
}

std::optional<SmallVector<int64_t>> ElementEmitter::offsetsOf(LaneIndex index) {
  if (laneCount == 1 || (index.lanes && !index.offsets))
    return std::nullopt;
  SmallVector<int64_t> offsets;
  for (int64_t lane = 0; lane < int64_t(laneCount); ++lane)
    offsets.push_back(index.lanes
                          ? int64_t(index.offsets->getElementAsInteger(lane))
                          : lane * index.stride);
  return offsets;
}

LaneIndex ElementEmitter::add(LaneIndex left, LaneIndex right) {
  if (!left.lanes && !right.lanes)
    return {math.add(left.base, right.base), left.stride + right.stride,
            nullptr};
  auto offsets = offsetsOf(left), others = offsetsOf(right);
  if (!offsets || !others)
    return {nullptr, 0, math.add(lanesOf(left), lanesOf(right))};
  for (auto [offset, other] : zip_equal(*offsets, *others))
    offset += other;
  return offsetLanes(math.add(left.base, right.base), *offsets);
}

LaneIndex ElementEmitter::add(LaneIndex index, int64_t offset) {
  return offset == 0 ? index : add(index, uniform(offset));
}

LaneIndex ElementEmitter::scale(LaneIndex index, int64_t factor) {
  if (factor == 1)
    return index;
  if (!index.lanes)
    return {math.mul(index.base, factor), index.stride * factor, nullptr};
  if (factor == 0)
    return uniform(int64_t(0));
  if (auto offsets = offsetsOf(index)) {
    for (int64_t &offset : *offsets)
      offset *= factor;
    return offsetLanes(math.mul(index.base, factor), *offsets);
  }
  return {
      nullptr, 0,
      ir.CreateMul(index.lanes, math.splat(math.constant(factor), laneCount))};
}

std::pair<LaneIndex, LaneIndex>
ElementEmitter::divide(LaneIndex index, int64_t divisor,
                       std::optional<int64_t> bound) {
  assert(divisor > 0 && "indices are divided by sizes");
  if (divisor == 1)
    return {index, uniform(int64_t(0))};
  if (!index.lanes) {
    Value *base = index.base;
    if (isUniform(index))
      return {uniform(math.div(base, divisor)),
              uniform(math.rem(base, divisor))};
    if (index.stride % divisor == 0)
      return {{math.div(base, divisor), index.stride / divisor, nullptr},
              uniform(math.rem(base, divisor))};
    // Lanes are in one row if they start at a multiple of `alignment` and stay
    // below the next multiple.
    int64_t alignment = std::gcd(math.multipleOf(base), divisor);
    if (index.stride > 0 && index.stride * (laneCount - 1) < alignment)
      return {uniform(math.div(base, divisor)),
              {math.rem(base, divisor), index.stride, nullptr}};
    // Short rows begin at the first lane.
    if (!kernel.anySize() && index.stride > 0 &&
        math.multipleOf(base) % divisor == 0) {
      SmallVector<int64_t> quotients, remainders;
      for (int64_t lane = 0; lane < int64_t(laneCount); ++lane) {
        quotients.push_back(lane * index.stride / divisor);
        remainders.push_back(lane * index.stride % divisor);
      }
      return {offsetLanes(math.div(base, divisor), quotients),
              offsetLanes(math.constant(0), remainders)};
    }
  }
  // The same for offsets, which short rows have.
  if (auto offsets = offsetsOf(index); offsets && index.lanes) {
    int64_t alignment = std::gcd(math.multipleOf(index.base), divisor);
    if (llvm::all_of(*offsets, [&](int64_t offset) {
          return offset >= 0 && offset < alignment;
        }))
      return {uniform(math.div(index.base, divisor)),
              offsetLanes(math.rem(index.base, divisor), *offsets)};
  }
  Value *lanes = lanesOf(index);
  Type *wide = lanes->getType();
  // The high half of a 64-bit product is much more expensive.
  if (bound ? *bound <= INT32_MAX : smallIndices)
    lanes =
        ir.CreateTrunc(lanes, FixedVectorType::get(ir.getInt32Ty(), laneCount));
  Value *by = ConstantInt::get(lanes->getType(), divisor);
  Value *quotient = ir.CreateUDiv(lanes, by);
  Value *remainder = ir.CreateSub(lanes, ir.CreateMul(quotient, by));
  return {{nullptr, 0, ir.CreateZExt(quotient, wide)},
          {nullptr, 0, ir.CreateZExt(remainder, wide)}};
}

LaneIndex ElementEmitter::clamp(LaneIndex index, int64_t low, int64_t high) {
  assert(low <= high + 1 && "no index is in bounds of an empty tensor alone");
  if (auto range = rangeOf(index);
      range && low <= range->low && range->high <= high)
    return index;
  if (isUniform(index))
    return uniform(math.max(math.min(index.base, math.constant(high)),
                            math.constant(low)));
  return {nullptr, 0,
          math.max(math.min(lanesOf(index),
                            math.splat(math.constant(high), laneCount)),
                   math.splat(math.constant(low), laneCount))};
}

std::optional<IndexMath::Range> ElementEmitter::rangeOf(LaneIndex index) {
  if (index.lanes)
    return std::nullopt;
  std::optional<IndexMath::Range> range = math.rangeOf(index.base);
  if (range)
    (index.stride < 0 ? range->low : range->high) +=
        index.stride * int64_t(laneCount - 1);
  return range;
}

Value *ElementEmitter::inBounds(LaneIndex index, int64_t size) {
  if (auto range = rangeOf(index)) {
    if (0 <= range->low && range->high < size)
      return nullptr;
    if (range->high < 0 || range->low >= size)
      return ir.getFalse();
  }
  Value *value = isUniform(index) ? index.base : lanesOf(index);
  return ir.CreateICmpULT(value, ConstantInt::get(value->getType(), size));
}

LaneIndex ElementEmitter::linearize(ArrayRef<int64_t> sizes,
                                    ArrayRef<LaneIndex> indices) {
  assert(sizes.size() == indices.size() && "an index for each dimension");
  LaneIndex linear = uniform(int64_t(0));
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0; step *= sizes[i])
    if (sizes[i] != 1)
      linear = add(scale(indices[i], step), linear);
  return linear;
}

SmallVector<LaneIndex> ElementEmitter::delinearize(ArrayRef<int64_t> sizes,
                                                   LaneIndex linear) {
  SmallVector<LaneIndex> indices(sizes.size(), uniform(int64_t(0)));
  // The code for a tensor without elements never runs, but must be valid.
  if (is_contained(sizes, 0))
    return indices;
  size_t outermost = 0;
  while (outermost < sizes.size() && sizes[outermost] == 1)
    ++outermost;
  for (size_t i = sizes.size(); i-- > outermost;) {
    if (i == outermost) {
      indices[i] = linear;
      break;
    }
    std::tie(linear, indices[i]) = divide(linear, sizes[i]);
  }
  return indices;
}

LaneIndex ElementEmitter::emitIndex(mlir::Value value,
                                    ArrayRef<LaneIndex> indices) {
  bool same =
      llvm::all_of(indices, [&](LaneIndex index) { return isUniform(index); });
  WidthScope narrow(*this, same ? 1 : laneCount);
  Value *number = emit(value, indices).real;
  mlir::Type type = mlir::getElementTypeOrSelf(value);
  if (!isa<mlir::IntegerType>(type))
    kernel.fail(kernel.kernel, "an index must be an integer");
  Type *i64 = ir.getInt64Ty();
  if (laneCount > 1)
    i64 = FixedVectorType::get(i64, laneCount);
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  if (number->getType()->isIntOrIntVectorTy())
    number =
        isUnsigned ? ir.CreateZExt(number, i64) : ir.CreateSExt(number, i64);
  if (type.isUnsignedInteger(64))
    number = ir.CreateBinaryIntrinsic(Intrinsic::umin, number,
                                      ConstantInt::get(i64, INT64_MAX));
  if (laneCount == 1)
    return uniform(number);
  return {nullptr, 0, number};
}

} // namespace xlac::codegen
