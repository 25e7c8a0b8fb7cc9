#include "xlac/lazy/view_step.h"

#include "xlac/lazy/build.h"
#include "xlac/lazy/dtypes.h"
#include "xlac/support/raise.h"
#include "xlac/support/unreachable.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace xlac::lazy {

using graph::Value;
using ops::OpKind;

int64_t count_of(const Shape &dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies<>());
}

static Shape all_dims(size_t rank) {
  Shape dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

ViewStep transposed_last(const Shape &sizes, int64_t rows, int64_t columns) {
  assert(rows != columns && "two dimensions are moved");
  ViewStep turn;
  turn.kind = ViewStep::Kind::Permute;
  for (int64_t dim : all_dims(sizes.size()))
    if (dim != rows && dim != columns)
      turn.permutation.push_back(dim);
  turn.permutation.insert(turn.permutation.end(), {rows, columns});
  turn.before = sizes;
  for (int64_t dim : turn.permutation)
    turn.after.push_back(sizes[dim]);
  return turn;
}

namespace {

Shape inverse_of(const Shape &permutation) {
  Shape inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) {
    assert(permutation[i] >= 0 &&
           permutation[i] < static_cast<int64_t>(permutation.size()) &&
           "a permutation names dimensions");
    inverse[permutation[i]] = static_cast<int64_t>(i);
  }
  return inverse;
}

//===- Slices -------------------------------------------------------------===//

/// Replaces every `steps`-th element of `base` from `starts` on.
Value replace_strided(const ViewStep &step, Value base, Value part) {
  ElementType type = base.tensor().element;
  Shape high, interior;
  for (size_t i = 0; i < step.before.size(); ++i) {
    int64_t covered = (step.after[i] - 1) * step.steps[i] + 1;
    interior.push_back(step.steps[i] - 1);
    high.push_back(step.before[i] - step.starts[i] - covered);
  }
  Value zero = build::constant(type, {}, 0);
  Value off = build::constant(ElementType::I1, {}, false);
  Value on = build::constant(ElementType::I1, step.after, true);
  Value dilated = build::pad(part, zero, step.starts, high, interior);
  Value mask = build::pad(on, off, step.starts, high, interior);
  return build::select(mask, dilated, base);
}

Value replace_slice(const ViewStep &step, Value base, Value part) {
  if (count_of(step.after) == 0)
    return base;
  if (step.after == step.before)
    return part;
  if (std::all_of(step.steps.begin(), step.steps.end(),
                  [](int64_t s) { return s == 1; }))
    return build::dynamic_update_slice(base, part, step.starts);
  return replace_strided(step, base, part);
}

/// A diagonal as simpler steps: move its two dims to the end, join them, and
/// take every (columns + 1)-th element.
std::vector<ViewStep> parts_of_diagonal(const ViewStep &step) {
  ViewStep turn = transposed_last(step.before, step.dim, step.other_dim), join,
           take;
  int64_t columns = turn.after.back();
  join.before = join.after = turn.after;
  join.after.pop_back();
  join.after.back() *= columns;
  take.kind = ViewStep::Kind::Slice;
  take.before = take.limits = join.after;
  take.after = step.after;
  take.starts.assign(join.after.size(), 0);
  take.steps.assign(join.after.size(), 1);
  int64_t length = step.after.back();
  int64_t first = step.offset >= 0 ? step.offset : -step.offset * columns;
  take.starts.back() = length ? first : 0;
  take.steps.back() = columns + 1;
  take.limits.back() = length ? first + (length - 1) * (columns + 1) + 1 : 0;
  return {turn, join, take};
}

//===- Windows and strides ------------------------------------------------===//

/// The start of each window.
Value window_starts(const ViewStep &step) {
  Shape dims{step.after[step.dim]};
  Value factor = build::constant(ElementType::I64, dims, Scalar(step.offset));
  return build::binary(OpKind::Multiply, build::iota(ElementType::I64, dims, 0),
                       factor);
}

/// The permutation from a gather's result, with each window after its own
/// dimension, to the view, with the window dimension last.
Shape window_permutation(const ViewStep &step) {
  Shape order = all_dims(step.after.size());
  order.erase(order.begin() + step.dim + 1);
  order.push_back(step.dim + 1);
  return order;
}

/// Dimensions of a gather's result, except the number of windows.
Shape window_offset_dims(const ViewStep &step) {
  Shape dims = all_dims(step.after.size());
  dims.erase(dims.begin() + step.dim);
  return dims;
}

Value take_windows(const ViewStep &step, Value base) {
  ops::GatherDimensionNumbers numbers;
  numbers.offset_dims = window_offset_dims(step);
  numbers.start_index_map = {step.dim};
  numbers.index_vector_dim = 1;
  Shape sizes = step.before;
  sizes[step.dim] = step.length;
  return build::transpose(
      build::gather(base, window_starts(step), numbers, sizes),
      window_permutation(step));
}

Value replace_windows(const ViewStep &step, Value base, Value part) {
  ops::ScatterDimensionNumbers numbers;
  numbers.update_window_dims = window_offset_dims(step);
  numbers.scatter_dims_to_operand_dims = {step.dim};
  numbers.index_vector_dim = 1;
  part = build::transpose(part, inverse_of(window_permutation(step)));
  return build::scatter({}, base, window_starts(step), part, numbers);
}

/// Indices of the view's elements among those of the base.
Value strided_places(const ViewStep &step) {
  Value places =
      build::constant(ElementType::I64, step.after, Scalar(step.offset));
  for (size_t i = 0; i < step.after.size(); ++i) {
    if (step.strides[i] == 0)
      continue;
    Value along =
        build::iota(ElementType::I64, step.after, static_cast<int64_t>(i));
    Value stride =
        build::constant(ElementType::I64, step.after, Scalar(step.strides[i]));
    places = build::binary(OpKind::Add, places,
                           build::binary(OpKind::Multiply, along, stride));
  }
  return places;
}

Value take_strided(const ViewStep &step, Value base) {
  base = build::reshape(base, {count_of(step.before)});
  // An empty result that still depends on the base.
  if (count_of(step.after) == 0)
    return build::reshape(build::slice(base, {0}, {0}, {1}), step.after);
  ops::GatherDimensionNumbers numbers;
  numbers.collapsed_slice_dims = numbers.start_index_map = {0};
  numbers.index_vector_dim = static_cast<int64_t>(step.after.size());
  return build::gather(base, strided_places(step), numbers, {1});
}

Value replace_places(const ViewStep &step, Value base, Value part) {
  if (count_of(step.after) == 0)
    return base;
  for (size_t i = 0; i < step.after.size(); ++i)
    if (step.strides[i] == 0 && step.after[i] > 1)
      raise_overlapping_write();
  ops::ScatterDimensionNumbers numbers;
  numbers.inserted_window_dims = numbers.scatter_dims_to_operand_dims = {0};
  numbers.index_vector_dim = static_cast<int64_t>(step.after.size());
  Value flat = build::reshape(base, {count_of(step.before)});
  return build::reshape(
      build::scatter({}, flat, strided_places(step), part, numbers),
      step.before);
}

//===- Bits and complex numbers -------------------------------------------===//

Value real_of(Value value) { return build::unary(OpKind::Real, value); }
Value imag_of(Value value) { return build::unary(OpKind::Imag, value); }

/// Complex numbers as pairs in a new last dimension.
Value to_pairs(Value value) {
  Shape dims = value.tensor().dims;
  dims.push_back(1);
  return build::concatenate({build::reshape(real_of(value), dims),
                             build::reshape(imag_of(value), dims)},
                            static_cast<int64_t>(dims.size()) - 1);
}

Value from_pairs(Value value) {
  Shape dims = value.tensor().dims, starts(dims.size(), 0);
  Shape steps(dims.size(), 1), limits = dims, outer = dims;
  outer.pop_back();
  limits.back() = 1;
  Value real = build::slice(value, starts, limits, steps);
  starts.back() = 1;
  limits.back() = 2;
  Value imag = build::slice(value, starts, limits, steps);
  return build::binary(OpKind::Complex, build::reshape(real, outer),
                       build::reshape(imag, outer));
}

/// A real type with the same bits as `type`, or as its parts.
ElementType plain_type(ElementType type) {
  if (is_boolean(type))
    return ElementType::UI8;
  if (type == ElementType::Complex64)
    return ElementType::F32;
  return type == ElementType::Complex128 ? ElementType::F64 : type;
}

Value reinterpret(Value value, ElementType to, const Shape &dims) {
  ElementType from = value.tensor().element;
  value = build::reshape(value, {count_of(value.tensor().dims)});
  if (is_complex(from)) {
    value = to_pairs(value);
    value = build::reshape(value, {count_of(value.tensor().dims)});
  }
  value = build::convert(value, plain_type(from));
  auto before = static_cast<int64_t>(byte_size(plain_type(from)));
  auto after = static_cast<int64_t>(byte_size(plain_type(to)));
  if (after > before)
    value =
        build::reshape(value, {count_of(value.tensor().dims) * before / after,
                               after / before});
  value = build::bitcast_convert(value, plain_type(to));
  if (is_complex(to)) {
    value =
        build::reshape(value, {count_of(value.tensor().dims) / 2, int64_t{2}});
    value = from_pairs(value);
  }
  return build::reshape(build::convert(value, to), dims);
}

} // namespace

