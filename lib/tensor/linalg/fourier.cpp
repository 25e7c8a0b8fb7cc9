// Fourier transforms.
#include "fourier.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xlac {

using namespace frontend;
using ops::FftType;

namespace frontend {

Value resized(const Value &value, int64_t dim, int64_t size) {
  const Shape &sizes = value.tensor().dims;
  if (sizes[dim] >= size)
    return part_of(value, dim, 0, size);
  Shape none(sizes.size(), 0), high = none;
  high[dim] = size - sizes[dim];
  return build::pad(value, build::constant(value.tensor().element, {}, 0), none,
                    high, none);
}

Value scaled_by(const Value &value, double factor) {
  return factor == 1 ? value
                     : build::binary(OpKind::Multiply, value,
                                     constant_like(value, factor));
}

Value transform(const Value &value, FftType type, int64_t dim, int64_t length) {
  auto last = static_cast<int64_t>(value.tensor().dims.size()) - 1;
  Shape order(last + 1);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[dim], order[last]);
  return build::transpose(
      build::fft(build::transpose(value, order), type, {length}), order);
}

double norm_factor(const std::optional<std::string> &norm, bool inverse,
                   double count) {
  // StableHLO's inverse already divides by count.
  std::string name = norm.value_or("backward");
  if (name == "backward")
    return 1;
  if (name == "ortho")
    return inverse ? std::sqrt(count) : 1 / std::sqrt(count);
  if (name == "forward")
    return inverse ? count : 1 / count;
  raise<ValueError>("Invalid normalization mode: \"" + name + "\"");
}

Dtype transform_dtype(Dtype dtype, bool complex) {
  if (dtype == kFloat16 || dtype == kBFloat16)
    raise<DtypeError>("Unsupported dtype " + lazy::legacy_name(dtype));
  Dtype given = floating_dtype(dtype);
  if (!complex)
    return given;
  return given == kFloat32   ? kComplex64
         : given == kFloat64 ? kComplex128
                             : given;
}

} // namespace frontend

namespace {

enum class Input { Complex, Real, Half };

/// The operand of a transform along `dim`, sliced or padded to `size`.
struct Signal {
  Value value;
  Device device;
  Dtype dtype;
  int64_t dim;
};

Signal signal_of(const Tensor &self, int64_t dim, Input input) {
  const TensorImpl &impl = impl_of(self);
  if (impl.sizes.empty())
    raise<IndexError>("Dimension specified as " + std::to_string(dim) +
                      " but tensor has no dimensions");
  if (input == Input::Real && is_complex(impl.dtype))
    raise<DtypeError>("expects a real input tensor, but got " +
                      lazy::legacy_name(impl.dtype));
  Signal signal{{},
                impl.device(),
                transform_dtype(impl.dtype, input != Input::Real),
                wrap_dim(dim, static_cast<int64_t>(impl.sizes.size()))};
  signal.value =
      to_type(value_on(self, signal.device), lazy::element_type(signal.dtype));
  return signal;
}

void expect_points(int64_t count) {
  if (count < 1)
    raise<ValueError>("Invalid number of data points (" +
                      std::to_string(count) + ") specified");
}

Tensor one_dim(const Tensor &self, std::optional<int64_t> n, int64_t dim,
               const std::optional<std::string> &norm, bool inverse) {
  Signal s = signal_of(self, dim, Input::Complex);
  int64_t count = n.value_or(s.value.tensor().dims[s.dim]);
  expect_points(count);
  Value result =
      transform(resized(s.value, s.dim, count),
                inverse ? FftType::IFFT : FftType::FFT, s.dim, count);
  double factor = norm_factor(norm, inverse, static_cast<double>(count));
  return finish(scaled_by(result, factor), s.device, s.dtype);
}

/// Dims and sizes of a multidimensional transform.
struct Grid {
  Shape dims, sizes;
};

Grid grid_of(const Shape &given, IntArrayRef s, IntArrayRef dim) {
  auto rank = static_cast<int64_t>(given.size());
  Grid grid;
  if (dim.size() > 0) {
    for (int64_t each : dim)
      grid.dims.push_back(wrap_dim(each, rank));
  } else {
    auto count = s.size() > 0 ? static_cast<int64_t>(s.size()) : rank;
    for (int64_t i = std::max<int64_t>(rank - count, 0); i < rank; ++i)
      grid.dims.push_back(i);
  }
  if (s.size() > 0 && s.size() != grid.dims.size())
    raise<ValueError>("When given, dim and shape arguments must have the same "
                      "length");
  Shape sorted = grid.dims;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    raise<ValueError>("FFT dims must be unique");
  for (size_t i = 0; i < grid.dims.size(); ++i) {
    int64_t size = s.size() > 0 ? *(s.begin() + i) : -1;
    grid.sizes.push_back(size == -1 ? given[grid.dims[i]] : size);
    expect_points(grid.sizes.back());
  }
  return grid;
}

Tensor many_dims(const Tensor &self, IntArrayRef s, IntArrayRef dim,
                 const std::optional<std::string> &norm, bool inverse) {
  const TensorImpl &impl = impl_of(self);
  Grid grid = grid_of(impl.sizes, s, dim);
  Dtype dtype = transform_dtype(impl.dtype, true);
  Value value =
      to_type(value_on(self, impl.device()), lazy::element_type(dtype));
  double count = 1;
  for (size_t i = 0; i < grid.dims.size(); ++i) {
    value = resized(value, grid.dims[i], grid.sizes[i]);
    value = transform(value, inverse ? FftType::IFFT : FftType::FFT,
                      grid.dims[i], grid.sizes[i]);
    count *= static_cast<double>(grid.sizes[i]);
  }
  return finish(scaled_by(value, norm_factor(norm, inverse, count)),
                impl.device(), dtype);
}

/// Moves the middle element of each dim to the front, or back.
Tensor shift(const Tensor &self, IntArrayRef given, bool inverse) {
  const TensorImpl &impl = impl_of(self);
  Value value = value_on(self, impl.device());
  for (int64_t dim : resolve_dims(impl.sizes, given)) {
    int64_t size = impl.sizes[dim];
    int64_t by = inverse ? size / 2 : (size + 1) / 2;
    value = build::concatenate(
        {part_of(value, dim, by, size), part_of(value, dim, 0, by)}, dim);
  }
  return finish(value, impl.device(), impl.dtype);
}

} // namespace

