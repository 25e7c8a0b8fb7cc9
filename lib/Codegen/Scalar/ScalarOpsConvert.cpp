// Conversions between element types, and the bit formats of narrow floats.
#include "Bfloat16.h"
#include "ScalarOps.h"
#include "ScalarOpsInternal.h"

#include "llvm/IR/Constants.h"

#include <cmath>

namespace xlac::codegen {

using llvm::Type;
using llvm::Value;

namespace {
/// Format of a float of at most 16 bits.
struct NarrowFormat {
  unsigned width, mantissa;
  int bias;
  uint64_t largest;  ///< bits of the largest finite magnitude
  uint64_t infinity; ///< bits of the result on overflow
  uint64_t nan;      ///< bits of NaN
  bool hasInfinity, hasNan;
  bool singleNan; ///< the bits of -0 are NaN, and there is no -0
};
} // namespace

static NarrowFormat formatOf(mlir::FloatType type) {
  assert(type.getWidth() <= 16 && "narrow floats have at most 16 bits");
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  NarrowFormat format;
  format.width = type.getWidth();
  format.mantissa = llvm::APFloat::semanticsPrecision(semantics) - 1;
  format.bias = 1 - llvm::APFloat::semanticsMinExponent(semantics);
  format.hasInfinity = llvm::APFloat::semanticsHasInf(semantics);
  format.hasNan = llvm::APFloat::semanticsHasNaN(semantics);
  auto code = [&](const llvm::APFloat &value) {
    return value.bitcastToAPInt().getZExtValue();
  };
  format.largest = code(llvm::APFloat::getLargest(semantics));
  format.nan = format.hasNan ? code(llvm::APFloat::getNaN(semantics)) : 0;
  format.infinity = format.hasInfinity ? code(llvm::APFloat::getInf(semantics))
                    : format.hasNan    ? format.nan
                                       : format.largest;
  format.singleNan =
      format.hasNan && format.nan == (1ull << (format.width - 1));
  return format;
}

/// Returns whether the type is f8E8M0FNU: an exponent without sign and zero.
static bool isBareExponent(mlir::FloatType type) {
  return llvm::isa<mlir::Float8E8M0FNUType>(type);
}

static bool usesHalfInstructions(const ScalarEmitter &emitter,
                                 mlir::FloatType type) {
  return type.isF16() && (emitter.profile.features & kFeatureAvx2);
}

static Num toCodeWidth(Num bits, mlir::FloatType type) {
  unsigned width = type.getWidth() > 8 ? 16 : 8;
  return {bits.emitter,
          bits.ir().CreateTrunc(bits.value,
                                bits.type()->getWithNewBitWidth(width))};
}

static Value *encodeBareExponent(Num x, mlir::FloatType type) {
  Num bits = toBits(x);
  Num rounded = shiftRightLogical(addInt(bits, bits.likeInt(0x400000)), 23);
  // 2^-127 is a denormal f32. Halfway between it and 2^-126 rounds up.
  Num small = lessInt(bits, bits.likeInt(0x600000));
  rounded = select(small, bits.likeInt(0), rounded);
  Num bad = isNan(x) | (x < 0.0) | isInf(x);
  return toCodeWidth(select(bad, bits.likeInt(255), rounded), type).value;
}

/// Returns the bits of a NaN with the upper bits of its payload, which
/// bitcast_convert must preserve. `size` are the bits of the f32 without its
/// sign. A payload with only lower bits must not become an infinity.
static Num keptNan(Num size, const NarrowFormat &format) {
  Num code = shiftRightLogical(size, 23 - format.mantissa) &
             size.likeInt((1ull << (format.width - 1)) - 1);
  return {size.emitter, size.ir().CreateBinaryIntrinsic(
                            llvm::Intrinsic::umax, code.value,
                            size.likeInt(format.infinity + 1).value)};
}

Value *encodeNarrowFloat(ScalarEmitter &emitter, mlir::FloatType type,
                         Value *value) {
  llvm::IRBuilder<> &ir = emitter.ir;
  Num x{&emitter, value};
  if (usesHalfInstructions(emitter, type)) {
    Type *half = Type::getHalfTy(ir.getContext());
    Type *halves = value->getType()->getWithNewType(half);
    Type *codes = value->getType()->getWithNewType(ir.getInt16Ty());
    return ir.CreateBitCast(ir.CreateFPTrunc(value, halves), codes);
  }
  if (type.isBF16())
    return bfloatCode(x);
  if (isBareExponent(type))
    return encodeBareExponent(x, type);
  NarrowFormat format = formatOf(type);
  Num bits = toBits(x);
  Num sign =
      shiftRightLogical(bits & bits.likeInt(0x80000000u), 32 - format.width);
  Num size = bits & bits.likeInt(0x7fffffff);
  unsigned dropped = 23 - format.mantissa;
  // Round the bits to nearest even, then change the exponent's bias.
  Num odd = shiftRightLogical(size, dropped) & bits.likeInt(1);
  Num rounded =
      addInt(addInt(size, odd), bits.likeInt((1u << (dropped - 1)) - 1));
  int64_t rebias = int64_t(127 - format.bias) << format.mantissa;
  Num code = subInt(shiftRightLogical(rounded, dropped), bits.likeInt(rebias));
  // Round denormal results by adding a float whose last bit is the type's
  // denormal step.
  int steps = 1 - format.bias - int(format.mantissa);
  double magic = std::ldexp(1.0, steps + 23);
  Num shifted = fromBits(size, false) + magic;
  Num denormal = subInt(toBits(shifted), toBits(shifted.like(magic)));
  Num small = abs(x) < std::ldexp(1.0, 1 - format.bias);
  code = select(small, denormal, code);
  Num over = lessInt(bits.likeInt(format.largest), code);
  // The shifted bits of an f32 infinity may have wrapped.
  over = over | (abs(x) >= std::ldexp(1.0, 128));
  code = select(over, bits.likeInt(format.infinity & ~(1ull << 31)), code);
  if (format.singleNan) {
    Num zero = compareIntegers(Comparison::EQ, true, code, bits.likeInt(0));
    sign = select(zero | over, bits.likeInt(0), sign);
  }
  code = code | sign;
  if (format.hasInfinity)
    code = select(isNan(x), keptNan(size, format) | sign, code);
  else if (format.hasNan)
    code = select(isNan(x),
                  format.singleNan ? bits.likeInt(format.nan)
                                   : (bits.likeInt(format.nan) | sign),
                  code);
  return toCodeWidth(code, type).value;
}

Value *decodeNarrowFloat(ScalarEmitter &emitter, mlir::FloatType type,
                         Value *codes) {
  llvm::IRBuilder<> &ir = emitter.ir;
  if (usesHalfInstructions(emitter, type)) {
    Type *halves =
        codes->getType()->getWithNewType(Type::getHalfTy(ir.getContext()));
    return ir.CreateFPExt(ir.CreateBitCast(codes, halves),
                          codes->getType()->getWithNewType(ir.getFloatTy()));
  }
  Num bits{&emitter,
           ir.CreateZExt(codes, codes->getType()->getWithNewBitWidth(32))};
  if (type.isBF16())
    return fromBits(shiftLeft(bits, 16), false).value;
  if (isBareExponent(type)) {
    // 2^-127 is a denormal f32.
    Num result =
        select(compareIntegers(Comparison::EQ, true, bits, bits.likeInt(0)),
               bits.likeInt(0x400000), shiftLeft(bits, 23));
    Num nan = compareIntegers(Comparison::EQ, true, bits, bits.likeInt(255));
    return fromBits(select(nan, bits.likeInt(0x7fc00000), result), false).value;
  }
  NarrowFormat format = formatOf(type);
  uint64_t signMask = 1ull << (format.width - 1);
  Num size = bits & bits.likeInt(signMask - 1);
  Num sign = shiftLeft(bits & bits.likeInt(signMask), 32 - format.width);
  Num normal = addInt(shiftLeft(size, 23 - format.mantissa),
                      bits.likeInt(uint64_t(127 - format.bias) << 23));
  Num denormal =
      toBits(intToFloat(size, false) *
             std::ldexp(1.0, 1 - format.bias - int(format.mantissa)));
  Num result = select(lessInt(size, size.likeInt(1ull << format.mantissa)),
                      denormal, normal);
  if (format.hasInfinity) {
    Num above = lessInt(size.likeInt(format.infinity), size);
    Num infinite = compareIntegers(Comparison::EQ, true, size,
                                   size.likeInt(format.infinity));
    result = select(infinite, size.likeInt(0x7f800000), result);
    Num nan = shiftLeft(size, 23 - format.mantissa) | size.likeInt(0x7f800000);
    result = select(above, nan & size.likeInt(0x7fffffff), result);
  } else if (format.singleNan) {
    Num nan =
        compareIntegers(Comparison::EQ, true, bits, bits.likeInt(format.nan));
    result = select(nan, size.likeInt(0x7fc00000), result);
  } else if (format.hasNan) {
    Num above = lessInt(size.likeInt(format.largest), size);
    result = select(above, size.likeInt(0x7fc00000), result);
  }
  return fromBits(result | sign, false).value;
}

/// Converts f64 to f32 and sets the last bit if the conversion is inexact. A
/// further rounding to at most 22 bits then equals a single rounding.
static Num roundToOdd(Num x) {
  Num nearest = narrow(x);
  Num back = widen(nearest);
  Num bits = toBits(nearest);
  Num tooFar = abs(back) > abs(x);
  Num below = select(tooFar, subInt(bits, bits.likeInt(1)), bits);
  Num odd = fromBits(below | bits.likeInt(1), false);
  return select((back == x) | isNan(x), nearest, odd);
}

static bool isNarrowFloat(mlir::Type type) {
  auto floatType = llvm::dyn_cast<mlir::FloatType>(type);
  return floatType && floatType.getWidth() <= 16;
}

static Num integerToFloat(Num x, mlir::Type from, mlir::Type to) {
  llvm::IRBuilder<> &ir = x.ir();
  bool isUnsigned = isUnsignedInteger(from);
  auto toFloat = [&](Num value, Type *scalar) -> Num {
    Type *type = value.value->getType()->getWithNewType(scalar);
    return {x.emitter, isUnsigned ? ir.CreateUIToFP(value.value, type)
                                  : ir.CreateSIToFP(value.value, type)};
  };
  if (!isNarrowFloat(to))
    return toFloat(x, to.isF64() ? ir.getDoubleTy() : ir.getFloatTy());
  if (bitWidth(from) <= 16)
    return toFloat(x, ir.getFloatTy());
  if (bitWidth(from) <= 32)
    return roundToOdd(toFloat(x, ir.getDoubleTy()));
  // 64 bits: replace the low bits by a sticky bit, so that f64 can represent
  // the rest.
  Num low = x & x.likeInt(0x7ff);
  Num sticky = {
      x.emitter,
      ir.CreateZExt(
          (!compareIntegers(Comparison::EQ, true, low, x.likeInt(0))).value,
          x.type())};
  Num high = (x & x.likeInt(~0x7ffull)) | shiftLeft(sticky, 11);
  // Values that f64 can represent keep all their bits.
  Num size = isUnsigned
                 ? x
                 : Num{x.emitter,
                       ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x.value,
                                                subInt(x.likeInt(0), x).value)};
  Num exact =
      compareIntegers(Comparison::LT, true, size, x.likeInt(1ull << 53));
  return roundToOdd(toFloat(select(exact, x, high), ir.getDoubleTy()));
}

