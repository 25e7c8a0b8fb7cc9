// What elementary and special functions ought to give, in an arithmetic wider
// than the one under test: double for f32 and narrower, long double for f64.
// Plain and slow; nothing here is shared with code generation or with host.
#pragma once

namespace xlac::accuracy {

/// The widest arithmetic at hand: 64 bits of mantissa on x86.
using Wide = long double;

template <class R> R logistic(R x);
template <class R> R rsqrt(R x);
template <class R> R square(R x);
template <class R> R logGamma(R x);

/// These work in long double throughout, so that cancellation near their zeros
/// leaves digits enough.
Wide erfInverse(Wide x);
Wide digamma(Wide x);
/// Sum of (q + k)^-x over k; for x > 1 and q > 0, else NaN.
Wide zeta(Wide x, Wide q);
/// For whole n >= 0 and x > 0.
Wide polygamma(Wide n, Wide x);
/// exp(-|x|) I1(x).
Wide besselI1e(Wide x);

} // namespace xlac::accuracy
