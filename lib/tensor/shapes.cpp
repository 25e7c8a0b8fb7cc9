// Shapes and views. A view function makes a tensor that sees its base through
// one more step; cpu views also know their strides in the base's memory.
#include "xlac/tensor/access.h"

#include <algorithm>
#include <numeric>

namespace xlac {

using namespace front;
using lazy::ViewStep;

namespace {

/// The same elements under `sizes`: strides if the memory allows it.
std::optional<Shape> reshaped_strides(const TensorImpl &impl,
                                      const Shape &sizes) {
  // Runs of old dimensions that lie densely behind each other are one; each
  // run must be a product of new dimensions.
  Shape strides(sizes.size(), 1);
  if (std::find(impl.sizes.begin(), impl.sizes.end(), 0) != impl.sizes.end()) {
    for (size_t i = sizes.size(); i-- > 1;)
      strides[i - 1] = strides[i] * std::max<int64_t>(sizes[i], 1);
    return strides;
  }
  int64_t next = static_cast<int64_t>(sizes.size()) - 1;
  for (int64_t i = static_cast<int64_t>(impl.sizes.size()) - 1; i >= 0;) {
    int64_t run = impl.sizes[i], base = impl.strides[i];
    for (;
         i > 0 && (impl.sizes[i - 1] == 1 || impl.strides[i - 1] == run * base);
         --i)
      run *= impl.sizes[i - 1];
    --i;
    int64_t made = 1;
    for (; next >= 0 && (made < run || sizes[next] == 1); --next) {
      strides[next] = base * made;
      made *= sizes[next];
    }
    if (made != run)
      return std::nullopt;
  }
  return strides;
}

Shape resolve_sizes(const TensorImpl &impl, IntArrayRef given) {
  Shape sizes(given.begin(), given.end());
  int64_t total = 1, known = 1, inferred = -1;
  for (int64_t size : impl.sizes)
    total *= size;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1) {
      if (inferred >= 0)
        raise<ShapeError>("only one dimension can be inferred");
      inferred = static_cast<int64_t>(i);
    } else if (sizes[i] < 0) {
      raise<ShapeError>("invalid shape dimension " + std::to_string(sizes[i]));
    } else if (__builtin_mul_overflow(known, sizes[i], &known)) {
      raise<ShapeError>("shape '" + to_text(sizes) + "' is too large");
    }
  }
  if (inferred >= 0) {
    if (known == 0)
      raise<ShapeError>("cannot reshape tensor of " + std::to_string(total) +
                        " elements into shape " + to_text(sizes) +
                        " because the unspecified dimension size -1 can be any "
                        "value and is ambiguous");
    if (total % known == 0) {
      sizes[inferred] = total / known;
      known = total;
    }
  }
  if (known != total)
    raise<ShapeError>("shape '" + to_text(Shape(given.begin(), given.end())) +
                      "' is invalid for input of size " +
                      std::to_string(total));
  return sizes;
}

ViewStep step_of(ViewStep::Kind kind, const TensorImpl &impl, Shape after) {
  ViewStep step;
  step.kind = kind;
  step.before = impl.sizes;
  step.after = std::move(after);
  return step;
}

/// A view under `sizes`, which has as many elements.
std::optional<Tensor> try_view(const Tensor &self, Shape sizes) {
  const TensorImpl &impl = impl_of(self);
  std::optional<Shape> strides = reshaped_strides(impl, sizes);
  if (!strides && impl.device().type == kCPU)
    return std::nullopt;
  return make_view(self,
                   step_of(ViewStep::Kind::Reshape, impl, std::move(sizes)),
                   strides.value_or(Shape()), impl.offset);
}

Tensor slice_view(const Tensor &self, int64_t dim, int64_t start, int64_t stop,
                  int64_t by) {
  const TensorImpl &impl = impl_of(self);
  Shape after = impl.sizes, strides = impl.strides;
  after[dim] = (stop - start + by - 1) / by;
  ViewStep step = step_of(ViewStep::Kind::Slice, impl, after);
  step.starts.assign(after.size(), 0);
  step.limits = impl.sizes;
  step.steps.assign(after.size(), 1);
  step.starts[dim] = start;
  step.limits[dim] = stop;
  step.steps[dim] = by;
  int64_t offset = impl.offset + start * strides[dim];
  strides[dim] *= by;
  return make_view(self, std::move(step), std::move(strides), offset);
}

Tensor permuted(const Tensor &self, const Shape &order) {
  const TensorImpl &impl = impl_of(self);
  Shape after, strides;
  for (int64_t dim : order) {
    after.push_back(impl.sizes[dim]);
    strides.push_back(impl.strides[dim]);
  }
  ViewStep step = step_of(ViewStep::Kind::Permute, impl, std::move(after));
  step.permutation = order;
  return make_view(self, std::move(step), std::move(strides), impl.offset);
}

