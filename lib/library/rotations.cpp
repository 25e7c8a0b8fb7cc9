#include "rotations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <vector>

namespace xlac::library {

namespace {

template <class R> constexpr R kUnit = std::numeric_limits<R>::epsilon() / 2;
template <class R> constexpr R kLeast = std::numeric_limits<R>::min();

/// The length of (x, y), rounded as in LAPACK's lapy2 and laev2.
template <class R> R length_of(R x, R y) {
  R most = std::max(std::abs(x), std::abs(y));
  R least = std::min(std::abs(x), std::abs(y));
  return least == 0 ? most
                    : most * std::sqrt(1 + (least / most) * (least / most));
}

/// [c s; -s c] maps (f, g) to (length, 0); length has the sign of f.
template <class R> struct Rotation {
  R c = 1, s = 0, length = 0;

  Rotation() = default;
  Rotation(R f, R g) {
    if (g == 0) {
      length = f;
    } else if (f == 0) {
      c = 0;
      s = std::copysign(R(1), g);
      length = std::abs(g);
    } else {
      R square = f * f + g * g;
      bool is_safe = square > kLeast<R> && std::isfinite(square);
      R size = is_safe ? std::sqrt(square) : std::hypot(f, g);
      c = std::abs(f) / size;
      length = std::copysign(size, f);
      s = g / length;
    }
  }
};

/// Rotates two rows or columns: (first, second) to (c first + s second, c
/// second - s first).
template <class R, class Line>
void turn(Line &&first, Line &&second, R c, R s) {
  for (int64_t i = 0; i < first.size(); ++i) {
    R old = first(i);
    first(i) = c * old + s * second(i);
    second(i) = c * second(i) - s * old;
  }
}

/// One unreduced block [begin, end] of a symmetric tridiagonal matrix.
/// Iteration starts at the end with the larger elements, where positions start.
template <class R> class TridiagonalBlock {
public:
  TridiagonalBlock(Vector<R> &diagonal, Vector<R> &beside, Matrix<R> &vectors,
                   int64_t begin, int64_t end)
      : d_(diagonal), e_(beside), z_(vectors), first_(begin), last_(end),
        step_(1) {
    if (std::abs(d_(last_)) < std::abs(d_(first_))) {
      std::swap(first_, last_);
      step_ = -1;
    }
  }

  /// Uses up to `sweeps` sweeps and decrements it; false if they do not
  /// suffice.
  bool solve(int64_t &sweeps) {
    int64_t at = first_;
    while ((last_ - at) * step_ >= 0) {
      int64_t end = find_end(at);
      if (end != last_)
        beside(end) = 0;
      if (end == at) {
        at += step_;
      } else if (end == at + step_) {
        solve_pair(at);
        at += 2 * step_;
      } else if (sweeps-- > 0) {
        sweep(at, end);
      } else {
        return false;
      }
    }
    return true;
  }

private:
  /// The off-diagonal element between position `at` and the next one.
  R &beside(int64_t at) { return e_(step_ > 0 ? at : at - 1); }

  int64_t find_end(int64_t at) {
    for (; at != last_; at += step_) {
      R size = std::abs(beside(at)) * std::abs(beside(at));
      if (size <=
          kUnit<R> * kUnit<R> * std::abs(d_(at)) * std::abs(d_(at + step_)) +
              kLeast<R>)
        return at;
    }
    return last_;
  }

  void apply(int64_t at, R c, R s) {
    // Rotates the lower of the two columns and the one after it.
    int64_t column = step_ > 0 ? at : at - 1;
    turn(z_.col(column), z_.col(column + 1), c, s);
  }

  void solve_pair(int64_t at);
  void sweep(int64_t at, int64_t end);

  Vector<R> &d_, &e_;
  Matrix<R> &z_;
  int64_t first_, last_, step_;
};

/// The eigenvalues of [a b; b c], the one of larger magnitude first, and the
/// unit eigenvector (cosine, sine) of the first.
template <class R> struct SymmetricPair {
  R larger, smaller, cosine, sine;

  SymmetricPair(R a, R b, R c) {
    R sum = a + c, difference = a - c, twice = b + b;
    R root = length_of(difference, twice);
    bool first_is_big = std::abs(a) > std::abs(c);
    R big = first_is_big ? a : c, small = first_is_big ? c : a;
    larger = sum < 0 ? (sum - root) / 2 : (sum + root) / 2;
    smaller = sum == 0 ? -root / 2 : (big / larger) * small - (b / larger) * b;
    R first = difference >= 0 ? difference + root : difference - root;
    if (std::abs(first) > std::abs(twice)) {
      R cotangent = -twice / first;
      sine = 1 / std::sqrt(1 + cotangent * cotangent);
      cosine = cotangent * sine;
    } else if (twice == 0) {
      cosine = 1;
      sine = 0;
    } else {
      R tangent = -first / twice;
      cosine = 1 / std::sqrt(1 + tangent * tangent);
      sine = tangent * cosine;
    }
    if ((sum < 0) == (difference < 0)) {
      R old = cosine;
      cosine = -sine;
      sine = old;
    }
  }
};

template <class R> void TridiagonalBlock<R>::solve_pair(int64_t at) {
  int64_t upper = std::min(at, at + step_);
  SymmetricPair<R> pair(d_(upper), e_(upper), d_(upper + 1));
  d_(upper) = pair.larger;
  d_(upper + 1) = pair.smaller;
  e_(upper) = 0;
  turn(z_.col(upper), z_.col(upper + 1), pair.cosine, pair.sine);
}

/// One implicit QL step on the positions from `at` to `end`; a QR step if the
/// block is processed from below.
template <class R> void TridiagonalBlock<R>::sweep(int64_t at, int64_t end) {
  R p = d_(at);
  R g = (d_(at + step_) - p) / (2 * beside(at));
  R r = length_of(g, R(1));
  g = d_(end) - p + beside(at) / (g + std::copysign(r, g));
  R s = 1, c = 1;
  p = 0;
  for (int64_t i = end - step_; (i - at) * step_ >= 0; i -= step_) {
    R f = s * beside(i), b = c * beside(i);
    Rotation<R> rotation(g, f);
    c = rotation.c;
    s = rotation.s;
    if (i != end - step_)
      beside(i + step_) = rotation.length;
    g = d_(i + step_) - p;
    r = (d_(i) - g) * s + 2 * c * b;
    p = s * r;
    d_(i + step_) = g + p;
    g = c * r - b;
    apply(i, c, step_ > 0 ? -s : s);
  }
  d_(at) -= p;
  beside(at) = g;
}

/// The smaller singular value of [f g; 0 h].
template <class R> R smaller_value(R f, R g, R h) {
  R least = std::min(std::abs(f), std::abs(h));
  R most = std::max(std::abs(f), std::abs(h));
  R beside = std::abs(g);
  if (least == 0)
    return 0;
  R sum = 1 + least / most, difference = (most - least) / most;
  if (beside < most) {
    R square = (beside / most) * (beside / most);
    return least * (2 / (std::sqrt(sum * sum + square) +
                         std::sqrt(difference * difference + square)));
  }
  R ratio = most / beside;
  if (ratio == 0)
    return least * most / beside;
  R c = 1 / (std::sqrt(1 + sum * ratio * (sum * ratio)) +
             std::sqrt(1 + difference * ratio * (difference * ratio)));
  return 2 * (least * c * ratio);
}

/// [f g; 0 h] as a rotation, its singular values with signs, and another
/// rotation, chosen as in LAPACK's lasv2.
template <class R> struct TrianglePair {
  R smaller, larger, left_c, left_s, right_c, right_s;

  TrianglePair(R f, R g, R h) {
    R first = f, last = h;
    bool swapped = std::abs(h) > std::abs(f);
    if (swapped)
      std::swap(first, last);
    bool g_dominates = solve(first, g, last);
    if (swapped) {
      R old_c = left_c, old_s = left_s;
      left_c = right_s;
      left_s = right_c;
      right_c = old_s;
      right_s = old_c;
    }
    auto sign = [](R x) { return std::copysign(R(1), x); };
    R leading = g_dominates ? sign(right_s) * sign(left_c) * sign(g)
                : swapped   ? sign(right_s) * sign(left_s) * sign(h)
                            : sign(right_c) * sign(left_c) * sign(f);
    larger = std::copysign(larger, leading);
    smaller = std::copysign(smaller, leading * sign(f) * sign(h));
  }

private:
  /// For |f| >= |h|; true if |g| exceeds both.
  bool solve(R f, R g, R h) {
    R most = std::abs(f), least = std::abs(h), beside = std::abs(g);
    left_c = right_c = 1;
    left_s = right_s = 0;
    larger = most;
    smaller = least;
    if (beside == 0)
      return false;
    if (beside > most && most / beside < kUnit<R>) {
      larger = beside;
      smaller = least > 1 ? most / (beside / least) : most / beside * least;
      left_s = h / g;
      right_s = 1;
      right_c = f / g;
      return true;
    }
    R difference = most - least, l = difference == most ? 1 : difference / most;
    R m = g / f, t = 2 - l;
    R s = std::sqrt(t * t + m * m);
    R r = l == 0 ? std::abs(m) : std::sqrt(l * l + m * m);
    R a = (s + r) / 2;
    smaller = least / a;
    larger = most * a;
    if (m * m != 0)
      t = (m / (s + t) + m / (r + l)) * (1 + a);
    else if (l == 0)
      t = std::copysign(R(2), f) * std::copysign(R(1), g);
    else
      t = g / std::copysign(difference, f) + m / t;
    l = std::sqrt(t * t + 4);
    right_c = 2 / l;
    right_s = t / l;
    left_c = (right_c + right_s * m) / a;
    left_s = h / f * right_s / a;
    return beside > most;
  }
};

/// Computes the singular values of an upper bidiagonal matrix: bdsqr.
template <class R> class BidiagonalSweeps {
public:
  BidiagonalSweeps(Vector<R> &diagonal, Vector<R> &beside, Matrix<R> &left,
                   Matrix<R> &right)
      : d_(diagonal), e_(beside), left_(left), right_(right) {}

  bool solve();

private:
  /// A chase of the bulge, from the end with larger elements to the other end.
  struct Chase {
    int64_t first, last; ///< of the block
    bool down;           ///< from `first` to `last`
  };

  R &beside(int64_t at, bool down) { return e_(down ? at : at - 1); }
  void find_threshold();
  /// Clears an off-diagonal element that is negligible for the block and
  /// returns true. Otherwise computes the block's smallest value.
  bool converge(const Chase &chase, R &smallest);
  R find_shift(const Chase &chase, R smallest, R largest);
  void sweep(const Chase &chase, R shift);
  void sweep_without_shift(const Chase &chase);
  void turn_left(int64_t at, bool down, R c, R s);
  void turn_right(int64_t at, bool down, R c, R s);

  Vector<R> &d_, &e_;
  Matrix<R> &left_, &right_;
  R tolerance_ =
      std::max(R(10), std::min(R(100), std::pow(kUnit<R>, R(-0.125)))) *
      kUnit<R>;
  R threshold_ = 0;
};

template <class R> void BidiagonalSweeps<R>::find_threshold() {
  auto n = static_cast<R>(d_.size());
  R smallest = std::abs(d_(0)), mu = smallest;
  for (int64_t i = 1; i < d_.size() && smallest != 0; ++i) {
    mu = std::abs(d_(i)) * (mu / (mu + std::abs(e_(i - 1))));
    smallest = std::min(smallest, mu);
  }
  threshold_ = std::max(tolerance_ * (smallest / std::sqrt(n)),
                        6 * (n * (n * kLeast<R>)));
}

/// Rotates column `at` and its neighbour in the direction of the chase.
template <class R>
void BidiagonalSweeps<R>::turn_left(int64_t at, bool down, R c, R s) {
  int64_t column = down ? at : at - 1;
  turn(left_.col(column), left_.col(column + 1), c, down ? s : -s);
}

template <class R>
void BidiagonalSweeps<R>::turn_right(int64_t at, bool down, R c, R s) {
  int64_t row = down ? at : at - 1;
  turn(right_.row(row), right_.row(row + 1), c, down ? s : -s);
}

template <class R>
bool BidiagonalSweeps<R>::converge(const Chase &chase, R &smallest) {
  auto [first, last, down] = chase;
  int64_t from = down ? first : last, to = down ? last : first;
  int64_t step = down ? 1 : -1;
  R &end = beside(to, !down);
  if (std::abs(end) <= tolerance_ * std::abs(d_(to))) {
    end = 0;
    return true;
  }
  R mu = std::abs(d_(from));
  smallest = mu;
  for (int64_t i = from; i != to; i += step) {
    R &element = beside(i, down);
    if (std::abs(element) <= tolerance_ * mu) {
      element = 0;
      return true;
    }
    mu = std::abs(d_(i + step)) * (mu / (mu + std::abs(element)));
    smallest = std::min(smallest, mu);
  }
  return false;
}

template <class R>
R BidiagonalSweeps<R>::find_shift(const Chase &chase, R smallest, R largest) {
  auto n = static_cast<R>(d_.size());
  if (n * tolerance_ * (smallest / largest) <=
      std::max(kUnit<R>, R(0.01) * tolerance_))
    return 0;
  int64_t pair = chase.down ? chase.last - 1 : chase.first;
  R size = std::abs(d_(chase.down ? chase.first : chase.last));
  R shift = smaller_value(d_(pair), e_(pair), d_(pair + 1));
  return size > 0 && (shift / size) * (shift / size) < kUnit<R> ? 0 : shift;
}

template <class R>
void BidiagonalSweeps<R>::sweep_without_shift(const Chase &chase) {
  auto [first, last, down] = chase;
  int64_t from = down ? first : last, to = down ? last : first;
  int64_t step = down ? 1 : -1;
  Rotation<R> one, other;
  for (int64_t i = from; i != to; i += step) {
    R old_s = other.s;
    one = Rotation<R>(d_(i) * one.c, beside(i, down));
    if (i != from)
      beside(i - step, down) = old_s * one.length;
    other = Rotation<R>(other.c * one.length, d_(i + step) * one.s);
    d_(i) = other.length;
    turn_right(i, down, down ? one.c : other.c, down ? one.s : other.s);
    turn_left(i, down, down ? other.c : one.c, down ? other.s : one.s);
  }
  R h = d_(to) * one.c;
  d_(to) = h * other.c;
  beside(to - step, down) = h * other.s;
}

template <class R>
void BidiagonalSweeps<R>::sweep(const Chase &chase, R shift) {
  auto [first, last, down] = chase;
  int64_t from = down ? first : last, to = down ? last : first;
  int64_t step = down ? 1 : -1;
  R f = (std::abs(d_(from)) - shift) *
        (std::copysign(R(1), d_(from)) + shift / d_(from));
  R g = beside(from, down);
  for (int64_t i = from; i != to; i += step) {
    R &element = beside(i, down);
    Rotation<R> one(f, g);
    if (i != from)
      beside(i - step, down) = one.length;
    f = one.c * d_(i) + one.s * element;
    element = one.c * element - one.s * d_(i);
    g = one.s * d_(i + step);
    d_(i + step) *= one.c;
    Rotation<R> other(f, g);
    d_(i) = other.length;
    f = other.c * element + other.s * d_(i + step);
    d_(i + step) = other.c * d_(i + step) - other.s * element;
    if (i + step != to) {
      R &next = beside(i + step, down);
      g = other.s * next;
      next *= other.c;
    }
    turn_right(i, down, down ? one.c : other.c, down ? one.s : other.s);
    turn_left(i, down, down ? other.c : one.c, down ? other.s : one.s);
  }
  beside(to - step, down) = f;
}

template <class R> bool BidiagonalSweeps<R>::solve() {
  int64_t n = d_.size();
  find_threshold();
  int64_t steps = 6 * n * n;
  Chase before{-1, -1, true};
  for (int64_t last = n - 1; last > 0;) {
    R largest = std::abs(d_(last));
    int64_t first = last;
    for (; first > 0 && std::abs(e_(first - 1)) > threshold_; --first)
      largest =
          std::max({largest, std::abs(d_(first - 1)), std::abs(e_(first - 1))});
    if (first > 0)
      e_(first - 1) = 0;
    if (first == last) {
      --last;
      continue;
    }
    if (first + 1 == last) {
      TrianglePair<R> pair(d_(first), e_(first), d_(last));
      d_(first) = pair.larger;
      e_(first) = 0;
      d_(last) = pair.smaller;
      turn(right_.row(first), right_.row(last), pair.right_c, pair.right_s);
      turn(left_.col(first), left_.col(last), pair.left_c, pair.left_s);
      last -= 2;
      continue;
    }
    Chase chase{first, last, before.down};
    if (first > before.last || last < before.first)
      chase.down = std::abs(d_(first)) >= std::abs(d_(last));
    R smallest = 0;
    if (converge(chase, smallest)) {
      before.down = chase.down;
      continue;
    }
    before = chase;
    steps -= last - first;
    if (steps < 0)
      return false;
    R shift = find_shift(chase, smallest, largest);
    if (shift == 0)
      sweep_without_shift(chase);
    else
      sweep(chase, shift);
    R &end = e_(chase.down ? last - 1 : first);
    if (std::abs(end) <= threshold_)
      end = 0;
  }
  for (int64_t i = 0; i < n; ++i)
    if (d_(i) < 0) {
      d_(i) = -d_(i);
      right_.row(i) *= -1;
    }
  return true;
}

/// Sorts `values` with as few swaps as possible, and calls `exchange` for each.
template <class R, class Before, class Exchange>
void sort_values(Vector<R> &values, Before before, Exchange exchange) {
  for (int64_t i = 0; i + 1 < values.size(); ++i) {
    int64_t best = i;
    for (int64_t j = i + 1; j < values.size(); ++j)
      if (before(values(j), values(best)))
        best = j;
    if (best == i)
      continue;
    std::swap(values(i), values(best));
    exchange(i, best);
  }
}

} // namespace

template <class R>
bool rotate_tridiagonal(Vector<R> diagonal, Vector<R> beside,
                        Matrix<R> &vectors) {
  int64_t n = diagonal.size();
  vectors.setIdentity(n, n);
  int64_t sweeps = 30 * n;
  for (int64_t begin = 0; begin < n;) {
    int64_t end = begin;
    for (; end + 1 < n; ++end) {
      R size = std::abs(beside(end));
      if (size <= std::sqrt(std::abs(diagonal(end))) *
                      std::sqrt(std::abs(diagonal(end + 1))) * kUnit<R>)
        break;
    }
    if (end + 1 < n)
      beside(end) = 0;
    if (!TridiagonalBlock<R>(diagonal, beside, vectors, begin, end)
             .solve(sweeps))
      return false;
    begin = end + 1;
  }
  sort_values(diagonal, std::less<R>(), [&](int64_t i, int64_t j) {
    vectors.col(i).swap(vectors.col(j));
  });
  return true;
}

template bool rotate_tridiagonal(Vector<float>, Vector<float>, Matrix<float> &);
template bool rotate_tridiagonal(Vector<double>, Vector<double>,
                                 Matrix<double> &);

template <class R>
bool rotate_bidiagonal(Vector<R> diagonal, Vector<R> beside, bool lower,
                       Matrix<R> &left, Matrix<R> &right) {
  int64_t n = diagonal.size();
  left.setIdentity(n, n);
  right.setIdentity(n, n);
  if (n <= 1) {
    if (n == 1 && diagonal(0) < 0)
      left(0, 0) = -1;
    return true;
  }
  std::vector<Rotation<R>> rotations;
  for (int64_t i = 0; lower && i + 1 < n; ++i) {
    Rotation<R> &rotation = rotations.emplace_back(diagonal(i), beside(i));
    diagonal(i) = rotation.length;
    beside(i) = rotation.s * diagonal(i + 1);
    diagonal(i + 1) *= rotation.c;
  }
  if (!BidiagonalSweeps<R>(diagonal, beside, left, right).solve())
    return false;
  sort_values(diagonal, std::greater<R>(), [&](int64_t i, int64_t j) {
    left.col(i).swap(left.col(j));
    right.row(i).swap(right.row(j));
  });
  for (int64_t i = std::ssize(rotations); i-- > 0;)
    turn(left.row(i), left.row(i + 1), rotations[i].c, -rotations[i].s);
  return true;
}

template bool rotate_bidiagonal(Vector<float>, Vector<float>, bool,
                                Matrix<float> &, Matrix<float> &);
template bool rotate_bidiagonal(Vector<double>, Vector<double>, bool,
                                Matrix<double> &, Matrix<double> &);

} // namespace xlac::library
