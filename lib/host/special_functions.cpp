#include "special_functions.h"

#include <cmath>
#include <limits>

namespace xlac::host {

static constexpr double kPi = 3.14159265358979323846;
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Bernoulli numbers B2, B4, …
static constexpr double kBernoulli[] = {
    1.0 / 6,       -1.0 / 30, 1.0 / 42,      -1.0 / 30,     5.0 / 66,
    -691.0 / 2730, 7.0 / 6,   -3617.0 / 510, 43867.0 / 798, -174611.0 / 330};

double erf_inv(double x) {
  if (!(std::fabs(x) <= 1))
    return kNan;
  if (std::fabs(x) == 1)
    return std::copysign(kInfinity, x);
  if (x == 0)
    return x;
  // Starts with Winitzki's closed form, then applies Halley's method to erfc,
  // which is accurate near 1.
  double w = std::log1p(-x * x);
  double a = 2 / (kPi * 0.147) + w / 2;
  double y = std::sqrt(std::sqrt(a * a - w / 0.147) - a);
  double tail = 1 - std::fabs(x);
  if (std::fabs(x) < 0.5)
    y = std::fabs(x) * std::sqrt(kPi) / 2; // the tail is inaccurate here
  for (int i = 0; i < 6; ++i) {
    double error =
        std::fabs(x) < 0.5 ? std::erf(y) - std::fabs(x) : tail - std::erfc(y);
    double slope = 2 / std::sqrt(kPi) * std::exp(-y * y);
    double step = error / -slope; // Newton's
    y += step / (1 + y * step);   // Halley's
  }
  return std::copysign(y, x);
}

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double digamma(double x) {
  if (x == 0)
    return std::copysign(kInfinity, -x);
  if (x == -kInfinity || (x < 0 && x == std::floor(x)))
    return kNan;
  double result = 0;
  if (x < 0) {
    // Relative to the nearest integer, which keeps the precision of a small
    // fraction.
    double fraction = x - std::nearbyint(x);
    result = -kPi / std::tan(kPi * fraction);
    x = 1 - x;
  }
  for (; x < 10; ++x)
    result -= 1 / x;
  double square = 1 / (x * x), factor = 1;
  result += std::log(x) - 0.5 / x;
  for (int k = 0; k < 8; ++k) {
    factor *= square;
    result -= kBernoulli[k] * factor / (2 * k + 2);
  }
  return result;
}

/// e^scale times zeta. The scale is applied within the powers, so that no
/// factor overflows by itself.
static double scaled_zeta(double x, double q, long double scale) {
  if (x == 1)
    return kInfinity;
  if (x < 1 || std::isnan(x) || std::isnan(q))
    return kNan;
  if (q <= 0) {
    // Both sides of a pole have the same sign if x is even.
    if (q == std::floor(q))
      return std::fmod(x, 2) == 0 ? kInfinity : kNan;
    if (x != std::floor(x))
      return kNan;
    if (q < -64) {
      // The terms below 0 are those from 1 - rest to -q, except for the sign.
      double rest = q - std::floor(q);
      double below =
          scaled_zeta(x, 1 - rest, scale) - scaled_zeta(x, 1 - q, scale);
      return scaled_zeta(x, rest, scale) +
             (std::fmod(x, 2) == 0 ? below : -below);
    }
  }
  auto power_of = [&](double base) -> double {
    return scale == 0 ? std::pow(base, -x)
                      : std::exp(scale - x * std::log((long double)base));
  };
  // Euler-Maclaurin: some terms, then the integral and its corrections.
  double sum = 0, n = q;
  for (int k = 0; k < 12 || n <= 9; ++k, ++n)
    sum += power_of(n);
  double power = power_of(n);
  sum += power * n / (x - 1) + power / 2;
  double factor = x * power / n, factorial = 2;
  for (int k = 0; k < 10; ++k) {
    sum += kBernoulli[k] * factor / factorial;
    double m = 2 * k + 1;
    factor *= (x + m) * (x + m + 1) / (n * n);
    factorial *= (2 * k + 3) * (2 * k + 4);
  }
  return sum;
}

double zeta(double x, double q) { return scaled_zeta(x, q, 0); }

double polygamma(double n, double x) {
  if (n < 0 || n != std::floor(n))
    return kNan;
  if (n == 0)
    return digamma(x);
  // n! is exact up to 20; above 170 it overflows.
  int sign = 0;
  double value = n <= 20 ? std::tgamma(n + 1) * zeta(n + 1, x)
                         : scaled_zeta(n + 1, x, ::lgammal_r(n + 1, &sign));
  return std::fmod(n, 2) == 0 ? -value : value;
}

double bessel_i1e(double x) {
  double size = std::fabs(x);
  double result = 0;
  if (size < 30) {
    double half = size / 2, term = half;
    for (int k = 1; term > result * 1e-18; ++k) {
      result += term;
      term *= half * half / (k * (k + 1.0));
    }
    result *= std::exp(-size);
  } else {
    double term = 1, sum = 1;
    for (int k = 1; k < 20; ++k) {
      double odd = 2 * k - 1;
      double next = term * -(4 - odd * odd) / (8 * k * size);
      if (std::fabs(next) > std::fabs(term))
        break;
      term = next;
      sum += term;
    }
    result = sum / (std::sqrt(2 * kPi) * std::sqrt(size));
  }
  return std::copysign(result, x);
}

} // namespace xlac::host
