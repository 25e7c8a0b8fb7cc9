// Elementwise losses. Losses of classes and margins are in separate files.
#include "losses.h"

#include <cmath>
#include <numbers>
#include <numeric>

namespace xlac::frontend {

using ops::ComparisonDirection;

Reduction parse_reduction(std::string_view text) {
  if (text == "none")
    return Reduction::None;
  if (text == "mean")
    return Reduction::Mean;
  if (text == "sum")
    return Reduction::Sum;
  raise<ValueError>(std::string(text) + " is not a valid value for reduction");
}

Value reduced(const Value &loss, Reduction reduction) {
  if (reduction == Reduction::None)
    return loss;
  Value total = sum_of(loss);
  if (reduction == Reduction::Sum)
    return total;
  return total / static_cast<double>(count_of(sizes_of(loss)));
}

LossOperands loss_operands(const Tensor &input, const Tensor &target) {
  Setting setting = setting_of({&input, &target});
  Shape sizes = broadcast_shapes(input, target);
  return {setting, build::broadcast_to(setting.of(input), sizes),
          build::broadcast_to(setting.of(target), sizes)};
}

} // namespace xlac::frontend

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

Tensor mse_loss(const Tensor &input, const Tensor &target,
                std::string_view reduction) {
  XLAC_CALL("mse_loss");
  LossOperands x = loss_operands(input, target);
  Value difference = x.input - x.target;
  return x.setting.finish(
      reduced(difference * difference, parse_reduction(reduction)));
}

Tensor l1_loss(const Tensor &input, const Tensor &target,
               std::string_view reduction) {
  XLAC_CALL("l1_loss");
  LossOperands x = loss_operands(input, target);
  return x.setting.finish(
      reduced(abs_of(x.input - x.target), parse_reduction(reduction)));
}

Tensor smooth_l1_loss(const Tensor &input, const Tensor &target,
                      std::string_view reduction, double beta) {
  XLAC_CALL("smooth_l1_loss");
  if (beta < 0)
    raise<ValueError>("smooth_l1_loss does not support negative values for "
                      "beta.");
  LossOperands x = loss_operands(input, target);
  Value difference = x.input - x.target, size = abs_of(difference);
  Value loss = size;
  if (beta > 0) {
    Value bend = x.setting.number(beta);
    loss = chosen(compared(ComparisonDirection::LT, size, bend),
                  difference * difference * 0.5 / bend, size - bend * 0.5);
  }
  return x.setting.finish(reduced(loss, parse_reduction(reduction)));
}

Tensor huber_loss(const Tensor &input, const Tensor &target,
                  std::string_view reduction, double delta) {
  XLAC_CALL("huber_loss");
  if (delta <= 0)
    raise<ValueError>("huber_loss does not support non-positive values for "
                      "delta.");
  LossOperands x = loss_operands(input, target);
  Value bend = x.setting.number(delta);
  Value difference = x.input - x.target, size = abs_of(difference);
  Value loss =
      chosen(compared(ComparisonDirection::LE, size, bend),
             difference * difference * 0.5, bend * (size - bend * 0.5));
  return x.setting.finish(reduced(loss, parse_reduction(reduction)));
}

//===- Probabilities ------------------------------------------------------===//

/// The logarithm, bounded below by -100.
static Value bounded_log(const Value &value) {
  Value log = log_of(value);
  return build::binary(OpKind::Maximum, log, fill_like(log, -100.0));
}

Tensor binary_cross_entropy(const Tensor &input, const Tensor &target,
                            const Tensor &weight, std::string_view reduction) {
  XLAC_CALL("binary_cross_entropy");
  if (impl_of(input).sizes != impl_of(target).sizes)
    raise<ValueError>("Using a target size (" + to_text(impl_of(target).sizes) +
                      ") that is different to the input size (" +
                      to_text(impl_of(input).sizes) + ")");
  Setting setting = setting_of({&input, &target, &weight});
  Value x = setting.of(input), t = setting.of(target);
  Value loss = held(-(t * bounded_log(x) + (1 - t) * bounded_log(1 - x)));
  // The derivatives are those of PyTorch, with a lower bound of the denominator
  // near 0 and 1.
  Value width =
      build::binary(OpKind::Maximum, x * (1 - x), fill_like(x, 1e-12));
  loss = loss + (with_slope(x, (x - t) / width) - held(x)) +
         (with_slope(t, log_of(1 - x) - log_of(x)) - held(t));
  if (weight.defined())
    loss = loss * setting.of(weight);
  return setting.finish(reduced(loss, parse_reduction(reduction)));
}

