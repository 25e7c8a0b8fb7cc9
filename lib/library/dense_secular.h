// The secular equation 1 / rho + sum z[i]² / (d[i] - x) = 0, whose roots are
// the eigenvalues of diag(d) + rho z zᵀ. With poles that are squares they are
// the squared singular values of a diagonal matrix with one row added. Roots
// are kept as distances from their next pole, and z is computed again from the
// roots, so that vectors of close roots are orthogonal (Gu and Eisenstat, "A
// stable and efficient algorithm for the rank-one modification of the symmetric
// eigenproblem", 1994). The iteration is the middle way of Li, "Solving secular
// equations stably and efficiently" (LAPACK working note 89, 1993).
//
// All numbers are double, for matrices of any type.
#pragma once

#include "dense_factors.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

inline constexpr int kDoubles = kVectorBytes / sizeof(double);
inline constexpr double kDoubleUnit = 1.1102230246251565e-16;

/// Elements of an array of `count` numbers with padding to whole vectors of any
/// width.
inline int64_t padded_doubles(int64_t count) { return round_up(count, 8) + 8; }

inline Doubles absolute(Doubles x) {
  Longs bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits &= INT64_MAX;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
inline double sum_of(Doubles x) {
  double sum = 0;
  for (int lane = 0; lane < kDoubles; ++lane)
    sum += x[lane];
  return sum;
}
inline double larger(double a, double b) { return a < b ? b : a; }

/// A root x = pole(origin) + offset.
struct SecularRoot {
  int64_t origin;
  double offset;
};

/// Arrays have padded_doubles(count) elements.
class SecularEquation {
public:
  int64_t count;
  bool is_square;       ///< poles are squares of `poles`
  double rho;           ///< positive
  double *poles;        ///< strictly ascending, not negative if `is_square`
  double *z;            ///< not zero; replaced by adjust()
  double *squares;      ///< memory
  double *delta, *work; ///< memory

  /// Fills the padding. The poles and z are set.
  void prepare() {
    total_ = 0;
    for (int64_t i = 0; i < count; ++i) {
      squares[i] = z[i] * z[i];
      total_ += squares[i];
    }
    double last = poles[count - 1];
    for (int64_t i = count; i < padded_doubles(count); ++i) {
      squares[i] = z[i] = 0;
      // Away from all roots.
      poles[i] =
          2 * (size_of(last) + root_of(rho * total_)) + 2 * rho * total_ + 1;
    }
  }
  double difference(int64_t i, int64_t j) const {
    double distance = poles[i] - poles[j];
    return is_square ? distance * (poles[i] + poles[j]) : distance;
  }
  /// The root after pole number `index`.
  SecularRoot find_root(int64_t index);
  /// Replaces z by that for which the roots are exact.
  void adjust(const SecularRoot *roots);
  /// Writes pole - root for each pole to `delta`.
  void subtract_root(const SecularRoot &root) const {
    fill_delta(root.origin, root.offset);
  }

private:
  /// The sum of the equation at a point, with its derivative, and the sums of
  /// the terms' magnitudes and of their derivatives with the terms' signs.
  struct Value {
    double f, size, slope, signed_slope;
  };
  /// What find_root knows about its root.
  struct Search {
    int64_t index;
    bool is_last;
    double low, high;
  };

  void fill_delta(int64_t origin, double offset) const;
  Value evaluate(double y) const;
  double guess(const Search &search, double y, const Value &value) const;
  double improve(const Search &search, double y, const Value &value) const;

  double total_ = 0;
};

inline void SecularEquation::fill_delta(int64_t origin, double offset) const {
  double pole = poles[origin];
  for (int64_t i = 0; i < count; i += kDoubles) {
    Doubles d = load<Doubles>(poles + i), distance = d - pole;
    if (is_square)
      distance *= d + pole;
    store(delta + i, distance - offset);
  }
}

inline SecularEquation::Value SecularEquation::evaluate(double y) const {
  Doubles sum = {}, size = {}, slope = {}, signed_slope = {};
  for (int64_t i = 0; i < count; i += kDoubles) {
    Doubles inverse = 1 / (load<Doubles>(delta + i) - y);
    Doubles term = load<Doubles>(squares + i) * inverse;
    Doubles magnitude = absolute(term);
    sum += term;
    size += magnitude;
    slope += term * inverse;
    signed_slope += magnitude * inverse;
  }
  return {1 / rho + sum_of(sum), 1 / rho + sum_of(size), sum_of(slope),
          sum_of(signed_slope)};
}

/// The root of c x² - a x + b = 0 that the interpolations use.
inline double quadratic_root(double a, double b, double c, bool other) {
  double square = a * a - 4 * b * c;
  double root = square > 0 ? root_of(square) : 0;
  if (other)
    return a >= 0 ? (a + root) / (2 * c) : 2 * b / (a - root);
  return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
}

/// A first approximation, from the two next poles and the value of the others
/// at y.
inline double SecularEquation::guess(const Search &search, double y,
                                     const Value &value) const {
  if (search.is_last)
    return improve(search, y, value);
  int64_t i = search.index;
  double p = delta[i], q = delta[i + 1];
  double c = value.f - squares[i] / (p - y) - squares[i + 1] / (q - y);
  double a = c * (p + q) + squares[i] + squares[i + 1];
  double b = c * p * q + squares[i] * q + squares[i + 1] * p;
  return quadratic_root(a, b, c, false);
}

/// The next approximation.
inline double SecularEquation::improve(const Search &search, double y,
                                       const Value &value) const {
  int64_t i = search.is_last ? search.index - 1 : search.index;
  double p = delta[i] - y, q = delta[i + 1] - y;
  double upper = (value.slope + value.signed_slope) / 2;
  if (search.is_last)
    upper = squares[i + 1] / (q * q);
  double lower = value.slope - upper;
  double c = value.f - p * lower - q * upper;
  double a = (p + q) * value.f - p * q * value.slope;
  double b = p * q * value.f;
  return y + quadratic_root(a, b, c, search.is_last);
}

inline SecularRoot SecularEquation::find_root(int64_t index) {
  if (count == 1)
    return {0, rho * squares[0]};
  Search search{index, index + 1 == count, 0, 0};
  double width = search.is_last ? rho * total_ : difference(index + 1, index);
  int64_t origin = index;
  fill_delta(origin, 0);
  double y = width / 2;
  Value value = evaluate(y);
  if (value.f > 0) {
    search.high = y;
  } else if (search.is_last) {
    search.low = y;
    search.high = width;
  } else {
    origin = index + 1;
    fill_delta(origin, 0);
    search.low = y = -width / 2;
  }
  double next = guess(search, y, value);
  for (int step = 0; step < 100; ++step) {
    // Halves the exponent of the interval if the interpolation leaves it, or
    // is slow.
    if (!(next > search.low && next < search.high) || step % 8 == 7) {
      double low = search.low, high = search.high;
      next = low > 0    ? root_of(low) * root_of(high)
             : high < 0 ? -root_of(-low) * root_of(-high)
                        : (low + high) / 64;
      if (!(next > low && next < high))
        break;
    }
    bool is_done = size_of(next - y) <= 2 * kDoubleUnit * size_of(next);
    y = next;
    if (is_done && step > 0)
      break;
    value = evaluate(y);
    if (size_of(value.f) <= 4 * kDoubleUnit * value.size)
      break;
    (value.f < 0 ? search.low : search.high) = y;
    next = improve(search, y, value);
  }
  return {origin, y};
}

inline void SecularEquation::adjust(const SecularRoot *roots) {
  int64_t size = padded_doubles(count);
  for (int64_t i = 0; i < size; ++i)
    work[i] = 1;
  // Pads the distances to pole j, of which one is zero.
  double *own = squares;
  for (int64_t i = 0; i < size; ++i)
    own[i] = 0;
  for (int64_t j = 0; j < count; ++j) {
    double pole = poles[j], from = poles[roots[j].origin];
    double offset = roots[j].offset;
    own[j] = 1;
    for (int64_t i = 0; i < count; i += kDoubles) {
      Doubles d = load<Doubles>(poles + i);
      Doubles above = from - d, below = pole - d;
      if (is_square) {
        above *= from + d;
        below *= pole + d;
      }
      above += offset;
      below += load<Doubles>(own + i);
      store(work + i, load<Doubles>(work + i) * (above / below));
    }
    own[j] = 0;
  }
  for (int64_t i = 0; i < count; ++i) {
    double size_now = root_of(size_of(work[i]));
    z[i] = z[i] < 0 ? -size_now : size_now;
  }
}

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