/// Rounds toward zero. Numbers beyond the type's limits become the limits, and
/// NaN becomes 0. LLVM's intrinsics for this convert a vector lane by lane.
static Num floatToInteger(Num x, mlir::Type to) {
  llvm::IRBuilder<> &ir = x.ir();
  bool isUnsigned = isUnsignedInteger(to);
  unsigned bits = bitWidth(to), wide = std::max(bits, 32u);
  Type *type = x.type()->getWithNewType(ir.getIntNTy(wide));
  auto number = [&](llvm::APInt value) {
    return llvm::ConstantInt::get(type, isUnsigned ? value.zext(wide)
                                                   : value.sext(wide));
  };
  llvm::APInt least = llvm::APInt::getZero(bits);
  llvm::APInt most = llvm::APInt::getMaxValue(bits);
  if (!isUnsigned) {
    least = llvm::APInt::getSignedMinValue(bits);
    most = llvm::APInt::getSignedMaxValue(bits);
  }
  // Both are 0 or powers of two, which floats represent.
  auto *first = llvm::ConstantFP::get(
      x.type(), isUnsigned ? 0 : least.signedRoundToDouble());
  auto *end =
      llvm::ConstantFP::get(x.type(), std::ldexp(1.0, bits - !isUnsigned));
  // Poison beyond the limits, which the selects below replace.
  Value *integer = isUnsigned && bits == wide ? ir.CreateFPToUI(x.value, type)
                                              : ir.CreateFPToSI(x.value, type);
  integer =
      ir.CreateSelect(ir.CreateFCmpOGE(x.value, end), number(most), integer);
  integer =
      ir.CreateSelect(ir.CreateFCmpOLT(x.value, first), number(least), integer);
  integer = ir.CreateSelect(ir.CreateFCmpUNO(x.value, x.value),
                            llvm::Constant::getNullValue(type), integer);
  Type *lane = laneType(ir.getContext(), to, x.emitter->width);
  return {x.emitter, ir.CreateIntCast(integer, lane, !isUnsigned)};
}

