// Dropout and other functions that apply noise. The noise is a separate tensor,
// so that backward uses the noise of the forward pass.
#include "xlac/lazy/storage_modes.h"
#include "xlac/tensor/draws.h"

#include <cmath>

namespace xlac {

using namespace frontend;

namespace {

void require_probability(double p) {
  if (!(p >= 0 && p <= 1))
    raise<ValueError>(
        "dropout probability has to be between 0 and 1, but got " +
        std::to_string(p));
}

/// Returns a tensor of `sizes` whose elements are true with probability 1 - p.
Tensor kept(const Tensor &like, const Shape &sizes, double p) {
  lazy::FullPrecisionScope exact;
  Device device = impl_of(like).device();
  Value keep =
      build::broadcast_to(exact_number(1 - p, ElementType::F32, device), sizes);
  return finish(
      build::compare(ops::ComparisonDirection::LT,
                     draw_fine_uniform(device, ElementType::F32, sizes), keep),
      device, kBool);
}

/// Returns the sizes of a mask with one flag per sample and channel.
Shape channel_sizes(const Tensor &input) {
  Shape sizes = impl_of(input).sizes;
  if (sizes.size() < 2)
    raise<ShapeError>(
        "Feature dropout requires at least 2 dimensions in the input");
  for (size_t i = 2; i < sizes.size(); ++i)
    sizes[i] = 1;
  return sizes;
}

Tensor dropped(const Tensor &input, const Shape &mask_sizes, double p) {
  double scale = p < 1 ? 1 / (1 - p) : 0;
  return input * kept(input, mask_sizes, p).to(impl_of(input).dtype) *
         Scalar(scale);
}

/// Sets dropped elements to SELU's lower bound and rescales, so that mean and
/// variance are preserved.
Tensor alpha_dropped(const Tensor &input, const Shape &mask_sizes, double p) {
  constexpr double kAlpha = 1.7580993408473766;
  double a = 1 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  Tensor mask = kept(input, mask_sizes, p).to(impl_of(input).dtype);
  Tensor shift = (mask - 1) * Scalar(kAlpha * a) + Scalar(kAlpha * a * p);
  return input * (mask * Scalar(a)) + shift;
}

/// Returns Gumbel noise: minus the logarithm of exponential random numbers.
Tensor draw_gumbel(Device device, Dtype dtype, const Shape &sizes) {
  lazy::FullPrecisionScope exact;
  Value waited = draw_exponential(device, dtype, sizes);
  Value logarithm = build::unary(OpKind::Log, std::move(waited));
  return finish_drawn(build::unary(OpKind::Negate, std::move(logarithm)),
                      device, dtype);
}

using Dropped = Tensor (*)(const Tensor &, const Shape &, double);

Tensor drop(Dropped how, const Tensor &input, bool by_channel, double p,
            bool training) {
  require_probability(p);
  const TensorImpl &impl = impl_of(input);
  if (!is_floating_point(impl.dtype) && !is_complex(impl.dtype))
    raise<DtypeError>("result type Float can't be cast to the desired output "
                      "type " +
                      lazy::legacy_name(impl.dtype));
  Shape sizes = by_channel ? channel_sizes(input) : impl.sizes;
  if (!training || p == 0)
    return input;
  if (p == 1)
    return input * Scalar(0);
  return how(input, sizes, p);
}

/// Drops whole channels of [N, C, …] with `rank` dimensions, or of an unbatched
/// [C, …].
Tensor drop_channels(const Tensor &input, int64_t rank, double p,
                     bool training) {
  if (input.dim() != rank && input.dim() != rank - 1)
    raise<ShapeError>("expected " + std::to_string(rank) + "d or " +
                      std::to_string(rank - 1) + "d input, got " +
                      std::to_string(input.dim()) + "d");
  if (input.dim() == rank)
    return drop(dropped, input, true, p, training);
  return drop(dropped, input.unsqueeze(0), true, p, training).squeeze(0);
}

} // namespace

Tensor dropout(const Tensor &input, double p, bool training) {
  XLAC_CALL("dropout");
  return drop(dropped, input, false, p, training);
}

Tensor feature_dropout(const Tensor &input, double p, bool training) {
  XLAC_CALL("feature_dropout");
  return drop(dropped, input, true, p, training);
}

Tensor dropout1d(const Tensor &input, double p, bool training) {
  XLAC_CALL("dropout1d");
  return drop_channels(input, 3, p, training);
}

Tensor dropout2d(const Tensor &input, double p, bool training) {
  XLAC_CALL("dropout2d");
  return drop_channels(input, 4, p, training);
}

Tensor dropout3d(const Tensor &input, double p, bool training) {
  XLAC_CALL("dropout3d");
  return drop_channels(input, 5, p, training);
}

Tensor alpha_dropout(const Tensor &input, double p, bool training) {
  XLAC_CALL("alpha_dropout");
  return drop(alpha_dropped, input, false, p, training);
}

Tensor feature_alpha_dropout(const Tensor &input, double p, bool training) {
  XLAC_CALL("feature_alpha_dropout");
  return drop(alpha_dropped, input, true, p, training);
}

Tensor rrelu(const Tensor &self, double lower, double upper, bool training) {
  XLAC_CALL("rrelu");
  if (!(lower <= upper))
    raise<ValueError>("lower bound should be less than or equal to the upper "
                      "bound, got " +
                      std::to_string(lower) + " and " + std::to_string(upper));
  TensorImpl &impl = impl_of(self);
  if (!is_floating_point(impl.dtype))
    raise<UnsupportedError>("not implemented for '" +
                            lazy::legacy_name(impl.dtype) + "'");
  Tensor slope = training
                     ? rand_like(self) * Scalar(upper - lower) + Scalar(lower)
                     : full_like(self, (lower + upper) / 2);
  return where(self > Scalar(0), self, self * slope);
}

Tensor gumbel_softmax(const Tensor &logits, double tau, bool hard,
                      int64_t dim) {
  XLAC_CALL("gumbel_softmax");
  TensorImpl &impl = impl_of(logits);
  if (!is_floating_point(impl.dtype))
    raise<UnsupportedError>("not implemented for '" +
                            lazy::legacy_name(impl.dtype) + "'");
  auto rank = static_cast<int64_t>(impl.sizes.size());
  int64_t along = wrap_dim(dim, rank);
  Tensor gumbel = draw_gumbel(impl.device(), impl.dtype, impl.sizes);
  Tensor soft = softmax((logits + gumbel) / Scalar(tau), along);
  if (!hard)
    return soft;
  // The forward result is one-hot; the gradient is that of the soft values.
  Tensor best = soft.detach().argmax(along, /*keepdim=*/true);
  Shape counted(impl.sizes.size(), 1);
  if (rank > 0)
    counted[along] = impl.sizes[along];
  Tensor places = arange(rank > 0 ? impl.sizes[along] : int64_t{1},
                         TensorOptions(impl.device()))
                      .view(counted);
  Tensor one_hot = (places == best).to(impl.dtype);
  return one_hot - soft.detach() + soft;
}

} // namespace xlac
