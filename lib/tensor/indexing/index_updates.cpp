// Writes to slices by index tensors, to elements of a flattened tensor, to the
// elements of a view, and to the elements that a mask selects.
#include "xlac/lazy/view_write.h"
#include "xlac/tensor/indices.h"

namespace xlac {

using namespace frontend;

namespace {

/// The slices of `self` along `dim` that an index tensor selects.
struct Rows {
  Rows(const Tensor &tensor, int64_t d, const Tensor &index, Device device)
      : self(tensor.dim() == 0 ? xlac::unsqueeze(tensor, 0) : tensor), dim(d),
        sizes(self.sizes()) {
    if (index.dim() > 1)
      raise<IndexError>("Index should have dimension 1 or 0 (got " +
                        std::to_string(index.dim()) + ")");
    int64_t whole = sizes[dim];
    sizes[dim] = index.numel();
    if (whole == 0 && index.numel() > 0)
      raise<IndexError>("index is out of bounds for dimension " +
                        std::to_string(dim) + " with size 0");
    indices =
        build::reshape(index_value(index, device, whole, dim, Negative::Refuse),
                       {index.numel()});
  }

  Value put(std::optional<OpKind> fold, Value value, Value updates) const {
    ops::ScatterDimensionNumbers numbers;
    for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i)
      if (i != dim)
        numbers.update_window_dims.push_back(i);
    numbers.inserted_window_dims = numbers.scatter_dims_to_operand_dims = {dim};
    numbers.index_vector_dim = 1;
    return build::scatter(fold, value, indices, updates, numbers);
  }

  Tensor self; ///< of rank 1 at least
  int64_t dim;
  Shape sizes; ///< of all slices together
  Value indices;
};

/// Returns the source of index_add and index_copy with the sizes of the slices.
Value rows_from(const Tensor &self, const Tensor &source, const Rows &rows,
                Device device) {
  if (self.dtype() != source.dtype())
    raise<DtypeError>("self (" + lazy::legacy_name(self.dtype()) +
                      ") and source (" + lazy::legacy_name(source.dtype()) +
                      ") must have the same scalar type");
  Shape own = source.dim() == 0 ? Shape{1} : source.sizes();
  if (own != rows.sizes)
    raise<ShapeError>("source of shape " + to_text(source.sizes()) +
                      " does not match the slices of shape " +
                      to_text(rows.sizes));
  return build::reshape(value_on(source, device), rows.sizes);
}

Tensor finish_like(const Tensor &self, Value value, Device device) {
  return finish(build::reshape(value, self.sizes()), device, self.dtype());
}

/// Returns `self` with the elements of `view` replaced by `src`.
Tensor replaced(const Tensor &self, const Tensor &view, const Tensor &src) {
  const TensorImpl &shown = impl_of(view);
  Device device = common_device({&self, &src});
  if (src.sizes() != shown.sizes)
    raise<ShapeError>("expected src to have a size equal to the slice of "
                      "self. src size = " +
                      to_text(src.sizes()) +
                      ", slice size = " + to_text(shown.sizes));
  Value value = value_on(self, device);
  Value part = value_on(src, device, self.dtype());
  std::span steps = std::span(shown.steps).subspan(impl_of(self).steps.size());
  return finish(lazy::replace_through(steps, value, part), device,
                self.dtype());
}

void check_mask(const Tensor &mask) {
  if (mask.dtype() != kBool)
    raise<DtypeError>("only supports boolean masks, but got mask with dtype " +
                      lazy::legacy_name(mask.dtype()));
}

/// Returns the sizes to which self and mask broadcast, and the mask in those
/// sizes.
std::pair<Shape, Value> spread_mask(const Tensor &self, const Tensor &mask,
                                    Device device) {
  check_mask(mask);
  Shape sizes = broadcast_shapes(self, mask);
  return {sizes, build::broadcast_to(value_on(mask, device), sizes)};
}

} // namespace

//===- Slices by index ----------------------------------------------------===//

