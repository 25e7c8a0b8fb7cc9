#include "xlac/data/transforms.h"

#include "xlac/data/random.h"
#include "xlac/lazy/dtypes.h"
#include "xlac/lazy/errors.h"
#include "xlac/ops.h"
#include "xlac/tensor/access.h"

namespace xlac::data {

using lazy::raise;

/// As [C, 1, 1], or a number where there is one for all.
static Tensor by_channel(const PerChannel &numbers, const Tensor &image) {
  auto count = static_cast<int64_t>(numbers.values.size());
  TensorOptions options(image.dtype());
  options = options.device(image.device());
  if (count == 1)
    return tensor(numbers.values[0], options);
  if (image.dim() < 3 || image.size(-3) != count)
    raise<ShapeError>("wanted an image of " + std::to_string(count) +
                      " channels, got " + front::describe(image));
  return tensor(numbers.values, options).view({count, 1, 1});
}

Tensor Normalize::operator()(const Tensor &image) const {
  XLAC_CALL("Normalize");
  if (!image.is_floating_point())
    raise<DtypeError>("wanted a floating image, got " + front::describe(image) +
                      "; ToFloat makes one");
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
    raise<ValueError>("wanted one size or two, got " + front::to_text(size));
  Tensor from = image;
  if (padding > 0)
    from = pad(from, {padding, padding, padding, padding}, "constant", fill);
  for (int64_t dim : {-2, -1}) {
    int64_t wanted = dim == -2 ? size.front() : size.back();
    if (from.dim() < 2 || from.size(dim) < wanted || wanted < 0)
      raise<ShapeError>("cannot crop " + front::to_text(size) + " from " +
                        front::describe(from));
    auto places = static_cast<uint64_t>(from.size(dim) - wanted + 1);
    from =
        from.narrow(dim, static_cast<int64_t>(random().below(places)), wanted);
  }
  return from.contiguous();
}

} // namespace xlac::data
