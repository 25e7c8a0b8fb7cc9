// Reduces angles of any magnitude to a quadrant (Payne and Hanek). It
// multiplies only the bits of 2 / pi that affect the result's fraction. Lanes
// are processed one by one, because such angles are rare.
#include "VectorMathDoubleDouble.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <cmath>

namespace xlac::codegen {

using llvm::Value;

/// 64 zeros, then the leading bits of 2 / pi.
static constexpr uint64_t kTwoOverPi[] = {0,
                                          0xa2f9836e4e441529ull,
                                          0xfc2757d1f534ddc0ull,
                                          0xdb6295993c439041ull,
                                          0xfe5163abdebbc561ull,
                                          0xb7246e3a424dd2e0ull,
                                          0x06492eea09d1921cull,
                                          0xfe1deb1cb129a73eull,
                                          0xe88235f52ebb4484ull,
                                          0xe99c7026b45f7e41ull,
                                          0x3991d639835339f4ull,
                                          0x9c845f8bbdf9283bull,
                                          0x1ff897ffde05980full,
                                          0xef2f118b5a0a6d1full,
                                          0x6d367ecf27cb09b7ull,
                                          0x4f463f669e5fea2dull,
                                          0x7527bac7ebe5f17bull,
                                          0x3d0739f78a5292eaull,
                                          0x6bfb5fb11f8d5d08ull,
                                          0x56033046fc7b6babull};

/// Returns the table as a constant of the builder's module.
static Value *tableOf(llvm::IRBuilder<> &ir) {
  llvm::Module *module = ir.GetInsertBlock()->getModule();
  constexpr llvm::StringLiteral name = "xlac.two_over_pi";
  if (llvm::GlobalVariable *table = module->getNamedGlobal(name))
    return table;
  llvm::Constant *words =
      llvm::ConstantDataArray::get(ir.getContext(), llvm::ArrayRef(kTwoOverPi));
  return new llvm::GlobalVariable(*module, words->getType(), true,
                                  llvm::GlobalValue::PrivateLinkage, words,
                                  name);
}

/// Returns the first 128 bits of size * 2 / pi modulo 4, two of them before the
/// binary point.
static Value *quadrantsOf(Num size) {
  llvm::IRBuilder<> &ir = size.ir();
  Value *bits = toBits(size).value;
  Value *mantissa =
      ir.CreateOr(ir.CreateAnd(bits, (1ull << 52) - 1), 1ull << 52);
  // Bits of weight 4 and more are whole turns. The bit of weight 2 is at
  // position `exponent` - 53 of 2 / pi, not counting the table's zeros. The
  // window of 192 bits from there on is accurate to 2^-137.
  Value *start =
      ir.CreateAdd(ir.CreateLShr(bits, 52), ir.getInt64(-1023 - 54 + 64));
  Value *table = tableOf(ir);
  Value *first = ir.CreateLShr(start, 6), *shift = ir.CreateAnd(start, 63);
  Value *words[4];
  for (unsigned i = 0; i < 4; ++i)
    words[i] = ir.CreateLoad(ir.getInt64Ty(),
                             ir.CreateGEP(ir.getInt64Ty(), table,
                                          ir.CreateAdd(first, ir.getInt64(i))));
  llvm::Type *wide = ir.getInt128Ty();
  // Computes the product's 192 low bits, from the lowest word upwards, and
  // drops the last 64.
  Value *carry = llvm::ConstantInt::get(wide, 0), *parts[3];
  for (unsigned i = 0; i < 3; ++i) {
    Value *word = ir.CreateIntrinsic(llvm::Intrinsic::fshl, {ir.getInt64Ty()},
                                     {words[2 - i], words[3 - i], shift});
    Value *product =
        ir.CreateMul(ir.CreateZExt(word, wide), ir.CreateZExt(mantissa, wide));
    parts[i] = ir.CreateAdd(product, carry);
    carry = ir.CreateLShr(parts[i], 64);
  }
  Value *low = ir.CreateAnd(
      parts[1],
      llvm::ConstantInt::get(wide, llvm::APInt::getLowBitsSet(128, 64)));
  return ir.CreateOr(ir.CreateShl(parts[2], 64), low);
}

/// Converts a signed 128-bit fraction, with 126 bits after the binary point, to
/// a double-double.
static DoubleDouble fractionToPair(Num like, Value *fraction) {
  llvm::IRBuilder<> &ir = like.ir();
  auto part = [&](Value *integer, double unit) -> Num {
    return Num{like.emitter, ir.CreateSIToFP(integer, ir.getDoubleTy())} * unit;
  };
  // Pieces of 32 bits are exact. The first one contains the sign.
  auto piece = [&](unsigned from) {
    Value *bits =
        ir.CreateTrunc(ir.CreateLShr(fraction, from), ir.getInt64Ty());
    return ir.CreateAnd(bits, 0xffffffffull);
  };
  Value *top = ir.CreateTrunc(ir.CreateAShr(fraction, 96), ir.getInt64Ty());
  DoubleDouble sum = twoSum(part(top, 0x1p-30), part(piece(64), 0x1p-62));
  for (auto [from, unit] : {std::pair(32u, 0x1p-94), std::pair(0u, 0x1p-126)})
    sum = sum + part(piece(from), unit);
  return sum;
}

static ReducedAngle reduceLane(Num x) {
  llvm::IRBuilder<> &ir = x.ir();
  Num size = abs(x);
  // Infinity has no mantissa, and the table does not cover numbers below 1.
  Num usable = (size >= 1.0) & (size < HUGE_VAL);
  Value *turns = quadrantsOf(select(usable, size, 1.0));
  llvm::Type *wide = turns->getType();
  // Round to the nearest quadrant. The remainder is signed.
  Value *half =
      llvm::ConstantInt::get(wide, llvm::APInt::getOneBitSet(128, 125));
  Value *number = ir.CreateLShr(ir.CreateAdd(turns, half), 126);
  Value *fraction = ir.CreateSub(turns, ir.CreateShl(number, 126));
  DoubleDouble angle = fractionToPair(size, fraction) *
                       doubleDoubleLike(size, kHalfPiDoubleDouble);
  Num quadrant = {x.emitter, ir.CreateTrunc(number, ir.getInt64Ty())};
  Num negative = isNegative(x);
  angle = select(negative, -angle, angle);
  quadrant = select(negative, subInt(quadrant.likeInt(0), quadrant), quadrant);
  return {select(usable, angle.high, size - size),
          select(usable, angle.low, size - size), quadrant};
}

ReducedAngle reduceLargeAngle(Num x) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(x.type());
  if (!vector)
    return reduceLane(x);
  llvm::IRBuilder<> &ir = x.ir();
  Num index = {x.emitter, ir.getInt64(0)};
  Num none = x.like(0.0);
  auto more = [&](llvm::ArrayRef<Num> state) {
    return lessInt(state[3], index.likeInt(vector->getNumElements()));
  };
  auto step = [&](llvm::ArrayRef<Num> state) {
    Value *lane = state[3].value;
    auto [angle, lost, quadrant] =
        reduceLane({x.emitter, ir.CreateExtractElement(x.value, lane)});
    auto inserted = [&](Num lanes, Num value) -> Num {
      return {x.emitter,
              ir.CreateInsertElement(lanes.value, value.value, lane)};
    };
    return Nums{inserted(state[0], angle), inserted(state[1], lost),
                inserted(state[2], quadrant),
                addInt(state[3], index.likeInt(1))};
  };
  Nums result = loopWhileAny({none, none, toBits(none), index}, more, step);
  return {result[0], result[1], result[2]};
}

} // namespace xlac::codegen
