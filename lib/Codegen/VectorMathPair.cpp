// Sums, products, logarithm and exponential of pairs (Dekker's and Knuth's
// error-free transformations).
#include "VectorMathPair.h"

namespace xlac::codegen {

/// (atanh(s) / s - 1 - s^2 / 3 - s^4 / 5) / s^6 against s^2 for |s| <= 0.1716:
/// 6e-18.
static constexpr double kLogTail[] = {
    0.14285714285714285631,  0.11111111111111474258,  0.090909090906503341639,
    0.076923077624741865215, 0.066666573362870230054, 0.058830251424610533859,
    0.052364477071773860351, 0.053085721705861711445};
/// log 2 with a high part of 32 bits, whose products with exponents are exact.
static constexpr WideConstant kLog2 = {0x1.62e42fee00000p-1,
                                       0x1.a39ef35793c76p-33};

Pair wideLike(Num like, WideConstant constant) {
  return {like.like(constant.high), like.like(constant.low)};
}

Pair twoSum(Num a, Num b) {
  Num sum = a + b;
  Num part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

Pair fastSum(Num a, Num b) {
  Num sum = a + b;
  return {sum, b - (sum - a)};
}

Num leadingHalf(Num a) {
  Num bits = toBits(a);
  uint64_t mask = a.isDouble() ? ~0x7ffffffull : ~0xfffull;
  return fromBits(bits & bits.likeInt(mask), a.isDouble());
}

Pair twoProduct(Num a, Num b) {
  Num product = a * b;
  if (hasFusedMultiply(a))
    return {product, fma(a, b, -product)};
  Num a1 = leadingHalf(a), b1 = leadingHalf(b);
  Num a2 = a - a1, b2 = b - b1;
  return {product, (((a1 * b1 - product) + a1 * b2) + a2 * b1) + a2 * b2};
}

Pair operator+(Pair a, Pair b) {
  Pair sum = twoSum(a.high, b.high);
  return fastSum(sum.high, sum.low + (a.low + b.low));
}

Pair operator+(Pair a, Num b) {
  Pair sum = twoSum(a.high, b);
  return fastSum(sum.high, sum.low + a.low);
}

Pair operator-(Pair a) { return {-a.high, -a.low}; }

Pair operator*(Pair a, Pair b) {
  Pair product = twoProduct(a.high, b.high);
  Num low = fma(a.high, b.low, fma(a.low, b.high, product.low));
  return fastSum(product.high, low);
}

Pair operator*(Pair a, Num b) {
  Pair product = twoProduct(a.high, b);
  return fastSum(product.high, fma(a.low, b, product.low));
}

Num restOfProduct(Num a, Num b, Num c) {
  if (hasFusedMultiply(a))
    return fma(-b, c, a);
  Pair product = twoProduct(b, c);
  return (a - product.high) - product.low;
}

Pair operator/(Pair a, Pair b) {
  Num quotient = a.high / b.high;
  Num rest = restOfProduct(a.high, quotient, b.high);
  rest = rest + (a.low - quotient * b.low);
  return fastSum(quotient, rest / b.high);
}

Pair sqrt(Pair a) {
  Num root = sqrt(a.high);
  Num rest = restOfProduct(a.high, root, root) + a.low;
  return fastSum(root, rest / (root + root));
}

Pair select(Num mask, Pair a, Pair b) {
  return {select(mask, a.high, b.high), select(mask, a.low, b.low)};
}

Pair polynomialWide(Pair x, llvm::ArrayRef<double> coefficients,
                    unsigned wide) {
  Pair sum = {polynomial(x.high, coefficients.drop_front(wide)),
              x.high.like(0.0)};
  for (double coefficient : llvm::reverse(coefficients.take_front(wide)))
    sum = sum * x + x.high.like(coefficient);
  return sum;
}

Pair scaled(Pair a, double power) { return {a.high * power, a.low * power}; }

Pair logWide(Pair x, Num bias) {
  Num tiny = x.high < 0x1p-1022;
  x = select(tiny, scaled(x, 0x1p54), x);
  bias = select(tiny, bias - 54.0, bias);
  // The mantissa within [sqrt 1/2, sqrt 2].
  constexpr uint64_t rootHalf = 0x3fe6a09e667f3bcdull;
  Num bits = toBits(x.high);
  Num offset = subInt(bits, bits.likeInt(rootHalf));
  Num exponent = shiftRightArithmetic(offset, 52);
  Num mantissa = fromBits(
      addInt(offset & offset.likeInt((1ull << 52) - 1), bits.likeInt(rootHalf)),
      true);
  // 2^-1023 is no normal number.
  Num down = subInt(exponent.likeInt(0), exponent);
  Num least = down.likeInt(-1022);
  Num rest =
      x.low * powerOfTwo(select(lessInt(down, least), least, down), true);
  Pair s = twoSum(mantissa - 1.0, rest) /
           (twoSum(mantissa, mantissa.like(1)) + rest);
  Pair z = s * s;
  Num fifth = fma(z.high, polynomial(z.high, kLogTail), z.high.like(0.2));
  Pair product = twoProduct(z.high, fifth);
  Pair third = fastSum(z.high.like(0x1.5555555555555p-2), product.high);
  third.low =
      third.low + (fma(z.low, fifth, product.low) + 0x1.5555555555555p-56);
  Pair twice = scaled(s, 2.0);
  Pair mantissaLog = twice + twice * z * normalized(third);
  Num e = smallIntToDouble(exponent) + bias;
  Pair sum = twoSum(e * kLog2.high, mantissaLog.high);
  return fastSum(sum.high,
                 sum.low + fma(e, e.like(kLog2.low), mantissaLog.low));
}

Pair logWide(Num x) { return logWide({x, x.like(0)}, x.like(0)); }

WideExponential expm1Wide(Pair x) {
  Num low = x.high < -746.0, high = x.high > 746.0;
  Num value = select(low, -746.0, select(high, 746.0, x.high));
  Num rest = select(low | high, 0.0, x.low);
  // Adding 1.5 * 2^52 leaves the nearest integer in the low bits.
  Num shifted =
      fma(value, value.like(0x1.71547652b82fep+0), value.like(0x1.8p52));
  Num n = shifted - 0x1.8p52;
  Pair r = twoSum(fma(n, value.like(-kLog2.high), value), n * -kLog2.low);
  r = twoSum(r.high, r.low + rest);
  Num tail = fma(r.high * r.high, polynomial(r.high, kExpTail),
                 fma(r.low, r.high, r.low));
  return {fastSum(r.high, tail),
          subInt(toBits(shifted), toBits(value.like(0x1.8p52)))};
}

WideExponential expWide(Pair x) {
  WideExponential e = expm1Wide(x);
  Pair sum = fastSum(x.high.like(1.0), e.mantissa.high);
  return {fastSum(sum.high, sum.low + e.mantissa.low), e.exponent};
}

Num WideExponential::rounded() const {
  // Two factors, so that neither overflows and denormal results come out.
  Num first = shiftRightArithmetic(exponent, 1);
  Num second = subInt(exponent, first);
  return (mantissa.high + mantissa.low) * powerOfTwo(first, true) *
         powerOfTwo(second, true);
}

} // namespace xlac::codegen
