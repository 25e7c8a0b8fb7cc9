// Cumulative sums, products and extrema, each as one window that grows from
// element to element.
#include "xlac/tensor/composite_names.h"
#include "xlac/tensor/reduce_values.h"

#include <cmath>

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

/// Combines each element with all elements before it, as the composite `name`.
std::vector<Value> running(const char *name, const Scan &scan,
                           std::vector<Value> operands,
                           const std::vector<Scalar> &inits,
                           const build::Combine &combine) {
  if (scan.length() <= 1)
    return operands;
  return build::composite(name, scan.dim, false, std::move(operands),
                          [&](const std::vector<Value> &arguments) {
                            std::vector<Value> starts;
                            for (size_t i = 0; i < inits.size(); ++i)
                              starts.push_back(build::constant(
                                  arguments[i].tensor().element, {}, inits[i]));
                            return build::running_window(
                                arguments, starts, scan.dim, false, combine);
                          });
}

Tensor finish_scan(const Scan &scan, const Value &value, Dtype dtype) {
  Value narrow = build::convert(value, lazy::element_type(dtype));
  return finish(build::reshape(narrow, scan.sizes), scan.device, dtype);
}

/// Returns the operand of a cumulative sum or product in `asked`; integers and
/// booleans accumulate in i64.
std::pair<Scan, Dtype> prepare_accumulation(const Tensor &self, int64_t dim,
                                            std::optional<Dtype> asked) {
  Dtype dtype = impl_of(self).dtype;
  dtype = asked.value_or(lazy::category(dtype) < 2 ? kInt64 : dtype);
  return {prepare_scan(self, dim, dtype), dtype};
}

/// Returns the cumulative maximum (or minimum) and its index. Among equal
/// elements the last one is chosen; from the first NaN on, a NaN.
std::tuple<Tensor, Tensor> extremes(const Tensor &self, int64_t dim,
                                    bool greatest) {
  const TensorImpl &impl = impl_of(self);
  reject_complex(impl);
  Scan scan = prepare_scan(self, dim, impl.dtype);
  ElementType type = scan.value.tensor().element;
  Value places =
      build::iota(ElementType::I64, scan.value.tensor().dims, scan.dim);
  std::vector<Value> found = {scan.value, places};
  if (scan.length() > 1)
    found = build::composite(
        kCumulativeExtremeComposite, scan.dim, false, found,
        [&](const std::vector<Value> &operands) {
          std::vector<Value> inits = {
              build::extreme(type, greatest),
              build::constant(ElementType::I64, {}, Scalar(-1))};
          return build::running_window(
              operands, inits, scan.dim, false,
              [&](const std::vector<Value> &before,
                  const std::vector<Value> &value) {
                Value wins = build::compare(greatest ? ComparisonDirection::GE
                                                     : ComparisonDirection::LE,
                                            value[0], before[0]);
                if (is_float(type))
                  wins = build::binary(OpKind::Or, wins, is_nan(value[0]));
                return std::vector<Value>{
                    build::select(wins, value[0], before[0]),
                    build::select(wins, value[1], before[1])};
              });
        });
  Value narrow = build::convert(found[0], lazy::element_type(impl.dtype));
  std::vector<Tensor> results =
      finish_all({build::reshape(narrow, impl.sizes),
                  build::reshape(found[1], impl.sizes)},
                 scan.device, {impl.dtype, kInt64});
  return {results[0], results[1]};
}

/// log(exp(a) + exp(b)), also where both are infinite. NaN propagates.
Value add_logarithms(const Value &a, const Value &b) {
  Value first =
      build::binary(OpKind::Or, build::compare(ComparisonDirection::GE, a, b),
                    build::compare(ComparisonDirection::NE, a, a));
  Value top = build::select(first, a, b), low = build::select(first, b, a);
  Value far = build::binary(OpKind::Subtract, low, top);
  Value more =
      build::unary(OpKind::LogPlusOne, build::unary(OpKind::Exponential, far));
  Value infinite =
      build::compare(ComparisonDirection::EQ, build::unary(OpKind::Abs, top),
                     constant_like(top, INFINITY));
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
  auto [scan, result] = prepare_accumulation(self, dim, dtype);
  if (scan.length() <= 1)
    return finish_scan(scan, scan.value, result);
  Value zero = build::constant(scan.value.tensor().element, {}, 0);
  return finish_scan(
      scan,
      build::running_window(
          {scan.value}, {zero}, scan.dim, false,
          [](const std::vector<Value> &a, const std::vector<Value> &b) {
            return std::vector<Value>{build::binary(OpKind::Add, a[0], b[0])};
          })[0],
      result);
}

Tensor cumprod(const Tensor &self, int64_t dim, std::optional<Dtype> dtype) {
  XLAC_CALL("cumprod");
  auto [scan, result] = prepare_accumulation(self, dim, dtype);
  std::vector<Value> products = running(
      kCumprodComposite, scan, {scan.value}, {1},
      [](const std::vector<Value> &a, const std::vector<Value> &b) {
        return std::vector<Value>{build::binary(OpKind::Multiply, a[0], b[0])};
      });
  return finish_scan(scan, products[0], result);
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
  std::vector<Value> sums =
      running(kLogcumsumexpComposite, scan, {scan.value}, {-INFINITY},
              [](const std::vector<Value> &a, const std::vector<Value> &b) {
                return std::vector<Value>{add_logarithms(a[0], b[0])};
              });
  return finish_scan(scan, sums[0], dtype);
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
