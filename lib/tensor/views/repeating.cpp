// Functions that repeat, flip, rotate and shift elements.
#include "xlac/tensor/views.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace xlac {

using namespace frontend;

namespace {

/// Returns the tensor's value with sizes of 1 prepended up to `rank`.
Value with_rank(const Tensor &self, size_t rank) {
  Shape sizes = self.sizes();
  sizes.insert(sizes.begin(), rank - sizes.size(), 1);
  return build::reshape(value_on(self, self.device()), sizes);
}

/// Returns `given` counted from the front. Throws ValueError that names
/// repeated ones.
Shape dims_once(IntArrayRef given, int64_t rank) {
  Shape dims;
  std::map<int64_t, int> counts;
  for (int64_t dim : given) {
    dims.push_back(wrap_dim(dim, rank));
    ++counts[dims.back()];
  }
  if (counts.size() == dims.size())
    return dims;
  Shape unique;
  std::string repeated;
  for (auto [dim, count] : counts) {
    unique.push_back(dim);
    if (count > 1)
      repeated += (repeated.empty() ? "" : ", ") + std::to_string(dim) + " (" +
                  std::to_string(count) + " times)";
  }
  raise<ValueError>(
      "expected each dimension to appear at most once. Found dimensions: " +
      repeated + ". Consider changing dims from " +
      to_text(Shape(given.begin(), given.end())) + " to " + to_text(unique) +
      ".");
}

Tensor repeated(const Tensor &self, const Shape &repeats) {
  for (int64_t times : repeats)
    if (times < 0)
      raise<ValueError>("Trying to create tensor with negative dimension " +
                        std::to_string(times));
  Value value = with_rank(self, repeats.size());
  const Shape own = value.tensor().dims;
  // Broadcasts each dimension behind one of its repeats, then merges both.
  Shape repeated, mapping, result;
  for (size_t i = 0; i < own.size(); ++i) {
    repeated.insert(repeated.end(), {repeats[i], own[i]});
    mapping.push_back(static_cast<int64_t>(2 * i + 1));
    result.push_back(repeats[i] * own[i]);
  }
  return finish(
      build::reshape(build::broadcast_in_dim(value, repeated, mapping), result),
      self.device(), self.dtype());
}

Tensor reversed(const Tensor &self, const Shape &dims) {
  return finish(build::reverse(value_on(self, self.device()), dims),
                self.device(), self.dtype());
}

/// Moves the elements of `dim` up by `shift`; the last ones wrap around to the
/// front.
Tensor rolled(const Tensor &self, int64_t shift, int64_t dim) {
  int64_t size = self.size(dim);
  if (size == 0)
    return self;
  int64_t start = ((-shift) % size + size) % size;
  return start == 0 ? self
                    : xlac::cat({xlac::narrow(self, dim, start, size - start),
                                 xlac::narrow(self, dim, 0, start)},
                                dim);
}

void want_rank(const Tensor &self, int64_t least) {
  if (self.dim() < least)
    raise<ShapeError>("Input must be >= " + std::to_string(least) + "-d.");
}

} // namespace

Tensor repeat(const Tensor &self, IntArrayRef repeats) {
  XLAC_CALL("repeat");
  if (static_cast<int64_t>(repeats.size()) < self.dim())
    raise<ShapeError>("Number of dimensions of repeat dims can not be smaller "
                      "than number of dimensions of tensor");
  return repeated(self, Shape(repeats.begin(), repeats.end()));
}

Tensor tile(const Tensor &self, IntArrayRef dims) {
  XLAC_CALL("tile");
  Shape repeats(dims.begin(), dims.end());
  while (static_cast<int64_t>(repeats.size()) < self.dim())
    repeats.insert(repeats.begin(), 1);
  return repeated(self, repeats);
}

Tensor repeat_interleave(const Tensor &self, int64_t repeats,
                         std::optional<int64_t> dim) {
  XLAC_CALL("repeat_interleave");
  if (repeats < 0)
    raise<ValueError>("Repeats must be non-negative");
  Tensor source = dim ? self : xlac::reshape(self, {-1});
  if (source.dim() == 0)
    source = xlac::unsqueeze(source, 0);
  int64_t along = wrap_dim(dim.value_or(0), source.dim());
  Shape sizes = source.sizes(), repeated = sizes, mapping(sizes.size());
  repeated.insert(repeated.begin() + along + 1, repeats);
  for (size_t i = 0; i < mapping.size(); ++i)
    mapping[i] = static_cast<int64_t>(i) + (static_cast<int64_t>(i) > along);
  sizes[along] *= repeats;
  Value value = value_on(source, source.device());
  return finish(
      build::reshape(build::broadcast_in_dim(value, repeated, mapping), sizes),
      source.device(), source.dtype());
}

