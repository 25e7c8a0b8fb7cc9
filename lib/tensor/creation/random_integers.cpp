// Random integers and events.
#include "xlac/lazy/storage_modes.h"
#include "xlac/tensor/draws.h"

#include <limits>
#include <utility>

namespace xlac {

using namespace frontend;
using detail::OptionsAccess;

namespace {

/// Integers in [low, high) as i64. The range is an argument of the program.
Value draw_range(Device device, int64_t low, int64_t high, const Shape &sizes) {
  uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  bool is_narrow = range <= std::numeric_limits<uint32_t>::max();
  Value bits = draw_bits(
      device, is_narrow ? ElementType::UI32 : ElementType::UI64, sizes);
  Value below =
      with_number(OpKind::Remainder, std::move(bits), Scalar(range), device);
  return with_number(OpKind::Add,
                     build::convert(std::move(below), ElementType::I64),
                     Scalar(low), device);
}

/// Returns the greatest integer that random_() may give for `dtype`: all
/// integers up to it are representable.
int64_t greatest_drawn(Dtype dtype) {
  switch (dtype) {
  case kFloat16:
    return int64_t{1} << 11;
  case kBFloat16:
    return int64_t{1} << 8;
  case kFloat32:
    return int64_t{1} << 24;
  case kFloat64:
    return int64_t{1} << 53;
  case kBool:
    return 1;
  case kUInt64:
    return std::numeric_limits<int64_t>::max();
  default: {
    int bits = 8 * static_cast<int>(element_size(dtype));
    return static_cast<int64_t>(~uint64_t{0} >> (64 - bits + is_signed(dtype)));
  }
  }
}

[[noreturn]] void reject_dtype(Dtype dtype) {
  raise<UnsupportedError>("not implemented for '" + lazy::legacy_name(dtype) +
                          "'");
}

/// Returns the least and the greatest integer in the range of `dtype`, limited
/// to the range of i64.
std::pair<int64_t, int64_t> range_of(Dtype dtype) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  if (dtype == kFloat16)
    return {-65504, 65504};
  if (is_floating_point(dtype))
    return {-most - 1, most};
  int64_t greatest = greatest_drawn(dtype);
  return {is_signed(dtype) ? -greatest - 1 : 0, greatest};
}

void check_bound(const char *name, int64_t value, Dtype dtype) {
  auto [least, most] = range_of(dtype);
  if (value >= least && value <= most)
    return;
  raise<ValueError>("expected `" + std::string(name) +
                    "` to be within the range [" + std::to_string(least) +
                    ", " + std::to_string(most) + "]. However got value " +
                    std::to_string(value) + ", which is " +
                    (value < least ? "smaller than the lower bound."
                                   : "greater than the upper bound."));
}

/// Rejects dtypes without order, and bounds that are not representable.
void check_range(int64_t low, int64_t high, Dtype dtype) {
  if (is_complex(dtype))
    reject_dtype(dtype);
  if (low >= high)
    raise<ValueError>("expected `from` (" + std::to_string(low) +
                      ") to be smaller than `to` (" + std::to_string(high) +
                      ").");
  check_bound("from", low, dtype);
  // The greatest possible number is `to` - 1.
  check_bound("to", high - 1, dtype);
}

Tensor drawn_range(int64_t low, int64_t high, IntArrayRef given,
                   TensorOptions options, Dtype fallback) {
  Shape sizes = checked_sizes(given);
  Dtype dtype = OptionsAccess::dtype(options).value_or(fallback);
  Device device = device_of(options);
  check_range(low, high, dtype);
  return made(finish_drawn(draw_range(device, low, high, sizes), device, dtype),
              options);
}

void require_probability(const char *name, double p) {
  if (!(p >= 0 && p <= 1))
    raise<ValueError>(
        std::string(name) +
        " expects p to be in [0, 1], but got p=" + std::to_string(p));
}

/// For each element, whether an event of this probability happens.
Value draw_events(Device device, const Shape &sizes, Value probability) {
  lazy::FullPrecisionScope exact;
  ElementType type = probability.tensor().element;
  return build::compare(ops::ComparisonDirection::LT,
                        draw_fine_uniform(device, type, sizes),
                        build::broadcast_to(std::move(probability), sizes));
}

Value number_probability(double p, Device device) {
  return exact_number(p, ElementType::F32, device);
}

/// Returns the tensor's probabilities in the type of the uniform numbers.
Value tensor_probability(const Tensor &p, Device device) {
  Dtype dtype = impl_of(p).dtype == kFloat64 ? kFloat64 : kFloat32;
  return value_on(p, device, dtype);
}

} // namespace

