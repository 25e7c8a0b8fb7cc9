// Ops that only move elements. Each converts the indices of its result to
// indices of its operand. Also determines which dimensions can be collapsed:
// see `collapsibleDims`.
#include "ElementEmitter.h"
#include "Scalar/ScalarOps.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include <algorithm>
#include <numeric>
#include <optional>

using namespace llvm;
using namespace xlac::stablehlo;
using mlir::RankedTensorType;

namespace xlac::codegen {

//===- Reshape ------------------------------------------------------------===//

namespace {
/// A minimal group of dimensions (all larger than 1) of both sides of a reshape
/// whose products are equal.
struct ReshapeGroup {
  SmallVector<int64_t> from, to;
};
} // namespace

static SmallVector<ReshapeGroup> groupDimensions(ArrayRef<int64_t> from,
                                                 ArrayRef<int64_t> to) {
  auto significant = [](ArrayRef<int64_t> sizes) {
    SmallVector<int64_t> dims;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (size != 1)
        dims.push_back(dim);
    return dims;
  };
  SmallVector<int64_t> fromDims = significant(from), toDims = significant(to);
  SmallVector<ReshapeGroup> groups;
  size_t i = 0, j = 0;
  while (i < fromDims.size() && j < toDims.size()) {
    ReshapeGroup group;
    int64_t left = from[fromDims[i]], right = to[toDims[j]];
    group.from.push_back(fromDims[i++]);
    group.to.push_back(toDims[j++]);
    while (left != right) {
      if (left < right && i < fromDims.size()) {
        left *= from[fromDims[i]];
        group.from.push_back(fromDims[i++]);
      } else if (right < left && j < toDims.size()) {
        right *= to[toDims[j]];
        group.to.push_back(toDims[j++]);
      } else {
        return groups; // no elements
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Collapses the dimensions of the group's first side that may be: each list of
/// neighbours becomes the last one of them.
static SmallVector<std::pair<int64_t, int64_t>>
collapseFrom(const ReshapeGroup &group, ArrayRef<int64_t> sizes,
             uint64_t collapsibleDims) {
  SmallVector<std::pair<int64_t, int64_t>> collapsed; // dimensions and sizes
  int64_t size = 1;
  for (int64_t dim : group.from) {
    size *= sizes[dim];
    if (dim != group.from.back() && (collapsibleDims >> dim & 1))
      continue;
    collapsed.push_back({dim, size});
    size = 1;
  }
  return collapsed;
}

namespace {
/// The largest sizes into which two lists with equal products can be divided:
/// each element of both is a product of neighbours among these. For [32, 12544]
/// and [128, 56, 56] these are [32, 4, 56, 56].
struct CommonSizes {
  SmallVector<int64_t> sizes;
  SmallVector<size_t> from, to; ///< of each size, its element of both lists

  /// Returns the range of the sizes of one element.
  static std::pair<size_t, size_t> rangeOf(ArrayRef<size_t> side,
                                           size_t element) {
    auto [begin, end] = std::equal_range(side.begin(), side.end(), element);
    return {begin - side.begin(), end - begin};
  }
};
} // namespace

/// Returns nothing if there are none. All sizes are larger than 1.
static std::optional<CommonSizes> commonSizes(ArrayRef<int64_t> from,
                                              ArrayRef<int64_t> to) {
  CommonSizes common;
  size_t i = from.size(), j = to.size();
  int64_t left = 1, right = 1; // what is left of the elements at i and j
  while (i > 0 || left > 1) {
    if (left == 1)
      left = from[--i];
    if (right == 1)
      right = to[--j];
    int64_t size = std::min(left, right);
    if (left % size != 0 || right % size != 0)
      return std::nullopt;
    left /= size;
    right /= size;
    common.sizes.push_back(size);
    common.from.push_back(i);
    common.to.push_back(j);
  }
  assert(j == 0 && right == 1 && "both products are equal");
  std::reverse(common.sizes.begin(), common.sizes.end());
  std::reverse(common.from.begin(), common.from.end());
  std::reverse(common.to.begin(), common.to.end());
  return common;
}

Element ElementEmitter::emitReshape(mlir::Value from, RankedTensorType type,
                                    ArrayRef<LaneIndex> indices) {
  ArrayRef<int64_t> fromSizes = sizesOf(from);
  SmallVector<LaneIndex> moved(fromSizes.size(), uniform(int64_t(0)));
  uint64_t freedom = collapsibleDims(from);
  for (const ReshapeGroup &group :
       groupDimensions(fromSizes, type.getShape())) {
    auto inner = collapseFrom(group, fromSizes, freedom);
    auto innerSizes = to_vector(make_second_range(inner));
    SmallVector<int64_t> outerSizes;
    SmallVector<LaneIndex> outer;
    for (int64_t dim : group.to) {
      outerSizes.push_back(type.getDimSize(dim));
      outer.push_back(indices[dim]);
    }
    SmallVector<LaneIndex> parts;
    auto common = commonSizes(innerSizes, outerSizes);
    if (!common) {
      parts = delinearize(innerSizes, linearize(outerSizes, outer));
    } else {
      SmallVector<LaneIndex> split;
      for (auto [number, index] : enumerate(outer)) {
        auto [first, count] = CommonSizes::rangeOf(common->to, number);
        append_range(
            split,
            delinearize(ArrayRef(common->sizes).slice(first, count), index));
      }
      for (size_t number = 0; number < inner.size(); ++number) {
        auto [first, count] = CommonSizes::rangeOf(common->from, number);
        parts.push_back(linearize(ArrayRef(common->sizes).slice(first, count),
                                  ArrayRef(split).slice(first, count)));
      }
    }
    for (auto [target, part] : zip_equal(inner, parts))
      moved[target.first] = part;
  }
  return emit(from, moved);
}

uint64_t ElementEmitter::reshapeCollapsibleDims(RankedTensorType from,
                                                RankedTensorType to,
                                                uint64_t bits) {
  uint64_t result = 0;
  for (const ReshapeGroup &group :
       groupDimensions(from.getShape(), to.getShape())) {
    auto inner = collapseFrom(group, from.getShape(), bits);
    auto outerSizes = map_to_vector(
        group.to, [&](int64_t dim) { return to.getDimSize(dim); });
    auto common = commonSizes(to_vector(make_second_range(inner)), outerSizes);
    // An index that exceeds the next dimension must count within a dimension of
    // the operand.
    for (size_t i = 0; i + 1 < group.to.size(); ++i) {
      auto isWithin = [&] {
        auto [first, count] = CommonSizes::rangeOf(common->to, i);
        return count == 1 && common->from[first] == common->from[first + 1];
      };
      if (!common || isWithin())
        result |= uint64_t(1) << group.to[i];
    }
    if (inner.size() == 1 && (bits >> group.from.back() & 1))
      result |= uint64_t(1) << group.to.back();
  }
  return result;
}

//===- Padding and concatenation ------------------------------------------===//

LaneIndex ElementEmitter::undilate(LaneIndex index, int64_t size,
                                   int64_t dilation, Value *&valid) {
  int64_t span = (size - 1) * dilation + 1;
  valid = both(valid, inBounds(index, span));
  LaneIndex inside = clamp(index, 0, span - 1);
  if (dilation == 1)
    return inside;
  auto [quotient, remainder] = divide(inside, dilation, span);
  Value *rest = isUniform(remainder) ? remainder.base : lanesOf(remainder);
  valid = both(valid, ir.CreateICmpEQ(
                          rest, llvm::Constant::getNullValue(rest->getType())));
  return quotient;
}

Element ElementEmitter::emitPad(mlir::OpResult value,
                                ArrayRef<LaneIndex> indices) {
  auto op = cast<PadOp>(value.getOwner());
  ArrayRef<int64_t> sizes = sizesOf(op.getOperand());
  Element padding = emit(op.getPaddingValue(), {});
  if (llvm::is_contained(sizes, 0))
    return padding;
  Value *valid = nullptr;
  SmallVector<LaneIndex> moved(indices), free(indices);
  bool isDense = true;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    int64_t low = op.getEdgePaddingLow()[dim];
    int64_t high = op.getEdgePaddingHigh()[dim];
    int64_t dilation = op.getInteriorPadding()[dim] + 1;
    isDense &= dilation == 1;
    if (low == 0 && high == 0 && dilation == 1)
      continue;
    moved[dim] = free[dim] = add(moved[dim], -low);
    if (low > 0 || high > 0 || dilation > 1)
      moved[dim] = undilate(moved[dim], size, dilation, valid);
  }
  if (!isDense)
    free.clear();
  return emitWhere(valid, op.getOperand(), moved, free, padding);
}

/// Returns true if all lanes are in [offset, offset + size) or all are outside.
bool ElementEmitter::fitsPiece(LaneIndex index, int64_t offset, int64_t size) {
  if (index.lanes || index.stride != 1)
    return false;
  int64_t alignment =
      std::gcd(std::gcd(math.multipleOf(index.base), offset), size);
  return alignment != 0 && alignment % laneCount == 0;
}

Element ElementEmitter::emitConcatenate(mlir::OpResult value,
                                        ArrayRef<LaneIndex> indices) {
  auto op = cast<ConcatenateOp>(value.getOwner());
  int64_t dim = op.getDimension(), offset = 0;
  LaneIndex index = indices[dim];
  Element result;
  for (mlir::Value input : op.getInputs()) {
    int64_t size = sizesOf(input)[dim];
    if (size == 0)
      continue;
    SmallVector<LaneIndex> moved(indices);
    LaneIndex local = add(index, -offset);
    if (auto range = rangeOf(local)) {
      if (0 <= range->low && range->high < size) {
        moved[dim] = local;
        return emit(input, moved);
      }
      if (range->high < 0 || range->low >= size) {
        offset += size;
        continue;
      }
    }
    Value *here = nullptr;
    if (!isUniform(index) && fitsPiece(index, offset, size)) {
      here = ir.CreateICmpSGE(index.base, ir.getInt64(offset));
      Value *base = math.max(
          math.min(local.base, ir.getInt64(size - laneCount)), ir.getInt64(0));
      moved[dim] = {base, 1, nullptr};
    } else {
      Value *position = isUniform(index) ? index.base : lanesOf(index);
      here = ir.CreateICmpSGE(position,
                              ConstantInt::get(position->getType(), offset));
      moved[dim] = clamp(local, 0, size - 1);
    }
    Element piece = emit(input, moved);
    result = result.real ? select(here, piece, result) : piece;
    offset += size;
  }
  return result.real ? result
                     : poison(mlir::getElementTypeOrSelf(value.getType()));
}

//===- Slices -------------------------------------------------------------===//

Element ElementEmitter::emitDynamicSlice(mlir::OpResult value,
                                         ArrayRef<LaneIndex> indices) {
  auto op = cast<DynamicSliceOp>(value.getOwner());
  SmallVector<LaneIndex> moved(indices);
  for (auto [dim, start] : llvm::enumerate(op.getStartIndices())) {
    int64_t lastStart = sizesOf(op.getOperand())[dim] - op.getSliceSizes()[dim];
    if (lastStart > 0)
      moved[dim] = add(moved[dim], clamp(emitIndex(start, {}), 0, lastStart));
  }
  return emit(op.getOperand(), moved);
}

Element ElementEmitter::emitDynamicUpdateSlice(mlir::OpResult value,
                                               ArrayRef<LaneIndex> indices) {
  auto op = cast<DynamicUpdateSliceOp>(value.getOwner());
  ArrayRef<int64_t> sizes = sizesOf(op.getUpdate());
  if (llvm::is_contained(sizes, 0))
    return emit(op.getOperand(), indices);
  Value *inside = nullptr;
  SmallVector<LaneIndex> moved(indices);
  for (auto [dim, start] : llvm::enumerate(op.getStartIndices())) {
    int64_t lastStart = sizesOf(op.getOperand())[dim] - sizes[dim];
    if (lastStart == 0)
      continue;
    LaneIndex begin = clamp(emitIndex(start, {}), 0, lastStart);
    moved[dim] =
        add(moved[dim], uniform(math.sub(math.constant(0), begin.base)));
    inside = both(inside, inBounds(moved[dim], sizes[dim]));
    moved[dim] = clamp(moved[dim], 0, sizes[dim] - 1);
  }
  if (!inside)
    return emit(op.getUpdate(), moved);
  Element old = emit(op.getOperand(), indices);
  return isKnownFalse(inside)
             ? old
             : select(inside, emit(op.getUpdate(), moved), old);
}

//===- Iota and bits ------------------------------------------------------===//

Element ElementEmitter::emitIota(RankedTensorType type, LaneIndex index) {
  mlir::Type element = type.getElementType();
  Type *lanes = laneType(ir.getContext(), element, laneCount);
  if (!lanes)
    return poison(element);
  Value *number = lanesOf(index);
  if (smallIndices) {
    Type *i32 = ir.getInt32Ty();
    number = ir.CreateTrunc(
        number, laneCount == 1 ? i32 : FixedVectorType::get(i32, laneCount));
  }
  ScalarEmitter scalar{ir, laneCount, kernel.profile};
  if (lanes->isFPOrFPVectorTy()) {
    Element result{ir.CreateSIToFP(number, lanes)};
    if (isa<mlir::ComplexType>(element)) {
      result.imag = llvm::Constant::getNullValue(lanes);
      return result;
    }
    return roundToType(scalar, element, result);
  }
  return roundToType(scalar, element, {ir.CreateZExtOrTrunc(number, lanes)});
}

Element ElementEmitter::emitBitcast(mlir::OpResult value,
                                    ArrayRef<LaneIndex> indices) {
  auto op = cast<BitcastConvertOp>(value.getOwner());
  auto bitsIn = [](mlir::Type type) -> int64_t {
    if (auto complex = dyn_cast<mlir::ComplexType>(type))
      return 2 * complex.getElementType().getIntOrFloatBitWidth();
    return type.getIntOrFloatBitWidth();
  };
  mlir::Type from = mlir::getElementTypeOrSelf(op.getOperand().getType());
  mlir::Type to = mlir::getElementTypeOrSelf(value.getType());
  if (elementBytes(from) == 0 || elementBytes(to) == 0) {
    kernel.fail(op, "has an element type that is not supported");
    return poison(to);
  }
  int64_t fromBits = bitsIn(from), toBits = bitsIn(to);
  auto vectorOf = [&](int64_t width) -> Type * {
    Type *type = ir.getIntNTy(width);
    return laneCount == 1 ? type : FixedVectorType::get(type, laneCount);
  };
  if (fromBits == toBits)
    return ofBits(to, bitsOf(from, emit(op.getOperand(), indices)));
  SmallVector<LaneIndex> moved(indices);
  if (fromBits > toBits) { // the last index selects a part of an element
    LaneIndex part = moved.pop_back_val();
    Value *bits = bitsOf(from, emit(op.getOperand(), moved));
    Value *shift =
        ir.CreateZExtOrTrunc(lanesOf(scale(part, toBits)), vectorOf(fromBits));
    return ofBits(to,
                  ir.CreateTrunc(ir.CreateLShr(bits, shift), vectorOf(toBits)));
  }
  Value *bits = llvm::Constant::getNullValue(vectorOf(toBits));
  for (int64_t part = 0; part < toBits / fromBits; ++part) {
    moved.push_back(uniform(part));
    Value *piece = ir.CreateZExt(bitsOf(from, emit(op.getOperand(), moved)),
                                 vectorOf(toBits));
    bits = ir.CreateOr(bits, ir.CreateShl(piece, part * fromBits));
    moved.pop_back();
  }
  return ofBits(to, bits);
}

//===- Dispatch -----------------------------------------------------------===//

static SmallVector<LaneIndex> broadcastIndices(ElementEmitter &emitter,
                                               mlir::Value operand,
                                               ArrayRef<int64_t> dimensions,
                                               ArrayRef<LaneIndex> indices) {
  SmallVector<LaneIndex> moved;
  for (auto [size, dim] : zip_equal(sizesOf(operand), dimensions))
    moved.push_back(size == 1 ? emitter.uniform(int64_t(0)) : indices[dim]);
  return moved;
}

bool ElementEmitter::emitMovement(mlir::OpResult value,
                                  ArrayRef<LaneIndex> indices,
                                  Element &result) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<LaneIndex> moved(indices);
  return llvm::TypeSwitch<mlir::Operation *, bool>(value.getOwner())
      .Case<BroadcastInDimOp, DynamicBroadcastInDimOp>([&](auto op) {
        moved = broadcastIndices(*this, op.getOperand(),
                                 op.getBroadcastDimensions(), indices);
        result = emit(op.getOperand(), moved);
        return true;
      })
      .Case<BroadcastOp>([&](BroadcastOp op) {
        result = emit(op.getOperand(),
                      indices.drop_front(op.getBroadcastSizes().size()));
        return true;
      })
      .Case<ReshapeOp, DynamicReshapeOp>([&](auto op) {
        result = emitReshape(op.getOperand(), type, indices);
        return true;
      })
      .Case<TransposeOp>([&](TransposeOp op) {
        for (auto [to, from] : llvm::enumerate(op.getPermutation()))
          moved[from] = indices[to];
        result = emit(op.getOperand(), moved);
        return true;
      })
      .Case<SliceOp>([&](SliceOp op) {
        for (size_t dim = 0; dim < moved.size(); ++dim)
          moved[dim] = add(scale(moved[dim], op.getStrides()[dim]),
                           op.getStartIndices()[dim]);
        result = emit(op.getOperand(), moved);
        return true;
      })
      .Case<ReverseOp>([&](ReverseOp op) {
        for (int64_t dim : op.getDimensions())
          moved[dim] = add(scale(moved[dim], -1), type.getDimSize(dim) - 1);
        result = emit(op.getOperand(), moved);
        return true;
      })
      .Case<PadOp>([&](auto) {
        result = emitPad(value, indices);
        return true;
      })
      .Case<ConcatenateOp>([&](auto) {
        result = emitConcatenate(value, indices);
        return true;
      })
      .Case<IotaOp, DynamicIotaOp>([&](auto op) {
        result = emitIota(type, indices[op.getIotaDimension()]);
        return true;
      })
      .Case<DynamicSliceOp>([&](auto) {
        result = emitDynamicSlice(value, indices);
        return true;
      })
      .Case<DynamicUpdateSliceOp>([&](auto) {
        result = emitDynamicUpdateSlice(value, indices);
        return true;
      })
      .Case<GatherOp>([&](auto) {
        result = emitGather(value, indices);
        return true;
      })
      .Case<RngBitGeneratorOp>([&](auto) {
        result = emitRandomBits(value, indices);
        return true;
      })
      .Case<BitcastConvertOp>([&](auto) {
        result = emitBitcast(value, indices);
        return true;
      })
      .Case<OptimizationBarrierOp>([&](OptimizationBarrierOp op) {
        result = emit(op->getOperand(value.getResultNumber()), indices);
        return true;
      })
      .Case<GetDimensionSizeOp>([&](GetDimensionSizeOp op) {
        result = emitIota(type,
                          uniform(sizesOf(op.getOperand())[op.getDimension()]));
        return true;
      })
      .Default([](mlir::Operation *) { return false; });
}

//===- Collapsible dimensions ---------------------------------------------===//

/// Returns the next dimension after `dim` that is larger than 1, or the rank.
static int64_t nextSignificant(ArrayRef<int64_t> sizes, int64_t dim) {
  for (++dim; dim < int64_t(sizes.size()) && sizes[dim] == 1;)
    ++dim;
  return dim;
}

uint64_t ElementEmitter::collapsibleDims(mlir::Value value) {
  if (auto found = bound.find(value); found != bound.end())
    return found->second.collapsibleDims;
  auto result = dyn_cast<mlir::OpResult>(value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getRank() > 64)
    return 0;
  if (!result)
    return ~uint64_t(0);
  if (auto found = collapsibleDimsOf.find(value);
      found != collapsibleDimsOf.end())
    return found->second;
  uint64_t bits = computeCollapsibleDims(result);
  collapsibleDimsOf[value] = bits;
  return bits;
}

uint64_t ElementEmitter::computeCollapsibleDims(mlir::OpResult value) {
  mlir::Operation *op = value.getOwner();
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> sizes = type.getShape();
  if (op->hasTrait<mlir::OpTrait::ConstantLike>())
    return ~uint64_t(0);

  // Calls `keep` for each pair of neighbours (dim, next) that are larger than
  // 1.
  auto forPairs = [&](auto keep) {
    uint64_t bits = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t next = nextSignificant(sizes, dim);
      if (next < type.getRank() && keep(dim, next))
        bits |= uint64_t(1) << dim;
    }
    return bits;
  };
  auto neighbours = [&](mlir::Value operand, int64_t dim, int64_t next) {
    return nextSignificant(sizesOf(operand), dim) == next &&
           (collapsibleDims(operand) >> dim & 1);
  };

  return llvm::TypeSwitch<mlir::Operation *, uint64_t>(op)
      .Case<BroadcastInDimOp, DynamicBroadcastInDimOp>([&](auto broadcast) {
        ArrayRef<int64_t> from = sizesOf(broadcast.getOperand());
        SmallVector<int64_t> source(type.getRank(), -1);
        for (auto [operandDim, dim] :
             llvm::enumerate(broadcast.getBroadcastDimensions()))
          if (from[operandDim] != 1)
            source[dim] = operandDim;
        return forPairs([&](int64_t dim, int64_t next) {
          if (source[dim] < 0 || source[next] < 0)
            return source[dim] == source[next];
          return neighbours(broadcast.getOperand(), source[dim], source[next]);
        });
      })
      .Case<ReshapeOp, DynamicReshapeOp>([&](auto reshape) {
        mlir::Value operand = reshape.getOperand();
        return reshapeCollapsibleDims(cast<RankedTensorType>(operand.getType()),
                                      type, collapsibleDims(operand));
      })
      .Case<TransposeOp>([&](TransposeOp transpose) {
        return forPairs([&](int64_t dim, int64_t next) {
          return neighbours(transpose.getOperand(),
                            transpose.getPermutation()[dim],
                            transpose.getPermutation()[next]);
        });
      })
      .Case<SliceOp>([&](SliceOp slice) {
        return forPairs([&](int64_t dim, int64_t next) {
          return slice.getStrides()[dim] == 1 &&
                 sizesOf(slice.getOperand())[next] == sizes[next] &&
                 neighbours(slice.getOperand(), dim, next);
        });
      })
      .Case<DynamicSliceOp>([&](DynamicSliceOp slice) {
        return forPairs([&](int64_t dim, int64_t next) {
          return sizesOf(slice.getOperand())[next] == sizes[next] &&
                 neighbours(slice.getOperand(), dim, next);
        });
      })
      .Case<ReverseOp>([&](ReverseOp reverse) {
        return forPairs([&](int64_t dim, int64_t next) {
          return !is_contained(reverse.getDimensions(), dim) &&
                 !is_contained(reverse.getDimensions(), next) &&
                 neighbours(reverse.getOperand(), dim, next);
        });
      })
      .Case<GatherOp>([&](GatherOp gather) {
        SmallVector<int64_t> source = windowSources(gather);
        return forPairs([&](int64_t dim, int64_t next) {
          return source[dim] >= 0 && source[next] >= 0 &&
                 sizesOf(gather.getOperand())[source[next]] == sizes[next] &&
                 neighbours(gather.getOperand(), source[dim], source[next]);
        });
      })
      .Case<PadOp>([&](PadOp pad) {
        auto untouched = [&](int64_t dim) {
          return pad.getEdgePaddingLow()[dim] == 0 &&
                 pad.getEdgePaddingHigh()[dim] == 0 &&
                 pad.getInteriorPadding()[dim] == 0;
        };
        return forPairs([&](int64_t dim, int64_t next) {
          return untouched(dim) && untouched(next) &&
                 neighbours(pad.getOperand(), dim, next);
        });
      })
      .Case<ConcatenateOp>([&](ConcatenateOp concatenate) {
        int64_t joined = concatenate.getDimension();
        return forPairs([&](int64_t dim, int64_t next) {
          return dim != joined && next != joined &&
                 llvm::all_of(concatenate.getInputs(), [&](mlir::Value input) {
                   return neighbours(input, dim, next);
                 });
        });
      })
      .Case<IotaOp, DynamicIotaOp>([&](auto iota) {
        int64_t counted = iota.getIotaDimension();
        return forPairs([&](int64_t dim, int64_t next) {
          return dim != counted && next != counted;
        });
      })
      .Case<ReduceOp>([&](ReduceOp reduce) {
        SmallVector<int64_t> kept;
        for (int64_t dim :
             llvm::seq<int64_t>(0, sizesOf(reduce.getInputs()[0]).size()))
          if (!llvm::is_contained(reduce.getDimensions(), dim))
            kept.push_back(dim);
        return forPairs([&](int64_t dim, int64_t next) {
          return llvm::all_of(reduce.getInputs(), [&](mlir::Value input) {
            return neighbours(input, kept[dim], kept[next]);
          });
        });
      })
      .Case<OptimizationBarrierOp>([&](OptimizationBarrierOp barrier) {
        return collapsibleDims(barrier->getOperand(value.getResultNumber()));
      })
      .Case<BitcastConvertOp>([&](BitcastConvertOp cast) {
        bool sameRank =
            int64_t(sizesOf(cast.getOperand()).size()) == type.getRank();
        return sameRank ? collapsibleDims(cast.getOperand()) : 0;
      })
      .Default([&](mlir::Operation *) -> uint64_t {
        if (!isScalarOp(op))
          return 0;
        uint64_t bits = ~uint64_t(0);
        for (mlir::Value operand : op->getOperands())
          if (sizesOf(operand).size() == sizes.size() && !sizes.empty())
            bits &= collapsibleDims(operand);
        return bits;
      });
}

} // namespace xlac::codegen
