#include "VectorMathAvx512.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace xlac::codegen {

using llvm::Value;

bool hasAvx512(Num a) { return a.emitter->profile.features & kFeatureAvx512; }

static unsigned laneCount(Num a) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(a.type());
  return vector ? vector->getNumElements() : 1;
}

/// Returns lanes [first, first + count) of a vector or scalar. Missing lanes
/// are poison.
static Value *piece(Num a, unsigned first, unsigned count) {
  llvm::IRBuilder<> &ir = a.ir();
  if (!a.type()->isVectorTy())
    return ir.CreateInsertElement(
        llvm::PoisonValue::get(llvm::FixedVectorType::get(a.type(), count)),
        a.value, uint64_t(0));
  llvm::SmallVector<int> mask;
  for (unsigned lane = first; lane < first + count; ++lane)
    mask.push_back(lane < laneCount(a) ? int(lane) : llvm::PoisonMaskElem);
  return ir.CreateShuffleVector(a.value, mask);
}

/// Applies `function` to `arguments`, which have the same number of lanes, in
/// pieces of one full register.
static Num byRegisters(llvm::ArrayRef<Num> arguments,
                       llvm::function_ref<Num(llvm::ArrayRef<Num>)> function) {
  Num first = arguments[0];
  llvm::IRBuilder<> &ir = first.ir();
  unsigned lanes = laneCount(first);
  unsigned size = 512 / first.scalar()->getPrimitiveSizeInBits();
  if (lanes == size && first.type()->isVectorTy())
    return function(arguments);
  Value *all = nullptr;
  for (unsigned start = 0; start < lanes; start += size) {
    Nums part;
    for (Num argument : arguments)
      part.push_back({argument.emitter, piece(argument, start, size)});
    Num result = function(part);
    if (!first.type()->isVectorTy())
      return {first.emitter,
              ir.CreateExtractElement(result.value, uint64_t(0))};
    llvm::SmallVector<int> widened, blend;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      bool here = lane >= start && lane < start + size;
      widened.push_back(here ? int(lane - start) : llvm::PoisonMaskElem);
      blend.push_back(here ? lanes + lane : lane);
    }
    Value *own = ir.CreateShuffleVector(result.value, widened);
    all = all ? ir.CreateShuffleVector(all, own, blend) : own;
  }
  return {first.emitter, all};
}

/// The immediate operand that selects the current rounding mode.
static constexpr unsigned kRoundAsSet = 4;

/// Returns a mask with all lanes set.
static Value *allLanes(Num a) {
  return llvm::ConstantInt::getAllOnesValue(a.ir().getIntNTy(laneCount(a)));
}

Num scaledByWhole(Num x, Num n, Num lanes) {
  return byRegisters({x, n, lanes}, [](llvm::ArrayRef<Num> part) -> Num {
    llvm::IRBuilder<> &ir = part[0].ir();
    bool isDouble = part[0].isDouble();
    return {part[0].emitter,
            ir.CreateIntrinsic(
                isDouble ? llvm::Intrinsic::x86_avx512_mask_scalef_pd_512
                         : llvm::Intrinsic::x86_avx512_mask_scalef_ps_512,
                {},
                {part[0].value, part[1].value,
                 llvm::Constant::getNullValue(part[0].type()),
                 // Missing lanes are poison, which must not spread to others.
                 ir.CreateBitCast(ir.CreateFreeze(part[2].value),
                                  ir.getIntNTy(laneCount(part[2]))),
                 ir.getInt32(kRoundAsSet)})};
  });
}

/// Returns the larger or smaller of two numbers, where -0 is less than +0. If
/// one is NaN, returns the other.
static Num range(Num a, Num b, unsigned selection) {
  return byRegisters({a, b}, [&](llvm::ArrayRef<Num> part) -> Num {
    llvm::IRBuilder<> &ir = part[0].ir();
    bool isDouble = part[0].isDouble();
    return {part[0].emitter,
            ir.CreateIntrinsic(
                isDouble ? llvm::Intrinsic::x86_avx512_mask_range_pd_512
                         : llvm::Intrinsic::x86_avx512_mask_range_ps_512,
                {},
                {part[0].value, part[1].value, ir.getInt32(selection),
                 llvm::PoisonValue::get(part[0].type()), allLanes(part[0]),
                 ir.getInt32(kRoundAsSet)})};
  });
}

// The immediate operand selects the maximum or minimum and keeps its sign.
Num maximumByRange(Num a, Num b) { return range(a, b, 0b0101); }
Num minimumByRange(Num a, Num b) { return range(a, b, 0b0100); }

Num byParity(Num number, uint32_t even, uint32_t odd) {
  assert(number.scalar()->isIntegerTy(32) && "the table has 32-bit lanes");
  return byRegisters(number, [&](llvm::ArrayRef<Num> part) -> Num {
    // The two low bits of a lane select one of four neighbours.
    llvm::IRBuilder<> &ir = part[0].ir();
    llvm::SmallVector<uint32_t> entries;
    while (entries.size() < 16)
      entries.append({even, odd});
    auto *floats = llvm::FixedVectorType::get(ir.getFloatTy(), 16);
    Value *table = ir.CreateBitCast(
        llvm::ConstantDataVector::get(ir.getContext(), entries), floats);
    Value *chosen =
        ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermilvar_ps_512, {},
                           {table, part[0].value});
    return {part[0].emitter, ir.CreateBitCast(chosen, part[0].type())};
  });
}

//===- Odd functions by table lookup --------------------------------------===//

/// Right shift that turns the bits of a positive f32 into a piece number: two
/// pieces for each power of two.
static constexpr unsigned kHalvesShift = 22;

/// Returns this number for the table's first piece.
static int32_t firstPiece(const OddFunctionTable &table) {
  return (127 + table.firstExponent) * 2 - 1;
}

/// Looks up row `number` of the table with the low four bits of `index`.
static Num rowAt(Num index, const OddFunctionTable &table, unsigned number) {
  llvm::SmallVector<float> entries(16, 0.0f);
  for (unsigned i = 0; i < table.pieces; ++i)
    entries[(firstPiece(table) + i) % 16] =
        table.rows[number * table.pieces + i];
  llvm::IRBuilder<> &ir = index.ir();
  Value *row = llvm::ConstantDataVector::get(ir.getContext(), entries);
  return {index.emitter,
          ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_sf_512, {},
                             {row, index.value})};
}

static Num oddOfRegister(Num x, const OddFunctionTable &table) {
  Num size = abs(x);
  // NaN is preserved.
  Num inside = select(size > table.last, table.last, size);
  Num index = shiftRightLogical(toBits(inside), kHalvesShift);
  Num least = index.likeInt(firstPiece(table));
  Num first = lessInt(index, addInt(least, least.likeInt(1)));
  index = select(lessInt(index, least), least, index);
  Num t = inside - rowAt(index, table, 0);
  unsigned rows = table.rows.size() / table.pieces;
  Num sum = rowAt(index, table, rows - 1);
  for (unsigned row = rows - 2; row > 1; --row)
    sum = fma(sum, t, rowAt(index, table, row));
  Num constant = select(first, t, rowAt(index, table, 1));
  return copysign(fma(sum, t, constant), x);
}

Num oddByTable(Num x, const OddFunctionTable &table) {
  return byRegisters(x, [&](llvm::ArrayRef<Num> part) {
    return oddOfRegister(part[0], table);
  });
}

} // namespace xlac::codegen
