// Sampling of images at given coordinates.
#include "xlac/tensor/formulas.h"

#include <cmath>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

enum class PaddingMode { Zeros, Border, Reflection };

/// The input of grid_sample: elements as rows [N * points, C].
struct Image {
  Value rows;
  Shape sizes; ///< spatial
  int64_t batch, channels, points;
};

/// Clamps to [low, high]; at the bounds the derivative is 0.
Value clamped(const Value &x, double low, double high) {
  Value least =
      chosen(compared(ComparisonDirection::LE, x, low), fill_like(x, low), x);
  return chosen(compared(ComparisonDirection::GE, x, high), fill_like(x, high),
                least);
}

Value floor_of(const Value &x) { return build::unary(OpKind::Floor, x); }

/// Reflects `x` at `low` and `high` until it is between them.
Value reflected(const Value &x, double low, double high) {
  if (low == high)
    return fill_like(x, 0.0);
  double span = high - low;
  Value distance = abs_of(x - low);
  Value times = floor_of(distance / span);
  Value rest = distance - times * span;
  Value odd = times - floor_of(times / 2.0) * 2.0;
  Value is_odd = compared(ComparisonDirection::GT, odd, 0.5);
  return chosen(is_odd, high - rest, rest + low);
}

/// Converts a coordinate in [-1, 1] to an index among `size` elements.
Value unnormalized(const Value &x, int64_t size, bool align_corners) {
  auto count = static_cast<double>(size);
  if (align_corners)
    return (x + 1.0) * ((count - 1) / 2);
  return ((x + 1.0) * count - 1.0) / 2.0;
}

/// Moves coordinates outside of the image inside, according to the padding
/// mode.
Value coordinate_inside(const Value &x, int64_t size, PaddingMode outside,
                        bool align_corners) {
  auto last = static_cast<double>(size - 1);
  if (outside == PaddingMode::Zeros)
    return x;
  if (outside == PaddingMode::Border)
    return clamped(x, 0, last);
  Value inside =
      align_corners ? reflected(x, 0, last) : reflected(x, -0.5, last + 0.5);
  return clamped(inside, 0, last);
}

/// Returns the image's elements [N, P, C] at integer positions [N, P], one list
/// per dimension; 0 where a position is outside.
Value looked_up(const Image &image, const std::vector<Value> &places) {
  Shape sizes = sizes_of(places[0]);
  Value number = build::iota(ElementType::I64, sizes, 0), inside;
  for (size_t i = 0; i < places.size(); ++i) {
    auto last = static_cast<double>(image.sizes[i] - 1);
    const Value &x = places[i];
    Value within =
        build::binary(OpKind::And, compared(ComparisonDirection::GE, x, 0.0),
                      compared(ComparisonDirection::LE, x, last));
    inside = inside ? build::binary(OpKind::And, inside, within) : within;
    // NaN and distant positions must convert to a valid index.
    Value safe = chosen(within, x, fill_like(x, 0.0));
    number = number * static_cast<double>(image.sizes[i]) +
             build::convert(safe, ElementType::I64);
  }
  Value flat = build::reshape(number, {image.batch * image.points});
  Value found = build::reshape(build::take(image.rows, flat, 0),
                               {image.batch, image.points, image.channels});
  Value matters = build::broadcast_in_dim(inside, sizes_of(found), {0, 1});
  return build::select(matters, found, fill_like(found, 0.0));
}

/// Multiplies elements [N, P, C] by weights [N, P].
Value weighted(const Value &weights, const Value &elements) {
  return build::broadcast_in_dim(weights, sizes_of(elements), {0, 1}) *
         elements;
}