int64_t rank_of(const TensorImpl &impl) {
  return static_cast<int64_t>(impl.sizes.size());
}

} // namespace

//===- Reshaping ----------------------------------------------------------===//

Tensor view(const Tensor &self, IntArrayRef sizes) {
  XLAC_CALL("view");
  TensorImpl &impl = impl_of(self);
  if (auto tensor = try_view(self, resolve_sizes(impl, sizes)))
    return *tensor;
  raise<ShapeError>("view size is not compatible with input tensor's size and "
                    "stride (at least one dimension spans across two "
                    "contiguous subspaces). Use .reshape(...) instead.");
}

Tensor view_as(const Tensor &self, const Tensor &other) {
  XLAC_CALL("view_as");
  return xlac::view(self, impl_of(other).sizes);
}

Tensor reshape(const Tensor &self, IntArrayRef sizes) {
  XLAC_CALL("reshape");
  TensorImpl &impl = impl_of(self);
  Shape resolved = resolve_sizes(impl, sizes);
  if (auto tensor = try_view(self, resolved))
    return *tensor;
  return finish(build::reshape(value_on(self, impl.device()), resolved),
                impl.device(), impl.dtype);
}

Tensor flatten(const Tensor &self, int64_t start_dim, int64_t end_dim) {
  XLAC_CALL("flatten");
  TensorImpl &impl = impl_of(self);
  int64_t first = wrap_dim(start_dim, rank_of(impl));
  int64_t last = wrap_dim(end_dim, rank_of(impl));
  if (first > last)
    raise<ShapeError>("flatten() has invalid args: start_dim cannot come after "
                      "end_dim");
  if (impl.sizes.empty())
    return xlac::reshape(self, {1});
  if (first == last)
    return self;
  Shape sizes(impl.sizes.begin(), impl.sizes.begin() + first);
  sizes.push_back(std::accumulate(impl.sizes.begin() + first,
                                  impl.sizes.begin() + last + 1, int64_t{1},
                                  std::multiplies<>()));
  sizes.insert(sizes.end(), impl.sizes.begin() + last + 1, impl.sizes.end());
  return xlac::reshape(self, sizes);
}

Tensor squeeze(const Tensor &self, int64_t dim) {
  XLAC_CALL("squeeze");
  TensorImpl &impl = impl_of(self);
  dim = wrap_dim(dim, rank_of(impl));
  if (impl.sizes.empty() || impl.sizes[dim] != 1)
    return self;
  Shape sizes = impl.sizes;
  sizes.erase(sizes.begin() + dim);
  return *try_view(self, sizes);
}

Tensor unsqueeze(const Tensor &self, int64_t dim) {
  XLAC_CALL("unsqueeze");
  TensorImpl &impl = impl_of(self);
  dim = wrap_dim(dim, rank_of(impl) + 1);
  Shape sizes = impl.sizes;
  sizes.insert(sizes.begin() + dim, 1);
  return *try_view(self, sizes);
}

//===- Permuting ----------------------------------------------------------===//

Tensor permute(const Tensor &self, IntArrayRef dims) {
  XLAC_CALL("permute");
  TensorImpl &impl = impl_of(self);
  Shape order;
  for (int64_t dim : dims)
    order.push_back(wrap_dim(dim, rank_of(impl)));
  Shape sorted = order;
  std::sort(sorted.begin(), sorted.end());
  if (order.size() != impl.sizes.size())
    raise<ShapeError>("number of dimensions in the tensor input does not match "
                      "the length of the desired ordering of dimensions: " +
                      std::to_string(impl.sizes.size()) + " and " +
                      std::to_string(order.size()));
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    raise<ValueError>("duplicate dims are not allowed, got " + to_text(order));
  return permuted(self, order);
}

Tensor transpose(const Tensor &self, int64_t dim0, int64_t dim1) {
  XLAC_CALL("transpose");
  TensorImpl &impl = impl_of(self);
  dim0 = wrap_dim(dim0, rank_of(impl));
  dim1 = wrap_dim(dim1, rank_of(impl));
  Shape order(impl.sizes.size());
  std::iota(order.begin(), order.end(), 0);
  if (!order.empty())
    std::swap(order[dim0], order[dim1]);
  return permuted(self, order);
}

Tensor t(const Tensor &self) {
  XLAC_CALL("t");
  int64_t rank = rank_of(impl_of(self));
  if (rank > 2)
    raise<ShapeError>("expects a tensor with <= 2 dimensions, but self is " +
                      std::to_string(rank) + "D");
  return rank < 2 ? self : xlac::transpose(self, 0, 1);
}

