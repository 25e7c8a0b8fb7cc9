// Gather, and random bits, which are a function of the element's number.
#include "ElementEmitter.h"
#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/support/random_part.h"

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

SmallVector<int64_t> windowSources(GatherOp gather) {
  GatherDimensionNumbersAttr numbers = gather.getDimensionNumbers();
  SmallVector<int64_t> sources(sizesOf(gather.getResult()).size(), -1);
  size_t offset = 0;
  for (int64_t dim : llvm::seq<int64_t>(0, sizesOf(gather.getOperand()).size()))
    if (!is_contained(numbers.getCollapsedSliceDims(), dim) &&
        !is_contained(numbers.getOperandBatchingDims(), dim))
      sources[numbers.getOffsetDims()[offset++]] = dim;
  return sources;
}

Element ElementEmitter::emitGather(mlir::OpResult value,
                                   ArrayRef<LaneIndex> indices) {
  auto op = cast<GatherOp>(value.getOwner());
  auto numbers = op.getDimensionNumbers();
  ArrayRef<int64_t> sizes = sizesOf(op.getOperand());
  int64_t vectorDim = numbers.getIndexVectorDim();

  SmallVector<LaneIndex> batch;
  for (auto [dim, index] : llvm::enumerate(indices))
    if (!llvm::is_contained(numbers.getOffsetDims(), int64_t(dim)))
      batch.push_back(index);
  SmallVector<LaneIndex> moved(sizes.size(), uniform(int64_t(0)));
  for (auto [source, index] : zip_equal(windowSources(op), indices))
    if (source >= 0)
      moved[source] = index;

  int64_t indexRank = sizesOf(op.getStartIndices()).size();
  for (auto [number, dim] : llvm::enumerate(numbers.getStartIndexMap())) {
    SmallVector<LaneIndex> at(batch);
    if (vectorDim < indexRank)
      at.insert(at.begin() + vectorDim, uniform(int64_t(number)));
    LaneIndex start = emitIndex(op.getStartIndices(), at);
    moved[dim] =
        add(moved[dim], clamp(start, 0, sizes[dim] - op.getSliceSizes()[dim]));
  }
  for (auto [dim, startDim] : zip_equal(numbers.getOperandBatchingDims(),
                                        numbers.getStartIndicesBatchingDims()))
    moved[dim] = add(moved[dim], batch[startDim - (startDim > vectorDim)]);
  return emit(op.getOperand(), moved);
}

//===- Random bits --------------------------------------------------------===//

// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

static Value *rotateLeft(IRBuilder<> &ir, Value *value, unsigned bits) {
  return ir.CreateIntrinsic(
      Intrinsic::fshl, {value->getType()},
      {value, value, ConstantInt::get(value->getType(), bits)});
}

/// Computes 20 rounds of Threefry-2x32 on the words (x0, x1) with the key (k0,
/// k1).
static std::pair<Value *, Value *> threefry(IRBuilder<> &ir, Value *k0,
                                            Value *k1, Value *x0, Value *x1) {
  static constexpr unsigned rotations[2][4] = {{13, 15, 26, 6},
                                               {17, 29, 16, 24}};
  auto number = [&](uint32_t value) {
    return ConstantInt::get(x0->getType(), value);
  };
  Value *keys[3] = {k0, k1,
                    ir.CreateXor(ir.CreateXor(k0, k1), number(0x1BD11BDA))};
  x0 = ir.CreateAdd(x0, keys[0]);
  x1 = ir.CreateAdd(x1, keys[1]);
  for (unsigned group = 0; group < 5; ++group) {
    for (unsigned bits : rotations[group % 2]) {
      x0 = ir.CreateAdd(x0, x1);
      x1 = ir.CreateXor(rotateLeft(ir, x1, bits), x0);
    }
    x0 = ir.CreateAdd(x0, keys[(group + 1) % 3]);
    x1 = ir.CreateAdd(ir.CreateAdd(x1, keys[(group + 2) % 3]),
                      number(group + 1));
  }
  return {x0, x1};
}

/// Computes 10 rounds of Philox-4x32.
static std::array<Value *, 4> philox(IRBuilder<> &ir, Value *k0, Value *k1,
                                     std::array<Value *, 4> x) {
  Type *narrow = x[0]->getType();
  Type *wide = narrow->getWithNewBitWidth(64);
  auto multiply = [&](Value *value, uint32_t factor) {
    Value *product = ir.CreateMul(ir.CreateZExt(value, wide),
                                  ConstantInt::get(wide, factor));
    return std::pair(ir.CreateTrunc(ir.CreateLShr(product, 32), narrow),
                     ir.CreateTrunc(product, narrow));
  };
  for (int round = 0; round < 10; ++round) {
    auto [high0, low0] = multiply(x[0], 0xD2511F53);
    auto [high1, low1] = multiply(x[2], 0xCD9E8D57);
    x = {ir.CreateXor(ir.CreateXor(high1, x[1]), k0), low1,
         ir.CreateXor(ir.CreateXor(high0, x[3]), k1), low0};
    k0 = ir.CreateAdd(k0, ConstantInt::get(narrow, 0x9E3779B9));
    k1 = ir.CreateAdd(k1, ConstantInt::get(narrow, 0xBB67AE85));
  }
  return x;
}

/// Returns the number of generator blocks that `count` elements of `bits` each
/// take. Threefry uses one for each element, Philox as few as contain the
/// 32-bit words.
static int64_t blocksOf(bool usesPhilox, int64_t count, unsigned bits) {
  return usesPhilox ? llvm::divideCeil(count, bits > 32 ? 2 : 4) : count;
}