Value sampled_linearly(const Image &image, const std::vector<Value> &places) {
  size_t n = places.size();
  Value total;
  for (size_t corner = 0; corner < (size_t{1} << n); ++corner) {
    std::vector<Value> at;
    Value weight;
    for (size_t i = 0; i < n; ++i) {
      Value left = floor_of(places[i]), part = places[i] - left;
      bool right = (corner >> i & 1) != 0;
      at.push_back(right ? left + 1.0 : left);
      Value factor = right ? part : 1 - part;
      weight = weight ? weight * factor : factor;
    }
    Value part = weighted(weight, looked_up(image, at));
    total = total ? total + part : part;
  }
  return total;
}

Value sampled_nearest(const Image &image, const std::vector<Value> &places) {
  std::vector<Value> at;
  for (const Value &place : places)
    at.push_back(build::unary(OpKind::RoundNearestEven, place));
  return looked_up(image, at);
}

/// Returns the cubic weight of the k-th of four elements for a position at
/// distance `part` after the second one.
Value cubic_weight(const Value &part, int k) {
  const double a = -0.75;
  Value x = abs_of(part + static_cast<double>(1 - k));
  if (k == 1 || k == 2)
    return (x * (a + 2) - (a + 3)) * x * x + 1.0;
  return ((x * a - 5 * a) * x + 8 * a) * x - 4 * a;
}

Value sampled_cubically(const Image &image, const std::vector<Value> &places,
                        PaddingMode outside, bool align_corners) {
  Value top = floor_of(places[0]), left = floor_of(places[1]);
  Value down = places[0] - top, across = places[1] - left;
  auto moved = [&](const Value &at, int k, size_t i) {
    return coordinate_inside(at + static_cast<double>(k - 1), image.sizes[i],
                             outside, align_corners);
  };
  Value total;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      Value weight = cubic_weight(down, y) * cubic_weight(across, x);
      Value part = weighted(
          weight, looked_up(image, {moved(top, y, 0), moved(left, x, 1)}));
      total = total ? total + part : part;
    }
  return total;
}

PaddingMode parse_padding(std::string_view mode) {
  if (mode == "zeros")
    return PaddingMode::Zeros;
  if (mode == "border")
    return PaddingMode::Border;
  if (mode == "reflection")
    return PaddingMode::Reflection;
  raise<ValueError>("expected padding_mode to be 'zeros', 'border', or "
                    "'reflection', but got: '" +
                    std::string(mode) + "'");
}

void check(const Tensor &input, const Tensor &grid, std::string_view mode) {
  const Shape &x = impl_of(input).sizes, &g = impl_of(grid).sizes;
  if (mode != "bilinear" && mode != "nearest" && mode != "bicubic")
    raise<ValueError>("expected mode to be 'bilinear', 'nearest' or 'bicubic', "
                      "but got: '" +
                      std::string(mode) + "'");
  if ((x.size() != 4 && x.size() != 5) || g.size() != x.size())
    raise<ShapeError>("expected 4D or 5D input and grid with same number of "
                      "dimensions, but got input with sizes " +
                      to_text(x) + " and grid with sizes " + to_text(g));
  if (x[0] != g[0] || g.back() != static_cast<int64_t>(x.size()) - 2)
    raise<ShapeError>("expected a grid with the input's batch size and " +
                      std::to_string(x.size() - 2) +
                      " coordinates, but got input with sizes " + to_text(x) +
                      " and grid with sizes " + to_text(g));
  if (mode == "bicubic" && x.size() != 4)
    raise<UnsupportedError>("bicubic interpolation only supports 4D input");
  for (size_t i = 2; i < x.size(); ++i)
    if (x[i] == 0)
      raise<ShapeError>("expected input to have non-empty spatial dimensions, "
                        "but got " +
                        to_text(x));
  require_same_dtype(input, grid);
}

} // namespace