Tensor expand(const Tensor &self, IntArrayRef given) {
  XLAC_CALL("expand");
  TensorImpl &impl = impl_of(self);
  Shape sizes(given.begin(), given.end());
  size_t added = sizes.size() - std::min(sizes.size(), impl.sizes.size());
  if (sizes.size() < impl.sizes.size())
    raise<ShapeError>("the number of sizes provided (" +
                      std::to_string(sizes.size()) +
                      ") must be greater or equal to the number of dimensions "
                      "in the tensor (" +
                      std::to_string(impl.sizes.size()) + ")");
  Shape strides(sizes.size(), 0);
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t own = i < added ? 1 : impl.sizes[i - added];
    if (sizes[i] == -1 && i >= added)
      sizes[i] = own;
    if (sizes[i] < 0 || (own != 1 && own != sizes[i]))
      raise<ShapeError>(
          "The expanded size of the tensor (" + std::to_string(sizes[i]) +
          ") must match the existing size (" + std::to_string(own) +
          ") at non-singleton dimension " + std::to_string(i));
    if (i >= added && own == sizes[i])
      strides[i] = impl.strides[i - added];
  }
  return make_view(self,
                   step_of(ViewStep::Kind::Expand, impl, std::move(sizes)),
                   std::move(strides), impl.offset);
}

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
  Shape sizes = impl.sizes;
  sizes.erase(sizes.begin() + dim);
  return *try_view(part, sizes);
}

Tensor Tensor::operator[](int64_t i) const {
  XLAC_CALL("select");
  return xlac::select(*this, 0, i);
}

Tensor Tensor::index(std::initializer_list<TensorIndex> indices) const {
  XLAC_CALL("index");
  int64_t taken = 0;
  for (const TensorIndex &index : indices) {
    size_t kind = TensorAccess::held(index).index();
    taken += kind == 0 || kind == 1;
  }
  int64_t rank = rank_of(impl_of(*this));
  if (taken > rank)
    raise<IndexError>("too many indices for tensor of dimension " +
                      std::to_string(rank));
  Tensor result = *this;
  int64_t dim = 0;
  for (const TensorIndex &index : indices) {
    const auto &held = TensorAccess::held(index);
    if (auto *number = std::get_if<int64_t>(&held)) {
      result = xlac::select(result, dim, *number);
    } else if (auto *slice = std::get_if<Slice>(&held)) {
      result = result.slice(dim++, slice->start, slice->stop,
                            slice->step.value_or(1));
    } else if (std::holds_alternative<None_t>(held)) {
      result = xlac::unsqueeze(result, dim++);
    } else {
      dim += rank - taken;
    }
  }
  return result;
}

//===- Joining ------------------------------------------------------------===//

Tensor cat(const std::vector<Tensor> &tensors, int64_t dim) {
  XLAC_CALL("cat");
  if (tensors.empty())
    raise<ValueError>("expected a non-empty list of Tensors");
  Device device = common_device(tensors);
  lazy::ResultType type;
  for (const Tensor &tensor : tensors)
    type.add(impl_of(tensor).dtype, !impl_of(tensor).sizes.empty());
  Dtype dtype = type.get();
  std::vector<Value> values;
  const Tensor *first = nullptr;
  for (const Tensor &tensor : tensors) {
    const TensorImpl &impl = impl_of(tensor);
    if (impl.sizes.empty())
      raise<ShapeError>("zero-dimensional tensor cannot be concatenated");
    if (impl.sizes == Shape{0})
      continue;
    if (!first) {
      first = &tensor;
      dim = wrap_dim(dim, rank_of(impl));
    }
    Shape a = impl_of(*first).sizes, b = impl.sizes;
    bool fits = a.size() == b.size();
    for (size_t i = 0; fits && i < a.size(); ++i)
      fits = static_cast<int64_t>(i) == dim || a[i] == b[i];
    if (!fits)
      raise<ShapeError>("cannot concatenate tensors of shape " +
                        describe(*first) + " with " + describe(tensor) +
                        " at dimension " + std::to_string(dim));
    values.push_back(value_on(tensor, device, dtype));
  }
  if (values.empty())
    return finish(value_on(tensors[0], device, dtype), device, dtype);
  return finish(build::concatenate(std::move(values), dim), device, dtype);
}

Tensor stack(const std::vector<Tensor> &tensors, int64_t dim) {
  XLAC_CALL("stack");
  if (tensors.empty())
    raise<ValueError>("expected a non-empty list of Tensors");
  dim = wrap_dim(dim, rank_of(impl_of(tensors[0])) + 1);
  std::vector<Tensor> rows;
  for (const Tensor &tensor : tensors) {
    if (impl_of(tensor).sizes != impl_of(tensors[0]).sizes)
      raise<ShapeError>("stack expects each tensor to be equal size, but got " +
                        to_text(impl_of(tensors[0]).sizes) + " and " +
                        to_text(impl_of(tensor).sizes));
    rows.push_back(xlac::unsqueeze(tensor, dim));
  }
  return xlac::cat(rows, dim);
}

} // namespace xlac
