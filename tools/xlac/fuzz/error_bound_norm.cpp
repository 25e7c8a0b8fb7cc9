// Batch normalization: sums over a feature's elements, a square root and a
// division. The errors are bounded by the largest element of each operand.
#include "fuzz/error_bound_parts.h"
#include "fuzz/inputs.h"

#include <algorithm>
#include <cmath>

namespace xlac::fuzz {

using host::Literal;
using ops::OpKind;

namespace {

/// Returns the largest |x|; infinity if an element is not finite.
double largest(const Literal &literal) {
  double size = 0;
  for (double x : magnitudes(literal))
    size = std::isfinite(x) ? std::max(size, x) : kInfinity;
  return size;
}

double smallest(const Literal &literal) {
  double size = kInfinity;
  for (double x : magnitudes(literal))
    size = std::min(size, x);
  return size;
}

/// Magnitudes of the operands. Errors are relative to `epsilon`, half a ULP of
/// 1.
struct Sizes {
  double epsilon, limit, least;
  double terms;      ///< elements of a feature
  double data, mean; ///< maxima of |x| and |mean|
  double variance;   ///< minimum, including the op's epsilon
  double wobble;     ///< relative error of the standard deviation

  /// Propagates an error of the variance to the standard deviation.
  void set_variance(double low, double high, double added, double error) {
    variance = low + added;
    wobble = (error + 4 * epsilon * (high + added)) / variance + 4 * epsilon;
  }
  double deviation() const { return std::sqrt(variance); }
  double centered() const { return data + mean; }
  bool is_safe() const {
    double square = centered() * centered() + 1;
    return variance > 0 && wobble < 0.25 &&
           terms * square * (1 + 1 / variance) < limit / 64;
  }
};

double normalized_radius(const Sizes &s, double scale, double offset,
                         double mean_error) {
  double unit = s.centered() / s.deviation();
  return scale *
             (unit * (s.wobble + 8 * s.epsilon) + mean_error / s.deviation()) +
         4 * s.epsilon * (scale * unit + offset) +
         s.least * (4 + scale * (1 + 1 / s.deviation()));
}

Numbers inference(const OpUse &use, Sizes &s, double added) {
  s.mean = largest(use.operands[3].data);
  const Literal &variance = use.operands[4].data;
  s.set_variance(smallest(variance), largest(variance), added, 0);
  return {normalized_radius(s, largest(use.operands[1].data),
                            largest(use.operands[2].data), 0)};
}

Numbers training(const OpUse &use, Sizes &s, double added,
                 const Literal &variance) {
  double sum_error = (s.terms + 8) * s.epsilon;
  double mean_error = 2 * sum_error * s.data + s.terms * s.least;
  s.mean = s.data;
  double error = 4 * sum_error * s.centered() * s.centered() +
                 mean_error * mean_error + s.terms * s.least;
  s.set_variance(std::max(smallest(variance) - error, 0.0), largest(variance),
                 added, error);
  return {normalized_radius(s, largest(use.operands[1].data),
                            largest(use.operands[2].data), mean_error),
          mean_error, error};
}

Numbers gradient(const OpUse &use, Sizes &s, double added) {
  s.mean = largest(use.operands[2].data);
  const Literal &variance = use.operands[3].data;
  s.set_variance(smallest(variance), largest(variance), added, 0);
  double scale = largest(use.operands[1].data);
  double slope = largest(use.operands[4].data);
  double unit = s.centered() / s.deviation();
  double relative = 4 * (s.terms + 16) * s.epsilon + 2 * s.wobble;
  double sum = s.terms * slope;
  double data = scale / s.deviation() / s.terms * sum * (2 + unit * unit);
  double tiny = s.least * s.terms * (4 + scale) * (4 + slope) *
                (1 + 1 / s.variance) * (1 + s.centered());
  return {relative * data + tiny, relative * sum * unit + tiny,
          relative * sum + tiny};
}

} // namespace

std::vector<Literal> batch_norm_radii(const OpUse &use,
                                      std::span<const Literal> results) {
  const Literal &data = use.operands[0].data;
  ElementType element = data.type().element;
  Sizes s{};
  s.epsilon = std::ldexp(0.5, -host::float_shape(element).mantissa_bits);
  s.limit = largest_finite(element);
  s.least = ulp_at(element, 0);
  // The other operands have one element per feature.
  s.terms = static_cast<double>(data.count()) /
            std::max(1.0, static_cast<double>(use.operands[1].data.count()));
  s.data = largest(data);
  Numbers radii;
  switch (use.kind) {
  case OpKind::BatchNormInference:
    radii = inference(
        use, s,
        use.attributes.get<ops::BatchNormInferenceAttributes>().epsilon);
    break;
  case OpKind::BatchNormTraining:
    radii = training(
        use, s, use.attributes.get<ops::BatchNormTrainingAttributes>().epsilon,
        results[2]);
    break;
  default:
    radii = gradient(
        use, s, use.attributes.get<ops::BatchNormGradAttributes>().epsilon);
    break;
  }
  bool safe = s.is_safe();
  std::vector<Literal> made;
  for (size_t i = 0; i < results.size(); ++i) {
    double radius = safe && std::isfinite(radii[i]) ? radii[i] : kInfinity;
    made.push_back(
        literal_of(results[i].type(), Numbers(results[i].count(), radius)));
  }
  return made;
}

} // namespace xlac::fuzz
