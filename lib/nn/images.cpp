#include "xlac/nn/images.h"

#include "repr.h"

#include "xlac/nn_functional.h"
#include "xlac/support/raise.h"

#include <fmt/format.h>

namespace xlac::nn {

//===- Padding ------------------------------------------------------------===//

PaddingBase::PaddingBase(int dimensions, const SizeList &given,
                         const char *mode, std::optional<Scalar> value)
    : padding(given), mode_(mode), value_(value) {
  auto ends = 2 * static_cast<size_t>(dimensions);
  if (given.size() == 1)
    padding.assign(ends, given[0]);
  if (padding.size() != ends)
    raise<ValueError>(fmt::format(
        "padding of {} dimensions must be one integer or {}, got {}",
        dimensions, ends, given.size()));
}

Tensor PaddingBase::forward(const Tensor &input) {
  if (std::string_view(mode_) == "constant")
    return constant_pad_nd(input, padding, value_.value_or(0));
  return functional::pad(input, padding, mode_);
}

std::string PaddingBase::extra_repr() const {
  return value_ ? fmt::format("padding={}, value={}", repr_of(padding),
                              repr_of(*value_))
                : repr_of(padding);
}

//===- Resizing -----------------------------------------------------------===//

Tensor UpsampleImpl::forward(const Tensor &input) {
  return interpolate(input, options.size, options.scale_factor, options.mode,
                     options.align_corners, options.recompute_scale_factor);
}
std::string UpsampleImpl::extra_repr() const {
  std::string size = options.scale_factor.empty()
                         ? "size=" + repr_of(options.size)
                         : "scale_factor=" + repr_of(options.scale_factor);
  return fmt::format("{}, mode='{}'", size, options.mode);
}

Tensor PixelShuffleImpl::forward(const Tensor &input) {
  return pixel_shuffle(input, options.upscale_factor);
}
std::string PixelShuffleImpl::extra_repr() const {
  return fmt::format("upscale_factor={}", options.upscale_factor);
}

Tensor PixelUnshuffleImpl::forward(const Tensor &input) {
  return pixel_unshuffle(input, options.downscale_factor);
}
std::string PixelUnshuffleImpl::extra_repr() const {
  return fmt::format("downscale_factor={}", options.downscale_factor);
}

Tensor ChannelShuffleImpl::forward(const Tensor &input) {
  return channel_shuffle(input, options.groups);
}
std::string ChannelShuffleImpl::extra_repr() const {
  return fmt::format("groups={}", options.groups);
}

} // namespace xlac::nn