//===- Steps --------------------------------------------------------------===//

Value replace_each(std::span<const ViewStep> steps, Value base, Value part) {
  // Computes the base of each step, outermost first, then replaces in reverse.
  std::vector<Value> bases{std::move(base)};
  for (const ViewStep &step : steps)
    bases.push_back(step.apply(bases.back()));
  for (size_t i = steps.size(); i-- > 0;)
    part = steps[i].replace(bases[i], std::move(part));
  return part;
}

void raise_overlapping_write() {
  raise<UserError>("unsupported operation: more than one element of the "
                   "written-to tensor refers to a single memory location. "
                   "Please clone() the tensor before performing the "
                   "operation.");
}

Value ViewStep::apply(Value base) const {
  switch (kind) {
  case Kind::Same:
    return base;
  case Kind::Reshape:
    return build::reshape(base, after);
  case Kind::Permute:
    return build::transpose(base, permutation);
  case Kind::Slice:
    return build::slice(base, starts, limits, steps);
  case Kind::Expand:
    return build::broadcast_to(base, after);
  case Kind::Diagonal:
    for (const ViewStep &part : parts_of_diagonal(*this))
      base = part.apply(base);
    return base;
  case Kind::Windows:
    return take_windows(*this, base);
  case Kind::Strided:
    return take_strided(*this, base);
  case Kind::Bits:
    return reinterpret(base, element_type(*dtype), after);
  case Kind::Real:
    return real_of(base);
  case Kind::Imag:
    return imag_of(base);
  case Kind::AsReal:
    return to_pairs(base);
  case Kind::AsComplex:
    return from_pairs(base);
  case Kind::Conj:
    return build::unary(OpKind::ChloConj, base);
  }
  unreachable("a kind of view");
}

