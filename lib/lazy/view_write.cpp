#include "xlac/lazy/view_write.h"

#include "xlac/lazy/build.h"
#include "xlac/lazy/host_values.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace xlac::lazy {

using graph::Value;
using ops::OpKind;
using Kind = ViewStep::Kind;

namespace {

/// Whether different positions may have the same strided offset.
bool strides_overlap(const ViewStep &step) {
  std::vector<std::pair<int64_t, int64_t>> dims; // strides and sizes
  for (size_t i = 0; i < step.after.size(); ++i)
    if (step.after[i] > 1)
      dims.push_back({step.strides[i], step.after[i]});
  std::sort(dims.begin(), dims.end());
  int64_t reach = 0;
  for (auto [stride, size] : dims) {
    if (stride <= reach)
      return true;
    reach += stride * (size - 1);
  }
  return false;
}

bool may_overlap(const ViewStep &step) {
  switch (step.kind) {
  case Kind::Expand:
    return count_of(step.before) != count_of(step.after);
  case Kind::Windows:
    return step.offset < step.length && step.after[step.dim] > 1;
  case Kind::Strided:
    return strides_overlap(step);
  default:
    return false;
  }
}

/// Whether the step only moves elements without changing them.
bool only_moves(const ViewStep &step) {
  switch (step.kind) {
  case Kind::Bits:
  case Kind::Real:
  case Kind::Imag:
  case Kind::AsReal:
  case Kind::AsComplex:
  case Kind::Conj:
    return false;
  default:
    return true;
  }
}

/// Whether the step may repeat elements along a whole dimension.
bool repeats_along(const ViewStep &step) {
  if (step.kind == Kind::Expand)
    return may_overlap(step);
  for (size_t i = 0; step.kind == Kind::Strided && i < step.after.size(); ++i)
    if (step.strides[i] == 0 && step.after[i] > 1)
      return true;
  return false;
}

Value seen_through(std::span<const ViewStep> steps, Value base) {
  for (const ViewStep &step : steps)
    base = step.apply(base);
  return base;
}

Value any_of_last(Value mask) {
  int64_t last = static_cast<int64_t>(mask.tensor().dims.size()) - 1;
  return build::reduce(OpKind::Or, std::move(mask),
                       build::constant(ElementType::I1, {}, false), {last});
}

Shape with_last(Shape dims, int64_t size) {
  dims.push_back(size);
  return dims;
}

/// The elements of the base that are written if those of `mask` are.
Value mask_before(const ViewStep &step, Value mask) {
  int64_t before = count_of(step.before), after = count_of(step.after);
  switch (step.kind) {
  case Kind::Real:
  case Kind::Imag:
  case Kind::Conj:
    return mask;
  case Kind::AsReal:
  case Kind::AsComplex:
  case Kind::Bits:
    if (after >= before)
      return after == before
                 ? build::reshape(mask, step.before)
                 : any_of_last(build::reshape(
                       mask, with_last(step.before, after / before)));
    mask = build::reshape(mask, with_last(step.after, 1));
    mask = build::broadcast_to(mask, with_last(step.after, before / after));
    return build::reshape(mask, step.before);
  default:
    Value none = build::constant(ElementType::I1, step.before, false);
    return replace_through({&step, 1}, std::move(none), std::move(mask));
  }
}

/// Rejects a view whose elements repeat along a whole dimension.
void require_distinct(const Value &places) {
  host::Literal literal = evaluate_on_host({places})[0];
  const auto *at = reinterpret_cast<const int64_t *>(literal.data());
  const Shape &dims = places.tensor().dims;
  int64_t stride = literal.count();
  for (int64_t size : dims) {
    int64_t block = stride;
    stride /= std::max<int64_t>(size, 1);
    if (size < 2)
      continue;
    bool differs = false;
    for (int64_t i = 0; i < literal.count() && !differs; ++i)
      differs = i % block < stride && at[i] != at[i + stride];
    if (!differs)
      raise_overlapping_write();
  }
}

ViewStep reshape_step(Shape before, Shape after) {
  ViewStep step;
  step.kind = ViewStep::Kind::Reshape;
  step.before = std::move(before);
  step.after = std::move(after);
  return step;
}

/// The sizes of `before`, which is expanded to `after`, when dimensions of size
/// 1 are removed or inserted so that `after` becomes `reshaped`. Empty if that
/// does not suffice.
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

/// Changes `next`, which follows `expand`, into a step before it, and adapts
/// `expand`. Both have one rank. False if that is impossible.
bool take_before(ViewStep &expand, ViewStep &next) {
  assert(expand.kind == ViewStep::Kind::Expand && next.before == expand.after &&
         "a step follows an expansion");
  Shape shown = next.after;
  switch (next.kind) {
  case ViewStep::Kind::Same:
  case ViewStep::Kind::Real:
  case ViewStep::Kind::Imag:
  case ViewStep::Kind::Conj:
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

/// The diagonal `step` after an expansion of the dimension `expanded`. That
/// dimension has no elements of its own, so the result is a slice of the other
/// one.
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
  ViewStep turn = transposed_last(take.after, expanded, kept);
  ViewStep drop = reshape_step(turn.after, step.after);
  return {std::move(take), std::move(turn), std::move(drop)};
}

/// The dimension of the diagonal `step` that the preceding expansion made, or
/// -1.
int64_t expanded_dim(const std::vector<ViewStep> &list, const ViewStep &step) {
  if (step.kind != ViewStep::Kind::Diagonal || list.empty() ||
      list.back().kind != ViewStep::Kind::Expand)
    return -1;
  for (int64_t dim : {step.dim, step.other_dim})
    if (list.back().before[dim] != list.back().after[dim])
      return dim;
  return -1;
}

/// The same view with its expansions moved to the end. A later slice may undo
/// an expansion, and then the view can be written.
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

} // namespace

/// The first step, except the last one, that may contain an element of its base
/// several times; the number of steps if there is none.
static size_t first_overlap(std::span<const ViewStep> steps) {
  for (size_t i = 0; i + 1 < steps.size(); ++i)
    if (may_overlap(steps[i]))
      return i;
  return steps.size();
}

/// Same as replace_through, for steps whose step `first` may overlap: only
/// elements of the last step are written. UserError if elements repeat along a
/// whole dimension.
static Value replace_overlapping(std::span<const ViewStep> steps, size_t first,
                                 Value base, Value part) {
  // Consecutive moves are handled as one: `places` holds the indices of its
  // elements in the base of the first.
  auto moves = std::find_if_not(steps.begin() + static_cast<ptrdiff_t>(first),
                                steps.end(), only_moves);
  auto end = static_cast<size_t>(moves - steps.begin());
  std::span<const ViewStep> outer = steps.first(first),
                            run = steps.subspan(first, end - first),
                            rest = steps.subspan(end);
  assert(first < steps.size() && end > first && "a run begins with a move");
  const Shape &before = steps[first].before;
  int64_t count = count_of(before);
  Value places = seen_through(
      run, build::reshape(build::iota(ElementType::I64, {count}, 0), before));
  if (std::any_of(run.begin(), run.end(), repeats_along))
    require_distinct(places);
  Value around = seen_through(outer, base);
  if (!rest.empty()) {
    // Writes only elements that the rest of the steps selects.
    Value written = build::constant(ElementType::I1, rest.back().after, true);
    for (size_t i = rest.size(); i-- > 0;)
      written = mask_before(rest[i], std::move(written));
    part = replace_through(rest, seen_through(run, around), std::move(part));
    const Shape &dims = places.tensor().dims;
    Value nowhere = build::constant(ElementType::I64, dims, Scalar(count));
    Value nothing = build::constant(part.tensor().element, dims, 0);
    places = build::select(written, places, nowhere);
    part = build::select(written, part, nothing);
  }
  ops::ScatterDimensionNumbers numbers;
  numbers.inserted_window_dims = numbers.scatter_dims_to_operand_dims = {0};
  numbers.index_vector_dim = static_cast<int64_t>(places.tensor().dims.size());
  Value flat = build::scatter({}, build::reshape(around, {count}), places,
                              std::move(part), numbers);
  return replace_through(outer, std::move(base), build::reshape(flat, before));
}

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
  return replace_each(steps, std::move(base), std::move(part));
}

} // namespace xlac::lazy
