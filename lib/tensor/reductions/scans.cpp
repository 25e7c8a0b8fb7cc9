// Cumulative sums, products and extrema in log n steps: each step combines
// every element with the one 1, 2, 4, … positions before it. So every step has
// a derivative.
#include "xlac/tensor/reduce_values.h"

#include <cmath>
#include <functional>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

/// A scan's operand, of rank 1 at least.
struct Scan {
  Device device;
  Shape sizes;
  int64_t dim;
  Value value;

  int64_t length() const { return value.tensor().dims[dim]; }
};

Scan prepare_scan(const Tensor &self, int64_t dim, Dtype dtype) {
  const TensorImpl &impl = impl_of(self);
  Scan scan{impl.device(),
            impl.sizes,
            wrap_dim(dim, static_cast<int64_t>(impl.sizes.size())),
            {}};
  scan.value = widen(value_on(self, scan.device, dtype));
  if (impl.sizes.empty())
    scan.value = build::reshape(scan.value, {1});
  return scan;
}

/// Combines each element with all elements before it; `filler` is the identity
/// of `combine`.
Value running(Value value, int64_t dim, const Value &filler,
              const std::function<Value(Value, Value)> &combine) {
  for (int64_t step = 1; step < value.tensor().dims[dim]; step *= 2)
    value = combine(shifted(value, dim, step, filler), value);
  return value;
}

Tensor finish_scan(const Scan &scan, const Value &value, Dtype dtype) {
  Value narrow = build::convert(value, lazy::element_type(dtype));
  return finish(build::reshape(narrow, scan.sizes), scan.device, dtype);
}

Tensor accumulate(const Tensor &self, int64_t dim, std::optional<Dtype> asked,
                  OpKind op, int identity) {
  Dtype dtype = impl_of(self).dtype;
  dtype = asked.value_or(lazy::category(dtype) < 2 ? kInt64 : dtype);
  Scan scan = prepare_scan(self, dim, dtype);
  Value filler = build::constant(scan.value.tensor().element, {}, identity);
  Value result =
      running(scan.value, scan.dim, filler, [&](Value before, Value value) {
        return build::binary(op, before, value);
      });
  return finish_scan(scan, result, dtype);
}

/// Returns the cumulative maximum (or minimum) and its index. Among equal
/// elements the last one is chosen; from the first NaN on, a NaN.
std::tuple<Tensor, Tensor> extremes(const Tensor &self, int64_t dim,
                                    bool greatest) {
  const TensorImpl &impl = impl_of(self);
  reject_complex(impl);
  Scan scan = prepare_scan(self, dim, impl.dtype);
  Value value = scan.value;
  ElementType type = value.tensor().element;
  Value places = build::iota(ElementType::I64, value.tensor().dims, scan.dim);
  Value index = places;
  for (int64_t step = 1; step < scan.length(); step *= 2) {
    Value before = shifted(value, scan.dim, step, build::constant(type, {}, 0));
    Value place = shifted(index, scan.dim, step,
                          build::constant(ElementType::I64, {}, 0));
    Value wins = build::compare(greatest ? ComparisonDirection::GE
                                         : ComparisonDirection::LE,
                                value, before);
    if (is_float(type))
      wins = build::binary(OpKind::Or, wins, is_nan(value));
    Value first = build::compare(ComparisonDirection::LT, places,
                                 constant_like(places, Scalar(step)));
    wins = build::binary(OpKind::Or, wins, first);
    value = build::select(wins, value, before);
    index = build::select(wins, index, place);
  }
  Value narrow = build::convert(value, lazy::element_type(impl.dtype));
  std::vector<Tensor> results = finish_all(
      {build::reshape(narrow, impl.sizes), build::reshape(index, impl.sizes)},
      scan.device, {impl.dtype, kInt64});
  return {results[0], results[1]};
}

/// log(exp(a) + exp(b)), also where both are -infinity.
Value add_logarithms(const Value &a, const Value &b) {
  // Selects instead of taking the maximum, since equal elements would share its
  // derivative, and that derivative would not have one of its own. NaN is
  // selected first.
  Value first =
      build::binary(OpKind::Or, build::compare(ComparisonDirection::GE, a, b),
                    build::compare(ComparisonDirection::NE, a, a));
  Value top = build::select(first, a, b), low = build::select(first, b, a);
  Value size = build::unary(OpKind::Abs, top);
  Value infinite = build::compare(ComparisonDirection::EQ, size,
                                  constant_like(size, INFINITY));
  Value shift = build::select(infinite, constant_like(top, 0), top);
  Value far = build::binary(OpKind::Subtract, low, shift);
  // Where the greater one is infinite, it is the result; this keeps the
  // derivative finite.
  far = build::select(infinite, constant_like(top, 0), far);
  Value more =
      build::unary(OpKind::LogPlusOne, build::unary(OpKind::Exponential, far));
  return build::select(infinite, top, build::binary(OpKind::Add, top, more));
}

/// self[1:] - self[:-1]; for booleans, where they differ.
Value difference(const Value &value, int64_t dim) {
  int64_t length = value.tensor().dims[dim];
  if (length == 0)
    return value;
  Value late = part_of(value, dim, 1, length);
  Value early = part_of(value, dim, 0, length - 1);
  OpKind op =
      is_boolean(value.tensor().element) ? OpKind::Xor : OpKind::Subtract;
  return build::binary(op, late, early);
}

} // namespace

Tensor cumsum(const Tensor &self, int64_t dim, std::optional<Dtype> dtype) {
  XLAC_CALL("cumsum");
  return accumulate(self, dim, dtype, OpKind::Add, 0);
}

Tensor cumprod(const Tensor &self, int64_t dim, std::optional<Dtype> dtype) {
  XLAC_CALL("cumprod");
  return accumulate(self, dim, dtype, OpKind::Multiply, 1);
}

std::tuple<Tensor, Tensor> cummax(const Tensor &self, int64_t dim) {
  XLAC_CALL("cummax");
  return extremes(self, dim, true);
}

std::tuple<Tensor, Tensor> cummin(const Tensor &self, int64_t dim) {
  XLAC_CALL("cummin");
  return extremes(self, dim, false);
}

Tensor logcumsumexp(const Tensor &self, int64_t dim) {
  XLAC_CALL("logcumsumexp");
  Dtype dtype = impl_of(self).dtype;
  expect_floating(dtype);
  Scan scan = prepare_scan(self, dim, dtype);
  Value filler = build::extreme(scan.value.tensor().element, true);
  return finish_scan(
      scan, running(scan.value, scan.dim, filler, add_logarithms), dtype);
}

Tensor diff(const Tensor &self, int64_t n, int64_t dim, const Tensor &prepend,
            const Tensor &append) {
  XLAC_CALL("diff");
  if (impl_of(self).sizes.empty())
    raise<ShapeError>("expects input to be at least one-dimensional");
  if (n < 0)
    raise<ValueError>("order must be non-negative but got " +
                      std::to_string(n));
  std::vector<Tensor> parts;
  for (const Tensor *part : {&prepend, &self, &append})
    if (part->defined())
      parts.push_back(*part);
  Tensor whole = parts.size() == 1 ? self : xlac::cat(parts, dim);
  const TensorImpl &impl = impl_of(whole);
  dim = wrap_dim(dim, static_cast<int64_t>(impl.sizes.size()));
  Value value = value_on(whole, impl.device());
  for (int64_t i = 0; i < n; ++i)
    value = difference(value, dim);
  return finish(value, impl.device(), impl.dtype);
}

} // namespace xlac
