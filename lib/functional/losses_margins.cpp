// Losses that require a margin between scores or distances.
#include "losses.h"

#include <cmath>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

/// max(value, 0) with derivative 1 at 0, as that of clamp_min.
Value above_zero(const Value &value) {
  Value zero = fill_like(value, 0.0);
  return build::select(build::compare(ComparisonDirection::LT, value, zero),
                       zero, value);
}

/// (Σ |x|^p)^(1/p) over the last dimension.
Value length(const Value &x, double p, bool keepdim = false) {
  Shape last{static_cast<int64_t>(sizes_of(x).size()) - 1};
  Value size = abs_of(x);
  if (p == 1)
    return sum_of(size, last, keepdim);
  if (std::isinf(p))
    return max_of(size, last, keepdim);
  if (p == 2) {
    Value square = sum_of(x * x, last, keepdim);
    Value zero = compared(ComparisonDirection::EQ, square, 0.0);
    Value inside = chosen(zero, fill_like(square, 1.0), square);
    return chosen(zero, fill_like(square, 0.0), sqrt_of(inside));
  }
  Value powers = build::binary(OpKind::Power, size, fill_like(size, p));
  Value total = sum_of(powers, last, keepdim);
  return build::binary(OpKind::Power, total, fill_like(total, 1 / p));
}

} // namespace

Tensor hinge_embedding_loss(const Tensor &input, const Tensor &target,
                            double margin, std::string_view reduction) {
  XLAC_CALL("hinge_embedding_loss");
  LossOperands x = loss_operands(input, target);
  Value zero = fill_like(x.input, 0.0);
  Value near = above_zero(x.setting.number(margin) - x.input);
  Value is_pair = compared(ComparisonDirection::EQ, x.target, 1.0);
  Value is_other = compared(ComparisonDirection::EQ, x.target, -1.0);
  Value loss = chosen(is_pair, zero, near) + chosen(is_other, zero, x.input);
  return x.setting.finish(reduced(loss, parse_reduction(reduction)));
}

Tensor margin_ranking_loss(const Tensor &input1, const Tensor &input2,
                           const Tensor &target, double margin,
                           std::string_view reduction) {
  XLAC_CALL("margin_ranking_loss");
  Setting setting = setting_of({&input1, &input2, &target});
  broadcast_shapes(input1, input2);
  broadcast_shapes(input1, target);
  broadcast_shapes(input2, target);
  Value difference = setting.of(input1) - setting.of(input2);
  Value loss =
      above_zero(-(setting.of(target) * difference) + setting.number(margin));
  return setting.finish(reduced(loss, parse_reduction(reduction)));
}

Tensor soft_margin_loss(const Tensor &input, const Tensor &target,
                        std::string_view reduction) {
  XLAC_CALL("soft_margin_loss");
  LossOperands x = loss_operands(input, target);
  return x.setting.finish(
      reduced(softplus_of(-(x.target * x.input)), parse_reduction(reduction)));
}

Tensor cosine_embedding_loss(const Tensor &input1, const Tensor &input2,
                             const Tensor &target, double margin,
                             std::string_view reduction) {
  XLAC_CALL("cosine_embedding_loss");
  const Shape &a = impl_of(input1).sizes, &b = impl_of(input2).sizes;
  const Shape &t = impl_of(target).sizes;
  if (a.size() != b.size() || a.size() != t.size() + 1 || t.size() > 1)
    raise<ShapeError>("inputs of sizes " + to_text(a) + " and " + to_text(b) +
                      " do not fit a target of size " + to_text(t));
  broadcast_shapes(input1, input2);
  Setting setting = setting_of({&input1, &input2});
  setting.device = common_device({&input1, &input2, &target});
  Value x = setting.of(input1), y = setting.of(input2);
  Value sign = setting.of(target);
  auto last = static_cast<int64_t>(a.size()) - 1;
  const double tiny = 1e-12;
  Value scale = (sum_of(x * x, {last}) + tiny) * (sum_of(y * y, {last}) + tiny);
  Value cosine = sum_of(x * y, {last}) / sqrt_of(scale);
  Value zero = fill_like(cosine, 0.0);
  Value apart = above_zero(cosine - setting.number(margin));
  Value loss =
      chosen(compared(ComparisonDirection::EQ, sign, 1.0), 1 - cosine, zero) +
      chosen(compared(ComparisonDirection::EQ, sign, -1.0), apart, zero);
  return setting.finish(reduced(loss, parse_reduction(reduction)));
}

Tensor triplet_margin_loss(const Tensor &anchor, const Tensor &positive,
                           const Tensor &negative, double margin, double p,
                           double eps, bool swap, std::string_view reduction) {
  XLAC_CALL("triplet_margin_loss");
  if (margin <= 0)
    raise<ValueError>("expected margin to be greater than 0, got " +
                      std::to_string(margin));
  Setting setting = setting_of({&anchor, &positive, &negative});
  broadcast_shapes(anchor, positive);
  broadcast_shapes(anchor, negative);
  broadcast_shapes(positive, negative);
  Value a = setting.of(anchor), b = setting.of(positive);
  Value c = setting.of(negative), shift = setting.number(eps);
  Value near = length(a - b + shift, p), far = length(a - c + shift, p);
  if (swap)
    far = build::binary(OpKind::Minimum, far, length(b - c + shift, p));
  Value loss = above_zero(near - far + setting.number(margin));
  return setting.finish(reduced(loss, parse_reduction(reduction)));
}

//===- Margins between classes --------------------------------------------===//