//===- Integers -----------------------------------------------------------===//

Tensor randint(int64_t high, IntArrayRef size, TensorOptions options) {
  XLAC_CALL("randint");
  return drawn_range(0, high, size, options, kInt64);
}

Tensor randint(int64_t low, int64_t high, IntArrayRef size,
               TensorOptions options) {
  XLAC_CALL("randint");
  return drawn_range(low, high, size, options, kInt64);
}

Tensor randint_like(const Tensor &self, int64_t high, TensorOptions options) {
  XLAC_CALL("randint_like");
  return drawn_range(0, high, impl_of(self).sizes, filled_in(options, self),
                     kInt64);
}

Tensor randint_like(const Tensor &self, int64_t low, int64_t high,
                    TensorOptions options) {
  XLAC_CALL("randint_like");
  return drawn_range(low, high, impl_of(self).sizes, filled_in(options, self),
                     kInt64);
}

Tensor &random_(Tensor &self, int64_t from, int64_t to) {
  XLAC_CALL("random_");
  TensorImpl &impl = impl_of(self);
  check_range(from, to, impl.dtype);
  return overwrite_drawn(self, draw_range(impl.device(), from, to, impl.sizes));
}

Tensor &random_(Tensor &self, int64_t to) {
  XLAC_CALL("random_");
  return random_(self, 0, to);
}

Tensor &random_(Tensor &self) {
  XLAC_CALL("random_");
  int64_t most = greatest_drawn(impl_of(self).dtype);
  // The greatest i64 is excluded, since no exclusive upper bound exists for it.
  return random_(self, 0, most + (most < std::numeric_limits<int64_t>::max()));
}

Tensor randperm(int64_t n, TensorOptions options) {
  XLAC_CALL("randperm");
  if (n < 0)
    raise<ValueError>("n must be non-negative, got " + std::to_string(n));
  Dtype dtype = OptionsAccess::dtype(options).value_or(kInt64);
  if (is_complex(dtype) || dtype == kBool)
    reject_dtype(dtype);
  if (n - 1 > greatest_drawn(dtype))
    raise<ValueError>("n is too large for " + lazy::legacy_name(dtype) +
                      ", got " + std::to_string(n));
  Device device = device_of(options);
  Value keys = draw_bits(device, ElementType::UI64, {n});
  Value places = build::iota(ElementType::I64, {n}, 0);
  Value order = build::sort({keys, places}, 0, /*descending=*/false)[1];
  return made(finish_drawn(order, device, dtype), options);
}

//===- Events -------------------------------------------------------------===//

Tensor bernoulli(const Tensor &self) {
  XLAC_CALL("bernoulli");
  TensorImpl &impl = impl_of(self);
  if (!is_floating_point(impl.dtype))
    reject_dtype(impl.dtype);
  Device device = impl.device();
  return finish_drawn(draw_events(device, impl.sizes,
                                  tensor_probability(self.detach(), device)),
                      device, impl.dtype);
}

Tensor bernoulli(const Tensor &self, double p) {
  XLAC_CALL("bernoulli");
  require_probability("bernoulli", p);
  TensorImpl &impl = impl_of(self);
  Device device = impl.device();
  return finish_drawn(
      draw_events(device, impl.sizes, number_probability(p, device)), device,
      impl.dtype);
}

Tensor &bernoulli_(Tensor &self, double p) {
  XLAC_CALL("bernoulli_");
  require_probability("bernoulli_", p);
  TensorImpl &impl = impl_of(self);
  Device device = impl.device();
  return overwrite_drawn(
      self, draw_events(device, impl.sizes, number_probability(p, device)));
}

Tensor &bernoulli_(Tensor &self, const Tensor &p) {
  XLAC_CALL("bernoulli_");
  Device device = common_device({&self, &p});
  TensorImpl &impl = impl_of(self);
  if (!is_floating_point(impl_of(p).dtype))
    raise<DtypeError>("expected probabilities of a floating dtype, got " +
                      lazy::legacy_name(impl_of(p).dtype));
  if (broadcast_shapes(self, p) != impl.sizes)
    raise<ShapeError>("probabilities of shape " + to_text(impl_of(p).sizes) +
                      " do not broadcast to " + to_text(impl.sizes));
  return overwrite_drawn(
      self,
      draw_events(device, impl.sizes, tensor_probability(p.detach(), device)));
}

} // namespace xlac
