// Losses with classes as targets.
#include "losses.h"

#include <algorithm>

namespace xlac::frontend {

using ops::ComparisonDirection;

Value is_target_class(const Value &target, const Shape &input, int64_t dim) {
  Shape mapping;
  for (int64_t i = 0; i < static_cast<int64_t>(input.size()); ++i)
    if (i != dim)
      mapping.push_back(i);
  Value classes = build::iota(ElementType::I64, input, dim);
  return build::compare(ComparisonDirection::EQ, classes,
                        build::broadcast_in_dim(target, input, mapping));
}

void check_classes(const Tensor &target, int64_t classes,
                   int64_t ignore_index) {
  if (impl_of(target).device().type != kCPU)
    return;
  for (int64_t wanted : target.to_vector<int64_t>())
    if (wanted != ignore_index && (wanted < 0 || wanted >= classes))
      raise<IndexError>("Target " + std::to_string(wanted) +
                        " is out of bounds.");
}

} // namespace xlac::frontend

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

/// The target classes along dimension `dim` of the input.
struct ClassTargets {
  Value chosen; ///< i1, in the input's sizes
  Value kept;   ///< i1, in the target's sizes: false for ignored targets
  int64_t dim, classes;
};

/// The dimension of the classes in [C], [N, C], or [N, C, …].
int64_t class_dim(const Shape &sizes) { return sizes.size() == 1 ? 0 : 1; }

/// Returns the input's sizes without the class dimension.
Shape without_classes(const Shape &sizes) {
  Shape rest = sizes;
  rest.erase(rest.begin() + class_dim(sizes));
  return rest;
}

ClassTargets class_targets(const Tensor &input, const Tensor &target,
                           int64_t ignore_index, Device device) {
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.empty())
    raise<ShapeError>("expected 1 or more dimensions");
  if (impl_of(target).sizes != without_classes(sizes))
    raise<ShapeError>("expected target of size " +
                      to_text(without_classes(sizes)) + ", got " +
                      to_text(impl_of(target).sizes));
  Dtype dtype = impl_of(target).dtype;
  if (dtype != kInt64 && dtype != kInt32 && dtype != kUInt8)
    raise<DtypeError>("expected class indices of dtype torch.int64, got "
                      "torch." +
                      std::string(name(dtype)));
  int64_t dim = class_dim(sizes);
  check_classes(target, sizes[dim], ignore_index);
  Value wanted = value_on(target, device, kInt64);
  Value ignored = build::constant(ElementType::I64, sizes_of(wanted),
                                  Scalar(static_cast<long>(ignore_index)));
  return {is_target_class(wanted, sizes, dim),
          build::compare(ComparisonDirection::NE, wanted, ignored), dim,
          sizes[dim]};
}

void check_weight(const Tensor &weight, int64_t classes) {
  if (weight.defined() && impl_of(weight).sizes != Shape{classes})
    raise<ShapeError>("weight tensor should be defined either for all " +
                      std::to_string(classes) +
                      " classes or no classes but got weight tensor of "
                      "shape: " +
                      to_text(impl_of(weight).sizes));
}

/// For each target the negative log probability of its class and its weight,
/// which is 0 for ignored targets.
struct Picked {
  Value loss, weight;
};

Picked pick(const Value &log_probabilities, const ClassTargets &t,
            const Value *weight) {
  Value x = log_probabilities;
  Value zero = fill_like(x, 0);
  Value factor = fill_like(x, 1);
  if (weight)
    factor = build::broadcast_to(along(*weight, t.dim, sizes_of(x).size()),
                                 sizes_of(x));
  Value weights = sum_of(build::select(t.chosen, factor, zero), {t.dim});
  Value picked = sum_of(build::select(t.chosen, x, zero), {t.dim});
  Value nothing = fill_like(picked, 0);
  Value kept_weight = build::select(t.kept, weights, nothing);
  return {build::select(t.kept, -(picked * weights), nothing), kept_weight};
}

