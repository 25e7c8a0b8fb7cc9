// Random numbers of continuous distributions: factories and in-place forms.
#include "xlac/lazy/storage_modes.h"
#include "xlac/tensor/draws.h"

#include <cmath>
#include <numbers>

namespace xlac {

using namespace frontend;
using detail::OptionsAccess;

namespace {

using Draw = Value (*)(Device, Dtype, const Shape &);

std::string shown(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

void require_float(Dtype dtype) {
  if (!is_floating_point(dtype))
    raise<UnsupportedError>("not implemented for '" + lazy::legacy_name(dtype) +
                            "'");
}

/// Makes a new tensor of random numbers. The parts of complex ones are
/// multiplied by `part_scale`.
Tensor drawn(Draw draw, double part_scale, IntArrayRef given,
             TensorOptions options) {
  lazy::FullPrecisionScope exact;
  Shape sizes = checked_sizes(given);
  Dtype dtype = options.dtype();
  Device device = device_of(options);
  if (!is_complex(dtype)) {
    require_float(dtype);
    return made(finish_drawn(draw(device, dtype, sizes), device, dtype),
                options);
  }
  auto part = [&] {
    Value value = draw(device, dtype, sizes);
    return part_scale == 1 ? value
                           : with_number(OpKind::Multiply, std::move(value),
                                         part_scale, device);
  };
  Value real = part();
  return made(finish(build::binary(OpKind::Complex, std::move(real), part()),
                     device, dtype),
              options);
}

Tensor drawn_uniform(IntArrayRef sizes, TensorOptions options) {
  return drawn(draw_uniform, 1, sizes, options);
}
Tensor drawn_normal(IntArrayRef sizes, TensorOptions options) {
  return drawn(draw_normal, std::numbers::sqrt2 / 2, sizes, options);
}

/// value * scale + shift; both numbers are arguments of the program.
Value scaled(Value value, double scale, double shift, Device device) {
  value = with_number(OpKind::Multiply, std::move(value), scale, device);
  return with_number(OpKind::Add, std::move(value), shift, device);
}

void require_deviation(double std) {
  if (!(std >= 0))
    raise<ValueError>("normal expects std >= 0.0, but found std " + shown(std));
}

/// The tensor of an in-place distribution; throws unless its dtype is floating.
struct Target {
  explicit Target(Tensor &self) : impl(impl_of(self)) {
    require_float(impl.dtype);
  }
  Value draw(Draw from) const {
    return from(impl.device(), impl.dtype, impl.sizes);
  }
  TensorImpl &impl;
};

} // namespace

//===- Uniform ------------------------------------------------------------===//

Tensor rand(IntArrayRef sizes, TensorOptions options) {
  XLAC_CALL("rand");
  return drawn_uniform(sizes, options);
}

Tensor rand_like(const Tensor &self, TensorOptions options) {
  XLAC_CALL("rand_like");
  return drawn_uniform(impl_of(self).sizes, filled_in(options, self));
}

Tensor &uniform_(Tensor &self, double from, double to) {
  XLAC_CALL("uniform_");
  Target target(self);
  if (!(from <= to))
    raise<ValueError>(
        "uniform_ expects to return a [from, to) range, but found from=" +
        shown(from) + " > to=" + shown(to));
  return overwrite_drawn(self,
                         draw_between(target.impl.device(), target.impl.dtype,
                                      target.impl.sizes, from, to));
}

//===- Normal -------------------------------------------------------------===//

Tensor randn(IntArrayRef sizes, TensorOptions options) {
  XLAC_CALL("randn");
  return drawn_normal(sizes, options);
}

Tensor randn_like(const Tensor &self, TensorOptions options) {
  XLAC_CALL("randn_like");
  return drawn_normal(impl_of(self).sizes, filled_in(options, self));
}

Tensor normal(const Tensor &mean, const Tensor &std) {
  XLAC_CALL("normal");
  Device device = common_device({&mean, &std});
  Dtype dtype = impl_of(mean).dtype;
  require_float(dtype);
  require_float(impl_of(std).dtype);
  Shape sizes = broadcast_shapes(mean, std);
  // As in PyTorch, mean and std get no gradient.
  Tensor noise = drawn_normal(sizes, TensorOptions(device).dtype(dtype));
  return noise * std.detach() + mean.detach();
}

Tensor normal(const Tensor &mean, double std) {
  XLAC_CALL("normal");
  require_deviation(std);
  return randn_like(mean) * std + mean.detach();
}

Tensor normal(double mean, const Tensor &std) {
  XLAC_CALL("normal");
  return randn_like(std) * std.detach() + mean;
}

Tensor normal(double mean, double std, IntArrayRef size,
              TensorOptions options) {
  XLAC_CALL("normal");
  require_deviation(std);
  return drawn_normal(size, options) * std + mean;
}

Tensor &normal_(Tensor &self, double mean, double std) {
  XLAC_CALL("normal_");
  require_deviation(std);
  Target target(self);
  return overwrite_drawn(
      self, scaled(target.draw(draw_normal), std, mean, target.impl.device()));
}

Tensor &log_normal_(Tensor &self, double mean, double std) {
  XLAC_CALL("log_normal_");
  if (!(std > 0))
    raise<ValueError>("log_normal_ expects std > 0.0, but found std=" +
                      shown(std));
  Target target(self);
  lazy::FullPrecisionScope exact;
  Value normal =
      scaled(target.draw(draw_normal), std, mean, target.impl.device());
  return overwrite_drawn(self,
                         build::unary(OpKind::Exponential, std::move(normal)));
}

//===- Other distributions ------------------------------------------------===//

Tensor &exponential_(Tensor &self, double lambd) {
  XLAC_CALL("exponential_");
  if (!(lambd > 0))
    raise<ValueError>("exponential_ expects lambda > 0.0, but found lambda=" +
                      shown(lambd));
  Target target(self);
  return overwrite_drawn(self, with_number(OpKind::Divide,
                                           target.draw(draw_exponential), lambd,
                                           target.impl.device()));
}

Tensor &geometric_(Tensor &self, double p) {
  XLAC_CALL("geometric_");
  if (!(p > 0 && p < 1))
    raise<ValueError>("geometric_ expects p to be in (0, 1), but got p=" +
                      shown(p));
  TensorImpl &impl = impl_of(self);
  if (is_complex(impl.dtype) || impl.dtype == kBool)
    raise<UnsupportedError>("not implemented for '" +
                            lazy::legacy_name(impl.dtype) + "'");
  lazy::FullPrecisionScope exact;
  // The number of trials is the exponential waiting time, rounded up.
  Value waited = draw_exponential(impl.device(), impl.dtype, impl.sizes);
  Value trials = with_number(OpKind::Divide, std::move(waited), -std::log1p(-p),
                             impl.device());
  return overwrite_drawn(self, build::unary(OpKind::Ceil, std::move(trials)));
}

Tensor &cauchy_(Tensor &self, double median, double sigma) {
  XLAC_CALL("cauchy_");
  if (!(sigma > 0))
    raise<ValueError>("cauchy_ expects sigma > 0.0, but found sigma=" +
                      shown(sigma));
  Target target(self);
  Device device = target.impl.device();
  lazy::FullPrecisionScope exact;
  Value angle = scaled(target.draw(draw_open_uniform), std::numbers::pi,
                       -std::numbers::pi / 2, device);
  return overwrite_drawn(self,
                         scaled(build::unary(OpKind::Tan, std::move(angle)),
                                sigma, median, device));
}

} // namespace xlac
