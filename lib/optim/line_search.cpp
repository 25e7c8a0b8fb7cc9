#include "line_search.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace xlac::optim {

namespace {

constexpr int kMaxTries = 25;
constexpr double kDecrease = 1e-4, kCurvature = 0.9;

/// Returns the minimum of the cubic through both points with their slopes,
/// clamped to the bounds; their midpoint if it has no minimum.
double cubic_minimum(const Along &a, const Along &b, double low, double high) {
  const Along &left = a.length <= b.length ? a : b;
  const Along &right = a.length <= b.length ? b : a;
  double mixed =
      a.slope + b.slope - 3 * (a.loss - b.loss) / (a.length - b.length);
  double square = mixed * mixed - a.slope * b.slope;
  if (!(square >= 0))
    return (low + high) / 2;
  double root = std::sqrt(square);
  double least = right.length - (right.length - left.length) *
                                    (right.slope + root - mixed) /
                                    (right.slope - left.slope + 2 * root);
  return std::min(std::max(least, low), high);
}

class Search {
public:
  Search(const Along &start, double least,
         const std::function<Along(double)> &evaluate)
      : start_(start), least_(least), evaluate_(evaluate) {}

  Along run(double first) { return bracket(first) ? divided() : ends_[low_]; }

private:
  bool decreases(const Along &point) const {
    return point.loss <= start_.loss + kDecrease * point.length * start_.slope;
  }
  bool is_flat(const Along &point) const {
    return std::abs(point.slope) <= -kCurvature * start_.slope;
  }
  Along attempt(double length) {
    ++tries_;
    return evaluate_(length);
  }

  /// Increases the length until a point satisfies the conditions, or until two
  /// points bracket such a point. Returns true in the second case.
  bool bracket(double first) {
    Along before = start_, now = evaluate_(first);
    while (tries_ < kMaxTries) {
      bool rises = tries_ > 1 && now.loss >= before.loss;
      if (!decreases(now) || rises)
        return set_ends(before, now);
      if (is_flat(now)) {
        ends_ = {now, now};
        return false;
      }
      if (now.slope >= 0)
        return set_ends(before, now);
      double next = cubic_minimum(
          before, now, now.length + 0.01 * (now.length - before.length),
          now.length * 10);
      before = now;
      now = attempt(next);
    }
    return set_ends(start_, now);
  }

  bool set_ends(const Along &a, const Along &b) {
    ends_ = {a, b};
    order();
    return true;
  }
  void order() { low_ = ends_[0].loss <= ends_[1].loss ? 0 : 1; }

  /// Returns the next length to try: the cubic's minimum, moved away from an
  /// end of the bracket if the last length was close to an end, too.
  double divide() {
    auto [low, high] = std::minmax(ends_[0].length, ends_[1].length);
    double length = cubic_minimum(ends_[0], ends_[1], low, high);
    double margin = 0.1 * (high - low);
    if (std::min(high - length, length - low) >= margin) {
      was_near_end_ = false;
    } else if (was_near_end_ || length >= high || length <= low) {
      was_near_end_ = false;
      return high - length < length - low ? high - margin : low + margin;
    } else {
      was_near_end_ = true;
    }
    return length;
  }

  /// Narrows the bracket until its better end satisfies the conditions.
  Along divided() {
    while (tries_ < kMaxTries) {
      if (std::abs(ends_[1].length - ends_[0].length) < least_)
        break;
      Along now = attempt(divide());
      Along &low = ends_[low_], &high = ends_[1 - low_];
      if (!decreases(now) || now.loss >= low.loss) {
        high = now;
        order();
        continue;
      }
      if (is_flat(now))
        return now;
      if (now.slope * (high.length - low.length) >= 0)
        high = low;
      low = now;
    }
    return ends_[low_];
  }

  const Along start_;
  const double least_;
  const std::function<Along(double)> &evaluate_;
  std::array<Along, 2> ends_;
  size_t low_ = 0;
  int tries_ = 0;
  bool was_near_end_ = false;
};

} // namespace

Along strong_wolfe(const Along &start, double first, double least,
                   const std::function<Along(double)> &evaluate) {
  return Search(start, least, evaluate).run(first);
}

} // namespace xlac::optim
