// Gradient rules of dot_general and convolution.
#include "rules.h"

#include <algorithm>
#include <numeric>

namespace xlac::autograd {

namespace {

//===- dot_general --------------------------------------------------------===//

/// Returns the dims of rank `rank` that are in neither list.
Shape free_dims(int64_t rank, const Shape &batch, const Shape &contracting) {
  Shape dims;
  for (int64_t i = 0; i < rank; ++i)
    if (std::find(batch.begin(), batch.end(), i) == batch.end() &&
        std::find(contracting.begin(), contracting.end(), i) ==
            contracting.end())
      dims.push_back(i);
  return dims;
}

Shape range(int64_t first, size_t count) {
  Shape dims(count);
  std::iota(dims.begin(), dims.end(), first);
  return dims;
}

/// The dimensions of one operand of a dot_general.
struct Side {
  Shape batch, contracting, free;
};

/// Computes the gradient of the operand `mine`: contracts grad with the free
/// dims of the other operand, then transposes the dims to their positions.
Value dot_grad(const Value &grad, const Value &other, const Side &mine,
               const Side &theirs, bool mine_is_lhs) {
  size_t batch = mine.batch.size();
  auto first = static_cast<int64_t>(batch);
  size_t lhs_free = mine_is_lhs ? mine.free.size() : theirs.free.size();
  Shape grad_theirs =
      mine_is_lhs
          ? range(first + static_cast<int64_t>(lhs_free), theirs.free.size())
          : range(first, theirs.free.size());
  Value product = build::dot_general(grad, other, range(0, batch), theirs.batch,
                                     grad_theirs, theirs.free);
  // [batch…, my free…, contracting in the other's order…]
  Shape sorted = theirs.contracting;
  std::sort(sorted.begin(), sorted.end());
  Shape order(batch + mine.free.size() + mine.contracting.size());
  int64_t at = 0;
  for (int64_t dim : mine.batch)
    order[dim] = at++;
  for (int64_t dim : mine.free)
    order[dim] = at++;
  for (int64_t dim : sorted) {
    auto pair =
        std::find(theirs.contracting.begin(), theirs.contracting.end(), dim) -
        theirs.contracting.begin();
    order[mine.contracting[pair]] = at++;
  }
  return build::transpose(product, order);
}

Grads dot_general_rule(const Step &step) {
  const auto &numbers = step.node.attributes()
                            .get<ops::DotGeneralAttributes>()
                            .dot_dimension_numbers;
  const Value &a = step.operand(0), &b = step.operand(1);
  Side lhs{
      numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions, {}};
  Side rhs{
      numbers.rhs_batching_dimensions, numbers.rhs_contracting_dimensions, {}};
  lhs.free = free_dims(rank_of(a), lhs.batch, lhs.contracting);
  rhs.free = free_dims(rank_of(b), rhs.batch, rhs.contracting);
  // The result of a dot_general may have a wider type than its operands.
  Grads grads(2);
  if (step.wanted[0])
    grads[0] = dot_grad(build::convert(step.grad(), element_of(b)), conj(b),
                        lhs, rhs, true);
  if (step.wanted[1])
    grads[1] = dot_grad(build::convert(step.grad(), element_of(a)), conj(a),
                        rhs, lhs, false);
  return grads;
}

//===- convolution --------------------------------------------------------===//

/// A convolution with all defaults filled in.
struct Conv {
  ops::ConvolutionAttributes attributes;
  size_t spatial;

