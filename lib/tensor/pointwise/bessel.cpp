#include "bessel.h"

#include "xlac/tensor/bessel.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace xlac::frontend {

namespace {

/// Chebyshev coefficients of exp(-t) I0(t) for t in [0, 8].
constexpr double kNear[] = {
    0.33839763720473804,     -0.3046826723431984,     0.17162090152220878,
    -0.094901097048047644,   0.049305284239670708,    -0.023737414805899469,
    0.010546460394594998,    -0.0043243099950505759,  0.0016394756169413358,
    -0.00057637557453858237, 0.00018850288509584166,  -5.7541950100821037e-5,
    1.6448448070728897e-5,   -4.4167383584587506e-6,  1.1173875391201037e-6,
    -2.6707938539406117e-7,  6.0469950225419189e-8,   -1.300025009986248e-8,
    2.6598237246823867e-9,   -5.1897956016352629e-10, 9.6758090353732369e-11,
    -1.7268262914415557e-11, 2.9550526631296398e-12,  -4.8564467831119295e-13,
    7.6761854986049356e-14,  -1.1685332877993452e-14, 1.715391285555133e-15,
    -2.4312798465479547e-16, 3.3307945188222381e-17,
};
/// Chebyshev coefficients of sqrt(t) exp(-t) I0(t) as a function of 1/t in [0,
/// 1/8].
constexpr double kFar[] = {
    0.40224520550705442,     0.0033691164782556941,   6.889758346916824e-5,
    2.8913705208347565e-6,   2.0489185894690637e-7,   2.2666689904981781e-8,
    3.3962320257083863e-9,   4.9406023882249696e-10,  1.1889147107846438e-11,
    -3.1499165279632414e-11, -1.3215811840447713e-11, -1.7941785315068061e-12,
    7.1801244513836662e-13,  3.8527783827421427e-13,  1.5400862175214098e-14,
    -4.1505693472872221e-14, -9.5548466988283076e-15, 3.8116806693526224e-15,
    1.7725601330565264e-15,  -3.4254856196772191e-16, -2.8276239805165835e-16,
    3.4612228676974611e-17,  4.46562142029676e-17,
};

/// Evaluates the series at x in [-1, 1] by Clenshaw's recurrence. For f32 it
/// drops terms below the precision of the type.
Term chebyshev(std::span<const double> coefficients, const Term &x) {
  double least = byte_size(x.type()) == 8 ? 0 : 1e-10;
  size_t count = coefficients.size();
  while (std::fabs(coefficients[count - 1]) < least)
    --count;
  Term twice = x * 2, above = x.like(0), current = x.like(0);
  for (size_t i = count; i-- > 1;) {
    Term next = twice * current - above + coefficients[i];
    above = current;
    current = next;
  }
  return x * current - above + coefficients[0];
}

/// exp(-t) I0(t) for t >= 0.
Term scaled_i0(const Term &t) {
  Term near = t <= 8;
  // Each half gets an argument in its own range, so that neither overflows.
  Term small = select(near, t, t.like(8));
  Term large = select(near, t.like(8), t);
  return select(near, chebyshev(kNear, small / 4 - 1),
                chebyshev(kFar, 16 / large - 1) / sqrt(large));
}

} // namespace

graph::Value bessel_i0e(const graph::Value &x) {
  return scaled_i0(abs(Term{x})).value;
}

Term bessel_i0(const Term &x) {
  Term t = abs(x), series = scaled_i0(t);
  // Multiplies by exp(t / 2) twice, since exp(t) overflows before I0(t) does.
  Term half = exp(t / 2);
  return half * series * half;
}

} // namespace xlac::frontend
