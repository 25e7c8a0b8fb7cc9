// Sums, products, any and all.
#include "xlac/tensor/reduce_values.h"

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

/// Bool and integers are summed in int64.
Dtype sum_dtype(const Tensor &self, std::optional<Dtype> asked) {
  Dtype dtype = impl_of(self).dtype;
  return asked.value_or(lazy::category(dtype) < 2 ? kInt64 : dtype);
}

Dtype mean_dtype(const Tensor &self, std::optional<Dtype> asked) {
  Dtype dtype = asked.value_or(impl_of(self).dtype);
  if (lazy::category(dtype) < 2)
    raise<DtypeError>(
        std::string("could not infer output dtype. ") +
        (asked ? "Optional" : "Input") +
        " dtype must be either a floating point or complex dtype. Got: " +
        lazy::legacy_name(dtype));
  return dtype;
}

Tensor sum_over(const Tensor &self, IntArrayRef dims, bool keepdim,
                std::optional<Dtype> asked) {
  Dtype dtype = sum_dtype(self, asked);
  Reduction reduction = prepare(self, dims, dtype);
  return conclude(reduction, sum_value(reduction.value, reduction.dims),
                  keepdim, dtype);
}

Tensor mean_over(const Tensor &self, IntArrayRef dims, bool keepdim,
                 std::optional<Dtype> asked) {
  Dtype dtype = mean_dtype(self, asked);
  Reduction reduction = prepare(self, dims, dtype);
  return conclude(reduction, mean_value(reduction.value, reduction.dims),
                  keepdim, dtype);
}

/// Replaces NaN by 0.
Value without_nan(const Value &value) {
  return build::select(is_nan(value), constant_like(value, 0), value);
}

Tensor nansum_over(const Tensor &self, IntArrayRef dims, bool keepdim,
                   std::optional<Dtype> asked) {
  if (is_complex(impl_of(self).dtype))
    raise<DtypeError>("nansum does not support complex inputs");
  Dtype dtype = sum_dtype(self, asked);
  Reduction reduction = prepare(self, dims, dtype);
  Value kept =
      is_floating_point(dtype) ? without_nan(reduction.value) : reduction.value;
  return conclude(reduction, sum_value(kept, reduction.dims), keepdim, dtype);
}

Tensor nanmean_over(const Tensor &self, IntArrayRef dims, bool keepdim,
                    std::optional<Dtype> asked) {
  expect_floating(impl_of(self).dtype);
  Dtype dtype = mean_dtype(self, asked);
  Reduction reduction = prepare(self, dims, dtype);
  const Value &value = reduction.value;
  Value present = build::compare(ComparisonDirection::EQ, value, value);
  Value count = sum_value(build::convert(present, value.tensor().element),
                          reduction.dims);
  Value total = sum_value(without_nan(value), reduction.dims);
  return conclude(reduction, build::binary(OpKind::Divide, total, count),
                  keepdim, dtype);
}

Tensor prod_over(const Tensor &self, IntArrayRef dims, bool keepdim,
                 std::optional<Dtype> asked) {
  Dtype dtype = sum_dtype(self, asked);
  Reduction reduction = prepare(self, dims, dtype);
  return conclude(reduction, prod_value(reduction.value, reduction.dims),
                  keepdim, dtype);
}

/// For any and all: returns bool, but uint8 for uint8.
Tensor test_over(const Tensor &self, IntArrayRef dims, bool keepdim,
                 Value (*fold)(Value, const Shape &)) {
  Dtype dtype = impl_of(self).dtype == kUInt8 ? kUInt8 : kBool;
  Reduction reduction = prepare(self, dims, kBool);
  return conclude(reduction, fold(reduction.value, reduction.dims), keepdim,
                  dtype);
}

} // namespace

//===- Sums ---------------------------------------------------------------===//

Tensor sum(const Tensor &self) {
  XLAC_CALL("sum");
  return sum_over(self, Shape(), false, {});
}
Tensor sum(const Tensor &self, Dtype dtype) {
  XLAC_CALL("sum");
  return sum_over(self, Shape(), false, dtype);
}
Tensor sum(const Tensor &self, IntArrayRef dims, bool keepdim,
           std::optional<Dtype> dtype) {
  XLAC_CALL("sum");
  return sum_over(self, dims, keepdim, dtype);
}

Tensor mean(const Tensor &self) {
  XLAC_CALL("mean");
  return mean_over(self, Shape(), false, {});
}
Tensor mean(const Tensor &self, Dtype dtype) {
  XLAC_CALL("mean");
  return mean_over(self, Shape(), false, dtype);
}
Tensor mean(const Tensor &self, IntArrayRef dims, bool keepdim,
            std::optional<Dtype> dtype) {
  XLAC_CALL("mean");
  return mean_over(self, dims, keepdim, dtype);
}

Tensor nansum(const Tensor &self, IntArrayRef dims, bool keepdim,
              std::optional<Dtype> dtype) {
  XLAC_CALL("nansum");
  return nansum_over(self, dims, keepdim, dtype);
}

Tensor nanmean(const Tensor &self, IntArrayRef dims, bool keepdim,
               std::optional<Dtype> dtype) {
  XLAC_CALL("nanmean");
  return nanmean_over(self, dims, keepdim, dtype);
}

Tensor prod(const Tensor &self, std::optional<Dtype> dtype) {
  XLAC_CALL("prod");
  return prod_over(self, Shape(), false, dtype);
}
Tensor prod(const Tensor &self, int64_t dim, bool keepdim,
            std::optional<Dtype> dtype) {
  XLAC_CALL("prod");
  return prod_over(self, dim, keepdim, dtype);
}

//===- Any and all --------------------------------------------------------===//

Tensor any(const Tensor &self) {
  XLAC_CALL("any");
  return test_over(self, Shape(), false, any_value);
}
Tensor any(const Tensor &self, IntArrayRef dims, bool keepdim) {
  XLAC_CALL("any");
  return test_over(self, dims, keepdim, any_value);
}

Tensor all(const Tensor &self) {
  XLAC_CALL("all");
  return test_over(self, Shape(), false, all_value);
}
Tensor all(const Tensor &self, IntArrayRef dims, bool keepdim) {
  XLAC_CALL("all");
  return test_over(self, dims, keepdim, all_value);
}

Tensor count_nonzero(const Tensor &self, IntArrayRef dims) {
  XLAC_CALL("count_nonzero");
  Reduction reduction = prepare(self, dims, kBool);
  Value ones = build::convert(reduction.value, ElementType::I64);
  return conclude(reduction, sum_value(ones, reduction.dims), false, kInt64);
}

} // namespace xlac
