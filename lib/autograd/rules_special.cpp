// Gradient rules of sorting, matrix ops, Fourier transforms, composites and
// barriers.
#include "rules.h"

#include "xlac/graph/program.h"
#include "xlac/graph/substitute.h"
#include "xlac/tensor/composite_names.h"

#include <algorithm>
#include <cstdlib>

namespace xlac::autograd {

using ops::ComparisonDirection;

namespace {

//===- Sorting ------------------------------------------------------------===//

/// Adds updates[…] to zeros like `shape` at positions `indices` along `dim`.
Value put_along(const Shape &shape, int64_t dim, const Value &indices,
                const Value &updates) {
  // Builds full index vectors [elements, rank] for one scatter.
  const Shape &dims = dims_of(updates);
  auto rank = static_cast<int64_t>(dims.size());
  int64_t count = count_of(updates);
  std::vector<Value> columns;
  for (int64_t i = 0; i < rank; ++i) {
    Value column = i == dim ? build::convert(indices, ElementType::I64)
                            : build::iota(ElementType::I64, dims, i);
    columns.push_back(build::reshape(column, {count, 1}));
  }
  ops::ScatterDimensionNumbers numbers;
  for (int64_t i = 0; i < rank; ++i) {
    numbers.inserted_window_dims.push_back(i);
    numbers.scatter_dims_to_operand_dims.push_back(i);
  }
  numbers.index_vector_dim = 1;
  return build::scatter(OpKind::Add,
                        build::constant(element_of(updates), shape, 0),
                        build::concatenate(std::move(columns), 1),
                        build::reshape(updates, {count}), numbers);
}

/// Sorts again together with the positions, to find where each element came
/// from.
Grads sort_rule(const Step &step) {
  const auto &a = step.node.attributes().get<ops::SortAttributes>();
  const Shape &dims = dims_of(step.operand(0));
  int64_t dim =
      a.dimension < 0 ? a.dimension + rank_of(step.operand(0)) : a.dimension;
  size_t count = step.node.operands().size();
  graph::Block body = step.node.regions()[0];
  Type index(TensorType{ElementType::I64, {}, {}, {}});
  for (int i = 0; i < 2; ++i)
    body.arguments.push_back(Node::make_parameter(index));
  std::vector<Value> operands(step.node.operands().begin(),
                              step.node.operands().end());
  operands.push_back(build::iota(ElementType::I64, dims, dim));
  ops::SortAttributes stable = a;
  stable.is_stable = true;
  graph::NodeRef again =
      build::emit(OpKind::Sort, stable, std::move(operands), {}, {body});
  Value places{again, static_cast<uint32_t>(count)};
  Grads grads(count);
  for (uint32_t i = 0; i < count; ++i)
    if (step.wanted[i] && step.grads[i])
      grads[i] = put_along(dims, dim, places, step.grads[i]);
  return grads;
}

Grads top_k_rule(const Step &step) {
  if (!step.grads[0])
    return {};
  const Shape &dims = dims_of(step.operand(0));
  return {put_along(dims, static_cast<int64_t>(dims.size()) - 1, step.result(1),
                    step.grads[0])};
}

//===- Matrices -----------------------------------------------------------===//

/// Dims 0 … rank - 3.
Shape batch_of(const Value &value) {
  Shape dims = all_dims(value);
  dims.resize(dims.size() - 2);
  return dims;
}

Value product(const Value &a, const Value &b) {
  int64_t rank = rank_of(a);
  return build::dot_general(a, b, batch_of(a), batch_of(b), {rank - 1},
                            {rank - 2});
}

/// Conjugate transpose of the last two dims.
Value adjoint(const Value &value) {
  Shape order = all_dims(value);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return conj(build::transpose(value, order));
}

/// Keeps the elements on and below the diagonal, or on and above it.
Value triangle(const Value &value, bool lower) {
  int64_t rank = rank_of(value);
  Value row = build::iota(ElementType::I64, dims_of(value), rank - 2);
  Value column = build::iota(ElementType::I64, dims_of(value), rank - 1);
  return where(
      compare(lower ? ComparisonDirection::GE : ComparisonDirection::LE, row,
              column),
      value);
}

Value diagonal_mask(const Value &value) {
  int64_t rank = rank_of(value);
  return compare(ComparisonDirection::EQ,
                 build::iota(ElementType::I64, dims_of(value), rank - 2),
                 build::iota(ElementType::I64, dims_of(value), rank - 1));
}

Value solve(const Value &a, const Value &b, bool left, bool lower,
            ops::Transpose transpose, bool unit = false) {
  ops::TriangularSolveAttributes attributes;
  attributes.left_side = left;
  attributes.lower = lower;
  attributes.unit_diagonal = unit;
  attributes.transpose_a = transpose;
  return {build::emit(OpKind::TriangularSolve, attributes, {a, b}), 0};
}

/// Murray, Differentiation of the Cholesky decomposition (2016), section 4.1:
/// L^-H phi(L^H g) L^-1 made Hermitian, where phi keeps the lower triangle with
/// half the diagonal.
Grads cholesky_rule(const Step &step) {
  bool lower = step.node.attributes().get<ops::CholeskyAttributes>().lower;
  Value l = lower ? step.result() : adjoint(step.result());
  Value g = lower ? step.grad() : adjoint(step.grad());
  Value inner = triangle(product(adjoint(l), triangle(g, true)), true);
  inner = build::select(diagonal_mask(inner), mul(inner, 0.5), inner);
  Value left = solve(l, inner, true, true, ops::Transpose::ADJOINT);
  Value both = solve(l, left, false, true, ops::Transpose::NO_TRANSPOSE);
  return {mul(add(both, adjoint(both)), 0.5)};
}

/// Solves op(a) x = b or x op(a) = b.
Grads triangular_solve_rule(const Step &step) {
  const auto &s = step.node.attributes().get<ops::TriangularSolveAttributes>();
  const Value &a = step.operand(0);
  Value x = step.result();
  using ops::Transpose;
  bool plain = s.transpose_a == Transpose::NO_TRANSPOSE;
  // The gradient of b solves with the adjoint of op(a).
  Value source = s.transpose_a == Transpose::TRANSPOSE ? conj(a) : a;
  Value b = solve(source, step.grad(), s.left_side, s.lower,
                  plain ? Transpose::ADJOINT : Transpose::NO_TRANSPOSE,
                  s.unit_diagonal);
  Grads grads{Value(), b};
  if (!step.wanted[0])
    return grads;
  // The gradient of op(a) is -b x^H for left_side, else -x^H b.
  Value of_op =
      neg(s.left_side ? product(b, adjoint(x)) : product(adjoint(x), b));
  Value of_a = of_op;
  if (!plain)
    of_a = s.transpose_a == Transpose::ADJOINT ? adjoint(of_op)
                                               : conj(adjoint(of_op));
  of_a = triangle(of_a, s.lower);
  if (s.unit_diagonal)
    of_a = build::select(diagonal_mask(of_a), number_like(of_a, 0), of_a);
  grads[0] = of_a;
  return grads;
}

//===- Fourier transforms -------------------------------------------------===//

Value fft(const Value &value, ops::FftType type, const Shape &length) {
  ops::FftAttributes attributes;
  attributes.fft_type = type;
  attributes.fft_length = length;
  return {build::emit(OpKind::Fft, attributes, {value}), 0};
}

int64_t product_of(const Shape &length) {
  int64_t total = 1;
  for (int64_t size : length)
    total *= size;
  return total;
}

/// 1 where an element of a half spectrum stands only for itself, 2 where also
/// for its mirror image.
Value half_weights(const Value &half, int64_t full) {
  Value place = build::iota(ElementType::I64, dims_of(half), rank_of(half) - 1);
  Value edge = compare(ComparisonDirection::EQ, place, number_like(place, 0));
  if (full % 2 == 0)
    edge = binary(
        OpKind::Or, edge,
        compare(ComparisonDirection::EQ, place,
                number_like(place, Scalar(static_cast<long>(full / 2)))));
  return build::select(edge, number_like(half, 1), number_like(half, 2));
}

Grads fft_rule(const Step &step) {
  const auto &a = step.node.attributes().get<ops::FftAttributes>();
  const Shape &length = a.fft_length;
  auto total = static_cast<double>(product_of(length));
  const Value &g = step.grad();
  switch (a.fft_type) {
  case ops::FftType::FFT:
    return {mul(fft(g, ops::FftType::IFFT, length), total)};
  case ops::FftType::IFFT:
    return {mul(fft(g, ops::FftType::FFT, length), 1 / total)};
  case ops::FftType::RFFT: {
    // After zero padding to the full spectrum, the transpose is the real part
    // of an inverse transform.
    Shape high(dims_of(g).size(), 0);
    high.back() = length.back() - dims_of(g).back();
    Shape none(high.size(), 0);
    Value whole =
        build::pad(g, build::constant(element_of(g), {}, 0), none, high, none);
    return {mul(unary(OpKind::Real, fft(whole, ops::FftType::IFFT, length)),
                total)};
  }
  case ops::FftType::IRFFT: {
    Value half = fft(g, ops::FftType::RFFT, length);
    return {mul(mul(half, half_weights(half, length.back())), 1 / total)};
  }
  }
  return {};
}

//===- Composites and barriers --------------------------------------------===//

Grads optimization_barrier_rule(const Step &step) {
  std::vector<Value> flowing;
  for (const Value &grad : step.grads)
    if (grad)
      flowing.push_back(grad);
  graph::NodeRef barrier =
      build::emit(OpKind::OptimizationBarrier, {}, std::move(flowing));
  Grads grads(step.grads.size());
  uint32_t next = 0;
  for (size_t i = 0; i < grads.size(); ++i)
    if (step.grads[i])
      grads[i] = {barrier, next++};
  return grads;
}

/// Parses "{dim = 1 : i64}" to 1.
int64_t dim_of(const ops::CompositeAttributes &composite) {
  const std::string &text = composite.composite_attributes.text;
  size_t at = text.find("dim = ");
  return at == std::string::npos ? 0 : std::atoll(text.c_str() + at + 6);
}

Value keep_sum(const Value &value, int64_t dim) {
  return broadcast_along(sum(value, {dim}), dims_of(value), {dim});
}

/// Softmax and log-softmax have rules in terms of their results. The
/// gradient-scaling composite multiplies the gradient by its second operand.
/// Cumulative ops have rules of their own. Other composites are differentiated
/// through their decomposition.
Grads composite_rule(const Step &step) {
  const auto &a = step.node.attributes().get<ops::CompositeAttributes>();
  if (a.name == frontend::kSoftmaxComposite) {
    Value weighted = mul(step.grad(), step.result());
    Value total = keep_sum(weighted, dim_of(a));
    return {sub(weighted, mul(step.result(), total))};
  }
  if (a.name == frontend::kLogSoftmaxComposite) {
    Value share = unary(OpKind::Exponential, step.result());
    Value total = keep_sum(step.grad(), dim_of(a));
    return {sub(step.grad(), mul(share, total))};
  }
  if (a.name == frontend::kScaleGradientComposite)
    return {mul(step.grad(), step.operand(1)), {}};
  bool reverse =
      a.composite_attributes.text.find("reverse = true") != std::string::npos;
  if (auto grads = running_rule(step, a.name, dim_of(a), reverse))
    return *grads;
  const graph::Function &function = *step.node.callees()[0];
  graph::Replacements arguments;
  for (size_t i = 0; i < step.node.operands().size(); ++i)
    arguments.emplace(Value{function.body.arguments[i], 0}, step.operand(i));
  std::vector<Value> inlined =
      graph::substitute(function.body.results, std::move(arguments));
  std::vector<Value> operands(step.node.operands().begin(),
                              step.node.operands().end());
  return differentiate(inlined, step.grads, operands, step.wanted);
}

} // namespace

void add_special_rules(RuleTable &table) {
  table.set(OpKind::Cholesky, cholesky_rule);
  table.set(OpKind::ChloTopK, top_k_rule);
  table.set(OpKind::Composite, composite_rule);
  table.set(OpKind::Fft, fft_rule);
  table.set(OpKind::OptimizationBarrier, optimization_barrier_rule);
  table.set(OpKind::Sort, sort_rule);
  table.set(OpKind::TriangularSolve, triangular_solve_rule);
}

} // namespace xlac::autograd
