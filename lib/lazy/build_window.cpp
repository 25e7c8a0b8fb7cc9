// Builders of window ops.
#include "builder_parts.h"

#include "xlac/lazy/build.h"
#include "xlac/lazy/dtypes.h"

#include <cmath>
#include <numeric>

namespace xlac::build {

using ops::ComparisonDirection;

Window plain_window(const Shape &sizes) {
  Shape ones(sizes.size(), 1), zeros(sizes.size(), 0);
  return {sizes, ones, zeros, zeros, ones, ones};
}

/// The padding [[low, high], …] of a window.
static ops::IntElements padding_of(const Window &window) {
  std::vector<int64_t> pairs;
  for (size_t i = 0; i < window.low.size(); ++i) {
    pairs.push_back(window.low[i]);
    pairs.push_back(window.high[i]);
  }
  return ops::IntElements::matrix(2, pairs);
}

/// Number of positions of the window over `size` elements.
static int64_t positions(int64_t size, const Window &window, size_t i) {
  int64_t dilated = size == 0 ? 0 : (size - 1) * window.base_dilation[i] + 1;
  int64_t padded = dilated + window.low[i] + window.high[i];
  int64_t reach = (window.sizes[i] - 1) * window.dilation[i] + 1;
  return padded < reach ? 0 : (padded - reach) / window.strides[i] + 1;
}

Value convolution(Value lhs, Value rhs, const Window &window, int64_t groups) {
  ops::ConvolutionAttributes attributes;
  attributes.window_strides = window.strides;
  attributes.padding = padding_of(window);
  attributes.lhs_dilation = window.base_dilation;
  attributes.rhs_dilation = window.dilation;
  Shape spatial(window.sizes.size());
  std::iota(spatial.begin(), spatial.end(), 2);
  attributes.dimension_numbers = {0, 1, spatial, 1, 0, spatial, 0, 1, spatial};
  attributes.feature_group_count = groups;
  attributes.batch_group_count = 1;
  Shape dims{dims_of(lhs)[0], dims_of(rhs)[0]};
  for (size_t i = 0; i < spatial.size(); ++i)
    dims.push_back(positions(dims_of(lhs)[i + 2], window, i));
  Type type(tensor_type(lhs.tensor().element, dims));
  return single(emit(OpKind::Convolution, attributes,
                     {std::move(lhs), std::move(rhs)}, {type}));
}

static ops::ReduceWindowAttributes attributes_of(const Window &window) {
  ops::ReduceWindowAttributes attributes;
  attributes.window_dimensions = window.sizes;
  attributes.window_strides = window.strides;
  attributes.base_dilations = window.base_dilation;
  attributes.window_dilations = window.dilation;
  attributes.padding = padding_of(window);
  return attributes;
}

Value reduce_window(OpKind op, Value operand, Value init,
                    const Window &window) {
  ElementType type = operand.tensor().element;
  return single(emit(OpKind::ReduceWindow, attributes_of(window),
                     {std::move(operand), std::move(init)}, {},
                     {folding_block(op, type)}));
}

std::vector<Value> running_window(const std::vector<Value> &operands,
                                  const std::vector<Value> &inits, int64_t dim,
                                  bool reverse, const Combine &combine) {
  const Shape &dims = dims_of(operands[0]);
  Window window = plain_window(Shape(dims.size(), 1));
  window.sizes[dim] = dims[dim];
  (reverse ? window.high : window.low)[dim] = dims[dim] - 1;
  std::vector<Value> left, right;
  for (std::vector<Value> *side : {&left, &right})
    for (const Value &operand : operands)
      side->push_back(parameter(operand.tensor().element));
  std::vector<Value> arguments = left, all = operands;
  arguments.insert(arguments.end(), right.begin(), right.end());
  all.insert(all.end(), inits.begin(), inits.end());
  graph::Block body = block(arguments, combine(left, right));
  // Constants are in the region too, so that it is known by itself.
  body.nodes.clear();
  for (graph::NodeRef &node : graph::post_order(body.results))
    if (node->kind() == graph::NodeKind::Op)
      body.nodes.push_back(std::move(node));
  return results_of(emit(OpKind::ReduceWindow, attributes_of(window),
                         std::move(all), {}, {std::move(body)}));
}

Value reduce_window_max_index(Value operand, Value indices,
                              const Window &window) {
  ElementType type = operand.tensor().element;
  ElementType index = indices.tensor().element;
  // A negative index marks padding, which loses to every element.
  Value a = parameter(type), i = parameter(index);
  Value b = parameter(type), j = parameter(index);
  Value none = constant(index, {}, Scalar(-1));
  Value a_is_padding = compare(ComparisonDirection::EQ, i, none);
  Value b_is_padding = compare(ComparisonDirection::EQ, j, none);
  Value wins = compare(ComparisonDirection::GT, b, a);
  Value level = compare(ComparisonDirection::EQ, a, b);
  if (is_float(type)) {
    Value a_is_nan = compare(ComparisonDirection::NE, a, a);
    Value b_is_nan = compare(ComparisonDirection::NE, b, b);
    level = binary(OpKind::Or, level, binary(OpKind::And, a_is_nan, b_is_nan));
    wins = binary(OpKind::Or, wins,
                  binary(OpKind::And, b_is_nan, unary(OpKind::Not, a_is_nan)));
  }
  Value earlier = compare(ComparisonDirection::LT, j, i);
  wins = binary(OpKind::Or, wins, binary(OpKind::And, level, earlier));
  Value takes_b = binary(OpKind::And, binary(OpKind::Or, wins, a_is_padding),
                         unary(OpKind::Not, b_is_padding));
  graph::Block body =
      block({a, i, b, j}, {select(takes_b, b, a), select(takes_b, j, i)});
  body.nodes.insert(body.nodes.begin(), none.node);
  Value low = constant(type, {}, 0);
  Value padding = constant(index, {}, Scalar(-1));
  return results_of(emit(OpKind::ReduceWindow, attributes_of(window),
                         {std::move(operand), std::move(indices), low, padding},
                         {}, {std::move(body)}))[1];
}

} // namespace xlac::build
