#include "sweep.h"

#include "estimates.h"
#include "samples.h"

#include "scalar_jit.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

namespace xlac::accuracy {

using codegen::test::ScalarProgram;

static constexpr unsigned kLanes = 8;
static constexpr uint64_t kBlock = 4096;

namespace {
/// With the conventions of std::numeric_limits.
struct Format {
  int digits, minExponent, maxExponent;
};
} // namespace

static Format formatOf(Type type) {
  switch (type) {
  case Type::F16:
    return {11, -13, 16};
  case Type::BF16:
    return {8, -125, 128};
  case Type::F32:
    return {24, -125, 128};
  case Type::F64:
    return {53, -1021, 1024};
  }
  return {};
}

static const char *nameOf(Type type) {
  static const char *const names[] = {"f16", "bf16", "f32", "f64"};
  return names[static_cast<int>(type)];
}

/// Returns the distance of `got` from `want` in ULP of the type at `want`, or
/// at `floor` if that is larger. Infinity counts as the power of two after the
/// largest number.
template <class R>
static double ulpError(Format format, R got, R want, R floor) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(got) || std::isnan(want))
    return std::isnan(got) && std::isnan(want) ? 0 : wrong;
  if (got == want)
    return std::signbit(got) == std::signbit(want) ? 0 : wrong;
  if (got == 0 && std::signbit(got) != std::signbit(want))
    return wrong;
  R end = std::ldexp(R(1), format.maxExponent);
  auto clamped = [&](R x) { return std::fmin(std::fmax(x, -end), end); };
  R a = clamped(got), b = clamped(want);
  R size = std::fmax(std::fabs(b), floor);
  int exponent = format.minExponent; // also that of zero
  if (size != 0)
    std::frexp(size, &exponent);
  exponent = std::max(exponent, format.minExponent) - format.digits;
  return static_cast<double>(std::ldexp(std::fabs(a - b), -exponent));
}

/// The maximum error of an estimate in ULP of f32: larger than that stated by
/// Estimator.
static constexpr double kDoubt = 1e-6;

/// Computes an upper bound of the error of each of `got` in ULP of f32, from
/// estimates of the correct results. The bound is infinity where an estimate
/// does not suffice. The loop has no branches, so that it is vectorized.
static void boundErrors(std::span<const float> got,
                        std::span<const double> estimates, double slack,
                        std::span<double> bounds) {
  constexpr double end = 0x1p128, inf = std::numeric_limits<double>::infinity();
  constexpr uint64_t exponentBits = 0x7ffull << 52;
  // The exponent field of a number plus that of its ULP's inverse.
  constexpr uint64_t sum = (2 * 1023ull + 23) << 52;
  for (size_t i = 0; i < got.size(); ++i) {
    double value = got[i], want = estimates[i];
    float single = static_cast<float>(want);
    bool same =
        std::bit_cast<uint32_t>(single) == std::bit_cast<uint32_t>(got[i]);
    bool bothNan = (want != want) & (value != value);
    double a = value > end ? end : value < -end ? -end : value;
    double b = want > end ? end : want < -end ? -end : want;
    double size = std::fabs(b) > 0x1p-126 ? std::fabs(b) : 0x1p-126;
    uint64_t exponent = std::bit_cast<uint64_t>(size) & exponentBits;
    double error =
        (std::fabs(a - b) + slack) * std::bit_cast<double>(sum - exponent) +
        kDoubt;
    // A result of zero, or an infinity on either side, has a finite bound only
    // if the bits are equal. A NaN on one side gives infinity.
    bool plain =
        (value != 0) & (std::fabs(value) < inf) & (std::fabs(want) < inf);
    bounds[i] = bothNan ? 0 : (same | plain) ? error : inf;
  }
}

