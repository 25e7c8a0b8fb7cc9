// Functions whose result's size depends on values. They run the pending graph
// of their operand and work on its elements.
#include "xlac/tensor/reduce_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xlac {

using namespace frontend;

namespace {

/// Rows of `width` elements each.
template <class T> struct Rows {
  std::vector<T> elements;
  int64_t count, width;

  const T *row(int64_t i) const { return elements.data() + i * width; }
  /// NaN sorts after all numbers.
  bool is_before(int64_t a, int64_t b) const {
    for (int64_t k = 0; k < width; ++k) {
      T x = row(a)[k], y = row(b)[k];
      if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(x) || std::isnan(y)) {
          if (std::isnan(x) != std::isnan(y))
            return std::isnan(y);
          continue;
        }
      if (x != y)
        return x < y;
    }
    return false;
  }
  /// NaN equals nothing.
  bool are_equal(int64_t a, int64_t b) const {
    return std::equal(row(a), row(a) + width, row(b));
  }
};

/// The indices of the distinct rows; for each row the index among them; and
/// their counts.
struct Distinct {
  std::vector<int64_t> chosen, inverse, counts;
};

template <class T> Distinct find_distinct(const Rows<T> &rows, bool sorted) {
  std::vector<int64_t> order(rows.count);
  std::iota(order.begin(), order.end(), 0);
  if (sorted)
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return rows.is_before(a, b);
    });
  Distinct found;
  found.inverse.resize(rows.count);
  for (int64_t i = 0; i < rows.count; ++i) {
    if (i == 0 || !rows.are_equal(order[i - 1], order[i])) {
      found.chosen.push_back(order[i]);
      found.counts.push_back(0);
    }
    found.inverse[order[i]] = static_cast<int64_t>(found.chosen.size()) - 1;
    ++found.counts.back();
  }
  return found;
}

template <class T> Distinct distinct_as(const Tensor &matrix, bool sorted) {
  Shape sizes = matrix.sizes();
  return find_distinct<T>({shaping_elements<T>(matrix), sizes[0], sizes[1]},
                          sorted);
}

Distinct distinct_rows(const Tensor &matrix, bool sorted) {
  Dtype dtype = impl_of(matrix).dtype;
  if (is_floating_point(dtype))
    return distinct_as<double>(matrix, sorted);
  if (dtype == kUInt64)
    return distinct_as<uint64_t>(matrix, sorted);
  return distinct_as<int64_t>(matrix, sorted);
}

Tensor integer_tensor(const std::vector<int64_t> &numbers, const Shape &sizes,
                      Device device) {
  return detail::from_memory(numbers.data(), kInt64, sizes,
                             TensorOptions(kInt64).device(device), kInt64);
}

std::tuple<Tensor, Tensor, Tensor> unique_of(const Tensor &self, bool sorted,
                                             bool with_inverse,
                                             bool with_counts,
                                             std::optional<int64_t> dim) {
  const TensorImpl &impl = impl_of(self);
  reject_complex(impl);
  Shape sizes = impl.sizes;
  int64_t count = self.numel(), along = 0;
  Tensor matrix;
  if (!dim) {
    matrix = xlac::reshape(self, {count, 1});
  } else {
    along = wrap_dim(*dim, static_cast<int64_t>(sizes.size()));
    if (sizes.empty())
      sizes = {1};
    if (count == 0)
      raise<ShapeError>("There are 0 sized dimensions, and they aren't "
                        "selected, so unique cannot be applied");
    matrix =
        xlac::reshape(xlac::transpose(xlac::reshape(self, sizes), 0, along),
                      {sizes[along], count / sizes[along]});
  }
  Distinct found = distinct_rows(matrix, sorted);
  auto kept = static_cast<int64_t>(found.chosen.size());
  Device device = impl.device();
  Value places = value_on(integer_tensor(found.chosen, {kept}, device), device);
  Value flat = dim ? value_on(self, device)
                   : build::reshape(value_on(self, device), {count});
  if (flat.tensor().dims.empty())
    flat = build::reshape(flat, {1});
  Value taken = kept == 0 ? flat : build::take(flat, places, along);
  Tensor values = finish(taken, device, impl.dtype);
  Shape inverse_sizes = dim ? Shape{sizes[along]} : impl.sizes;
  Tensor inverse, counts;
  if (with_inverse)
    inverse = integer_tensor(found.inverse, inverse_sizes, device);
  if (with_counts)
    counts = integer_tensor(found.counts, {kept}, device);
  return {values, inverse, counts};
}

} // namespace

std::tuple<Tensor, Tensor, Tensor> unique(const Tensor &self, bool,
                                          bool return_inverse,
                                          bool return_counts,
                                          std::optional<int64_t> dim) {
  XLAC_CALL("unique");
  return unique_of(self, true, return_inverse, return_counts, dim);
}

std::tuple<Tensor, Tensor, Tensor>
unique_consecutive(const Tensor &self, bool return_inverse, bool return_counts,
                   std::optional<int64_t> dim) {
  XLAC_CALL("unique_consecutive");
  return unique_of(self, false, return_inverse, return_counts, dim);
}

Tensor bincount(const Tensor &self, const Tensor &weights, int64_t minlength) {
  XLAC_CALL("bincount");
  const TensorImpl &impl = impl_of(self);
  if (impl.sizes.size() != 1 || lazy::category(impl.dtype) != 1)
    raise<ValueError>("only supports 1-d non-negative integral inputs, not " +
                      describe(self));
  if (minlength < 0)
    raise<ValueError>("minlength should be >= 0");
  if (weights.defined() && impl_of(weights).sizes != impl.sizes)
    raise<ShapeError>("weights should be 1-d and have the same length as "
                      "input");
  std::vector<int64_t> bins = shaping_elements<int64_t>(self);
  int64_t size = minlength;
  for (int64_t bin : bins) {
    if (bin < 0)
      raise<ValueError>("only supports 1-d non-negative integral inputs, not " +
                        std::to_string(bin));
    size = std::max(size, bin + 1);
  }
  Device device = impl.device();
  if (!weights.defined()) {
    std::vector<int64_t> counts(size);
    for (int64_t bin : bins)
      ++counts[bin];
    return integer_tensor(counts, {size}, device);
  }
  Dtype dtype = impl_of(weights).dtype == kFloat32 ? kFloat32 : kFloat64;
  std::vector<double> values = weights.to_vector<double>(), sums(size);
  for (size_t i = 0; i < bins.size(); ++i)
    sums[bins[i]] += values[i];
  return detail::from_memory(sums.data(), kFloat64, Shape{size},
                             TensorOptions(dtype).device(device), dtype);
}

} // namespace xlac
