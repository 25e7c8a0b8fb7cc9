// gather and scatter, following the specification.
#include "op_context.h"

#include <algorithm>
#include <cstring>

namespace xlac::host {

using ops::OpKind;

namespace {

bool holds(const Dims &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The entries of `index` for dimensions that are not in `excluded`.
Dims pick_except(const Dims &index, const Dims &excluded) {
  Dims picked;
  for (size_t i = 0; i < index.size(); ++i)
    if (!holds(excluded, static_cast<int64_t>(i)))
      picked.push_back(index[i]);
  return picked;
}

Dims pick(const Dims &index, const Dims &dims) {
  Dims picked;
  for (int64_t dim : dims)
    picked.push_back(index[dim]);
  return picked;
}

/// The vector of start indices at the batch position `batch`, whose dimensions
/// are those of `indices` without `index_vector_dim`.
Dims index_vector(const Literal &indices, const Dims &strides,
                  const Dims &batch, int64_t index_vector_dim) {
  const Dims &dims = indices.type().dims;
  if (index_vector_dim == static_cast<int64_t>(dims.size()))
    return {as_index(indices, offset_of(batch, strides))};
  Dims index = batch;
  index.insert(index.begin() + index_vector_dim, 0);
  Dims vector;
  for (int64_t i = 0; i < dims[index_vector_dim]; ++i) {
    index[index_vector_dim] = i;
    vector.push_back(as_index(indices, offset_of(index, strides)));
  }
  return vector;
}

/// The entry of the batch position for the batching dimension `dim` of the
/// indices.
int64_t batch_coordinate(const Dims &batch, int64_t dim,
                         int64_t index_vector_dim) {
  return batch[dim < index_vector_dim ? dim : dim - 1];
}

/// The operand index for an offset within a slice; dimensions that the slice
/// lacks are 0.
Dims full_offset(const Dims &offset, const Dims &collapsed,
                 const Dims &batching, size_t rank) {
  Dims full(rank, 0);
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i)
    if (!holds(collapsed, static_cast<int64_t>(i)) &&
        !holds(batching, static_cast<int64_t>(i)))
      full[i] = offset[next++];
  return full;
}

template <class Attributes>
Result<Literals> gather_with(OpContext &context, const Attributes &attributes,
                             const Dims &slice_sizes) {
  const auto &numbers = attributes.dimension_numbers;
  const Literal &operand = context.operand(0), &indices = context.operand(1);
  Result<Literal> to = Literal::allocate(context.result());
  if (!to || to->count() == 0)
    return to ? Result<Literals>(Literals{*to}) : Result<Literals>(to.error());
  const Dims &dims = operand.type().dims;
  for (int64_t dim : numbers.collapsed_slice_dims)
    if (slice_sizes[dim] == 0)
      return failure(FailureKind::Index,
                     "picks from a dimension without elements");
  Dims strides = row_major_strides(dims);
  Dims index_strides = row_major_strides(indices.type().dims);
  size_t size = byte_size(operand.type().element);
  Dims position(context.result().dims.size(), 0);
  std::byte *target = to->mutable_data();
  do {
    Dims batch = pick_except(position, numbers.offset_dims);
    Dims start =
        index_vector(indices, index_strides, batch, numbers.index_vector_dim);
    Dims at = full_offset(pick(position, numbers.offset_dims),
                          numbers.collapsed_slice_dims,
                          numbers.operand_batching_dims, dims.size());
    for (size_t i = 0; i < start.size(); ++i) {
      int64_t dim = numbers.start_index_map[i];
      at[dim] += std::clamp<int64_t>(start[i], 0, dims[dim] - slice_sizes[dim]);
    }
    for (size_t i = 0; i < numbers.operand_batching_dims.size(); ++i)
      at[numbers.operand_batching_dims[i]] +=
          batch_coordinate(batch, numbers.start_indices_batching_dims[i],
                           numbers.index_vector_dim);
    std::memcpy(target, operand.data() + offset_of(at, strides) * size, size);
    target += size;
  } while (next_index(position, context.result().dims));
  return Literals{std::move(*to)};
}

/// Whether slices of these sizes lie within the operand and match the result.
bool fits(const OpContext &context, const ops::GatherDimensionNumbers &numbers,
          const Dims &slice_sizes) {
  const Dims &dims = context.operand(0).type().dims;
  size_t next = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    auto dim = static_cast<int64_t>(i);
    if (slice_sizes[i] < 0 || slice_sizes[i] > dims[i])
      return false;
    bool flat = holds(numbers.collapsed_slice_dims, dim) ||
                holds(numbers.operand_batching_dims, dim);
    int64_t wanted = flat ? std::min<int64_t>(1, dims[i])
                          : context.result().dims[numbers.offset_dims[next++]];
    if (slice_sizes[i] != wanted)
      return false;
  }
  return true;
}

/// Selects slices along dimension `dim`: a gather.
Result<Literals> index_select(OpContext &context) {
  const auto &own = context.attributes<ops::TorchIndexSelectAttributes>();
  const Dims &dims = context.operand(0).type().dims;
  int64_t rank = context.operand(0).type().rank();
  int64_t index_rank = context.operand(1).type().rank();
  // Negative numbers count from the end, as in PyTorch.
  int64_t dim = own.dim < 0 ? own.dim + rank : own.dim;
  int64_t batch =
      own.batch_dims < 0 ? own.batch_dims + index_rank : own.batch_dims;
  ops::GatherAttributes attributes;
  ops::GatherDimensionNumbers &numbers = attributes.dimension_numbers;
  Dims sizes = dims;
  for (int64_t d = 0; d < rank; ++d) {
    if (d < batch)
      numbers.operand_batching_dims.push_back(d);
    else if (d != dim)
      numbers.offset_dims.push_back(d < dim ? d : d - 1 + index_rank - batch);
    if (d < batch || d == dim)
      sizes[d] = std::min<int64_t>(1, sizes[d]);
  }
  numbers.start_indices_batching_dims = numbers.operand_batching_dims;
  numbers.collapsed_slice_dims = numbers.start_index_map = {dim};
  numbers.index_vector_dim = index_rank;
  return gather_with(context, attributes, sizes);
}

/// Applies the region to the elements at `offset` of all results.
Result<bool> update(OpContext &context, Literals &results, int64_t offset,
                    int64_t from, bool overwrite) {
  size_t inputs = results.size();
  Literals arguments;
  for (size_t i = 0; i < inputs; ++i)
    arguments.push_back(element(results[i], offset));
  for (size_t i = 0; i < inputs; ++i)
    arguments.push_back(element(context.operand(inputs + 1 + i), from));
  Result<Literals> updated =
      overwrite
          ? Result<Literals>(
                Literals(arguments.begin() + inputs, arguments.end()))
          : context.regions.run_lifted(context.node.regions()[0], arguments, 1);
  if (!updated)
    return updated.error();
  for (size_t i = 0; i < inputs; ++i) {
    size_t size = byte_size(results[i].type().element);
    std::memcpy(results[i].mutable_data() + offset * size, (*updated)[i].data(),
                size);
  }
  return true;
}

/// Whether the region returns its updates.
bool overwrites(const graph::Block &body) {
  size_t inputs = body.results.size();
  for (size_t i = 0; i < inputs; ++i)
    if (body.results[i].node != body.arguments[inputs + i])
      return false;
  return true;
}

} // namespace

