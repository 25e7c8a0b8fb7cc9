#include "xlac/tensor/indices.h"

#include <algorithm>

namespace xlac {

namespace frontend {

static void check_bounds(const Tensor &index, int64_t size, int64_t dim,
                         Negative negative) {
  int64_t least = negative == Negative::CountFromEnd ? -size : 0;
  for (int64_t i : index.to_vector<int64_t>())
    if (i < least || i >= size)
      raise<IndexError>(
          "index " + std::to_string(i) + " is out of bounds for dimension " +
          std::to_string(dim) + " with size " + std::to_string(size));
}

Value index_value(const Tensor &index, Device device, int64_t size, int64_t dim,
                  Negative negative) {
  const TensorImpl &impl = impl_of(index);
  if (impl.dtype != kInt64 && impl.dtype != kInt32)
    raise<IndexError>("expected index tensors of dtype int32 or int64, but "
                      "got torch." +
                      std::string(name(impl.dtype)));
  if (device.type == kCPU)
    check_bounds(index, size, dim, negative);
  Value value = value_on(index, device, kInt64);
  if (negative == Negative::Refuse)
    return value;
  const Shape &dims = impl.sizes;
  Value zero = build::constant(ElementType::I64, dims, 0);
  Value whole = build::constant(ElementType::I64, dims, Scalar(size));
  Value below = build::compare(ops::ComparisonDirection::LT, value, zero);
  return build::select(below, build::binary(OpKind::Add, value, whole), value);
}

AlongDim::AlongDim(const Tensor &tensor, int64_t dim, const Tensor &index,
                   Device device)
    : self(tensor.dim() == 0 ? xlac::unsqueeze(tensor, 0) : tensor),
      sizes(index.dim() == 0 ? Shape{1} : index.sizes()), dim_(dim) {
  Shape own = self.sizes();
  if (std::max<int64_t>(tensor.dim(), 1) != std::max<int64_t>(index.dim(), 1))
    raise<ShapeError>("Index tensor must have the same number of dimensions "
                      "as self tensor");
  for (size_t i = 0; i < own.size(); ++i)
    if (static_cast<int64_t>(i) != dim && sizes[i] > own[i])
      raise<ShapeError>(
          "Size does not match at dimension " + std::to_string(i) +
          " expected index " + to_text(sizes) + " to be no larger than self " +
          to_text(own) + " apart from dimension " + std::to_string(dim));
  starts.assign(own.size(), 0);
  steps.assign(own.size(), 1);
  covered = sizes;
  covered[dim] = own[dim];
  if (own[dim] == 0 && count_of(sizes) > 0)
    raise<IndexError>("index is out of bounds for dimension " +
                      std::to_string(dim) + " with size 0");
  Shape column = sizes;
  column.push_back(1);
  indices_ = build::reshape(
      index_value(index, device, own[dim], dim, Negative::Refuse), column);
}

/// Returns all dimensions of `rank` except `dim`.
static Shape other_dims(size_t rank, int64_t dim) {
  Shape dims;
  for (int64_t i = 0; i < static_cast<int64_t>(rank); ++i)
    if (i != dim)
      dims.push_back(i);
  return dims;
}

Value AlongDim::take(Value part) const {
  ops::GatherDimensionNumbers numbers;
  numbers.collapsed_slice_dims = numbers.start_index_map = {dim_};
  numbers.operand_batching_dims = numbers.start_indices_batching_dims =
      other_dims(sizes.size(), dim_);
  numbers.index_vector_dim = static_cast<int64_t>(sizes.size());
  return build::gather(part, indices_, numbers, Shape(sizes.size(), 1));
}

Value AlongDim::put(std::optional<OpKind> fold, Value part,
                    Value updates) const {
  ops::ScatterDimensionNumbers numbers;
  numbers.inserted_window_dims = numbers.scatter_dims_to_operand_dims = {dim_};
  numbers.input_batching_dims = numbers.scatter_indices_batching_dims =
      other_dims(sizes.size(), dim_);
  numbers.index_vector_dim = static_cast<int64_t>(sizes.size());
  return build::scatter(fold, part, indices_, updates, numbers);
}

Value nothing_of(const Value &operand, const Shape &sizes) {
  Value flat = build::reshape(operand, {count_of(operand.tensor().dims)});
  return build::reshape(build::slice(flat, {0}, {0}, {1}), sizes);
}

Tensor nonzero_positions(const Tensor &self) {
  const Shape sizes = impl_of(self).sizes;
  std::vector<bool> flags = shaping_elements<bool>(self.to(kBool));
  Shape strides = host::dense_strides(sizes), rows;
  int64_t count = 0;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (!flags[i])
      continue;
    ++count;
    for (size_t d = 0; d < sizes.size(); ++d)
      rows.push_back(static_cast<int64_t>(i) / strides[d] % sizes[d]);
  }
  return from_data(rows.data(), {count, rank_of(impl_of(self))},
                   TensorOptions(self.device()));
}

} // namespace frontend

using namespace frontend;

Tensor nonzero(const Tensor &self) {
  XLAC_CALL("nonzero");
  return nonzero_positions(self);
}

Tensor argwhere(const Tensor &self) {
  XLAC_CALL("argwhere");
  return nonzero_positions(self);
}

} // namespace xlac
