#include "functions.h"

#include "xlac/ops/elementwise.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::accuracy {
namespace {

using ops::OpKind;

/// The reference of a function and its domain.
struct Reference {
  OpKind kind;
  Domain domain;
  Narrow narrow;
  WideFunction wide;
  const char *note = "";
};

// The double and the long double version of a function.
#define XLAC_UNARY(function)                                                   \
  [](double x, double) { return double(function(x)); },                        \
      [](Wide x, Wide) { return Wide(function(x)); }
#define XLAC_BINARY(function)                                                  \
  [](double x, double y) { return double(function(x, y)); },                   \
      [](Wide x, Wide y) { return Wide(function(x, y)); }

/// The domain of the operand pairs of a C library function.
constexpr Domain domain_of(OpKind kind) {
  return kind == OpKind::Power ? Domain::Power : Domain::Any;
}

// The functions of the C library by the op table, and the other functions.
constexpr Reference kReferences[] = {
#define XLAC_LIBM_1(kind, function)                                            \
  {OpKind::kind, Domain::Unary, XLAC_UNARY(std::function)},
#define XLAC_LIBM_2(kind, function)                                            \
  {OpKind::kind, domain_of(OpKind::kind), XLAC_BINARY(std::function)},
#include "xlac/ops/elementwise_functions.inc"
    {OpKind::Logistic, Domain::Unary, XLAC_UNARY(logistic)},
    {OpKind::Rsqrt, Domain::Unary, XLAC_UNARY(rsqrt)},
    {OpKind::ChloBesselI1e, Domain::Unary, XLAC_UNARY(besselI1e)},
    {OpKind::ChloDigamma, Domain::Unary, XLAC_UNARY(digamma),
     "f64: results below 1 in ULP of 1"},
    {OpKind::ChloErfInv, Domain::Unary, XLAC_UNARY(erfInverse)},
    {OpKind::ChloLgamma, Domain::Unary, XLAC_UNARY(logGamma),
     "f64: results below 1 in ULP of 1"},
    {OpKind::ChloNextAfter, Domain::Neighbour, nullptr, nullptr},
    {OpKind::ChloPolygamma, Domain::Polygamma, XLAC_BINARY(polygamma),
     "n from 1 to 12, x > 0"},
    {OpKind::ChloSquare, Domain::Unary, XLAC_UNARY(square)},
    {OpKind::ChloZeta, Domain::Zeta, XLAC_BINARY(zeta), "x > 1, q > 0"},
};

Function with_bounds(const Reference &reference) {
  const ops::Accuracy *accuracy = ops::accuracy_of(reference.kind);
  Function function{ops::op_name(reference.kind).data(),
                    reference.domain,
                    reference.narrow,
                    reference.wide,
                    0.51,
                    0.5001,
                    0.5001,
                    0,
                    1,
                    reference.note};
  if (reference.domain == Domain::Neighbour)
    function.boundHalf = function.bound32 = function.bound64 = 0;
  if (accuracy) {
    function.bound32 = accuracy->ulps32;
    function.bound64 = accuracy->ulps64;
    function.floor64 = accuracy->floor64;
    function.aim32 = accuracy->aim32;
  }
  return function;
}

/// Terminates the program if an op that rounds has no reference. Ops of the
/// same name are the same function.
void check_complete(const std::vector<Function> &list) {
  for (int i = 0; i < ops::kOpKindCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    auto has_name = [&](const Function &function) {
      return std::string_view(function.op)
          .ends_with("." + std::string(ops::short_name(kind)));
    };
    if (ops::accuracy_of(kind) && std::ranges::none_of(list, has_name)) {
      std::fprintf(stderr, "%s has no reference in functions.cpp\n",
                   ops::op_name(kind).data());
      std::exit(1);
    }
  }
}

} // namespace

std::span<const Function> functions() {
  static const std::vector<Function> list = [] {
    std::vector<Function> made;
    for (const Reference &reference : kReferences)
      made.push_back(with_bounds(reference));
    std::ranges::sort(made, {}, [](const Function &function) {
      return std::string_view(function.op);
    });
    check_complete(made);
    return made;
  }();
  return list;
}

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
