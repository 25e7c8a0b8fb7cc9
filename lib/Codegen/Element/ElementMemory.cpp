// Elements in buffers: their representation in memory, and the cheapest loads
// and stores for lanes.
#include "ElementEmitter.h"
#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/abi/abi.h"
#include "xlac/support/target_profile.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using mlir::RankedTensorType;

namespace xlac::codegen {

int64_t elementBytes(mlir::Type type) {
  if (auto complex = dyn_cast<mlir::ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
    return 0;
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

Type *ElementEmitter::memoryType(mlir::Type part) {
  if (part.isF32())
    return ir.getFloatTy();
  if (part.isF64())
    return ir.getDoubleTy();
  return ir.getIntNTy(std::max<int64_t>(1, elementBytes(part)) * 8);
}

Value *ElementEmitter::decode(mlir::Type type, Value *raw) {
  if (type.isInteger(1))
    return ir.CreateICmpNE(raw, llvm::Constant::getNullValue(raw->getType()));
  auto narrow = dyn_cast<mlir::FloatType>(type);
  if (!narrow || narrow.isF32() || narrow.isF64())
    return raw;
  ScalarEmitter scalar{ir, laneCount, kernel.profile};
  return decodeNarrowFloat(scalar, narrow, raw);
}

Value *ElementEmitter::encode(mlir::Type type, Value *value) {
  if (type.isInteger(1)) {
    Type *byte = ir.getInt8Ty();
    return ir.CreateZExt(
        value, laneCount == 1 ? byte : FixedVectorType::get(byte, laneCount));
  }
  auto narrow = dyn_cast<mlir::FloatType>(type);
  if (!narrow || narrow.isF32() || narrow.isF64())
    return value;
  ScalarEmitter scalar{ir, laneCount, kernel.profile};
  return encodeNarrowFloat(scalar, narrow, value);
}

static SmallVector<int> reversed(unsigned count) {
  SmallVector<int> mask;
  for (unsigned i = count; i-- > 0;)
    mask.push_back(i);
  return mask;
}

/// Most elements between lanes for which loads of all that lies between them
/// are faster than a gather.
static constexpr int64_t kMostStride = 8;

static bool isNear(LaneIndex index) {
  return !index.lanes && std::abs(index.stride) <= kMostStride;
}

/// Loads lanes with a constant distance of at least 2. Vectors contain
/// everything from the first lane to the last; the last of them ends with that
/// lane.
Value *ElementEmitter::loadStrided(FixedVectorType *type, Value *base,
                                   LaneIndex offset, Value *mask) {
  int64_t lanes = type->getNumElements(), stride = std::abs(offset.stride);
  int64_t span = (lanes - 1) * stride + 1;
  int64_t pieces = llvm::divideCeil(span, lanes);
  Value *first = offset.stride < 0
                     ? math.add(offset.base, offset.stride * (lanes - 1))
                     : offset.base;
  auto startOf = [&](int64_t piece) {
    return piece + 1 < pieces ? piece * lanes : span - lanes;
  };
  // The places of each lane.
  SmallVector<int64_t> pieceOf, elementOf;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    int64_t place = stride * (offset.stride < 0 ? lanes - 1 - lane : lane);
    pieceOf.push_back(std::min(place / lanes, pieces - 1));
    elementOf.push_back(place - startOf(pieceOf.back()));
  }
  auto load = [&](int64_t piece) -> Value * {
    Value *address = ir.CreateGEP(type->getElementType(), base,
                                  math.add(first, startOf(piece)));
    if (!mask)
      return ir.CreateAlignedLoad(type, address, Align(1));
    Value *none = llvm::Constant::getNullValue(mask->getType());
    SmallVector<int> laneOf(lanes, int(lanes)); // others are not loaded
    for (int64_t lane = 0; lane < lanes; ++lane)
      if (pieceOf[lane] == piece)
        laneOf[elementOf[lane]] = int(lane);
    return ir.CreateMaskedLoad(type, address, Align(1),
                               ir.CreateShuffleVector(mask, none, laneOf),
                               llvm::Constant::getNullValue(type));
  };
  Value *result = load(0);
  for (int64_t piece = 1; piece < pieces; ++piece) {
    SmallVector<int> chosen(lanes, PoisonMaskElem);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      if (pieceOf[lane] == piece)
        chosen[lane] = int(lanes + elementOf[lane]);
      else if (pieceOf[lane] < piece)
        chosen[lane] = int(piece == 1 ? elementOf[lane] : lane);
    }
    result = ir.CreateShuffleVector(result, load(piece), chosen);
  }
  return result;
}

/// Loads the elements between the first and the last lane, and shuffles them.
/// Returns null if they are many more than the lanes.
Value *ElementEmitter::loadShuffled(Type *scalar, Value *base, Value *first,
                                    ArrayRef<int64_t> offsets) {
  auto [low, high] = std::minmax_element(offsets.begin(), offsets.end());
  int64_t span = *high - *low + 1;
  if (span > 2 * int64_t(laneCount))
    return nullptr;
  Value *address = ir.CreateGEP(scalar, base, math.add(first, *low));
  if (span == 1)
    return splat(
        kernel.loadFrom(base, ir.CreateAlignedLoad(scalar, address, Align(1))));
  SmallVector<int> chosen;
  for (int64_t offset : offsets)
    chosen.push_back(int(offset - *low));
  LoadInst *loaded = ir.CreateAlignedLoad(FixedVectorType::get(scalar, span),
                                          address, Align(1));
  return ir.CreateShuffleVector(kernel.loadFrom(base, loaded), chosen);
}

Value *ElementEmitter::loadRaw(Type *scalar, Value *base, LaneIndex offset,
                               Value *mask) {
  // Arguments may have any address, hence Align(1) on all loads.
  auto at = [&](Value *index) { return ir.CreateGEP(scalar, base, index); };
  if (isUniform(offset)) {
    Value *index = offset.base;
    if (mask && laneCount == 1)
      index = ir.CreateSelect(mask, index, ir.getInt64(0));
    return splat(kernel.loadFrom(
        base, ir.CreateAlignedLoad(scalar, at(index), Align(1))));
  }
  auto *type = FixedVectorType::get(scalar, laneCount);
  if (!offset.lanes && std::abs(offset.stride) == 1) {
    bool backward = offset.stride < 0;
    Value *start =
        backward ? math.add(offset.base, -int64_t(laneCount - 1)) : offset.base;
    Value *loaded;
    if (mask) {
      if (backward)
        mask = ir.CreateShuffleVector(mask, reversed(laneCount));
      loaded = ir.CreateMaskedLoad(type, at(start), Align(1), mask,
                                   llvm::Constant::getNullValue(type));
    } else {
      loaded = kernel.loadFrom(base,
                               ir.CreateAlignedLoad(type, at(start), Align(1)));
    }
    return backward ? ir.CreateShuffleVector(loaded, reversed(laneCount))
                    : loaded;
  }
  if (isNear(offset))
    return loadStrided(type, base, offset, mask);
  if (auto offsets = offsetsOf(offset); offsets && offset.lanes && !mask)
    if (Value *loaded = loadShuffled(scalar, base, offset.base, *offsets))
      return loaded;
  bool gathers = (kernel.profile.features & kFeatureAvx512) &&
                 scalar->getPrimitiveSizeInBits() >= 32;
  if (mask || gathers) {
    Value *addresses = ir.CreateGEP(scalar, base, lanesOf(offset));
    return ir.CreateMaskedGather(type, addresses, Align(1), mask,
                                 llvm::Constant::getNullValue(type));
  }
  Value *result = PoisonValue::get(type);
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    Value *index =
        offset.lanes ? ir.CreateExtractElement(offset.lanes, lane)
                     : ir.CreateAdd(offset.base,
                                    ir.getInt64(offset.stride * int64_t(lane)));
    Value *element = ir.CreateAlignedLoad(scalar, at(index), Align(1));
    result = ir.CreateInsertElement(result, element, lane);
  }
  return result;
}

