// Normalization by statistics of the input, and normalization of weights.
#include "xlac/tensor/formulas.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace xlac {

using namespace frontend;

namespace {

/// Mean and biased variance over `dims`, which are kept with size 1.
struct Moments {
  Value mean, variance;
};

Moments moments(const Value &x, const Shape &dims) {
  Value mean = mean_of(x, dims, true);
  Value centered = x - mean;
  return {mean, mean_of(centered * centered, dims, true)};
}

Value normalized(const Value &x, const Moments &m, double eps) {
  return (x - m.mean) * rsqrt_of(m.variance + eps);
}

/// x * weight + bias along dimension 1; both are optional.
Value scaled_by_channel(Value x, const Tensor &weight, const Tensor &bias,
                        const Setting &setting) {
  size_t rank = sizes_of(x).size();
  if (weight.defined())
    x = x * along(setting.of(weight), 1, rank);
  if (bias.defined())
    x = x + along(setting.of(bias), 1, rank);
  return x;
}

void check_channels(const Tensor &tensor, int64_t channels, const char *what) {
  if (tensor.defined() && impl_of(tensor).sizes != Shape{channels})
    raise<ShapeError>(std::string(what) + " should contain " +
                      std::to_string(channels) + " elements not " +
                      std::to_string(count_of(impl_of(tensor).sizes)));
}

/// Returns the setting of a normalization; only the input determines the
/// dtypes.
Setting setting_for(const Tensor &input,
                    std::initializer_list<const Tensor *> all) {
  Setting setting = setting_of({&input});
  setting.device = common_device(all);
  return setting;
}

/// running = (1 - momentum) running + momentum value, without gradient.
void follow(const Tensor &running, const Value &value, double momentum,
            const Setting &setting) {
  Dtype dtype = impl_of(running).dtype;
  Value part = setting.number(momentum);
  Value old = build::convert(impl_of(running).value(), value.tensor().element);
  Value fresh = (1 - part) * old + part * value;
  impl_of(running).write(build::convert(fresh, lazy::element_type(dtype)));
}

/// Updates both running statistics by those of a batch. The variance is taken
/// over `count` elements per channel.
void follow_batch(const Tensor &running_mean, const Tensor &running_var,
                  const Moments &m, int64_t count, double momentum,
                  const Setting &setting) {
  int64_t channels = count_of(sizes_of(m.mean));
  if (running_mean.defined())
    follow(running_mean, build::reshape(m.mean, {channels}), momentum, setting);
  if (running_var.defined()) {
    double unbiased = static_cast<double>(count) /
                      static_cast<double>(std::max<int64_t>(count - 1, 1));
    follow(running_var, build::reshape(m.variance, {channels}) * unbiased,
           momentum, setting);
  }
}

/// All dims but the first two.
Shape spatial_dims(size_t rank) {
  Shape dims(rank > 2 ? rank - 2 : 0);
  std::iota(dims.begin(), dims.end(), 2);
  return dims;
}

} // namespace

Tensor batch_norm(const Tensor &input, const Tensor &running_mean,
                  const Tensor &running_var, const Tensor &weight,
                  const Tensor &bias, bool training, double momentum,
                  double eps) {
  XLAC_CALL("batch_norm");
  const Shape sizes = impl_of(input).sizes;
  if (sizes.size() < 2)
    raise<ShapeError>("expected an input of 2 or more dimensions, got " +
                      to_text(sizes));
  check_channels(running_mean, sizes[1], "running_mean");
  check_channels(running_var, sizes[1], "running_var");
  check_channels(weight, sizes[1], "weight");
  check_channels(bias, sizes[1], "bias");
  Setting setting =
      setting_for(input, {&input, &running_mean, &running_var, &weight, &bias});
  Value x = setting.of(input);
  if (!training) {
    if (!running_mean.defined() || !running_var.defined())
      raise<ValueError>("Expected running_mean and running_var to be defined "
                        "when training=False");
    Moments m{along(setting.of(running_mean), 1, sizes.size()),
              along(setting.of(running_var), 1, sizes.size())};
    return setting.finish(
        scaled_by_channel(normalized(x, m, eps), weight, bias, setting));
  }
  Shape dims = spatial_dims(sizes.size());
  dims.insert(dims.begin(), 0);
  int64_t count = sizes[1] ? count_of(sizes) / sizes[1] : 0;
  if (count == 1)
    raise<ValueError>("Expected more than 1 value per channel when training, "
                      "got input size " +
                      to_text(sizes));
  Moments m = moments(x, dims);
  Tensor result = setting.finish(
      scaled_by_channel(normalized(x, m, eps), weight, bias, setting));
  follow_batch(running_mean, running_var, m, count, momentum, setting);
  return result;
}

