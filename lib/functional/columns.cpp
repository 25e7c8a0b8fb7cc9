// im2col and col2im: patches of images as columns, and their inverse.
#include "xlac/tensor/formulas.h"

namespace xlac {

using namespace frontend;

namespace {

/// The positions of a two-dimensional window over an image.
struct UnfoldGeometry {
  Shape image, kernel, dilation, padding, stride;
  Shape counts; ///< numbers of positions along both dimensions

  int64_t per_patch() const { return kernel[0] * kernel[1]; }
};

UnfoldGeometry patches_of(const Shape &image, IntArrayRef kernel_size,
                          IntArrayRef dilation, IntArrayRef padding,
                          IntArrayRef stride) {
  UnfoldGeometry p{image,
                   window_per_dim(kernel_size, 2, "kernel_size"),
                   window_per_dim(dilation, 2, "dilation"),
                   window_per_dim(padding, 2, "padding"),
                   window_per_dim(stride, 2, "stride"),
                   {}};
  for (size_t i = 0; i < 2; ++i) {
    if (p.kernel[i] < 1 || p.dilation[i] < 1 || p.stride[i] < 1 ||
        p.padding[i] < 0)
      raise<ValueError>("kernel_size, dilation and stride must be positive and "
                        "padding not negative");
    int64_t slack =
        image[i] + 2 * p.padding[i] - p.dilation[i] * (p.kernel[i] - 1) - 1;
    if (slack < 0)
      raise<ShapeError>("given an image of size " + to_text(image) +
                        " and a kernel of size " + to_text(p.kernel) +
                        ", there is no patch");
    p.counts.push_back(slack / p.stride[i] + 1);
  }
  return p;
}

/// Calls visit(y, x) with the offset of each kernel element.
template <class Visit>
void for_each_offset(const UnfoldGeometry &p, Visit visit) {
  for (int64_t y = 0; y < p.kernel[0]; ++y)
    for (int64_t x = 0; x < p.kernel[1]; ++x)
      visit(y * p.dilation[0], x * p.dilation[1]);
}

} // namespace

Tensor im2col(const Tensor &input, IntArrayRef kernel_size,
              IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
  XLAC_CALL("im2col");
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.size() != 3 && sizes.size() != 4)
    raise<ShapeError>("input must have 3 or 4 dimensions, got " +
                      to_text(sizes));
  bool batched = sizes.size() == 4;
  UnfoldGeometry p = patches_of({sizes[sizes.size() - 2], sizes.back()},
                                kernel_size, dilation, padding, stride);
  Device device = impl_of(input).device();
  Value x = value_on(input, device);
  int64_t batch = batched ? sizes[0] : 1, channels = sizes[sizes.size() - 3];
  x = build::reshape(x, {batch, channels, p.image[0], p.image[1]});
  x = build::pad(x, build::constant(x.tensor().element, {}, 0),
                 {0, 0, p.padding[0], p.padding[1]},
                 {0, 0, p.padding[0], p.padding[1]}, {0, 0, 0, 0});
  std::vector<Value> parts;
  int64_t positions = p.counts[0] * p.counts[1];
  for_each_offset(p, [&](int64_t top, int64_t left) {
    Value part = build::slice(x, {0, 0, top, left},
                              {batch, channels,
                               top + (p.counts[0] - 1) * p.stride[0] + 1,
                               left + (p.counts[1] - 1) * p.stride[1] + 1},
                              {1, 1, p.stride[0], p.stride[1]});
    parts.push_back(build::reshape(part, {batch, channels, 1, positions}));
  });
  Shape columns{batch, channels * p.per_patch(), positions};
  if (!batched)
    columns.erase(columns.begin());
  return finish(build::reshape(build::concatenate(parts, 2), columns), device,
                impl_of(input).dtype);
}

Tensor col2im(const Tensor &input, IntArrayRef output_size,
              IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride) {
  XLAC_CALL("col2im");
  const Shape &sizes = impl_of(input).sizes;
  if (sizes.size() != 2 && sizes.size() != 3)
    raise<ShapeError>("input must have 2 or 3 dimensions, got " +
                      to_text(sizes));
  bool batched = sizes.size() == 3;
  UnfoldGeometry p = patches_of(size_per_dim(output_size, 2, "output_size"),
                                kernel_size, dilation, padding, stride);
  int64_t batch = batched ? sizes[0] : 1, rows = sizes[sizes.size() - 2];
  if (rows % p.per_patch() != 0 || sizes.back() != p.counts[0] * p.counts[1])
    raise<ShapeError>("columns of size " + to_text(sizes) +
                      " do not fit kernel_size=" + to_text(p.kernel) +
                      " and output_size=" + to_text(p.image));
  int64_t channels = rows / p.per_patch();
  Device device = impl_of(input).device();
  Value x =
      build::reshape(value_on(input, device), {batch, channels, p.per_patch(),
                                               p.counts[0], p.counts[1]});
  Value zero = build::constant(x.tensor().element, {}, 0), image;
  Shape padded{p.image[0] + 2 * p.padding[0], p.image[1] + 2 * p.padding[1]};
  int64_t number = 0;
  for_each_offset(p, [&](int64_t top, int64_t left) {
    Value part = build::reshape(sliced(x, 2, number, number + 1),
                                {batch, channels, p.counts[0], p.counts[1]});
    ++number;
    int64_t high = padded[0] - top - ((p.counts[0] - 1) * p.stride[0] + 1);
    int64_t wide = padded[1] - left - ((p.counts[1] - 1) * p.stride[1] + 1);
    part = build::pad(part, zero, {0, 0, top, left}, {0, 0, high, wide},
                      {0, 0, p.stride[0] - 1, p.stride[1] - 1});
    image = image ? image + part : part;
  });
  image = build::slice(
      image, {0, 0, p.padding[0], p.padding[1]},
      {batch, channels, p.padding[0] + p.image[0], p.padding[1] + p.image[1]},
      {1, 1, 1, 1});
  Shape result{batch, channels, p.image[0], p.image[1]};
  if (!batched)
    result.erase(result.begin());
  return finish(build::reshape(image, result), device, impl_of(input).dtype);
}

} // namespace xlac
