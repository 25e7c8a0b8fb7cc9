// Complex numbers. Sums and products are computed in the type itself,
// everything else in f64, so that complex<f32> neither overflows in between nor
// loses precision. The formulas are also accurate for complex<f64>.
#include "Math/VectorMathDoubleDouble.h"
#include "ScalarOps.h"
#include "ScalarOpsInternal.h"

#include <cmath>

namespace xlac::codegen {

namespace {
struct Complex {
  Num re, im;
};
} // namespace

static Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
static Complex operator-(Complex a, Complex b) {
  return {a.re - b.re, a.im - b.im};
}
static Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/// Returns the product with one rounding fewer in each part.
static Complex fusedProduct(Complex a, Complex b) {
  return {fma(a.re, b.re, -(a.im * b.im)), fma(a.im, b.re, a.re * b.im)};
}
static Complex operator-(Complex a) { return {-a.re, -a.im}; }
static Complex conj(Complex a) { return {a.re, -a.im}; }
static Complex select(Num mask, Complex a, Complex b) {
  return {select(mask, a.re, b.re), select(mask, a.im, b.im)};
}
static Complex timesI(Complex a) { return {-a.im, a.re}; }
static Complex timesMinusI(Complex a) { return {a.im, -a.re}; }
static Num abs(Complex a) { return hypot(a.re, a.im); }

/// Returns 2^-k for the binary exponent k of a positive number; 1 for zero,
/// infinity and NaN. Scaling by it is exact.
static Num inverseScale(Num size) {
  Num bits = toBits(size);
  Num exponent = bits & bits.likeInt(0x7ff0000000000000ull);
  // 2046 - e is the exponent of the inverse. The extremes are handled
  // separately.
  Num inverse = subInt(bits.likeInt(2046ull << 52), exponent);
  Num usable = (size > 0x1p-1000) & (size < 0x1p1000);
  Num small = (size <= 0x1p-1000) & (size > 0.0);
  Num scale = select(usable, fromBits(inverse, true), size.like(1.0));
  scale = select(small, 0x1p1000, scale);
  return select((size >= 0x1p1000) & (size < kInf), 0x1p-1000, scale);
}

static Complex divide(Complex a, Complex b) {
  Num scale = inverseScale(maximum(abs(b.re), abs(b.im)));
  Num c = b.re * scale, d = b.im * scale;
  Num norm = c * c + d * d;
  // The products may cancel. Fusing one of the two preserves their difference.
  auto sum = [](Num p, Num q, Num r, Num s) {
    Num low = r * s;
    Num error = fma(r, s, -low);
    return fma(p, q, low) + error;
  };
  Complex result = {sum(a.re, c, a.im, d) / norm * scale,
                    sum(a.im, c, -a.re, d) / norm * scale};
  Num lost = isNan(result.re) & isNan(result.im);
  // Annex G of the C standard: recover the directions of infinities and zeros.
  Num infiniteTop = isInf(a.re) | isInf(a.im);
  Num infiniteBottom = isInf(b.re) | isInf(b.im);
  Num finiteTop = (abs(a.re) < kInf) & (abs(a.im) < kInf);
  Num finiteBottom = (abs(b.re) < kInf) & (abs(b.im) < kInf);
  auto unit = [](Num x) {
    return copysign(select(isInf(x), x.like(1.0), x.like(0.0)), x);
  };
  Num byZero = lost & (norm == 0.0) & (!isNan(a.re) | !isNan(a.im));
  Num signedInf = copysign(c.like(kInf), b.re);
  Complex zero = {signedInf * a.re, signedInf * a.im};
  Complex top = {(unit(a.re) * c + unit(a.im) * d) * kInf,
                 (unit(a.im) * c - unit(a.re) * d) * kInf};
  Num p = unit(b.re), q = unit(b.im);
  Complex bottom = {(a.re * p + a.im * q) * 0.0, (a.im * p - a.re * q) * 0.0};
  result = select(lost & infiniteBottom & finiteTop, bottom, result);
  result = select(lost & infiniteTop & finiteBottom, top, result);
  return select(byZero, zero, result);
}

static Complex sqrt(Complex z) {
  Num size = maximum(abs(z.re), abs(z.im));
  // Scaling by an even power of two keeps squares in range.
  Num huge = size > 0x1p1000, tiny = size < 0x1p-960;
  Num scale = select(huge, size.like(0x1p-600),
                     select(tiny, size.like(0x1p600), size.like(1.0)));
  Num back = select(huge, size.like(0x1p300),
                    select(tiny, size.like(0x1p-300), size.like(1.0)));
  Complex s = {z.re * scale, z.im * scale};
  Num t = sqrt((abs(s.re) + abs(s)) * 0.5);
  Num u = abs(s.im) / (t * 2.0);
  u = select(t == 0.0, t, u);
  Num right = s.re >= 0.0;
  Complex result = {select(right, t, u) * back,
                    copysign(select(right, u, t) * back, z.im)};
  Num infiniteIm = isInf(z.im);
  result = select(isInf(z.re) & !isInf(z.im) & !isNan(z.im),
                  select(right, Complex{z.re, copysign(t.like(0.0), z.im)},
                         Complex{t.like(0.0), copysign(t.like(kInf), z.im)}),
                  result);
  return select(infiniteIm, Complex{t.like(kInf), z.im}, result);
}

static Complex rsqrt(Complex z) {
  Complex root = sqrt(z);
  Num size = abs(z);
  Complex result = {root.re / size, -root.im / size};
  Num zero = size == 0.0;
  result.re = select(zero, kInf, result.re);
  result.im = select(zero, z.im * 0.0, result.im);
  Num infinite = isInf(size);
  return select(infinite,
                Complex{size.like(0.0), copysign(size.like(0.0), -z.im)},
                result);
}

/// Sums terms and their rounding errors. Sums such as a^2 + b^2 + 2 c - 1 need
/// more precision than f64 where they nearly cancel.
static Num exactSum(llvm::ArrayRef<Num> terms) {
  Num sum = terms.front(), error = sum.like(0.0);
  for (Num term : terms.drop_front()) {
    Num next = sum + term;
    Num part = next - sum;
    error = error + ((sum - (next - part)) + (term - part));
    sum = next;
  }
  return sum + error;
}

static Num squareError(Num x, Num square) { return fma(x, x, -square); }

/// log(1 + z). |1 + z| selects the formula of the real part.
static Complex log1p(Complex z) {
  Num x2 = z.re * z.re, y2 = z.im * z.im;
  Num excess = exactSum(
      {z.re * 2.0, x2, y2, squareError(z.re, x2), squareError(z.im, y2)});
  Num size = hypot(z.re + 1.0, z.im);
  Num near = (size > 0.5) & (size < 3.0);
  Num re = select(near, log1p(excess) * 0.5, log(size));
  return {re, atan2(z.im, z.re + 1.0)};
}

static Complex log(Complex z) {
  Num x2 = z.re * z.re, y2 = z.im * z.im;
  Num big = maximum(x2, y2), small = minimum(x2, y2);
  Num excess = exactSum({big.like(-1.0), big, small, squareError(z.re, x2),
                         squareError(z.im, y2)});
  Num size = abs(z);
  Num near = (size > 0.5) & (size < 3.0);
  // Where the magnitude overflows, the logarithm of half of it is still finite.
  Num half = hypot(z.re * 0.5, z.im * 0.5);
  Num far = select(isInf(size), log(half) + 0x1.62e42fefa39efp-1, log(size));
  return {select(near, log1p(excess) * 0.5, far), atan2(z.im, z.re)};
}

static Complex exp(Complex z) {
  // Halving the exponent keeps e^x cos y finite where e^x is not.
  Num big = z.re > 709.0;
  Num factor = exp(select(big, z.re * 0.5, z.re));
  Complex turn = {cos(z.im), sin(z.im)};
  Complex result = {factor * turn.re, factor * turn.im};
  result = select(big, Complex{result.re * factor, result.im * factor}, result);
  // A real argument has a real result, even where e^x is infinite.
  result.im = select(z.im == 0.0, z.im, result.im);
  Num nothing = (factor == 0.0) & !(abs(z.im) < kInf);
  return select(nothing, Complex{factor, factor}, result);
}

static Complex expm1(Complex z) {
  Num half = sin(z.im * 0.5);
  Num re = expm1(z.re) * cos(z.im) - half * half * 2.0;
  Complex full = exp(z);
  re = select(z.re > 40.0, full.re, re);
  // e^z is 0 at two infinite parts, but its cosine is not defined.
  Num undefined = !(abs(z.im) < kInf);
  return {re, select(undefined, z.im - z.im, full.im)};
}

static Complex sinh(Complex z) {
  Complex result = {sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im)};
  result.im = select(z.im == 0.0, z.im, result.im);
  result.re = select((z.re == 0.0), z.re, result.re);
  // e^|x| / 2 as a product of two factors where it would overflow.
  Num half = exp(abs(z.re) * 0.5);
  Num huge = (abs(z.re) > 709.0);
  Complex far = {copysign(half * 0.5, z.re) * cos(z.im) * half,
                 half * 0.5 * sin(z.im) * half};
  far.im = select(z.im == 0.0, z.im, far.im);
  return select(huge, far, result);
}

