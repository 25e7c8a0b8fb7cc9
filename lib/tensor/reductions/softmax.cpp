// softmax and its logarithm.
#include "xlac/tensor/reduce_values.h"

#include "xlac/tensor/composite_names.h"

namespace xlac {

using namespace frontend;

namespace {

/// x - max along `dim`, in f32 for half floats.
Value below_top(const Value &x, int64_t dim) {
  Value top = broadcast_along(max_value(x, {dim}), x.tensor().dims, dim);
  return build::binary(OpKind::Subtract, x, top);
}

Value softmax_value(const Value &x, int64_t dim) {
  Value powers = build::unary(OpKind::Exponential, below_top(x, dim));
  Value total = broadcast_along(sum_value(powers, {dim}), x.tensor().dims, dim);
  return build::binary(OpKind::Divide, powers, total);
}

Value log_softmax_value(const Value &x, int64_t dim) {
  Value low = below_top(x, dim);
  Value total = sum_value(build::unary(OpKind::Exponential, low), {dim});
  Value logs =
      broadcast_along(build::unary(OpKind::Log, total), x.tensor().dims, dim);
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
    return build::convert(formula(widen(arguments[0]), dim), type);
  };
  Value made = build::composite(name, dim, {value}, body);
  if (scalar)
    made = build::reshape(made, {});
  return finish(made, device, result);
}

} // namespace

Tensor softmax(const Tensor &self, int64_t dim, std::optional<Dtype> dtype) {
  XLAC_CALL("softmax");
  return softmax_like(self, dim, dtype, kSoftmaxComposite, softmax_value);
}

Tensor log_softmax(const Tensor &self, int64_t dim,
                   std::optional<Dtype> dtype) {
  XLAC_CALL("log_softmax");
  return softmax_like(self, dim, dtype, kLogSoftmaxComposite,
                      log_softmax_value);
}

} // namespace xlac