Value ViewStep::replace(Value base, Value part) const {
  switch (kind) {
  case Kind::Same:
    return part;
  case Kind::Expand:
    if (count_of(before) != count_of(after))
      raise_overlapping_write();
    return build::reshape(part, before);
  case Kind::Reshape:
    return build::reshape(part, before);
  case Kind::Permute:
    return build::transpose(part, inverse_of(permutation));
  case Kind::Slice:
    return replace_slice(*this, base, part);
  case Kind::Diagonal:
    return count_of(part.tensor().dims) == 0
               ? base
               : replace_each(parts_of_diagonal(*this), base, part);
  case Kind::Windows:
    return replace_windows(*this, base, part);
  case Kind::Strided:
    return replace_places(*this, base, part);
  case Kind::Bits:
    return reinterpret(part, base.tensor().element, before);
  case Kind::Real:
    return build::binary(OpKind::Complex, part, imag_of(base));
  case Kind::Imag:
    return build::binary(OpKind::Complex, real_of(base), part);
  case Kind::AsReal:
    return from_pairs(part);
  case Kind::AsComplex:
    return to_pairs(part);
  case Kind::Conj:
    return build::unary(OpKind::ChloConj, part);
  }
  unreachable("a kind of view");
}

} // namespace xlac::lazy
