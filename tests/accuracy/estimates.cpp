#include "estimates.h"

#include "xlac/ops/elementwise.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <limits>
#include <string>
#include <vector>

namespace xlac::accuracy {

using Many = void(std::span<const double> operands, double *results);

static constexpr double kPi = 3.14159265358979323846;
static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
static constexpr double kInf = std::numeric_limits<double>::infinity();

//===- libmvec ------------------------------------------------------------===//

#if defined(__x86_64__) && defined(__GLIBC__)
using Lanes = double __attribute__((vector_size(32)));
using LanesFunction = Lanes (*)(Lanes);

__attribute__((target("avx2,fma"))) static void
callInLanes(void *function, std::span<const double> operands, double *results) {
  auto *call = reinterpret_cast<LanesFunction>(function);
  constexpr size_t width = sizeof(Lanes) / sizeof(double);
  Lanes lanes{};
  size_t i = 0;
  for (; i + width <= operands.size(); i += width) {
    std::memcpy(&lanes, operands.data() + i, sizeof lanes);
    lanes = call(lanes);
    std::memcpy(results + i, &lanes, sizeof lanes);
  }
  size_t rest = (operands.size() - i) * sizeof(double);
  std::memcpy(&lanes, operands.data() + i, rest);
  lanes = call(lanes);
  std::memcpy(results + i, &lanes, rest);
}

/// Looked up by name, since newer versions of glibc have more functions in
/// libmvec.
static void *laneFunction(const char *name) {
  static void *const library =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
          ? ::dlopen("libmvec.so.1", RTLD_NOW)
          : nullptr;
  std::string symbol = std::string("_ZGVdN4v_") + name;
  return library ? ::dlsym(library, symbol.c_str()) : nullptr;
}
#else
static void callInLanes(void *, std::span<const double>, double *) {}
static void *laneFunction(const char *) { return nullptr; }
#endif

namespace {
/// A function of libm, vectorized if possible.
class Libm {
public:
  Libm(const char *name, double (*plain)(double))
      : vectored_(laneFunction(name)), plain_(plain) {}

  void operator()(std::span<const double> operands, double *results) const {
    if (vectored_)
      return callInLanes(vectored_, operands, results);
    for (size_t i = 0; i < operands.size(); ++i)
      results[i] = plain_(operands[i]);
  }

