#include "xlac/tensor/formulas.h"

#include "xlac/tensor/composite_names.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xlac::frontend {

using ops::ComparisonDirection;

const Shape &sizes_of(const Value &value) { return value.tensor().dims; }

Shape joint_shape(const Shape &a, const Shape &b) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < result.size(); ++i) {
    int64_t p = i < a.size() ? a[a.size() - 1 - i] : 1;
    int64_t q = i < b.size() ? b[b.size() - 1 - i] : 1;
    result[result.size() - 1 - i] = p == 1 ? q : p;
  }
  return result;
}

//===- Elementwise --------------------------------------------------------===//

static Value joined(OpKind op, const Value &a, const Value &b) {
  Shape sizes = joint_shape(sizes_of(a), sizes_of(b));
  return build::binary(op, build::broadcast_to(a, sizes),
                       build::broadcast_to(b, sizes));
}

Value fill_like(const Value &value, const Scalar &number) {
  return build::constant(value.tensor().element, sizes_of(value), number);
}

Value operator+(const Value &a, const Value &b) {
  return joined(OpKind::Add, a, b);
}
Value operator-(const Value &a, const Value &b) {
  return joined(OpKind::Subtract, a, b);
}
Value operator*(const Value &a, const Value &b) {
  return joined(OpKind::Multiply, a, b);
}
Value operator/(const Value &a, const Value &b) {
  return joined(OpKind::Divide, a, b);
}
Value operator+(const Value &a, double b) { return a + fill_like(a, b); }
Value operator-(const Value &a, double b) { return a - fill_like(a, b); }
Value operator*(const Value &a, double b) { return a * fill_like(a, b); }
Value operator/(const Value &a, double b) { return a / fill_like(a, b); }
Value operator-(double a, const Value &b) { return fill_like(b, a) - b; }
Value operator-(const Value &a) { return build::unary(OpKind::Negate, a); }

Scalar lowest(ElementType type) {
  if (is_float(type))
    return -INFINITY;
  if (is_unsigned_integer(type) || is_boolean(type))
    return 0;
  return bit_width(type) == 64 ? Scalar(long{INT64_MIN})
                               : Scalar(-(long{1} << (bit_width(type) - 1)));
}

Value exp_of(const Value &value) {
  return build::unary(OpKind::Exponential, value);
}
Value log_of(const Value &value) { return build::unary(OpKind::Log, value); }
Value sqrt_of(const Value &value) { return build::unary(OpKind::Sqrt, value); }
Value rsqrt_of(const Value &value) {
  return build::unary(OpKind::Rsqrt, value);
}
Value tanh_of(const Value &value) { return build::unary(OpKind::Tanh, value); }
Value logistic_of(const Value &value) {
  return build::unary(OpKind::Logistic, value);
}
Value abs_of(const Value &value) { return build::unary(OpKind::Abs, value); }

Value relu_of(const Value &value) {
  Value zero = fill_like(value, 0);
  // NaN fails the comparison and is kept.
  return build::select(build::compare(ComparisonDirection::LE, value, zero),
                       zero, value);
}

Value softplus_of(const Value &value) {
  // Above 40 the result is the value itself in every dtype, and exp would
  // overflow. The formula is smooth at 0, where the second derivative is 1/4.
  Value large = compared(ComparisonDirection::GT, value, 40.0);
  Value small = build::select(large, fill_like(value, 0), value);
  return build::select(large, value,
                       build::unary(OpKind::LogPlusOne, exp_of(small)));
}

Value held(const Value &value) {
  ElementType type = value.tensor().element;
  ElementType bits = byte_size(type) == 2   ? ElementType::I16
                     : byte_size(type) == 4 ? ElementType::I32
                                            : ElementType::I64;
  // A bitcast to integers passes no gradient.
  return is_float(type)
             ? build::bitcast_convert(build::bitcast_convert(value, bits), type)
             : value;
}

Value with_slope(const Value &value, const Value &slope) {
  return build::composite(
      kScaleGradientComposite, 0, {value, slope},
      [](const std::vector<Value> &arguments) { return arguments[0]; });
}

Value compared(ComparisonDirection direction, const Value &a, const Value &b) {
  Shape sizes = joint_shape(sizes_of(a), sizes_of(b));
  return build::compare(direction, build::broadcast_to(a, sizes),
                        build::broadcast_to(b, sizes));
}

Value compared(ComparisonDirection direction, const Value &a, const Scalar &b) {
  return build::compare(direction, a, fill_like(a, b));
}

Value chosen(const Value &predicate, const Value &on_true,
             const Value &on_false) {
  Shape sizes = joint_shape(sizes_of(predicate),
                            joint_shape(sizes_of(on_true), sizes_of(on_false)));
  return build::select(build::broadcast_to(predicate, sizes),
                       build::broadcast_to(on_true, sizes),
                       build::broadcast_to(on_false, sizes));
}

Value widened(const Value &value) {
  ElementType type = value.tensor().element;
  bool narrow = type == ElementType::F16 || type == ElementType::BF16;
  return narrow ? build::convert(value, ElementType::F32) : value;
}

//===- Reductions ---------------------------------------------------------===//

static Value kept(const Value &reduced, const Shape &before, const Shape &dims,
                  bool keepdim) {
  if (!keepdim)
    return reduced;
  Shape sizes = before;
  for (int64_t dim : dims)
    sizes[dim] = 1;
  return build::reshape(reduced, sizes);
}

Value sum_of(const Value &value, const Shape &dims, bool keepdim) {
  Value wide = widened(value);
  Value zero = build::constant(wide.tensor().element, {}, 0);
  Value total = build::reduce(OpKind::Add, wide, zero, dims);
  return kept(build::convert(total, value.tensor().element), sizes_of(value),
              dims, keepdim);
}

