// Sums, products, logarithm and exponential of double-doubles, with the
// error-free transformations of Dekker and Knuth.
#include "VectorMathDoubleDouble.h"

namespace xlac::codegen {

/// Approximates (atanh(s) / s - 1 - s^2 / 3 - s^4 / 5) / s^6 as a polynomial in
/// s^2 for
/// s| <= 0.1716. Error 6e-18.
static constexpr double kLogTail[] = {
    0.14285714285714285631,  0.11111111111111474258,  0.090909090906503341639,
    0.076923077624741865215, 0.066666573362870230054, 0.058830251424610533859,
    0.052364477071773860351, 0.053085721705861711445};
/// log 2 with a high part of 32 bits, whose products with exponents are exact.
static constexpr DoubleDoubleConstant kLog2 = {0x1.62e42fee00000p-1,
                                               0x1.a39ef35793c76p-33};

DoubleDouble doubleDoubleLike(Num like, DoubleDoubleConstant constant) {
  return {like.like(constant.high), like.like(constant.low)};
}

DoubleDouble twoSum(Num a, Num b) {
  Num sum = a + b;
  Num part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

DoubleDouble fastTwoSum(Num a, Num b) {
  Num sum = a + b;
  return {sum, b - (sum - a)};
}

Num veltkampSplit(Num a) {
  Num bits = toBits(a);
  uint64_t mask = a.isDouble() ? ~0x7ffffffull : ~0xfffull;
  return fromBits(bits & bits.likeInt(mask), a.isDouble());
}

DoubleDouble twoProduct(Num a, Num b) {
  Num product = a * b;
  if (hasFusedMultiply(a))
    return {product, fma(a, b, -product)};
  Num a1 = veltkampSplit(a), b1 = veltkampSplit(b);
  Num a2 = a - a1, b2 = b - b1;
  return {product, (((a1 * b1 - product) + a1 * b2) + a2 * b1) + a2 * b2};
}

DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble sum = twoSum(a.high, b.high);
  return fastTwoSum(sum.high, sum.low + (a.low + b.low));
}

DoubleDouble operator+(DoubleDouble a, Num b) {
  DoubleDouble sum = twoSum(a.high, b);
  return fastTwoSum(sum.high, sum.low + a.low);
}

DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  DoubleDouble product = twoProduct(a.high, b.high);
  Num low = fma(a.high, b.low, fma(a.low, b.high, product.low));
  return fastTwoSum(product.high, low);
}

DoubleDouble operator*(DoubleDouble a, Num b) {
  DoubleDouble product = twoProduct(a.high, b);
  return fastTwoSum(product.high, fma(a.low, b, product.low));
}

Num productResidual(Num a, Num b, Num c) {
  if (hasFusedMultiply(a))
    return fma(-b, c, a);
  DoubleDouble product = twoProduct(b, c);
  return (a - product.high) - product.low;
}

DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  Num quotient = a.high / b.high;
  Num rest = productResidual(a.high, quotient, b.high);
  rest = rest + (a.low - quotient * b.low);
  return fastTwoSum(quotient, rest / b.high);
}

DoubleDouble sqrt(DoubleDouble a) {
  Num root = sqrt(a.high);
  Num rest = productResidual(a.high, root, root) + a.low;
  return fastTwoSum(root, rest / (root + root));
}

DoubleDouble select(Num mask, DoubleDouble a, DoubleDouble b) {
  return {select(mask, a.high, b.high), select(mask, a.low, b.low)};
}

DoubleDouble polynomialDoubleDouble(DoubleDouble x,
                                    llvm::ArrayRef<double> coefficients,
                                    unsigned wide) {
  assert(wide < coefficients.size() && "the last terms are plain");
  DoubleDouble sum = {polynomial(x.high, coefficients.drop_front(wide)),
                      x.high.like(0.0)};
  for (double coefficient : llvm::reverse(coefficients.take_front(wide)))
    sum = sum * x + x.high.like(coefficient);
  return sum;
}

