// The scaled Bessel function, and the next representable float.
#include "VectorMathDoubleDouble.h"

#include <cmath>

namespace xlac::codegen {

/// Approximates I1(x) / x as a polynomial in x^2 for x <= 7.75. Error 8e-23.
static constexpr double kBesselNear[] = {0.5,
                                         0.0625,
                                         0.0026041666666666666659,
                                         5.4253472222222222773e-5,
                                         6.7816840277777757174e-7,
                                         5.6514033564815283888e-9,
                                         3.3639305693335085636e-11,
                                         1.5017547184602076395e-13,
                                         5.2144261051728920745e-16,
                                         1.4484516992315451988e-18,
                                         3.2919355373334483468e-21,
                                         6.2347310070467018939e-24,
                                         9.9914431494215875132e-27,
                                         1.3726593393321408323e-29,
                                         1.6312727654299420839e-32,
                                         1.7271276804639929831e-35,
                                         1.4020753755441418332e-38,
                                         1.8937124509927318668e-41};
/// Approximates sqrt(x) e^-x I1(x) as a polynomial in 1 / x - 1 / 16 for x >=
/// 7.75. Error 4e-17.
static constexpr double kBesselFar[] = {
    0.38939845902587232112,     -0.1559932350917753274,
    -0.056124355540932042495,   -0.061597889256210490513,
    -0.12025267708813121924,    -0.36530925457024400835,
    -1.6779060436897786831,     -11.575896843733052925,
    -100.46855925600682267,     -581.66867068859615225,
    7518.7994827755803108,      249474.28028332556348,
    1.5760747687399027337e+6,   -3.6122194812886018962e+7,
    -5.0412874510618061792e+8,  4.6887861336564349643e+9,
    8.9039378869535382744e+10,  -6.3370426502232683406e+11,
    -1.0909327962472566457e+13, 7.721940430423097054e+13,
    8.4343099283014227374e+14,  -6.4888510013367779055e+15,
    -3.0541424361880002345e+16, 2.5869390440326912683e+17};

Num besselI1e(Num x) {
  return throughDouble(x, [](Num v) {
    Num size = abs(v);
    Num isNear = size <= 7.75;
    Num nearPoint = select(isNear, size, 1.0);
    DoubleDoubleExp decay = expDoubleDouble(doubleDoubleOf(-nearPoint));
    decay.mantissa = polynomialDoubleDouble(twoProduct(nearPoint, nearPoint),
                                            kBesselNear, 8) *
                     nearPoint * decay.mantissa;
    Num farPoint = select(isNear, 8.0, size);
    DoubleDouble series = polynomialDoubleDouble(
        doubleDoubleOf(1.0 / farPoint - 0.0625), kBesselFar, 1);
    Num bounded = select(isInf(farPoint), 8.0, farPoint);
    Num far = (series / sqrt(doubleDoubleOf(bounded))).high;
    far = select(isInf(size), 0.0, far);
    Num result = copysign(select(isNear, decay.rounded(), far), v);
    return select(isNan(v), v, result);
  });
}

Num nextAfter(Num x, Num y) {
  bool isDouble = x.isDouble();
  Num bits = toBits(x);
  auto integerSelect = [&](Num mask, uint64_t a, uint64_t b) {
    return select(mask, bits.likeInt(a), bits.likeInt(b));
  };
  Num negative = isNegative(x);
  // Away from zero the bits increase for either sign.
  Num away = ((y > x) & !negative) | ((y < x) & negative);
  Num stepped = addInt(bits, integerSelect(away, 1, ~0ull));
  Num signBit = bits.likeInt(1ull << (isDouble ? 63 : 31));
  Num smallest = (toBits(y) & signBit) | bits.likeInt(1);
  Num result = fromBits(select(x == 0.0, smallest, stepped), isDouble);
  result = select(x == y, y, result);
  return select(isNan(x) | isNan(y), x + y, result);
}

} // namespace xlac::codegen
