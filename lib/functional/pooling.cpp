// Pooling with windows of a fixed size; adaptive_pooling.cpp has variable ones.
#include "xlac/tensor/formulas.h"

#include <numeric>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

/// A pooling over the last `n` dimensions.
struct Pooling {
  size_t n;
  Shape kernel, stride, padding, dilation;
  Shape padded_high; ///< padding after the input that the last window needs
};

/// Returns the number of windows over `size` elements, by PyTorch's formula.
int64_t window_count(const Pooling &p, int64_t size, size_t i, bool ceil_mode) {
  int64_t reach = p.dilation[i] * (p.kernel[i] - 1) + 1;
  int64_t slack = size + 2 * p.padding[i] - reach;
  if (ceil_mode)
    slack += p.stride[i] - 1;
  if (slack < 0)
    return 0;
  int64_t count = slack / p.stride[i] + 1;
  // The last window must start inside the input or its left padding.
  bool outside = (count - 1) * p.stride[i] >= size + p.padding[i];
  return ceil_mode && outside ? count - 1 : count;
}

Pooling described(size_t n, const Tensor &input, IntArrayRef kernel,
                  IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                  bool ceil_mode) {
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.size() != n + 1 && sizes.size() != n + 2)
    raise<ShapeError>("input must have " + std::to_string(n + 1) + " or " +
                      std::to_string(n + 2) + " dimensions, got " +
                      to_text(sizes));
  Pooling p;
  p.n = n;
  p.kernel = window_per_dim(kernel, n, "kernel_size");
  p.stride =
      stride.size() == 0 ? p.kernel : window_per_dim(stride, n, "stride");
  p.padding = window_per_dim(padding, n, "padding");
  p.dilation = window_per_dim(dilation, n, "dilation");
  for (size_t i = 0; i < n; ++i) {
    if (p.kernel[i] < 1 || p.stride[i] < 1 || p.dilation[i] < 1)
      raise<ValueError>("kernel_size, stride and dilation must be positive");
    if (p.padding[i] < 0 ||
        p.padding[i] > (p.dilation[i] * (p.kernel[i] - 1) + 1) / 2)
      raise<ValueError>("pad should be at most half of effective kernel size, "
                        "got pad " +
                        std::to_string(p.padding[i]) + " and kernel_size " +
                        std::to_string(p.kernel[i]));
    int64_t size = sizes[sizes.size() - n + i];
    int64_t count = window_count(p, size, i, ceil_mode);
    if (count < 1)
      raise<ShapeError>("given input size " + to_text(sizes) +
                        ", the output size would be too small");
    int64_t needed = (count - 1) * p.stride[i] +
                     p.dilation[i] * (p.kernel[i] - 1) + 1 - size -
                     p.padding[i];
    p.padded_high.push_back(std::max(needed, p.padding[i]));
  }
  return p;
}

build::Window window_of(const Pooling &p, size_t rank) {
  build::Window window = build::plain_window(Shape(rank, 1));
  for (size_t i = 0; i < p.n; ++i) {
    size_t dim = rank - p.n + i;
    window.sizes[dim] = p.kernel[i];
    window.strides[dim] = p.stride[i];
    window.dilation[dim] = p.dilation[i];
    window.low[dim] = p.padding[i];
    window.high[dim] = p.padded_high[i];
  }
  return window;
}

//===- Maximum ------------------------------------------------------------===//

void reject_unordered(const Tensor &input) {
  Dtype dtype = impl_of(input).dtype;
  if (dtype == kBool || is_complex(dtype))
    raise<DtypeError>("not supported for torch." + std::string(name(dtype)));
}

Value greatest(const Value &x, const build::Window &window) {
  ElementType type = x.tensor().element;
  return build::reduce_window(OpKind::Maximum, x,
                              build::constant(type, {}, lowest(type)), window);
}

Tensor max_pool(size_t n, const Tensor &input, IntArrayRef kernel,
                IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                bool ceil_mode) {
  reject_unordered(input);
  Pooling p = described(n, input, kernel, stride, padding, dilation, ceil_mode);
  Device device = impl_of(input).device();
  Value x = value_on(input, device);
  return finish(greatest(x, window_of(p, sizes_of(x).size())), device,
                impl_of(input).dtype);
}

