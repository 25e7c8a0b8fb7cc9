// Quantiles, histograms and searches in sorted sequences.
#include "order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

//===- Quantiles ----------------------------------------------------------===//

/// The ranks between which to interpolate, and the weight.
struct Ranks {
  Value below, above;
  std::optional<Value> weight; ///< of the element at `above`
};

Ranks interpolate(const Value &rank, const std::string &how) {
  auto rounded = [&](OpKind op) { return build::unary(op, rank); };
  Value low = rounded(OpKind::Floor), high = rounded(OpKind::Ceil);
  if (how == "lower")
    return {low, low, {}};
  if (how == "higher")
    return {high, high, {}};
  if (how == "nearest") {
    Value near = rounded(OpKind::RoundNearestEven);
    return {near, near, {}};
  }
  if (how == "midpoint")
    return {low, high, constant_like(rank, 0.5)};
  if (how == "linear")
    return {low, high, build::binary(OpKind::Subtract, rank, low)};
  raise<ValueError>("interpolation must be one of linear, lower, higher, "
                    "midpoint or nearest, but got " +
                    how);
}

/// a + weight (b - a), exact at both ends.
Value lerp_value(const Value &a, const Value &b, const Value &weight) {
  Value gap = build::binary(OpKind::Subtract, b, a);
  Value up = build::binary(OpKind::Add, a,
                           build::binary(OpKind::Multiply, weight, gap));
  Value rest =
      build::binary(OpKind::Subtract, constant_like(weight, 1), weight);
  Value down = build::binary(OpKind::Subtract, b,
                             build::binary(OpKind::Multiply, gap, rest));
  Value near = build::compare(ComparisonDirection::LT, weight,
                              constant_like(weight, 0.5));
  return build::select(near, up, down);
}

/// Returns quantiles of the sorted `values` along `dim`, whose size becomes
/// that of `q`.
Value quantiles_of(const Value &values, int64_t dim, const Value &q,
                   const std::string &how) {
  const Shape &sizes = values.tensor().dims;
  int64_t length = sizes[dim];
  Value rank =
      build::binary(OpKind::Multiply, q,
                    constant_like(q, Scalar(static_cast<double>(length - 1))));
  Ranks ranks = interpolate(rank, how);
  auto at = [&](const Value &place) {
    return build::take(values, build::convert(place, ElementType::I64), dim);
  };
  Value result = at(ranks.below);
  const Shape &made = result.tensor().dims;
  if (ranks.weight)
    result = lerp_value(result, at(ranks.above),
                        build::broadcast_in_dim(*ranks.weight, made, {dim}));
  // NaN are sorted last: a row has NaN if its last element is NaN.
  Value last = part_of(values, dim, length - 1, length);
  Shape all(made.size());
  std::iota(all.begin(), all.end(), 0);
  last = build::broadcast_in_dim(last, made, all);
  return build::select(is_nan(last), last, result);
}

Tensor quantile_of(const Tensor &self, const Value &q, bool several,
                   std::optional<int64_t> dim, bool keepdim,
                   const std::string &how) {
  Tensor source = dim ? self : xlac::reshape(self, {self.numel()});
  Row row = prepare_row(source, dim.value_or(0));
  if (row.length() == 0)
    raise<ValueError>("input tensor must be non-empty");
  Value found = quantiles_of(sort_row(row, false).values, row.dim, q, how);
  // The quantiles become the first dimension.
  auto rank = static_cast<int64_t>(found.tensor().dims.size());
  Shape order{row.dim}, sizes;
  for (int64_t i = 0; i < rank; ++i)
    if (i != row.dim)
      order.push_back(i);
  if (several)
    sizes.push_back(q.tensor().dims[0]);
  const Shape &given = impl_of(self).sizes;
  for (int64_t i = 0; i < static_cast<int64_t>(given.size()); ++i) {
    bool reduced = !dim || i == row.dim;
    if (!reduced || keepdim)
      sizes.push_back(reduced ? 1 : given[i]);
  }
  return finish(build::reshape(build::transpose(found, order), sizes),
                row.device, row.dtype);
}

void expect_quantile_dtype(Dtype dtype) {
  if (dtype != kFloat32 && dtype != kFloat64)
    raise<DtypeError>("input tensor must be either float or double dtype");
}

//===- Searching ----------------------------------------------------------===//

