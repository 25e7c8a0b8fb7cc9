#include "fuzz/plans.h"

#include <algorithm>

namespace xlac::fuzz {

using ops::OpKind;

namespace {

/// A value of the type, whole numbers mostly: their sums are exact.
Term factor(Builder &b, const TensorType &type) {
  if (!b.random.chance(60))
    if (auto term = b.existing([&](const Term &term) {
          return term.type() == type && (!b.blind() || term.checked.exact());
        }))
      return *term;
  return b.fresh(type, b.random.chance(30) ? ValueKind::Moderate
                                           : ValueKind::SmallIntegers);
}

/// The type that sums are given in: mostly the operands' own.
ElementType sum_element(Builder &b, ElementType element) {
  using enum ElementType;
  if (!b.random.chance(15))
    return element;
  if (is_float(element))
    return bit_width(element) < 32 ? F32 : F64;
  return element == I8 ? I32 : element;
}

bool dot_general(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements, 1);
  ops::DotGeneralAttributes attributes;
  ops::DotDimensionNumbers &numbers = attributes.dot_dimension_numbers;
  TensorType right{x.element(), {}, {}, {}};
  std::vector<std::pair<int64_t, int>> shared; // left dimension, contracted?
  for (int64_t i = 0; i < x.type().rank(); ++i) {
    uint32_t role = b.random.below(3);
    if (role < 2)
      shared.emplace_back(i, role == 0);
  }
  for (size_t i = shared.size(); i > 1; --i)
    std::swap(shared[i - 1], shared[i - 1 - b.random.below(i)]);
  for (auto [dim, contracted] : shared) {
    while (b.random.chance(30))
      right.dims.push_back(b.size());
    (contracted ? numbers.lhs_contracting_dimensions
                : numbers.lhs_batching_dimensions)
        .push_back(dim);
    (contracted ? numbers.rhs_contracting_dimensions
                : numbers.rhs_batching_dimensions)
        .push_back(right.rank());
    right.dims.push_back(x.type().dims[dim]);
  }
  while (b.random.chance(50))
    right.dims.push_back(b.size());
  if (right.rank() > 5 || right.element_count().value_or(0) > 1 << 13)
    return false;
  Term y = factor(b, right);
  // The rule gives the shape; the element type may be wider.
  TensorType result{sum_element(b, x.element()), {}, {}, {}};
  auto append = [&](const TensorType &type, const Dims &a, const Dims &c) {
    for (int64_t i = 0; i < type.rank(); ++i)
      if (std::find(a.begin(), a.end(), i) == a.end() &&
          std::find(c.begin(), c.end(), i) == c.end())
        result.dims.push_back(type.dims[i]);
  };
  for (int64_t dim : numbers.lhs_batching_dimensions)
    result.dims.push_back(x.type().dims[dim]);
  append(x.type(), numbers.lhs_batching_dimensions,
         numbers.lhs_contracting_dimensions);
  append(right, numbers.rhs_batching_dimensions,
         numbers.rhs_contracting_dimensions);
  return b.add(plan.kind, attributes, {x, y}, {result}).has_value();
}

Dims permuted(const Dims &dims, const Dims &order) {
  Dims result(dims.size());
  for (size_t i = 0; i < dims.size(); ++i)
    result[order[i]] = dims[i];
  return result;
}

/// 0 … n-1 in any order.
Dims draw_order(Builder &b, size_t count) {
  Dims order(count);
  for (size_t i = 0; i < count; ++i)
    order[i] = static_cast<int64_t>(i);
  if (b.random.chance(50))
    for (size_t i = count; i > 1; --i)
      std::swap(order[i - 1], order[i - 1 - b.random.below(i)]);
  return order;
}

struct ConvolutionSizes {
  Dims input, kernel, output; ///< batch, feature, spatial… and so on
};

void draw_window(Builder &b, size_t spatial, ops::ConvolutionAttributes &a,
                 ConvolutionSizes &sizes) {
  Dims strides, padding, lhs, rhs;
  std::vector<bool> reversal;
  for (size_t i = 0; i < spatial; ++i) {
    int64_t input = b.random.between(1, 9), window = b.random.between(1, 3);
    sizes.input.push_back(input);
    sizes.kernel.push_back(window);
    strides.push_back(b.random.chance(30) ? 2 : 1);
    lhs.push_back(b.random.chance(15) ? 2 : 1);
    rhs.push_back(b.random.chance(15) ? 2 : 1);
    reversal.push_back(b.random.chance(15));
    for (int side = 0; side < 2; ++side)
      padding.push_back(b.random.chance(40) ? b.random.between(0, 2) : 0);
    if (b.random.chance(5))
      padding.back() = -1;
    int64_t padded =
        (input - 1) * lhs[i] + 1 + padding[2 * i] + padding[2 * i + 1];
    int64_t reach = (window - 1) * rhs[i] + 1;
    sizes.output.push_back(padded < reach ? 0
                                          : (padded - reach) / strides[i] + 1);
  }
  a.window_strides = strides;
  a.padding = ops::IntElements::matrix(2, padding);
  a.lhs_dilation = lhs;
  a.rhs_dilation = rhs;
  a.window_reversal = reversal;
}

bool convolution(Builder &b, const Plan &plan) {
  size_t spatial = b.random.below(4);
  int64_t feature_groups = 1, batch_groups = 1;
  if (b.random.chance(20))
    feature_groups = b.random.between(2, 3);
  else if (b.random.chance(15))
    batch_groups = 2;
  int64_t batch = b.random.between(1, 4) * batch_groups;
  int64_t in = b.random.between(1, 8);
  int64_t out = b.random.between(1, 9) * feature_groups * batch_groups;
  ops::ConvolutionAttributes a;
  a.feature_group_count = feature_groups;
  a.batch_group_count = batch_groups;
  ConvolutionSizes sizes{
      {batch, in * feature_groups}, {in, out}, {batch / batch_groups, out}};
  draw_window(b, spatial, a, sizes);
  Dims input = draw_order(b, spatial + 2), kernel = draw_order(b, spatial + 2),
       output = draw_order(b, spatial + 2);
  a.dimension_numbers = {
      input[0],  input[1],  {input.begin() + 2, input.end()},
      kernel[0], kernel[1], {kernel.begin() + 2, kernel.end()},
      output[0], output[1], {output.begin() + 2, output.end()}};
  ElementType element = b.element(plan.elements);
  TensorType result{
      sum_element(b, element), permuted(sizes.output, output), {}, {}};
  Term x = factor(b, {element, permuted(sizes.input, input), {}, {}});
  Term y = factor(b, {element, permuted(sizes.kernel, kernel), {}, {}});
  return b.add(plan.kind, a, {x, y}, {result}).has_value();
}

constexpr Plan kPlans[] = {
    {OpKind::DotGeneral, 35, dot_general, kNumbers},
    {OpKind::Convolution, 15, convolution, kNumbers},
};

} // namespace

std::span<const Plan> contraction_plans() { return kPlans; }

} // namespace xlac::fuzz