Tensor binary_cross_entropy_with_logits(const Tensor &input,
                                        const Tensor &target,
                                        const Tensor &weight,
                                        std::string_view reduction,
                                        const Tensor &pos_weight) {
  XLAC_CALL("binary_cross_entropy_with_logits");
  if (impl_of(input).sizes != impl_of(target).sizes)
    raise<ValueError>("Target size (" + to_text(impl_of(target).sizes) +
                      ") must be the same as input size (" +
                      to_text(impl_of(input).sizes) + ")");
  Setting setting = setting_of({&input, &target, &weight, &pos_weight});
  Value x = setting.of(input), t = setting.of(target);
  // log(1 + exp(-x)) = softplus(-x).
  Value negative = softplus_of(-x), loss;
  if (pos_weight.defined()) {
    Value scale = (setting.of(pos_weight) - 1.0) * t + 1.0;
    loss = (1 - t) * x + scale * negative;
  } else {
    loss = (1 - t) * x + negative;
  }
  if (weight.defined())
    loss = loss * setting.of(weight);
  return setting.finish(reduced(loss, parse_reduction(reduction)));
}

/// t log(t), which is 0 at 0. Its derivative there is NaN, as in PyTorch.
static Value entropy(const Value &t) {
  Value zero = compared(ComparisonDirection::EQ, t, 0.0);
  return t * chosen(zero, fill_like(t, 0.0), log_of(t));
}

Tensor kl_div(const Tensor &input, const Tensor &target,
              std::string_view reduction, bool log_target) {
  XLAC_CALL("kl_div");
  LossOperands x = loss_operands(input, target);
  Value loss = log_target ? exp_of(x.target) * (x.target - x.input)
                          : entropy(x.target) - x.target * x.input;
  if (reduction == "batchmean") {
    const Shape &sizes = impl_of(input).sizes;
    double batch = sizes.empty() ? 1 : static_cast<double>(sizes[0]);
    return x.setting.finish(sum_of(loss) / batch);
  }
  return x.setting.finish(reduced(loss, parse_reduction(reduction)));
}

Tensor poisson_nll_loss(const Tensor &input, const Tensor &target,
                        bool log_input, bool full, double eps,
                        std::string_view reduction) {
  XLAC_CALL("poisson_nll_loss");
  LossOperands x = loss_operands(input, target);
  Value t = x.target;
  Value loss = log_input
                   ? exp_of(x.input) - t * x.input
                   : x.input - t * log_of(x.input + x.setting.number(eps));
  if (full) {
    Value large = compared(ComparisonDirection::GT, t, 1.0);
    Value inside = chosen(large, t, fill_like(t, 1.0));
    Value stirling =
        t * log_of(inside) - t + log_of(inside * (2 * std::numbers::pi)) * 0.5;
    loss = loss + chosen(large, stirling, fill_like(t, 0.0));
  }
  return x.setting.finish(reduced(loss, parse_reduction(reduction)));
}

Tensor gaussian_nll_loss(const Tensor &input, const Tensor &target,
                         const Tensor &var, bool full, double eps,
                         std::string_view reduction) {
  XLAC_CALL("gaussian_nll_loss");
  const Shape &sizes = impl_of(input).sizes;
  Shape var_sizes = impl_of(var).sizes;
  Shape without(sizes.begin(), sizes.end() - (sizes.empty() ? 0 : 1));
  if (var_sizes == without && var_sizes != sizes)
    var_sizes.push_back(1);
  if (joint_shape(var_sizes, sizes) != sizes ||
      var_sizes.size() != sizes.size())
    raise<ValueError>("var is of incorrect size");
  Setting setting = setting_of({&input, &target, &var});
  broadcast_shapes(input, target);
  Value variance = build::reshape(setting.of(var), var_sizes);
  Value least = setting.number(eps);
  // The lower bound does not change the derivative, as in PyTorch.
  Value raised =
      build::broadcast_to(least, var_sizes) + (variance - held(variance));
  Value bounded = chosen(compared(ComparisonDirection::LT, variance, least),
                         raised, variance);
  Value difference = setting.of(input) - setting.of(target);
  Value loss = (log_of(bounded) + difference * difference / bounded) * 0.5;
  if (full)
    loss = loss + 0.5 * std::log(2 * std::numbers::pi);
  return setting.finish(reduced(loss, parse_reduction(reduction)));
}

} // namespace xlac