static Complex cosh(Complex z) {
  Complex result = {cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im)};
  Num axis = (z.im == 0.0) | (z.re == 0.0);
  Num zero = copysign(z.re.like(0.0), z.re) * copysign(z.im.like(1.0), z.im);
  result.im = select(axis, zero, result.im);
  Num half = exp(abs(z.re) * 0.5);
  Complex far = {half * 0.5 * cos(z.im) * half,
                 copysign(half * 0.5, z.re) * sin(z.im) * half};
  far.im = select(z.im == 0.0, zero, far.im);
  return select(abs(z.re) > 709.0, far, result);
}

static Complex sine(Complex z) { return timesMinusI(sinh(timesI(z))); }
static Complex cosine(Complex z) { return cosh(timesI(z)); }

/// Kahan's formula, without overflow and cancellation.
static Complex tanh(Complex z) {
  Num t = tan(z.im);
  Num secant = 1.0 + t * t;
  Num s = sinh(z.re);
  Num rho = sqrt(1.0 + s * s);
  Num denominator = 1.0 + secant * s * s;
  Complex result = {secant * rho * s / denominator, t / denominator};
  Complex pole = {rho / s, 1.0 / t};
  result = select(isInf(t), pole, result);
  Num decay = exp(abs(z.re) * -2.0);
  Complex far = {copysign(z.re.like(1.0), z.re),
                 sin(z.im) * cos(z.im) * 4.0 * decay};
  // As in Annex G: an infinite real part decides alone, a finite one does not.
  Num undefined = !(abs(z.im) < kInf);
  far.im = select(isInf(z.re) & undefined, 0.0, far.im);
  far.re = select(isInf(z.re) | !undefined, far.re, z.im - z.im);
  return select(abs(z.re) > 20.0, far, result);
}