  explicit Conv(const ops::ConvolutionAttributes &given) : attributes(given) {
    spatial = given.dimension_numbers.input_spatial_dimensions.size();
    auto fill = [&](std::optional<Shape> &list) {
      if (!list)
        list = Shape(spatial, 1);
    };
    fill(attributes.window_strides);
    fill(attributes.lhs_dilation);
    fill(attributes.rhs_dilation);
    if (!attributes.padding)
      attributes.padding = ops::IntElements::matrix(2, Shape(2 * spatial, 0));
    if (!attributes.window_reversal)
      attributes.window_reversal = std::vector<bool>(spatial, false);
  }
  int64_t low(size_t i) const { return attributes.padding->at(i, 0); }
  int64_t high(size_t i) const { return attributes.padding->at(i, 1); }
};

int64_t dilated(int64_t size, int64_t dilation) {
  return size == 0 ? 0 : (size - 1) * dilation + 1;
}

/// Lengths along a spatial dim: of the padded and dilated input and of the
/// dilated window, and of the result dilated by the stride.
struct Extents {
  int64_t in, window, out;
};
Extents extents(const Step &step, const Conv &conv, size_t i) {
  const auto &a = conv.attributes;
  const auto &n = a.dimension_numbers;
  return {dilated(dims_of(step.operand(0))[n.input_spatial_dimensions[i]],
                  (*a.lhs_dilation)[i]),
          dilated(dims_of(step.operand(1))[n.kernel_spatial_dimensions[i]],
                  (*a.rhs_dilation)[i]),
          dilated(dims_of(step.grad())[n.output_spatial_dimensions[i]],
                  (*a.window_strides)[i])};
}

Value emit_convolution(const Conv &conv, const Value &lhs, const Value &rhs,
                       const Shape &dims) {
  Type type(TensorType{element_of(lhs), dims, {}, {}});
  return {build::emit(OpKind::Convolution, conv.attributes, {lhs, rhs}, {type}),
          0};
}

/// Splits `dim` into [groups, dim / groups] and merges the groups into
/// dimension `to`. This moves feature groups from one dimension to another.
Value regroup(const Value &value, int64_t groups, int64_t dim, int64_t to) {
  if (groups == 1)
    return value;
  Shape split = dims_of(value);
  split[dim] /= groups;
  split.insert(split.begin() + dim, groups);
  Value parts = build::reshape(value, split);
  int64_t target = to < dim ? to : to + 1; // in the split value
  Shape order;
  for (int64_t i = 0; i < rank_of(parts); ++i) {
    if (i == dim)
      continue;
    if (i == target)
      order.push_back(dim);
    order.push_back(i);
  }
  Shape merged = dims_of(value);
  merged[dim] /= groups;
  merged[to] *= groups;
  return build::reshape(build::transpose(parts, order), merged);
}

/// The gradient of the input: the result's gradient, dilated by the strides,
/// convolved with the reversed kernel whose feature dimensions are swapped.
Value image_grad(const Step &step, const Conv &conv) {
  const Value &x = step.operand(0), &k = step.operand(1);
  const auto &n = conv.attributes.dimension_numbers;
  int64_t groups = conv.attributes.feature_group_count;
  Conv back = conv;
  auto &d = back.attributes.dimension_numbers;
  d.input_batch_dimension = n.output_batch_dimension;
  d.input_feature_dimension = n.output_feature_dimension;
  d.input_spatial_dimensions = n.output_spatial_dimensions;
  d.output_batch_dimension = n.input_batch_dimension;
  d.output_feature_dimension = n.input_feature_dimension;
  d.output_spatial_dimensions = n.input_spatial_dimensions;
  d.kernel_input_feature_dimension = n.kernel_output_feature_dimension;
  d.kernel_output_feature_dimension = n.kernel_input_feature_dimension;
  Value kernel = regroup(k, groups, n.kernel_output_feature_dimension,
                         n.kernel_input_feature_dimension);
  Shape padding;
  for (size_t i = 0; i < conv.spatial; ++i) {
    auto [in, window, out] = extents(step, conv, i);
    int64_t low = window - 1 - conv.low(i);
    padding.push_back(low);
    padding.push_back(in + window - 1 - out - low);
  }
  back.attributes.padding = ops::IntElements::matrix(2, padding);
  std::swap(back.attributes.window_strides, back.attributes.lhs_dilation);
  for (size_t i = 0; i < conv.spatial; ++i)
    (*back.attributes.window_reversal)[i] =
        !(*conv.attributes.window_reversal)[i];
  return emit_convolution(back, step.grad(), conj(kernel), dims_of(x));
}

/// The gradient of the kernel: the input convolved with the result's gradient
/// as the window; batch and feature dimensions are swapped.
Value kernel_grad(const Step &step, const Conv &conv) {
  const Value &x = step.operand(0), &k = step.operand(1);
  const auto &n = conv.attributes.dimension_numbers;
  int64_t groups = conv.attributes.feature_group_count;
  Conv back = conv;
  auto &d = back.attributes.dimension_numbers;
  d.input_batch_dimension = n.input_feature_dimension;
  d.input_feature_dimension = n.input_batch_dimension;
  d.kernel_input_feature_dimension = n.output_batch_dimension;
  d.kernel_output_feature_dimension = n.output_feature_dimension;
  d.kernel_spatial_dimensions = n.output_spatial_dimensions;
  d.output_batch_dimension = n.kernel_input_feature_dimension;
  d.output_feature_dimension = n.kernel_output_feature_dimension;
  d.output_spatial_dimensions = n.kernel_spatial_dimensions;
  back.attributes.feature_group_count = 1;
  back.attributes.batch_group_count = groups;
  Shape padding;
  for (size_t i = 0; i < conv.spatial; ++i) {
    auto [in, window, out] = extents(step, conv, i);
    padding.push_back(conv.low(i));
    padding.push_back(out + window - 1 - in - conv.low(i));
  }
  back.attributes.padding = ops::IntElements::matrix(2, padding);
  std::swap(back.attributes.window_strides, back.attributes.rhs_dilation);
  // A reversed kernel reverses the gradient along the window dimensions.
  back.attributes.window_reversal = std::vector<bool>(conv.spatial, false);
  Value grad = emit_convolution(back, conj(x), step.grad(), dims_of(k));
  ops::ReverseAttributes reversed;
  for (size_t i = 0; i < conv.spatial; ++i)
    if ((*conv.attributes.window_reversal)[i])
      reversed.dimensions.push_back(n.kernel_spatial_dimensions[i]);
  if (reversed.dimensions.empty())
    return grad;
  return {build::emit(OpKind::Reverse, reversed, {grad}), 0};
}

/// Rewrites batch groups as feature groups: the groups of the batch become
/// features.
Grads convolution_rule(const Step &step) {
  Conv conv(step.node.attributes().get<ops::ConvolutionAttributes>());
  int64_t groups = std::max<int64_t>(1, conv.attributes.batch_group_count);
  if (groups == 1) {
    Grads grads(2);
    if (step.wanted[0])
      grads[0] = image_grad(step, conv);
    if (step.wanted[1])
      grads[1] = kernel_grad(step, conv);
    return grads;
  }
  const auto &n = conv.attributes.dimension_numbers;
  const Value &x = step.operand(0), &k = step.operand(1);
  Value image =
      regroup(x, groups, n.input_batch_dimension, n.input_feature_dimension);
  Conv plain = conv;
  plain.attributes.batch_group_count = 1;
  plain.attributes.feature_group_count = groups;
  Value same = emit_convolution(plain, image, k, dims_of(step.grad()));
  Grads inner =
      convolution_rule({*same.node, {step.grad()}, {image, k}, step.wanted});
  // Moves the groups from the features back to the batch.
  if (inner[0])
    inner[0] = regroup(inner[0], groups, n.input_feature_dimension,
                       n.input_batch_dimension);
  return inner;
}

} // namespace

void add_contraction_rules(RuleTable &table) {
  table.set(OpKind::Convolution, convolution_rule);
  table.set(OpKind::DotGeneral, dot_general_rule);
}

} // namespace xlac::autograd