std::tuple<Tensor, Tensor>
max_pool_with_indices(size_t n, const Tensor &input, IntArrayRef kernel,
                      IntArrayRef stride, IntArrayRef padding,
                      IntArrayRef dilation, bool ceil_mode) {
  reject_unordered(input);
  Pooling p = described(n, input, kernel, stride, padding, dilation, ceil_mode);
  Device device = impl_of(input).device();
  Value x = value_on(input, device);
  const Shape sizes = sizes_of(x);
  build::Window window = window_of(p, sizes.size());
  Value numbers = build::broadcast_to(
      numbered(Shape(sizes.end() - static_cast<long>(n), sizes.end())), sizes);
  Value indices = build::reduce_window_max_index(x, numbers, window);
  return {finish(greatest(x, window), device, impl_of(input).dtype),
          finish(indices, device, kInt64)};
}

//===- Mean ---------------------------------------------------------------===//

/// Returns the number of elements that each window along dimension `i`
/// averages.
Shape divisors(const Pooling &p, int64_t size, int64_t count, size_t i,
               bool count_include_pad) {
  Shape made;
  for (int64_t k = 0; k < count; ++k) {
    int64_t start = k * p.stride[i] - p.padding[i];
    int64_t end = std::min(start + p.kernel[i], size + p.padding[i]);
    made.push_back(count_include_pad
                       ? end - start
                       : std::min(end, size) - std::max<int64_t>(start, 0));
  }
  return made;
}

/// Divides `total` by the number of elements that each window averages.
Value averaged(Value total, const Pooling &p, const Shape &sizes,
               bool count_include_pad) {
  ElementType type = total.tensor().element;
  for (size_t i = 0; i < p.n; ++i) {
    auto dim = static_cast<int64_t>(sizes.size() - p.n + i);
    Shape counts =
        divisors(p, sizes[dim], sizes_of(total)[dim], i, count_include_pad);
    bool equal = std::equal(counts.begin() + 1, counts.end(), counts.begin());
    if (equal) {
      total = total / static_cast<double>(counts[0]);
      continue;
    }
    Value divisor = build::convert(build::constant(counts), type);
    total = total / build::broadcast_in_dim(divisor, sizes_of(total), {dim});
  }
  return total;
}

Tensor avg_pool(size_t n, const Tensor &input, IntArrayRef kernel,
                IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                bool count_include_pad,
                std::optional<int64_t> divisor_override) {
  require_floating(input);
  if (divisor_override == 0)
    raise<ValueError>("divisor must be not zero");
  Pooling p = described(n, input, kernel, stride, padding, 1, ceil_mode);
  Device device = impl_of(input).device();
  Dtype dtype = impl_of(input).dtype;
  Value x = widened(value_on(input, device));
  ElementType type = x.tensor().element;
  Value total =
      build::reduce_window(OpKind::Add, x, build::constant(type, {}, 0),
                           window_of(p, sizes_of(x).size()));
  total = divisor_override ? total / static_cast<double>(*divisor_override)
                           : averaged(total, p, sizes_of(x), count_include_pad);
  return finish(build::convert(total, lazy::element_type(dtype)), device,
                dtype);
}

} // namespace