/// Emits a non-temporal store of a whole vector. Returns false if the address
/// is not known to be aligned.
bool ElementEmitter::storeStreamed(Value *raw, Value *base, LaneIndex offset) {
  assert(raw->getType()->isVectorTy() && "single elements are not streamed");
  uint64_t bytes = raw->getType()->getPrimitiveSizeInBits() / 8;
  // Offsets that differ by lane have no base.
  if (offset.lanes || offset.stride != 1 || bytes < 32 ||
      !isPowerOf2_64(bytes) ||
      math.multipleOf(offset.base) % int64_t(laneCount) != 0)
    return false;
  Type *scalar = raw->getType()->getScalarType();
  StoreInst *store =
      ir.CreateAlignedStore(raw, ir.CreateGEP(scalar, base, offset.base),
                            Align(std::min<uint64_t>(bytes, XLAC_ALIGNMENT)));
  auto *one = ConstantAsMetadata::get(ir.getInt32(1));
  store->setMetadata(LLVMContext::MD_nontemporal,
                     MDNode::get(ir.getContext(), one));
  kernel.storeApart(store);
  kernel.needsFence = true;
  return true;
}

void ElementEmitter::storeRaw(Value *raw, Value *base, LaneIndex offset,
                              Value *mask, bool streamed) {
  if (streamed && laneCount > 1 && !mask && storeStreamed(raw, base, offset))
    return;
  assert((laneCount == 1) == !raw->getType()->isVectorTy() &&
         "a value for each lane is stored");
  Type *scalar = raw->getType()->getScalarType();
  Align align(std::max<uint64_t>(1, scalar->getPrimitiveSizeInBits() / 8));
  auto at = [&](Value *index) { return ir.CreateGEP(scalar, base, index); };
  if (laneCount == 1) {
    if (!mask) {
      kernel.storeApart(ir.CreateAlignedStore(raw, at(offset.base), align));
      return;
    }
    auto *one = FixedVectorType::get(scalar, 1);
    Value *vector =
        ir.CreateInsertElement(PoisonValue::get(one), raw, uint64_t(0));
    Value *bits = ir.CreateVectorSplat(1, mask);
    ir.CreateMaskedStore(vector, at(offset.base), align, bits);
    return;
  }
  if (!offset.lanes && std::abs(offset.stride) == 1) {
    Value *start = offset.base;
    if (offset.stride < 0) {
      start = math.add(offset.base, -int64_t(laneCount - 1));
      raw = ir.CreateShuffleVector(raw, reversed(laneCount));
      if (mask)
        mask = ir.CreateShuffleVector(mask, reversed(laneCount));
    }
    if (mask)
      ir.CreateMaskedStore(raw, at(start), align, mask);
    else
      kernel.storeApart(ir.CreateAlignedStore(raw, at(start), align));
    return;
  }
  bool scatters = (kernel.profile.features & kFeatureAvx512) &&
                  scalar->getPrimitiveSizeInBits() >= 32;
  if (mask || scatters) {
    Value *addresses = ir.CreateGEP(scalar, base, lanesOf(offset));
    ir.CreateMaskedScatter(raw, addresses, align, mask);
    return;
  }
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    Value *index =
        offset.lanes ? ir.CreateExtractElement(offset.lanes, lane)
                     : ir.CreateAdd(offset.base,
                                    ir.getInt64(offset.stride * int64_t(lane)));
    kernel.storeApart(ir.CreateAlignedStore(ir.CreateExtractElement(raw, lane),
                                            at(index), align));
  }
}