static Complex tangent(Complex z) { return timesMinusI(tanh(timesI(z))); }

static Complex logistic(Complex z) {
  // (e^x + cos y + i sin y) / (2 cosh x + 2 cos y), without the cancellation
  // near the poles.
  Num half = z.im * 0.5;
  Num cosine = cos(half), sine = sin(half), s = sinh(z.re * 0.5);
  Num denominator = (s * s + cosine * cosine) * 2.0;
  Complex result = {fma(cosine, cosine, expm1(z.re) * 0.5) / denominator,
                    sine * cosine / denominator};
  // For very negative x the result is e^z, for very large x it is 1 - e^-z.
  Complex far = exp(select(z.re < 0.0, z, -z));
  Complex complement = {1.0 - far.re, -far.im};
  far = select(z.re < 0.0, far, complement);
  return select(abs(z.re) < 38.0, result, far);
}

static Complex cbrt(Complex z) {
  Num size = cbrt(abs(z));
  Num angle = atan2(z.im, z.re) * (1.0 / 3);
  return {size * cos(angle), size * sin(angle)};
}

/// Returns e^(w log z). The exponent is a double-double, because its rounding
/// error grows with its magnitude.
static Complex power(Complex z, Complex w) {
  Num size = maximum(abs(z.re), abs(z.im));
  Num scale = inverseScale(size);
  Num x = z.re * scale, y = z.im * scale;
  Num biased = smallIntToDouble(shiftRightLogical(toBits(scale), 52));
  DoubleDouble radius =
      scaled(logDoubleDouble(twoProduct(x, x) + twoProduct(y, y),
                             (1023.0 - biased) * 2.0),
             0.5);
  DoubleDouble angle = atan2DoubleDouble(z.im, z.re);
  DoubleDouble re = radius * w.re - angle * w.im;
  DoubleDouble im = radius * w.im + angle * w.re;
  auto [sine, cosine] = sineAndCosineDoubleDouble(im);
  DoubleDoubleExp growth = expDoubleDouble(re);
  auto part = [&](DoubleDouble direction) {
    return DoubleDoubleExp{growth.mantissa * direction, growth.exponent}
        .rounded();
  };
  // Infinities, and the logarithm of zero, use the plain formula.
  Num regular = (size > 0.0) & (size < kInf) & (abs(re.high) < kInf) &
                (abs(im.high) < kInf);
  Num usualRe = part(cosine), usualIm = part(sine);
  Nums parts = unlessAny(!regular, {usualRe, usualIm}, [&] {
    Complex plain = exp(w * log(z));
    return Nums{select(regular, usualRe, plain.re),
                select(regular, usualIm, plain.im)};
  });
  Complex result = {parts[0], parts[1]};
  Num zeroBase = (z.re == 0.0) & (z.im == 0.0);
  Num zeroPower = (w.re == 0.0) & (w.im == 0.0);
  Complex nothing = {z.re.like(0.0), z.re.like(0.0)};
  Complex one = {z.re.like(1.0), z.re.like(0.0)};
  result = select(zeroBase & (w.re > 0.0), nothing, result);
  return select(zeroPower, one, result);
}

