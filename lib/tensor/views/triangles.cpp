// Diagonals and triangles; pixel and channel shuffles.
#include "xlac/tensor/views.h"

#include "xlac/lazy/size_check.h"

#include <algorithm>

namespace xlac {

using namespace frontend;

namespace {

/// Column index minus row index in the last two dimensions.
Value distance_from_diagonal(const Shape &sizes) {
  auto rank = static_cast<int64_t>(sizes.size());
  return build::binary(OpKind::Subtract,
                       build::iota(ElementType::I64, sizes, rank - 1),
                       build::iota(ElementType::I64, sizes, rank - 2));
}

/// Keeps the elements whose distance from the diagonal compares as `keep`;
/// others become 0.
Tensor triangle(const Tensor &self, int64_t diagonal,
                ops::ComparisonDirection keep) {
  Shape sizes = self.sizes();
  if (sizes.size() < 2)
    raise<ShapeError>("input tensor must have at least 2 dimensions");
  Value kept = build::compare(
      keep, distance_from_diagonal(sizes),
      build::constant(ElementType::I64, sizes, Scalar(diagonal)));
  Value zero = build::constant(lazy::element_type(self.dtype()), sizes, 0);
  return finish(build::select(kept, value_on(self, self.device()), zero),
                self.device(), self.dtype());
}

} // namespace

Tensor tril(const Tensor &self, int64_t diagonal) {
  XLAC_CALL("tril");
  return triangle(self, diagonal, ops::ComparisonDirection::LE);
}

Tensor triu(const Tensor &self, int64_t diagonal) {
  XLAC_CALL("triu");
  return triangle(self, diagonal, ops::ComparisonDirection::GE);
}

Tensor diag_embed(const Tensor &self, int64_t offset, int64_t dim1,
                  int64_t dim2) {
  XLAC_CALL("diag_embed");
  int64_t rank = self.dim() + 1;
  int64_t first = wrap_dim(dim1, rank), second = wrap_dim(dim2, rank);
  if (self.dim() == 0)
    raise<IndexError>("a tensor without dimensions has no diagonal");
  if (first == second)
    raise<ValueError>("diagonal dimensions cannot be identical " +
                      std::to_string(dim1) + ", " + std::to_string(dim2));
  int64_t side = self.size(-1) + std::abs(offset);
  // Builds rows of a square matrix shifted by the offset, then moves the two
  // dimensions to their positions.
  Shape sizes = self.sizes(), row = sizes;
  sizes.back() = side;
  sizes.push_back(side);
  Device device = self.device();
  ElementType type = lazy::element_type(self.dtype());
  Value zero = build::constant(type, {}, 0);
  Shape low(row.size(), 0), high(row.size(), 0), none(row.size(), 0);
  low.back() = std::max<int64_t>(offset, 0);
  high.back() = std::max<int64_t>(-offset, 0);
  Value columns = build::pad(value_on(self, device), zero, low, high, none);
  Shape lying = columns.tensor().dims;
  lying.insert(lying.end() - 1, 1);
  Value repeated = build::broadcast_to(build::reshape(columns, lying), sizes);
  Value on = build::compare(
      ops::ComparisonDirection::EQ, distance_from_diagonal(sizes),
      build::constant(ElementType::I64, sizes, Scalar(offset)));
  Value matrix = build::select(on, repeated, build::constant(type, sizes, 0));
  Shape order;
  int64_t next = 0;
  for (int64_t dim = 0; dim < rank; ++dim)
    order.push_back(dim == first    ? rank - 2
                    : dim == second ? rank - 1
                                    : next++);
  return finish(build::transpose(matrix, order), device, self.dtype());
}

Tensor diag(const Tensor &self, int64_t diagonal) {
  XLAC_CALL("diag");
  if (self.dim() == 1)
    return xlac::diag_embed(self, diagonal);
  if (self.dim() != 2)
    raise<ShapeError>("Supports 1D or 2D tensors. Got " +
                      std::to_string(self.dim()) + "D");
  return xlac::clone(xlac::diagonal(self, diagonal));
}

Tensor diagflat(const Tensor &self, int64_t offset) {
  XLAC_CALL("diagflat");
  return xlac::diag_embed(xlac::reshape(self, {-1}), offset);
}

//===- Channels and pixels ------------------------------------------------===//

/// Reshapes the last `behind` dimensions of `self` to `split`, permutes them by
/// `order`, and reshapes them to `joined`.
static Tensor regrouped(const Tensor &self, const Shape &split,
                        const Shape &order, const Shape &joined,
                        int64_t behind) {
  Shape batch = self.sizes();
  batch.resize(batch.size() - behind);
  auto lead = static_cast<int64_t>(batch.size());
  Shape before = batch, permutation, after = batch;
  before.insert(before.end(), split.begin(), split.end());
  after.insert(after.end(), joined.begin(), joined.end());
  for (int64_t i = 0; i < lead; ++i)
    permutation.push_back(i);
  for (int64_t dim : order)
    permutation.push_back(lead + dim);
  Value value = build::reshape(value_on(self, self.device()), before);
  return finish(build::reshape(build::transpose(value, permutation), after),
                self.device(), self.dtype());
}

static void want_image(const Tensor &self, int64_t factor, const char *what) {
  if (self.dim() < 3)
    raise<ShapeError>("expects input to have at least 3 dimensions, but got "
                      "input with " +
                      std::to_string(self.dim()) + " dimension(s)");
  if (factor <= 0)
    raise<ValueError>("expects a positive " + std::string(what) + ", but got " +
                      std::to_string(factor));
}

Tensor pixel_shuffle(const Tensor &self, int64_t upscale_factor) {
  XLAC_CALL("pixel_shuffle");
  want_image(self, upscale_factor, "upscale_factor");
  int64_t r = upscale_factor, channels = self.size(-3);
  int64_t rows = self.size(-2), columns = self.size(-1);
  lazy::require_holdable(self.dtype(), {r, r, rows, columns});
  if (channels % (r * r))
    raise<ShapeError>("expects its input's 'channel' dimension to be divisible "
                      "by the square of upscale_factor, but "
                      "input.size(-3)=" +
                      std::to_string(channels) + " is not divisible by " +
                      std::to_string(r * r));
  int64_t kept = channels / (r * r);
  return regrouped(self, {kept, r, r, rows, columns}, {0, 3, 1, 4, 2},
                   {kept, rows * r, columns * r}, 3);
}

Tensor pixel_unshuffle(const Tensor &self, int64_t downscale_factor) {
  XLAC_CALL("pixel_unshuffle");
  want_image(self, downscale_factor, "downscale_factor");
  int64_t r = downscale_factor, channels = self.size(-3);
  lazy::require_holdable(self.dtype(), {channels, r, r});
  if (self.size(-2) % r || self.size(-1) % r)
    raise<ShapeError>("expects height and width to be divisible by "
                      "downscale_factor, but got " +
                      to_text(self.sizes()) + " and " + std::to_string(r));
  int64_t rows = self.size(-2) / r, columns = self.size(-1) / r;
  return regrouped(self, {channels, rows, r, columns, r}, {0, 2, 4, 1, 3},
                   {channels * r * r, rows, columns}, 3);
}

Tensor channel_shuffle(const Tensor &self, int64_t groups) {
  XLAC_CALL("channel_shuffle");
  want_image(self, groups, "number of groups");
  int64_t channels = self.size(1);
  if (channels % groups)
    raise<ShapeError>("Number of channels must be divisible by groups. Got " +
                      std::to_string(channels) + " channels and " +
                      std::to_string(groups) + " groups.");
  Shape rest = self.sizes();
  rest.erase(rest.begin(), rest.begin() + 2);
  int64_t inner = count_of(rest);
  Shape joined = self.sizes();
  joined.erase(joined.begin());
  return regrouped(self, {groups, channels / groups, inner}, {1, 0, 2}, joined,
                   self.dim() - 1);
}

} // namespace xlac