/// Returns [C] or [N, C] as a matrix [N, C].
static Value as_rows(const Value &value) {
  if (sizes_of(value).size() == 2)
    return value;
  return build::reshape(value, {1, count_of(sizes_of(value))});
}

/// Returns a loss per row in the shape of PyTorch's result.
static Value per_row(const Value &loss, size_t input_rank) {
  return input_rank == 2 ? loss : build::reshape(loss, {});
}

Tensor multi_margin_loss(const Tensor &input, const Tensor &target, double p,
                         double margin, const Tensor &weight,
                         std::string_view reduction) {
  XLAC_CALL("multi_margin_loss");
  if (p != 1 && p != 2)
    raise<ValueError>("only p == 1 and p == 2 supported");
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.empty() || sizes.size() > 2)
    raise<ShapeError>("expected an input of 1 or 2 dimensions, got " +
                      to_text(sizes));
  int64_t rows = sizes.size() == 2 ? sizes[0] : 1, classes = sizes.back();
  if (count_of(impl_of(target).sizes) != rows)
    raise<ShapeError>("inconsistent target size, expected " + to_text({rows}) +
                      " but got " + to_text(impl_of(target).sizes));
  check_classes(target, classes, 0);
  Setting setting = setting_of({&input});
  setting.device = common_device({&input, &target, &weight});
  Value x = as_rows(setting.of(input));
  Value wanted =
      build::reshape(value_on(target, setting.device, kInt64), {rows});
  Value is_target = is_target_class(wanted, sizes_of(x), 1);
  Value zero = fill_like(x, 0.0);
  Value own = sum_of(build::select(is_target, x, zero), {1}, true);
  Value loss = relu_of(setting.number(margin) - own + x);
  if (p == 2)
    loss = loss * loss;
  if (weight.defined()) {
    Value factor = build::broadcast_to(setting.of(weight), sizes_of(x));
    loss = loss * sum_of(build::select(is_target, factor, zero), {1}, true);
  }
  loss = sum_of(build::select(is_target, zero, loss), {1}) /
         static_cast<double>(classes);
  return setting.finish(
      reduced(per_row(loss, sizes.size()), parse_reduction(reduction)));
}

Tensor multilabel_margin_loss(const Tensor &input, const Tensor &target,
                              std::string_view reduction) {
  XLAC_CALL("multilabel_margin_loss");
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.empty() || sizes.size() > 2 || impl_of(target).sizes != sizes)
    raise<ShapeError>("inconsistent target size " +
                      to_text(impl_of(target).sizes) + " for input of size " +
                      to_text(sizes));
  Setting setting = setting_of({&input});
  setting.device = common_device({&input, &target});
  Value x = as_rows(setting.of(input));
  Value wanted = as_rows(value_on(target, setting.device, kInt64));
  int64_t rows = sizes_of(x)[0], classes = sizes_of(x)[1];
  // Targets end at the first negative one: [N, k], then per class [N, k, C].
  Value is_label = compared(ComparisonDirection::GE, wanted, Scalar(0));
  Value ended =
      build::convert(build::unary(OpKind::Not, is_label), ElementType::I64);
  Value upto =
      build::compare(ComparisonDirection::GE,
                     build::iota(ElementType::I64, {classes, classes}, 0),
                     build::iota(ElementType::I64, {classes, classes}, 1));
  Value ends_before = build::dot_general(
      ended, build::convert(upto, ElementType::I64), {}, {}, {1}, {1});
  Value counts = compared(ComparisonDirection::EQ, ends_before, Scalar(0));
  Shape cube{rows, classes, classes};
  Value names_class = build::compare(
      ComparisonDirection::EQ, build::iota(ElementType::I64, cube, 2),
      build::broadcast_in_dim(wanted, cube, {0, 1}));
  names_class = build::binary(OpKind::And, names_class,
                              build::broadcast_in_dim(counts, cube, {0, 1}));
  Value one = build::constant(x.tensor().element, cube, 1);
  Value zero = build::constant(x.tensor().element, cube, 0);
  Value picks = build::select(names_class, one, zero);
  Value own =
      sum_of(build::select(names_class,
                           build::broadcast_in_dim(x, cube, {0, 2}), zero),
             {2});
  Value is_target = compared(ComparisonDirection::GT, sum_of(picks, {1}), 0.0);
  Value gap = relu_of(1 - (build::broadcast_in_dim(own, cube, {0, 1}) -
                           build::broadcast_in_dim(x, cube, {0, 2})));
  Value others = build::unary(OpKind::Not, is_target);
  Value matters =
      build::binary(OpKind::And, build::broadcast_in_dim(counts, cube, {0, 1}),
                    build::broadcast_in_dim(others, cube, {0, 2}));
  Value loss = sum_of(build::select(matters, gap, zero), {1, 2}) /
               static_cast<double>(classes);
  return setting.finish(
      reduced(per_row(loss, sizes.size()), parse_reduction(reduction)));
}

Tensor multilabel_soft_margin_loss(const Tensor &input, const Tensor &target,
                                   const Tensor &weight,
                                   std::string_view reduction) {
  XLAC_CALL("multilabel_soft_margin_loss");
  broadcast_shapes(input, target);
  Setting setting = setting_of({&input, &target, &weight});
  Value x = setting.of(input), t = setting.of(target);
  Value loss = t * softplus_of(-x) + (1 - t) * softplus_of(x);
  if (weight.defined())
    loss = loss * setting.of(weight);
  auto last = static_cast<int64_t>(sizes_of(loss).size()) - 1;
  return setting.finish(
      reduced(mean_of(loss, {last}), parse_reduction(reduction)));
}

} // namespace xlac