Value sum_of(const Value &value) {
  Shape dims(sizes_of(value).size());
  std::iota(dims.begin(), dims.end(), 0);
  return sum_of(value, dims);
}

Value mean_of(const Value &value, const Shape &dims, bool keepdim) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= sizes_of(value)[dim];
  Value mean =
      sum_of(widened(value), dims, keepdim) / static_cast<double>(count);
  return build::convert(mean, value.tensor().element);
}

Value max_of(const Value &value, const Shape &dims, bool keepdim) {
  ElementType type = value.tensor().element;
  Value low = build::constant(type, {}, lowest(type));
  return kept(build::reduce(OpKind::Maximum, value, low, dims), sizes_of(value),
              dims, keepdim);
}

Value softmax_of(const Value &value, int64_t dim) {
  Value powers = exp_of(value - max_of(value, {dim}, true));
  return powers / sum_of(powers, {dim}, true);
}

Value log_softmax_of(const Value &value, int64_t dim) {
  Value shifted = value - max_of(value, {dim}, true);
  return shifted - log_of(sum_of(exp_of(shifted), {dim}, true));
}

//===- Products -----------------------------------------------------------===//

Value batched_matmul(const Value &lhs, const Value &rhs, bool transposed) {
  auto rank = static_cast<int64_t>(sizes_of(lhs).size());
  Shape batch(rank - 2);
  std::iota(batch.begin(), batch.end(), 0);
  return build::dot_general(lhs, rhs, batch, batch, {rank - 1},
                            {transposed ? rank - 1 : rank - 2});
}

Value linear_of(const Value &value, const Value &weight) {
  auto last = static_cast<int64_t>(sizes_of(value).size()) - 1;
  return build::dot_general(value, weight, {}, {}, {last}, {1});
}

//===- Movement -----------------------------------------------------------===//

Value sliced(const Value &value, int64_t dim, int64_t start, int64_t limit,
             int64_t step) {
  Shape starts(sizes_of(value).size(), 0), limits = sizes_of(value);
  Shape steps(starts.size(), 1);
  starts[dim] = start;
  limits[dim] = limit;
  steps[dim] = step;
  return build::slice(value, starts, limits, steps);
}

Value swapped(const Value &value, int64_t a, int64_t b) {
  Shape order(sizes_of(value).size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[a], order[b]);
  return build::transpose(value, order);
}

Value constant_list(const std::vector<double> &numbers, ElementType type) {
  const auto *begin = reinterpret_cast<const std::byte *>(numbers.data());
  TensorType list{
      ElementType::F64, {static_cast<int64_t>(numbers.size())}, {}, {}};
  auto elements = ops::DenseElements::make(
      list, {begin, begin + numbers.size() * sizeof(double)});
  graph::NodeRef node = build::emit(
      OpKind::Constant, ops::ConstantAttributes{elements}, {}, {Type(list)});
  return build::convert({node, 0}, type);
}

Value numbered(const Shape &sizes) {
  Value flat = build::iota(ElementType::I64, {count_of(sizes)}, 0);
  return build::reshape(flat, sizes);
}

Value along(const Value &value, int64_t dim, size_t rank) {
  Shape sizes(rank, 1);
  sizes[dim] = sizes_of(value)[0];
  return build::reshape(value, sizes);
}

//===- Settings -----------------------------------------------------------===//

Value Setting::of(const Tensor &tensor) const {
  return value_on(tensor, device, wide);
}

Value Setting::number(double number) const {
  return number_value(number, wide, device);
}

Tensor Setting::finish(const Value &value) const {
  return frontend::finish(build::convert(value, lazy::element_type(dtype)),
                          device, dtype);
}

Setting setting_of(std::initializer_list<const Tensor *> tensors) {
  Device device = common_device(tensors);
  lazy::ResultType type;
  for (const Tensor *tensor : tensors)
    if (tensor->defined())
      type.add(impl_of(*tensor).dtype, !impl_of(*tensor).sizes.empty());
  Dtype dtype = type.get();
  if (!is_floating_point(dtype))
    raise<DtypeError>("expected floating point tensors, got torch." +
                      std::string(name(dtype)));
  bool half = dtype == kFloat16 || dtype == kBFloat16;
  return {device, half ? kFloat32 : dtype, dtype};
}

//===- Arguments ----------------------------------------------------------===//

int64_t count_of(const Shape &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1},
                         std::multiplies<>());
}

Shape size_per_dim(IntArrayRef given, size_t n, const char *what) {
  Shape list(given.begin(), given.end());
  if (list.size() == 1)
    list.resize(n, list[0]);
  if (list.size() != n)
    raise<ValueError>(std::string(what) + " must be one integer or " +
                      std::to_string(n) + ", got " + to_text(list));
  return list;
}

Shape window_per_dim(IntArrayRef given, size_t n, const char *what) {
  constexpr int64_t most = int64_t(1) << 31;
  Shape list = size_per_dim(given, n, what);
  for (int64_t number : list)
    if (number > most || number < -most)
      raise<ShapeError>(std::string(what) + " has " + std::to_string(number) +
                        ", which is beyond 2^31");
  return list;
}

void require_floating(const Tensor &tensor) {
  if (!is_floating_point(impl_of(tensor).dtype))
    raise<DtypeError>("expected a floating point tensor, got torch." +
                      std::string(name(impl_of(tensor).dtype)));
}

void require_same_dtype(const Tensor &a, const Tensor &b) {
  if (impl_of(a).dtype != impl_of(b).dtype)
    raise<DtypeError>("expected both tensors to have the same dtype, got " +
                      lazy::legacy_name(impl_of(a).dtype) + " and " +
                      lazy::legacy_name(impl_of(b).dtype));
}

} // namespace xlac::frontend
