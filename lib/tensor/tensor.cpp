// The methods of Tensor: properties, values, copies.
#include "xlac/lazy/device_data.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/layout.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/lazy/storage.h"
#include "xlac/tensor/access.h"
#include "xlac/tensor/formulas.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace xlac {

using namespace frontend;

namespace {

Tensor from_elements(const host::Literal &source, Device device, Dtype dtype) {
  Shape sizes = source.type().dims;
  auto copied = [&] {
    return unwrap(host::Literal::copy_of(source.type(), source.data()));
  };
  // Uploads copy the data, except for single elements.
  Value value =
      device.type == kCPU
          ? lazy::host_value(copied())
          : lazy::device_value(device.index,
                               source.count() == 1 ? copied() : source);
  return TensorAccess::wrap(std::make_shared<TensorImpl>(
      lazy::Storage::make(device, std::move(value)), dtype, std::move(sizes)));
}

/// Marks dynamic dimensions in a copy, except those that a view has changed.
void copy_marks(const TensorImpl &from, lazy::Storage &to) {
  lazy::DynamicDimensions marks = from.storage->dynamic_dimensions();
  if (!marks)
    return;
  lazy::DynamicDimensions kept;
  const Shape stored = from.storage->value().tensor().dims;
  for (const lazy::DynamicDimension &one : *marks) {
    auto d = static_cast<size_t>(one.dimension);
    if (d < from.sizes.size() && from.sizes[d] == stored[d])
      kept = lazy::with_dimension(kept, one);
  }
  to.mark_dynamic(std::move(kept));
}

} // namespace

//===- Properties ---------------------------------------------------------===//

Dtype Tensor::dtype() const { return impl_of(*this).dtype; }
Device Tensor::device() const { return impl_of(*this).device(); }
int64_t Tensor::dim() const {
  return static_cast<int64_t>(impl_of(*this).sizes.size());
}
Shape Tensor::sizes() const { return impl_of(*this).sizes; }
int64_t Tensor::size(int64_t dim) const {
  XLAC_CALL("size");
  const Shape &sizes = impl_of(*this).sizes;
  if (sizes.empty())
    raise<IndexError>("Dimension specified as " + std::to_string(dim) +
                      " but tensor has no dimensions");
  return sizes[wrap_dim(dim, static_cast<int64_t>(sizes.size()))];
}
int64_t Tensor::numel() const { return count_of(impl_of(*this).sizes); }
int64_t Tensor::element_size() const {
  return xlac::element_size(impl_of(*this).dtype);
}
int64_t Tensor::nbytes() const { return numel() * element_size(); }
bool Tensor::is_floating_point() const {
  return xlac::is_floating_point(impl_of(*this).dtype);
}
bool Tensor::is_complex() const {
  return xlac::is_complex(impl_of(*this).dtype);
}
TensorOptions Tensor::options() const {
  return TensorOptions(dtype()).device(device());
}
int64_t Tensor::id() const { return impl_of(*this).id; }
bool Tensor::is_same(const Tensor &other) const { return impl_ == other.impl_; }
bool Tensor::is_xla() const { return device().type == kXLA; }
bool Tensor::is_cpu() const { return device().type == kCPU; }
bool Tensor::requires_grad() const { return impl_of(*this).needs_grad(); }

//===- Layout -------------------------------------------------------------===//

Shape Tensor::strides() const { return impl_of(*this).strides(); }

bool Tensor::is_contiguous() const {
  const TensorImpl &impl = impl_of(*this);
  Shape strides = impl.strides();
  int64_t expected = 1;
  for (size_t i = impl.sizes.size(); i-- > 0;) {
    if (impl.sizes[i] != 1 && strides[i] != expected)
      return false;
    expected *= std::max<int64_t>(impl.sizes[i], 1);
  }
  return true;
}

Tensor contiguous(const Tensor &self) {
  XLAC_CALL("contiguous");
  return self.is_contiguous() ? self : clone(self);
}

bool Tensor::has_storage() const { return is_cpu(); }

void *Tensor::raw_data(Dtype dtype) const {
  XLAC_CALL("data_ptr");
  TensorImpl &impl = impl_of(*this);
  if (impl.device().type == kXLA)
    raise<DeviceError>("xla tensors have no storage");
  if (impl.dtype != dtype)
    raise<DtypeError>("expected scalar type " + lazy::legacy_name(dtype) +
                      " but found " + lazy::legacy_name(impl.dtype));
  if (impl.conjugated || impl.negated)
    raise<UserError>("the memory of a conjugate view holds the numbers that it "
                     "shows the conjugates of: clone() it first");
  host::Literal literal = lazy::host_literal(impl.storage->value());
  return literal.mutable_data() + impl.offset * element_size();
}

void detail::check_accessor_rank(const Tensor &tensor, size_t rank) {
  XLAC_CALL("accessor");
  if (tensor.dim() != static_cast<int64_t>(rank))
    raise<ShapeError>("expected " + std::to_string(rank) +
                      " dimensions but the tensor has " +
                      std::to_string(tensor.dim()));
}

bool Tensor::is_view() const { return !impl_of(*this).steps.empty(); }
bool Tensor::is_alias_of(const Tensor &other) const {
  return impl_of(*this).storage == impl_of(other).storage;
}

//===- Assignment ---------------------------------------------------------===//

/// Rejects a temporary that is not a view and that no handle refers to.
static void check_seen(const Tensor &target) {
  if (TensorAccess::impl(target).use_count() == 1 && !target.is_view())
    raise<ValueError>("the assigned tensor is a temporary that is not a view; "
                      "index_put_ writes "
                      "through index tensors and masks");
}