Tensor repeat_interleave(const Tensor &self, const Tensor &repeats,
                         std::optional<int64_t> dim) {
  XLAC_CALL("repeat_interleave");
  common_device({&self, &repeats});
  if (repeats.dtype() != kInt64 && repeats.dtype() != kInt32)
    raise<DtypeError>("repeats has to be Long or Int tensor");
  if (repeats.dim() > 1)
    raise<ShapeError>("repeats must be 0-dim or 1-dim tensor");
  Tensor source = dim ? self : xlac::reshape(self, {-1});
  int64_t along = wrap_dim(dim.value_or(0), source.dim());
  int64_t size = source.dim() == 0 ? 1 : source.size(along);
  if (repeats.numel() != 1 && repeats.numel() != size)
    raise<ShapeError>("repeats must have the same size as input along dim, "
                      "but got repeats.size(0) = " +
                      std::to_string(repeats.numel()) + " and input.size(" +
                      std::to_string(along) + ") = " + std::to_string(size));
  std::vector<int64_t> times = shaping_elements<int64_t>(repeats), picks;
  times.resize(size, times.empty() ? 0 : times[0]);
  for (int64_t i = 0; i < size; ++i) {
    if (times[i] < 0)
      raise<ValueError>("repeats can not be negative");
    picks.insert(picks.end(), times[i], i);
  }
  Tensor index = from_data(picks.data(), static_cast<int64_t>(picks.size()),
                           TensorOptions(self.device()));
  return xlac::index_select(
      source.dim() == 0 ? xlac::unsqueeze(source, 0) : source, along, index);
}

//===- Flips and rotations ------------------------------------------------===//

Tensor flip(const Tensor &self, IntArrayRef dims) {
  XLAC_CALL("flip");
  Shape wrapped = dims_once(dims, self.dim());
  return self.dim() == 0 ? xlac::clone(self) : reversed(self, wrapped);
}

Tensor fliplr(const Tensor &self) {
  XLAC_CALL("fliplr");
  want_rank(self, 2);
  return reversed(self, {1});
}

Tensor flipud(const Tensor &self) {
  XLAC_CALL("flipud");
  want_rank(self, 1);
  return reversed(self, {0});
}

Tensor rot90(const Tensor &self, int64_t k, IntArrayRef dims) {
  XLAC_CALL("rot90");
  if (dims.size() != 2)
    raise<ValueError>("expected total rotation dims == 2, but got dims = " +
                      std::to_string(dims.size()));
  if (self.dim() < 2)
    raise<ShapeError>("expected total dims >= 2, but got total dims = " +
                      std::to_string(self.dim()));
  Shape plane;
  for (int64_t dim : dims)
    plane.push_back(wrap_dim(dim, self.dim()));
  if (plane[0] == plane[1])
    raise<ValueError>(
        "expected rotation dims to be different, but got dim0 = " +
        std::to_string(*dims.begin()) +
        " and dim1 = " + std::to_string(*(dims.begin() + 1)));
  switch ((k % 4 + 4) % 4) {
  case 1:
    return xlac::transpose(reversed(self, {plane[1]}), plane[0], plane[1])
        .clone();
  case 2:
    return reversed(self, plane);
  case 3:
    return xlac::transpose(reversed(self, {plane[0]}), plane[0], plane[1])
        .clone();
  default:
    return xlac::clone(self);
  }
}

Tensor roll(const Tensor &self, IntArrayRef shifts, IntArrayRef dims) {
  XLAC_CALL("roll");
  if (dims.size() == 0 && shifts.size() == 1)
    return xlac::reshape(
        xlac::clone(rolled(xlac::reshape(self, {-1}), *shifts.begin(), 0)),
        self.sizes());
  if (shifts.size() == 0)
    raise<ValueError>("`shifts` required");
  if (shifts.size() != dims.size())
    raise<ValueError>("shifts and dimensions must align. shifts: " +
                      std::to_string(shifts.size()) +
                      ", dims:" + std::to_string(dims.size()));
  if (self.dim() == 0)
    raise<IndexError>("Dimension specified as " +
                      std::to_string(*dims.begin()) +
                      " but tensor has no dimensions");
  Tensor result = self;
  for (size_t i = 0; i < shifts.size(); ++i)
    result = rolled(result, shifts.begin()[i],
                    wrap_dim(dims.begin()[i], self.dim()));
  return xlac::clone(result);
}

} // namespace xlac