Tensor index_add(const Tensor &self, int64_t dim, const Tensor &index,
                 const Tensor &source, Scalar alpha) {
  XLAC_CALL("index_add");
  dim = wrap_dim(dim, self.dim());
  Device device = common_device({&self, &index, &source});
  Rows rows(self, dim, index, device);
  Value updates = rows_from(self, source, rows, device);
  if (count_of(rows.sizes) == 0)
    return xlac::clone(self);
  if (alpha.to<std::complex<double>>() != 1.0)
    updates = build::binary(
        OpKind::Multiply, updates,
        build::broadcast_to(number_value(alpha, self.dtype(), device),
                            rows.sizes));
  OpKind fold = self.dtype() == kBool ? OpKind::Or : OpKind::Add;
  return finish_like(self, rows.put(fold, value_on(rows.self, device), updates),
                     device);
}

Tensor index_copy(const Tensor &self, int64_t dim, const Tensor &index,
                  const Tensor &source) {
  XLAC_CALL("index_copy");
  dim = wrap_dim(dim, self.dim());
  Device device = common_device({&self, &index, &source});
  Rows rows(self, dim, index, device);
  Value updates = rows_from(self, source, rows, device);
  if (count_of(rows.sizes) == 0)
    return xlac::clone(self);
  return finish_like(self, rows.put({}, value_on(rows.self, device), updates),
                     device);
}

static Tensor filled_rows(const Tensor &self, int64_t dim, const Tensor &index,
                          Value number, Device device) {
  Rows rows(self, wrap_dim(dim, self.dim()), index, device);
  if (count_of(rows.sizes) == 0)
    return xlac::clone(self);
  return finish_like(self,
                     rows.put({}, value_on(rows.self, device),
                              build::broadcast_to(number, rows.sizes)),
                     device);
}

Tensor index_fill(const Tensor &self, int64_t dim, const Tensor &index,
                  Scalar value) {
  XLAC_CALL("index_fill");
  Device device = common_device({&self, &index});
  return filled_rows(self, dim, index,
                     number_value(value, self.dtype(), device), device);
}

Tensor index_fill(const Tensor &self, int64_t dim, const Tensor &index,
                  const Tensor &value) {
  XLAC_CALL("index_fill");
  Device device = common_device({&self, &index, &value});
  if (value.dim() != 0)
    raise<ShapeError>("supports only 0-dimensional value tensor, but got "
                      "tensor with " +
                      std::to_string(value.dim()) + " dimension(s).");
  return filled_rows(self, dim, index, value_on(value, device, self.dtype()),
                     device);
}

Tensor put(const Tensor &self, const Tensor &index, const Tensor &source,
           bool accumulate) {
  XLAC_CALL("put");
  Device device = common_device({&self, &index, &source});
  if (self.dtype() != source.dtype())
    raise<DtypeError>("expected self and source to have the same dtype, but "
                      "got self.dtype = " +
                      lazy::legacy_name(self.dtype()) + " and source.dtype = " +
                      lazy::legacy_name(source.dtype()));
  if (index.numel() != source.numel())
    raise<ShapeError>("expected source and index to have the same number of "
                      "elements, but got source.numel() = " +
                      std::to_string(source.numel()) +
                      ", index.numel() = " + std::to_string(index.numel()));
  int64_t count = index.numel();
  if (self.numel() == 0 && count > 0)
    raise<IndexError>("tried to put elements into an empty tensor");
  Value indices =
      index_value(index, device, self.numel(), 0, Negative::CountFromEnd);
  if (count == 0)
    return xlac::clone(self);
  ops::ScatterDimensionNumbers numbers;
  numbers.inserted_window_dims = numbers.scatter_dims_to_operand_dims = {0};
  numbers.index_vector_dim = 1;
  std::optional<OpKind> fold;
  if (accumulate)
    fold = self.dtype() == kBool ? OpKind::Or : OpKind::Add;
  Value flat = build::reshape(value_on(self, device), {self.numel()});
  Value updates = build::reshape(value_on(source, device), {count});
  return finish_like(self,
                     build::scatter(fold, flat,
                                    build::reshape(indices, {count}), updates,
                                    numbers),
                     device);
}

