// Subscripts: t[1:3, None, mask] and its assignment. Numbers, slices and new
// axes make a view first; index tensors then gather from it or scatter to it.
#include "xlac/tensor/indices.h"

#include <algorithm>
#include <optional>

namespace xlac {

using namespace frontend;

TensorIndex::TensorIndex(const Tensor &tensor) {
  impl_of(tensor);
  v_ = detail::TensorAccess::impl(tensor);
}

namespace {

using Subscripts = std::initializer_list<TensorIndex>;
using Held = std::shared_ptr<TensorImpl>;

bool is_mask(const Tensor &tensor) {
  return tensor.dtype() == kBool || tensor.dtype() == kUInt8;
}

/// The result of applying the basic subscripts: a view, and one index tensor
/// per dimension of it, undefined where there is none.
struct Selection {
  Tensor view;
  std::vector<Tensor> indices;

  void record(int64_t dim, Tensor index) {
    if (static_cast<int64_t>(indices.size()) <= dim)
      indices.resize(dim + 1);
    indices[dim] = std::move(index);
  }
};

/// Returns the number of dimensions that a subscript consumes.
int64_t taken_by(const TensorIndex &index) {
  const auto &held = TensorAccess::held(index);
  if (auto *impl = std::get_if<Held>(&held)) {
    Tensor tensor = TensorAccess::wrap(*impl);
    return is_mask(tensor) ? tensor.dim() : 1;
  }
  return std::holds_alternative<int64_t>(held) ||
         std::holds_alternative<Slice>(held);
}

/// Applies true or false as a subscript: a new axis with one element or none.
void take_flag(Selection &selection, int64_t dim, bool flag) {
  selection.view = xlac::unsqueeze(selection.view, dim);
  selection.record(
      dim, xlac::zeros({flag ? 1 : 0},
                       TensorOptions(kInt64).device(selection.view.device())));
}

/// Replaces a mask by the positions where it is true.
void take_mask(Selection &selection, int64_t dim, const Tensor &mask) {
  const Shape view = impl_of(selection.view).sizes, own = impl_of(mask).sizes;
  for (size_t i = 0; i < own.size(); ++i)
    if (own[i] != view[dim + i])
      raise<IndexError>("The shape of the mask " + to_text(own) + " at index " +
                        std::to_string(i) +
                        " does not match the shape of the indexed tensor " +
                        to_text(view) + " at index " + std::to_string(dim + i));
  Tensor positions = nonzero_positions(mask);
  for (size_t i = 0; i < own.size(); ++i)
    selection.record(dim + static_cast<int64_t>(i),
                     xlac::select(positions, 1, static_cast<int64_t>(i)));
}

enum class Use { Read, Write };

Tensor gather_at(const Selection &selection);

/// Applies an index tensor of rank 0 like a number. Reads on xla devices gather
/// instead of reading its value.
void take_number(Selection &selection, int64_t dim, const Tensor &number,
                 Use use) {
  if (use == Use::Write || selection.view.is_cpu()) {
    selection.view = xlac::select(selection.view, dim, number.item<int64_t>());
    return;
  }
  Selection alone{selection.view, {}};
  alone.record(dim, number);
  selection.view = gather_at(alone);
}

/// Applies an index tensor. Returns the number of dimensions that it consumed.
int64_t take_tensor(Selection &selection, int64_t dim, const Tensor &tensor,
                    Use use) {
  common_device({&selection.view, &tensor});
  if (is_mask(tensor) && tensor.dim() == 0) {
    take_flag(selection, dim, static_cast<bool>(tensor));
    return 1;
  }
  if (is_mask(tensor)) {
    take_mask(selection, dim, tensor);
    return tensor.dim();
  }
  if (tensor.dim() == 0 && lazy::category(tensor.dtype()) == 1) {
    take_number(selection, dim, tensor, use);
    return 0;
  }
  selection.record(dim, tensor);
  return 1;
}

Selection select_basic(const Tensor &self, Subscripts subscripts, Use use) {
  int64_t rank = rank_of(impl_of(self)), taken = 0, ellipses = 0;
  for (const TensorIndex &index : subscripts) {
    taken += taken_by(index);
    ellipses += std::holds_alternative<Ellipsis_t>(TensorAccess::held(index));
  }
  if (taken > rank)
    raise<IndexError>("too many indices for tensor of dimension " +
                      std::to_string(rank));
  if (ellipses > 1)
    raise<IndexError>("an index can only have a single ellipsis ('...')");
  Selection selection{self, {}};
  int64_t dim = 0;
  for (const TensorIndex &index : subscripts) {
    const auto &held = TensorAccess::held(index);
    if (auto *number = std::get_if<int64_t>(&held))
      selection.view = xlac::select(selection.view, dim, *number);
    else if (auto *slice = std::get_if<Slice>(&held))
      selection.view = xlac::slice(selection.view, dim++, slice->start,
                                   slice->stop, slice->step.value_or(1));
    else if (std::holds_alternative<None_t>(held))
      selection.view = xlac::unsqueeze(selection.view, dim++);
    else if (auto *flag = std::get_if<bool>(&held))
      take_flag(selection, dim++, *flag);
    else if (auto *impl = std::get_if<Held>(&held))
      dim += take_tensor(selection, dim, TensorAccess::wrap(*impl), use);
    else
      dim += rank - taken;
  }
  return selection;
}

//===- Index tensors ------------------------------------------------------===//

/// The index tensors as operands of a gather or scatter.
struct IndexOperands {
  Device device;
  Shape dims;           ///< of the view that the indices go through
  Shape window_dims;    ///< of the result that stand for other dims of the view
  Shape batch;          ///< to which the index tensors broadcast
  Value indices;        ///< [batch…, dims]
  Shape result;         ///< sizes
  bool nothing = false; ///< the result has no elements

