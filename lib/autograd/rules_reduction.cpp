// Gradient rules of reductions over dimensions and over windows.
#include "rules.h"

#include "xlac/support/raise.h"

#include <algorithm>

namespace xlac::autograd {

using ops::ComparisonDirection;

namespace {

[[noreturn]] void reject(const Step &step) {
  raise<UnsupportedError>("the derivative of " + step.node.name() +
                          " with this body is not implemented");
}

Value flag(const Value &predicate, const Value &like) {
  return build::convert(predicate, element_of(like));
}

//===- reduce -------------------------------------------------------------===//

/// Shifts the elements of each row by `places` towards the end, or towards the
/// front unless `back`; ones fill the gap.
Value shifted(const Value &rows, int64_t places, bool back) {
  Shape dims = dims_of(rows);
  int64_t length = dims[1];
  Value kept = build::slice(rows, {0, back ? 0 : places},
                            {dims[0], back ? length - places : length}, {1, 1});
  Value ones = build::constant(element_of(rows), {dims[0], places}, 1);
  return back ? build::concatenate({ones, kept}, 1)
              : build::concatenate({kept, ones}, 1);
}

/// For each element, the product of the elements before it in its row, or after
/// it.
Value exclusive_product(const Value &rows, bool before) {
  Value product = shifted(rows, 1, before);
  for (int64_t step = 1; step < dims_of(rows)[1]; step *= 2)
    product = mul(product, shifted(product, step, before));
  return product;
}

/// The gradient of an element is the product of the other elements. It is
/// computed without division, so that it has derivatives where factors are 0.
Value product_grad(const Step &step, const Shape &dims) {
  const Value &x = step.operand(0);
  Value grad = broadcast_along(step.grad(), dims_of(x), dims);
  if (count_of(x) == 0)
    return grad;
  Shape order, sizes, inverse(dims_of(x).size());
  int64_t length = 1;
  for (int64_t dim : all_dims(x))
    if (std::find(dims.begin(), dims.end(), dim) == dims.end())
      order.push_back(dim);
  for (int64_t dim : dims) {
    order.push_back(dim);
    length *= dims_of(x)[dim];
  }
  for (size_t i = 0; i < order.size(); ++i) {
    sizes.push_back(dims_of(x)[order[i]]);
    inverse[order[i]] = static_cast<int64_t>(i);
  }
  Value rows = build::reshape(build::transpose(x, order),
                              {count_of(x) / length, length});
  Value others =
      mul(exclusive_product(rows, true), exclusive_product(rows, false));
  Value placed = build::transpose(build::reshape(others, sizes), inverse);
  Value init = build::broadcast_in_dim(step.operand(1), dims_of(x), {});
  return mul(grad, conj(mul(placed, init)));
}

/// The elements that equal the result share the gradient.
Value extreme_grad(const Step &step, const Shape &dims) {
  const Value &x = step.operand(0);
  Value equal = flag(compare(ComparisonDirection::EQ, x,
                             broadcast_along(step.result(), dims_of(x), dims)),
                     x);
  Value share = div(step.grad(), sum(equal, dims));
  return mul(equal, broadcast_along(share, dims_of(x), dims));
}

/// For reductions of values with their indices: the selected element gets the
/// whole gradient.
Value picked_grad(const Step &step, const Shape &dims) {
  const Value &indices = step.operand(1);
  Value picked =
      compare(ComparisonDirection::EQ, indices,
              broadcast_along(step.result(1), dims_of(indices), dims));
  return where(picked, broadcast_along(step.grad(), dims_of(indices), dims));
}

Grads reduce_rule(const Step &step) {
  const auto &dims =
      step.node.attributes().get<ops::ReduceAttributes>().dimensions;
  size_t count = step.node.operands().size();
  Grads grads(count);
  const Value &x = step.operand(0);
  if (count == 4 && is_integer(element_of(step.operand(1))) &&
      !step.wanted[2]) {
    if (step.grads[0])
      grads[0] = picked_grad(step, dims);
    return grads;
  }
  std::optional<OpKind> op = only_op(step.node.regions()[0]);
  if (count != 2 || !op)
    reject(step);
  switch (*op) {
  case OpKind::Add:
    grads[0] = broadcast_along(step.grad(), dims_of(x), dims);
    if (step.wanted[1])
      grads[1] = sum(step.grad(), all_dims(step.grad()));
    return grads;
  case OpKind::Multiply:
    grads[0] = product_grad(step, dims);
    break;
  case OpKind::Maximum:
  case OpKind::Minimum:
    grads[0] = extreme_grad(step, dims);
    break;
  default:
    reject(step);
  }
  if (step.wanted[1])
    reject(step);
  return grads;
}

//===- reduce_window ------------------------------------------------------===//

/// A reduce_window with all defaults filled in.
struct Windows {
  Shape sizes, strides, base, dilation, low, high;

