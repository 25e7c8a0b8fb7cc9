#include "xlac/tensor/assign.h"

namespace xlac::frontend {

namespace {

void check_cast(const TensorImpl &from, const TensorImpl &to) {
  if (!can_cast(from.dtype, to.dtype))
    raise<DtypeError>("result type " + lazy::legacy_name(from.dtype) +
                      " can't be cast to the desired output type " +
                      lazy::legacy_name(to.dtype));
  if (!(from.device() == to.device()))
    raise<DeviceError>("expected all tensors to be on the same device, found " +
                       to.device().str() + " and " + from.device().str());
}

} // namespace

Tensor &assign(Tensor &self, const Tensor &result) {
  const TensorImpl &to = impl_of(self), &from = impl_of(result);
  check_cast(from, to);
  if (from.sizes != to.sizes)
    raise<ShapeError>("output with shape " + to_text(to.sizes) +
                      " doesn't match the broadcast shape " +
                      to_text(from.sizes));
  overwrite(self, value_on(result, to.device(), to.dtype));
  return self;
}

Tensor &assign_out(Tensor &out, const Tensor &result) {
  TensorImpl &to = impl_of(out);
  const TensorImpl &from = impl_of(result);
  if (is_recording() && (to.needs_grad() || from.needs_grad()))
    raise<UserError>("functions with out=... arguments don't support "
                     "automatic differentiation, but one of the arguments "
                     "requires grad.");
  check_cast(from, to);
  if (from.sizes != to.sizes) {
    Device device = to.device();
    Tensor resized =
        finish(value_on(result, device, to.dtype), device, to.dtype);
    to.show(impl_of(resized));
    return out;
  }
  overwrite(out, value_on(result, to.device(), to.dtype));
  return out;
}

} // namespace xlac::frontend
