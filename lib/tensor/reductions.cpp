// Reductions and what is made of them.
#include "xlac/tensor/access.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace xlac {

using namespace front;

namespace {

/// Dims counted from the front, all of them for an empty list.
Shape resolve_dims(const TensorImpl &impl, IntArrayRef given) {
  int64_t rank = static_cast<int64_t>(impl.sizes.size());
  Shape dims;
  for (int64_t dim : given) {
    int64_t wrapped = wrap_dim(dim, rank);
    if (std::find(dims.begin(), dims.end(), wrapped) != dims.end())
      raise<ValueError>("dim " + std::to_string(wrapped) +
                        " appears multiple times in the list of dims");
    if (rank > 0)
      dims.push_back(wrapped);
  }
  if (given.size() == 0) {
    dims.resize(impl.sizes.size());
    std::iota(dims.begin(), dims.end(), 0);
  }
  std::sort(dims.begin(), dims.end());
  return dims;
}

/// `value` with the reduced dimensions put back with size 1.
Value keep_dims(Value value, const Shape &sizes, const Shape &dims) {
  Shape kept = sizes;
  for (int64_t dim : dims)
    kept[dim] = 1;
  return build::reshape(std::move(value), kept);
}

Value sum_value(Value value, const Shape &dims) {
  ElementType type = value.tensor().element;
  // Half sums are carried in f32 and rounded once.
  bool narrow = type == ElementType::F16 || type == ElementType::BF16;
  ElementType wide = narrow ? ElementType::F32 : type;
  Value total = build::reduce(OpKind::Add, build::convert(value, wide),
                              build::constant(wide, {}, 0), dims);
  return build::convert(total, type);
}

Tensor sum_over(const Tensor &self, IntArrayRef given, bool keepdim,
                bool average) {
  TensorImpl &impl = impl_of(self);
  Shape dims = resolve_dims(impl, given);
  Dtype dtype = impl.dtype;
  if (average && lazy::category(dtype) < 2)
    raise<DtypeError>("could not infer output dtype. Input dtype must be "
                      "either a floating point or complex dtype. Got: " +
                      lazy::legacy_name(dtype));
  if (lazy::category(dtype) < 2)
    dtype = kInt64;
  Device device = impl.device();
  Value value = value_on(self, device, dtype);
  Value total = sum_value(value, dims);
  if (average) {
    int64_t count = 1;
    for (int64_t dim : dims)
      count *= impl.sizes[dim];
    Value divisor = build::broadcast_to(
        build::constant(lazy::element_type(dtype), {}, Scalar(count)),
        total.tensor().dims);
    total = build::binary(OpKind::Divide, total, divisor);
  }
  if (keepdim)
    total = keep_dims(total, impl.sizes, dims);
  return finish(total, device, dtype);
}

/// The least value of a type: what a maximum starts from.
Value lowest(ElementType type) {
  if (is_float(type))
    return build::constant(type, {}, -std::numeric_limits<double>::infinity());
  if (is_boolean(type))
    return build::constant(type, {}, false);
  if (is_unsigned_integer(type))
    return build::constant(type, {}, 0);
  int64_t least = bit_width(type) == 64
                      ? std::numeric_limits<int64_t>::min()
                      : -(int64_t{1} << (bit_width(type) - 1));
  return build::constant(type, {}, Scalar(least));
}

Value max_value(Value value, const Shape &dims) {
  ElementType type = value.tensor().element;
  return build::reduce(OpKind::Maximum, value, lowest(type), dims);
}

void refuse_complex(const TensorImpl &impl) {
  if (is_complex(impl.dtype))
    raise<DtypeError>("complex numbers have no order");
}

void refuse_empty(const TensorImpl &impl, const Shape &dims) {
  for (int64_t dim : dims)
    if (impl.sizes[dim] == 0)
      raise<IndexError>("Expected reduction dim " + std::to_string(dim) +
                        " to have non-zero size.");
}

Value spread(Value reduced, const Shape &sizes, int64_t dim) {
  Shape mapping;
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i)
    if (i != dim)
      mapping.push_back(i);
  return build::broadcast_in_dim(std::move(reduced), sizes, mapping);
}

/// x - max along `dim`, in f32 for half floats: where softmax begins.
Value shifted(const Value &x, int64_t dim) {
  Value top = spread(max_value(x, {dim}), x.tensor().dims, dim);
  return build::binary(OpKind::Subtract, x, top);
}

Value softmax_value(const Value &x, int64_t dim) {
  Value powers = build::unary(OpKind::Exponential, shifted(x, dim));
  Value total = spread(sum_value(powers, {dim}), x.tensor().dims, dim);
  return build::binary(OpKind::Divide, powers, total);
}