  ops::GatherDimensionNumbers gather() const {
    ops::GatherDimensionNumbers numbers;
    numbers.offset_dims = window_dims;
    numbers.collapsed_slice_dims = numbers.start_index_map = dims;
    numbers.index_vector_dim = static_cast<int64_t>(batch.size());
    return numbers;
  }
  ops::ScatterDimensionNumbers scatter() const {
    ops::ScatterDimensionNumbers numbers;
    numbers.update_window_dims = window_dims;
    numbers.inserted_window_dims = numbers.scatter_dims_to_operand_dims = dims;
    numbers.index_vector_dim = static_cast<int64_t>(batch.size());
    return numbers;
  }
};

Shape joint_shape(const std::vector<Tensor> &indices) {
  Shape joint;
  for (const Tensor &index : indices) {
    Shape own = index.sizes();
    if (own.size() > joint.size())
      joint.insert(joint.begin(), own.size() - joint.size(), 1);
    for (size_t i = 0; i < own.size(); ++i) {
      int64_t &size = joint[joint.size() - own.size() + i];
      if (size != own[i] && size != 1 && own[i] != 1) {
        std::string shapes;
        for (const Tensor &each : indices)
          shapes += (shapes.empty() ? "" : ", ") + to_text(each.sizes());
        raise<IndexError>("shape mismatch: indexing tensors could not be "
                          "broadcast together with shapes " +
                          shapes);
      }
      size = size == 1 ? own[i] : size;
    }
  }
  return joint;
}

/// Computes the result's sizes. The index tensors' dimensions stand where
/// theirs were if those were adjacent, else in front.
void lay_out_result(IndexOperands &places, const Shape &sizes) {
  bool adjacent = places.dims.back() - places.dims.front() + 1 ==
                  static_cast<int64_t>(places.dims.size());
  size_t at = adjacent ? static_cast<size_t>(places.dims.front()) : 0;
  Shape rest;
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i)
    if (std::find(places.dims.begin(), places.dims.end(), i) ==
        places.dims.end())
      rest.push_back(sizes[i]);
  for (size_t i = 0; i < rest.size(); ++i)
    places.window_dims.push_back(
        static_cast<int64_t>(i < at ? i : i + places.batch.size()));
  places.result = rest;
  places.result.insert(places.result.begin() + static_cast<int64_t>(at),
                       places.batch.begin(), places.batch.end());
}

IndexOperands places_of(const Selection &selection) {
  std::vector<Tensor> indices;
  IndexOperands places;
  const Shape sizes = selection.view.sizes();
  for (size_t i = 0; i < selection.indices.size(); ++i)
    if (selection.indices[i].defined()) {
      places.dims.push_back(static_cast<int64_t>(i));
      indices.push_back(selection.indices[i]);
    }
  std::vector<Tensor> operands = indices;
  operands.push_back(selection.view);
  places.device = common_device(operands);
  places.batch = joint_shape(indices);
  lay_out_result(places, sizes);
  places.nothing = count_of(places.result) == 0;
  Shape column = places.batch;
  column.push_back(1);
  std::vector<Value> columns;
  for (size_t i = 0; i < indices.size(); ++i) {
    int64_t dim = places.dims[i];
    if (sizes[dim] == 0 && !places.nothing)
      raise<IndexError>("index is out of bounds for dimension " +
                        std::to_string(dim) + " with size 0");
    Value value = index_value(indices[i], places.device, sizes[dim], dim,
                              Negative::CountFromEnd);
    columns.push_back(
        build::reshape(build::broadcast_to(value, places.batch), column));
  }
  places.indices = build::concatenate(
      std::move(columns), static_cast<int64_t>(places.batch.size()));
  return places;
}

Tensor gather_at(const Selection &selection) {
  IndexOperands places = places_of(selection);
  Dtype dtype = selection.view.dtype();
  Value value = value_on(selection.view, places.device);
  if (places.nothing)
    return finish(nothing_of(value, places.result), places.device, dtype);
  Shape slices = selection.view.sizes();
  for (int64_t dim : places.dims)
    slices[dim] = 1;
  return finish(build::gather(value, places.indices, places.gather(), slices),
                places.device, dtype);
}

void scatter_at(const Selection &selection, const Tensor &value,
                bool accumulate) {
  IndexOperands places = places_of(selection);
  Dtype dtype = selection.view.dtype();
  if (value.dtype() != dtype)
    raise<DtypeError>("Index put requires the source and destination dtypes "
                      "match, got " +
                      lazy::legacy_name(dtype) + " for the destination and " +
                      lazy::legacy_name(value.dtype()) + " for the source.");
  common_device({&selection.view, &value});
  Shape given = value.sizes();
  bool fits = given.size() <= places.result.size();
  for (size_t i = 0; fits && i < given.size(); ++i)
    fits = given[given.size() - 1 - i] == 1 ||
           given[given.size() - 1 - i] ==
               places.result[places.result.size() - 1 - i];
  if (!fits)
    raise<ShapeError>("shape mismatch: value tensor of shape " +
                      to_text(given) +
                      " cannot be broadcast to indexing result of shape " +
                      to_text(places.result));
  if (places.nothing)
    return;
  Value update =
      build::broadcast_to(value_on(value, places.device), places.result);
  std::optional<OpKind> fold;
  if (accumulate)
    fold = dtype == kBool ? OpKind::Or : OpKind::Add;
  overwrite(selection.view,
            build::scatter(fold, value_on(selection.view, places.device),
                           places.indices, update, places.scatter()));
}

/// Removes leading dimensions of size 1 beyond `rank`.
Tensor without_leading_ones(Tensor value, int64_t rank) {
  while (value.dim() > rank && value.size(0) == 1)
    value = xlac::select(value, 0, 0);
  return value;
}

void write_subscripts(const Tensor &self, Subscripts subscripts,
                      const Tensor &value, bool accumulate) {
  Selection selection = select_basic(self, subscripts, Use::Write);
  Tensor source = without_leading_ones(value, selection.view.dim());
  if (!selection.indices.empty())
    scatter_at(selection, value, accumulate);
  else if (accumulate)
    selection.view.add_(source);
  else
    selection.view.copy_(source);
}

/// Returns the subscript if it is the only one and a mask with the leading
/// sizes of `self`.
std::optional<Tensor> lone_mask(const Tensor &self, Subscripts subscripts) {
  if (subscripts.size() != 1)
    return std::nullopt;
  auto *impl = std::get_if<Held>(&TensorAccess::held(*subscripts.begin()));
  if (!impl || !is_mask(TensorAccess::wrap(*impl)))
    return std::nullopt;
  Tensor mask = TensorAccess::wrap(*impl);
  const Shape own = mask.sizes(), sizes = self.sizes();
  if (own.empty() || own.size() > sizes.size() ||
      !std::equal(own.begin(), own.end(), sizes.begin()))
    return std::nullopt;
  return mask;
}

/// Computes t[mask] = number as a select, which needs no positions.
void fill_where(const Tensor &self, const Tensor &mask, const Tensor &number) {
  Device device = common_device({&self, &mask});
  const TensorImpl &impl = impl_of(self);
  Shape leading(impl_of(mask).sizes.size());
  for (size_t i = 0; i < leading.size(); ++i)
    leading[i] = static_cast<int64_t>(i);
  Value where = build::broadcast_in_dim(value_on(mask, device, kBool),
                                        impl.sizes, leading);
  Value filler =
      build::broadcast_to(value_on(number, device, impl.dtype), impl.sizes);
  overwrite(self, build::select(where, filler, value_on(self, device)));
}

} // namespace