DoubleDouble scaled(DoubleDouble a, double power) {
  return {a.high * power, a.low * power};
}

DoubleDouble logDoubleDouble(DoubleDouble x, Num bias) {
  assert(x.high.isDouble() && bias.isDouble() && "pairs of f64");
  Num tiny = x.high < 0x1p-1022;
  x = select(tiny, scaled(x, 0x1p54), x);
  bias = select(tiny, bias - 54.0, bias);
  // The mantissa is in [sqrt 1/2, sqrt 2].
  constexpr uint64_t rootHalf = 0x3fe6a09e667f3bcdull;
  Num bits = toBits(x.high);
  Num offset = subInt(bits, bits.likeInt(rootHalf));
  Num exponent = shiftRightArithmetic(offset, 52);
  Num mantissa = fromBits(
      addInt(offset & offset.likeInt((1ull << 52) - 1), bits.likeInt(rootHalf)),
      true);
  // 2^-1023 is not a normal number.
  Num down = subInt(exponent.likeInt(0), exponent);
  Num least = down.likeInt(-1022);
  Num rest =
      x.low * powerOfTwo(select(lessInt(down, least), least, down), true);
  DoubleDouble s = twoSum(mantissa - 1.0, rest) /
                   (twoSum(mantissa, mantissa.like(1)) + rest);
  DoubleDouble z = s * s;
  Num fifth = fma(z.high, polynomial(z.high, kLogTail), z.high.like(0.2));
  DoubleDouble product = twoProduct(z.high, fifth);
  DoubleDouble third =
      fastTwoSum(z.high.like(0x1.5555555555555p-2), product.high);
  third.low =
      third.low + (fma(z.low, fifth, product.low) + 0x1.5555555555555p-56);
  DoubleDouble twice = scaled(s, 2.0);
  DoubleDouble mantissaLog = twice + twice * z * normalized(third);
  Num e = smallIntToDouble(exponent) + bias;
  DoubleDouble sum = twoSum(e * kLog2.high, mantissaLog.high);
  return fastTwoSum(sum.high,
                    sum.low + fma(e, e.like(kLog2.low), mantissaLog.low));
}

DoubleDouble logDoubleDouble(Num x) {
  return logDoubleDouble({x, x.like(0)}, x.like(0));
}

DoubleDoubleExp expm1DoubleDouble(DoubleDouble x) {
  assert(x.high.isDouble() && x.low.isDouble() && "pairs of f64");
  Num low = x.high < -746.0, high = x.high > 746.0;
  Num value = select(low, -746.0, select(high, 746.0, x.high));
  Num rest = select(low | high, 0.0, x.low);
  // Adding 1.5 * 2^52 leaves the nearest integer in the low bits.
  Num shifted =
      fma(value, value.like(0x1.71547652b82fep+0), value.like(0x1.8p52));
  Num n = shifted - 0x1.8p52;
  DoubleDouble r =
      twoSum(fma(n, value.like(-kLog2.high), value), n * -kLog2.low);
  r = twoSum(r.high, r.low + rest);
  Num tail = fma(r.high * r.high, polynomial(r.high, kExpTail),
                 fma(r.low, r.high, r.low));
  return {fastTwoSum(r.high, tail),
          subInt(toBits(shifted), toBits(value.like(0x1.8p52)))};
}

DoubleDoubleExp expDoubleDouble(DoubleDouble x) {
  DoubleDoubleExp e = expm1DoubleDouble(x);
  DoubleDouble sum = fastTwoSum(x.high.like(1.0), e.mantissa.high);
  return {fastTwoSum(sum.high, sum.low + e.mantissa.low), e.exponent};
}

Num DoubleDoubleExp::rounded() const {
  // Multiply by two factors, so that neither overflows and denormal results are
  // possible.
  Num first = shiftRightArithmetic(exponent, 1);
  Num second = subInt(exponent, first);
  return (mantissa.high + mantissa.low) * powerOfTwo(first, true) *
         powerOfTwo(second, true);
}

} // namespace xlac::codegen
