// Functions that the C++ library lacks, in double.
#pragma once

namespace xlac::host {

double erf_inv(double x);
double log_gamma(double x);
double digamma(double x);
/// Derivative of order n of digamma; NaN unless n is a non-negative integer.
double polygamma(double n, double x);
/// Hurwitz zeta: the sum of (q + k)^-x over k from 0.
double zeta(double x, double q);
/// exp(-|x|) times the modified Bessel function of order 1.
double bessel_i1e(double x);

} // namespace xlac::host