Tensor grid_sample(const Tensor &input, const Tensor &grid,
                   std::string_view mode, std::string_view padding_mode,
                   bool align_corners) {
  XLAC_CALL("grid_sample");
  check(input, grid, mode);
  PaddingMode outside = parse_padding(padding_mode);
  Setting setting = setting_of({&input, &grid});
  Value x = setting.of(input), g = setting.of(grid);
  const Shape sizes = sizes_of(x), points = sizes_of(g);
  size_t n = sizes.size() - 2;
  Image image{{}, Shape(sizes.begin() + 2, sizes.end()), sizes[0], sizes[1], 0};
  image.points = count_of(Shape(points.begin() + 1, points.end() - 1));
  Shape order{0};
  for (size_t i = 0; i < n; ++i)
    order.push_back(static_cast<int64_t>(i) + 2);
  order.push_back(1);
  image.rows =
      build::reshape(build::transpose(x, order),
                     {image.batch * count_of(image.sizes), image.channels});
  bool cubic = mode == "bicubic";
  std::vector<Value> places;
  for (size_t i = 0; i < n; ++i) {
    // The last coordinate is that of the first spatial dimension.
    auto which = static_cast<int64_t>(n - 1 - i);
    Value place =
        build::reshape(sliced(g, static_cast<int64_t>(n) + 1, which, which + 1),
                       {image.batch, image.points});
    place = unnormalized(place, image.sizes[i], align_corners);
    places.push_back(cubic ? place
                           : coordinate_inside(place, image.sizes[i], outside,
                                               align_corners));
  }
  Value sampled = cubic
                      ? sampled_cubically(image, places, outside, align_corners)
                  : mode == "nearest" ? sampled_nearest(image, places)
                                      : sampled_linearly(image, places);
  Shape result{image.batch, image.channels};
  result.insert(result.end(), points.begin() + 1, points.end() - 1);
  return setting.finish(build::reshape(swapped(sampled, 1, 2), result));
}

/// Returns the coordinates of `count` elements in [-1, 1]: their centers, or
/// with align_corners evenly spaced from -1 to 1.
static std::vector<double> spaced(int64_t count, bool align_corners) {
  std::vector<double> places;
  auto n = static_cast<double>(count);
  for (int64_t i = 0; i < count; ++i) {
    auto at = static_cast<double>(i);
    if (align_corners)
      places.push_back(count > 1 ? 2 * at / (n - 1) - 1 : 0);
    else
      places.push_back((2 * at + 1) / n - 1);
  }
  return places;
}

Tensor affine_grid(const Tensor &theta, IntArrayRef size, bool align_corners) {
  XLAC_CALL("affine_grid");
  Shape wanted(size.begin(), size.end());
  if (wanted.size() != 4 && wanted.size() != 5)
    raise<UnsupportedError>("affine_grid only supports 4D and 5D sizes, got " +
                            to_text(wanted));
  for (int64_t one : wanted)
    if (one <= 0)
      raise<ValueError>("expected non-zero, positive output size, got " +
                        to_text(wanted));
  auto n = static_cast<int64_t>(wanted.size()) - 2;
  if (impl_of(theta).sizes != Shape{wanted[0], n, n + 1})
    raise<ShapeError>("expected a batch of affine matrices of shape " +
                      to_text({wanted[0], n, n + 1}) + " for size " +
                      to_text(wanted) + ", got " +
                      to_text(impl_of(theta).sizes));
  Setting setting = setting_of({&theta});
  ElementType type = lazy::element_type(setting.wide);
  Shape spatial(wanted.begin() + 2, wanted.end());
  int64_t points = count_of(spatial);
  std::vector<Value> coordinates;
  for (int64_t i = n; i-- > 0;) {
    Value places = constant_list(spaced(spatial[i], align_corners), type);
    coordinates.push_back(build::reshape(
        build::broadcast_in_dim(places, spatial, {i}), {points, 1}));
  }
  coordinates.push_back(build::constant(type, {points, 1}, 1));
  Value base = build::concatenate(coordinates, 1);
  Value moved = build::dot_general(setting.of(theta), base, {}, {}, {2}, {1});
  Shape result{wanted[0]};
  result.insert(result.end(), spatial.begin(), spatial.end());
  result.push_back(n);
  return setting.finish(build::reshape(swapped(moved, 1, 2), result));
}

} // namespace xlac