Result<Literals> evaluate_gather(OpContext &context) {
  if (context.node.op() == OpKind::Gather) {
    const auto &attributes = context.attributes<ops::GatherAttributes>();
    return gather_with(context, attributes, attributes.slice_sizes);
  }
  if (context.node.op() == OpKind::TorchIndexSelect)
    return index_select(context);
  const auto &attributes = context.attributes<ops::DynamicGatherAttributes>();
  Dims sizes(context.operand(2).count());
  if (!sizes.empty())
    load(context.operand(2), 0, context.operand(2).count(), sizes.data());
  if (!fits(context, attributes.dimension_numbers, sizes))
    return failure(FailureKind::Index,
                   "slice_sizes leave operand " +
                       to_string(context.operand(0).type()) +
                       " or differ from the result");
  return gather_with(context, attributes, sizes);
}

Result<Literals> evaluate_scatter(OpContext &context) {
  const auto &attributes = context.attributes<ops::ScatterAttributes>();
  const auto &numbers = attributes.scatter_dimension_numbers;
  size_t inputs = context.results.size();
  Literals results;
  for (size_t i = 0; i < inputs; ++i) {
    Result<Literal> copy =
        Literal::copy_of(context.results[i], context.operand(i).data());
    if (!copy)
      return copy.error();
    results.push_back(std::move(*copy));
  }
  const Literal &indices = context.operand(inputs);
  const Literal &updates = context.operand(inputs + 1);
  if (updates.count() == 0)
    return results;
  const Dims &dims = context.result().dims;
  Dims strides = row_major_strides(dims);
  Dims index_strides = row_major_strides(indices.type().dims);
  bool overwrite = overwrites(context.node.regions()[0]);
  Dims position(updates.type().dims.size(), 0);
  int64_t number = 0;
  do {
    int64_t from = number++;
    Dims batch = pick_except(position, numbers.update_window_dims);
    Dims start =
        index_vector(indices, index_strides, batch, numbers.index_vector_dim);
    Dims at = full_offset(pick(position, numbers.update_window_dims),
                          numbers.inserted_window_dims,
                          numbers.input_batching_dims, dims.size());
    bool inside = true;
    for (size_t i = 0; i < start.size(); ++i) {
      int64_t &index = at[numbers.scatter_dims_to_operand_dims[i]];
      inside &= !__builtin_add_overflow(index, start[i], &index);
    }
    for (size_t i = 0; i < numbers.input_batching_dims.size(); ++i)
      at[numbers.input_batching_dims[i]] +=
          batch_coordinate(batch, numbers.scatter_indices_batching_dims[i],
                           numbers.index_vector_dim);
    for (size_t i = 0; i < at.size(); ++i)
      inside &= at[i] >= 0 && at[i] < dims[i];
    if (!inside)
      continue;
    Result<bool> done =
        update(context, results, offset_of(at, strides), from, overwrite);
    if (!done)
      return done.error();
  } while (next_index(position, updates.type().dims));
  return results;
}

} // namespace xlac::host
