#include "fuzz/bodies.h"
#include "fuzz/plans.h"

#include <algorithm>

namespace xlac::fuzz {

using ops::OpKind;

namespace {

/// The dimensions of the operand that the indices address, and the layout of
/// batch and window dimensions in the other tensor. Gather and scatter have
/// these in common.
struct Addressing {
  Dims batching, collapsed, index_map, slice_sizes;
  Dims indices_batching;
  TensorType indices;
  int64_t index_vector_dim = 0;
  /// Window dimensions of the other tensor, and its shape.
  Dims offset_dims, other;
};

ElementType row_index_element(Builder &b) {
  using enum ElementType;
  static constexpr ElementType kTypes[] = {I32, I64, I32, UI8, I8, UI32};
  return b.random.pick(kTypes);
}

Dims joined(Dims front, const Dims &back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

/// Assigns the operand's dimensions, then lays out indices and windows.
Addressing draw(Builder &b, const TensorType &operand) {
  Addressing a;
  Dims batch_sizes, window_sizes;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    int64_t size = operand.dims[i];
    if (a.batching.empty() && size > 0 && b.random.chance(15)) {
      a.batching.push_back(i);
      a.slice_sizes.push_back(1);
      continue;
    }
    bool indexed = b.random.chance(60);
    if (indexed)
      a.index_map.push_back(i);
    if (size > 0 && b.random.chance(50)) {
      a.collapsed.push_back(i);
      a.slice_sizes.push_back(1);
      continue;
    }
    a.slice_sizes.push_back(indexed ? b.random.between(size > 0, size) : size);
    window_sizes.push_back(a.slice_sizes.back());
  }
  if (a.index_map.size() > 1 && b.random.chance(30))
    std::reverse(a.index_map.begin(), a.index_map.end());
  for (int64_t dim : a.batching)
    batch_sizes.push_back(operand.dims[dim]);
  for (int64_t more = b.random.below(3); more > 0; --more)
    batch_sizes.push_back(b.size(joined(batch_sizes, window_sizes)));
  for (size_t i = 0; i < a.batching.size(); ++i)
    a.indices_batching.push_back(static_cast<int64_t>(i));
  a.indices = {row_index_element(b), batch_sizes, {}, {}};
  // A scalar index needs no index vector dimension.
  a.index_vector_dim = a.indices.rank();
  if (a.index_map.size() != 1 || !b.random.chance(40))
    a.indices.dims.push_back(static_cast<int64_t>(a.index_map.size()));
  size_t batches = batch_sizes.size(), windows = window_sizes.size();
  bool window_first = b.random.chance(30);
  for (size_t i = 0; i < windows; ++i)
    a.offset_dims.push_back(
        static_cast<int64_t>(window_first ? i : batches + i));
  a.other = window_first ? joined(window_sizes, batch_sizes)
                         : joined(batch_sizes, window_sizes);
  return a;
}

/// Mostly indices near the bounds of the operand, sometimes arbitrary ones.
/// They must fit.
Term draw_indices(Builder &b, const Addressing &a) {
  if (b.random.chance(30))
    return b.like(a.indices);
  return b.fresh(a.indices, b.random.chance(70) ? ValueKind::SmallIntegers
                                                : ValueKind::Edges);
}

/// The type of torch_index_select: the indices' dimensions replace the selected
/// one.
TensorType selected(const TensorType &operand,
                    const ops::TorchIndexSelectAttributes &attributes,
                    const TensorType &indices) {
  TensorType type = operand;
  auto at = type.dims.erase(type.dims.begin() + attributes.dim);
  type.dims.insert(at, indices.dims.begin() + attributes.batch_dims,
                   indices.dims.end());
  return type;
}

bool gather(Builder &b, const Plan &plan) {
  Term x = b.any();
  Addressing a = draw(b, x.type());
  ops::GatherAttributes attributes;
  attributes.dimension_numbers = {a.offset_dims, a.collapsed,
                                  a.batching,    a.indices_batching,
                                  a.index_map,   a.index_vector_dim};
  attributes.slice_sizes = a.slice_sizes;
  if (!b.fits(a.indices))
    return false;
  Term indices = draw_indices(b, a);
  if (plan.kind == OpKind::Gather)
    return b.add(plan.kind, attributes, {x, indices}).has_value();
  ops::DynamicGatherAttributes dynamic;
  dynamic.dimension_numbers = attributes.dimension_numbers;
  return b
      .add(plan.kind, dynamic,
           {x, indices, sizes(b, size_element(b), a.slice_sizes)},
           {TensorType{x.element(), a.other, {}, {}}})
      .has_value();
}

bool torch_index_select(Builder &b, const Plan &plan) {
  Term x = b.any(kAll, 1);
  ops::TorchIndexSelectAttributes attributes;
  attributes.dim = static_cast<int64_t>(b.random.below(x.type().dims.size()));
  if (x.type().dims[attributes.dim] == 0)
    return false;
  attributes.batch_dims =
      b.random.between(0, std::min<int64_t>(attributes.dim, 2));
  Addressing a;
  a.indices = {row_index_element(b), {}, {}, {}};
  for (int64_t i = 0; i < attributes.batch_dims; ++i)
    a.indices.dims.push_back(x.type().dims[i]);
  for (int64_t more = b.random.below(3); more > 0; --more)
    a.indices.dims.push_back(b.size(a.indices.dims));
  return b
      .add(plan.kind, attributes, {x, draw_indices(b, a)},
           {selected(x.type(), attributes, a.indices)})
      .has_value();
}

/// Indices that address each element at most once: 0, 1, 2 ….
Term unique_indices(Builder &b, const Addressing &a) {
  host::Literal data = *host::Literal::allocate(a.indices);
  for (int64_t i = 0; i < data.count(); ++i)
    host::store(data, i, 1, &i);
  return b.constant(std::move(data));
}

bool scatter(Builder &b, const Plan &plan) {
  Term x = b.any();
  Addressing a = draw(b, x.type());
  ops::ScatterAttributes attributes;
  attributes.scatter_dimension_numbers = {a.offset_dims, a.collapsed,
                                          a.batching,    a.indices_batching,
                                          a.index_map,   a.index_vector_dim};
  ElementType element = x.element();
  bool ordered = is_boolean(element) || is_integer(element);
  // The order of updates to one element is unspecified. So updates of floats,
  // and updates that replace, must have distinct targets.
  bool replaces = b.random.chance(40);
  bool apart = replaces || !ordered;
  if (apart && (a.index_map.size() != 1 || !a.batching.empty() ||
                a.slice_sizes[a.index_map[0]] != 1))
    return false;
  TensorType updates{element, a.other, {}, {}};
  if (!b.fits(a.indices) || !b.fits(updates))
    return false;
  auto body = replaces ? replacing_body(b, element) : simple_body(b, element);
  if (!body)
    return false;
  Term indices = apart ? unique_indices(b, a) : draw_indices(b, a);
  if (apart && indices.type().element_count().value_or(0) > 127)
    return false;
  attributes.unique_indices = apart && b.random.chance(50);
  return b
      .add(plan.kind, attributes, {x, indices, b.like(updates)}, {}, {*body})
      .has_value();
}

constexpr Plan kIndexingPlans[] = {
    {OpKind::Gather, 25, gather},
    {OpKind::DynamicGather, 6, gather},
    {OpKind::TorchIndexSelect, 4, torch_index_select},
    {OpKind::Scatter, 30, scatter},
};

} // namespace

std::span<const Plan> indexing_plans() { return kIndexingPlans; }

} // namespace xlac::fuzz