Tensor &Tensor::operator=(const Tensor &values) && {
  XLAC_CALL("operator=");
  check_seen(*this);
  return copy_(values);
}

Tensor &Tensor::operator=(Scalar value) && {
  XLAC_CALL("operator=");
  check_seen(*this);
  return fill_(value);
}

//===- Values -------------------------------------------------------------===//

Scalar Tensor::item() const {
  XLAC_CALL("item");
  TensorImpl &impl = impl_of(*this);
  if (count_of(impl.sizes) != 1)
    raise<ValueError>("a Tensor with " + std::to_string(count_of(impl.sizes)) +
                      " elements cannot be converted to Scalar");
  if (impl.device().type == kXLA)
    lazy::record_fallback("_local_scalar_dense");
  host::Literal literal = element_of(*this);
  switch (lazy::category(impl.dtype)) {
  case 0:
    return Scalar(host::as_integer(literal) != 0);
  case 1:
    if (impl.dtype == kUInt64)
      return Scalar(static_cast<unsigned long>(host::as_integer(literal)));
    return Scalar(static_cast<long>(host::as_integer(literal)));
  case 2:
    return Scalar(host::as_double(literal));
  default: {
    std::complex<double> value;
    host::load(literal, 0, 1, &value);
    return Scalar(value);
  }
  }
}

Tensor::operator bool() const {
  XLAC_CALL("bool");
  TensorImpl &impl = impl_of(*this);
  if (count_of(impl.sizes) != 1)
    raise<ValueError>("Boolean value of Tensor with " +
                      std::string(count_of(impl.sizes) == 0 ? "no values"
                                                            : "more than one "
                                                              "value") +
                      " is ambiguous");
  return item().to<std::complex<double>>() != 0.0;
}

namespace detail {
void read_elements(const Tensor &tensor, Dtype dtype, void *to) {
  XLAC_CALL("to_vector");
  TensorImpl &impl = impl_of(tensor);
  host::Literal literal = elements_of(tensor);
  if (impl.dtype != dtype)
    literal = lazy::evaluate_on_host({build::convert(
        lazy::host_value(literal), lazy::element_type(dtype))})[0];
  if (literal.byte_count() > 0)
    std::memcpy(to, literal.data(), literal.byte_count());
}
} // namespace detail

//===- Copies -------------------------------------------------------------===//

Tensor Tensor::cpu() const {
  XLAC_CALL("cpu");
  return to(Device(kCPU));
}

Tensor Tensor::to(Device target, bool) const {
  XLAC_CALL("to");
  TensorImpl &impl = impl_of(*this);
  Device device = lazy::resolve(target);
  if (impl.device() == device)
    return *this;
  Tensor copy = from_elements(elements_of(*this), device, impl.dtype);
  copy_marks(impl, *impl_of(copy).storage);
  if (is_recording() && recorder() && impl.needs_grad())
    recorder()->record_transfer(*this, copy);
  return copy;
}

Tensor Tensor::to(Dtype dtype) const {
  XLAC_CALL("to");
  TensorImpl &impl = impl_of(*this);
  if (impl.dtype == dtype)
    return *this;
  return finish(value_on(*this, impl.device(), dtype), impl.device(), dtype);
}

Tensor Tensor::to(const TensorOptions &options) const {
  XLAC_CALL("to");
  Tensor result = *this;
  if (auto dtype = detail::OptionsAccess::dtype(options))
    result = result.to(*dtype);
  if (auto device = detail::OptionsAccess::device(options))
    result = result.to(*device);
  return result;
}

Tensor Tensor::to(const Tensor &like) const {
  XLAC_CALL("to");
  return to(impl_of(like).dtype).to(impl_of(like).device());
}

Tensor clone(const Tensor &self) {
  XLAC_CALL("clone");
  TensorImpl &impl = impl_of(self);
  Tensor result =
      finish(value_on(self, impl.device()), impl.device(), impl.dtype);
  if (lazy::is_spmd())
    if (lazy::Layout layout =
            impl.steps.empty() ? impl.storage->layout() : impl.view_layout)
      impl_of(result).storage->lay_out(std::move(layout));
  return result;
}

Tensor detach(const Tensor &self) {
  XLAC_CALL("detach");
  return TensorAccess::wrap(impl_of(self).detached(false));
}

Tensor &copy_(Tensor &self, const Tensor &src, bool) {
  XLAC_CALL("copy_");
  TensorImpl &impl = impl_of(self);
  Tensor source = src.to(impl.device());
  if (broadcast_shapes(self, source) != impl.sizes)
    raise<ShapeError>("output with shape " + to_text(impl.sizes) +
                      " doesn't match the broadcast shape " +
                      to_text(broadcast_shapes(self, source)));
  overwrite(self, build::broadcast_to(
                      value_on(source, impl.device(), impl.dtype), impl.sizes));
  return self;
}

Tensor &fill_(Tensor &self, Scalar value) {
  XLAC_CALL("fill_");
  TensorImpl &impl = impl_of(self);
  overwrite(self,
            build::broadcast_to(number_value(value, impl.dtype, impl.device()),
                                impl.sizes));
  return self;
}

Tensor &fill_(Tensor &self, const Tensor &value) {
  XLAC_CALL("fill_");
  if (value.dim() != 0)
    raise<ShapeError>("only supports 0-dimension value tensor but got tensor "
                      "with " +
                      std::to_string(value.dim()) + " dimensions.");
  return copy_(self, value);
}

Tensor &zero_(Tensor &self) {
  XLAC_CALL("zero_");
  return fill_(self, 0);
}

} // namespace xlac