Element ElementEmitter::load(RankedTensorType type, Value *base,
                             ArrayRef<LaneIndex> indices, Value *mask) {
  mlir::Type element = type.getElementType();
  if (elementBytes(element) == 0) {
    kernel.fail(kernel.kernel,
                "has an operand of a type that is not supported");
    return poison(element);
  }
  LaneIndex offset = linearize(type.getShape(), indices);
  if (laneCount == 1)
    offset.stride = 0;
  else if (!mask)
    mask = active;
  auto complex = dyn_cast<mlir::ComplexType>(element);
  if (!complex)
    return {decode(element, loadRaw(memoryType(element), base, offset, mask))};

  Type *part = memoryType(complex.getElementType());
  if (!isUniform(offset) && !offset.lanes && offset.stride == 1 && !mask) {
    auto *pairs = FixedVectorType::get(part, 2 * laneCount);
    Value *address = ir.CreateGEP(part, base, math.mul(offset.base, 2));
    Value *both = ir.CreateAlignedLoad(pairs, address, Align(1));
    SmallVector<int> even, odd;
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      even.push_back(2 * lane);
      odd.push_back(2 * lane + 1);
    }
    return {ir.CreateShuffleVector(both, even),
            ir.CreateShuffleVector(both, odd)};
  }
  LaneIndex real = scale(offset, 2);
  return {loadRaw(part, base, real, mask),
          loadRaw(part, base, add(real, 1), mask)};
}