Tensor instance_norm(const Tensor &input, const Tensor &running_mean,
                     const Tensor &running_var, const Tensor &weight,
                     const Tensor &bias, bool use_input_stats, double momentum,
                     double eps) {
  XLAC_CALL("instance_norm");
  const Shape sizes = impl_of(input).sizes;
  if (sizes.size() < 3)
    raise<ShapeError>("expected an input of 3 or more dimensions, got " +
                      to_text(sizes));
  if (!use_input_stats)
    return batch_norm(input, running_mean, running_var, weight, bias, false,
                      momentum, eps);
  check_channels(weight, sizes[1], "weight");
  check_channels(bias, sizes[1], "bias");
  Shape dims = spatial_dims(sizes.size());
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= sizes[dim];
  if (count == 1)
    raise<ValueError>("Expected more than 1 spatial element when training, "
                      "got input size " +
                      to_text(sizes));
  Setting setting =
      setting_for(input, {&input, &running_mean, &running_var, &weight, &bias});
  Value x = setting.of(input);
  Moments m = moments(x, dims);
  Tensor result = setting.finish(
      scaled_by_channel(normalized(x, m, eps), weight, bias, setting));
  if (running_mean.defined() || running_var.defined()) {
    Moments batch{mean_of(m.mean, {0}, true), mean_of(m.variance, {0}, true)};
    follow_batch(running_mean, running_var, batch, count, momentum, setting);
  }
  return result;
}

//===- Normalization over the last dimensions -----------------------------===//

/// Returns the dims of `normalized_shape`. Throws ShapeError unless the input's
/// last sizes are equal to it.
static Shape last_dims(const Tensor &input, IntArrayRef normalized_shape,
                       std::initializer_list<const Tensor *> parameters) {
  const Shape &sizes = impl_of(input).sizes;
  Shape wanted(normalized_shape.begin(), normalized_shape.end());
  if (wanted.empty())
    raise<ShapeError>("Expected normalized_shape to be at least 1-dimensional");
  if (wanted.size() > sizes.size() ||
      !std::equal(wanted.rbegin(), wanted.rend(), sizes.rbegin()))
    raise<ShapeError>("Given normalized_shape=" + to_text(wanted) +
                      ", expected input with shape [*, " +
                      to_text(wanted).substr(1) + ", but got input of size " +
                      to_text(sizes));
  for (const Tensor *parameter : parameters)
    if (parameter->defined() && impl_of(*parameter).sizes != wanted)
      raise<ShapeError>("Expected weight and bias to be of same shape as "
                        "normalized_shape, but got " +
                        to_text(impl_of(*parameter).sizes) + " and " +
                        to_text(wanted));
  Shape dims(wanted.size());
  std::iota(dims.begin(), dims.end(),
            static_cast<int64_t>(sizes.size() - wanted.size()));
  return dims;
}

Tensor layer_norm(const Tensor &input, IntArrayRef normalized_shape,
                  const Tensor &weight, const Tensor &bias, double eps) {
  XLAC_CALL("layer_norm");
  Shape dims = last_dims(input, normalized_shape, {&weight, &bias});
  Setting setting = setting_for(input, {&input, &weight, &bias});
  Value x = setting.of(input);
  Value y = normalized(x, moments(x, dims), eps);
  if (weight.defined())
    y = y * setting.of(weight);
  if (bias.defined())
    y = y + setting.of(bias);
  return setting.finish(y);
}

Tensor rms_norm(const Tensor &input, IntArrayRef normalized_shape,
                const Tensor &weight, std::optional<double> eps) {
  XLAC_CALL("rms_norm");
  Shape dims = last_dims(input, normalized_shape, {&weight});
  Setting setting = setting_for(input, {&input, &weight});
  double least = setting.wide == kFloat64
                     ? std::numeric_limits<double>::epsilon()
                     : std::numeric_limits<float>::epsilon();
  Value x = setting.of(input);
  Value y = x * rsqrt_of(mean_of(x * x, dims, true) + eps.value_or(least));
  if (weight.defined())
    y = y * setting.of(weight);
  return setting.finish(y);
}