/// The new state of emitRandomBits().
Element ElementEmitter::emitRandomState(mlir::OpResult value,
                                        ArrayRef<LaneIndex> indices) {
  auto op = cast<RngBitGeneratorOp>(value.getOwner());
  mlir::Value state = op.getInitialState();
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  bool usesPhilox = op.getRngAlgorithm() != RngAlgorithm::THREE_FRY;
  auto word = [&](int64_t number) {
    return emit(state, {uniform(number)}).real;
  };
  int64_t blocks = blocksOf(usesPhilox, type.getNumElements(),
                            type.getElementType().getIntOrFloatBitWidth());
  Element old = emit(state, indices);
  Value *position = lanesOf(indices[0]), *lower = word(1);
  auto isAt = [&](uint64_t place) {
    return ir.CreateICmpEQ(position,
                           ConstantInt::get(position->getType(), place));
  };
  Value *moved =
      ir.CreateAdd(lower, ConstantInt::get(lower->getType(), blocks));
  Value *next = ir.CreateSelect(isAt(1), moved, old.real);
  if (!usesPhilox || sizesOf(state)[0] < 3)
    return {next};
  Value *carry =
      ir.CreateZExt(ir.CreateICmpULT(moved, lower), old.real->getType());
  return {ir.CreateSelect(isAt(2), ir.CreateAdd(old.real, carry), next)};
}

/// Element n of the output uses one or two 32-bit words, truncated to the width
/// of its type. Threefry takes its words from the block with counter state[1] +
/// n. Philox uses the four words of each block in order, like XLA: state[1] is
/// the lower half of its 128-bit counter, and state[2], or else the key, is the
/// upper half. The new state's counter is advanced by the number of blocks
/// used. Elements of a part of a larger output (support/random_part.h) have
/// their numbers in that output.
Element ElementEmitter::emitRandomBits(mlir::OpResult value,
                                       ArrayRef<LaneIndex> indices) {
  auto op = cast<RngBitGeneratorOp>(value.getOwner());
  mlir::Value state = op.getInitialState();
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  mlir::Type element = type.getElementType();
  bool usesPhilox = op.getRngAlgorithm() != RngAlgorithm::THREE_FRY;
  if (!mlir::getElementTypeOrSelf(state.getType()).isUnsignedInteger(64) ||
      sizesOf(state).size() != 1 || sizesOf(state)[0] < 2) {
    kernel.fail(op, "requires a state of at least two ui64");
    return poison(element);
  }
  if (elementBytes(element) == 0 || isa<mlir::ComplexType>(element)) {
    kernel.fail(op, "has an output type that is not supported");
    return poison(element);
  }
  unsigned bits = element.getIntOrFloatBitWidth();
  auto word = [&](int64_t number) {
    return emit(state, {uniform(number)}).real;
  };
  if (value.getResultNumber() == 0)
    return emitRandomState(value, indices);
  Type *i64 =
      laneType(ir.getContext(), op.getInitialState().getType().getElementType(),
               laneCount);
  Type *i32 = i64->getWithNewBitWidth(32);
  auto low = [&](Value *wide) { return ir.CreateTrunc(wide, i32); };
  auto high = [&](Value *wide) {
    return ir.CreateTrunc(ir.CreateLShr(wide, 32), i32);
  };
  Value *key = word(0), *first, *second;
  auto whole = op->getAttrOfType<mlir::DenseI64ArrayAttr>(names::kRandomPartOf);
  LaneIndex number =
      linearize(whole ? whole.asArrayRef() : type.getShape(), indices);
  if (usesPhilox) {
    int64_t perBlock = bits > 32 ? 2 : 4;
    // The kernel's own tensors do not bound the numbers of a part.
    std::optional<int64_t> bound;
    if (whole) {
      number = add(number, emitIndex(state, {uniform(int64_t(3))}));
      bound = INT64_MAX;
    }
    auto [block, part] = divide(number, perBlock, bound);
    Value *lower = word(1), *counter = ir.CreateAdd(lower, lanesOf(block));
    Value *carry = ir.CreateZExt(ir.CreateICmpULT(counter, lower), i64);
    Value *upper = ir.CreateAdd(sizesOf(state)[0] > 2 ? word(2) : key, carry);
    std::array<Value *, 4> x =
        philox(ir, low(key), high(key),
               {low(counter), high(counter), low(upper), high(upper)});
    Value *place = lanesOf(part);
    auto isPart = [&](uint64_t wanted) {
      return ir.CreateICmpEQ(place, ConstantInt::get(place->getType(), wanted));
    };
    first = second = x[3];
    if (perBlock == 2) {
      first = ir.CreateSelect(isPart(0), x[0], x[2]);
      second = ir.CreateSelect(isPart(0), x[1], x[3]);
    } else {
      for (unsigned wanted : {2, 1, 0})
        first = ir.CreateSelect(isPart(wanted), x[wanted], first);
    }
  } else {
    Value *counter = ir.CreateAdd(word(1), lanesOf(number));
    std::tie(first, second) =
        threefry(ir, low(key), high(key), low(counter), high(counter));
  }
  Value *drawn = ir.CreateZExt(first, i64);
  if (bits > 32)
    drawn = ir.CreateOr(drawn, ir.CreateShl(ir.CreateZExt(second, i64), 32));
  return ofBits(element, ir.CreateTrunc(drawn, i64->getWithNewBitWidth(bits)));
}

} // namespace xlac::codegen
