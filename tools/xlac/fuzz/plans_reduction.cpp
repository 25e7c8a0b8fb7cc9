#include "fuzz/bodies.h"
#include "fuzz/plans.h"

#include <algorithm>

namespace xlac::fuzz {

using ops::ComparisonDirection;
using ops::OpKind;

namespace {

/// Picks more operands whose types suit several_body: the exact ones.
Terms several(Builder &b, const Term &first, int64_t more) {
  Terms all{first};
  for (int64_t i = 0; i < more; ++i) {
    TensorType type = first.type();
    type.element = b.element(kBooleans | kIntegers | kFloats);
    all.push_back(b.like(type));
  }
  return all;
}

std::vector<ElementType> elements_of(const Terms &terms) {
  std::vector<ElementType> elements;
  for (const Term &term : terms)
    elements.push_back(term.element());
  return elements;
}

/// Appends an initial value for each operand.
Terms with_starts(Builder &b, Terms operands) {
  for (ElementType element : elements_of(operands)) {
    TensorType type{element, {}, {}, {}};
    operands.push_back(b.random.chance(50)
                           ? b.fresh(type, ValueKind::SmallIntegers)
                           : b.like(type));
  }
  return operands;
}

/// Adds the op on `x` and `more` operands like it, each with an initial value
/// and its part of the body.
bool add_reducing(Builder &b, const Plan &plan, ops::OpAttributes attributes,
                  const Term &x, int64_t more) {
  Terms operands = several(b, x, more);
  auto body = more ? several_body(b, elements_of(operands))
                   : simple_body(b, x.element());
  if (!body)
    return false;
  return b.add(plan.kind, attributes, with_starts(b, operands), {}, {*body})
      .has_value();
}

bool reduce(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  int64_t more = b.random.chance(20) ? 1 + b.random.below(2) : 0;
  if (more > 0 && is_complex(x.element()))
    return false;
  ops::ReduceAttributes attributes;
  for (int64_t i = 0; i < x.type().rank(); ++i)
    if (!b.random.chance(45))
      attributes.dimensions.push_back(i);
  return add_reducing(b, plan, std::move(attributes), x, more);
}

struct Window {
  Dims sizes, strides, base, window, padding;
};

Window draw_window(Builder &b, const TensorType &type, bool dilated) {
  Window w;
  for (int64_t size : type.dims) {
    bool trivial = b.random.chance(40);
    w.sizes.push_back(
        trivial ? 1 : b.random.between(1, std::min<int64_t>(4, size + 1)));
    w.strides.push_back(trivial ? 1 : b.random.between(1, 3));
    w.base.push_back(dilated && b.random.chance(25) ? 2 : 1);
    w.window.push_back(dilated && b.random.chance(25) ? 2 : 1);
    for (int side = 0; side < 2; ++side)
      w.padding.push_back(trivial ? 0 : b.random.between(0, 2));
    if (dilated && b.random.chance(10))
      w.padding.back() = -1;
  }
  return w;
}

bool reduce_window(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  int64_t more = b.random.chance(15) && !is_complex(x.element()) ? 1 : 0;
  Window w = draw_window(b, x.type(), true);
  ops::ReduceWindowAttributes attributes;
  attributes.window_dimensions = w.sizes;
  attributes.window_strides = w.strides;
  attributes.base_dilations = w.base;
  attributes.window_dilations = w.window;
  attributes.padding = ops::IntElements::matrix(2, w.padding);
  return add_reducing(b, plan, std::move(attributes), x, more);
}

/// A cumulative reduction: a window as long as the dimension.
bool cumulative(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  size_t rank = x.type().dims.size(), dim = b.random.below(rank);
  int64_t size = x.type().dims[dim];
  if (size == 0 || size > 64)
    return false;
  ops::ReduceWindowAttributes attributes;
  attributes.window_dimensions.assign(rank, 1);
  attributes.window_dimensions[dim] = size;
  Dims padding(2 * rank, 0);
  padding[2 * dim + (b.random.chance(20) ? 1 : 0)] = size - 1;
  attributes.padding = ops::IntElements::matrix(2, padding);
  bool sums = b.rows() && b.random.chance(50);
  auto body = sums ? sum_body(b, x.element()) : simple_body(b, x.element());
  if (!body)
    return false;
  Terms operands = sums ? Terms{x, b.constant({x.element(), {}, {}, {}}, 0)}
                        : with_starts(b, {x});
  return b.add(plan.kind, attributes, operands, {}, {*body}).has_value();
}

bool select_and_scatter(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  Window w = draw_window(b, x.type(), false);
  // Sources of floats have distinct targets, so that the order of additions
  // does not matter.
  bool sums = b.random.chance(70);
  for (size_t i = 0; i < w.sizes.size(); ++i)
    if (!sums || is_float(x.element()))
      w.strides[i] = std::max(w.strides[i], w.sizes[i]);
  ops::SelectAndScatterAttributes attributes;
  attributes.window_dimensions = w.sizes;
  attributes.window_strides = w.strides;
  attributes.padding = ops::IntElements::matrix(2, w.padding);
  TensorType source = x.type();
  for (size_t i = 0; i < source.dims.size(); ++i) {
    int64_t padded = source.dims[i] + w.padding[2 * i] + w.padding[2 * i + 1];
    if (padded < w.sizes[i] || w.padding[2 * i] >= w.sizes[i] ||
        w.padding[2 * i + 1] >= w.sizes[i])
      return false;
    source.dims[i] = (padded - w.sizes[i]) / w.strides[i] + 1;
  }
  if (!b.fits(source))
    return false;
  auto direction =
      b.random.chance(50) ? ComparisonDirection::GE : ComparisonDirection::LE;
  auto select = comparing_body(b, {x.element(), x.element()}, direction, false);
  auto scatter = sums ? sum_body(b, x.element()) : simple_body(b, x.element());
  if (!select || !scatter)
    return false;
  TensorType scalar{x.element(), {}, {}, {}};
  Terms operands{x, b.like(source),
                 sums ? b.constant(scalar, 0) : b.like(scalar)};
  return b.add(plan.kind, attributes, operands, {}, {*select, *scatter})
      .has_value();
}

/// Adds a sort, and returns its results and its dimension.
std::optional<std::pair<Terms, int64_t>> sorted(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  bool is_float_key = is_float(x.element());
  // The sign of a computed NaN is undefined.
  if (is_float_key && may_hold_nan(b, x))
    return std::nullopt;
  Terms operands = several(b, x, b.random.below(3));
  ops::SortAttributes attributes;
  attributes.dimension =
      static_cast<int64_t>(b.random.below(x.type().dims.size()));
  // An unstable sort is deterministic for a single integer operand.
  attributes.is_stable =
      operands.size() > 1 || is_float_key || b.random.chance(50);
  std::vector<ElementType> arguments;
  for (ElementType element : elements_of(operands))
    arguments.insert(arguments.end(), 2, element);
  auto direction =
      b.random.chance(50) ? ComparisonDirection::GT : ComparisonDirection::LT;
  auto body = comparing_body(b, arguments, direction,
                             is_float_key && b.random.chance(50));
  if (!body)
    return std::nullopt;
  auto results = b.add(plan.kind, attributes, operands, {}, {*body});
  if (!results)
    return std::nullopt;
  return std::pair(*results, attributes.dimension);
}

bool sort(Builder &b, const Plan &plan) { return sorted(b, plan).has_value(); }

/// Sorts and takes the first few rows of each result.
bool sorted_head(Builder &b, const Plan &plan) {
  auto made = sorted(b, plan);
  if (!made)
    return false;
  auto &[results, dim] = *made;
  for (const Term &result : results) {
    ops::SliceAttributes first;
    first.limit_indices = result.type().dims;
    first.start_indices.assign(first.limit_indices.size(), 0);
    first.strides.assign(first.limit_indices.size(), 1);
    int64_t &limit = first.limit_indices[dim];
    limit = b.random.between(0, std::min<int64_t>(limit, 4));
    if (!b.add(OpKind::Slice, first, {result}))
      return false;
  }
  return true;
}

bool top_k(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  if (may_hold_nan(b, x))
    return false;
  ops::ChloTopKAttributes attributes;
  attributes.k =
      b.random.between(0, std::min<int64_t>(x.type().dims.back(), 5));
  return b.add(plan.kind, attributes, {x}).has_value();
}

constexpr Plan kReductionPlans[] = {
    {OpKind::Reduce, 50, reduce},
    {OpKind::ReduceWindow, 15, reduce_window},
    {OpKind::ReduceWindow, 8, cumulative, kIntegers | kFloats},
    {OpKind::SelectAndScatter, 6, select_and_scatter, kIntegers | kFloats},
    {OpKind::Sort, 15, sort, kReal},
    {OpKind::ChloTopK, 5, top_k, kIntegers | kFloats},
};

constexpr Plan kHeadPlans[] = {{OpKind::Sort, 8, sorted_head, kReal}};

} // namespace

std::span<const Plan> head_plans() { return kHeadPlans; }

std::span<const Plan> reduction_plans() { return kReductionPlans; }

} // namespace xlac::fuzz
