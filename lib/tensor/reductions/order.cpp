// Sorting, and selection by rank.
#include "order.h"

#include <cmath>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace frontend {

Row prepare_row(const Tensor &self, int64_t dim) {
  const TensorImpl &impl = impl_of(self);
  reject_complex(impl);
  Row row{impl.device(), impl.dtype, impl.sizes,
          wrap_dim(dim, static_cast<int64_t>(impl.sizes.size())),
          value_on(self, impl.device())};
  if (impl.sizes.empty())
    row.value = build::reshape(row.value, {1});
  return row;
}

Sorted sort_row(const Row &row, bool descending) {
  Value places =
      build::iota(ElementType::I64, row.value.tensor().dims, row.dim);
  std::vector<Value> sorted =
      build::sort({row.value, places}, row.dim, descending);
  return {sorted[0], sorted[1]};
}

std::tuple<Tensor, Tensor> finish_row(const Row &row, Value values,
                                      Value indices) {
  if (row.sizes.empty()) {
    values = build::reshape(values, {});
    indices = build::reshape(indices, {});
  }
  std::vector<Tensor> results =
      finish_all({values, indices}, row.device, {row.dtype, kInt64});
  return {results[0], results[1]};
}

} // namespace frontend

namespace {

/// Takes from each sorted row the element at its index `place`. The dim is
/// removed or kept with size 1.
std::tuple<Tensor, Tensor> choose(const Row &row, const Sorted &sorted,
                                  const Value &place, bool keepdim) {
  Value values = build::take_along(sorted.values, place, row.dim);
  Value indices = build::take_along(sorted.indices, place, row.dim);
  Shape sizes = row.sizes;
  if (!sizes.empty() && keepdim)
    sizes[row.dim] = 1;
  else if (!sizes.empty())
    sizes.erase(sizes.begin() + row.dim);
  return finish_row(row, build::reshape(values, sizes),
                    build::reshape(indices, sizes));
}

/// One index for all rows of `row`.
Value same_place(const Row &row, int64_t place) {
  Shape sizes = row.value.tensor().dims;
  sizes[row.dim] = 1;
  return build::constant(ElementType::I64, sizes, Scalar(place));
}

Value keep_one(Value reduced, const Row &row) {
  return keep_dims(std::move(reduced), row.value.tensor().dims, {row.dim});
}

/// Returns the index of the lower median. In a row that has NaN it is the first
/// NaN, unless NaN are skipped.
Value middle_place(const Row &row, const Sorted &sorted, bool skip_nan) {
  int64_t length = row.length();
  Value middle = same_place(row, (length - 1) / 2);
  if (!is_float(row.value.tensor().element))
    return middle;
  Value nan = build::convert(is_nan(sorted.values), ElementType::I64);
  Value count = keep_one(sum_value(nan, {row.dim}), row);
  Value zero = constant_like(count, 0);
  Value numbers = build::binary(OpKind::Subtract,
                                constant_like(count, Scalar(length)), count);
  if (!skip_nan)
    return build::select(build::compare(ComparisonDirection::EQ, count, zero),
                         middle, numbers);
  Value last = build::binary(
      OpKind::Maximum, zero,
      build::binary(OpKind::Subtract, numbers, constant_like(count, 1)));
  return build::binary(OpKind::Divide, last, constant_like(count, 2));
}

std::tuple<Tensor, Tensor> median_along(const Tensor &self, int64_t dim,
                                        bool keepdim, bool skip_nan) {
  Row row = prepare_row(self, dim);
  if (row.length() == 0)
    reject_empty(row.sizes, {row.dim});
  Sorted sorted = sort_row(row, false);
  return choose(row, sorted, middle_place(row, sorted, skip_nan), keepdim);
}

Tensor full_median(const Tensor &self, bool skip_nan) {
  const TensorImpl &impl = impl_of(self);
  int64_t count = self.numel();
  if (count == 0) {
    if (!is_floating_point(impl.dtype))
      raise<ValueError>("the median of no integers is undefined");
    return finish(build::constant(lazy::element_type(impl.dtype), {}, NAN),
                  impl.device(), impl.dtype);
  }
  Tensor flat = xlac::reshape(self, {count});
  return std::get<0>(median_along(flat, 0, false, skip_nan));
}

} // namespace

