// Special functions: error functions, the gamma family, Bessel functions.
#include "bessel.h"
#include "xlac/tensor/terms.h"

#include <cmath>
#include <numbers>

namespace xlac {

using namespace frontend;

namespace {

/// Applies one op that is defined for real floats only.
Tensor real_unary(const Tensor &self, OpKind op) {
  reject_complex(self);
  Joined joined = join_floats({self});
  return finish(joined, apply(op, joined[0]));
}

} // namespace

#define XLAC_REAL_UNARY(name, kind)                                            \
  Tensor name(const Tensor &self) {                                            \
    XLAC_CALL(#name);                                                          \
    return real_unary(self, OpKind::kind);                                     \
  }
XLAC_REAL_UNARY(erf, ChloErf)
XLAC_REAL_UNARY(erfc, ChloErfc)
XLAC_REAL_UNARY(erfinv, ChloErfInv)
XLAC_REAL_UNARY(lgamma, ChloLgamma)
XLAC_REAL_UNARY(digamma, ChloDigamma)
XLAC_REAL_UNARY(i1e, ChloBesselI1e)
#undef XLAC_REAL_UNARY

Tensor polygamma(int64_t n, const Tensor &self) {
  XLAC_CALL("polygamma");
  if (n < 0)
    raise<ValueError>("polygamma(n, x) does not support negative n.");
  reject_complex(self);
  if (n == 0)
    return real_unary(self, OpKind::ChloDigamma);
  Joined joined = join_wide({self});
  const Term &x = joined[0];
  return finish(joined, apply(OpKind::ChloPolygamma, x.like(n), x));
}

Tensor mvlgamma(const Tensor &self, int64_t p) {
  XLAC_CALL("mvlgamma");
  if (p < 1)
    raise<ValueError>("p has to be greater than or equal to 1");
  reject_complex(self);
  reject_bool(self);
  Joined joined = join_wide({self});
  const Term &x = joined[0];
  auto count = static_cast<double>(p);
  Term sum = x.like(count * (count - 1) / 4 * std::log(std::numbers::pi));
  for (int64_t i = 0; i < p; ++i)
    sum = sum + apply(OpKind::ChloLgamma, x - 0.5 * static_cast<double>(i));
  return finish(joined, sum);
}

Tensor i0(const Tensor &self) {
  XLAC_CALL("i0");
  reject_complex(self);
  Joined joined = join_wide({self});
  return finish(joined, bessel_i0(joined[0]));
}

Tensor logit(const Tensor &self, std::optional<double> eps) {
  XLAC_CALL("logit");
  reject_complex(self);
  Joined joined = join_wide({self});
  Term x = joined[0];
  if (eps)
    x = {build::clamp(build::constant(x.type(), {}, *eps), x.value,
                      build::constant(x.type(), {}, 1 - *eps))};
  // The derivative of the logarithm of a quotient would be NaN at 0.
  return finish(joined, log(x) - log1p(-x));
}

Tensor sinc(const Tensor &self) {
  XLAC_CALL("sinc");
  Joined joined = join_wide({self});
  const Term &x = joined[0];
  Term at_zero = x == 0;
  Term angle = select(at_zero, x.like(1), x) * std::numbers::pi;
  return finish(joined,
                select(at_zero, x.like(1), apply(OpKind::Sine, angle) / angle));
}

} // namespace xlac