Tensor fft::fft(const Tensor &self, std::optional<int64_t> n, int64_t dim,
                std::optional<std::string> norm) {
  XLAC_CALL("fft.fft");
  return one_dim(self, n, dim, norm, false);
}

Tensor fft::ifft(const Tensor &self, std::optional<int64_t> n, int64_t dim,
                 std::optional<std::string> norm) {
  XLAC_CALL("fft.ifft");
  return one_dim(self, n, dim, norm, true);
}

Tensor fft::rfft(const Tensor &self, std::optional<int64_t> n, int64_t dim,
                 std::optional<std::string> norm) {
  XLAC_CALL("fft.rfft");
  Signal s = signal_of(self, dim, Input::Real);
  int64_t count = n.value_or(s.value.tensor().dims[s.dim]);
  expect_points(count);
  Value result =
      transform(resized(s.value, s.dim, count), FftType::RFFT, s.dim, count);
  double factor = norm_factor(norm, false, static_cast<double>(count));
  return finish(scaled_by(result, factor), s.device,
                transform_dtype(s.dtype, true));
}

Tensor fft::irfft(const Tensor &self, std::optional<int64_t> n, int64_t dim,
                  std::optional<std::string> norm) {
  XLAC_CALL("fft.irfft");
  Signal s = signal_of(self, dim, Input::Half);
  int64_t count = n.value_or(2 * (s.value.tensor().dims[s.dim] - 1));
  expect_points(count);
  Value result = transform(resized(s.value, s.dim, count / 2 + 1),
                           FftType::IRFFT, s.dim, count);
  double factor = norm_factor(norm, true, static_cast<double>(count));
  return finish(scaled_by(result, factor), s.device, real_dtype(s.dtype));
}

Tensor fft::fft2(const Tensor &self, IntArrayRef s, IntArrayRef dim,
                 std::optional<std::string> norm) {
  XLAC_CALL("fft.fft2");
  return many_dims(self, s, dim, norm, false);
}

Tensor fft::ifft2(const Tensor &self, IntArrayRef s, IntArrayRef dim,
                  std::optional<std::string> norm) {
  XLAC_CALL("fft.ifft2");
  return many_dims(self, s, dim, norm, true);
}

Tensor fft::fftn(const Tensor &self, IntArrayRef s, IntArrayRef dim,
                 std::optional<std::string> norm) {
  XLAC_CALL("fft.fftn");
  return many_dims(self, s, dim, norm, false);
}

Tensor fft::ifftn(const Tensor &self, IntArrayRef s, IntArrayRef dim,
                  std::optional<std::string> norm) {
  XLAC_CALL("fft.ifftn");
  return many_dims(self, s, dim, norm, true);
}

Tensor fft::fftfreq(int64_t n, double d, TensorOptions options) {
  XLAC_CALL("fft.fftfreq");
  expect_points(n);
  Dtype dtype = options.dtype();
  expect_floating(dtype, true);
  ElementType type = lazy::element_type(dtype);
  // Frequencies 0 … (n - 1) / 2, followed by -n / 2 … -1.
  Value place = build::iota(ElementType::I64, {n}, 0);
  Value late = build::compare(ops::ComparisonDirection::GT, place,
                              constant_like(place, Scalar((n - 1) / 2)));
  Value whole = build::select(
      late,
      build::binary(OpKind::Subtract, place, constant_like(place, Scalar(n))),
      place);
  Value result =
      scaled_by(build::convert(whole, type), 1 / (static_cast<double>(n) * d));
  return finish(result, device_of(options), dtype);
}

Tensor fft::fftshift(const Tensor &self, IntArrayRef dim) {
  XLAC_CALL("fft.fftshift");
  return shift(self, dim, false);
}

Tensor fft::ifftshift(const Tensor &self, IntArrayRef dim) {
  XLAC_CALL("fft.ifftshift");
  return shift(self, dim, true);
}

} // namespace xlac
