// Random choices by weight, and Poisson counts.
#include "xlac/lazy/random.h"
#include "xlac/lazy/storage_modes.h"
#include "xlac/tensor/draws.h"
#include "xlac/tensor/reduce_values.h"
#include "xlac/tensor/terms.h"

#include <algorithm>
#include <cmath>

namespace xlac {

using namespace frontend;

namespace {

//===- Weighted choice ----------------------------------------------------===//

/// On the cpu the weights are known; throws if they are not a distribution.
void check_weights(const Tensor &weights) {
  auto categories = static_cast<size_t>(weights.sizes().back());
  std::vector<double> values = weights.to_vector<double>();
  for (size_t row = 0; row < values.size(); row += categories) {
    double sum = 0;
    for (size_t i = 0; i < categories; ++i) {
      double weight = values[row + i];
      if (!(weight >= 0) || std::isinf(weight))
        raise<ValueError>("probability tensor contains either `inf`, `nan` or "
                          "element < 0");
      sum += weight;
    }
    if (!(sum > 0))
      raise<ValueError>("invalid multinomial distribution (sum of "
                        "probabilities <= 0)");
  }
}

/// Picks for each sample the category whose interval of the cumulative sums
/// contains it. The sums are f64, so that rounding gives a category of weight 0
/// no interval.
Tensor with_replacement(const Tensor &weights, int64_t samples) {
  lazy::FullPrecisionScope exact;
  Tensor sums = cumsum(weights.to(kFloat64), -1);
  Tensor total = sums.narrow(-1, sums.sizes().back() - 1, 1);
  Shape sizes = weights.sizes();
  sizes.back() = samples;
  Device device = weights.device();
  Tensor place =
      finish_drawn(draw_fine_uniform(device, ElementType::F64, sizes), device,
                   kFloat64) *
      total;
  // A sample that was rounded up to the total belongs to the last interval with
  // a weight above 0. Categories of weight 0 may follow that one.
  return minimum(searchsorted(sums, place, false, /*right=*/true),
                 searchsorted(sums, total));
}

/// Picks the categories with the shortest waiting times; the rate of each is
/// its weight.
Tensor without_replacement(const Tensor &weights, int64_t samples) {
  lazy::FullPrecisionScope exact;
  Tensor rates = weights.to(weights.dtype() == kFloat64 ? kFloat64 : kFloat32);
  return std::get<1>(topk(rates / empty_like(rates).exponential_(), samples));
}

//===- Events -------------------------------------------------------------===//

/// Uniform in (0, 1), in a loop that carries the generator's state.
Term draw_in_loop(Value &state, const Term &like) {
  auto [next, bits] =
      build::rng_bit_generator(state, ElementType::UI64, like.dims());
  state = next;
  return {open_uniform_of(bits, like.type())};
}

Value any_of(const Term &flags) {
  return any_value(flags.value, resolve_dims(flags.dims(), Shape()));
}

/// Poisson counts for rates below 10: multiplies uniform numbers until the
/// product falls below exp(-rate) (Knuth).
Term few_events(Device device, const Term &rate) {
  std::vector<Value> results = build::while_loop(
      {lazy::take_rng_state(device), exp(-rate).value, rate.like(0).value,
       rate.like(1).value},
      [](const std::vector<Value> &carried) {
        return any_of(Term{carried[1]} < Term{carried[3]});
      },
      [](const std::vector<Value> &carried) {
        Value state = carried[0];
        Term bound{carried[1]}, count{carried[2]}, product{carried[3]};
        product = product * draw_in_loop(state, product);
        Term continues = bound < product;
        // A finished product is set to 0, so that it stays below the bound.
        return std::vector<Value>{
            state, bound.value, select(continues, count + 1, count).value,
            select(continues, product, product.like(0)).value};
      });
  return {results[2]};
}

/// Poisson counts for rates from 10 on: Hörmann's transformed rejection with
/// squeeze, "The transformed rejection method for generating Poisson random
/// variables" (1993), algorithm PTRS.
Term many_events(Device device, const Term &rate) {
  Term b = 0.931 + 2.53 * sqrt(rate);
  Term a = -0.059 + 0.02483 * b;
  Term inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  Value none = build::constant(ElementType::I1, rate.dims(), false);
  std::vector<Value> results = build::while_loop(
      {lazy::take_rng_state(device), rate.like(0).value, none, rate.value,
       log(rate).value, a.value, b.value, inverse_alpha.value},
      [](const std::vector<Value> &carried) {
        return any_of(!Term{carried[2]});
      },
      [](const std::vector<Value> &carried) {
        Value state = carried[0];
        Term count{carried[1]}, accepted{carried[2]}, mean{carried[3]},
            log_mean{carried[4]}, slope{carried[5]}, width{carried[6]},
            scale{carried[7]};
        Term u = draw_in_loop(state, mean) - 0.5;
        Term v = draw_in_loop(state, mean);
        Term edge = 0.5 - abs(u);
        Term k = floor((2 * slope / edge + width) * u + mean + 0.43);
        Term height = log(v * scale / (slope / (edge * edge) + width));
        Term density = k * log_mean - mean - apply(OpKind::ChloLgamma, k + 1);
        // A NaN rate accepts the first candidate.
        Term fits = !((k < 0) | (density < height));
        std::vector<Value> next = carried;
        next[0] = state;
        next[1] = select(accepted, count, k).value;
        next[2] = (accepted | fits).value;
        return next;
      });
  return {results[1]};
}

} // namespace

Tensor multinomial(const Tensor &self, int64_t num_samples, bool replacement) {
  XLAC_CALL("multinomial");
  TensorImpl &impl = impl_of(self);
  if (!is_floating_point(impl.dtype))
    raise<DtypeError>("expects floating-point dtypes for its input, got " +
                      lazy::legacy_name(impl.dtype));
  if (impl.sizes.empty() || impl.sizes.size() > 2)
    raise<ShapeError>("prob_dist must be 1 or 2 dim, got sizes " +
                      to_text(impl.sizes));
  int64_t categories = impl.sizes.back();
  if (categories == 0)
    raise<ShapeError>("there is no category to draw in sizes " +
                      to_text(impl.sizes));
  if (num_samples <= 0)
    raise<ValueError>("cannot sample n_sample <= 0 samples, got " +
                      std::to_string(num_samples));
  if (!replacement && num_samples > categories)
    raise<ValueError>("cannot sample n_sample > prob_dist.size(-1) samples "
                      "without replacement: " +
                      std::to_string(num_samples) + " of " +
                      std::to_string(categories));
  Tensor weights = self.detach();
  if (weights.is_cpu())
    check_weights(weights);
  return replacement ? with_replacement(weights, num_samples)
                     : without_replacement(weights, num_samples);
}

Tensor poisson(const Tensor &self) {
  XLAC_CALL("poisson");
  TensorImpl &impl = impl_of(self);
  if (!is_floating_point(impl.dtype))
    raise<UnsupportedError>("not implemented for '" +
                            lazy::legacy_name(impl.dtype) + "'");
  Tensor rates = self.detach();
  if (rates.is_cpu())
    for (double rate : rates.to_vector<double>())
      if (rate < 0)
        raise<ValueError>(
            "invalid Poisson rate, expected rate to be non-negative");
  lazy::FullPrecisionScope exact;
  // Computed in f64, since the logarithms of large counts differ by little.
  Device device = impl.device();
  Term rate{value_on(rates, device, kFloat64)};
  // Each loop gets rates for which it terminates.
  Term is_low = rate < 10;
  Term few = few_events(device, select(is_low, rate, rate.like(0)));
  Term many = many_events(device, select(is_low, rate.like(10), rate));
  return finish_drawn(select(is_low, few, many).value, device, impl.dtype);
}

} // namespace xlac
