#include "fuzz/plans.h"

#include <algorithm>
#include <numeric>

namespace xlac::fuzz {

using ops::OpKind;

ElementType size_element(Builder &b) {
  return b.random.chance(50) ? ElementType::I64 : ElementType::I32;
}

Term sizes(Builder &b, ElementType element, const Dims &values) {
  return b.integers({element, {static_cast<int64_t>(values.size())}, {}, {}},
                    values);
}

namespace {

bool broadcast_in_dim(Builder &b, const Plan &plan) {
  Term x = b.any();
  ops::BroadcastInDimAttributes attributes;
  TensorType type = x.type();
  type.dims.clear();
  // The operand's dimensions in order, with new ones in between.
  for (int64_t dim : x.type().dims) {
    while (b.random.chance(30))
      type.dims.push_back(b.size());
    attributes.broadcast_dimensions.push_back(type.rank());
    type.dims.push_back(dim == 1 && b.random.chance(60) ? b.size() : dim);
  }
  while (b.random.chance(40))
    type.dims.push_back(b.size());
  if (type.rank() >= 2 && b.random.chance(20) &&
      attributes.broadcast_dimensions.size() >= 2) {
    // The mapping of dimensions need not be ascending.
    int64_t &first = attributes.broadcast_dimensions[0];
    int64_t &last = attributes.broadcast_dimensions.back();
    std::swap(type.dims[first], type.dims[last]);
    std::swap(first, last);
  }
  if (plan.kind == OpKind::BroadcastInDim)
    return b.add(plan.kind, attributes, {x}, {type}).has_value();
  ops::DynamicBroadcastInDimAttributes dynamic;
  dynamic.broadcast_dimensions = attributes.broadcast_dimensions;
  return b
      .add(plan.kind, dynamic, {x, sizes(b, size_element(b), type.dims)},
           {type})
      .has_value();
}

/// stablehlo.broadcast: new dimensions precede all others.
bool broadcast(Builder &b, const Plan &plan) {
  ops::BroadcastAttributes attributes;
  attributes.broadcast_sizes = b.dims(2);
  return b.add(plan.kind, attributes, {b.any()}).has_value();
}

bool reshape(Builder &b, const Plan &plan) {
  Term x = b.any();
  TensorType type = x.type();
  Dims &dims = type.dims;
  for (int change = 0; change < 3; ++change) {
    size_t at = b.random.below(dims.size() + 1);
    if (b.random.chance(40)) {
      dims.insert(dims.begin() + at, 1);
    } else if (at + 1 < dims.size()) {
      dims[at] *= dims[at + 1];
      dims.erase(dims.begin() + at + 1);
    } else if (at < dims.size()) {
      for (int64_t factor : {2, 3, 5})
        if (dims[at] > factor && dims[at] % factor == 0) {
          dims.insert(dims.begin() + at, factor);
          dims[at + 1] /= factor;
          break;
        }
    }
  }
  Terms operands{x};
  if (plan.kind == OpKind::DynamicReshape)
    operands.push_back(sizes(b, size_element(b), dims));
  return b.add(plan.kind, {}, operands, {type}).has_value();
}

bool transpose(Builder &b, const Plan &plan) {
  Term x = b.any(kAll, 2);
  ops::TransposeAttributes attributes;
  attributes.permutation.resize(x.type().dims.size());
  std::iota(attributes.permutation.begin(), attributes.permutation.end(), 0);
  for (size_t i = attributes.permutation.size(); i > 1; --i)
    std::swap(attributes.permutation[i - 1],
              attributes.permutation[i - 1 - b.random.below(i)]);
  return b.add(plan.kind, attributes, {x}).has_value();
}

bool slice(Builder &b, const Plan &plan) {
  Term x = b.any();
  ops::SliceAttributes attributes;
  for (int64_t size : x.type().dims) {
    int64_t start = b.random.chance(50) ? b.random.between(0, size) : 0;
    attributes.start_indices.push_back(start);
    attributes.limit_indices.push_back(
        b.random.chance(50) ? b.random.between(start, size) : size);
    attributes.strides.push_back(b.random.chance(30) ? b.random.between(1, 4)
                                                     : 1);
  }
  if (plan.kind == OpKind::Slice)
    return b.add(plan.kind, attributes, {x}).has_value();
  TensorType type = x.type();
  for (size_t i = 0; i < type.dims.size(); ++i)
    type.dims[i] = (attributes.limit_indices[i] - attributes.start_indices[i] +
                    attributes.strides[i] - 1) /
                   attributes.strides[i];
  ElementType element = size_element(b);
  Terms operands{x, sizes(b, element, attributes.start_indices),
                 sizes(b, element, attributes.limit_indices),
                 sizes(b, element, attributes.strides)};
  return b.add(plan.kind, {}, operands, {type}).has_value();
}

bool pad(Builder &b, const Plan &plan) {
  Term x = b.any();
  ops::PadAttributes attributes;
  auto amount = [&](int64_t low, int64_t high) {
    return b.random.chance(60) ? b.random.between(low, high) : 0;
  };
  for (size_t i = 0; i < x.type().dims.size(); ++i) {
    attributes.edge_padding_low.push_back(amount(-2, 3));
    attributes.edge_padding_high.push_back(amount(-2, 3));
    attributes.interior_padding.push_back(b.random.chance(30) ? amount(0, 2)
                                                              : 0);
  }
  Term value = b.like({x.element(), {}, {}, {}});
  if (plan.kind == OpKind::Pad)
    return b.add(plan.kind, attributes, {x, value}).has_value();
  TensorType type = x.type();
  for (size_t i = 0; i < type.dims.size(); ++i) {
    int64_t between = std::max<int64_t>(type.dims[i] - 1, 0);
    type.dims[i] += between * attributes.interior_padding[i] +
                    attributes.edge_padding_low[i] +
                    attributes.edge_padding_high[i];
    if (type.dims[i] < 0)
      return false;
  }
  ElementType element = size_element(b);
  Terms operands{x, value, sizes(b, element, attributes.edge_padding_low),
                 sizes(b, element, attributes.edge_padding_high),
                 sizes(b, element, attributes.interior_padding)};
  return b.add(plan.kind, {}, operands, {type}).has_value();
}

bool concatenate(Builder &b, const Plan &plan) {
  Term x = b.any(kAll, 1);
  ops::ConcatenateAttributes attributes;
  attributes.dimension = b.random.below(x.type().dims.size());
  Terms parts{x};
  int64_t more = b.random.below(4);
  for (int64_t i = 0; i < more; ++i) {
    TensorType type = x.type();
    if (b.random.chance(50)) {
      type.dims[attributes.dimension] = 1;
      type.dims[attributes.dimension] = b.size(type.dims);
    }
    parts.push_back(b.like(type));
  }
  return b.add(plan.kind, attributes, parts).has_value();
}

/// Joins two parts of a value in the opposite order.
bool rotate(Builder &b, const Plan &plan) {
  Term x = b.any(kAll, 1);
  ops::ConcatenateAttributes attributes;
  attributes.dimension = b.random.below(x.type().dims.size());
  ops::SliceAttributes first;
  first.start_indices.assign(x.type().dims.size(), 0);
  first.limit_indices = x.type().dims;
  first.strides.assign(x.type().dims.size(), 1);
  ops::SliceAttributes second = first;
  int64_t at = b.random.between(0, x.type().dims[attributes.dimension]);
  first.limit_indices[attributes.dimension] = at;
  second.start_indices[attributes.dimension] = at;
  auto low = b.add(OpKind::Slice, first, {x});
  auto high = b.add(OpKind::Slice, second, {x});
  return low && high &&
         b.add(plan.kind, attributes, {(*high)[0], (*low)[0]}).has_value();
}

bool reverse(Builder &b, const Plan &plan) {
  Term x = b.any();
  ops::ReverseAttributes attributes;
  for (int64_t i = 0; i < x.type().rank(); ++i)
    if (b.random.chance(50))
      attributes.dimensions.push_back(i);
  return b.add(plan.kind, attributes, {x}).has_value();
}

bool iota(Builder &b, const Plan &plan) {
  TensorType type = b.type(kNumbers);
  if (type.dims.empty())
    type.dims.push_back(b.size());
  // Floats count exactly as long as the significand suffices.
  if ((is_float(type.element) || is_complex(type.element)) &&
      *std::max_element(type.dims.begin(), type.dims.end()) >
          1 << std::min(host::float_shape(type.element).mantissa_bits, 20))
    return false;
  ops::IotaAttributes attributes;
  attributes.iota_dimension = b.random.below(type.dims.size());
  if (plan.kind == OpKind::Iota)
    return b.add(plan.kind, attributes, {}, {type}).has_value();
  ops::DynamicIotaAttributes dynamic;
  dynamic.iota_dimension = attributes.iota_dimension;
  return b
      .add(plan.kind, dynamic, {sizes(b, size_element(b), type.dims)}, {type})
      .has_value();
}

/// A scalar index. Any integer is valid, since indices are clamped.
Term index(Builder &b, ElementType element) {
  TensorType type{element, {}, {}, {}};
  if (b.random.chance(30))
    return b.constant(type, b.random.below(4));
  return b.like(type);
}

ElementType start_index_element(Builder &b) {
  using enum ElementType;
  static constexpr ElementType kTypes[] = {I32, I64, I32,  I8,
                                           UI8, I16, UI32, UI64};
  return b.random.pick(kTypes);
}

bool dynamic_slice(Builder &b, const Plan &plan) {
  Term x = b.any();
  ops::DynamicSliceAttributes attributes;
  Terms operands{x};
  ElementType element = start_index_element(b);
  for (int64_t size : x.type().dims) {
    attributes.slice_sizes.push_back(b.random.between(0, size));
    if (attributes.slice_sizes.back() == 0)
      attributes.slice_sizes.back() = size;
    operands.push_back(index(b, element));
  }
  return b.add(plan.kind, attributes, operands).has_value();
}

bool dynamic_update_slice(Builder &b, const Plan &plan) {
  Term x = b.any();
  TensorType type = x.type();
  for (int64_t &size : type.dims)
    size = b.random.chance(50) ? b.random.between(0, size) : size;
  Terms operands{x, b.like(type)};
  ElementType element = start_index_element(b);
  for (size_t i = 0; i < type.dims.size(); ++i)
    operands.push_back(index(b, element));
  return b.add(plan.kind, {}, operands).has_value();
}

bool optimization_barrier(Builder &b, const Plan &plan) {
  return b.add(plan.kind, {}, {b.any()}).has_value();
}

bool dimension_size(Builder &b, const Plan &plan) {
  Term x = b.any(kAll, 1);
  auto dim = static_cast<int64_t>(b.random.below(x.type().dims.size()));
  if (plan.kind == OpKind::GetDimensionSize) {
    ops::GetDimensionSizeAttributes attributes;
    attributes.dimension = dim;
    return b.add(plan.kind, attributes, {x}).has_value();
  }
  ops::SetDimensionSizeAttributes attributes;
  attributes.dimension = dim;
  // The current size: a smaller one would not be static.
  Term size = b.constant({ElementType::I32, {}, {}, {}}, x.type().dims[dim]);
  return b.add(plan.kind, attributes, {x, size}, {x.type()}).has_value();
}

/// Makes a tuple of a few values and extracts one.
bool tuple(Builder &b, const Plan &) {
  Terms values;
  for (int64_t count = 1 + b.random.below(3); count > 0; --count)
    values.push_back(b.any());
  return b.through_tuple(values, b.random.below(values.size())).has_value();
}

constexpr Plan kMovementPlans[] = {
    {OpKind::BroadcastInDim, 35, broadcast_in_dim},
    {OpKind::Reshape, 25, reshape},
    {OpKind::Transpose, 20, transpose},
    {OpKind::Slice, 20, slice},
    {OpKind::Pad, 20, pad},
    {OpKind::Concatenate, 20, concatenate},
    {OpKind::Concatenate, 6, rotate},
    {OpKind::Reverse, 10, reverse},
    {OpKind::Iota, 12, iota},
    {OpKind::DynamicSlice, 12, dynamic_slice},
    {OpKind::DynamicUpdateSlice, 12, dynamic_update_slice},
    {OpKind::OptimizationBarrier, 4, optimization_barrier},
    {OpKind::Broadcast, 6, broadcast},
    {OpKind::DynamicBroadcastInDim, 6, broadcast_in_dim},
    {OpKind::DynamicReshape, 6, reshape},
    {OpKind::RealDynamicSlice, 6, slice},
    {OpKind::DynamicPad, 6, pad},
    {OpKind::DynamicIota, 4, iota},
    {OpKind::GetDimensionSize, 2, dimension_size},
    {OpKind::SetDimensionSize, 2, dimension_size},
    {OpKind::Tuple, 5, tuple},
};

} // namespace

std::span<const Plan> movement_plans() { return kMovementPlans; }

} // namespace xlac::fuzz
