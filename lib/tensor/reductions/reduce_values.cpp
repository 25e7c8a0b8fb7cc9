#include "xlac/tensor/reduce_values.h"

#include <algorithm>
#include <numeric>

namespace xlac::frontend {

using ops::ComparisonDirection;

//===- Arguments ----------------------------------------------------------===//

Shape resolve_dims(const Shape &sizes, IntArrayRef given) {
  auto rank = static_cast<int64_t>(sizes.size());
  Shape dims;
  for (int64_t dim : given) {
    int64_t wrapped = wrap_dim(dim, rank);
    if (std::find(dims.begin(), dims.end(), wrapped) != dims.end())
      raise<ValueError>("dim " + std::to_string(wrapped) +
                        " appears multiple times in the list of dims");
    dims.push_back(wrapped);
  }
  if (rank == 0)
    return {};
  if (given.size() == 0) {
    dims.resize(sizes.size());
    std::iota(dims.begin(), dims.end(), 0);
  }
  std::sort(dims.begin(), dims.end());
  return dims;
}

void reject_empty(const Shape &sizes, const Shape &dims) {
  for (int64_t dim : dims)
    if (sizes[dim] == 0)
      raise<IndexError>("Expected reduction dim " + std::to_string(dim) +
                        " to have non-zero size.");
}

void reject_complex(const TensorImpl &impl) {
  if (is_complex(impl.dtype))
    raise<DtypeError>("complex numbers have no order");
}

void expect_floating(Dtype dtype, bool complex_too) {
  if (!is_floating_point(dtype) && !(complex_too && is_complex(dtype)))
    raise<DtypeError>(std::string("only floating point ") +
                      (complex_too ? "and complex dtypes are" : "dtypes are") +
                      " supported, not " + lazy::legacy_name(dtype));
}

//===- Shapes -------------------------------------------------------------===//

Value keep_dims(Value reduced, const Shape &sizes, const Shape &dims) {
  Shape kept = sizes;
  for (int64_t dim : dims)
    kept[dim] = 1;
  return build::reshape(std::move(reduced), kept);
}

Value broadcast_along(Value reduced, const Shape &sizes, const Shape &dims) {
  Shape mapping;
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i)
    if (std::find(dims.begin(), dims.end(), i) == dims.end())
      mapping.push_back(i);
  return build::broadcast_in_dim(std::move(reduced), sizes, mapping);
}

Value broadcast_along(Value reduced, const Shape &sizes, int64_t dim) {
  return broadcast_along(std::move(reduced), sizes, Shape{dim});
}

int64_t count_along(const Shape &sizes, const Shape &dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= sizes[dim];
  return count;
}

Value part_of(const Value &value, int64_t dim, int64_t start, int64_t end) {
  const Shape &sizes = value.tensor().dims;
  if (start == 0 && end == sizes[dim])
    return value;
  Shape starts(sizes.size(), 0), limits = sizes, steps(sizes.size(), 1);
  starts[dim] = start;
  limits[dim] = end;
  return build::slice(value, starts, limits, steps);
}

Value shifted(const Value &value, int64_t dim, int64_t step,
              const Value &filler) {
  const Shape &sizes = value.tensor().dims;
  Shape low(sizes.size(), 0), none(sizes.size(), 0);
  low[dim] = step;
  return build::pad(part_of(value, dim, 0, sizes[dim] - step), filler, low,
                    none, none);
}

//===- Elements -----------------------------------------------------------===//

ElementType wide_type(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16
             ? ElementType::F32
             : type;
}

Value widen(const Value &value) {
  return build::convert(value, wide_type(value.tensor().element));
}

Value constant_like(const Value &like, const Scalar &number) {
  return build::broadcast_to(build::constant(like.tensor().element, {}, number),
                             like.tensor().dims);
}

Value to_type(const Value &value, ElementType type) {
  if (!is_complex(type) || is_complex(value.tensor().element))
    return build::convert(value, type);
  Value real = build::convert(value, real_part_type(type));
  return build::binary(OpKind::Complex, real, constant_like(real, 0));
}

Value is_nan(const Value &value) {
  return build::compare(ComparisonDirection::NE, value, value);
}

Value safe_sqrt(const Value &value) {
  Value zero = constant_like(value, 0);
  Value none = build::compare(ComparisonDirection::EQ, value, zero);
  Value safe = build::select(none, constant_like(value, 1), value);
  return build::select(none, zero, build::unary(OpKind::Sqrt, safe));
}

Value squared_magnitude(const Value &value) {
  if (!is_complex(value.tensor().element))
    return build::binary(OpKind::Multiply, value, value);
  Value real = build::unary(OpKind::Real, value);
  Value imaginary = build::unary(OpKind::Imag, value);
  return build::binary(OpKind::Add, build::binary(OpKind::Multiply, real, real),
                       build::binary(OpKind::Multiply, imaginary, imaginary));
}

//===- Reductions ---------------------------------------------------------===//

static Value fold(OpKind op, Value value, Value init, const Shape &dims) {
  if (dims.empty())
    return value;
  return build::reduce(op, std::move(value), std::move(init), dims);
}

Value sum_value(Value value, const Shape &dims) {
  ElementType type = value.tensor().element;
  return fold(OpKind::Add, std::move(value), build::constant(type, {}, 0),
              dims);
}

Value prod_value(Value value, const Shape &dims) {
  ElementType type = value.tensor().element;
  return fold(OpKind::Multiply, std::move(value), build::constant(type, {}, 1),
              dims);
}

Value mean_value(Value value, const Shape &dims) {
  int64_t count = count_along(value.tensor().dims, dims);
  Value total = sum_value(std::move(value), dims);
  return build::binary(OpKind::Divide, total,
                       constant_like(total, Scalar(count)));
}

Value max_value(Value value, const Shape &dims) {
  ElementType type = value.tensor().element;
  return fold(OpKind::Maximum, std::move(value), build::extreme(type, true),
              dims);
}

Value min_value(Value value, const Shape &dims) {
  ElementType type = value.tensor().element;
  return fold(OpKind::Minimum, std::move(value), build::extreme(type, false),
              dims);
}

Value all_value(Value value, const Shape &dims) {
  return fold(OpKind::And, std::move(value),
              build::constant(ElementType::I1, {}, true), dims);
}

Value any_value(Value value, const Shape &dims) {
  return fold(OpKind::Or, std::move(value),
              build::constant(ElementType::I1, {}, false), dims);
}

//===- Results ------------------------------------------------------------===//

Dtype floating_dtype(Dtype dtype) {
  return lazy::category(dtype) < 2 ? get_default_dtype() : dtype;
}

Dtype real_dtype(Dtype dtype) {
  return dtype == kComplex64    ? kFloat32
         : dtype == kComplex128 ? kFloat64
                                : dtype;
}

Reduction prepare(const Tensor &self, IntArrayRef dims, Dtype dtype) {
  const TensorImpl &impl = impl_of(self);
  Reduction reduction{
      impl.sizes, resolve_dims(impl.sizes, dims), impl.device(), {}};
  reduction.value = widen(value_on(self, reduction.device, dtype));
  return reduction;
}

Tensor conclude(const Reduction &reduction, Value reduced, bool keepdim,
                Dtype dtype) {
  if (keepdim)
    reduced = keep_dims(reduced, reduction.sizes, reduction.dims);
  return finish(build::convert(reduced, lazy::element_type(dtype)),
                reduction.device, dtype);
}

} // namespace xlac::frontend
