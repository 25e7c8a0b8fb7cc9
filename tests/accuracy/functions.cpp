#include "functions.h"

#include <cmath>

namespace xlac::accuracy {

// Both arithmetics of one function of one operand.
#define XLAC_UNARY(function)                                                   \
  [](double x, double) { return double(function(x)); },                        \
      [](Wide x, Wide) { return Wide(function(x)); }
#define XLAC_BINARY(function)                                                  \
  [](double x, double y) { return double(function(x, y)); },                   \
      [](Wide x, Wide y) { return Wide(function(x, y)); }

static const Function kFunctions[] = {
    {"stablehlo.exponential", Domain::Unary, XLAC_UNARY(std::exp), 0.51, 1, 1},
    {"stablehlo.exponential_minus_one", Domain::Unary, XLAC_UNARY(std::expm1),
     0.51, 2, 1},
    {"stablehlo.log", Domain::Unary, XLAC_UNARY(std::log), 0.51, 1, 1},
    {"stablehlo.log_plus_one", Domain::Unary, XLAC_UNARY(std::log1p), 0.51, 2,
     1.5},
    {"stablehlo.logistic", Domain::Unary, XLAC_UNARY(logistic), 0.51, 2, 1.5},
    {"stablehlo.tanh", Domain::Unary, XLAC_UNARY(std::tanh), 0.51, 2, 1.5},
    {"stablehlo.sine", Domain::Unary, XLAC_UNARY(std::sin), 0.51, 1, 0.8},
    {"stablehlo.cosine", Domain::Unary, XLAC_UNARY(std::cos), 0.51, 1, 0.8},
    {"stablehlo.tan", Domain::Unary, XLAC_UNARY(std::tan), 0.51, 1.5, 0.9},
    {"stablehlo.sqrt", Domain::Unary, XLAC_UNARY(std::sqrt), 0.51, 0.5001,
     0.5001},
    {"stablehlo.rsqrt", Domain::Unary, XLAC_UNARY(rsqrt), 0.51, 1, 0.51},
    {"stablehlo.cbrt", Domain::Unary, XLAC_UNARY(std::cbrt), 0.51, 1, 0.51},
    {"stablehlo.power", Domain::Power, XLAC_BINARY(std::pow), 0.51, 1, 0.8},
    {"stablehlo.atan2", Domain::Any, XLAC_BINARY(std::atan2), 0.51, 2, 0.53},
    {"chlo.acos", Domain::Unary, XLAC_UNARY(std::acos), 0.51, 1.5, 0.51},
    {"chlo.acosh", Domain::Unary, XLAC_UNARY(std::acosh), 0.51, 1, 0.51},
    {"chlo.asin", Domain::Unary, XLAC_UNARY(std::asin), 0.51, 1.5, 0.53},
    {"chlo.asinh", Domain::Unary, XLAC_UNARY(std::asinh), 0.51, 1, 0.51},
    {"chlo.atan", Domain::Unary, XLAC_UNARY(std::atan), 0.51, 1.5, 0.51},
    {"chlo.atanh", Domain::Unary, XLAC_UNARY(std::atanh), 0.51, 1, 0.51},
    {"chlo.bessel_i1e", Domain::Unary, XLAC_UNARY(besselI1e), 0.51, 1, 1.5},
    {"chlo.cosh", Domain::Unary, XLAC_UNARY(std::cosh), 0.51, 2, 0.75},
    {"chlo.digamma", Domain::Unary, XLAC_UNARY(digamma), 0.51, 2, 2,
     "f64: results below 1 in ULP of 1", 1},
    {"chlo.erf", Domain::Unary, XLAC_UNARY(std::erf), 0.51, 1.5, 1.25},
    {"chlo.erf_inv", Domain::Unary, XLAC_UNARY(erfInverse), 0.51, 2, 1.25},
    {"chlo.erfc", Domain::Unary, XLAC_UNARY(std::erfc), 0.51, 2, 1.25},
    {"chlo.lgamma", Domain::Unary, XLAC_UNARY(logGamma), 0.51, 1, 1,
     "f64: results below 1 in ULP of 1", 1},
    {"chlo.next_after", Domain::Neighbour, nullptr, nullptr, 0, 0, 0},
    {"chlo.polygamma", Domain::Polygamma, XLAC_BINARY(polygamma), 0.51, 1, 2.5,
     "n from 1 to 12, x > 0"},
    {"chlo.sinh", Domain::Unary, XLAC_UNARY(std::sinh), 0.51, 2, 0.85},
    {"chlo.square", Domain::Unary, XLAC_UNARY(square), 0.51, 0.5001, 0.5001},
    {"chlo.zeta", Domain::Zeta, XLAC_BINARY(zeta), 0.51, 1, 1.5,
     "x > 1, q > 0"},
};

std::span<const Function> functions() { return kFunctions; }

double boundOf(const Function &function, Type type) {
  switch (type) {
  case Type::F16:
  case Type::BF16:
    return function.boundHalf;
  case Type::F32:
    return function.bound32;
  case Type::F64:
    return function.bound64;
  }
  return 0;
}

} // namespace xlac::accuracy
