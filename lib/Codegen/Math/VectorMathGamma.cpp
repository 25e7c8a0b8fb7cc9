// The logarithm of the gamma function and its derivatives, and the zeta
// function that they use. f32 is computed in f64 and rounded once. Sums carry
// their rounding errors, so that results are accurate where they nearly cancel;
// those of positive f32 numbers do not need this.
#include "VectorMathDoubleDouble.h"

namespace xlac::codegen {

/// Approximates lgamma(2 + t) / t as a polynomial in t for |t| <= 1 / 2,
/// without the constant term, 1 minus Euler's constant. Error 4e-20.
static constexpr DoubleDoubleConstant kGammaConstant = {0x1.b0ee6072093cep-2,
                                                        0x1.6cb90701fbfabp-58};
static constexpr double kGammaSeries[] = {
    0.32246703342411321795,    -0.067352301053198094998,
    0.020580808427784630426,   -0.0073855510286740247879,
    0.0028905103307344045693,  -0.0011927539116998527338,
    0.00050966952502419547814, -0.00022315475858818616017,
    9.9457506687881399144e-5,  -4.4926233820610824575e-5,
    2.050729199656382497e-5,   -9.4395262020588178626e-6,
    4.3742234810820478287e-6,  -2.0389077825677104694e-6,
    9.5842070485949861417e-7,  -4.5081682254468382908e-7,
    2.0193835401136914384e-7,  -9.5581781016351950431e-8,
    6.4725698400647237363e-8,  -3.085985478390577084e-8};
/// Approximates (lgamma(x) - (x - 1 / 2) log(x) + x - log(2 pi) / 2) x as a
/// polynomial in 1 / x^2 for x >= 8. Error 2e-19.
static constexpr double kStirling[] = {
    0.083333333333333333321,   -0.0027777777777776747565,
    0.00079365079351172804783, -0.00059523802342907759836,
    0.00084173252679479261773, -0.0019149659115403872531,
    0.0062081367397219023401,  -0.020855820385832984203};
static constexpr DoubleDoubleConstant kHalfLogTwoPi = {0x1.d67f1c864beb5p-1,
                                                       -0x1.65b5a1b7ff5dfp-55};
static constexpr DoubleDoubleConstant kLogPi = {0x1.250d048e7a1bdp+0,
                                                0x1.7abf2ad8d5088p-57};
/// Approximates (log(x) - 1 / (2 x) - digamma(x)) x^2 as a polynomial in 1 /
/// x^2 for x >= 8. Error 2e-18.
static constexpr double kDigammaTail[] = {
    0.08333333333333333313,   -0.0083333333333316641683,
    0.003968253965999698104,  -0.0041666655015159525467,
    0.0075754599202487782424, -0.021051060897986965347,
    0.080023374225664410157,  -0.29942536333063872923};
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

/// From here on, zeta's powers are indistinguishable.
static constexpr double kLargestPower = 1e30;

static Num isWhole(Num x) { return floor(x) == x; }

namespace {
/// An argument of lgamma, shifted to 2 + t in [3/2, 5/2] by steps of the
/// recurrence. The logarithm of their factors is added to lgamma(2 + t), or
/// subtracted where `low` is set.
template <class Factors> struct ShiftedArgument {
  Num t, low;
  Factors factors;
};
} // namespace

/// Requires lanes 0 < x < 8, and x and x (x + 1) as factors. Other lanes give
/// arbitrary numbers.
template <class Factors>
static ShiftedArgument<Factors> shiftedArgument(Num x, Factors one,
                                                Factors first, Factors both) {
  Num z = select(x >= 8.0, 2.0, x);
  Factors factors = one;
  for (int step = 0; step < 6; ++step) {
    Num high = z >= 2.5;
    z = select(high, z - 1.0, z);
    factors = select(high, factors * z, factors);
  }
  Num low = x < 1.5, lowest = x < 0.5;
  factors = select(lowest, both, select(low, first, factors));
  return {select(lowest, x, select(low, x - 1.0, z - 2.0)), low, factors};
}

/// Returns lgamma of positive finite lanes.
static DoubleDouble gammaLogarithm(Num x) {
  Num one = x.like(1.0);
  Num large = x >= 8.0;
  auto [t, low, factors] = shiftedArgument(
      x, doubleDoubleOf(one), doubleDoubleOf(x), twoProduct(x, x) + x);
  DoubleDouble logarithm =
      logDoubleDouble(select(large, doubleDoubleOf(x), factors), x.like(0.0));
  DoubleDouble product = twoProduct(t, polynomial(t, kGammaSeries));
  DoubleDouble sum = twoSum(x.like(kGammaConstant.high), product.high);
  sum.low = sum.low + (product.low + kGammaConstant.low);
  DoubleDouble near = normalized(sum) * t + select(low, -logarithm, logarithm);
  // Stirling's series as x (log x - 1) - log(x) / 2 + …
  DoubleDouble far = (logarithm + x.like(-1.0)) * x;
  Num overflow = !(far.high < kInf);
  far = far + scaled(logarithm, -0.5) + doubleDoubleLike(x, kHalfLogTwoPi);
  Num inverse = 1.0 / select(large, x, one);
  far = far + inverse * polynomial(inverse * inverse, kStirling);
  far = select(overflow, {x.like(kInf), x.like(0.0)}, far);
  return select(large, far, near);
}

/// The same as gammaLogarithm, for numbers that are f32.
static DoubleDouble singleGammaLogarithm(Num x) {
  Num one = x.like(1.0);
  Num large = x >= 8.0;
  auto [t, low, factors] = shiftedArgument(x, one, x, fma(x, x, x));
  Num logarithm = log(select(large, x, factors));
  Num near =
      fma(t, fma(t, polynomial(t, kGammaSeries), x.like(kGammaConstant.high)),
          select(low, -logarithm, logarithm));
  Num inverse = 1.0 / select(large, x, one);
  Num tail = inverse * polynomial(inverse * inverse, kStirling);
  Num far = fma(logarithm - 1.0, x, fma(logarithm, x.like(-0.5), tail)) +
            kHalfLogTwoPi.high;
  return doubleDoubleOf(select(large, far, near));
}

/// Computes lgamma from that of positive finite lanes, and from that of -y for
/// y from 2^-60 on. At a pole, the result of `ofNegative` does not matter.
static Num
lgammaBy(Num x, llvm::function_ref<DoubleDouble(Num)> ofPositive,
         llvm::function_ref<Num(Num y, Num pole, DoubleDouble positive)>
             ofNegative) {
  Num size = abs(x);
  Num regular = (size > 0.0) & (size < kInf);
  DoubleDouble positive = ofPositive(select(regular, size, 1.0));
  // Below 2^-60 both sides have the same logarithm.
  Num reflect = regular & (x <= -0x1p-60);
  Num result = unlessAny(reflect, positive.high, [&] {
    Num y = select(reflect, size, 0.5), pole = isWhole(y);
    Num mirrored = ofNegative(y, pole, positive);
    return select(reflect, select(pole, kInf, mirrored), positive.high);
  });
  return select(isNan(x), x, select(regular, result, kInf));
}

// Reflection: gamma(-y) gamma(y) = -pi / (y sin(pi y)).

static Num wideMirroredLgamma(Num y, Num pole, DoubleDouble positive) {
  DoubleDouble sine = halfTurns(y).sine;
  sine = select(sine.high < 0.0, -sine, sine);
  DoubleDouble area = select(pole, doubleDoubleOf(y.like(1.0)), sine * y);
  DoubleDouble logarithm = logDoubleDouble(area, y.like(0.0));
  return (doubleDoubleLike(y, kLogPi) - logarithm - positive).high;
}

static Num singleMirroredLgamma(Num y, Num pole, DoubleDouble positive) {
  Num sine = sin((y - roundEven(y)) * kPiDoubleDouble.high);
  Num area = select(pole, 1.0, abs(sine) * y);
  return kLogPi.high - log(area) - positive.high;
}

Num lgamma(Num x) {
  return throughDouble(x, [&](Num wide) {
    return x.isDouble()
               ? lgammaBy(wide, gammaLogarithm, wideMirroredLgamma)
               : lgammaBy(wide, singleGammaLogarithm, singleMirroredLgamma);
  });
}

/// Returns digamma of positive finite lanes from 2^-60 on.
static DoubleDouble digammaOfPositive(Num x) {
  // The sum of 1 / (x + k) up to 8, as one fraction, two terms at a time.
  DoubleDouble z = doubleDoubleOf(x);
  DoubleDouble top = doubleDoubleOf(x.like(0.0)),
               bottom = doubleDoubleOf(x.like(1.0));
  for (int step = 0; step < 4; ++step) {
    Num low = z.high < 8.0;
    DoubleDouble both = z * (z + x.like(1.0));
    DoubleDouble sum = scaled(z, 2.0) + x.like(1.0);
    top = select(low, top * both + bottom * sum, top);
    bottom = select(low, bottom * both, bottom);
    z = select(low, z + x.like(2.0), z);
  }
  DoubleDouble inverse = doubleDoubleOf(x.like(1.0)) / z;
  Num square = inverse.high * inverse.high;
  DoubleDouble result =
      logDoubleDouble(z, x.like(0.0)) - scaled(inverse, 0.5) - top / bottom;
  return result + -(square * polynomial(square, kDigammaTail));
}

/// The same as digammaOfPositive, for numbers that are f32.
static DoubleDouble singleDigammaOfPositive(Num x) {
  Num z = x, top = x.like(0.0), bottom = x.like(1.0);
  for (int step = 0; step < 4; ++step) {
    Num low = z < 8.0;
    Num both = fma(z, z, z), sum = fma(z, x.like(2.0), x.like(1.0));
    top = select(low, fma(top, both, bottom * sum), top);
    bottom = select(low, bottom * both, bottom);
    z = select(low, z + 2.0, z);
  }
  Num inverse = 1.0 / z, square = inverse * inverse;
  Num tail = fma(square, polynomial(square, kDigammaTail), inverse * 0.5);
  return doubleDoubleOf(log(z) - (top / bottom + tail));
}

/// Computes digamma from that of positive finite lanes, and from that of -y,
/// both from 2^-60 on. At a pole, the result of `ofNegative` does not matter.
static Num
digammaBy(Num x, llvm::function_ref<DoubleDouble(Num)> ofPositive,
          llvm::function_ref<Num(Num y, Num pole, DoubleDouble positive)>
              ofNegative) {
  Num size = abs(x);
  Num regular = (size >= 0x1p-60) & (size < kInf);
  Num y = select(regular, size, 1.0);
  DoubleDouble positive = ofPositive(y);
  Num reflect = regular & (x < 0.0);
  Num result = unlessAny(reflect, positive.high, [&] {
    Num pole = isWhole(y);
    Num mirrored = ofNegative(y, pole, positive);
    return select(reflect, select(pole, kNan, mirrored), positive.high);
  });
  // Near zero it is -1 / x. The two signs of zero give infinities of opposite
  // sign.
  result = select(size < 0x1p-60, -1.0 / x, result);
  result = select(x == -kInf, kNan, result);
  return select((x == kInf) | isNan(x), x, result);
}

// Reflection: digamma(-y) = digamma(y) + 1 / y + pi cot(pi y).

static Num wideMirroredDigamma(Num y, Num pole, DoubleDouble positive) {
  auto [sine, cosine] = halfTurns(y);
  DoubleDouble one = doubleDoubleOf(y.like(1.0));
  DoubleDouble cotangent = cosine / select(pole, one, sine);
  return (positive + one / doubleDoubleOf(y) +
          cotangent * doubleDoubleLike(y, kPiDoubleDouble))
      .high;
}

static Num singleMirroredDigamma(Num y, Num pole, DoubleDouble positive) {
  Num rest = select(pole, 0.25, y - roundEven(y));
  Num tangent = tan(rest * kPiDoubleDouble.high);
  return positive.high + 1.0 / y + kPiDoubleDouble.high / tangent;
}

static Num wideDigamma(Num x) {
  return digammaBy(x, digammaOfPositive, wideMirroredDigamma);
}

Num digamma(Num x) {
  return throughDouble(x, [&](Num wide) {
    return x.isDouble() ? wideDigamma(wide)
                        : digammaBy(wide, singleDigammaOfPositive,
                                    singleMirroredDigamma);
  });
}

/// Returns e^scale times zeta, by the Euler-Maclaurin formula with nine leading
/// terms, for 1 < x < infinity and 0 < q < infinity. The powers include the
/// scale, so that neither factor overflows by itself.
static DoubleDouble zetaOfPositive(Num x, Num q, DoubleDouble scale) {
  Num zero = x.like(0.0);
  // Beyond this, powers are 0, 1 or infinity.
  x = select(x > kLargestPower, kLargestPower, x);
  auto more = [&](llvm::ArrayRef<Num> state) { return state[4] > 0.0; };
  auto step = [&](llvm::ArrayRef<Num> state) {
    DoubleDouble a = {state[2], state[3]};
    Num term = expDoubleDouble(logDoubleDouble(a, zero) * -x + scale).rounded();
    DoubleDouble sum = DoubleDouble{state[0], state[1]} + term;
    DoubleDouble next = a + x.like(1.0);
    return Nums{sum.high, sum.low, next.high, next.low, state[4] - 1.0};
  };
  Nums state = loopWhileAny({zero, zero, q, zero, x.like(9.0)}, more, step);
  DoubleDouble logarithm = logDoubleDouble({state[2], state[3]}, zero);
  Num a = state[2], last = expDoubleDouble(logarithm * -x + scale).rounded();
  // a^(1 - x) may be finite where a^-x is not.
  DoubleDouble less = twoSum(x, x.like(-1.0));
  DoubleDouble integral =
      doubleDoubleOf(expDoubleDouble(logarithm * -less + scale).rounded()) /
      less;
  // Rising products x (x + 1) … divided by powers of a, two factors for each
  // term.
  Num factor = last * x / a, inverse = 1.0 / (a * a), tail = last * 0.5;
  for (unsigned k = 0; k < std::size(kZetaTail); ++k) {
    tail = tail + factor * kZetaTail[k];
    factor = factor * (x + (2.0 * k + 1)) * (x + (2.0 * k + 2)) * inverse;
  }
  DoubleDouble sum = DoubleDouble{state[0], state[1]} + (integral + tail);
  Num finite = state[0] < kInf;
  return select(finite, sum, doubleDoubleOf(x.like(kInf)));
}

/// The same for q < 0 and integer x, both finite. The terms below zero have the
/// sign of (-1)^x. Their sum is the difference of two values with positive
/// arguments.
static Num zetaOfNegative(Num x, Num q, Num odd, DoubleDouble scale) {
  Num up = q - floor(q);
  Num signs[] = {x.like(1.0), select(odd, -1.0, x.like(1.0)),
                 select(odd, x.like(1.0), -1.0)};
  // One iteration for each of the three values.
  Num sum = x.like(0.0), zero = sum;
  auto more = [&](llvm::ArrayRef<Num> state) { return state[2] < 3.0; };
  auto step = [&](llvm::ArrayRef<Num> state) {
    Num first = state[2] == 0.0, second = state[2] == 1.0;
    Num from = select(first, up, select(second, 1.0 - up, 1.0 - q));
    Num sign = select(first, signs[0], select(second, signs[1], signs[2]));
    DoubleDouble next = DoubleDouble{state[0], state[1]} +
                        zetaOfPositive(x, from, scale) * sign;
    return Nums{next.high, next.low, state[2] + 1.0};
  };
  return loopWhileAny({sum, zero, zero}, more, step)[0];
}

/// Returns e^scale times zeta.
static Num scaledZeta(Num x, Num q, DoubleDouble scale) {
  Num inside = (x > 1.0) & (x < kInf);
  Num regular = inside & (q > 0.0) & (q < kInf);
  Num result =
      zetaOfPositive(select(regular, x, 2.0), select(regular, q, 1.0), scale)
          .high;
  result = select(regular, result, kNan);
  Num whole = isWhole(x) & inside;
  Num odd = whole & !isWhole(x * 0.5);
  Num pole = (q <= 0.0) & isWhole(q);
  Num negative = whole & (q < 0.0) & !pole;
  result = unlessAny(negative, result, [&] {
    Num reflected = zetaOfNegative(select(negative, x, 2.0),
                                   select(negative, q, -0.5), odd, scale);
    return select(negative, reflected, result);
  });
  // Both sides of a pole have the same sign if x is even.
  result = select(pole & whole & !odd, kInf, result);
  result = select(x == 1.0, kInf, result);
  return select(isNan(q), kNan, result);
}

static Num wideZeta(Num x, Num q) {
  return scaledZeta(x, q, doubleDoubleOf(x.like(0.0)));
}

Num zeta(Num x, Num q) { return throughDouble(x, q, wideZeta); }

/// Returns n! for integers n from 0 to 20, which are exact.
static Num smallFactorial(Num n) {
  auto more = [&](llvm::ArrayRef<Num> state) { return state[1] > 1.0; };
  auto step = [&](llvm::ArrayRef<Num> state) {
    return Nums{state[0] * maximum(state[1], n.like(1.0)), state[1] - 1.0};
  };
  return loopWhileAny({n.like(1.0), n}, more, step)[0];
}

static Num widePolygamma(Num n, Num x) {
  Num whole = (n >= 0.0) & isWhole(n);
  // Above 20, zeta includes n! as e^scale, because a product of an overflowing
  // and an underflowing factor may be finite.
  Num large = whole & (n > 20.0);
  Num factor = smallFactorial(select(whole & !large, n, 1.0));
  Num none = n.like(0.0);
  Nums scale = unlessAny(large, {none, none}, [&] {
    Num order = minimum(n, n.like(kLargestPower));
    DoubleDouble logarithm = gammaLogarithm(select(large, order + 1.0, 1.0));
    return Nums{select(large, logarithm.high, none),
                select(large, logarithm.low, none)};
  });
  Num magnitude = factor * scaledZeta(n + 1.0, x, {scale[0], scale[1]});
  Num result = select(isWhole(n * 0.5), -magnitude, magnitude);
  Num zeroth = n == 0.0;
  result = unlessAny(zeroth, result,
                     [&] { return select(zeroth, wideDigamma(x), result); });
  return select(whole, result, kNan);
}

Num polygamma(Num n, Num x) { return throughDouble(n, x, widePolygamma); }

} // namespace xlac::codegen