/// The mean is weighted.
Value reduced_by_weight(const Value &loss, const Value &weight,
                        Reduction reduction) {
  if (reduction != Reduction::Mean)
    return reduced(loss, reduction);
  return sum_of(loss) / sum_of(weight);
}

/// Cross entropy with classes as targets. Label smoothing distributes part of
/// the target over all classes.
Value class_entropy(const Value &log_probabilities, const ClassTargets &t,
                    const Value *weight, Reduction reduction,
                    double label_smoothing, const Setting &setting) {
  Picked picked = pick(log_probabilities, t, weight);
  Value loss = reduced_by_weight(picked.loss, picked.weight, reduction);
  if (label_smoothing == 0)
    return loss;
  Value all = log_probabilities;
  if (weight)
    all = all * along(*weight, t.dim, sizes_of(all).size());
  Value smooth = -sum_of(all, {t.dim});
  smooth = build::select(t.kept, smooth, fill_like(smooth, 0));
  smooth = reduced_by_weight(smooth, picked.weight, reduction);
  Value part = setting.number(label_smoothing);
  return (1 - part) * loss + part / static_cast<double>(t.classes) * smooth;
}

/// Cross entropy with class probabilities as targets.
Value probability_entropy(const Value &log_probabilities, Value target,
                          const Value *weight, Reduction reduction,
                          double label_smoothing, const Setting &setting) {
  const Shape sizes = sizes_of(log_probabilities);
  int64_t dim = class_dim(sizes);
  if (label_smoothing != 0) {
    Value part = setting.number(label_smoothing);
    target = target * (1 - part) + part / static_cast<double>(sizes[dim]);
  }
  Value each = log_probabilities * target;
  if (weight)
    each = each * along(*weight, dim, sizes.size());
  Value loss = -sum_of(each, {dim});
  return reduced(loss, reduction);
}

} // namespace

Tensor nll_loss(const Tensor &input, const Tensor &target, const Tensor &weight,
                int64_t ignore_index, std::string_view reduction) {
  XLAC_CALL("nll_loss");
  Device device = common_device({&input, &target, &weight});
  Setting setting = setting_of({&input});
  setting.device = device;
  ClassTargets t = class_targets(input, target, ignore_index, device);
  check_weight(weight, t.classes);
  Value weights = weight.defined() ? setting.of(weight) : Value();
  Picked picked =
      pick(setting.of(input), t, weight.defined() ? &weights : nullptr);
  return setting.finish(reduced_by_weight(picked.loss, picked.weight,
                                          parse_reduction(reduction)));
}

Tensor cross_entropy(const Tensor &input, const Tensor &target,
                     const Tensor &weight, int64_t ignore_index,
                     std::string_view reduction, double label_smoothing) {
  XLAC_CALL("cross_entropy");
  if (label_smoothing < 0 || label_smoothing > 1)
    raise<ValueError>("label_smoothing must be between 0.0 and 1.0. Got: " +
                      std::to_string(label_smoothing));
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.empty())
    raise<ShapeError>("expected 1 or more dimensions");
  Device device = common_device({&input, &target, &weight});
  Setting setting = setting_of({&input});
  setting.device = device;
  int64_t dim = class_dim(sizes);
  check_weight(weight, sizes[dim]);
  Reduction kind = parse_reduction(reduction);
  Value logs = log_softmax_of(setting.of(input), dim);
  Value weights = weight.defined() ? setting.of(weight) : Value();
  const Value *weighted = weight.defined() ? &weights : nullptr;
  bool probabilities = impl_of(target).sizes == sizes &&
                       is_floating_point(impl_of(target).dtype);
  if (!probabilities) {
    ClassTargets t = class_targets(input, target, ignore_index, device);
    return setting.finish(
        class_entropy(logs, t, weighted, kind, label_smoothing, setting));
  }
  if (ignore_index >= 0)
    raise<ValueError>("ignore_index is not supported for floating point "
                      "target");
  return setting.finish(probability_entropy(logs, setting.of(target), weighted,
                                            kind, label_smoothing, setting));
}

} // namespace xlac