#define XLAC_MAX_POOL(n)                                                       \
  Tensor max_pool##n##d(const Tensor &input, IntArrayRef kernel_size,          \
                        IntArrayRef stride, IntArrayRef padding,               \
                        IntArrayRef dilation, bool ceil_mode) {                \
    XLAC_CALL("max_pool" #n "d");                                              \
    return max_pool(n, input, kernel_size, stride, padding, dilation,          \
                    ceil_mode);                                                \
  }                                                                            \
  std::tuple<Tensor, Tensor> max_pool##n##d_with_indices(                      \
      const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride,        \
      IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {             \
    XLAC_CALL("max_pool" #n "d_with_indices");                                 \
    return max_pool_with_indices(n, input, kernel_size, stride, padding,       \
                                 dilation, ceil_mode);                         \
  }
XLAC_MAX_POOL(1)
XLAC_MAX_POOL(2)
XLAC_MAX_POOL(3)
#undef XLAC_MAX_POOL

Tensor avg_pool1d(const Tensor &input, IntArrayRef kernel_size,
                  IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad) {
  XLAC_CALL("avg_pool1d");
  return avg_pool(1, input, kernel_size, stride, padding, ceil_mode,
                  count_include_pad, {});
}

Tensor avg_pool2d(const Tensor &input, IntArrayRef kernel_size,
                  IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad,
                  std::optional<int64_t> divisor_override) {
  XLAC_CALL("avg_pool2d");
  return avg_pool(2, input, kernel_size, stride, padding, ceil_mode,
                  count_include_pad, divisor_override);
}

Tensor avg_pool3d(const Tensor &input, IntArrayRef kernel_size,
                  IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad,
                  std::optional<int64_t> divisor_override) {
  XLAC_CALL("avg_pool3d");
  return avg_pool(3, input, kernel_size, stride, padding, ceil_mode,
                  count_include_pad, divisor_override);
}

Tensor lp_pool2d(const Tensor &input, double norm_type, IntArrayRef kernel_size,
                 IntArrayRef stride, bool ceil_mode) {
  XLAC_CALL("lp_pool2d");
  require_floating(input);
  Pooling p = described(2, input, kernel_size, stride, 0, 1, ceil_mode);
  Device device = impl_of(input).device();
  Dtype dtype = impl_of(input).dtype;
  Value x = widened(value_on(input, device));
  ElementType type = x.tensor().element;
  Value powers = build::binary(OpKind::Power, x, fill_like(x, norm_type));
  Value total =
      build::reduce_window(OpKind::Add, powers, build::constant(type, {}, 0),
                           window_of(p, sizes_of(x).size()));
  // PyTorch averages and multiplies by the full window size, which includes
  // elements that the last windows lack.
  double full = static_cast<double>(p.kernel[0] * p.kernel[1]);
  Value scaled = averaged(total, p, sizes_of(x), true) * full;
  // A negative sum has no root; at 0 relu keeps the gradient finite.
  Value sum = build::unary(OpKind::Sign, scaled) * relu_of(abs_of(scaled));
  Value root =
      build::binary(OpKind::Power, sum, fill_like(scaled, 1 / norm_type));
  return finish(build::convert(root, lazy::element_type(dtype)), device, dtype);
}

//===- Max unpooling ------------------------------------------------------===//

Tensor max_unpool2d(const Tensor &input, const Tensor &indices,
                    IntArrayRef kernel_size, IntArrayRef stride,
                    IntArrayRef padding, IntArrayRef output_size) {
  XLAC_CALL("max_unpool2d");
  const Shape &sizes = impl_of(input).sizes;
  if (sizes != impl_of(indices).sizes)
    raise<ShapeError>("expected indices of shape " + to_text(sizes) + ", got " +
                      to_text(impl_of(indices).sizes));
  if (impl_of(indices).dtype != kInt64)
    raise<DtypeError>("elements in indices should be type int64");
  if (sizes.size() != 3 && sizes.size() != 4)
    raise<ShapeError>("input must have 3 or 4 dimensions, got " +
                      to_text(sizes));
  Shape kernel = window_per_dim(kernel_size, 2, "kernel_size");
  Shape step = stride.size() ? window_per_dim(stride, 2, "stride") : kernel;
  Shape pad = window_per_dim(padding, 2, "padding");
  Shape out(sizes.begin(), sizes.end() - 2);
  int64_t planes = count_of(out);
  if (output_size.size() >= 2)
    out.insert(out.end(), output_size.end() - 2, output_size.end());
  else
    for (size_t i = 0; i < 2; ++i)
      out.push_back((sizes[sizes.size() - 2 + i] - 1) * step[i] - 2 * pad[i] +
                    kernel[i]);
  Device device = common_device({&input, &indices});
  Value x = value_on(input, device);
  int64_t plane = out[out.size() - 2] * out.back();
  int64_t count = count_of(sizes);
  int64_t each = planes ? count / planes : 0;
  Value base = build::broadcast_in_dim(
      build::iota(ElementType::I64, {planes}, 0), {planes, each}, {0});
  Value where = build::reshape(value_on(indices, device), {planes, each}) +
                base * static_cast<double>(plane);
  ops::ScatterDimensionNumbers numbers;
  numbers.inserted_window_dims = {0};
  numbers.scatter_dims_to_operand_dims = {0};
  numbers.index_vector_dim = 1;
  Value empty = build::constant(x.tensor().element, {planes * plane}, 0);
  Value filled = build::scatter({}, empty, build::reshape(where, {count, 1}),
                                build::reshape(x, {count}), numbers);
  return finish(build::reshape(filled, out), device, impl_of(input).dtype);
}

} // namespace xlac
