// Reference implementations of elementary and special functions in wider
// arithmetic than the tested type: double for f32 and narrower types, long
// double for f64. They are simple and slow, and share no code with code
// generation or host.
#pragma once

namespace xlac::accuracy {

/// The widest available arithmetic: 64 bits of mantissa on x86.
using Wide = long double;

template <class R> R logistic(R x);
template <class R> R rsqrt(R x);
template <class R> R square(R x);
template <class R> R logGamma(R x);

/// These use long double throughout, so that enough digits remain after
/// cancellation near their zeros.
Wide erfInverse(Wide x);
Wide digamma(Wide x);
/// The sum of (q + k)^-x over k, for x > 1 and q > 0, else NaN.
Wide zeta(Wide x, Wide q);
/// For integers n >= 0 and x > 0.
Wide polygamma(Wide n, Wide x);
/// exp(-|x|) I1(x).
Wide besselI1e(Wide x);

} // namespace xlac::accuracy
