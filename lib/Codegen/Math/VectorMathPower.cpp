// Powers, roots, hypotenuse and remainder.
#include "VectorMathDoubleDouble.h"

#include <cmath>

namespace xlac::codegen {

/// Approximates x^(-1/3) for 1 <= x <= 2. Error 7e-6.
static constexpr double kInverseCubeRoot[] = {
    1.777647168489005416,    -1.554027407710659807,  1.2271496200207153917,
    -0.58651416158898059902, 0.15224956438221763567, -0.016511679091286463049};

/// Returns x^(1/3) for positive finite x.
static Num cubeRootOfPositive(Num x) {
  Num tiny = x < 0x1p-1022;
  x = select(tiny, x * 0x1p54, x);
  Num bits = toBits(x);
  Num biased = smallIntToDouble(shiftRightLogical(bits, 52));
  // Write the exponent as three times an integer plus 0, 1 or 2. The bias,
  // 1023, is a multiple of three.
  Num third = floor((biased + 0.5) * (1.0 / 3));
  Num over = biased - third * 3.0;
  constexpr uint64_t mantissaBits = (1ull << 52) - 1;
  Num mantissa = fromBits(
      (bits & bits.likeInt(mantissaBits)) | bits.likeInt(1023ull << 52), true);
  Num inverse = polynomial(mantissa, kInverseCubeRoot);
  inverse = inverse * select(over == 0.0, inverse.like(1.0),
                             select(over == 1.0, 0x1.965fea53d6e3dp-1,
                                    inverse.like(0x1.428a2f98d728bp-1)));
  mantissa = mantissa * select(over == 0.0, mantissa.like(1.0),
                               select(over == 1.0, 2.0, mantissa.like(4.0)));
  // An iteration of third order, then one with an exact residual.
  Num missing = fma(-mantissa * inverse * inverse, inverse, x.like(1.0));
  inverse = fma(inverse * missing,
                fma(missing, x.like(2.0 / 9), x.like(1.0 / 3)), inverse);
  Num square = inverse * inverse;
  Num root = mantissa * square;
  DoubleDouble cube = twoProduct(root, root) * root;
  Num rest = (mantissa - cube.high) - cube.low;
  root = fma(rest, square * (1.0 / 3), root);
  // 2^(third - 341), minus 18 if the number was scaled up.
  third = select(tiny, third - 18.0, third);
  Num shifted = toBits(third + (0x1.8p52 + (1023.0 - 341.0)));
  return root * fromBits(shiftLeft(shifted, 52), true);
}

static Num singleCbrt(Num x) {
  Num size = abs(x);
  Num tiny = size < 0x1p-126;
  Num scaled = select(tiny, size * 0x1p24, size);
  // The bits are roughly a logarithm. Negating a third of them gives an inverse
  // cube root with an error of 4%.
  Num bits = shiftRightLogical(toBits(scaled), 8);
  Num third = fma(intToFloat(bits, false), x.like(-1.0 / 3), x.like(0x54a21d));
  Num inverse = fromBits(shiftLeft(toBits(third + 0x1p23), 8), false);
  // Two iterations of third order, then one with an exact residual.
  for (int step = 0; step < 2; ++step) {
    Num missing = fma(-(scaled * inverse), inverse * inverse, x.like(1.0));
    inverse = fma(inverse * missing,
                  fma(missing, x.like(2.0 / 9), x.like(1.0 / 3)), inverse);
  }
  Num square = inverse * inverse;
  Num root = scaled * square;
  Num squared = root * root;
  Num squaredLost = fma(root, root, -squared);
  Num rest = fma(-squared, root, scaled) - squaredLost * root;
  root = fma(rest, square * (1.0 / 3), root);
  root = select(tiny, root * 0x1p-8, root);
  return select(size < kInf, copysign(root, x), x);
}

Num cbrt(Num x) {
  if (!x.isDouble())
    return singleCbrt(x);
  Num root = copysign(cubeRootOfPositive(abs(x)), x);
  return select((x == 0.0) | !(abs(x) < kInf), x, root);
}

Num rsqrt(Num x) {
  // For tiny x, the residuals below would be denormal and lose precision.
  bool isDouble = x.isDouble();
  Num tiny = x < (isDouble ? 0x1p-900 : 0x1p-80);
  x = select(tiny, x * (isDouble ? 0x1p200 : 0x1p80), x);
  Num root = sqrt(x);
  Num inverse = 1.0 / root;
  // The rounding errors of the root and the quotient, to first order.
  Num lostByRoot = fma(-root, root, x) * inverse * 0.5;
  Num lostByQuotient = fma(-root, inverse, x.like(1.0));
  Num mended = fma(inverse, lostByQuotient - lostByRoot * inverse, inverse);
  Num result = select((x > 0.0) & (x < kInf), mended, inverse);
  return select(tiny, result * (isDouble ? 0x1p100 : 0x1p40), result);
}

/// Approximates 2^r for |r| <= 1/2. Error 2e-9.
static constexpr double kCoarseExp2[] = {
    1.0000000005542384,    0.69314720573227928,   0.24022646889552723,
    0.055503287836351382,  0.0096184890209152548, 0.0013399929103585142,
    0.00015345802348450105};

/// Returns size^power in f32, for size >= 0. Only the logarithm and the
/// fraction of its product are f64, with short polynomials.
static Num singlePowerOfSize(Num size, Num power) {
  Num tiny = size < 0x1p-126;
  auto [exponent, part] = scaledToOne(select(tiny, size * 0x1p24, size));
  Num e = intToFloat(exponent, false);
  e = select(tiny, e - 24.0, e);
  e = select(size == 0.0, -kInf, select(size == kInf, kInf, e));
  Num z = coarseLog2(widen(e), widen(part)) * widen(power);
  // Beyond these bounds the result is 0 or infinity. NaN passes.
  z = select(z < -160.0, -160.0, z);
  z = select(z > 130.0, 130.0, z);
  Num shifted = z + 0x1.8p52;
  Num result = polynomial(z - (shifted - 0x1.8p52), kCoarseExp2);
  Num scale = shiftLeft(toBits(shifted), 52);
  return narrow(fromBits(addInt(toBits(result), scale), true));
}

/// Returns size^power for size > 0. The logarithm is a double-double.
static Num powerOfSize(Num size, Num power) {
  DoubleDouble log = logDoubleDouble(size);
  DoubleDouble product = twoProduct(log.high, power);
  Num low = fma(log.low, power, product.low);
  Num result = expDoubleDouble({product.high, low}).rounded();
  // Zero and infinity have no mantissa with a logarithm.
  Num inverted = select(power < 0.0, kInf, power.like(0.0));
  Num kept = select(power < 0.0, 0.0, power.like(kInf));
  result = select(size == 0.0, inverted, result);
  return select(size == kInf, kept, result);
}

Num pow(Num x, Num y) {
  Num size = abs(x);
  Num result = x.isDouble() ? powerOfSize(size, y) : singlePowerOfSize(size, y);
  Num integral = trunc(y) == y;
  Num halved = y * 0.5;
  Num odd = integral & (trunc(halved) != halved);
  result = select(isNegative(x) & odd, -result, result);
  result = select((x < 0.0) & !integral & (size != kInf), kNan, result);
  result = select(isNan(x) | isNan(y), x + y, result);
  // Even for NaN: 1 to any power, any number to the power 0, and -1 to
  // infinity.
  Num one = (x == 1.0) | (y == 0.0) | ((x == -1.0) & (abs(y) == kInf));
  return select(one, 1.0, result);
}

/// Returns the binary exponent of a positive finite number, also a denormal
/// one, as a float.
static Num exponentOf(Num x) {
  Num tiny = x < 0x1p-1022;
  Num bits = toBits(select(tiny, x * 0x1p54, x));
  Num exponent = smallIntToDouble(shiftRightLogical(bits, 52)) - 1023.0;
  return select(tiny, exponent - 54.0, exponent);
}

/// Returns x * 2^n for 0 <= n <= 2098, if it does not overflow. n is a float.
static Num shiftedUp(Num x, Num n) {
  for (int step = 0; step < 3; ++step) {
    Num part = minimum(n, n.like(1000.0));
    Num bits = toBits(part + (0x1.8p52 + 1023.0));
    x = x * fromBits(shiftLeft(bits, 52), true);
    n = n - part;
  }
  return x;
}

/// Returns x - trunc(x / y) y without rounding, for 0 <= x, 0 < y and a
/// quotient of at most `quotientDigits` digits.
static Num remainderStep(Num x, Num y) {
  Num quotient = trunc(x / y);
  Num rest;
  if (hasFusedMultiply(x)) {
    rest = fma(-quotient, y, x);
  } else {
    Num leading = veltkampSplit(y);
    rest = (x - quotient * leading) - quotient * (y - leading);
  }
  // The quotient may have been rounded up to the next integer.
  return select(rest < 0.0, rest + y, rest);
}

/// Returns the number of binary digits of a quotient whose product with y is
/// exact.
static double quotientDigits(Num x) { return hasFusedMultiply(x) ? 52 : 25; }

/// Requires finite numbers >= 0 and y > 0. Lanes with a quotient too large for
/// one step first subtract multiples of y.
static Num longRemainder(Num x, Num y) {
  double digits = quotientDigits(x);
  Num scale = exponentOf(y) + (digits - 1);
  auto tooLarge = [&](llvm::ArrayRef<Num> rest) { return rest[0] >= y; };
  auto step = [&](llvm::ArrayRef<Num> rest) {
    Num excess = exponentOf(rest[0]) - scale;
    excess = select(excess > 0.0, excess, 0.0);
    return Nums{remainderStep(rest[0], shiftedUp(y, excess))};
  };
  return loopWhileAny({x}, tooLarge, step)[0];
}

static Num wideRemainder(Num x, Num y) {
  Num numerator = abs(x), denominator = abs(y);
  Num regular = (numerator < kInf) & (denominator > 0.0);
  Num quotient = numerator / denominator;
  Num far = regular & (quotient >= std::ldexp(1.0, int(quotientDigits(x))));
  Num fast = remainderStep(numerator, denominator);
  Num result = unlessAny(far, fast, [&] {
    // Other lanes finish immediately with the remainder of 0 by 1.
    Num rest = longRemainder(select(far, numerator, 0.0),
                             select(far, denominator, 1.0));
    return select(far, rest, fast);
  });
  result = select(denominator == kInf, numerator, result);
  result = select(regular, copysign(result, x), kNan);
  return select(isNan(x) | isNan(y), x + y, result);
}

Num fmod(Num x, Num y) { return throughDouble(x, y, wideRemainder); }

Num hypot(Num x, Num y) {
  if (!x.isDouble()) {
    Num a = widen(x), b = widen(y);
    Num result = narrow(sqrt(a * a + b * b));
    return select(isInf(x) | isInf(y), kInf, result);
  }
  Num a = abs(x), b = abs(y);
  Num steep = b > a;
  Num high = select(steep, b, a), low = select(steep, a, b);
  // Scale so that squares neither overflow nor lose precision.
  Num huge = high > 0x1p500, tiny = high < 0x1p-400;
  Num factor =
      select(huge, x.like(0x1p-600), select(tiny, 0x1p600, x.like(1.0)));
  Num back = select(huge, x.like(0x1p600), select(tiny, 0x1p-600, x.like(1.0)));
  Num scaledHigh = high * factor, scaledLow = low * factor;
  DoubleDouble root = sqrt(twoProduct(scaledHigh, scaledHigh) +
                           twoProduct(scaledLow, scaledLow));
  Num result = select(high == 0.0, 0.0, root.high * back);
  result = select(isNan(x) | isNan(y), x + y, result);
  return select(isInf(x) | isInf(y), kInf, result);
}

} // namespace xlac::codegen