//===- Masked lanes -------------------------------------------------------===//

/// Returns true if the elements of `operand` come from buffers that one masked
/// load instruction can read.
bool ElementEmitter::masksLoads(mlir::Value operand) {
  SmallVector<mlir::Value> pending = {operand};
  SmallPtrSet<void *, 8> seen;
  while (!pending.empty()) {
    mlir::Value value = pending.pop_back_val();
    if (!seen.insert(value.getAsOpaquePointer()).second)
      continue;
    if (bound.contains(value))
      return false;
    if (auto argument = dyn_cast<mlir::BlockArgument>(value)) {
      bool wide =
          elementBytes(mlir::getElementTypeOrSelf(value.getType())) >= 4;
      if (argument.getOwner() != &kernel.kernel.getBody().front() ||
          !(kernel.profile.features & (wide ? kFeatureAvx2 : kFeatureAvx512)))
        return false;
      continue;
    }
    mlir::Operation *op = value.getDefiningOp();
    mlir::DenseElementsAttr constant;
    if (mlir::matchPattern(op, mlir::m_Constant(&constant))) {
      if (!constant.isSplat())
        return false;
      continue;
    }
    if (!isScalarOp(op) && !isa<xlac::stablehlo::BroadcastInDimOp>(op))
      return false;
    llvm::append_range(pending, op->getOperands());
  }
  return true;
}

Element ElementEmitter::emitWhere(Value *valid, mlir::Value operand,
                                  ArrayRef<LaneIndex> indices,
                                  ArrayRef<LaneIndex> free, Element otherwise) {
  if (isKnownFalse(valid))
    return otherwise;
  // If lanes differ, lanes that are not valid are not loaded.
  SmallVector<LaneIndex> masked;
  for (auto [forced, index] : zip(indices, free)) {
    if (!isUniform(index) && !isNear(index))
      break;
    masked.push_back(isUniform(index) ? forced : index);
  }
  if (!valid || !valid->getType()->isVectorTy() || free.empty() ||
      masked.size() < indices.size() || !masksLoads(operand))
    return select(valid, emit(operand, indices), otherwise);
  Scope scope(*this); // elsewhere the same indices may have no mask
  loadMask = both(active, valid);
  Element element = emit(operand, masked);
  loadMask = active;
  return select(valid, element, otherwise);
}

void ElementEmitter::storeTo(RankedTensorType type, Value *base,
                             ArrayRef<LaneIndex> indices, Element value,
                             Value *mask, bool streamed) {
  mlir::Type element = type.getElementType();
  if (elementBytes(element) == 0) {
    kernel.fail(kernel.kernel, "has a result of a type that is not supported");
    return;
  }
  LaneIndex offset = linearize(type.getShape(), indices);
  if (laneCount > 1)
    mask = both(active, mask);
  auto complex = dyn_cast<mlir::ComplexType>(element);
  if (!complex) {
    storeRaw(encode(element, value.real), base, offset, mask, streamed);
    return;
  }
  if (laneCount > 1 && !offset.lanes && offset.stride == 1 && !mask) {
    SmallVector<int> interleave;
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      interleave.push_back(lane);
      interleave.push_back(laneCount + lane);
    }
    Value *pairs = ir.CreateShuffleVector(value.real, value.imag, interleave);
    Type *part = memoryType(complex.getElementType());
    Value *address = ir.CreateGEP(part, base, math.mul(offset.base, 2));
    ir.CreateAlignedStore(pairs, address, Align(elementBytes(element) / 2));
    return;
  }
  LaneIndex real = scale(offset, 2);
  storeRaw(value.real, base, real, mask, false);
  storeRaw(value.imag, base, add(real, 1), mask, false);
}

void ElementEmitter::store(unsigned number, ArrayRef<LaneIndex> indices,
                           Element element, Value *mask) {
  mlir::Value result = kernel.kernel.getYield()->getOperand(number);
  storeTo(cast<RankedTensorType>(result.getType()),
          kernel.resultPointers[number], indices, element, mask,
          kernel.isStreamed(number));
}

