// The scalar functions of ops, in wide form. They return null for an op that is
// not defined in that form.
#pragma once

#include "xlac/ops/op.h"
#include "xlac/support/element_type.h"

#include <complex>
#include <cstdint>

namespace xlac::host {

using FloatUnary = double (*)(double);
using FloatPredicate = int64_t (*)(double);
using FloatBinary = double (*)(double, double);
using ComplexUnary = std::complex<double> (*)(std::complex<double>);
using ComplexBinary = std::complex<double> (*)(std::complex<double>,
                                               std::complex<double>);
/// The last argument is the width in bits.
using IntegerBinary = int64_t (*)(int64_t, int64_t, int);

FloatUnary float_unary(ops::OpKind op);
FloatPredicate float_predicate(ops::OpKind op);
FloatBinary float_binary(ops::OpKind op);
ComplexUnary complex_unary(ops::OpKind op);
ComplexBinary complex_binary(ops::OpKind op);
IntegerBinary integer_binary(ops::OpKind op, ElementType type);

/// The neighbour of `x` towards `y` among the values of `type`.
double next_after(ElementType type, double x, double y);
/// `x` of `type`, rounded to a float with that many exponent and mantissa bits.
double reduced_precision(ElementType type, double x, int exponent_bits,
                         int mantissa_bits);

} // namespace xlac::host