  explicit Windows(const Step &step) {
    const auto &a = step.node.attributes().get<ops::ReduceWindowAttributes>();
    size_t rank = a.window_dimensions.size();
    sizes = a.window_dimensions;
    strides = a.window_strides.value_or(Shape(rank, 1));
    base = a.base_dilations.value_or(Shape(rank, 1));
    dilation = a.window_dilations.value_or(Shape(rank, 1));
    for (size_t i = 0; i < rank; ++i) {
      auto row = static_cast<int64_t>(i);
      low.push_back(a.padding ? a.padding->at(row, 0) : 0);
      high.push_back(a.padding ? a.padding->at(row, 1) : 0);
    }
  }
};

/// The gradient of window sums: window sums of the gradient, dilated by the
/// strides.
Value window_sum_grad(const Value &grad, const Windows &w, const Shape &to) {
  build::Window back = build::plain_window(w.sizes);
  for (size_t i = 0; i < to.size(); ++i) {
    int64_t in = to[i] == 0 ? 0 : (to[i] - 1) * w.base[i] + 1;
    int64_t window = (w.sizes[i] - 1) * w.dilation[i] + 1;
    int64_t size = dims_of(grad)[i];
    int64_t out = size == 0 ? 0 : (size - 1) * w.strides[i] + 1;
    back.strides[i] = w.base[i];
    back.base_dilation[i] = w.strides[i];
    back.dilation[i] = w.dilation[i];
    back.low[i] = window - 1 - w.low[i];
    back.high[i] = in + window - 1 - out - back.low[i];
  }
  return build::reduce_window(OpKind::Add, grad,
                              build::constant(element_of(grad), {}, 0), back);
}

/// Makes the region (a, b) -> compute(a, b) over single elements.
template <class Compute>
graph::Block body_of(ElementType element, Compute compute) {
  Type type(TensorType{element, {}, {}, {}});
  Value a{Node::make_parameter(type), 0}, b{Node::make_parameter(type), 0};
  Value result = compute(a, b);
  graph::Block block;
  block.arguments = {a.node, b.node};
  block.nodes = {result.node};
  block.results = {result};
  return block;
}

/// The gradient of window maxima or minima goes to the first of equal elements,
/// by select_and_scatter.
Value window_extreme_grad(const Step &step, const Windows &w, OpKind op) {
  const Value &x = step.operand(0);
  bool plain = std::all_of(w.base.begin(), w.base.end(),
                           [](int64_t d) { return d == 1; }) &&
               std::all_of(w.dilation.begin(), w.dilation.end(),
                           [](int64_t d) { return d == 1; });
  if (!plain)
    return {};
  ops::SelectAndScatterAttributes attributes;
  attributes.window_dimensions = w.sizes;
  attributes.window_strides = w.strides;
  Shape padding;
  for (size_t i = 0; i < w.sizes.size(); ++i) {
    padding.push_back(w.low[i]);
    padding.push_back(w.high[i]);
  }
  attributes.padding = ops::IntElements::matrix(2, padding);
  ComparisonDirection direction =
      op == OpKind::Maximum ? ComparisonDirection::GE : ComparisonDirection::LE;
  return {
      build::emit(
          OpKind::SelectAndScatter, attributes,
          {x, step.grad(), build::constant(element_of(x), {}, 0)}, {},
          {body_of(element_of(x),
                   [&](const Value &a, const Value &b) {
                     return compare(direction, a, b);
                   }),
           body_of(element_of(x),
                   [](const Value &a, const Value &b) { return add(a, b); })}),
      0};
}

/// The flat index of each element.
Value positions(const Shape &dims) {
  int64_t total = 1;
  for (int64_t size : dims)
    total *= size;
  return build::reshape(build::iota(ElementType::I64, {total}, 0), dims);
}

/// As window_extreme_grad, for dilated windows: finds the index of each
/// window's extremum, then scatters.
Value dilated_extreme_grad(const Step &step, const Windows &w, OpKind op) {
  const Value &x = step.operand(0);
  build::Window window{w.sizes, w.strides, w.low, w.high, w.base, w.dilation};
  Value keys = op == OpKind::Maximum ? x : neg(x);
  Value places =
      build::reduce_window_max_index(keys, positions(dims_of(x)), window);
  int64_t count = count_of(places);
  int64_t total = count_of(x);
  ops::ScatterDimensionNumbers numbers;
  numbers.inserted_window_dims = {0};
  numbers.scatter_dims_to_operand_dims = {0};
  numbers.index_vector_dim = 1;
  Value flat =
      build::scatter(OpKind::Add, build::constant(element_of(x), {total}, 0),
                     build::reshape(places, {count, 1}),
                     build::reshape(step.grad(), {count}), numbers);
  return build::reshape(flat, dims_of(x));
}

Grads reduce_window_rule(const Step &step) {
  Windows windows(step);
  Grads grads(step.node.operands().size());
  std::optional<OpKind> op = only_op(step.node.regions()[0]);
  if (step.node.types().size() != 1 || !op || step.wanted[1])
    reject(step);
  const Value &x = step.operand(0);
  if (*op == OpKind::Add) {
    grads[0] = window_sum_grad(step.grad(), windows, dims_of(x));
  } else if (*op == OpKind::Maximum || *op == OpKind::Minimum) {
    grads[0] = window_extreme_grad(step, windows, *op);
    if (!grads[0])
      grads[0] = dilated_extreme_grad(step, windows, *op);
  } else {
    reject(step);
  }
  return grads;
}

/// select_and_scatter adds sources to selected positions. So the gradient of a
/// source is the gradient at its position.
Grads select_and_scatter_rule(const Step &step) {
  const auto &a = step.node.attributes().get<ops::SelectAndScatterAttributes>();
  const Value &x = step.operand(0), &source = step.operand(1);
  size_t rank = dims_of(x).size();
  build::Window window =
      build::plain_window(a.window_dimensions.value_or(Shape(rank, 1)));
  window.strides = a.window_strides.value_or(Shape(rank, 1));
  for (size_t i = 0; i < rank; ++i) {
    auto row = static_cast<int64_t>(i);
    window.low[i] = a.padding ? a.padding->at(row, 0) : 0;
    window.high[i] = a.padding ? a.padding->at(row, 1) : 0;
  }
  const graph::Block &select = step.node.regions()[0];
  if (only_op(step.node.regions()[1]) != OpKind::Add ||
      only_op(select) != OpKind::Compare)
    reject(step);
  auto direction = select.results[0]
                       .node->attributes()
                       .get<ops::CompareAttributes>()
                       .comparison_direction;
  bool greatest = direction == ComparisonDirection::GE ||
                  direction == ComparisonDirection::GT;
  Grads grads(3);
  if (step.wanted[1]) {
    Value places = build::reduce_window_max_index(
        greatest ? x : neg(x), positions(dims_of(x)), window);
    Value flat = build::reshape(step.grad(), {count_of(x)});
    Value at = build::reshape(places, {count_of(places)});
    grads[1] = build::reshape(build::take(flat, at, 0), dims_of(source));
  }
  if (step.wanted[2])
    grads[2] = sum(step.grad(), all_dims(step.grad()));
  return grads;
}

} // namespace

void add_reduction_rules(RuleTable &table) {
  table.set(OpKind::Reduce, reduce_rule);
  table.set(OpKind::ReduceWindow, reduce_window_rule);
  table.set(OpKind::SelectAndScatter, select_and_scatter_rule);
}

} // namespace xlac::autograd
