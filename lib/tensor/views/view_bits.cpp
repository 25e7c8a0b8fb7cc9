// Views of a tensor's bytes as another dtype, and functions that change a
// tensor's view in place.
#include "xlac/host/strided.h"
#include "xlac/lazy/host_values.h"
#include "xlac/tensor/views.h"

#include <cstring>

namespace xlac {

using namespace frontend;

//===- Bits ---------------------------------------------------------------===//

namespace {

/// Sizes, strides and offset in units of another element size.
struct Layout {
  Shape sizes, strides;
  int64_t offset;
};

Layout in_smaller(const TensorImpl &impl, int64_t ratio) {
  Layout layout{impl.sizes, impl.strides(), impl.offset * ratio};
  for (int64_t &stride : layout.strides)
    stride *= ratio;
  layout.sizes.back() *= ratio;
  layout.strides.back() = 1;
  return layout;
}

Layout in_larger(const TensorImpl &impl, int64_t ratio,
                 const std::string &what) {
  Layout layout{impl.sizes, impl.strides(), impl.offset / ratio};
  std::string by = " must be divisible by " + std::to_string(ratio) + what;
  if (layout.sizes.back() % ratio)
    raise<ShapeError>("self.size(-1)" + by + ", but got " +
                      std::to_string(layout.sizes.back()));
  bool strided = impl.device().type == kCPU;
  if (strided && impl.offset % ratio)
    raise<ShapeError>("self.storage_offset()" + by + ", but got " +
                      std::to_string(impl.offset));
  for (size_t i = 0; i + 1 < layout.strides.size(); ++i) {
    if (strided && layout.strides[i] % ratio)
      raise<ShapeError>("self.stride(" + std::to_string(i) + ")" + by +
                        ", but got " + std::to_string(layout.strides[i]));
    layout.strides[i] /= ratio;
  }
  layout.sizes.back() /= ratio;
  layout.strides.back() = 1;
  return layout;
}

Layout relaid(const TensorImpl &impl, Dtype dtype) {
  int64_t before = element_size(impl.dtype), after = element_size(dtype);
  if (before == after)
    return {impl.sizes, impl.strides(), impl.offset};
  std::string what = " to view " + lazy::legacy_name(impl.dtype) + " as " +
                     lazy::legacy_name(dtype) + " (different element sizes)";
  if (impl.sizes.empty())
    raise<ShapeError>("self.dim() cannot be 0" + what);
  if (impl.device().type == kCPU && impl.strides().back() != 1)
    raise<ShapeError>("self.stride(-1) must be 1" + what + ", but got " +
                      std::to_string(impl.strides().back()));
  return before > after ? in_smaller(impl, before / after)
                        : in_larger(impl, after / before, what);
}

/// Refuses a view of a tensor whose memory holds something else than what the
/// tensor shows, on all devices alike.
void require_unchanged(const TensorImpl &impl) {
  if (impl.conjugated || impl.negated)
    raise<UserError>(
        "not supported for " +
        std::string(impl.conjugated
                        ? "a conjugate view"
                        : "the imaginary part of a conjugate view") +
        ": clone() it first. The clone does not share its memory.");
}

Tensor part_of_complex(const Tensor &self, ViewStep::Kind kind) {
  const TensorImpl &impl = impl_of(self);
  ViewStep step = step_of(kind, impl, impl.sizes);
  step.dtype = impl.dtype == kComplex64 ? kFloat32 : kFloat64;
  Shape strides = impl.strides();
  for (int64_t &stride : strides)
    stride *= 2;
  int64_t offset = impl.offset * 2 + (kind == ViewStep::Kind::Imag);
  return make_view(self, std::move(step), std::move(strides), offset);
}

} // namespace

Tensor view(const Tensor &self, Dtype dtype) {
  XLAC_CALL("view");
  const TensorImpl &impl = impl_of(self);
  if (dtype != impl.dtype)
    require_unchanged(impl);
  Layout layout = relaid(impl, dtype);
  ViewStep step = step_of(ViewStep::Kind::Bits, impl, std::move(layout.sizes));
  step.dtype = dtype;
  return make_view(self, std::move(step), std::move(layout.strides),
                   layout.offset);
}

//===- Complex numbers ----------------------------------------------------===//

Tensor real(const Tensor &self) {
  XLAC_CALL("real");
  return impl_of(self).dtype == kComplex64 || impl_of(self).dtype == kComplex128
             ? part_of_complex(self, ViewStep::Kind::Real)
             : self;
}

Tensor imag(const Tensor &self) {
  XLAC_CALL("imag");
  if (!self.is_complex())
    raise<DtypeError>("not implemented for tensors with non-complex dtypes.");
  return part_of_complex(self, ViewStep::Kind::Imag);
}

Tensor conj(const Tensor &self) {
  XLAC_CALL("conj");
  if (!self.is_complex())
    return self;
  const TensorImpl &impl = impl_of(self);
  return make_view(self, step_of(ViewStep::Kind::Conj, impl, impl.sizes),
                   impl.strides(), impl.offset);
}

Tensor view_as_real(const Tensor &self) {
  XLAC_CALL("view_as_real");
  const TensorImpl &impl = impl_of(self);
  if (!self.is_complex())
    raise<DtypeError>("only supported for complex tensors");
  require_unchanged(impl);
  Shape sizes = impl.sizes, strides = impl.strides();
  for (int64_t &stride : strides)
    stride *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  ViewStep step = step_of(ViewStep::Kind::AsReal, impl, std::move(sizes));
  step.dtype = impl.dtype == kComplex64 ? kFloat32 : kFloat64;
  return make_view(self, std::move(step), std::move(strides), impl.offset * 2);
}

Tensor view_as_complex(const Tensor &self) {
  XLAC_CALL("view_as_complex");
  const TensorImpl &impl = impl_of(self);
  if (impl.dtype != kFloat32 && impl.dtype != kFloat64)
    raise<DtypeError>("only supported for floating point tensors, but got a "
                      "tensor of scalar type: " +
                      lazy::legacy_name(impl.dtype));
  if (impl.sizes.empty() || impl.sizes.back() != 2)
    raise<ShapeError>("Tensor must have a last dimension of size 2");
  require_unchanged(impl);
  Shape sizes = impl.sizes, strides = impl.strides();
  int64_t last = strides.back(), odd = impl.offset % 2;
  sizes.pop_back();
  strides.pop_back();
  for (int64_t &stride : strides) {
    odd |= stride % 2;
    stride /= 2;
  }
  if (impl.device().type == kCPU && last != 1)
    raise<ShapeError>("Tensor must have a last dimension with stride 1");
  if (impl.device().type == kCPU && odd)
    raise<ShapeError>("Tensor must have strides and a storage_offset divisible "
                      "by 2 for all but last dimension");
  ViewStep step = step_of(ViewStep::Kind::AsComplex, impl, std::move(sizes));
  step.dtype = impl.dtype == kFloat32 ? kComplex64 : kComplex128;
  return make_view(self, std::move(step), std::move(strides), impl.offset / 2);
}

//===- In-place changes of views ------------------------------------------===//

Tensor &set_(Tensor &self, const Tensor &other) {
  XLAC_CALL("set_");
  TensorImpl &impl = impl_of(self);
  const TensorImpl &source = impl_of(other);
  if (impl.dtype != source.dtype)
    raise<DtypeError>("Could not set tensor of type " +
                      lazy::legacy_name(source.dtype) +
                      " to a tensor of type " + lazy::legacy_name(impl.dtype));
  if (!(impl.device() == source.device()))
    raise<DeviceError>("expected all tensors to be on the same device, found " +
                       impl.device().str() + " and " + source.device().str());
  if (!self.is_same(other))
    impl.show(source);
  return self;
}

/// Grows the storage to at least `count` elements; new ones are 0.
static void reserve(TensorImpl &impl, int64_t count) {
  host::Literal memory = lazy::host_literal(impl.storage->value());
  if (memory.byte_count() >= count * element_size(impl.dtype))
    return;
  host::Literal larger = unwrap(host::Literal::allocate(
      {lazy::element_type(impl.dtype), {count}, {}, {}}));
  std::memset(larger.mutable_data(), 0, larger.byte_count());
  if (memory.byte_count() > 0)
    std::memcpy(larger.mutable_data(), memory.data(), memory.byte_count());
  impl.storage->set(lazy::host_value(std::move(larger)));
}

/// On xla devices a smaller size makes a view, and a larger size a new tensor.
static Tensor resized(const Tensor &self, const Shape &sizes) {
  int64_t before = self.numel(), after = count_of(sizes);
  Tensor flat = xlac::reshape(self, {-1});
  if (after > before) {
    Device device = self.device();
    ElementType type = lazy::element_type(self.dtype());
    Value filler = build::constant(type, {}, 0);
    flat = finish(
        build::pad(value_on(flat, device), filler, {0}, {after - before}, {0}),
        device, self.dtype());
  } else {
    flat = xlac::narrow(flat, 0, 0, after);
  }
  return xlac::view(flat, sizes);
}

Tensor &resize_(Tensor &self, IntArrayRef given) {
  XLAC_CALL("resize_");
  TensorImpl &impl = impl_of(self);
  Shape sizes(given.begin(), given.end());
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 0 || __builtin_mul_overflow(count, size, &count))
      raise<ShapeError>("cannot resize to " + to_text(sizes));
  if (impl.requires_grad)
    raise<UserError>("cannot resize variables that require grad");
  if (sizes == impl.sizes)
    return self;
  if (impl.device().type == kCPU) {
    reserve(impl, impl.offset + count);
    impl.lay_densely(std::move(sizes));
  } else {
    impl.show(impl_of(resized(self, sizes)));
  }
  return self;
}