/// Counts how many of the sorted `edges` [B, n] precede each of `values` [B,
/// m]; equal edges count if `right`. NaN is greater than all numbers.
Value count_before(const Value &edges, const Value &values, bool right) {
  int64_t length = edges.tensor().dims[1];
  Value low = build::constant(ElementType::I64, values.tensor().dims, 0);
  Value high = constant_like(low, Scalar(length));
  for (int64_t left = length; left > 0; left /= 2) {
    Value middle =
        build::binary(OpKind::Divide, build::binary(OpKind::Add, low, high),
                      constant_like(low, Scalar(2)));
    Value edge = build::take_along(edges, middle, 1);
    Value behind = build::compare(right ? ComparisonDirection::GT
                                        : ComparisonDirection::GE,
                                  edge, values);
    Value open = build::compare(ComparisonDirection::LT, low, high);
    Value next = build::binary(OpKind::Add, middle, constant_like(low, 1));
    Value go_right =
        build::binary(OpKind::And, open, build::unary(OpKind::Not, behind));
    Value go_left = build::binary(OpKind::And, open, behind);
    low = build::select(go_right, next, low);
    high = build::select(go_left, middle, high);
  }
  return low;
}

Tensor search(const Tensor &edges, const Tensor &values, bool out_int32,
              bool right, const Tensor &sorter) {
  const Shape &places = impl_of(edges).sizes, sizes = impl_of(values).sizes;
  if (places.empty())
    raise<ShapeError>("boundaries tensor should have positive dimension");
  Dtype common = promote_types(impl_of(edges).dtype, impl_of(values).dtype);
  reject_complex(impl_of(edges));
  reject_complex(impl_of(values));
  bool shared = places.size() == 1;
  if (!shared && (places.size() != sizes.size() ||
                  !std::equal(places.begin(), places.end() - 1, sizes.begin())))
    raise<ShapeError>("boundaries tensor should be 1 dimension or the first "
                      "N-1 dimensions of boundaries tensor and input value "
                      "tensor must match");
  Device device = common_device({&edges, &values, &sorter});
  Value sorted = value_on(edges, device, common);
  if (sorter.defined()) {
    if (impl_of(sorter).sizes != places)
      raise<ShapeError>("boundary and sorter must have the same size");
    if (impl_of(sorter).dtype != kInt64)
      raise<DtypeError>("sorter must be a tensor of long dtype");
    sorted = build::take_along(sorted, value_on(sorter, device),
                               static_cast<int64_t>(places.size()) - 1);
  }
  int64_t count = count_along(sizes, resolve_dims(sizes, Shape()));
  int64_t batch = 1;
  if (!shared)
    for (size_t i = 0; i + 1 < places.size(); ++i)
      batch *= places[i];
  Value rows = build::reshape(sorted, {batch, places.back()});
  Value wanted =
      build::reshape(value_on(values, device, common),
                     {batch, batch == 0 ? sizes.back() : count / batch});
  Dtype dtype = out_int32 ? kInt32 : kInt64;
  Value found = build::reshape(count_before(rows, wanted, right), sizes);
  return finish(build::convert(found, lazy::element_type(dtype)), device,
                dtype);
}

/// `side` overrides `right`; throws if they contradict each other.
bool is_right(bool right, const std::optional<std::string> &side) {
  if (!side)
    return right;
  if (*side != "left" && *side != "right")
    raise<ValueError>("side can only be 'left' or 'right' but got " + *side);
  if (right && *side == "left")
    raise<ValueError>("side and right can't be set to opposites");
  return *side == "right";
}

/// Returns the bounds of a histogram: min and max, or those of the elements
/// when both are equal.
std::pair<Value, Value> bounds_of(const Value &flat, Scalar min, Scalar max,
                                  Dtype dtype, Device device) {
  Value low = number_value(min, dtype, device);
  Value high = number_value(max, dtype, device);
  if (min.to<double>() == max.to<double>() && flat.tensor().dims[0] > 0) {
    low = min_value(flat, {0});
    high = max_value(flat, {0});
  }
  Value level = build::compare(ComparisonDirection::EQ, low, high);
  Value one = constant_like(low, 1);
  return {build::select(level, build::binary(OpKind::Subtract, low, one), low),
          build::select(level, build::binary(OpKind::Add, high, one), high)};
}

} // namespace

