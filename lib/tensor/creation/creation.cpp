// Factories.
#include "xlac/lazy/device_data.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/storage.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace xlac::frontend {

using detail::OptionsAccess;

Shape checked_sizes(IntArrayRef given) {
  int64_t total = 1;
  for (int64_t size : given) {
    if (size < 0)
      raise<ShapeError>("Trying to create tensor with negative dimension " +
                        std::to_string(size));
    if (__builtin_mul_overflow(total, std::max<int64_t>(size, 1), &total) ||
        total > (int64_t{1} << 58))
      raise<ShapeError>("a tensor of shape " +
                        to_text(Shape(given.begin(), given.end())) +
                        " is too large");
  }
  return Shape(given.begin(), given.end());
}

Tensor made(Tensor tensor, const TensorOptions &options) {
  if (!OptionsAccess::requires_grad(options))
    return tensor;
  TensorImpl &impl = impl_of(tensor);
  if (lazy::category(impl.dtype) < 2)
    raise<DtypeError>("only Tensors of floating point and complex dtype can "
                      "require gradients");
  impl.requires_grad = true;
  return tensor;
}

TensorOptions filled_in(TensorOptions options, const Tensor &like) {
  const TensorImpl &impl = impl_of(like);
  if (!OptionsAccess::dtype(options))
    options = options.dtype(impl.dtype);
  if (!OptionsAccess::device(options))
    options = options.device(impl.device());
  return options;
}

} // namespace xlac::frontend

namespace xlac {

using namespace frontend;
using detail::OptionsAccess;
using detail::ScalarAccess;

namespace {

Tensor filled(IntArrayRef given, const Scalar &value, TensorOptions options,
              Dtype fallback) {
  Shape sizes = checked_sizes(given);
  Dtype dtype = OptionsAccess::dtype(options).value_or(fallback);
  Device device = device_of(options);
  Value number = number_value(value, dtype, device);
  return made(finish(build::broadcast_to(number, sizes), device, dtype),
              options);
}

/// Makes a tensor that owns `literal`.
Tensor from_literal(host::Literal literal, Device device, Dtype dtype) {
  Shape sizes = literal.type().dims;
  Value value =
      device.type == kCPU
          ? lazy::host_value(std::move(literal))
          : lazy::shared_device_value(device.index, std::move(literal));
  return TensorAccess::wrap(std::make_shared<TensorImpl>(
      lazy::Storage::make(device, std::move(value)), dtype, std::move(sizes)));
}

} // namespace

Tensor empty(IntArrayRef sizes, TensorOptions options) {
  XLAC_CALL("empty");
  return filled(sizes, 0, options, get_default_dtype());
}
Tensor empty_like(const Tensor &self, TensorOptions options) {
  XLAC_CALL("empty_like");
  return filled(impl_of(self).sizes, 0, filled_in(options, self), kFloat32);
}
Tensor zeros(IntArrayRef sizes, TensorOptions options) {
  XLAC_CALL("zeros");
  return filled(sizes, 0, options, get_default_dtype());
}
Tensor ones(IntArrayRef sizes, TensorOptions options) {
  XLAC_CALL("ones");
  return filled(sizes, 1, options, get_default_dtype());
}
Tensor full(IntArrayRef sizes, Scalar value, TensorOptions options) {
  XLAC_CALL("full");
  if (std::any_of(sizes.begin(), sizes.end(), [](int64_t n) { return n < 0; }))
    raise<ShapeError>("expected concrete sizes (i.e. non-symbolic) to be "
                      "positive values. However found negative ones: " +
                      to_text(Shape(sizes.begin(), sizes.end())) + ".");
  return filled(sizes, value, options, lazy::dtype_of_number(value));
}
Tensor zeros_like(const Tensor &self, TensorOptions options) {
  XLAC_CALL("zeros_like");
  return filled(impl_of(self).sizes, 0, filled_in(options, self), kFloat32);
}
Tensor ones_like(const Tensor &self, TensorOptions options) {
  XLAC_CALL("ones_like");
  return filled(impl_of(self).sizes, 1, filled_in(options, self), kFloat32);
}
Tensor full_like(const Tensor &self, Scalar value, TensorOptions options) {
  XLAC_CALL("full_like");
  return filled(impl_of(self).sizes, value, filled_in(options, self), kFloat32);
}

Tensor arange(Scalar end, TensorOptions options) {
  XLAC_CALL("arange");
  return arange(Scalar(0), end, Scalar(1), options);
}

Tensor arange(Scalar start, Scalar end, Scalar step, TensorOptions options) {
  XLAC_CALL("arange");
  auto first = start.to<double>(), last = end.to<double>(),
       by = step.to<double>();
  auto shown = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", x);
    return std::string(text);
  };
  if (!std::isfinite(first) || !std::isfinite(last))
    raise<ValueError>("unsupported range: " + shown(first) + " -> " +
                      shown(last));
  if (by == 0 || !std::isfinite(by))
    raise<ValueError>("step must be nonzero");
  if ((last - first) * by < 0)
    raise<ValueError>(
        "upper bound and lower bound inconsistent with step sign");
  bool whole = true;
  for (const Scalar *number : {&start, &end, &step})
    whole &= lazy::category(lazy::dtype_of_number(*number)) < 2;
  double length = std::ceil((last - first) / by);
  if (length > 1e15)
    raise<ShapeError>("a tensor of " + shown(length) +
                      " elements is too large");
  Dtype dtype = OptionsAccess::dtype(options).value_or(
      whole ? kInt64 : get_default_dtype());
  Device device = device_of(options);
  Shape sizes{static_cast<int64_t>(length)};
  Dtype wide = whole ? kInt64 : dtype == kFloat64 ? kFloat64 : kFloat32;
  ElementType type = lazy::element_type(wide);
  auto number = [&](const Scalar &scalar) {
    return build::broadcast_to(number_value(scalar, wide, device), sizes);
  };
  Value value = build::iota(type, sizes, 0);
  if (by != 1)
    value = build::binary(OpKind::Multiply, value, number(step));
  if (first != 0)
    value = build::binary(OpKind::Add, value, number(start));
  return made(
      finish(build::convert(value, lazy::element_type(dtype)), device, dtype),
      options);
}

