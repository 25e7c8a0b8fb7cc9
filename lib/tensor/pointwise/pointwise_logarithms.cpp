// Two-operand functions: logarithms, step functions and common divisors.
#include "xlac/tensor/operand_values.h"
#include "xlac/tensor/terms.h"

#include <limits>
#include <numbers>

namespace xlac {

using namespace frontend;

namespace {

/// f of weighted_log(): it is infinite at `singular`, and NaN below.
struct Logarithm {
  Term (*f)(const Term &);
  double singular;

  /// x * f(y), which is 0 where x is 0 unless y is NaN.
  Term times(const Term &x, const Term &y) const {
    Term infinite =
        (y <= singular) | (y == std::numeric_limits<double>::infinity());
    return x * select((x == 0) & infinite, y.like(0), f(y));
  }
};

/// The gradient of weighted_log() at singular points is a convention. This is
/// PyTorch's: the gradient of x is 0 where x is 0 and y is at most `singular`,
/// and the gradient of y is x / (y - singular) everywhere.
std::shared_ptr<OwnGradient> weighted_log_gradient(const Logarithm &logarithm,
                                                   const Value &like) {
  auto parameter = [&](std::vector<Value> &list) {
    list.push_back({graph::Node::make_parameter(like.type()), 0});
    return Term{list.back()};
  };
  auto gradient = std::make_shared<OwnGradient>();
  parameter(gradient->operands); // the result of the operations
  Term x = parameter(gradient->operands), y = parameter(gradient->operands);
  parameter(gradient->results);
  Term grad = parameter(gradient->cotangents);
  Term hidden = (x == 0) & (y <= logarithm.singular);
  Term shifted = logarithm.singular == 0 ? y : y - logarithm.singular;
  gradient->gradients = {
      Value(), select(hidden, y.like(0), logarithm.times(grad, y)).value,
      (grad * x / shifted).value};
  return gradient;
}

Tensor weighted_log(Argument self, Argument other, Term (*f)(const Term &),
                    double singular) {
  Joined joined = join_wide({self, other});
  if (is_complex(joined.dtype))
    raise<DtypeError>("not implemented for '" +
                      lazy::legacy_name(joined.dtype) + "'");
  const Term &x = joined[0], &y = joined[1];
  Logarithm logarithm{f, singular};
  Value result = logarithm.times(x, y).value;
  if (is_recording())
    result = with_own_gradient({result, x.value, y.value},
                               weighted_log_gradient(logarithm, result))[0];
  return finish(joined, Term{result});
}

/// log(exp(x) + exp(y)); the function computes log(1 + exp(d)).
Tensor log_of_sum(const Tensor &self, const Tensor &other,
                  Term (*log_one_plus_exp)(const Term &)) {
  reject_complex(self);
  reject_complex(other);
  Joined joined = join_wide({self, other});
  const Term &x = joined[0], &y = joined[1];
  // The formula holds for either operand factored out, and does not overflow
  // for the greater one. NaN is factored out too. The difference of infinities
  // is not used, since it is NaN.
  Term first = (x >= y) | is_nan(x);
  Term high = select(first, x, y), low = select(first, y, x);
  Term infinite = apply(OpKind::ChloIsInf, high) & !is_nan(low);
  Term distance = select(infinite, x.like(0), low - high);
  Term sum = high + log_one_plus_exp(distance);
  return finish(joined, select(infinite, high, sum));
}

/// Applies Euclid's algorithm to all elements until every remainder is 0.
Term common_divisor(const Term &x, const Term &y) {
  auto results = build::while_loop(
      {x.value, y.value},
      [](const std::vector<Value> &state) {
        Term left = Term{state[1]} != 0;
        Shape dims(left.dims().size());
        for (size_t i = 0; i < dims.size(); ++i)
          dims[i] = static_cast<int64_t>(i);
        return build::reduce(OpKind::Or, left.value,
                             build::constant(ElementType::I1, {}, false), dims);
      },
      [](const std::vector<Value> &state) {
        Term a{state[0]}, b{state[1]};
        Term done = b == 0;
        Term next = select(done, a, b);
        return std::vector<Value>{
            next.value, select(done, b, a % select(done, b.like(1), b)).value};
      });
  return {results[0]};
}

Joined join_integers(const Tensor &self, const Tensor &other) {
  Joined joined = join({self, other});
  if (lazy::category(joined.dtype) != 1)
    raise<DtypeError>("not implemented for '" +
                      lazy::legacy_name(joined.dtype) + "'");
  return joined;
}

Term magnitude(const Term &x) {
  return is_unsigned_integer(x.type()) ? x : abs(x);
}

} // namespace

#define XLAC_WEIGHTED_LOG(name, f, singular)                                   \
  Tensor name(const Tensor &self, const Tensor &other) {                       \
    XLAC_CALL(#name);                                                          \
    return weighted_log(self, other, f, singular);                             \
  }                                                                            \
  Tensor name(const Tensor &self, Scalar other) {                              \
    XLAC_CALL(#name);                                                          \
    return weighted_log(self, other, f, singular);                             \
  }                                                                            \
  Tensor name(Scalar self, const Tensor &other) {                              \
    XLAC_CALL(#name);                                                          \
    return weighted_log(self, other, f, singular);                             \
  }
XLAC_WEIGHTED_LOG(xlogy, frontend::log, 0)
XLAC_WEIGHTED_LOG(xlog1py, frontend::log1p, -1)
#undef XLAC_WEIGHTED_LOG

Tensor logaddexp(const Tensor &self, const Tensor &other) {
  XLAC_CALL("logaddexp");
  return log_of_sum(self, other, [](const Term &d) { return log1p(exp(d)); });
}

Tensor logaddexp2(const Tensor &self, const Tensor &other) {
  XLAC_CALL("logaddexp2");
  return log_of_sum(self, other, [](const Term &d) {
    return log1p(apply(OpKind::Power, d.like(2), d)) * std::numbers::log2e;
  });
}

Tensor heaviside(const Tensor &self, const Tensor &values) {
  XLAC_CALL("heaviside");
  if (impl_of(self).dtype != impl_of(values).dtype)
    raise<DtypeError>("heaviside is not yet implemented for tensors with "
                      "different dtypes.");
  reject_complex(self);
  Joined joined = join({self, values});
  const Term &x = joined[0];
  return finish(joined, select(x == 0, joined[1], (x > 0).to(x.type())));
}

Tensor gcd(const Tensor &self, const Tensor &other) {
  XLAC_CALL("gcd");
  Joined joined = join_integers(self, other);
  return finish(joined,
                common_divisor(magnitude(joined[0]), magnitude(joined[1])));
}

Tensor lcm(const Tensor &self, const Tensor &other) {
  XLAC_CALL("lcm");
  Joined joined = join_integers(self, other);
  Term x = magnitude(joined[0]), y = magnitude(joined[1]);
  Term divisor = common_divisor(x, y);
  Term none = divisor == 0;
  return finish(joined, magnitude(x / select(none, x.like(1), divisor) * y));
}

} // namespace xlac