static Complex atan2(Complex y, Complex x) {
  Complex ratio = divide(x + timesI(y), sqrt(x * x + y * y));
  return timesMinusI(log(ratio));
}

/// The square roots of 1 - z and 1 + z, which the inverse functions use (Kahan,
/// "Branch cuts for complex elementary functions").
struct UnitRoots {
  Complex minus, plus;
};

static UnitRoots unitRoots(Complex z) {
  return {sqrt(Complex{1.0 - z.re, -z.im}), sqrt(Complex{1.0 + z.re, z.im})};
}

static Complex asin(Complex z) {
  UnitRoots r = unitRoots(z);
  Num re = atan2(z.re, (r.minus * r.plus).re);
  Num im = asinh((conj(r.minus) * r.plus).im);
  return {re, im};
}

static Complex acos(Complex z) {
  UnitRoots r = unitRoots(z);
  Num re = atan2(r.minus.re, r.plus.re) * 2.0;
  Num im = asinh((conj(r.plus) * r.minus).im);
  return {re, im};
}

/// Intermediate values of asin and acos: asin z is atan2(x, re) and im with the
/// sign of y.
static Complex asinAcosKernel(Complex z) {
  UnitRoots r = unitRoots(z);
  Num im = asinh((conj(r.minus) * r.plus).im);
  return {(r.minus * r.plus).re, abs(im)};
}

static Complex acosh(Complex z) {
  Complex minus = sqrt(Complex{z.re - 1.0, z.im});
  Complex plus = sqrt(Complex{z.re + 1.0, z.im});
  Num re = asinh((conj(minus) * plus).re);
  Num im = atan2(minus.im, plus.re) * 2.0;
  return {re, im};
}

static Complex asinh(Complex z) { return timesMinusI(asin(timesI(z))); }

static Complex atanh(Complex z) {
  Num x = abs(z.re);
  Num rest = 1.0 - x;
  Num y2 = z.im * z.im;
  Num distance = rest * rest + y2;
  Num re = log1p(x * 4.0 / distance) * 0.25;
  // Near the poles the square of the distance underflows in f64.
  Num beside = (rest == 0.0) & (abs(z.im) < 0x1p-100);
  re = select(beside, (0x1.62e42fefa39efp-1 - log(abs(z.im))) * 0.5, re);
  // For large z, 4 x / |1 - z|^2 is at most 4 / x. Scaling avoids its overflow.
  Num large = maximum(x, abs(z.im)) > 0x1p500;
  Num size = hypot(z.re, z.im);
  re = select(large, x / size / size, re);
  re = select(isInf(size), 0.0, re);
  Num im = atan2(z.im * 2.0, rest * (1.0 + x) - y2) * 0.5;
  Num right = copysign(x.like(0x1.921fb54442d18p+0), z.im);
  im = select(large, right, im);
  return {copysign(re, z.re), im};
}

static Complex arcTangent(Complex z) { return timesMinusI(atanh(timesI(z))); }

static Complex sign(Complex z) {
  Num size = abs(z);
  Complex unit = {z.re / size, z.im / size};
  Num zero = (z.re == 0.0) & (z.im == 0.0);
  return select(zero, Complex{size.like(0.0), size.like(0.0)}, unit);
}

