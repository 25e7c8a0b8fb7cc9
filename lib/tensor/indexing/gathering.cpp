// Functions that gather elements by index tensors and masks.
#include "xlac/tensor/indices.h"

namespace xlac {

using namespace frontend;

namespace {

/// Returns the index of a function that accepts rank 0 or 1, with rank 1.
Tensor as_list(const Tensor &index) {
  if (index.dim() > 1)
    raise<IndexError>("Index is supposed to be a vector, but got dim: " +
                      std::to_string(index.dim()));
  return index.dim() == 0 ? xlac::unsqueeze(index, 0) : index;
}

/// Throws ShapeError unless `index` has the rank of `self` and at most its
/// sizes in the dimensions other than `dim`.
void check_gathered(const Tensor &self, int64_t dim, const Tensor &index) {
  int64_t rank = std::max<int64_t>(self.dim(), 1);
  if (std::max<int64_t>(index.dim(), 1) != rank)
    raise<ShapeError>("expected rank of input (" + std::to_string(self.dim()) +
                      ") and index (" + std::to_string(index.dim()) +
                      ") tensors to be the same.");
  Shape own = self.sizes(), wanted = index.sizes(), larger;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim && wanted[i] > own[i])
      larger.push_back(i);
  if (!larger.empty())
    raise<ShapeError>(
        "expected sizes of index " + to_text(wanted) +
        " to be smaller or equal those of input " + to_text(own) +
        " on all dimensions, except on dimension " + std::to_string(dim) +
        ". However, that's not true on dimensions " + to_text(larger) + ".");
}

Tensor take_flat(const Tensor &self, const Tensor &index, Negative negative) {
  Device device = common_device({&self, &index});
  Dtype dtype = self.dtype();
  if (self.numel() == 0 && index.numel() > 0)
    raise<IndexError>("tried to take from an empty tensor");
  Value indices = index_value(index, device, self.numel(), 0, negative);
  Shape sizes = index.sizes();
  if (index.numel() == 0)
    return finish(nothing_of(value_on(self, device), sizes), device, dtype);
  Value flat = build::reshape(value_on(self, device), {self.numel()});
  indices = build::reshape(indices, {index.numel()});
  return finish(build::reshape(build::take(flat, indices, 0), sizes), device,
                dtype);
}

} // namespace

Tensor index_select(const Tensor &self, int64_t dim, const Tensor &index) {
  XLAC_CALL("index_select");
  Device device = common_device({&self, &index});
  int64_t rank = self.dim();
  dim = wrap_dim(dim, rank);
  Tensor list = as_list(index);
  Tensor source = rank == 0 ? xlac::unsqueeze(self, 0) : self;
  Shape sizes = source.sizes();
  Value indices = index_value(list, device, sizes[dim], dim, Negative::Refuse);
  int64_t whole = sizes[dim];
  sizes[dim] = list.numel();
  if (whole == 0 && count_of(sizes) > 0)
    raise<IndexError>("index out of range in self");
  Value value = value_on(source, device);
  Value picked = count_of(sizes) == 0 ? nothing_of(value, sizes)
                                      : build::take(value, indices, dim);
  if (rank == 0)
    picked = build::reshape(picked, {});
  return finish(picked, device, self.dtype());
}

Tensor gather(const Tensor &self, int64_t dim, const Tensor &index,
              bool sparse_grad) {
  XLAC_CALL("gather");
  dim = wrap_dim(dim, self.dim());
  Device device = common_device({&self, &index});
  if (index.numel() == 0)
    return finish(nothing_of(value_on(self, device), index.sizes()), device,
                  self.dtype());
  check_gathered(self, dim, index);
  AlongDim along(self, dim, index, device);
  Value picked = along.take(build::slice(
      value_on(along.self, device), along.starts, along.covered, along.steps));
  return finish(build::reshape(picked, index.sizes()), device, self.dtype());
}

Tensor take(const Tensor &self, const Tensor &index) {
  XLAC_CALL("take");
  return take_flat(self, index, Negative::CountFromEnd);
}

Tensor take_along_dim(const Tensor &self, const Tensor &indices,
                      std::optional<int64_t> dim) {
  XLAC_CALL("take_along_dim");
  if (!dim)
    return xlac::gather(xlac::reshape(self, {-1}), 0,
                        xlac::reshape(indices, {-1}));
  int64_t along = wrap_dim(*dim, self.dim());
  if (self.dim() != indices.dim())
    raise<ShapeError>(
        "input and indices should have the same number of "
        "dimensions, but got " +
        std::to_string(self.dim()) + " dimensions for input, and " +
        std::to_string(indices.dim()) + " dimensions for indices");
  if (self.dim() == 0)
    return xlac::gather(self, 0, indices);
  // All dimensions other than `dim` broadcast.
  Tensor a =
      xlac::narrow(self, along, 0, std::min<int64_t>(1, self.size(along)));
  Tensor b = xlac::narrow(indices, along, 0,
                          std::min<int64_t>(1, indices.size(along)));
  Shape joint = broadcast_shapes(a, b), own = joint, wanted = joint;
  own[along] = self.size(along);
  wanted[along] = indices.size(along);
  return xlac::gather(xlac::expand(self, own), along,
                      xlac::expand(indices, wanted));
}

Tensor masked_select(const Tensor &self, const Tensor &mask) {
  XLAC_CALL("masked_select");
  if (mask.dtype() != kBool)
    raise<DtypeError>("expected BoolTensor for mask, but got " +
                      lazy::legacy_name(mask.dtype()));
  Device device = common_device({&self, &mask});
  Shape sizes = broadcast_shapes(self, mask);
  Tensor where = mask.is_xla() || device.type == kCPU ? mask : mask.to(device);
  Tensor positions = xlac::select(
      nonzero_positions(xlac::reshape(xlac::expand(where, sizes), {-1})), 1, 0);
  return take_flat(xlac::reshape(xlac::expand(self, sizes), {-1}), positions,
                   Negative::Refuse);
}

} // namespace xlac