/// Makes `self` refer to the same elements as `view`.
static Tensor &become(Tensor &self, const Tensor &view) {
  if (impl_of(self).needs_grad())
    raise<UnsupportedError>("not there for tensors that require grad; use the "
                            "function without the underscore");
  impl_of(self).show(impl_of(view));
  return self;
}

Tensor &squeeze_(Tensor &self) {
  XLAC_CALL("squeeze_");
  return become(self, xlac::squeeze(self));
}

Tensor &squeeze_(Tensor &self, int64_t dim) {
  XLAC_CALL("squeeze_");
  return become(self, xlac::squeeze(self, dim));
}

Tensor &unsqueeze_(Tensor &self, int64_t dim) {
  XLAC_CALL("unsqueeze_");
  return become(self, xlac::unsqueeze(self, dim));
}

Tensor &transpose_(Tensor &self, int64_t dim0, int64_t dim1) {
  XLAC_CALL("transpose_");
  return become(self, xlac::transpose(self, dim0, dim1));
}

Tensor &swapaxes_(Tensor &self, int64_t axis0, int64_t axis1) {
  XLAC_CALL("swapaxes_");
  return become(self, xlac::swapaxes(self, axis0, axis1));
}

Tensor &t_(Tensor &self) {
  XLAC_CALL("t_");
  return rank_of(impl_of(self)) < 2 ? self : become(self, xlac::t(self));
}

Tensor &as_strided_(Tensor &self, IntArrayRef size, IntArrayRef stride,
                    std::optional<int64_t> storage_offset) {
  XLAC_CALL("as_strided_");
  return become(self, xlac::as_strided(self, size, stride, storage_offset));
}

Tensor Tensor::data() const {
  XLAC_CALL("data");
  return TensorAccess::wrap(impl_of(*this).detached(true));
}

Tensor type_as(const Tensor &self, const Tensor &other) {
  XLAC_CALL("type_as");
  return self.to(other);
}

Tensor copy(const Tensor &self) {
  XLAC_CALL("copy");
  Tensor result = xlac::clone(xlac::detach(self));
  impl_of(result).requires_grad = impl_of(self).requires_grad;
  return result;
}

Tensor deepcopy(const Tensor &self) {
  XLAC_CALL("deepcopy");
  return xlac::copy(self);
}

} // namespace xlac
