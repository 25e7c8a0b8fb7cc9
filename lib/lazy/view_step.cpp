#include "xlac/lazy/view_step.h"

#include "overlapping_view.h"

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

namespace {

Shape all_dims(size_t rank) {
  Shape dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

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

/// `base` with every `steps`-th element from `starts` on replaced.
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
  Value spread = build::pad(part, zero, step.starts, high, interior);
  Value mask = build::pad(on, off, step.starts, high, interior);
  return build::select(mask, spread, base);
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

/// Turns `rows` and `columns` into the last dimensions.
ViewStep turned_last(const Shape &sizes, int64_t rows, int64_t columns) {
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

/// A diagonal as simpler steps: its two dims last and as one, of which every
/// (columns + 1)-th element is taken.
std::vector<ViewStep> parts_of_diagonal(const ViewStep &step) {
  ViewStep turn = turned_last(step.before, step.dim, step.other_dim), join,
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

//===- Expansions ---------------------------------------------------------===//

ViewStep reshape_step(Shape before, Shape after) {
  ViewStep step;
  step.kind = ViewStep::Kind::Reshape;
  step.before = std::move(before);
  step.after = std::move(after);
  return step;
}

/// The sizes of `before`, all of whose expansion is `after`, once dimensions of
/// size 1 are left out or put in so that `after` becomes `reshaped`. Nothing
/// where more than that would have to happen.
std::optional<Shape> reshaped_before(const Shape &before, const Shape &after,
                                     const Shape &reshaped) {
  Shape result;
  size_t from = 0;
  auto skip_ones = [&] {
    while (from < after.size() && after[from] == 1)
      ++from;
  };
  for (int64_t size : reshaped) {
    if (size == 1) {
      result.push_back(1);
      continue;
    }
    skip_ones();
    if (from == after.size() || after[from] != size)
      return std::nullopt;
    result.push_back(before[from++]);
  }
  skip_ones();
  return from == after.size() ? std::optional(result) : std::nullopt;
}

/// `next`, which follows `expand`, as a step in front of it; `expand` is
/// changed to follow. Both are of one rank. False where that cannot be.
bool take_before(ViewStep &expand, ViewStep &next) {
  assert(expand.kind == ViewStep::Kind::Expand && next.before == expand.after &&
         "a step follows an expansion");
  Shape shown = next.after;
  switch (next.kind) {
  case ViewStep::Kind::Same:
  case ViewStep::Kind::Real:
  case ViewStep::Kind::Imag:
    next.after = expand.before;
    break;
  case ViewStep::Kind::AsReal:
    next.after = expand.before;
    next.after.push_back(2);
    break;
  case ViewStep::Kind::AsComplex:
    if (expand.before.back() != 2)
      return false;
    next.after = expand.before;
    next.after.pop_back();
    break;
  case ViewStep::Kind::Reshape: {
    auto after = reshaped_before(expand.before, expand.after, next.after);
    if (!after)
      return false;
    next.after = std::move(*after);
    break;
  }
  case ViewStep::Kind::Permute:
    for (size_t i = 0; i < next.permutation.size(); ++i)
      next.after[i] = expand.before[next.permutation[i]];
    break;
  case ViewStep::Kind::Slice:
    for (size_t i = 0; i < expand.before.size(); ++i)
      if (expand.before[i] != expand.after[i]) {
        next.starts[i] = 0;
        next.limits[i] = next.steps[i] = next.after[i] = 1;
      }
    break;
  default:
    return false;
  }
  next.before = expand.before;
  expand.before = next.after;
  expand.after = std::move(shown);
  return true;
}

/// The diagonal `step` behind an expansion that made its dimension `expanded`:
/// that one has nothing of its own, so this is a part of the other one.
std::vector<ViewStep> parts_along_expansion(const ViewStep &step,
                                            int64_t expanded) {
  bool is_row = expanded == step.dim;
  int64_t kept = is_row ? step.other_dim : step.dim;
  int64_t first = std::max<int64_t>(is_row ? step.offset : -step.offset, 0);
  ViewStep take;
  take.kind = ViewStep::Kind::Slice;
  take.before = take.limits = take.after = step.before;
  take.starts.assign(step.before.size(), 0);
  take.steps.assign(step.before.size(), 1);
  take.limits[expanded] = take.after[expanded] = 1;
  take.after[kept] = step.after.back();
  take.starts[kept] = first;
  take.limits[kept] = first + step.after.back();
  ViewStep turn = turned_last(take.after, expanded, kept);
  ViewStep drop = reshape_step(turn.after, step.after);
  return {std::move(take), std::move(turn), std::move(drop)};
}

/// The dimension of the diagonal `step` that an expansion just before made; -1
/// if none is.
int64_t expanded_dim(const std::vector<ViewStep> &list, const ViewStep &step) {
  if (step.kind != ViewStep::Kind::Diagonal || list.empty() ||
      list.back().kind != ViewStep::Kind::Expand)
    return -1;
  for (int64_t dim : {step.dim, step.other_dim})
    if (list.back().before[dim] != list.back().after[dim])
      return dim;
  return -1;
}

/// The same view with its expansions as late as can be: what they add may be
/// sliced away again, and then what is left can be written.
std::vector<ViewStep> expanding_late(std::span<const ViewStep> steps) {
  std::vector<ViewStep> list;
  auto add = [&](ViewStep step) {
    bool movable = count_of(step.after) > 0;
    list.push_back(std::move(step));
    for (size_t i = list.size() - 1;
         movable && i > 0 && list[i - 1].kind == ViewStep::Kind::Expand &&
         take_before(list[i - 1], list[i]);
         --i)
      std::swap(list[i - 1], list[i]);
  };
  for (const ViewStep &step : steps) {
    if (int64_t dim = expanded_dim(list, step); dim >= 0) {
      for (ViewStep &part : parts_along_expansion(step, dim))
        add(std::move(part));
      continue;
    }
    if (step.kind != ViewStep::Kind::Expand) {
      add(step);
      continue;
    }
    ViewStep expand = step;
    expand.before.insert(expand.before.begin(),
                         step.after.size() - step.before.size(), 1);
    add(reshape_step(step.before, expand.before));
    list.push_back(std::move(expand));
  }
  return list;
}

//===- Windows and strides ------------------------------------------------===//

/// Where each window starts.
Value window_starts(const ViewStep &step) {
  Shape dims{step.after[step.dim]};
  Value factor = build::constant(ElementType::I64, dims, Scalar(step.offset));
  return build::binary(OpKind::Multiply, build::iota(ElementType::I64, dims, 0),
                       factor);
}

/// From the windows of a gather, which lie behind their own dimension, to the
/// view, which has them last.
Shape window_permutation(const ViewStep &step) {
  Shape order = all_dims(step.after.size());
  order.erase(order.begin() + step.dim + 1);
  order.push_back(step.dim + 1);
  return order;
}

/// Dimensions of a gather's result that are not the windows' number.
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

/// Places of the view's elements among those of the base.
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
  // Nothing of the base, of which it is a function none the less.
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

/// The type whose bits stand for those of `type`.
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

Value replace_through(std::span<const ViewStep> steps, Value base, Value part) {
  if (count_of(part.tensor().dims) == 0)
    return base;
  std::vector<ViewStep> late;
  if (std::any_of(steps.begin(), steps.end(), [](const ViewStep &step) {
        return step.kind == ViewStep::Kind::Expand;
      }))
    steps = late = expanding_late(steps);
  if (size_t first = first_overlap(steps); first < steps.size())
    return replace_overlapping(steps, first, std::move(base), std::move(part));
  // Bases of each step, outermost first, then the change back through them.
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
    return replace_through(parts_of_diagonal(*this), base, part);
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
  }
  unreachable("a kind of view");
}

} // namespace xlac::lazy
