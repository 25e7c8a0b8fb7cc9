// Resizing of images. Every mode except area is separable: along each dimension
// an output element is a weighted sum of a few input elements. The sizes
// determine the weights.
#include "xlac/tensor/formulas.h"

#include "xlac/lazy/size_check.h"

#include <algorithm>
#include <cmath>

namespace xlac {

using namespace frontend;

namespace {

/// For each output element, the input elements that it sums and their weights.
struct Taps {
  std::vector<Shape> elements;              ///< one list per tap
  std::vector<std::vector<double>> weights; ///< empty: all are 1
};

struct Resizing {
  int64_t from, to;
  double given_scale; ///< output per input, or 0
  bool align_corners;

  /// Returns the number of input elements per output element.
  double step() const {
    if (align_corners)
      return to > 1
                 ? static_cast<double>(from - 1) / static_cast<double>(to - 1)
                 : 0;
    return given_scale > 0
               ? 1 / given_scale
               : static_cast<double>(from) / static_cast<double>(to);
  }
  /// Returns the position of output element i in the input.
  double place(int64_t i) const {
    double at = static_cast<double>(i);
    return align_corners ? at * step() : (at + 0.5) * step() - 0.5;
  }
};

/// PyTorch computes these positions in f32.
Taps nearest(const Resizing &r, bool exact) {
  Taps taps{{Shape()}, {}};
  auto step = static_cast<float>(r.step());
  for (int64_t i = 0; i < r.to; ++i) {
    float at = (static_cast<float>(i) + (exact ? 0.5F : 0)) * step;
    taps.elements[0].push_back(
        std::min(static_cast<int64_t>(std::floor(at)), r.from - 1));
  }
  return taps;
}

Taps linear_taps(const Resizing &r) {
  Taps taps{{2, Shape()}, {2, std::vector<double>()}};
  for (int64_t i = 0; i < r.to; ++i) {
    double at = std::max(r.place(i), 0.0);
    int64_t left = std::min(static_cast<int64_t>(at), r.from - 1);
    double part = std::clamp(at - static_cast<double>(left), 0.0, 1.0);
    taps.elements[0].push_back(left);
    taps.elements[1].push_back(std::min(left + 1, r.from - 1));
    taps.weights[0].push_back(1 - part);
    taps.weights[1].push_back(part);
  }
  return taps;
}

/// The weight at distance x in Keys' cubic convolution.
double cubic_weight(double x, double a = -0.75) {
  x = std::abs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

Taps cubic_taps(const Resizing &r) {
  Taps taps{{4, Shape()}, {4, std::vector<double>()}};
  for (int64_t i = 0; i < r.to; ++i) {
    double at = r.place(i), left = std::floor(at);
    for (int64_t k = 0; k < 4; ++k) {
      int64_t element = static_cast<int64_t>(left) - 1 + k;
      taps.elements[k].push_back(std::clamp<int64_t>(element, 0, r.from - 1));
      taps.weights[k].push_back(
          cubic_weight(at - left + 1 - static_cast<double>(k)));
    }
  }
  return taps;
}

/// Antialiasing: each output element is a weighted mean over the input that it
/// covers. The weights are linear, or cubic (Keys, a = -1/2).
Taps smooth_taps(const Resizing &r, bool cubic) {
  double stretch = std::max(r.step(), 1.0), reach = (cubic ? 2 : 1) * stretch;
  auto count = std::min(static_cast<size_t>(std::ceil(reach)) * 2 + 1,
                        static_cast<size_t>(r.from));
  Taps taps{{count, Shape()}, {count, std::vector<double>()}};
  for (int64_t i = 0; i < r.to; ++i) {
    double middle = r.step() * (static_cast<double>(i) + 0.5);
    auto first =
        std::max<int64_t>(static_cast<int64_t>(middle - reach + 0.5), 0);
    auto last = std::min(static_cast<int64_t>(middle + reach + 0.5), r.from);
    double total = 0;
    for (size_t k = 0; k < count; ++k) {
      auto element = first + static_cast<int64_t>(k);
      double x = (static_cast<double>(element) - middle + 0.5) / stretch;
      double weight = element >= last ? 0
                      : cubic         ? cubic_weight(x, -0.5)
                                      : std::max(1 - std::abs(x), 0.0);
      total += weight;
      taps.elements[k].push_back(std::min(element, r.from - 1));
      taps.weights[k].push_back(weight);
    }
    for (size_t k = 0; k < count && total != 0; ++k)
      taps.weights[k].back() /= total;
  }
  return taps;
}

Value apply(const Value &x, int64_t dim, const Taps &taps) {
  Value total;
  for (size_t k = 0; k < taps.elements.size(); ++k) {
    Value part = build::take(x, build::constant(taps.elements[k]), dim);
    if (!taps.weights.empty())
      part = part * along(constant_list(taps.weights[k], x.tensor().element),
                          dim, sizes_of(x).size());
    total = total ? total + part : part;
  }
  return total;
}

/// Sizes and scales of the spatial dimensions.
struct Request {
  Shape sizes;
  std::vector<double> scales;
};

Request requested(const Shape &input, IntArrayRef size,
                  const std::vector<double> &scale_factor,
                  std::optional<bool> recompute) {
  size_t n = input.size() - 2;
  if ((size.size() == 0) == scale_factor.empty())
    raise<ValueError>("only one of size or scale_factor should be defined, and "
                      "one must be");
  if (size.size() != 0) {
    if (recompute.value_or(false))
      raise<ValueError>("recompute_scale_factor is not meaningful with an "
                        "explicit size.");
    return {size_per_dim(size, n, "size"), std::vector<double>(n, 0)};
  }
  std::vector<double> scales = scale_factor;
  if (scales.size() == 1)
    scales.resize(n, scales[0]);
  if (scales.size() != n)
    raise<ValueError>("scale_factor must be one number or " +
                      std::to_string(n) + ", got " +
                      std::to_string(scales.size()));
  Request request{{}, scales};
  for (size_t i = 0; i < n; ++i)
    request.sizes.push_back(static_cast<int64_t>(
        std::floor(static_cast<double>(input[i + 2]) * scales[i])));
  if (recompute.value_or(false))
    request.scales.assign(n, 0);
  return request;
}

/// Returns the number of spatial dimensions that a mode requires; 0 for any.
size_t dimensions_of(std::string_view mode) {
  if (mode == "linear")
    return 1;
  if (mode == "bilinear" || mode == "bicubic")
    return 2;
  if (mode == "trilinear")
    return 3;
  if (mode != "nearest" && mode != "nearest-exact" && mode != "area")
    raise<UnsupportedError>("Input Error: unknown mode '" + std::string(mode) +
                            "'");
  return 0;
}

void check(const Shape &sizes, std::string_view mode,
           std::optional<bool> align_corners, bool antialias) {
  size_t wanted = dimensions_of(mode), n = sizes.size() - 2;
  if (sizes.size() < 3 || sizes.size() > 5)
    raise<ShapeError>("expected an input of 3 to 5 dimensions, got " +
                      to_text(sizes));
  if (wanted != 0 && n != wanted)
    raise<UnsupportedError>("mode '" + std::string(mode) + "' needs " +
                            std::to_string(wanted + 2) +
                            "D input, got an input of " +
                            std::to_string(sizes.size()) + " dimensions");
  if (wanted == 0 && align_corners.has_value())
    raise<ValueError>("align_corners option can only be set with the "
                      "interpolating modes: linear | bilinear | bicubic | "
                      "trilinear");
  if (antialias && mode != "bilinear" && mode != "bicubic")
    raise<ValueError>("Anti-alias option is restricted to bilinear and bicubic "
                      "modes and requires a 4-D tensor as input");
}

} // namespace

Tensor interpolate(const Tensor &input, IntArrayRef size,
                   const std::vector<double> &scale_factor,
                   std::string_view mode, std::optional<bool> align_corners,
                   std::optional<bool> recompute_scale_factor, bool antialias) {
  XLAC_CALL("interpolate");
  const Shape sizes = impl_of(input).sizes;
  check(sizes, mode, align_corners, antialias);
  Request request =
      requested(sizes, size, scale_factor, recompute_scale_factor);
  for (size_t i = 0; i < request.sizes.size(); ++i)
    if (request.sizes[i] < 1 || sizes[i + 2] < 1)
      raise<ShapeError>("input and output sizes should be greater than 0, but "
                        "got input " +
                        to_text(sizes) + " and output " +
                        to_text(request.sizes));
  Shape result(sizes.begin(), sizes.begin() + 2);
  result.insert(result.end(), request.sizes.begin(), request.sizes.end());
  lazy::require_holdable(input.dtype(), result);
  if (mode == "area") {
    if (sizes.size() == 3)
      return adaptive_avg_pool1d(input, request.sizes);
    return sizes.size() == 4 ? adaptive_avg_pool2d(input, request.sizes)
                             : adaptive_avg_pool3d(input, request.sizes);
  }
  bool picks = mode.starts_with("nearest");
  Device device = impl_of(input).device();
  Dtype dtype = impl_of(input).dtype;
  if (!picks)
    require_floating(input);
  Value x = value_on(input, device);
  if (!picks)
    x = widened(x);
  for (size_t i = 0; i < request.sizes.size(); ++i) {
    Resizing r{sizes[i + 2], request.sizes[i], request.scales[i],
               align_corners.value_or(false)};
    bool cubic = mode == "bicubic";
    Taps taps = picks       ? nearest(r, mode == "nearest-exact")
                : antialias ? smooth_taps(r, cubic)
                : cubic     ? cubic_taps(r)
                            : linear_taps(r);
    x = apply(x, static_cast<int64_t>(i) + 2, taps);
  }
  return finish(build::convert(x, lazy::element_type(dtype)), device, dtype);
}

} // namespace xlac