//===- Elements of a view -------------------------------------------------===//

Tensor slice_scatter(const Tensor &self, const Tensor &src, int64_t dim,
                     std::optional<int64_t> start, std::optional<int64_t> end,
                     int64_t step) {
  XLAC_CALL("slice_scatter");
  return replaced(self, xlac::slice(self, dim, start, end, step), src);
}

Tensor select_scatter(const Tensor &self, const Tensor &src, int64_t dim,
                      int64_t index) {
  XLAC_CALL("select_scatter");
  return replaced(self, xlac::select(self, dim, index), src);
}

Tensor diagonal_scatter(const Tensor &self, const Tensor &src, int64_t offset,
                        int64_t dim1, int64_t dim2) {
  XLAC_CALL("diagonal_scatter");
  return replaced(self, xlac::diagonal(self, offset, dim1, dim2), src);
}

//===- Masks --------------------------------------------------------------===//

/// Returns `filler`, of rank 0, where `where` is true, else self; over `sizes`.
static Tensor filled_where(const Value &where, const Value &filler,
                           const Shape &sizes, const Tensor &self,
                           Device device) {
  return finish(
      build::select(where, build::broadcast_to(filler, sizes),
                    build::broadcast_to(value_on(self, device), sizes)),
      device, self.dtype());
}

Tensor masked_fill(const Tensor &self, const Tensor &mask, Scalar value) {
  XLAC_CALL("masked_fill");
  Device device = common_device({&self, &mask});
  if (lazy::category(lazy::dtype_of_number(value)) == 3 && !self.is_complex())
    raise<DtypeError>("value cannot be converted to type " +
                      lazy::legacy_name(self.dtype()) + " without overflow");
  auto [sizes, where] = spread_mask(self, mask, device);
  return filled_where(where, number_value(value, self.dtype(), device), sizes,
                      self, device);
}

Tensor masked_fill(const Tensor &self, const Tensor &mask,
                   const Tensor &value) {
  XLAC_CALL("masked_fill");
  Device device = common_device({&self, &mask, &value});
  if (value.dim() != 0)
    raise<ShapeError>("only supports a 0-dimensional value tensor, but got "
                      "tensor with " +
                      std::to_string(value.dim()) + " dimension(s).");
  auto [sizes, where] = spread_mask(self, mask, device);
  return filled_where(where, value_on(value, device, self.dtype()), sizes, self,
                      device);
}

Tensor masked_scatter(const Tensor &self, const Tensor &mask,
                      const Tensor &source) {
  XLAC_CALL("masked_scatter");
  Device device = common_device({&self, &mask, &source});
  if (self.dtype() != source.dtype())
    raise<DtypeError>("expected self and source to have same dtypes but got " +
                      lazy::legacy_name(self.dtype()) + " and " +
                      lazy::legacy_name(source.dtype()));
  auto [sizes, where] = spread_mask(self, mask, device);
  int64_t count = count_of(sizes), given = source.numel();
  Value kept = build::broadcast_to(value_on(self, device), sizes);
  if (device.type == kCPU) {
    int64_t wanted = 0;
    for (bool flag : xlac::expand(mask, sizes).to_vector<bool>())
      wanted += flag;
    if (given < wanted)
      raise<ShapeError>("Number of elements of source < number of ones in "
                        "mask");
  }
  if (count == 0 || given == 0)
    return finish(kept, device, self.dtype());
  // The index of the source element for each true position is the number of
  // true positions before it.
  Tensor before = xlac::cumsum(
      xlac::reshape(xlac::expand(mask, sizes), {-1}).to(kInt64), 0);
  Value places = build::binary(OpKind::Subtract, value_on(before, device),
                               build::constant(ElementType::I64, {count}, 1));
  Value picked =
      build::take(build::reshape(value_on(source, device), {given}), places, 0);
  return finish(build::select(where, build::reshape(picked, sizes), kept),
                device, self.dtype());
}

} // namespace xlac