Tensor quantile(const Tensor &self, const Tensor &q, std::optional<int64_t> dim,
                bool keepdim, const std::string &interpolation) {
  XLAC_CALL("quantile");
  Dtype dtype = impl_of(self).dtype;
  expect_quantile_dtype(dtype);
  const TensorImpl &given = impl_of(q);
  if (given.sizes.size() > 1)
    raise<ShapeError>("q must be a scalar or 1D tensor");
  if (given.dtype != dtype)
    raise<DtypeError>("q tensor must be same dtype as the input tensor");
  // As in PyTorch: a check of an xla tensor would wait for its value.
  if (given.device().type == kCPU)
    for (double place : q.detach().to(kFloat64).to_vector<double>())
      if (!(place >= 0 && place <= 1))
        raise<ValueError>("q values must be in the range [0, 1]");
  Device device = common_device({&self, &q});
  bool several = !given.sizes.empty();
  Value places = value_on(q, device);
  return quantile_of(self, several ? places : build::reshape(places, {1}),
                     several, dim, keepdim, interpolation);
}

Tensor quantile(const Tensor &self, double q, std::optional<int64_t> dim,
                bool keepdim, const std::string &interpolation) {
  XLAC_CALL("quantile");
  const TensorImpl &impl = impl_of(self);
  expect_quantile_dtype(impl.dtype);
  if (!(q >= 0 && q <= 1))
    raise<ValueError>("q must be in the range [0, 1] but got " +
                      std::to_string(q));
  Value place = build::reshape(number_value(q, impl.dtype, impl.device()), {1});
  return quantile_of(self, place, false, dim, keepdim, interpolation);
}

Tensor searchsorted(const Tensor &sorted_sequence, const Tensor &self,
                    bool out_int32, bool right,
                    const std::optional<std::string> &side,
                    const Tensor &sorter) {
  XLAC_CALL("searchsorted");
  return search(sorted_sequence, self, out_int32, is_right(right, side),
                sorter);
}

Tensor searchsorted(const Tensor &sorted_sequence, Scalar self, bool out_int32,
                    bool right, const std::optional<std::string> &side,
                    const Tensor &sorter) {
  XLAC_CALL("searchsorted");
  const TensorImpl &impl = impl_of(sorted_sequence);
  Tensor value =
      xlac::full({}, self, TensorOptions(impl.dtype).device(impl.device()));
  return search(sorted_sequence, value, out_int32, is_right(right, side),
                sorter);
}

Tensor bucketize(const Tensor &self, const Tensor &boundaries, bool out_int32,
                 bool right) {
  XLAC_CALL("bucketize");
  if (impl_of(boundaries).sizes.size() != 1)
    raise<ShapeError>("boundaries tensor must be 1 dimension, but got dim(" +
                      std::to_string(impl_of(boundaries).sizes.size()) + ")");
  return search(boundaries, self, out_int32, right, {});
}

Tensor histc(const Tensor &self, int64_t bins, Scalar min, Scalar max) {
  XLAC_CALL("histc");
  const TensorImpl &impl = impl_of(self);
  expect_floating(impl.dtype);
  if (bins <= 0)
    raise<ValueError>("bins must be > 0, but got " + std::to_string(bins));
  if (min.to<double>() > max.to<double>())
    raise<ValueError>("max must be larger than min");
  int64_t count = self.numel();
  Device device = impl.device();
  Dtype wide =
      *lazy::dtype_of_element(wide_type(lazy::element_type(impl.dtype)));
  Value flat = build::reshape(value_on(self, device, wide), {count});
  auto [low, high] = bounds_of(flat, min, max, wide, device);
  Value least = build::broadcast_to(low, {count});
  Value most = build::broadcast_to(high, {count});
  Value above = build::binary(OpKind::Subtract, flat, least);
  Value width = build::binary(OpKind::Subtract, most, least);
  Value scaled =
      build::binary(OpKind::Multiply, above,
                    constant_like(above, Scalar(static_cast<double>(bins))));
  Value bin = build::convert(build::binary(OpKind::Divide, scaled, width),
                             ElementType::I64);
  bin =
      build::binary(OpKind::Minimum, bin, constant_like(bin, Scalar(bins - 1)));
  Value inside = build::binary(
      OpKind::And, build::compare(ComparisonDirection::GE, flat, least),
      build::compare(ComparisonDirection::LE, flat, most));
  // Elements outside of the bounds get an index that no bin has.
  bin = build::select(inside, bin, constant_like(bin, Scalar(bins)));
  ops::ScatterDimensionNumbers numbers;
  numbers.inserted_window_dims = {0};
  numbers.scatter_dims_to_operand_dims = {0};
  numbers.index_vector_dim = 1;
  ElementType type = flat.tensor().element;
  Value counts =
      build::scatter(OpKind::Add, build::constant(type, {bins}, 0), bin,
                     build::constant(type, {count}, 1), numbers);
  return finish(build::convert(counts, lazy::element_type(impl.dtype)), device,
                impl.dtype);
}

} // namespace xlac