Value log_softmax_value(const Value &x, int64_t dim) {
  Value low = shifted(x, dim);
  Value total = sum_value(build::unary(OpKind::Exponential, low), {dim});
  Value logs = spread(build::unary(OpKind::Log, total), x.tensor().dims, dim);
  return build::binary(OpKind::Subtract, low, logs);
}

Tensor softmax_like(const Tensor &self, int64_t dim, std::optional<Dtype> dtype,
                    const char *name,
                    Value (*formula)(const Value &, int64_t)) {
  TensorImpl &impl = impl_of(self);
  Dtype result = dtype.value_or(impl.dtype);
  if (!is_floating_point(result))
    raise<DtypeError>("not implemented for '" + lazy::legacy_name(result) +
                      "'");
  dim = wrap_dim(dim, static_cast<int64_t>(impl.sizes.size()));
  Device device = impl.device();
  Value value = value_on(self, device, result);
  bool scalar = impl.sizes.empty();
  if (scalar)
    value = build::reshape(value, {1});
  auto body = [&](const std::vector<Value> &arguments) {
    ElementType type = arguments[0].tensor().element;
    bool narrow = byte_size(type) < 4;
    Value wide = build::convert(arguments[0], narrow ? ElementType::F32 : type);
    return build::convert(formula(wide, dim), type);
  };
  Value made = build::composite(name, dim, {value}, body);
  if (scalar)
    made = build::reshape(made, {});
  return finish(made, device, result);
}

} // namespace

//===- Sums ---------------------------------------------------------------===//

Tensor sum(const Tensor &self) {
  XLAC_CALL("sum");
  return sum_over(self, Shape(), false, false);
}
Tensor sum(const Tensor &self, IntArrayRef dims, bool keepdim) {
  XLAC_CALL("sum");
  return sum_over(self, dims, keepdim, false);
}
Tensor mean(const Tensor &self) {
  XLAC_CALL("mean");
  return sum_over(self, Shape(), false, true);
}
Tensor mean(const Tensor &self, IntArrayRef dims, bool keepdim) {
  XLAC_CALL("mean");
  return sum_over(self, dims, keepdim, true);
}

//===- Maxima -------------------------------------------------------------===//

Tensor amax(const Tensor &self, IntArrayRef given, bool keepdim) {
  XLAC_CALL("amax");
  TensorImpl &impl = impl_of(self);
  refuse_complex(impl);
  Shape dims = resolve_dims(impl, given);
  refuse_empty(impl, dims);
  Value value = max_value(impl.value(), dims);
  if (keepdim)
    value = keep_dims(value, impl.sizes, dims);
  return finish(value, impl.device(), impl.dtype);
}

Tensor max(const Tensor &self) {
  XLAC_CALL("max");
  return xlac::amax(self, Shape());
}

std::tuple<Tensor, Tensor> max(const Tensor &self, int64_t dim, bool keepdim) {
  XLAC_CALL("max");
  TensorImpl &impl = impl_of(self);
  refuse_complex(impl);
  dim = wrap_dim(dim, static_cast<int64_t>(impl.sizes.size()));
  Value value = impl.value();
  bool scalar = impl.sizes.empty();
  if (scalar)
    value = build::reshape(value, {1});
  else
    refuse_empty(impl, {dim});
  auto [values, indices] = build::reduce_max_with_index(value, dim);
  if (keepdim && !scalar) {
    values = keep_dims(values, impl.sizes, {dim});
    indices = keep_dims(indices, impl.sizes, {dim});
  }
  return {finish(values, impl.device(), impl.dtype),
          finish(indices, impl.device(), kInt64)};
}

Tensor argmax(const Tensor &self, std::optional<int64_t> dim, bool keepdim) {
  XLAC_CALL("argmax");
  TensorImpl &impl = impl_of(self);
  refuse_complex(impl);
  if (dim)
    return std::get<1>(xlac::max(self, *dim, keepdim));
  int64_t count = self.numel();
  if (count == 0)
    raise<IndexError>(
        "Expected reduction dim to be specified for input.numel() "
        "== 0.");
  Value flat = build::reshape(impl.value(), {count});
  Value index = build::reduce_max_with_index(flat, 0).second;
  if (keepdim)
    index = build::reshape(index, Shape(impl.sizes.size(), 1));
  return finish(index, impl.device(), kInt64);
}

//===- Softmax ------------------------------------------------------------===//

Tensor softmax(const Tensor &self, int64_t dim, std::optional<Dtype> dtype) {
  XLAC_CALL("softmax");
  return softmax_like(self, dim, dtype, "xlac.softmax", softmax_value);
}

Tensor log_softmax(const Tensor &self, int64_t dim,
                   std::optional<Dtype> dtype) {
  XLAC_CALL("log_softmax");
  return softmax_like(self, dim, dtype, "xlac.log_softmax", log_softmax_value);
}

} // namespace xlac
