// View functions: each makes a tensor that views its base through one more
// step. Cpu views also have strides in the base's memory.
#include "xlac/tensor/views.h"

#include "xlac/host/strided.h"

#include <algorithm>
#include <numeric>

namespace xlac {

namespace frontend {

int64_t rank_of(const TensorImpl &impl) {
  return static_cast<int64_t>(impl.sizes.size());
}

Shape wrap_dims(IntArrayRef dims, int64_t rank) {
  Shape wrapped;
  for (int64_t dim : dims) {
    wrapped.push_back(wrap_dim(dim, rank));
    if (std::count(wrapped.begin(), wrapped.end(), wrapped.back()) > 1)
      raise<ValueError>("dim " + std::to_string(wrapped.back()) +
                        " appears multiple times in the list of dims");
  }
  return wrapped;
}

/// Returns strides for the same elements with `sizes`, or nothing if the memory
/// layout does not allow them.
static std::optional<Shape> reshaped_strides(const TensorImpl &impl,
                                             const Shape &sizes) {
  // Old dimensions that are contiguous with each other form a group. Each group
  // must be a product of new dimensions.
  Shape strides(sizes.size(), 1);
  if (sizes == impl.sizes)
    return impl.strides();
  if (count_of(impl.sizes) == 0)
    return host::dense_strides(sizes);
  Shape before = impl.strides();
  int64_t next = static_cast<int64_t>(sizes.size()) - 1;
  for (int64_t i = static_cast<int64_t>(impl.sizes.size()) - 1; i >= 0;) {
    int64_t run = impl.sizes[i], base = before[i];
    for (; i > 0 && (impl.sizes[i - 1] == 1 || before[i - 1] == run * base);
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
  int64_t total = count_of(impl.sizes), known = 1, inferred = -1;
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

Tensor reshape_view(const Tensor &self, Shape sizes, Shape strides) {
  const TensorImpl &impl = impl_of(self);
  return make_view(self,
                   step_of(ViewStep::Kind::Reshape, impl, std::move(sizes)),
                   std::move(strides), impl.offset);
}

Tensor alias(const Tensor &self) {
  const TensorImpl &impl = impl_of(self);
  return reshape_view(self, impl.sizes, impl.strides());
}

std::optional<Tensor> try_view(const Tensor &self, Shape sizes) {
  const TensorImpl &impl = impl_of(self);
  std::optional<Shape> strides = reshaped_strides(impl, sizes);
  if (!strides && impl.device().type == kCPU)
    return std::nullopt;
  return reshape_view(self, std::move(sizes), strides.value_or(Shape()));
}

Tensor slice_view(const Tensor &self, int64_t dim, int64_t start, int64_t stop,
                  int64_t by) {
  const TensorImpl &impl = impl_of(self);
  Shape after = impl.sizes, strides = impl.strides();
  after[dim] = stop > start ? (stop - start - 1) / by + 1 : 0;
  ViewStep step = step_of(ViewStep::Kind::Slice, impl, after);
  step.starts.assign(after.size(), 0);
  step.limits = impl.sizes;
  step.steps.assign(after.size(), 1);
  step.starts[dim] = start;
  step.limits[dim] = stop;
  step.steps[dim] = by;
  int64_t offset = impl.offset + start * strides[dim];
  // A stride that overflows is never used, since the view then has one element
  // at most.
  if (int64_t stride; !__builtin_mul_overflow(strides[dim], by, &stride))
    strides[dim] = stride;
  return make_view(self, std::move(step), std::move(strides), offset);
}

Tensor permuted(const Tensor &self, const Shape &order) {
  const TensorImpl &impl = impl_of(self);
  Shape after, strides, before = impl.strides();
  for (int64_t dim : order) {
    after.push_back(impl.sizes[dim]);
    strides.push_back(before[dim]);
  }
  ViewStep step = step_of(ViewStep::Kind::Permute, impl, std::move(after));
  step.permutation = order;
  return make_view(self, std::move(step), std::move(strides), impl.offset);
}

} // namespace frontend

using namespace frontend;

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
  Device device = impl.device();
  return finish(build::reshape(value_on(self, device), resolved), device,
                impl.dtype);
}

Tensor reshape_as(const Tensor &self, const Tensor &other) {
  XLAC_CALL("reshape_as");
  return xlac::reshape(self, impl_of(other).sizes);
}

Tensor ravel(const Tensor &self) {
  XLAC_CALL("ravel");
  return xlac::reshape(self, {-1});
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
  auto begin = impl.sizes.begin();
  Shape sizes(begin, begin + first);
  sizes.push_back(count_of(Shape(begin + first, begin + last + 1)));
  sizes.insert(sizes.end(), begin + last + 1, impl.sizes.end());
  return xlac::reshape(self, sizes);
}

Tensor unflatten(const Tensor &self, int64_t dim, IntArrayRef given) {
  XLAC_CALL("unflatten");
  TensorImpl &impl = impl_of(self);
  dim = wrap_dim(dim, rank_of(impl));
  if (given.size() == 0)
    raise<ShapeError>("sizes must be non-empty");
  if (impl.sizes.empty())
    raise<IndexError>("the tensor has no dimensions");
  Shape parts(given.begin(), given.end());
  int64_t known = 1;
  for (int64_t size : parts)
    known *= size == -1 ? 1 : size;
  auto inferred = std::count(parts.begin(), parts.end(), -1);
  int64_t whole = impl.sizes[dim];
  if (inferred > 1)
    raise<ShapeError>("only one dimension can be inferred");
  if (inferred == 1 && known > 0 && whole % known == 0) {
    std::replace(parts.begin(), parts.end(), int64_t{-1}, whole / known);
    known = whole;
  }
  if (known != whole || *std::min_element(parts.begin(), parts.end()) < 0)
    raise<ShapeError>("Provided sizes " + to_text(parts) +
                      " don't multiply up to the size of dim " +
                      std::to_string(dim) + " (" + std::to_string(whole) +
                      ") in the input tensor");
  Shape sizes = impl.sizes;
  sizes.erase(sizes.begin() + dim);
  sizes.insert(sizes.begin() + dim, parts.begin(), parts.end());
  return xlac::view(self, sizes);
}

/// Removes those of `dims` that have size 1.
static Tensor squeezed(const Tensor &self, const Shape &dims) {
  const TensorImpl &impl = impl_of(self);
  Shape sizes, strides, before = impl.strides();
  for (int64_t i = 0; i < rank_of(impl); ++i) {
    if (impl.sizes[i] == 1 &&
        std::find(dims.begin(), dims.end(), i) != dims.end())
      continue;
    sizes.push_back(impl.sizes[i]);
    strides.push_back(before[i]);
  }
  return reshape_view(self, std::move(sizes), std::move(strides));
}

Tensor squeeze(const Tensor &self) {
  XLAC_CALL("squeeze");
  Shape all(impl_of(self).sizes.size());
  std::iota(all.begin(), all.end(), 0);
  return squeezed(self, all);
}

Tensor squeeze(const Tensor &self, int64_t dim) {
  XLAC_CALL("squeeze");
  return squeezed(self, {wrap_dim(dim, rank_of(impl_of(self)))});
}

Tensor squeeze(const Tensor &self, IntArrayRef dims) {
  XLAC_CALL("squeeze");
  return squeezed(self, wrap_dims(dims, rank_of(impl_of(self))));
}

Tensor unsqueeze(const Tensor &self, int64_t dim) {
  XLAC_CALL("unsqueeze");
  TensorImpl &impl = impl_of(self);
  dim = wrap_dim(dim, rank_of(impl) + 1);
  Shape sizes = impl.sizes, strides = impl.strides();
  int64_t stride = dim < rank_of(impl) ? sizes[dim] * strides[dim] : 1;
  sizes.insert(sizes.begin() + dim, 1);
  strides.insert(strides.begin() + dim, stride);
  return reshape_view(self, std::move(sizes), std::move(strides));
}

//===- Permuting ----------------------------------------------------------===//

Tensor permute(const Tensor &self, IntArrayRef dims) {
  XLAC_CALL("permute");
  TensorImpl &impl = impl_of(self);
  if (dims.size() != impl.sizes.size())
    raise<ShapeError>("number of dimensions in the tensor input does not match "
                      "the length of the desired ordering of dimensions: " +
                      std::to_string(impl.sizes.size()) + " and " +
                      std::to_string(dims.size()));
  return permuted(self, wrap_dims(dims, rank_of(impl)));
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
  return rank == 2 ? xlac::transpose(self, 0, 1) : alias(self);
}

Tensor mT(const Tensor &self) {
  XLAC_CALL("mT");
  if (rank_of(impl_of(self)) < 2)
    raise<ShapeError>(
        "only supported on matrices or batches of matrices. Got " +
        std::to_string(rank_of(impl_of(self))) + "-D tensor.");
  return xlac::transpose(self, -2, -1);
}

Tensor adjoint(const Tensor &self) {
  XLAC_CALL("adjoint");
  Tensor transposed = xlac::mT(self);
  return self.is_complex() ? xlac::conj(transposed) : transposed;
}

Tensor swapaxes(const Tensor &self, int64_t axis0, int64_t axis1) {
  XLAC_CALL("swapaxes");
  return xlac::transpose(self, axis0, axis1);
}

Tensor movedim(const Tensor &self, IntArrayRef source,
               IntArrayRef destination) {
  XLAC_CALL("movedim");
  int64_t rank = rank_of(impl_of(self));
  if (source.size() != destination.size())
    raise<ShapeError>("Invalid source or destination dims: source (" +
                      to_text(Shape(source.begin(), source.end())) +
                      " dims) should contain the same number of dims as "
                      "destination (" +
                      to_text(Shape(destination.begin(), destination.end())) +
                      " dims)");
  Shape from = wrap_dims(source, rank), to = wrap_dims(destination, rank);
  if (rank == 0)
    return permuted(self, {});
  Shape order(rank, -1);
  for (size_t i = 0; i < from.size(); ++i)
    order[to[i]] = from[i];
  int64_t next = 0;
  for (int64_t &dim : order) {
    if (dim >= 0)
      continue;
    while (std::find(from.begin(), from.end(), next) != from.end())
      ++next;
    dim = next++;
  }
  return permuted(self, order);
}

//===- Expanding ----------------------------------------------------------===//

Tensor expand(const Tensor &self, IntArrayRef given) {
  XLAC_CALL("expand");
  TensorImpl &impl = impl_of(self);
  Shape sizes(given.begin(), given.end());
  if (sizes.size() < impl.sizes.size())
    raise<ShapeError>("the number of sizes provided (" +
                      std::to_string(sizes.size()) +
                      ") must be greater or equal to the number of dimensions "
                      "in the tensor (" +
                      std::to_string(impl.sizes.size()) + ")");
  size_t added = sizes.size() - impl.sizes.size();
  Shape strides(sizes.size(), 0), before = impl.strides();
  for (size_t i = sizes.size(); i-- > 0;) {
    int64_t own = i < added ? 1 : impl.sizes[i - added];
    int64_t stride = i >= added              ? before[i - added]
                     : i + 1 == sizes.size() ? 1
                                             : sizes[i + 1] * strides[i + 1];
    if (sizes[i] == -1 && i >= added)
      sizes[i] = own;
    if (sizes[i] < 0 || (own != 1 && own != sizes[i]))
      raise<ShapeError>(
          "The expanded size of the tensor (" + std::to_string(sizes[i]) +
          ") must match the existing size (" + std::to_string(own) +
          ") at non-singleton dimension " + std::to_string(i));
    strides[i] = own == sizes[i] ? stride : 0;
  }
  return make_view(self,
                   step_of(ViewStep::Kind::Expand, impl, std::move(sizes)),
                   std::move(strides), impl.offset);
}

Tensor expand_as(const Tensor &self, const Tensor &other) {
  XLAC_CALL("expand_as");
  return xlac::expand(self, impl_of(other).sizes);
}

Tensor broadcast_to(const Tensor &self, IntArrayRef sizes) {
  XLAC_CALL("broadcast_to");
  return xlac::expand(self, sizes);
}

std::vector<Tensor> broadcast_tensors(const std::vector<Tensor> &tensors) {
  XLAC_CALL("broadcast_tensors");
  std::vector<Tensor> results;
  if (tensors.empty())
    return results;
  Tensor widest = tensors[0];
  for (const Tensor &tensor : tensors)
    widest = xlac::expand(widest, broadcast_shapes(widest, tensor));
  for (const Tensor &tensor : tensors)
    results.push_back(xlac::expand(tensor, impl_of(widest).sizes));
  return results;
}

} // namespace xlac
