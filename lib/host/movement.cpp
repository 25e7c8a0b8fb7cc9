// Ops that only move elements, and iota.
#include "op_context.h"

#include <algorithm>
#include <cstring>

namespace xlac::host {

using ops::OpKind;

Literal element(const Literal &from, int64_t index) {
  TensorType type{from.type().element, {}, {}, {}};
  auto *at = const_cast<std::byte *>(from.data()) +
             index * byte_size(from.type().element);
  return Literal::borrow(type, std::shared_ptr<std::byte>(from.owner(), at));
}

Dims row_major_strides(const Dims &dims) {
  Dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * dims[i];
  return strides;
}

int64_t product(const Dims &dims) {
  int64_t total = 1;
  for (int64_t size : dims)
    total *= size;
  return total;
}

bool next_index(Dims &index, const Dims &dims) {
  for (size_t i = dims.size(); i-- > 0;) {
    if (++index[i] < dims[i])
      return true;
    index[i] = 0;
  }
  return false;
}

/// A literal whose element at each position is the source's element at base +
/// position · strides.
static Result<Literal> strided_literal(const Literal &from,
                                       const TensorType &type,
                                       const Dims &strides, int64_t base) {
  Result<Literal> to = Literal::allocate(type);
  if (!to)
    return to.error();
  std::byte *target = to->mutable_data();
  const std::byte *source = from.data();
  with_element_size(type.element, [&](auto size) {
    for_each_strided(type.dims, strides, base, [&](int64_t t, int64_t f) {
      std::memcpy(target + t * size(), source + f * size(), size());
    });
  });
  return to;
}

Result<Literal> broadcast_to(const Literal &from, const TensorType &type,
                             const Dims &mapping) {
  Dims source = row_major_strides(from.type().dims);
  Dims strides(type.dims.size(), 0);
  for (size_t i = 0; i < mapping.size(); ++i)
    if (from.type().dims[i] != 1)
      strides[mapping[i]] = source[i];
  return strided_literal(from, type, strides, 0);
}

namespace {

Result<Literals> alone(Result<Literal> literal) {
  if (!literal)
    return literal.error();
  return Literals{std::move(*literal)};
}

Result<Literals> strided(const Literal &from, const TensorType &type,
                         const Dims &strides, int64_t base) {
  return alone(strided_literal(from, type, strides, base));
}

Result<Literals> broadcast_in_dim(OpContext &context, const Dims &mapping) {
  return alone(broadcast_to(context.operand(0), context.result(), mapping));
}

Result<Literals> transpose(OpContext &context) {
  const auto &attributes = context.attributes<ops::TransposeAttributes>();
  Dims source = row_major_strides(context.operand(0).type().dims);
  Dims strides;
  for (int64_t dim : attributes.permutation)
    strides.push_back(source[dim]);
  return strided(context.operand(0), context.result(), strides, 0);
}

Result<Literals> slice(OpContext &context, const Dims &start,
                       const Dims &step) {
  Dims source = row_major_strides(context.operand(0).type().dims);
  Dims strides;
  for (size_t i = 0; i < source.size(); ++i)
    strides.push_back(source[i] * step[i]);
  return strided(context.operand(0), context.result(), strides,
                 offset_of(start, source));
}

Result<Literals> reverse(OpContext &context) {
  const auto &attributes = context.attributes<ops::ReverseAttributes>();
  const Dims &dims = context.result().dims;
  Dims strides = row_major_strides(dims);
  int64_t base = 0;
  for (int64_t dim : attributes.dimensions) {
    base += (dims[dim] - 1) * strides[dim];
    strides[dim] = -strides[dim];
  }
  return strided(context.operand(0), context.result(), strides,
                 context.operand(0).count() == 0 ? 0 : base);
}

Result<Literals> concatenate(OpContext &context) {
  size_t dim = context.attributes<ops::ConcatenateAttributes>().dimension;
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  const Dims &dims = context.result().dims;
  int64_t outer = 1, inner = byte_size(context.result().element);
  for (size_t i = 0; i < dims.size(); ++i)
    (i < dim ? outer : inner) *= i == dim ? 1 : dims[i];
  int64_t row = dims[dim] * inner, at = 0;
  for (const Literal &from : context.operands) {
    int64_t bytes = from.type().dims[dim] * inner;
    for (int64_t i = 0; i < outer && bytes > 0; ++i)
      std::memcpy(to->mutable_data() + i * row + at, from.data() + i * bytes,
                  bytes);
    at += bytes;
  }
  return Literals{std::move(*to)};
}

Result<Literals> pad(OpContext &context, const Dims &low,
                     const Dims &interior) {
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  size_t size = byte_size(context.result().element);
  const std::byte *filler = context.operand(1).data();
  for (int64_t i = 0; i < to->count(); ++i)
    std::memcpy(to->mutable_data() + i * size, filler, size);
  const Literal &from = context.operand(0);
  if (from.count() == 0)
    return Literals{std::move(*to)};
  const Dims &dims = context.result().dims;
  Dims strides = row_major_strides(dims);
  Dims index(from.type().dims.size(), 0);
  int64_t element = 0;
  do {
    int64_t offset = 0;
    bool inside = true;
    for (size_t i = 0; i < index.size(); ++i) {
      int64_t at = low[i] + index[i] * (interior[i] + 1);
      inside &= at >= 0 && at < dims[i];
      offset += at * strides[i];
    }
    if (inside)
      std::memcpy(to->mutable_data() + offset * size,
                  from.data() + element * size, size);
    ++element;
  } while (next_index(index, from.type().dims));
  return Literals{std::move(*to)};
}

Result<Literals> iota(OpContext &context, size_t dim) {
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  const Dims &dims = context.result().dims;
  ElementType type = context.result().element;
  Dims strides = row_major_strides(dims);
  for (int64_t i = 0; i < to->count(); ++i) {
    int64_t position = i / strides[dim] % dims[dim];
    if (is_complex(type)) {
      std::complex<double> value(static_cast<double>(position));
      store(*to, i, 1, &value);
    } else if (is_float(type)) {
      auto value = static_cast<double>(position);
      store(*to, i, 1, &value);
    } else {
      store(*to, i, 1, &position);
    }
  }
  return Literals{std::move(*to)};
}

//===- Dynamic slices -----------------------------------------------------===//

/// Start indices from the operands starting at `first`, clamped to the bounds.
Dims clamped_starts(OpContext &context, size_t first, const Dims &sizes) {
  const Dims &dims = context.operand(0).type().dims;
  Dims starts;
  for (size_t i = 0; i < dims.size(); ++i)
    starts.push_back(std::clamp<int64_t>(as_index(context.operand(first + i)),
                                         0, dims[i] - sizes[i]));
  return starts;
}

Result<Literals> dynamic_slice(OpContext &context) {
  Dims starts = clamped_starts(context, 1, context.result().dims);
  return slice(context, starts, Dims(starts.size(), 1));
}

Result<Literals> dynamic_update_slice(OpContext &context) {
  const Literal &from = context.operand(0), &update = context.operand(1);
  Dims starts = clamped_starts(context, 2, update.type().dims);
  Result<Literal> to = Literal::copy_of(context.result(), from.data());
  if (!to)
    return to.error();
  Dims strides = row_major_strides(from.type().dims);
  with_element_size(context.result().element, [&](auto size) {
    for_each_strided(update.type().dims, strides, offset_of(starts, strides),
                     [&](int64_t u, int64_t t) {
                       std::memcpy(to->mutable_data() + t * size(),
                                   update.data() + u * size(), size());
                     });
  });
  return Literals{std::move(*to)};
}

Dims integers(const Literal &literal) {
  Dims values(literal.count());
  if (!values.empty())
    load(literal, 0, literal.count(), values.data());
  return values;
}

/// The slice that the operands specify, which must have the result's sizes.
Result<Literals> real_dynamic_slice(OpContext &context) {
  Dims starts = integers(context.operand(1)),
       steps = integers(context.operand(3));
  const Dims &from = context.operand(0).type().dims;
  const Dims &to = context.result().dims;
  for (size_t i = 0; i < to.size(); ++i) {
    // Uses a division, since the product may overflow.
    bool inside = starts[i] >= 0 && starts[i] <= from[i] && steps[i] > 0;
    if (!inside ||
        (to[i] > 0 && (starts[i] == from[i] ||
                       to[i] - 1 > (from[i] - 1 - starts[i]) / steps[i])))
      return failure(FailureKind::Index,
                     "the slice leaves dimension " + std::to_string(i) +
                         " of operand " + to_string(context.operand(0).type()));
  }
  return slice(context, starts, steps);
}

/// Fills the result with the one element of `value`.
Result<Literals> repeated(OpContext &context, const ops::DenseElements &value) {
  Result<Literal> scalar = Literal::from(value);
  if (!scalar)
    return scalar.error();
  return alone(broadcast_to(element(*scalar, 0), context.result(), {}));
}

/// Supports only the size that the dimension has.
Result<Literals> set_dimension_size(OpContext &context) {
  auto dim = context.attributes<ops::SetDimensionSizeAttributes>().dimension;
  int64_t size = as_index(context.operand(1));
  if (size != context.operand(0).type().dims[dim])
    return failure(FailureKind::Unsupported, "to a smaller size");
  return Literals{context.operand(0)};
}

Result<Literals> get_dimension_size(OpContext &context) {
  auto dim = context.attributes<ops::GetDimensionSizeAttributes>().dimension;
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  int64_t size = context.operand(0).type().dims[dim];
  store(*to, 0, 1, &size);
  return Literals{std::move(*to)};
}

} // namespace

Result<Literals> evaluate_movement(OpContext &context) {
  switch (context.node.op()) {
  case OpKind::Constant:
    return alone(
        Literal::from(context.attributes<ops::ConstantAttributes>().value));
  case OpKind::ChloConstant:
    return alone(
        Literal::from(context.attributes<ops::ChloConstantAttributes>().value));
  case OpKind::ChloConstantLike:
    return repeated(
        context, context.attributes<ops::ChloConstantLikeAttributes>().value);
  case OpKind::SetDimensionSize:
    return set_dimension_size(context);
  case OpKind::Reshape:
  case OpKind::DynamicReshape:
    return Literals{context.operand(0).with_type(context.result())};
  case OpKind::BroadcastInDim:
    return broadcast_in_dim(context,
                            context.attributes<ops::BroadcastInDimAttributes>()
                                .broadcast_dimensions);
  case OpKind::DynamicBroadcastInDim:
    return broadcast_in_dim(
        context, context.attributes<ops::DynamicBroadcastInDimAttributes>()
                     .broadcast_dimensions);
  case OpKind::Broadcast: {
    Dims mapping;
    size_t added =
        context.attributes<ops::BroadcastAttributes>().broadcast_sizes.size();
    for (size_t i = 0; i < context.operand(0).type().dims.size(); ++i)
      mapping.push_back(static_cast<int64_t>(added + i));
    return broadcast_in_dim(context, mapping);
  }
  case OpKind::Transpose:
    return transpose(context);
  case OpKind::Slice: {
    const auto &attributes = context.attributes<ops::SliceAttributes>();
    return slice(context, attributes.start_indices, attributes.strides);
  }
  case OpKind::RealDynamicSlice:
    return real_dynamic_slice(context);
  case OpKind::DynamicSlice:
    return dynamic_slice(context);
  case OpKind::DynamicUpdateSlice:
    return dynamic_update_slice(context);
  case OpKind::Reverse:
    return reverse(context);
  case OpKind::Concatenate:
    return concatenate(context);
  case OpKind::Pad: {
    const auto &attributes = context.attributes<ops::PadAttributes>();
    return pad(context, attributes.edge_padding_low,
               attributes.interior_padding);
  }
  case OpKind::DynamicPad:
    return pad(context, integers(context.operand(2)),
               integers(context.operand(4)));
  case OpKind::Iota:
    return iota(context,
                context.attributes<ops::IotaAttributes>().iota_dimension);
  case OpKind::DynamicIota:
    return iota(
        context,
        context.attributes<ops::DynamicIotaAttributes>().iota_dimension);
  case OpKind::GetDimensionSize:
    return get_dimension_size(context);
  default:
    return failure(FailureKind::Unsupported,
                   context.node.name() + ": cannot be evaluated on the host");
  }
}

} // namespace xlac::host