static Num compareComplex(CompareAttributes how, Complex a, Complex b) {
  auto compare = how.totalOrder ? compareTotalOrder : compareFloats;
  Num re = compare(how.direction, a.re, b.re);
  Num im = compare(how.direction, a.im, b.im);
  if (how.direction == Comparison::EQ)
    return re & im;
  if (how.direction == Comparison::NE)
    return re | im;
  // Lexicographic: compare the real parts first, then the imaginary parts.
  Num tie = compare(Comparison::EQ, a.re, b.re);
  Comparison strict = how.direction == Comparison::GE   ? Comparison::GT
                      : how.direction == Comparison::LE ? Comparison::LT
                                                        : how.direction;
  return compare(strict, a.re, b.re) | (tie & im);
}

static Complex extremum(Complex a, Complex b, Comparison direction) {
  Num first = compareComplex({direction, false}, a, b);
  Num nan = isNan(a.re) | isNan(a.im);
  return select(first | nan, a, b);
}

using UnaryFunction = Complex (*)(Complex);
using BinaryFunction = Complex (*)(Complex, Complex);

/// Returns the function that the op table names. Returns null for an op without
/// one, which is emitted separately or is undefined on these types.
static UnaryFunction unaryFunction(ops::OpKind kind) {
  switch (kind) {
#define XLAC_COMPLEX_LANES_1(kind, function)                                   \
  case ops::OpKind::kind:                                                      \
    return function;
#define XLAC_NO_COMPLEX_LANES(kind) case ops::OpKind::kind:
#include "xlac/ops/elementwise_functions.inc"
  case ops::OpKind::BitcastConvert: // between types of different sizes
    return nullptr;
  default:
    llvm_unreachable("scalarKind() has a kind for every op with code on lanes");
  }
}

static BinaryFunction binaryFunction(ops::OpKind kind) {
  switch (kind) {
#define XLAC_COMPLEX_LANES_2(kind, function)                                   \
  case ops::OpKind::kind:                                                      \
    return function;
#define XLAC_NO_COMPLEX_LANES(kind) case ops::OpKind::kind:
#include "xlac/ops/elementwise_functions.inc"
    return nullptr;
  default:
    llvm_unreachable("scalarKind() has a kind for every op with code on lanes");
  }
}

/// Emits ops that compute in the type's own precision.
static std::optional<Element> emitExactOp(const ScalarCall &call) {
  llvm::StringRef name = call.name;
  Complex a{call.real(0), call.imag(0)};
  auto element = [](Complex z) { return Element{z.re.value, z.im.value}; };
  if (name == "abs")
    return Element{abs(a).value};
  if (name == "negate")
    return element(-a);
  if (name == "conj")
    return element(conj(a));
  if (name == "square")
    return element({(a.re - a.im) * (a.re + a.im), a.re * a.im * 2.0});
  if (name == "is_finite")
    return Element{((abs(a.re) < kInf) & (abs(a.im) < kInf)).value};
  if (call.operands.size() < 2)
    return std::nullopt;
  Complex b{call.real(1), call.imag(1)};
  if (name == "add")
    return element(a + b);
  if (name == "subtract")
    return element(a - b);
  if (name == "multiply")
    return element(fusedProduct(a, b));
  if (name == "maximum")
    return element(extremum(a, b, Comparison::GE));
  if (name == "minimum")
    return element(extremum(a, b, Comparison::LE));
  if (name == "clamp" && call.operands.size() == 3) {
    Complex high{call.real(2), call.imag(2)};
    return element(
        extremum(extremum(b, a, Comparison::GE), high, Comparison::LE));
  }
  if (name == "compare")
    if (std::optional<CompareAttributes> how = compareAttributes(call.op))
      return Element{compareComplex(*how, a, b).value};
  return std::nullopt;
}

std::optional<Element> emitComplexOp(const ScalarCall &call) {
  if (std::optional<Element> exact = emitExactOp(call))
    return exact;
  bool isDouble = call.real(0).isDouble();
  auto operand = [&](unsigned i) -> Complex {
    if (isDouble)
      return {call.real(i), call.imag(i)};
    return {widen(call.real(i)), widen(call.imag(i))};
  };
  std::optional<Complex> result;
  if (call.operands.size() == 1) {
    if (UnaryFunction function = unaryFunction(call.kind))
      result = function(operand(0));
  } else if (call.operands.size() == 2) {
    if (BinaryFunction function = binaryFunction(call.kind))
      result = function(operand(0), operand(1));
  }
  if (!result)
    return std::nullopt;
  if (isDouble)
    return Element{result->re.value, result->im.value};
  return Element{narrow(result->re).value, narrow(result->im).value};
}

} // namespace xlac::codegen