//===- Sort ---------------------------------------------------------------===//

std::tuple<Tensor, Tensor> sort(const Tensor &self, int64_t dim,
                                bool descending, bool) {
  XLAC_CALL("sort");
  Row row = prepare_row(self, dim);
  Sorted sorted = sort_row(row, descending);
  return finish_row(row, sorted.values, sorted.indices);
}

Tensor argsort(const Tensor &self, int64_t dim, bool descending, bool) {
  XLAC_CALL("argsort");
  Row row = prepare_row(self, dim);
  Value indices = sort_row(row, descending).indices;
  return finish(build::reshape(indices, row.sizes), row.device, kInt64);
}

Tensor msort(const Tensor &self) {
  XLAC_CALL("msort");
  Row row = prepare_row(self, 0);
  Value values = sort_row(row, false).values;
  return finish(build::reshape(values, row.sizes), row.device, row.dtype);
}

std::tuple<Tensor, Tensor> topk(const Tensor &self, int64_t k, int64_t dim,
                                bool largest, bool) {
  XLAC_CALL("topk");
  Row row = prepare_row(self, dim);
  if (k < 0 || k > row.length())
    raise<ValueError>("selected index k out of range: " + std::to_string(k) +
                      " of " + std::to_string(row.length()));
  Sorted sorted = sort_row(row, largest);
  if (row.sizes.empty() && k == 0)
    row.sizes = {0};
  return finish_row(row, part_of(sorted.values, row.dim, 0, k),
                    part_of(sorted.indices, row.dim, 0, k));
}

//===- By rank ------------------------------------------------------------===//

std::tuple<Tensor, Tensor> kthvalue(const Tensor &self, int64_t k, int64_t dim,
                                    bool keepdim) {
  XLAC_CALL("kthvalue");
  Row row = prepare_row(self, dim);
  if (k < 1 || k > row.length())
    raise<ValueError>("selected number k out of range for dimension " +
                      std::to_string(row.dim));
  return choose(row, sort_row(row, false), same_place(row, k - 1), keepdim);
}

Tensor median(const Tensor &self) {
  XLAC_CALL("median");
  return full_median(self, false);
}
std::tuple<Tensor, Tensor> median(const Tensor &self, int64_t dim,
                                  bool keepdim) {
  XLAC_CALL("median");
  return median_along(self, dim, keepdim, false);
}
Tensor nanmedian(const Tensor &self) {
  XLAC_CALL("nanmedian");
  return full_median(self, true);
}
std::tuple<Tensor, Tensor> nanmedian(const Tensor &self, int64_t dim,
                                     bool keepdim) {
  XLAC_CALL("nanmedian");
  return median_along(self, dim, keepdim, true);
}

std::tuple<Tensor, Tensor> mode(const Tensor &self, int64_t dim, bool keepdim) {
  XLAC_CALL("mode");
  Row row = prepare_row(self, dim);
  if (row.length() == 0)
    reject_empty(row.sizes, {row.dim});
  Sorted sorted = sort_row(row, false);
  // Finds the start of the run of equal values at each position. The longest
  // run is the mode.
  Value places =
      build::iota(ElementType::I64, row.value.tensor().dims, row.dim);
  Value start = places;
  for (int64_t step = 1; step < row.length(); step *= 2) {
    auto before = [&](const Value &value) {
      return shifted(value, row.dim, step,
                     build::constant(value.tensor().element, {}, 0));
    };
    Value inside = build::compare(ComparisonDirection::GE, places,
                                  constant_like(places, Scalar(step)));
    Value same = build::compare(ComparisonDirection::EQ, sorted.values,
                                before(sorted.values));
    start = build::select(build::binary(OpKind::And, inside, same),
                          before(start), start);
  }
  Value run = build::binary(OpKind::Subtract, places, start);
  Value place =
      keep_one(build::reduce_with_index(true, run, row.dim).second, row);
  return choose(row, sorted, place, keepdim);
}

} // namespace xlac