  /// As above, in place.
  void operator()(std::vector<double> &values) const {
    (*this)(values, values.data());
  }

private:
  void *vectored_;
  double (*plain_)(double);
};
} // namespace

static const Libm &exponential() {
  static const Libm function("exp", std::exp);
  return function;
}

static const Libm &logarithm() {
  static const Libm function("log", std::log);
  return function;
}

/// Returns libm's function of that name, vectorized; null if there is none.
static std::function<Many> ofLibm(const char *name) {
  void *function = laneFunction(name);
  if (!function)
    return nullptr;
  return [function](std::span<const double> operands, double *results) {
    callInLanes(function, operands, results);
  };
}

//===- Other functions ----------------------------------------------------===//

static void estimateLogistic(std::span<const double> operands,
                             double *results) {
  std::vector<double> powers(operands.size());
  for (size_t i = 0; i < powers.size(); ++i)
    powers[i] = -std::fabs(operands[i]);
  exponential()(powers);
  for (size_t i = 0; i < powers.size(); ++i)
    results[i] = (operands[i] < 0 ? powers[i] : 1) / (1 + powers[i]);
}

/// The recurrence up to 10 and then the asymptotic series; below 1/2 by
/// reflection.
static void estimateDigamma(std::span<const double> operands, double *results) {
  static const Libm tangent("tan", std::tan);
  std::vector<double> logs(operands.size()), tangents(operands.size()),
      mirrored(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    double x = operands[i];
    mirrored[i] = x < 0.5 ? 1 - x : x;
    tangents[i] = kPi * (x - std::nearbyint(x));
    logs[i] = mirrored[i] < 10 ? mirrored[i] + 10 : mirrored[i];
  }
  tangent(tangents);
  std::vector<double> shifted = logs;
  logarithm()(logs);
  for (size_t i = 0; i < operands.size(); ++i) {
    double x = operands[i], a = shifted[i], sum = 0;
    for (int k = 0; k < 10; ++k)
      sum += 1 / (mirrored[i] + k);
    double s = 1 / (a * a);
    double tail =
        s *
        (1.0 / 12 +
         s * (-1.0 / 120 +
              s * (1.0 / 252 +
                   s * (-1.0 / 240 + s * (1.0 / 132 + s * (-691.0 / 32760 +
                                                           s * (1.0 / 12)))))));
    double value = logs[i] - 0.5 / a - tail - (a == mirrored[i] ? 0 : sum);
    if (x < 0.5)
      value -= kPi / tangents[i];
    if (x == kInf)
      value = kInf;
    if (x <= 0 && x == std::floor(x))
      value = x == 0 ? std::copysign(kInf, -x) : kNan;
    results[i] = value;
  }
}

/// The power series, whose terms are all positive; from 35 on the asymptotic
/// series, whose smallest term is below 1e-29 there.
static double besselI1eOf(double x, double decayed) {
  double size = std::fabs(x), sum = 0, term;
  if (size < 35) {
    double quarter = size * size / 4;
    term = size / 2;
    for (int k = 1; term > sum * 1e-17; ++k) {
      sum += term;
      term *= quarter / (double(k) * (k + 1));
    }
    return std::copysign((sum + term) * decayed, x);
  }
  if (std::isnan(x) || std::isinf(x))
    return std::isnan(x) ? x : std::copysign(0, x);
  double inverse = 1 / (8 * size);
  sum = term = 1;
  for (int k = 1; k < 60 && std::fabs(term) > 1e-17; ++k) {
    double odd = 2 * k - 1;
    term *= -(4 - odd * odd) * inverse / k;
    sum += term;
  }
  return std::copysign(sum / std::sqrt(2 * kPi * size), x);
}

static void estimateBesselI1e(std::span<const double> operands,
                              double *results) {
  std::vector<double> decayed(operands.size());
  for (size_t i = 0; i < decayed.size(); ++i)
    decayed[i] = -std::fabs(operands[i]);
  exponential()(decayed);
  for (size_t i = 0; i < decayed.size(); ++i)
    results[i] = besselI1eOf(operands[i], decayed[i]);
}

/// Winitzki's closed form, accurate to 2e-3, and two steps of Halley's method,
/// each of which cubes the error.
static void estimateErfInverse(std::span<const double> operands,
                               double *results) {
  static const Libm log1p("log1p", std::log1p), erf("erf", std::erf),
      erfc("erfc", std::erfc);
  const double slope = std::sqrt(kPi) / 2;
  size_t count = operands.size();
  std::vector<double> below(count), above(count), y(count), power(count);
  for (size_t i = 0; i < count; ++i) {
    // Results for operands beyond 1 are discarded.
    double p = std::fmin(std::fabs(operands[i]), 0.999999999);
    below[i] = -p, above[i] = p;
  }
  log1p(below);
  log1p(above);
  for (size_t i = 0; i < count; ++i) {
    double l = below[i] + above[i];
    double b = 2 / (kPi * 0.147) + l / 2;
    y[i] = std::sqrt((-l / 0.147) / (std::sqrt(b * b - l / 0.147) + b));
  }
  for (int step = 0; step < 2; ++step) {
    erf(y, below.data());
    erfc(y, above.data());
    for (size_t i = 0; i < count; ++i)
      power[i] = y[i] * y[i];
    exponential()(power);
    for (size_t i = 0; i < count; ++i) {
      double p = std::fabs(operands[i]);
      double error = p < 0.5 ? below[i] - p : (1 - p) - above[i];
      double u = error * power[i] * slope;
      y[i] -= u / (1 + y[i] * u);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    double x = operands[i], p = std::fabs(x);
    // The next term of the series is negligible there.
    double value = p < 1e-9 ? p * slope : y[i];
    value = p == 1 ? kInf : !(p < 1) ? kNan : value;
    results[i] = std::copysign(value, x);
  }
}

//===- The table ----------------------------------------------------------===//

namespace {
struct Own {
  const char *op;
  Many *many;
  double slack;
};
} // namespace

// The slack of digamma covers cancellation near its zeros.
static constexpr Own kOwn[] = {
    {"stablehlo.logistic", estimateLogistic, 0},
    {"chlo.bessel_i1e", estimateBesselI1e, 0},
    {"chlo.digamma", estimateDigamma, 1e-13},
    {"chlo.erf_inv", estimateErfInverse, 0},
};

/// libm's names of the functions that it has.
static constexpr struct {
  ops::OpKind op;
  const char *name;
} kLibm[] = {
#define XLAC_LIBM_1(kind, function) {ops::OpKind::kind, #function},
#include "xlac/ops/elementwise_functions.inc"
};

Estimator estimatorOf(const Function &function) {
  for (const Own &own : kOwn)
    if (std::strcmp(own.op, function.op) == 0)
      return {own.many, own.slack};
  for (const auto &[op, name] : kLibm)
    if (ops::op_name(op) == function.op)
      if (auto many = ofLibm(name))
        return {many, 0};
  Narrow narrow = function.narrow;
  return {[narrow](std::span<const double> operands, double *results) {
            for (size_t i = 0; i < operands.size(); ++i)
              results[i] = narrow(operands[i], 0);
          },
          0};
}

} // namespace xlac::accuracy
