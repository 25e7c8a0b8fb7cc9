// Views of parts of a tensor.
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/view_step.h"
#include "xlac/tensor/views.h"

#include <algorithm>
#include <optional>

namespace xlac {

using namespace frontend;
using lazy::ViewStep;

//===- Parts --------------------------------------------------------------===//

Tensor slice(const Tensor &self, int64_t dim, std::optional<int64_t> start,
             std::optional<int64_t> end, int64_t step) {
  XLAC_CALL("slice");
  TensorImpl &impl = impl_of(self);
  if (impl.sizes.empty())
    raise<IndexError>("slice() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, rank_of(impl));
  if (step <= 0)
    raise<ValueError>("slice step must be positive");
  int64_t size = impl.sizes[dim];
  auto clamp = [&](int64_t i) {
    return std::clamp<int64_t>(i < 0 ? i + size : i, 0, size);
  };
  int64_t first = clamp(start.value_or(0));
  int64_t last = std::max(first, clamp(end.value_or(size)));
  return slice_view(self, dim, first, last, step);
}

Tensor narrow(const Tensor &self, int64_t dim, int64_t start, int64_t length) {
  XLAC_CALL("narrow");
  TensorImpl &impl = impl_of(self);
  if (impl.sizes.empty())
    raise<IndexError>("narrow() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, rank_of(impl));
  int64_t size = impl.sizes[dim];
  if (length < 0)
    raise<ValueError>("length must be non-negative.");
  if (start < -size || start > size)
    raise<IndexError>("start out of range (expected to be in range of [" +
                      std::to_string(-size) + ", " + std::to_string(size) +
                      "], but got " + std::to_string(start) + ")");
  if (start < 0)
    start += size;
  if (length > size - start)
    raise<IndexError>("start (" + std::to_string(start) + ") + length (" +
                      std::to_string(length) + ") exceeds dimension size (" +
                      std::to_string(size) + ").");
  return slice_view(self, dim, start, start + length, 1);
}

Tensor select(const Tensor &self, int64_t dim, int64_t index) {
  XLAC_CALL("select");
  TensorImpl &impl = impl_of(self);
  if (impl.sizes.empty())
    raise<IndexError>("select() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, rank_of(impl));
  int64_t size = impl.sizes[dim];
  if (index < -size || index >= size)
    raise<IndexError>("index " + std::to_string(index) +
                      " is out of bounds for dimension " + std::to_string(dim) +
                      " with size " + std::to_string(size));
  if (index < 0)
    index += size;
  Tensor part = slice_view(self, dim, index, index + 1, 1);
  Shape sizes = impl.sizes, strides = impl.strides();
  sizes.erase(sizes.begin() + dim);
  strides.erase(strides.begin() + dim);
  return reshape_view(part, std::move(sizes), std::move(strides));
}

Tensor Tensor::operator[](int64_t i) const {
  XLAC_CALL("select");
  return xlac::select(*this, 0, i);
}

//===- Several parts ------------------------------------------------------===//

/// The dim to split, counted from the front.
static int64_t split_dim(const Tensor &self, int64_t dim) {
  const TensorImpl &impl = impl_of(self);
  if (impl.sizes.empty())
    raise<ShapeError>("expects at least a 1-dimensional tensor");
  return wrap_dim(dim, rank_of(impl));
}

/// Splits the dimension into consecutive parts of these sizes.
static std::vector<Tensor> parts_of(const Tensor &self, const Shape &sizes,
                                    int64_t dim) {
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (int64_t size : sizes) {
    parts.push_back(slice_view(self, dim, start, start + size, 1));
    start += size;
  }
  return views_of_one_call(std::move(parts));
}

std::vector<Tensor> split_with_sizes(const Tensor &self, IntArrayRef sizes,
                                     int64_t dim) {
  XLAC_CALL("split_with_sizes");
  dim = split_dim(self, dim);
  int64_t whole = impl_of(self).sizes[dim], total = 0;
  Shape parts(sizes.begin(), sizes.end());
  for (int64_t size : parts) {
    if (size < 0)
      raise<ShapeError>("expects split_sizes have only non-negative entries, "
                        "but got split_sizes=" +
                        to_text(parts));
    total += size;
  }
  if (total != whole)
    raise<ShapeError>(
        "expects split_sizes to sum exactly to " + std::to_string(whole) +
        " (input tensor's size at dimension " + std::to_string(dim) +
        "), but got split_sizes=" + to_text(parts));
  return parts_of(self, parts, dim);
}

std::vector<Tensor> split(const Tensor &self, int64_t split_size, int64_t dim) {
  XLAC_CALL("split");
  dim = split_dim(self, dim);
  if (split_size < 0)
    raise<ValueError>("expects split_size be non-negative, but got "
                      "split_size=" +
                      std::to_string(split_size));
  int64_t whole = impl_of(self).sizes[dim];
  if (split_size == 0 && whole != 0)
    raise<ValueError>("split_size can only be 0 if dimension size is 0, but "
                      "got dimension size of " +
                      std::to_string(whole));
  if (whole == 0)
    return parts_of(self, {0}, dim);
  Shape sizes(whole / split_size, split_size);
  if (whole % split_size)
    sizes.push_back(whole % split_size);
  return parts_of(self, sizes, dim);
}

std::vector<Tensor> split(const Tensor &self, IntArrayRef split_sizes,
                          int64_t dim) {
  XLAC_CALL("split");
  return xlac::split_with_sizes(self, split_sizes, dim);
}

std::vector<Tensor> chunk(const Tensor &self, int64_t chunks, int64_t dim) {
  XLAC_CALL("chunk");
  dim = split_dim(self, dim);
  if (chunks <= 0)
    raise<ValueError>("expects `chunks` to be greater than 0, got: " +
                      std::to_string(chunks));
  int64_t whole = impl_of(self).sizes[dim];
  if (whole == 0)
    return parts_of(self, Shape(chunks, 0), dim);
  return xlac::split(self, (whole + chunks - 1) / chunks, dim);
}

std::vector<Tensor> tensor_split(const Tensor &self, int64_t sections,
                                 int64_t dim) {
  XLAC_CALL("tensor_split");
  dim = split_dim(self, dim);
  if (sections <= 0)
    raise<ValueError>("number of sections must be larger than 0, got " +
                      std::to_string(sections));
  int64_t whole = impl_of(self).sizes[dim];
  Shape sizes;
  for (int64_t i = 0; i < sections; ++i)
    sizes.push_back(whole / sections + (i < whole % sections));
  return parts_of(self, sizes, dim);
}

std::vector<Tensor> tensor_split(const Tensor &self, IntArrayRef indices,
                                 int64_t dim) {
  XLAC_CALL("tensor_split");
  dim = split_dim(self, dim);
  std::vector<Tensor> parts;
  std::optional<int64_t> start = 0;
  for (int64_t end : indices) {
    parts.push_back(xlac::slice(self, dim, start, end));
    start = end;
  }
  parts.push_back(xlac::slice(self, dim, start));
  return views_of_one_call(std::move(parts));
}

std::vector<Tensor> unbind(const Tensor &self, int64_t dim) {
  XLAC_CALL("unbind");
  dim = split_dim(self, dim);
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < impl_of(self).sizes[dim]; ++i)
    parts.push_back(xlac::select(self, dim, i));
  return views_of_one_call(std::move(parts));
}

//===- Diagonals, windows, strides ----------------------------------------===//

Tensor diagonal(const Tensor &self, int64_t offset, int64_t dim1,
                int64_t dim2) {
  XLAC_CALL("diagonal");
  const TensorImpl &impl = impl_of(self);
  int64_t first = wrap_dim(dim1, rank_of(impl));
  int64_t second = wrap_dim(dim2, rank_of(impl));
  if (first == second)
    raise<ValueError>("diagonal dimensions cannot be identical " +
                      std::to_string(dim1) + ", " + std::to_string(dim2));
  int64_t rows = impl.sizes[first], columns = impl.sizes[second];
  int64_t length =
      std::max<int64_t>(0, offset >= 0 ? std::min(rows, columns - offset)
                                       : std::min(rows + offset, columns));
  Shape sizes, strides, before = impl.strides();
  for (int64_t i = 0; i < rank_of(impl); ++i) {
    if (i == first || i == second)
      continue;
    sizes.push_back(impl.sizes[i]);
    strides.push_back(before[i]);
  }
  sizes.push_back(length);
  strides.push_back(before[first] + before[second]);
  int64_t start = impl.offset;
  if (length > 0)
    start += offset >= 0 ? offset * before[second] : -offset * before[first];
  ViewStep step = step_of(ViewStep::Kind::Diagonal, impl, std::move(sizes));
  step.dim = first;
  step.other_dim = second;
  step.offset = offset;
  return make_view(self, std::move(step), std::move(strides), start);
}

Tensor unfold(const Tensor &self, int64_t dimension, int64_t size,
              int64_t step) {
  XLAC_CALL("unfold");
  const TensorImpl &impl = impl_of(self);
  int64_t dim = wrap_dim(dimension, rank_of(impl));
  int64_t whole = impl.sizes.empty() ? 1 : impl.sizes[dim];
  if (size < 0)
    raise<ValueError>("size is " + std::to_string(size) + " but must be >= 0");
  if (size > whole)
    raise<ShapeError>("maximum size for tensor at dimension " +
                      std::to_string(dim) + " is " + std::to_string(whole) +
                      " but size is " + std::to_string(size));
  if (step <= 0)
    raise<ValueError>("step is " + std::to_string(step) + " but must be > 0");
  if (impl.sizes.empty())
    return slice_view(xlac::unsqueeze(self, 0), 0, 0, size, 1);
  Shape sizes = impl.sizes, strides = impl.strides();
  sizes[dim] = (whole - size) / step + 1;
  sizes.push_back(size);
  strides.push_back(strides[dim]);
  strides[dim] *= step;
  ViewStep windows = step_of(ViewStep::Kind::Windows, impl, std::move(sizes));
  windows.dim = dim;
  windows.offset = step;
  windows.length = size;
  return make_view(self, std::move(windows), std::move(strides), impl.offset);
}

/// Returns the number of elements that as_strided may access from `impl`.
static int64_t reach_of(const TensorImpl &impl) {
  if (impl.device().type == kXLA)
    return count_of(impl.sizes);
  return lazy::host_literal(impl.storage->value()).byte_count() /
         element_size(impl.dtype);
}

/// What strides of `self` count from. On the cpu that is its base, under the
/// dtype of `self`: gradients reach elements that `self` does not show.
static Tensor origin_of_strides(const Tensor &self) {
  const TensorImpl &impl = impl_of(self);
  if (!impl.base || impl.device().type != kCPU)
    return self;
  if (impl.negated)
    raise<UnsupportedError>("not implemented for the imaginary part of a "
                            "conjugate view: clone() it first");
  Tensor origin = TensorAccess::wrap(impl.base);
  if (origin.dtype() != impl.dtype)
    origin = xlac::view(origin.dim() ? origin : xlac::unsqueeze(origin, 0),
                        impl.dtype);
  return impl_of(origin).conjugated == impl.conjugated ? origin
                                                       : xlac::conj(origin);
}

Tensor as_strided(const Tensor &self, IntArrayRef size, IntArrayRef stride,
                  std::optional<int64_t> storage_offset) {
  XLAC_CALL("as_strided");
  const TensorImpl &impl = impl_of(self);
  Shape sizes(size.begin(), size.end()), strides(stride.begin(), stride.end());
  if (sizes.size() != strides.size())
    raise<ShapeError>("mismatch in length of strides and shape");
  int64_t offset = storage_offset.value_or(impl.offset), last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || strides[i] < 0)
      raise<ValueError>("sizes and strides must not be negative, got " +
                        to_text(sizes) + " and " + to_text(strides));
    int64_t along = 0;
    if (__builtin_mul_overflow(std::max<int64_t>(sizes[i] - 1, 0), strides[i],
                               &along) ||
        __builtin_add_overflow(last, along, &last))
      raise<ShapeError>("sizes " + to_text(sizes) + " and strides " +
                        to_text(strides) + " are too large");
  }
  if (offset < 0 || (count_of(sizes) > 0 && last >= reach_of(impl)))
    raise<ShapeError>("sizes " + to_text(sizes) + ", strides " +
                      to_text(strides) + ", storage offset " +
                      std::to_string(offset) +
                      " are out of bounds for "
                      "storage of size " +
                      std::to_string(reach_of(impl)));
  Tensor origin = origin_of_strides(self);
  ViewStep step = step_of(ViewStep::Kind::Strided, impl_of(origin), sizes);
  step.strides = strides;
  step.offset = offset;
  return make_view(origin, std::move(step), std::move(strides), offset);
}

} // namespace xlac
