// Error functions, gamma functions and their kin. All are computed in f64; f32
// rounds once.
#include "VectorMath.h"

#include <cmath>

namespace xlac::codegen {

static constexpr double kInf = HUGE_VAL;
static const double kNan = std::nan("");
static constexpr double kPi = 0x1.921fb54442d18p+1;

/// erf(x) / x against x^2 for |x| <= 1: 8e-13.
static constexpr double kErf[] = {
    1.1283791670946767327,    -0.37612638889635306771,
    0.11283791308604581452,   -0.026866133235095591563,
    0.005223783477189248115,  -0.00085426379970872296266,
    0.0001195656256820732956, -0.000013909340021874598594,
    1.0589380641075019183e-6};
/// (1 + 2 x) e^(x^2) erfc(x) against (x - 3.75) / (x + 3.75), 0 <= x <= 10.5:
/// 1e-11.
static constexpr double kErfc[] = {
    1.237512630839463925,       -0.14024059850971521308,
    0.0035854150351504629757,   0.082276733466497980692,
    -0.10880391384737470767,    0.092304424227824226845,
    -0.058693585706453993139,   0.028361290797357985219,
    -0.0097458273938346208548,  0.0017605028028292289752,
    0.00029379878326018367924,  -0.00030196288242998897955,
    0.000044739934249088661665, 0.00003286775292665227481};
/// Chebyshev coefficients of e^-x I1(x) / x over [0, 8] and of
/// sqrt(x) e^-x I1(x) in 16 / x over [8, infinity).
static constexpr double kBesselNear[] = {
    0.2525871864436336548,     -0.1764165183578340552,
    0.1026436586898470954,     -0.05294598120809499143,
    0.02472644903062651683,    -0.01056408489462619816,
    0.004156422944312888157,   -0.001513572450631253149,
    0.0005122859561685757729,  -0.0001617608158258967456,
    0.00004781565107550054226, -0.00001327316365603943583,
    3.470251308137678477e-6,   -8.568720264695454741e-7,
    2.003294753552135262e-7,   -4.445059128796328081e-8,
    9.381537386495771784e-9,   -1.887249751722829288e-9,
    3.625590281552117037e-10,  -6.663489723502027742e-11,
    1.173618629889090163e-11,  -1.983974397764943715e-12,
    3.22379336594557471e-13,   -5.042185504727911687e-14,
    7.600684294735406934e-15,  -1.105596947735386308e-15,
    1.553631957736200469e-16,  -2.111421214358166078e-17};
static constexpr double kBesselFar[] = {
    0.7785762350182801205,     -0.009761097491361468408,
    -0.0001105889387626237163, -3.882564808877690393e-6,
    -2.512236237870208925e-7,  -2.631468846889519507e-8,
    -3.835380385964237022e-9,  -5.589743462196583807e-10,
    -1.897495812350541234e-11, 3.252603583015488239e-11,
    1.412580743661378133e-11,  2.035628544147089507e-12,
    -7.198551776245908512e-13, -4.083551111092197318e-13,
    -2.101541842772664313e-14, 4.272440016711951354e-14,
    1.042027698412880276e-14,  -3.814403072437007805e-15,
    -1.880354775510782449e-15, 3.308202310920928283e-16,
    2.962628997645950139e-16,  -3.209525921993423959e-17,
    -4.650305368489358326e-17};
/// B(2k) / (2k) for k = 1 …: the tail of digamma.
static constexpr double kDigammaTail[] = {
    1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
    1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
/// B(2k) / (2k)! for k = 1 …: the tail of the zeta function.
static constexpr double kZetaTail[] = {1.0 / 12,
                                       -1.0 / 720,
                                       1.0 / 30240,
                                       -1.0 / 1209600,
                                       1.0 / 47900160,
                                       -691.0 / 1307674368000.0,
                                       1.0 / 74724249600.0,
                                       -3617.0 / 10670622842880000.0,
                                       43867.0 / 5109094217170944000.0,
                                       -174611.0 / 802857662698291200000.0};

static Num throughDouble(Num x, llvm::function_ref<Num(Num)> function) {
  return x.isDouble() ? function(x) : narrow(function(widen(x)));
}

/// erfc for 0 <= x to 1e-11, f64 lanes.
static Num wideErfc(Num x) {
  // Beyond, the result is 0 even as an f32 denormal.
  x = select(x > 10.5, 10.5, x);
  Num t = (x - 3.75) / (x + 3.75);
  return polynomial(t, kErfc) / fma(x, x.like(2), x.like(1)) * exp(-(x * x));
}

Num erf(Num x) {
  if (x.isDouble())
    return callService(x, XLAC_MATH_ERF);
  Num wide = widen(x);
  Num size = abs(wide);
  Num near = wide * polynomial(wide * wide, kErf);
  Num far = copysign(1.0 - wideErfc(size), wide);
  return narrow(select(size < 1.0, near, far));
}

Num erfc(Num x) {
  if (x.isDouble())
    return callService(x, XLAC_MATH_ERFC);
  Num wide = widen(x);
  Num tail = wideErfc(abs(wide));
  return narrow(select(wide < 0.0, 2.0 - tail, tail));
}

Num erfInv(Num x) {
  return throughDouble(x, [](Num p) {
    Num size = abs(p);
    Num rest = 1.0 - size;
    // Winitzki's closed form, right to 2e-3; then Halley's steps, each cubing
    // the relative error. Near 1 they work on erfc, which keeps its digits.
    constexpr double a = 0.147;
    Num l = log(rest * (1.0 + size));
    Num b = 2.0 / (kPi * a) + l * 0.5;
    // b^2 - l / a - b^2 taken apart so that small p keep their digits.
    Num root = sqrt(b * b - l / a);
    Num y = sqrt((-l / a) / (root + b));
    for (int step = 0; step < 3; ++step) {
      Num nearError = callService(y, XLAC_MATH_ERF) - size;
      Num farError = rest - callService(y, XLAC_MATH_ERFC);
      Num error = select(size < 0.5, nearError, farError);
      Num u = error * exp(y * y) * 0x1.c5bf891b4ef6ap-1;
      y = y - u / (1.0 + y * u);
    }
    y = select(size == 0.0, size, y);
    // The slope at 0 is sqrt(pi) / 2.
    y = select(size < 0x1p-40, size * 0x1.c5bf891b4ef6ap-1, y);
    y = select(size == 1.0, kInf, y);
    y = select(!(size <= 1.0), kNan, y);
    return copysign(y, p);
  });
}

Num lgamma(Num x) { return callService(x, XLAC_MATH_LGAMMA); }

Num digamma(Num x) {
  return throughDouble(x, [](Num v) {
    // Reflection: digamma(v) = digamma(1 - v) - pi cot(pi v).
    Num reflect = v < 0.5;
    Num z = select(reflect, 1.0 - v, v);
    // Up to where eight terms of the asymptotic series suffice.
    Num sum = v.like(0);
    for (int step = 0; step < 12; ++step) {
      Num low = z < 12.0;
      sum = select(low, sum - 1.0 / z, sum);
      z = select(low, z + 1.0, z);
    }
    Num inverse = 1.0 / z;
    Num square = inverse * inverse;
    Num tail = square * polynomial(square, kDigammaTail);
    Num result = (log(z) - (inverse * 0.5 + tail)) + sum;
    Num fraction = v - roundEven(v);
    Num angle = fraction * kPi;
    Num cotangent = cos(angle) / sin(angle) * kPi;
    result = select(reflect, result - cotangent, result);
    Num pole = (v <= 0.0) & (floor(v) == v);
    result = select(pole, kNan, result);
    // At zero the two sides have infinities of opposite sign.
    result = select(v == 0.0, copysign(v.like(kInf), -v), result);
    return select(v == kInf, kInf, result);
  });
}

/// Euler-Maclaurin over nine leading terms; x > 1, q > 0.
static Num wideZeta(Num x, Num q) {
  constexpr int terms = 9;
  auto power = [](Num a, Num b) { return callService(a, b, XLAC_MATH2_POW); };
  Num minus = -x;
  Num sum = q.like(0);
  Num a = q;
  for (int k = 0; k < terms; ++k) {
    sum = sum + power(a, minus);
    a = a + 1.0;
  }
  Num last = power(a, minus);
  sum = sum + last * a / (x - 1.0) + last * 0.5;
  Num inverse = 1.0 / (a * a);
  // Falling products x (x + 1) … over the powers of a, two factors a term.
  Num factor = last * x / a;
  for (unsigned k = 0; k < std::size(kZetaTail); ++k) {
    sum = sum + factor * kZetaTail[k];
    factor = factor * (x + (2.0 * k + 1)) * (x + (2.0 * k + 2)) * inverse;
  }
  return sum;
}

static Num zetaWithEdges(Num x, Num q) {
  // For q <= 0 the terms before the first positive one are finite only where x
  // is a whole number; the sum then runs from q itself, sign included.
  Num result = wideZeta(x, q);
  Num whole = floor(q) == q;
  result = select((q <= 0.0) & whole, kInf, result);
  result = select((q <= 0.0) & !whole & (floor(x) != x), kNan, result);
  result = select(x == 1.0, kInf, result);
  result = select(x < 1.0, kNan, result);
  result = select(isNan(x) | isNan(q), kNan, result);
  return result;
}

Num zeta(Num x, Num q) {
  if (x.isDouble())
    return zetaWithEdges(x, q);
  return narrow(zetaWithEdges(widen(x), widen(q)));
}

static Num widePolygamma(Num n, Num x) {
  Num whole = (n >= 0.0) & (floor(n) == n);
  Num odd = floor(n * 0.5) * 2.0 != n;
  Num order = n + 1.0;
  Num factorial = exp(callService(order, XLAC_MATH_LGAMMA));
  // Factorials up to 22! are whole numbers that f64 holds; rounding restores
  // them after the trip through logarithms.
  factorial = select(n < 16.0, roundEven(factorial), factorial);
  Num magnitude = factorial * zetaWithEdges(order, x);
  Num result = select(odd, magnitude, -magnitude);
  result = select(n == 0.0, digamma(x), result);
  return select(whole, result, kNan);
}

Num polygamma(Num n, Num x) {
  if (x.isDouble())
    return widePolygamma(n, x);
  return narrow(widePolygamma(widen(n), widen(x)));
}

/// Clenshaw's recurrence; the first coefficient counts half.
static Num chebyshev(Num x, llvm::ArrayRef<double> coefficients) {
  Num twice = x * 2.0;
  Num next = x.like(0), afterNext = x.like(0);
  for (double coefficient : llvm::reverse(coefficients.drop_front())) {
    Num current = fma(twice, next, coefficient - afterNext);
    afterNext = next;
    next = current;
  }
  return fma(x, next, 0.5 * coefficients.front() - afterNext);
}

Num besselI1e(Num x) {
  return throughDouble(x, [](Num v) {
    Num size = abs(v);
    Num nearPoint = select(size > 8.0, 8.0, size);
    Num near = nearPoint * chebyshev(nearPoint * 0.25 - 1.0, kBesselNear);
    Num farPoint = select(size < 8.0, 8.0, size);
    Num far = chebyshev(16.0 / farPoint - 1.0, kBesselFar) / sqrt(farPoint);
    return copysign(select(size <= 8.0, near, far), v);
  });
}

Num nextAfter(Num x, Num y) {
  bool isDouble = x.isDouble();
  Num bits = toBits(x);
  Num zero = bits.likeInt(0);
  auto integerSelect = [&](Num mask, uint64_t a, uint64_t b) {
    return select(mask, bits.likeInt(a), bits.likeInt(b));
  };
  Num negative = {x.emitter, x.ir().CreateICmpSLT(bits.value, zero.value)};
  // Away from zero the bits grow, whatever the sign.
  Num away = ((y > x) & !negative) | ((y < x) & negative);
  Num stepped = addInt(bits, integerSelect(away, 1, ~0ull));
  Num signBit = bits.likeInt(1ull << (isDouble ? 63 : 31));
  Num smallest = (toBits(y) & signBit) | bits.likeInt(1);
  Num result = fromBits(select(x == 0.0, smallest, stepped), isDouble);
  result = select(x == y, y, result);
  return select(isNan(x) | isNan(y), x + y, result);
}

} // namespace xlac::codegen
