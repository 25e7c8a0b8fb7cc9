#include "overlapping_view.h"

#include "xlac/lazy/build.h"
#include "xlac/lazy/execute.h"

#include <algorithm>
#include <cassert>

namespace xlac::lazy {

using graph::Value;
using ops::OpKind;
using Kind = ViewStep::Kind;

namespace {

/// True if places that differ by strides may meet.
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

/// True if the step moves elements and changes none.
bool only_moves(const ViewStep &step) {
  switch (step.kind) {
  case Kind::Bits:
  case Kind::Real:
  case Kind::Imag:
  case Kind::AsReal:
  case Kind::AsComplex:
    return false;
  default:
    return true;
  }
}

/// True if a dimension of the step's may show the same elements throughout.
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

/// Which elements of the base are written where those of `mask` are.
Value mask_before(const ViewStep &step, Value mask) {
  int64_t before = count_of(step.before), after = count_of(step.after);
  switch (step.kind) {
  case Kind::Real:
  case Kind::Imag:
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

/// Refuses a view whose elements lie in the same places all along a dimension.
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

} // namespace

size_t first_overlap(std::span<const ViewStep> steps) {
  for (size_t i = 0; i + 1 < steps.size(); ++i)
    if (may_overlap(steps[i]))
      return i;
  return steps.size();
}

Value replace_overlapping(std::span<const ViewStep> steps, size_t first,
                          Value base, Value part) {
  // A run of moves is one: where its last step's elements lie in what the first
  // begins with.
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
    // Only elements that the rest shows are written.
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

} // namespace xlac::lazy