Tensor group_norm(const Tensor &input, int64_t num_groups, const Tensor &weight,
                  const Tensor &bias, double eps) {
  XLAC_CALL("group_norm");
  const Shape sizes = impl_of(input).sizes;
  if (sizes.size() < 2)
    raise<ShapeError>("expected an input of 2 or more dimensions, got " +
                      to_text(sizes));
  if (num_groups < 1 || sizes[1] % num_groups != 0)
    raise<ShapeError>("Expected number of channels in input to be divisible "
                      "by num_groups, but got input of shape " +
                      to_text(sizes) +
                      " and num_groups=" + std::to_string(num_groups));
  check_channels(weight, sizes[1], "weight");
  check_channels(bias, sizes[1], "bias");
  Setting setting = setting_for(input, {&input, &weight, &bias});
  Shape grouped{sizes[0], num_groups, sizes[1] / num_groups};
  grouped.insert(grouped.end(), sizes.begin() + 2, sizes.end());
  Value x = build::reshape(setting.of(input), grouped);
  Value y = normalized(x, moments(x, spatial_dims(grouped.size())), eps);
  return setting.finish(
      scaled_by_channel(build::reshape(y, sizes), weight, bias, setting));
}

//===- Normalization by norms ---------------------------------------------===//

/// (Σ |x|^p)^(1/p) over `dims`, kept with size 1; the derivative at 0 is 0.
static Value lengths(const Value &x, double p, const Shape &dims) {
  Value size = abs_of(x);
  if (std::isinf(p) && p > 0)
    return max_of(size, dims, true);
  if (p == 1)
    return sum_of(size, dims, true);
  Value total =
      p == 2 ? sum_of(x * x, dims, true)
             : sum_of(build::binary(OpKind::Power, size, fill_like(size, p)),
                      dims, true);
  Value zero = compared(ops::ComparisonDirection::EQ, total, 0.0);
  Value inside = chosen(zero, fill_like(total, 1.0), total);
  Value root =
      p == 2 ? sqrt_of(inside)
             : build::binary(OpKind::Power, inside, fill_like(inside, 1 / p));
  return chosen(zero, fill_like(total, 0.0), root);
}

Tensor normalize(const Tensor &input, double p, int64_t dim, double eps) {
  XLAC_CALL("normalize");
  Setting setting = setting_of({&input});
  Value x = setting.of(input);
  auto rank = static_cast<int64_t>(sizes_of(x).size());
  Shape dims{wrap_dim(dim, rank)};
  if (rank == 0)
    dims.clear();
  Value length = lengths(x, p, dims);
  Value bounded =
      build::binary(OpKind::Maximum, length, fill_like(length, eps));
  return setting.finish(x / bounded);
}

Tensor local_response_norm(const Tensor &input, int64_t size, double alpha,
                           double beta, double k) {
  XLAC_CALL("local_response_norm");
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.size() < 3)
    raise<ShapeError>("Expected 3D or higher dimensionality input (got " +
                      std::to_string(sizes.size()) + " dimensions)");
  if (size < 1)
    raise<ValueError>("size must be positive, got " + std::to_string(size));
  Setting setting = setting_of({&input});
  Value x = setting.of(input);
  build::Window window = build::plain_window(Shape(sizes.size(), 1));
  window.sizes[1] = size;
  window.low[1] = size / 2;
  window.high[1] = (size - 1) / 2;
  Value total = build::reduce_window(
      OpKind::Add, x * x, build::constant(x.tensor().element, {}, 0), window);
  Value mean = total / static_cast<double>(size);
  Value base = setting.number(alpha) * mean + setting.number(k);
  Value divisor =
      build::binary(OpKind::Power, base,
                    build::broadcast_to(setting.number(beta), sizes_of(base)));
  return setting.finish(x / divisor);
}

Tensor weight_norm(const Tensor &v, const Tensor &g, int64_t dim) {
  XLAC_CALL("weight_norm");
  Setting setting = setting_of({&v, &g});
  Value x = setting.of(v);
  auto rank = static_cast<int64_t>(sizes_of(x).size());
  Shape dims;
  // -1 means one norm over the whole tensor, as in PyTorch.
  int64_t kept = dim == -1 ? -1 : wrap_dim(dim, rank);
  for (int64_t i = 0; i < rank; ++i)
    if (i != kept)
      dims.push_back(i);
  Value length = lengths(x, 2, dims);
  return setting.finish(x * (setting.of(g) / length));
}

} // namespace xlac
