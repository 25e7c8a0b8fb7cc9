// Gradient rules of cumulative ops. The gradient of each is a linear recurrence
// in the opposite direction, and so is that of a linear recurrence. So all
// derivatives take a time linear in the number of elements.
#include "rules.h"

#include "xlac/tensor/composite_names.h"

#include <cmath>

namespace xlac::autograd {

using ops::ComparisonDirection;

namespace {

/// Returns for each position the element before it along `dim`, or the one
/// after it if `reverse`; `filler` where there is none.
Value neighbours(const Value &value, int64_t dim, bool reverse,
                 const Scalar &filler) {
  Shape dims = dims_of(value), none(dims.size(), 0), low = none, high = none;
  Shape starts = none, limits = dims, steps(dims.size(), 1);
  (reverse ? starts[dim] : low[dim]) = 1;
  if (reverse)
    high[dim] = 1;
  else
    --limits[dim];
  return build::pad(build::slice(value, starts, limits, steps),
                    build::constant(element_of(value), {}, filler), low, high,
                    none);
}

/// Returns y with y[i] = a[i] y[i - 1] + b[i], or y[i] = a[i] y[i + 1] + b[i]
/// if `reverse`.
Value recurrence(const Value &a, const Value &b, int64_t dim, bool reverse) {
  auto compose = [&](const std::vector<Value> &left,
                     const std::vector<Value> &right) {
    const std::vector<Value> &inner = reverse ? right : left;
    const std::vector<Value> &outer = reverse ? left : right;
    return std::vector<Value>{mul(outer[0], inner[0]),
                              add(mul(outer[0], inner[1]), outer[1])};
  };
  ElementType type = element_of(a);
  return build::composite(
      frontend::kLinearRecurrenceComposite, dim, reverse, {a, b},
      [&](const std::vector<Value> &operands) {
        std::vector<Value> inits = {build::constant(type, {}, 1),
                                    build::constant(type, {}, 0)};
        return std::vector<Value>{
            build::running_window(operands, inits, dim, reverse, compose)[1]};
      })[0];
}

Grads recurrence_grad(const Step &step, int64_t dim, bool reverse) {
  Value next = neighbours(conj(step.operand(0)), dim, !reverse, 0);
  Value total = recurrence(next, step.grad(), dim, !reverse);
  Value before = neighbours(step.result(), dim, reverse, 0);
  return {mul(total, conj(before)), total};
}

/// With the products y, the gradient of x[i] is y[i - 1] times the sum over
/// j >= i of grad[j] x[i + 1] … x[j]. No division makes zeros special.
Value cumprod_grad(const Step &step, int64_t dim) {
  Value next = neighbours(conj(step.operand(0)), dim, true, 0);
  Value total = recurrence(next, step.grad(), dim, true);
  return mul(total, conj(neighbours(step.result(), dim, false, 1)));
}

/// exp(a - b), also where both are the same infinity.
Value ratio(const Value &a, const Value &b) {
  Value same = compare(ComparisonDirection::EQ, a, b);
  Value difference = build::select(same, number_like(a, 0), sub(a, b));
  return unary(OpKind::Exponential, difference);
}

/// With the results y, the gradient of x[i] is the sum over j >= i of grad[j]
/// exp(x[i] - y[j]). No exponent is positive, since y does not decrease.
Value logcumsumexp_grad(const Step &step, int64_t dim) {
  const Value &x = step.operand(0);
  Value y = step.result();
  Value step_ratio = ratio(neighbours(y, dim, false, -INFINITY), y);
  Value total =
      recurrence(neighbours(step_ratio, dim, true, 0), step.grad(), dim, true);
  return mul(total, ratio(x, y));
}

/// The gradients of all results with one index go to the element there. These
/// results are neighbours, and the element is the first of them.
Value extreme_grad(const Step &step, int64_t dim) {
  Value index = step.result(1), grad = step.grad();
  Value same =
      compare(ComparisonDirection::EQ, index, neighbours(index, dim, true, -1));
  Value total =
      recurrence(build::convert(same, element_of(grad)), grad, dim, true);
  Value places = build::iota(element_of(index), dims_of(index), dim);
  return where(compare(ComparisonDirection::EQ, index, places), total);
}

} // namespace

std::optional<Grads> running_rule(const Step &step, const std::string &name,
                                  int64_t dim, bool reverse) {
  if (name == frontend::kLinearRecurrenceComposite)
    return recurrence_grad(step, dim, reverse);
  if (name == frontend::kCumprodComposite)
    return Grads{cumprod_grad(step, dim)};
  if (name == frontend::kLogcumsumexpComposite)
    return Grads{logcumsumexp_grad(step, dim)};
  if (name == frontend::kCumulativeExtremeComposite)
    return Grads{extreme_grad(step, dim), {}};
  return std::nullopt;
}

} // namespace xlac::autograd