Tensor tensor(Scalar value, TensorOptions options) {
  XLAC_CALL("tensor");
  Dtype dtype =
      OptionsAccess::dtype(options).value_or(lazy::dtype_of_number(value));
  Value number = build::constant(lazy::element_type(dtype), {}, value);
  return made(from_literal(lazy::evaluate_on_host({number})[0],
                           device_of(options), dtype),
              options);
}

Tensor from_blob(void *data, IntArrayRef given,
                 std::function<void(void *)> deleter, TensorOptions options) {
  XLAC_CALL("from_blob");
  Shape sizes = checked_sizes(given);
  Device device = device_of(options);
  if (device.type != kCPU)
    raise<DeviceError>("memory can be shared with cpu tensors only, not with " +
                       device.str());
  Dtype dtype = options.dtype();
  std::shared_ptr<std::byte> owner(static_cast<std::byte *>(data),
                                   [deleter](std::byte *bytes) {
                                     if (deleter)
                                       deleter(bytes);
                                   });
  return made(
      from_literal(host::Literal::borrow(
                       TensorType{lazy::element_type(dtype), sizes, {}, {}},
                       std::move(owner)),
                   device, dtype),
      options);
}

Tensor from_blob(void *data, IntArrayRef sizes, TensorOptions options) {
  return from_blob(data, sizes, std::function<void(void *)>(), options);
}

Tensor from_blob(void *data, IntArrayRef given, IntArrayRef given_strides,
                 std::function<void(void *)> deleter, TensorOptions options) {
  XLAC_CALL("from_blob");
  Shape sizes = checked_sizes(given),
        strides(given_strides.begin(), given_strides.end());
  if (strides.size() != sizes.size())
    raise<ShapeError>("got " + std::to_string(strides.size()) +
                      " strides for " + std::to_string(sizes.size()) +
                      " sizes");
  int64_t extent = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t distance = 0;
    if (strides[i] < 0)
      raise<ValueError>("negative strides are not supported");
    if (sizes[i] > 1 &&
        (__builtin_mul_overflow(sizes[i] - 1, strides[i], &distance) ||
         __builtin_add_overflow(extent, distance, &extent)))
      raise<ValueError>("the strides reach beyond the address space");
  }
  bool is_empty = std::ranges::find(sizes, 0) != sizes.end();
  Tensor elements = from_blob(data, Shape{is_empty ? 0 : extent},
                              std::move(deleter), options);
  return elements.as_strided(sizes, strides);
}

Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,
                 TensorOptions options) {
  return from_blob(data, sizes, strides, std::function<void(void *)>(),
                   options);
}

namespace detail {

Tensor from_memory(const void *data, Dtype source, IntArrayRef given,
                   TensorOptions options, Dtype fallback) {
  XLAC_CALL("tensor");
  Shape sizes = checked_sizes(given);
  Dtype dtype = OptionsAccess::dtype(options).value_or(fallback);
  Device device = device_of(options);
  host::Literal literal = unwrap(host::Literal::copy_of(
      TensorType{lazy::element_type(source), sizes, {}, {}}, data));
  if (source != dtype)
    literal = lazy::evaluate_on_host({build::convert(
        lazy::host_value(literal), lazy::element_type(dtype))})[0];
  return made(from_literal(std::move(literal), device, dtype), options);
}

void throw_ragged(size_t expected, size_t got) {
  XLAC_CALL("tensor");
  raise<ShapeError>("expected sequence of length " + std::to_string(expected) +
                    " (got " + std::to_string(got) + ")");
}

} // namespace detail
} // namespace xlac
