// Padding: constant, reflected, replicated or circular.
#include "xlac/tensor/views.h"

#include <algorithm>

namespace xlac {

using namespace frontend;

namespace {

/// Returns `count` elements of `value` along `dim`, by the padding mode, that
/// are to precede it (`before`) or follow it.
using Border = Value (*)(Value value, int64_t dim, int64_t count, bool before);

Value cut(Value value, int64_t dim, int64_t start, int64_t count) {
  Shape limits = value.tensor().dims;
  Shape starts(limits.size(), 0), steps(limits.size(), 1);
  starts[dim] = start;
  limits[dim] = start + count;
  return build::slice(value, starts, limits, steps);
}

Value reflection(Value value, int64_t dim, int64_t count, bool before) {
  int64_t size = value.tensor().dims[dim];
  return build::reverse(cut(value, dim, before ? 1 : size - 1 - count, count),
                        {dim});
}

Value replication(Value value, int64_t dim, int64_t count, bool before) {
  int64_t size = value.tensor().dims[dim];
  Value edge = cut(value, dim, before ? 0 : size - 1, 1);
  Shape dims = value.tensor().dims;
  dims[dim] = count;
  return build::broadcast_to(edge, dims);
}

Value wrapping(Value value, int64_t dim, int64_t count, bool before) {
  int64_t size = value.tensor().dims[dim];
  return cut(value, dim, before ? size - count : 0, count);
}

/// Pads `value` along `dim`; negative counts remove elements.
Value bordered(Value value, int64_t dim, int64_t low, int64_t high,
               Border border) {
  std::vector<Value> parts;
  if (low > 0)
    parts.push_back(border(value, dim, low, true));
  int64_t start = std::max<int64_t>(0, -low);
  int64_t end = value.tensor().dims[dim] - std::max<int64_t>(0, -high);
  parts.push_back(start == 0 && end == value.tensor().dims[dim]
                      ? value
                      : cut(value, dim, start, end - start));
  if (high > 0)
    parts.push_back(border(value, dim, high, false));
  return build::concatenate(std::move(parts), dim);
}

std::string text_of(IntArrayRef list) {
  return to_text(Shape(list.begin(), list.end()));
}

/// Checks paddings, which come in pairs, the last dimension first.
void check_pairs(const Tensor &self, IntArrayRef padding) {
  if (padding.size() % 2)
    raise<ValueError>("Padding length must be divisible by 2, got " +
                      text_of(padding));
  if (static_cast<int64_t>(padding.size()) > 2 * self.dim())
    raise<ShapeError>("Padding length should be less than or equal to two "
                      "times the input dimension but got padding length " +
                      std::to_string(padding.size()) +
                      " and input of "
                      "dimension " +
                      std::to_string(self.dim()));
}

void check_border(int64_t size, int64_t low, int64_t high, Border border) {
  int64_t most = std::max(low, high);
  if (border == reflection && most >= size)
    raise<ShapeError>("Padding size should be less than the corresponding "
                      "input dimension, but got: padding (" +
                      std::to_string(low) + ", " + std::to_string(high) +
                      ") at a dimension of size " + std::to_string(size));
  if (border == wrapping && most > size)
    raise<ShapeError>("Padding value causes wrapping around more than once.");
  if (border == replication && size == 0 && most > 0)
    raise<ShapeError>("cannot replicate the edge of a dimension of size 0");
  if (size + low + high < (border == replication ? 1 : 0))
    raise<ShapeError>(
        "padding (" + std::to_string(low) + ", " + std::to_string(high) +
        ") leaves nothing of a dimension of size " + std::to_string(size));
}

Tensor padded(const Tensor &self, IntArrayRef padding, Border border) {
  check_pairs(self, padding);
  Shape sizes = self.sizes();
  auto last = static_cast<int64_t>(sizes.size()) - 1;
  for (size_t i = 0; i < padding.size(); i += 2)
    check_border(sizes[last - static_cast<int64_t>(i / 2)], padding.begin()[i],
                 padding.begin()[i + 1], border);
  Value value = value_on(self, self.device());
  for (size_t i = 0; i < padding.size(); i += 2)
    value = bordered(value, last - static_cast<int64_t>(i / 2),
                     padding.begin()[i], padding.begin()[i + 1], border);
  return finish(value, self.device(), self.dtype());
}

/// Pads the last `spatial` dimensions of a tensor that has one or two more.
Tensor padded_spatially(const Tensor &self, IntArrayRef padding, Border border,
                        int64_t spatial) {
  if (static_cast<int64_t>(padding.size()) != 2 * spatial)
    raise<ValueError>("padding size is expected to be " +
                      std::to_string(2 * spatial) +
                      ", but got: " + std::to_string(padding.size()));
  if (self.dim() != spatial + 1 && self.dim() != spatial + 2)
    raise<ShapeError>("Expected " + std::to_string(spatial + 1) + "D or " +
                      std::to_string(spatial + 2) +
                      "D tensor with possibly 0 batch size and other non-zero "
                      "dimensions for input, but got: " +
                      text_of(self.sizes()));
  return padded(self, padding, border);
}

} // namespace

Tensor constant_pad_nd(const Tensor &self, IntArrayRef pad, Scalar value) {
  XLAC_CALL("constant_pad_nd");
  check_pairs(self, pad);
  Shape sizes = self.sizes();
  Shape low(sizes.size(), 0), high(sizes.size(), 0), none(sizes.size(), 0);
  for (size_t i = 0; i < pad.size(); i += 2) {
    size_t dim = sizes.size() - 1 - i / 2;
    low[dim] = pad.begin()[i];
    high[dim] = pad.begin()[i + 1];
    if (sizes[dim] + low[dim] + high[dim] < 0)
      raise<ShapeError>("The input size " + std::to_string(sizes[dim]) +
                        ", plus negative padding " + std::to_string(low[dim]) +
                        " and " + std::to_string(high[dim]) +
                        " resulted in a negative output size");
  }
  Device device = self.device();
  return finish(build::pad(value_on(self, device),
                           number_value(value, self.dtype(), device), low, high,
                           none),
                device, self.dtype());
}

Tensor pad(const Tensor &self, IntArrayRef pad, std::string_view mode,
           std::optional<double> value) {
  XLAC_CALL("pad");
  if (mode == "constant")
    return xlac::constant_pad_nd(self, pad, value.value_or(0.0));
  if (value && *value != 0)
    raise<ValueError>("Padding mode \"" + std::string(mode) +
                      "\" doesn't take in value argument");
  Border border = mode == "reflect"     ? reflection
                  : mode == "replicate" ? replication
                  : mode == "circular"  ? wrapping
                                        : nullptr;
  if (!border)
    raise<UnsupportedError>("Unrecognised padding mode " + std::string(mode));
  check_pairs(self, pad);
  auto pairs = static_cast<int64_t>(pad.size() / 2);
  if (self.dim() != pairs + 1 && self.dim() != pairs + 2)
    raise<UnsupportedError>("Only 2D, 3D, 4D, 5D padding with non-constant "
                            "padding are supported for now");
  return padded(self, pad, border);
}

Tensor reflection_pad1d(const Tensor &self, IntArrayRef padding) {
  XLAC_CALL("reflection_pad1d");
  return padded_spatially(self, padding, reflection, 1);
}
Tensor reflection_pad2d(const Tensor &self, IntArrayRef padding) {
  XLAC_CALL("reflection_pad2d");
  return padded_spatially(self, padding, reflection, 2);
}
Tensor reflection_pad3d(const Tensor &self, IntArrayRef padding) {
  XLAC_CALL("reflection_pad3d");
  return padded_spatially(self, padding, reflection, 3);
}
Tensor replication_pad1d(const Tensor &self, IntArrayRef padding) {
  XLAC_CALL("replication_pad1d");
  return padded_spatially(self, padding, replication, 1);
}
Tensor replication_pad2d(const Tensor &self, IntArrayRef padding) {
  XLAC_CALL("replication_pad2d");
  return padded_spatially(self, padding, replication, 2);
}
Tensor replication_pad3d(const Tensor &self, IntArrayRef padding) {
  XLAC_CALL("replication_pad3d");
  return padded_spatially(self, padding, replication, 3);
}

namespace nn::functional {
Tensor pad(const Tensor &input, IntArrayRef pad, std::string_view mode,
           std::optional<double> value) {
  XLAC_CALL("pad");
  return xlac::pad(input, pad, mode, value);
}
} // namespace nn::functional

} // namespace xlac