namespace {
/// `T` is the type of the lanes, `R` that of the reference.
template <class T, class R> class Sweep {
public:
  Sweep(const Function &function, Type type, Density density)
      : function_(function), type_(type), format_(formatOf(type)),
        samples_(function.domain, type, density) {
    if (function.domain == Domain::Unary && type == Type::F32)
      estimator_ = estimatorOf(function);
  }

  Measurement run(unsigned count) {
    bool isUnary = function_.domain == Domain::Unary;
    std::vector<std::string> types(isUnary ? 2 : 3, nameOf(type_));
    ScalarProgram program(function_.op, types, kLanes);
    worst_.problem = program.error();
    worst_.count = samples_.count();
    if (!worst_.problem.empty())
      return worst_;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i)
      threads.emplace_back([&] { work(program); });
    for (std::thread &thread : threads)
      thread.join();
    return worst_;
  }

private:
  void work(const ScalarProgram &program) {
    bool isUnary = function_.domain == Domain::Unary;
    std::vector<T> x(kBlock), y(kBlock), got(kBlock);
    std::vector<const void *> inputs = {x.data()};
    if (!isUnary)
      inputs.push_back(y.data());
    Measurement worst;
    for (;;) {
      uint64_t begin = next_.fetch_add(kBlock);
      if (begin >= samples_.count())
        break;
      uint64_t size = std::min(kBlock, samples_.count() - begin);
      fill(begin, size, x, y);
      program.run(inputs, {got.data()}, kBlock);
      if constexpr (std::is_same_v<T, float>)
        if (estimator_.many) {
          compareDoubtful(std::span(x).first(size), std::span(got).first(size),
                          worst);
          continue;
        }
      for (uint64_t i = 0; i < size; ++i)
        compare(x[i], y[i], got[i], worst);
    }
    std::lock_guard lock(mutex_);
    if (!worst.problem.empty())
      worst_.problem = worst.problem;
    if (worst.ulps > worst_.ulps) {
      worst.count = worst_.count;
      worst.problem = worst_.problem;
      worst_ = worst;
    }
  }

  /// Computes the operands of whole blocks; the last sample is repeated at the
  /// end.
  void fill(uint64_t begin, uint64_t size, std::vector<T> &x,
            std::vector<T> &y) const {
    if constexpr (std::is_same_v<T, float>)
      if (estimator_.many) {
        samples_.fill(begin, std::span(x).first(size));
        std::fill(x.begin() + static_cast<ptrdiff_t>(size), x.end(),
                  x[size - 1]);
        return;
      }
    for (uint64_t i = 0; i < kBlock; ++i) {
      Operands o = samples_.at(begin + std::min(i, size - 1));
      x[i] = static_cast<T>(o.x), y[i] = static_cast<T>(o.y);
    }
  }

  /// Evaluates the reference only where the error could be the largest so far,
  /// and once per block to check the estimates.
  void compareDoubtful(std::span<const float> x, std::span<const float> got,
                       Measurement &worst) const {
    double wide[kBlock], estimates[kBlock], bounds[kBlock];
    std::copy(x.begin(), x.end(), wide);
    estimator_.many({wide, x.size()}, estimates);
    boundErrors(got, {estimates, x.size()}, estimator_.slack, bounds);
    for (size_t i = 0; i < x.size(); ++i)
      if (bounds[i] > worst.ulps)
        compare(x[i], 0, got[i], worst);
    size_t i = x.size() / 3;
    double want = reference(x[i], 0), off = std::fabs(want - estimates[i]);
    double doubt = estimator_.slack +
                   std::ldexp(std::fmax(std::fabs(want), 0x1p-126), -43);
    if (off > doubt || std::isnan(want) != std::isnan(estimates[i]))
      worst.problem = "the estimate is off at " + std::to_string(wide[i]);
  }

  R reference(T x, T y) const {
    if (function_.domain == Domain::Neighbour)
      return neighbour(type_, x, y);
    if constexpr (std::is_same_v<R, Wide>)
      return function_.wide(x, y);
    else
      return function_.narrow(x, y);
  }

  void compare(T x, T y, T got, Measurement &worst) const {
    R want = reference(x, y);
    // A correctly rounded result cannot exceed an error of half an ULP.
    if (static_cast<T>(want) == got && worst.ulps >= 0.5 && got != 0)
      return;
    R floor = type_ == Type::F64 ? function_.floor64 : 0;
    double error = ulpError<R>(format_, got, want, floor);
    if (error > worst.ulps) {
      worst.ulps = error;
      worst.x = x, worst.y = y;
      worst.got = got, worst.want = static_cast<double>(want);
    }
  }

  const Function &function_;
  Type type_;
  Format format_;
  Samples samples_;
  Estimator estimator_; ///< for sweeps of f32
  std::atomic<uint64_t> next_{0};
  std::mutex mutex_;
  Measurement worst_;
};
} // namespace

Measurement sweep(const Function &function, Type type, Density density,
                  unsigned threads) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  if (type == Type::F64)
    return Sweep<double, Wide>(function, type, density).run(threads);
  return Sweep<float, double>(function, type, density).run(threads);
}

} // namespace xlac::accuracy
