// Gradient rules of data movement: gradients move in the opposite direction,
// and are summed where an element was copied to several positions.
#include "rules.h"

#include "xlac/support/raise.h"

#include <algorithm>

namespace xlac::autograd {

namespace {

Shape ones(size_t rank) { return Shape(rank, 1); }
Shape zeros(size_t rank) { return Shape(rank, 0); }
Value zero_of(const Value &value) {
  return build::constant(element_of(value), {}, 0);
}

Grads reshape_rule(const Step &step) {
  return {build::reshape(step.grad(), dims_of(step.operand(0)))};
}

Grads transpose_rule(const Step &step) {
  const auto &order =
      step.node.attributes().get<ops::TransposeAttributes>().permutation;
  Shape inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    inverse[order[i]] = static_cast<int64_t>(i);
  return {build::transpose(step.grad(), inverse)};
}

Grads broadcast_in_dim_rule(const Step &step) {
  const auto &mapping = step.node.attributes()
                            .get<ops::BroadcastInDimAttributes>()
                            .broadcast_dimensions;
  const Shape &from = dims_of(step.operand(0));
  const Shape &to = dims_of(step.grad());
  // Sums over expanded and new dimensions. The remaining ones are in the order
  // of the mapping, which may not be ascending.
  Shape summed, kept;
  for (int64_t i = 0; i < static_cast<int64_t>(to.size()); ++i) {
    auto found = std::find(mapping.begin(), mapping.end(), i);
    if (found == mapping.end() ||
        (from[found - mapping.begin()] == 1 && to[i] != 1))
      summed.push_back(i);
    else
      kept.push_back(i);
  }
  Value grad = sum(step.grad(), summed);
  Shape order;
  for (int64_t target : mapping) {
    auto found = std::find(kept.begin(), kept.end(), target);
    if (found != kept.end())
      order.push_back(found - kept.begin());
  }
  return {build::reshape(build::transpose(grad, order), from)};
}

Grads slice_rule(const Step &step) {
  const auto &a = step.node.attributes().get<ops::SliceAttributes>();
  const Shape &from = dims_of(step.operand(0));
  const Shape &to = dims_of(step.grad());
  Shape high, interior;
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t covered = to[i] == 0 ? 0 : (to[i] - 1) * a.strides[i] + 1;
    interior.push_back(a.strides[i] - 1);
    high.push_back(from[i] - a.start_indices[i] - covered);
  }
  return {build::pad(step.grad(), zero_of(step.grad()), a.start_indices, high,
                     interior)};
}

/// The inverse of pad: removes `low` and `high` elements at the ends, and the
/// interior padding. Negative counts add zeros.
Value unpadded(const Value &value, const ops::PadAttributes &a,
               const Shape &to) {
  size_t rank = to.size();
  Shape low(rank), high(rank);
  for (size_t i = 0; i < rank; ++i) {
    low[i] = -a.edge_padding_low[i];
    high[i] = -a.edge_padding_high[i];
  }
  Value wide = build::pad(value, zero_of(value), low, high, zeros(rank));
  Shape steps(rank);
  for (size_t i = 0; i < rank; ++i)
    steps[i] = a.interior_padding[i] + 1;
  return build::slice(wide, zeros(rank), dims_of(wide), steps);
}

Grads pad_rule(const Step &step) {
  const auto &a = step.node.attributes().get<ops::PadAttributes>();
  Value inner = unpadded(step.grad(), a, dims_of(step.operand(0)));
  Grads grads{inner, Value()};
  if (step.wanted[1])
    grads[1] = sub(sum(step.grad(), all_dims(step.grad())),
                   sum(inner, all_dims(inner)));
  return grads;
}

Grads concatenate_rule(const Step &step) {
  int64_t dim =
      step.node.attributes().get<ops::ConcatenateAttributes>().dimension;
  size_t rank = dims_of(step.grad()).size();
  Grads grads;
  int64_t at = 0;
  for (size_t i = 0; i < step.node.operands().size(); ++i) {
    Shape starts = zeros(rank), limits = dims_of(step.grad());
    starts[dim] = at;
    at += dims_of(step.operand(i))[dim];
    limits[dim] = at;
    grads.push_back(step.wanted[i]
                        ? build::slice(step.grad(), starts, limits, ones(rank))
                        : Value());
  }
  return grads;
}

Grads reverse_rule(const Step &step) {
  return {
      {build::emit(OpKind::Reverse, step.node.attributes(), {step.grad()}), 0}};
}

std::vector<Value> starts_of(const Step &step, size_t first) {
  auto operands = step.node.operands();
  return {operands.begin() + static_cast<ptrdiff_t>(first), operands.end()};
}

Value update_slice(const Value &operand, const Value &update,
                   const std::vector<Value> &starts) {
  std::vector<Value> operands{operand, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return {build::emit(OpKind::DynamicUpdateSlice, {}, std::move(operands)), 0};
}

Grads dynamic_slice_rule(const Step &step) {
  return {update_slice(number_like(step.operand(0), 0), step.grad(),
                       starts_of(step, 1))};
}

Grads dynamic_update_slice_rule(const Step &step) {
  std::vector<Value> starts = starts_of(step, 2);
  Grads grads(2);
  if (step.wanted[0])
    grads[0] =
        update_slice(step.grad(), number_like(step.operand(1), 0), starts);
  if (step.wanted[1]) {
    ops::DynamicSliceAttributes attributes;
    attributes.slice_sizes = dims_of(step.operand(1));
    std::vector<Value> operands{step.grad()};
    operands.insert(operands.end(), starts.begin(), starts.end());
    grads[1] = {
        build::emit(OpKind::DynamicSlice, attributes, std::move(operands)), 0};
  }
  return grads;
}

//===- Gather and scatter -------------------------------------------------===//

/// For each component of the index vectors, the greatest valid start of a
/// window of `sizes` within `dims`. `map` lists the dims of the components.
Value last_starts(const Value &indices, int64_t index_vector_dim,
                  const Shape &map, const Shape &dims, const Shape &sizes) {
  if (index_vector_dim == rank_of(indices)) {
    int64_t dim = map.empty() ? 0 : map[0];
    return number_like(indices,
                       Scalar(static_cast<long>(dims[dim] - sizes[dim])));
  }
  Shape list;
  for (int64_t dim : map)
    list.push_back(dims[dim] - sizes[dim]);
  return build::broadcast_in_dim(
      build::convert(build::constant(list), element_of(indices)),
      dims_of(indices), {index_vector_dim});
}

Grads gather_rule(const Step &step) {
  const auto &a = step.node.attributes().get<ops::GatherAttributes>();
  const auto &g = a.dimension_numbers;
  // Gather clamps out-of-range indices and scatter skips them, so they are
  // clamped here.
  ops::ScatterDimensionNumbers s;
  s.update_window_dims = g.offset_dims;
  s.inserted_window_dims = g.collapsed_slice_dims;
  s.input_batching_dims = g.operand_batching_dims;
  s.scatter_indices_batching_dims = g.start_indices_batching_dims;
  s.scatter_dims_to_operand_dims = g.start_index_map;
  s.index_vector_dim = g.index_vector_dim;
  const Shape &from = dims_of(step.operand(0));
  Value indices = step.operand(1);
  Value limits = last_starts(indices, g.index_vector_dim, g.start_index_map,
                             from, a.slice_sizes);
  Value clamped = {build::emit(OpKind::Clamp, {},
                               {number_like(indices, 0), indices, limits}),
                   0};
  return {build::scatter(OpKind::Add, number_like(step.operand(0), 0), clamped,
                         step.grad(), s)};
}

/// Returns the size that one update covers in each dim of the operand.
Shape window_sizes(size_t rank, const Value &updates,
                   const ops::ScatterDimensionNumbers &s) {
  auto holds = [](const Shape &list, size_t dim) {
    return std::find(list.begin(), list.end(), static_cast<int64_t>(dim)) !=
           list.end();
  };
  Shape sizes = ones(rank);
  size_t window = 0;
  for (size_t i = 0; i < rank; ++i)
    if (!holds(s.inserted_window_dims, i) && !holds(s.input_batching_dims, i))
      sizes[i] = dims_of(updates)[s.update_window_dims[window++]];
  return sizes;
}

/// The gather that reads the elements that a scatter with these dimension
/// numbers writes.
Value gather_updates(const Value &from, const Value &indices,
                     const Value &updates,
                     const ops::ScatterDimensionNumbers &s) {
  ops::GatherDimensionNumbers g;
  g.offset_dims = s.update_window_dims;
  g.collapsed_slice_dims = s.inserted_window_dims;
  g.operand_batching_dims = s.input_batching_dims;
  g.start_indices_batching_dims = s.scatter_indices_batching_dims;
  g.start_index_map = s.scatter_dims_to_operand_dims;
  g.index_vector_dim = s.index_vector_dim;
  return build::gather(from, indices, g,
                       window_sizes(dims_of(from).size(), updates, s));
}

/// The gradients of updates; 0 where scatter skips one that is out of range.
Value updates_grad(const Step &step, const Value &grad,
                   const ops::ScatterDimensionNumbers &s) {
  const Value &indices = step.operand(1);
  Value read = gather_updates(grad, indices, step.operand(2), s);
  const Shape &to = dims_of(step.operand(0));
  // An index is in range if its whole window fits.
  bool scalar_index = s.index_vector_dim == rank_of(indices);
  Value limits =
      last_starts(indices, s.index_vector_dim, s.scatter_dims_to_operand_dims,
                  to, window_sizes(to.size(), step.operand(2), s));
  Value fits = binary(
      OpKind::And,
      compare(ops::ComparisonDirection::GE, indices, number_like(indices, 0)),
      compare(ops::ComparisonDirection::LE, indices, limits));
  if (!scalar_index)
    fits = build::reduce(OpKind::And, fits,
                         build::constant(ElementType::I1, {}, true),
                         {s.index_vector_dim});
  Shape mapping;
  for (int64_t i = 0; i < rank_of(read); ++i)
    if (std::find(s.update_window_dims.begin(), s.update_window_dims.end(),
                  i) == s.update_window_dims.end())
      mapping.push_back(i);
  return where(build::broadcast_in_dim(fits, dims_of(read), mapping), read);
}

Grads scatter_rule(const Step &step) {
  const auto &s = step.node.attributes()
                      .get<ops::ScatterAttributes>()
                      .scatter_dimension_numbers;
  const Value &operand = step.operand(0), &indices = step.operand(1),
              &updates = step.operand(2);
  const graph::Block &body = step.node.regions()[0];
  std::optional<OpKind> op = only_op(body);
  bool overwrites =
      body.results.size() == 1 && body.results[0].node == body.arguments[1];
  Grads grads(3);
  if (step.node.types().size() != 1 || (!op && !overwrites))
    raise<UnsupportedError>("the derivative of a scatter with this body "
                            "is not implemented");
  if (op == OpKind::Add) {
    grads[0] = step.grad();
    if (step.wanted[2])
      grads[2] = updates_grad(step, step.grad(), s);
    return grads;
  }
  if (overwrites) {
    // If several updates write one element, only one takes effect. Scattering
    // the updates' numbers shows which.
    Value numbers = build::reshape(
        add(build::iota(ElementType::F64, {count_of(updates)}, 0), 1),
        dims_of(updates));
    Value winners = build::scatter(
        std::nullopt, build::constant(ElementType::F64, dims_of(operand), 0),
        indices, numbers, s);
    Value untouched =
        compare(ops::ComparisonDirection::EQ, winners, number_like(winners, 0));
    grads[0] = where(untouched, step.grad());
    if (step.wanted[2]) {
      Value won =
          compare(ops::ComparisonDirection::EQ,
                  gather_updates(winners, indices, numbers, s), numbers);
      grads[2] = where(won, updates_grad(step, step.grad(), s));
    }
    return grads;
  }
  if (op == OpKind::Multiply) {
    Value over = mul(step.grad(), step.result());
    grads[0] = div(over, operand);
    if (step.wanted[2])
      grads[2] = div(updates_grad(step, over, s), updates);
    return grads;
  }
  if (op == OpKind::Maximum || op == OpKind::Minimum) {
    // The elements that equal the result share the gradient.
    auto equal = [](const Value &a, const Value &b) {
      return compare(ops::ComparisonDirection::EQ, a, b);
    };
    Value own =
        build::convert(equal(operand, step.result()), element_of(operand));
    Value won = build::convert(
        equal(updates, gather_updates(step.result(), indices, updates, s)),
        element_of(operand));
    Value count = add(own, build::scatter(OpKind::Add, number_like(operand, 0),
                                          indices, won, s));
    Value share = div(step.grad(), count);
    grads[0] = mul(share, own);
    if (step.wanted[2])
      grads[2] = mul(updates_grad(step, share, s), won);
    return grads;
  }
  raise<UnsupportedError>("the derivative of a scatter with this body is "
                          "not implemented");
}

} // namespace

void add_movement_rules(RuleTable &table) {
  table.set(OpKind::BroadcastInDim, broadcast_in_dim_rule);
  table.set(OpKind::Concatenate, concatenate_rule);
  table.set(OpKind::DynamicSlice, dynamic_slice_rule);
  table.set(OpKind::DynamicUpdateSlice, dynamic_update_slice_rule);
  table.set(OpKind::Gather, gather_rule);
  table.set(OpKind::Pad, pad_rule);
  table.set(OpKind::Reshape, reshape_rule);
  table.set(OpKind::Reverse, reverse_rule);
  table.set(OpKind::Scatter, scatter_rule);
  table.set(OpKind::Slice, slice_rule);
  table.set(OpKind::Transpose, transpose_rule);
}

} // namespace xlac::autograd