/// Returns vector `piece` of all lanes of `planes`, lane 0 of each plane first.
static Value *interleave(IRBuilder<> &ir, ArrayRef<Value *> planes,
                         size_t lanes, size_t piece) {
  Value *result = planes[0];
  for (size_t plane = 1; plane < planes.size(); ++plane) {
    SmallVector<int> chosen(lanes, PoisonMaskElem);
    for (size_t lane = 0; lane < lanes; ++lane) {
      size_t place = piece * lanes + lane;
      size_t from = place % planes.size(), element = place / planes.size();
      if (from == plane)
        chosen[lane] = int(lanes + element);
      else if (from < plane)
        chosen[lane] = int(plane == 1 ? element : lane);
    }
    result = ir.CreateShuffleVector(result, planes[plane], chosen);
  }
  return result;
}

void ElementEmitter::storeInterleaved(unsigned number,
                                      ArrayRef<LaneIndex> indices,
                                      ArrayRef<Element> elements) {
  mlir::Value result = kernel.kernel.getYield()->getOperand(number);
  mlir::Type type = mlir::getElementTypeOrSelf(result.getType());
  bool isComplex = isa<mlir::ComplexType>(type);
  SmallVector<Value *> planes;
  for (Element element : elements) {
    planes.push_back(isComplex ? element.real : encode(type, element.real));
    if (isComplex)
      planes.push_back(element.imag);
  }
  LaneIndex offset = linearize(sizesOf(result), indices);
  assert(!active && !offset.lanes &&
         (laneCount == 1 || offset.stride == int64_t(elements.size())) &&
         "the elements of neighbouring lanes are neighbours");
  Value *first = isComplex ? math.mul(offset.base, 2) : offset.base;
  Value *base = kernel.resultPointers[number];
  for (size_t piece = 0; piece < planes.size(); ++piece) {
    Value *raw = laneCount == 1 ? planes[piece]
                                : interleave(ir, planes, laneCount, piece);
    LaneIndex at{math.add(first, int64_t(piece * laneCount)),
                 laneCount == 1 ? 0 : 1, nullptr};
    storeRaw(raw, base, at, nullptr, kernel.isStreamed(number));
  }
}

//===- Bits, for bitcast_convert ------------------------------------------===//

Value *ElementEmitter::bitsOf(mlir::Type type, Element element) {
  auto vectorOf = [&](Type *scalar) {
    return laneCount == 1 ? scalar : FixedVectorType::get(scalar, laneCount);
  };
  if (auto complex = dyn_cast<mlir::ComplexType>(type)) {
    mlir::Type part = complex.getElementType();
    unsigned width = part.getIntOrFloatBitWidth();
    Type *wide = vectorOf(ir.getIntNTy(2 * width));
    Value *real = ir.CreateZExt(bitsOf(part, {element.real}), wide);
    Value *imag = ir.CreateZExt(bitsOf(part, {element.imag}), wide);
    return ir.CreateOr(real, ir.CreateShl(imag, width));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  Value *bits = encode(type, element.real);
  if (type.isF32() || type.isF64())
    bits = ir.CreateBitCast(bits, vectorOf(ir.getIntNTy(width)));
  return ir.CreateTrunc(bits, vectorOf(ir.getIntNTy(width)));
}

Element ElementEmitter::ofBits(mlir::Type type, Value *bits) {
  auto vectorOf = [&](Type *scalar) {
    return laneCount == 1 ? scalar : FixedVectorType::get(scalar, laneCount);
  };
  if (auto complex = dyn_cast<mlir::ComplexType>(type)) {
    mlir::Type part = complex.getElementType();
    unsigned width = part.getIntOrFloatBitWidth();
    Type *half = vectorOf(ir.getIntNTy(width));
    return {
        ofBits(part, ir.CreateTrunc(bits, half)).real,
        ofBits(part, ir.CreateTrunc(ir.CreateLShr(bits, width), half)).real};
  }
  if (type.isF32() || type.isF64())
    return {ir.CreateBitCast(bits, vectorOf(memoryType(type)))};
  Type *memory = vectorOf(memoryType(type));
  bool isSigned = isa<mlir::IntegerType>(type) && !type.isUnsignedInteger() &&
                  !type.isInteger(1);
  return {decode(type, isSigned ? ir.CreateSExt(bits, memory)
                                : ir.CreateZExt(bits, memory))};
}

} // namespace xlac::codegen