Tensor Tensor::index(std::initializer_list<TensorIndex> indices) const {
  XLAC_CALL("index");
  Selection selection = select_basic(*this, indices, Use::Read);
  if (!selection.indices.empty())
    return gather_at(selection);
  return selection.view.is_same(*this) ? alias(*this) : selection.view;
}

Tensor &Tensor::index_put_(std::initializer_list<TensorIndex> indices,
                           const Tensor &value, bool accumulate) {
  XLAC_CALL("index_put_");
  std::optional<Tensor> mask = lone_mask(*this, indices);
  if (mask && value.dim() == 0 && !accumulate && value.dtype() == dtype())
    fill_where(*this, *mask, value);
  else
    write_subscripts(*this, indices, value, accumulate);
  return *this;
}

Tensor &Tensor::index_put_(std::initializer_list<TensorIndex> indices,
                           Scalar value, bool accumulate) {
  XLAC_CALL("index_put_");
  Tensor number =
      finish(number_value(value, dtype(), device()), device(), dtype());
  return index_put_(indices, number, accumulate);
}

Tensor index_put(const Tensor &self, std::initializer_list<TensorIndex> indices,
                 const Tensor &value, bool accumulate) {
  XLAC_CALL("index_put");
  Tensor result = xlac::clone(self);
  result.index_put_(indices, value, accumulate);
  return result;
}

} // namespace xlac
