// Real floats of every width. Floats of 16 bits and fewer are represented as
// f32, and the caller rounds them.
#include "ScalarOps.h"
#include "ScalarOpsInternal.h"

#include <cmath>

namespace xlac::codegen {

Num compareFloats(Comparison direction, Num a, Num b) {
  switch (direction) {
  case Comparison::EQ:
    return a == b;
  case Comparison::NE:
    return a != b;
  case Comparison::GE:
    return a >= b;
  case Comparison::GT:
    return a > b;
  case Comparison::LE:
    return a <= b;
  case Comparison::LT:
    return a < b;
  }
  return a == b;
}

Num compareTotalOrder(Comparison direction, Num a, Num b) {
  auto key = [](Num x) {
    // Inverting the magnitude of negative numbers makes the bits ordered as
    // integers.
    Num bits = toBits(x);
    unsigned width = x.isDouble() ? 64 : 32;
    Num sign = shiftRightArithmetic(bits, width - 1);
    return bits ^ shiftRightLogical(sign, 1);
  };
  return compareIntegers(direction, false, key(a), key(b));
}

Num sign(Num x) {
  Num unit = copysign(x.like(1.0), x);
  return select((x == 0.0) | isNan(x), x, unit);
}

Num identity(Num x) { return x; }
Num negate(Num x) { return -x; }
Num square(Num x) { return x * x; }
Num asinAcosKernel(Num x) { return sqrt((1.0 - x) * (1.0 + x)); }
Num isFinite(Num x) { return abs(x) < HUGE_VAL; }
Num isPosInf(Num x) { return x == HUGE_VAL; }
Num isNegInf(Num x) { return x == -HUGE_VAL; }
Num add(Num x, Num y) { return x + y; }
Num subtract(Num x, Num y) { return x - y; }
Num multiply(Num x, Num y) { return x * y; }
Num divide(Num x, Num y) { return x / y; }

/// Rounds the mantissa. Then overflows to infinity, or underflows to zero, if
/// the exponent does not fit. Works on the bits of the type.
static Num reducePrecision(const ScalarCall &call) {
  auto attribute = [&](llvm::StringRef name) {
    return call.op->getAttrOfType<mlir::IntegerAttr>(name).getInt();
  };
  unsigned exponentBits = attribute("exponent_bits");
  unsigned mantissaBits = attribute("mantissa_bits");
  auto type = llvm::cast<mlir::FloatType>(call.type);
  if (llvm::isa<mlir::Float8E8M0FNUType>(type)) {
    // The type is an exponent only, which f32 can represent. It has no mantissa
    // to round.
    type = mlir::Float32Type::get(type.getContext());
    mantissaBits = type.getFPMantissaWidth() - 1;
  }
  unsigned width = type.getWidth();
  unsigned ownMantissa = type.getFPMantissaWidth() - 1;
  unsigned ownExponent = width - 1 - ownMantissa;
  ScalarEmitter &emitter = call.emitter;
  Num x = call.real(0);
  bool isNarrow = width <= 16;
  Num bits = isNarrow ? Num{&emitter, encodeNarrowFloat(emitter, type, x.value)}
                      : toBits(x);
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  uint64_t largest =
      llvm::APFloat::getLargest(semantics).bitcastToAPInt().getZExtValue();
  // Compute the magnitude. The sign is restored at the end.
  bits = bits & bits.likeInt((1ull << (width - 1)) - 1);
  if (mantissaBits < ownMantissa) {
    unsigned dropped = ownMantissa - mantissaBits;
    Num odd = shiftRightLogical(bits, dropped) & bits.likeInt(1);
    Num bias = addInt(odd, bits.likeInt((1ull << (dropped - 1)) - 1));
    bits = addInt(bits, bias) & bits.likeInt(~((1ull << dropped) - 1));
  }
  // Rounding may exceed the largest number of formats without infinity.
  Num over = compareIntegers(Comparison::GT, true, bits, bits.likeInt(largest));
  Num under = compareIntegers(Comparison::LT, true, bits, bits.likeInt(0));
  if (exponentBits < ownExponent) {
    uint64_t exponentMask = ((1ull << ownExponent) - 1) << ownMantissa;
    int64_t bias = 1 - llvm::APFloat::semanticsMinExponent(semantics);
    int64_t newBias = (int64_t(1) << (exponentBits - 1)) - 1;
    Num exponent = bits & bits.likeInt(exponentMask);
    over = over | compareIntegers(
                      Comparison::GT, true, exponent,
                      bits.likeInt(uint64_t(bias + newBias) << ownMantissa));
    under = compareIntegers(
        Comparison::LE, true, exponent,
        bits.likeInt(uint64_t(std::max<int64_t>(bias - newBias, 0))
                     << ownMantissa));
  }
  Num result = isNarrow
                   ? Num{&emitter, decodeNarrowFloat(emitter, type, bits.value)}
                   : fromBits(bits, type.isF64());
  // Above the largest number, the exponent bits are meaningless.
  result = select(under, x.like(0.0), result);
  result = copysign(select(over, x.like(HUGE_VAL), result), x);
  // Without mantissa bits there is no NaN: its bits are infinity's.
  Num nan = mantissaBits == 0 ? copysign(x.like(HUGE_VAL), x) : x;
  return select(isNan(x), nan, result);
}

/// Computes nextafter in a type of 16 bits or fewer: a step in the bits of the
/// type.
static Num nextAfterNarrow(const ScalarCall &call) {
  auto type = llvm::cast<mlir::FloatType>(call.type);
  ScalarEmitter &emitter = call.emitter;
  unsigned width = type.getWidth();
  Num x = call.real(0), y = call.real(1);
  Num bits = {&emitter, encodeNarrowFloat(emitter, type, x.value)};
  Num towards = {&emitter, encodeNarrowFloat(emitter, type, y.value)};
  // f8E8M0FNU has no sign bit: larger bits are larger numbers.
  bool isSigned = !llvm::isa<mlir::Float8E8M0FNUType>(type);
  Num signMask = bits.likeInt(isSigned ? 1ull << (width - 1) : 0);
  Num negative =
      !compareIntegers(Comparison::EQ, true, bits & signMask, bits.likeInt(0));
  Num away = ((y > x) & !negative) | ((y < x) & negative);
  Num step = select(away, bits.likeInt(1), bits.likeInt(~0ull));
  Num smallest = (towards & signMask) | bits.likeInt(1);
  Num next = select(x == 0.0, smallest, addInt(bits, step));
  Num result = {&emitter, decodeNarrowFloat(emitter, type, next.value)};
  result = select(x == y, y, result);
  return select(isNan(x) | isNan(y), x + y, result);
}

using UnaryFunction = Num (*)(Num);
using BinaryFunction = Num (*)(Num, Num);

/// Returns the function that the op table names. Returns null for an op without
/// one, which is emitted separately or is undefined on these types.
static UnaryFunction unaryFunction(ops::OpKind kind) {
  switch (kind) {
#define XLAC_REAL_LANES_1(kind, function)                                      \
  case ops::OpKind::kind:                                                      \
    return function;
#define XLAC_NO_REAL_LANES(kind) case ops::OpKind::kind:
#include "xlac/ops/elementwise_functions.inc"
  case ops::OpKind::BitcastConvert: // between types of different sizes
    return nullptr;
  default:
    llvm_unreachable("scalarKind() has a kind for every op with code on lanes");
  }
}

static BinaryFunction binaryFunction(ops::OpKind kind) {
  switch (kind) {
#define XLAC_REAL_LANES_2(kind, function)                                      \
  case ops::OpKind::kind:                                                      \
    return function;
#define XLAC_NO_REAL_LANES(kind) case ops::OpKind::kind:
#include "xlac/ops/elementwise_functions.inc"
    return nullptr;
  default:
    llvm_unreachable("scalarKind() has a kind for every op with code on lanes");
  }
}

std::optional<Element> emitFloatOp(const ScalarCall &call) {
  llvm::StringRef name = call.name;
  if (call.operands.size() == 1) {
    if (UnaryFunction function = unaryFunction(call.kind))
      return Element{function(call.real(0)).value};
    if (name == "reduce_precision")
      return Element{reducePrecision(call).value};
    return std::nullopt;
  }
  if (name == "clamp") {
    Num raised = maximum(call.real(1), call.real(0));
    return Element{minimum(raised, call.real(2)).value};
  }
  if (call.operands.size() != 2)
    return std::nullopt;
  Num a = call.real(0), b = call.real(1);
  if (BinaryFunction function = binaryFunction(call.kind))
    return Element{function(a, b).value};
  if (name == "compare") {
    std::optional<CompareAttributes> how = compareAttributes(call.op);
    if (!how)
      return std::nullopt;
    auto compare = how->totalOrder ? compareTotalOrder : compareFloats;
    return Element{compare(how->direction, a, b).value};
  }
  if (name == "next_after") {
    bool isNarrow = bitWidth(call.type) <= 16;
    return Element{(isNarrow ? nextAfterNarrow(call) : nextAfter(a, b)).value};
  }
  return std::nullopt;
}

} // namespace xlac::codegen
