#include "xlac/data/transforms.h"

#include "xlac/data/random.h"
#include "xlac/lazy/dtypes.h"
#include "xlac/ops.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>

namespace xlac::data {

/// Throws ShapeError unless there is one number or one per channel.
static void check_channels(const PerChannel &numbers, const Tensor &image) {
  auto count = static_cast<int64_t>(numbers.values.size());
  if (count != 1 && (image.dim() < 3 || image.size(-3) != count))
    raise<ShapeError>("wanted an image of " + std::to_string(count) +
                      " channels, got " + frontend::describe(image));
}

/// Returns the numbers as [C, 1, 1], or as one number.
static Tensor by_channel(const PerChannel &numbers, const Tensor &image) {
  TensorOptions options(image.dtype());
  options = options.device(image.device());
  if (numbers.values.size() == 1)
    return tensor(numbers.values[0], options);
  return tensor(numbers.values, options).view({-1, 1, 1});
}

/// Normalizes a cpu image of floats directly in memory: the graphs of two
/// operations take ten times as long as 784 numbers.
static Tensor normalized_in_memory(const Tensor &image, const PerChannel &mean,
                                   const PerChannel &std) {
  const size_t channels = std::max(mean.values.size(), std.values.size());
  host::Literal elements = frontend::elements_of(image);
  const auto *from = reinterpret_cast<const float *>(elements.data());
  std::vector<float> to(static_cast<size_t>(image.numel()));
  size_t plane = to.size();
  if (channels > 1)
    plane = static_cast<size_t>(image.size(-2) * image.size(-1));
  for (size_t start = 0; start < to.size(); start += plane) {
    auto number = [&](const PerChannel &numbers) {
      size_t channel = start / plane % channels;
      return static_cast<float>(
          numbers.values[numbers.values.size() == 1 ? 0 : channel]);
    };
    float middle = number(mean), width = number(std);
    for (size_t i = start; i < start + plane; ++i)
      to[i] = (from[i] - middle) / width;
  }
  return from_data(to.data(), image.sizes(), Device(kCPU));
}

Tensor Normalize::operator()(const Tensor &image) const {
  XLAC_CALL("Normalize");
  if (!image.is_floating_point())
    raise<DtypeError>("wanted a floating image, got " +
                      frontend::describe(image) + "; ToFloat makes one");
  check_channels(mean, image);
  check_channels(std, image);
  if (image.is_cpu() && image.dtype() == kFloat32 && !image.requires_grad())
    return normalized_in_memory(image, mean, std);
  return (image - by_channel(mean, image)) / by_channel(std, image);
}

Tensor ToFloat::operator()(const Tensor &image) const {
  XLAC_CALL("ToFloat");
  Tensor result = image.to(kFloat32);
  if (image.is_floating_point() || image.dtype() == kBool)
    return result;
  return result / static_cast<double>(iinfo(image.dtype()).max);
}

Tensor RandomHorizontalFlip::operator()(const Tensor &image) const {
  XLAC_CALL("RandomHorizontalFlip");
  return random().uniform() < p ? flip(image, {-1}) : image;
}

Tensor RandomCrop::operator()(const Tensor &image) const {
  XLAC_CALL("RandomCrop");
  if (size.empty() || size.size() > 2)
    raise<ValueError>("wanted one size or two, got " + frontend::to_text(size));
  Tensor from = image;
  if (padding > 0)
    from = pad(from, {padding, padding, padding, padding}, "constant", fill);
  for (int64_t dim : {-2, -1}) {
    int64_t wanted = dim == -2 ? size.front() : size.back();
    if (from.dim() < 2 || from.size(dim) < wanted || wanted < 0)
      raise<ShapeError>("cannot crop " + frontend::to_text(size) + " from " +
                        frontend::describe(from));
    auto places = static_cast<uint64_t>(from.size(dim) - wanted + 1);
    from =
        from.narrow(dim, static_cast<int64_t>(random().below(places)), wanted);
  }
  return from.contiguous();
}

} // namespace xlac::data
