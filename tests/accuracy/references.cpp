#include "references.h"

#include <cmath>
#include <limits>

namespace xlac::accuracy {

static constexpr Wide kPi = 3.141592653589793238462643383279502884L;
static constexpr Wide kNan = std::numeric_limits<Wide>::quiet_NaN();
static constexpr Wide kInf = std::numeric_limits<Wide>::infinity();

/// Bernoulli numbers B(2), B(4), …
static constexpr Wide kBernoulli[] = {
    1.0L / 6,       -1.0L / 30,       1.0L / 42,       -1.0L / 30,
    5.0L / 66,      -691.0L / 2730,   7.0L / 6,        -3617.0L / 510,
    43867.0L / 798, -174611.0L / 330, 854513.0L / 138, -236364091.0L / 2730,
    8553103.0L / 6};

template <class R> R logistic(R x) {
  // For x far below zero e^-x overflows while the result is still e^x.
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

template <class R> R rsqrt(R x) { return 1 / std::sqrt(x); }
template <class R> R square(R x) { return x * x; }

// lgamma writes a global variable.
template <> double logGamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}
template <> Wide logGamma(Wide x) {
  int sign;
  return ::lgammal_r(x, &sign);
}

template double logistic(double);
template Wide logistic(Wide);
template double rsqrt(double);
template Wide rsqrt(Wide);
template double square(double);
template Wide square(Wide);

Wide erfInverse(Wide x) {
  Wide p = std::fabs(x);
  if (!(p <= 1))
    return kNan;
  if (p == 1 || p == 0)
    return p == 1 ? std::copysign(kInf, x) : x;
  // For smaller p the next term of the series, a factor of pi / 12 x^2, is
  // negligible.
  const Wide slope = std::sqrt(kPi) / 2;
  if (p < 1e-11L)
    return x * slope;
  // Winitzki's closed form, accurate to 2e-3, then Halley's method.
  Wide l = std::log1p(-p) + std::log1p(p);
  Wide b = 2 / (kPi * 0.147L) + l / 2;
  Wide y = std::sqrt((-l / 0.147L) / (std::sqrt(b * b - l / 0.147L) + b));
  for (int step = 0; step < 4; ++step) {
    Wide error = p < 0.5L ? std::erf(y) - p : (1 - p) - std::erfc(y);
    Wide u = error * std::exp(y * y) * slope;
    y -= u / (1 + y * u);
  }
  return std::copysign(y, x);
}

Wide digamma(Wide x) {
  if (x == 0)
    return std::copysign(kInf, -x);
  if (x < 0.5L) {
    if (std::floor(x) == x)
      return kNan;
    Wide fraction = x - std::nearbyint(x);
    return digamma(1 - x) - kPi / std::tan(kPi * fraction);
  }
  Wide sum = 0;
  for (; x < 40; x += 1)
    sum -= 1 / x;
  if (std::isinf(x))
    return x;
  Wide square = 1 / (x * x), power = square, tail = 0;
  for (int k = 0; k < 10; ++k, power *= square)
    tail += kBernoulli[k] / (2 * (k + 1)) * power;
  return std::log(x) - 1 / (2 * x) - tail + sum;
}

Wide zeta(Wide x, Wide q) {
  if (!(x >= 1) || !(q > 0))
    return kNan;
  if (x == 1)
    return kInf;
  // Euler-Maclaurin: from a >= 2 x its terms decrease by a factor of 100 or
  // more. For large x the terms before that point suffice.
  Wide sum = 0, a = q;
  for (; a < 40 || a < 2 * x; a += 1) {
    Wide term = std::pow(a, -x);
    sum += term;
    if (term * a < sum * 1e-24L)
      return sum;
  }
  Wide last = std::pow(a, -x);
  sum += last * a / (x - 1) + last / 2;
  Wide factor = last * x / a, factorial = 2;
  for (int k = 0; k < 13; ++k) {
    sum += factor * kBernoulli[k] / factorial;
    factor *= (x + (2 * k + 1)) * (x + (2 * k + 2)) / (a * a);
    factorial *= (2 * k + 3) * (2 * k + 4);
  }
  return sum;
}

Wide polygamma(Wide n, Wide x) {
  if (n == 0)
    return digamma(x);
  Wide sign = std::fmod(n, 2) == 0 ? -1 : 1;
  return sign * std::tgamma(n + 1) * zeta(n + 1, x);
}

Wide besselI1e(Wide x) {
  Wide size = std::fabs(x);
  if (size < 35) {
    // The power series; all its terms are positive.
    Wide quarter = size * size / 4, term = size / 2, sum = 0;
    for (int k = 1; term > sum * 1e-22L; ++k) {
      sum += term;
      term *= quarter / (Wide(k) * (k + 1));
    }
    return std::copysign((sum + term) * std::exp(-size), x);
  }
  if (std::isinf(size))
    return std::copysign(Wide(0), x);
  // The asymptotic series, whose smallest term is below 1e-29 here.
  Wide term = 1, sum = 1;
  for (int k = 1; k < 60 && std::fabs(term) > 1e-22L; ++k) {
    Wide odd = 2 * k - 1;
    term *= -(4 - odd * odd) / (k * 8 * size);
    sum += term;
  }
  return std::copysign(sum / std::sqrt(2 * kPi * size), x);
}

} // namespace xlac::accuracy