static Num floatToFloat(Num x, mlir::Type to) {
  if (to.isF64())
    return x.isDouble() ? x : widen(x);
  if (!x.isDouble())
    return x;
  return isNarrowFloat(to) ? roundToOdd(x) : narrow(x);
}

/// Converts one part, without rounding to a narrow type.
static Num convertPart(Num x, mlir::Type from, mlir::Type to) {
  llvm::IRBuilder<> &ir = x.ir();
  bool fromFloat = llvm::isa<mlir::FloatType>(from);
  if (to.isInteger(1)) {
    if (fromFloat)
      return x != 0.0;
    return {x.emitter, ir.CreateIsNotNull(x.value)};
  }
  if (llvm::isa<mlir::FloatType>(to))
    return fromFloat ? floatToFloat(x, to) : integerToFloat(x, from, to);
  if (fromFloat)
    return floatToInteger(x, to);
  Type *lane = laneType(ir.getContext(), to, x.emitter->width);
  return {x.emitter, ir.CreateIntCast(x.value, lane, !isUnsignedInteger(from))};
}

llvm::Expected<Element> emitConversion(ScalarEmitter &emitter, mlir::Type from,
                                       mlir::Type to, Element element) {
  if (!laneType(emitter.ir.getContext(), from, emitter.width) ||
      !laneType(emitter.ir.getContext(), to, emitter.width)) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "no conversion from " << from << " to " << to;
    return llvm::createStringError(text);
  }
  assert(!element.imag == !llvm::isa<mlir::ComplexType>(from) &&
         "an element has the parts of its type");
  if (from == to)
    return element;
  auto fromComplex = llvm::dyn_cast<mlir::ComplexType>(from);
  auto toComplex = llvm::dyn_cast<mlir::ComplexType>(to);
  mlir::Type fromPart = fromComplex ? fromComplex.getElementType() : from;
  mlir::Type toPart = toComplex ? toComplex.getElementType() : to;
  Num real = convertPart({&emitter, element.real}, fromPart, toPart);
  if (!toComplex)
    return roundToType(emitter, to, {real.value});
  Num imag = fromComplex
                 ? convertPart({&emitter, element.imag}, fromPart, toPart)
                 : real.like(0);
  return Element{real.value, imag.value};
}

} // namespace xlac::codegen
