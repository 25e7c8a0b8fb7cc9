// Matrix multiplication.
#include "xlac/tensor/products.h"
#include "xlac/tensor/reduce_values.h"

#include <algorithm>
#include <numeric>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace frontend {

Factors factors_of(const Tensor &a, const Tensor &b) {
  Device device = common_device({&a, &b});
  Dtype x = impl_of(a).dtype, y = impl_of(b).dtype;
  if (x != y)
    raise<DtypeError>(
        "expected mat1 and mat2 to have the same dtype, but got: " +
        lazy::legacy_name(x) + " != " + lazy::legacy_name(y));
  return {value_on(a, device), value_on(b, device), device, x};
}

static std::string by(const Shape &sizes) {
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < sizes.size(); ++i)
    rows *= sizes[i];
  return std::to_string(rows) + "x" + std::to_string(sizes.back());
}

void reject_product(const Shape &a, const Shape &b) {
  std::string right = b.size() < 2 ? std::to_string(b[0]) + "x1"
                                   : std::to_string(b[b.size() - 2]) + "x" +
                                         std::to_string(b.back());
  raise<ShapeError>("mat1 and mat2 shapes cannot be multiplied (" + by(a) +
                    " and " + right + ")");
}

Shape broadcast_batches(const Shape &a, const Shape &b) {
  Shape result(std::max(a.size(), b.size()) - 2, 1);
  for (size_t i = 0; i < result.size(); ++i) {
    int64_t p = i + 2 < a.size() ? a[a.size() - 3 - i] : 1;
    int64_t q = i + 2 < b.size() ? b[b.size() - 3 - i] : 1;
    if (p != q && p != 1 && q != 1)
      raise<ShapeError>("batch dimensions of " + to_text(a) + " and " +
                        to_text(b) + " do not broadcast");
    result[result.size() - 1 - i] = p == 1 ? q : p;
  }
  return result;
}

Value broadcast_batch(Value value, const Shape &batch) {
  const Shape &dims = value.tensor().dims;
  Shape sizes = batch;
  sizes.push_back(dims[dims.size() - 2]);
  sizes.push_back(dims.back());
  return build::broadcast_to(value, sizes);
}

/// Multiplies operands with equal leading dimensions.
static Value batched_product(const Value &a, const Value &b) {
  auto rank = static_cast<int64_t>(a.tensor().dims.size());
  Shape batch(rank - 2);
  std::iota(batch.begin(), batch.end(), 0);
  return build::dot_general(a, b, batch, batch, {rank - 1}, {rank - 2});
}

/// The dot product of two vectors, as a reduction: its rounding error does not
/// grow linearly with the length, unlike that of a GEMM's accumulation chain.
static Value inner_value(const Value &a, const Value &b) {
  Value products = build::binary(OpKind::Multiply, widen(a), widen(b));
  return build::convert(sum_value(std::move(products), {0}),
                        a.tensor().element);
}

/// True for types whose reductions accumulate in the same type as GEMMs.
static bool sums_pairwise(ElementType type) {
  switch (wide_type(type)) {
  case ElementType::F32:
  case ElementType::F64:
  case ElementType::Complex64:
  case ElementType::Complex128:
    return true;
  default:
    return false;
  }
}

Value matmul_value(const Value &a, const Value &b) {
  const Shape &x = a.tensor().dims, &y = b.tensor().dims;
  if (x.size() == 1 && y.size() == 1 && sums_pairwise(a.tensor().element))
    return inner_value(a, b);
  if (y.size() <= 2) { // one GEMM for any leading dimensions of a
    auto last = static_cast<int64_t>(x.size()) - 1;
    return build::dot_general(a, b, {}, {}, {last}, {0});
  }
  bool vector = x.size() == 1;
  Shape left = vector ? Shape{1, x[0]} : x;
  Shape batch = broadcast_batches(left, y);
  Value product =
      batched_product(broadcast_batch(build::reshape(a, left), batch),
                      broadcast_batch(b, batch));
  if (!vector)
    return product;
  Shape sizes = product.tensor().dims;
  sizes.erase(sizes.end() - 2);
  return build::reshape(product, sizes);
}

Value swap_last(const Value &value) {
  Shape order(value.tensor().dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 2], order.back());
  return build::transpose(value, order);
}

} // namespace frontend

namespace {

void expect_dim(const Tensor &tensor, size_t dim, const char *what) {
  if (impl_of(tensor).sizes.size() != dim)
    raise<ShapeError>(std::string(what) + " must be a " + std::to_string(dim) +
                      "D tensor, got " + to_text(impl_of(tensor).sizes));
}

void expect_vectors(const Tensor &a, const Tensor &b) {
  const Shape &x = impl_of(a).sizes, &y = impl_of(b).sizes;
  if (x.size() != 1 || y.size() != 1)
    raise<ShapeError>("1D tensors expected, but got " +
                      std::to_string(x.size()) + "D and " +
                      std::to_string(y.size()) + "D tensors");
  if (x != y)
    raise<ShapeError>("inconsistent tensor size, expected tensor " +
                      to_text(x) + " and src " + to_text(y) +
                      " to have the same number of elements");
}

void expect_batches(const Tensor &a, const Tensor &b) {
  expect_dim(a, 3, "batch1");
  expect_dim(b, 3, "batch2");
  const Shape &x = impl_of(a).sizes, &y = impl_of(b).sizes;
  if (x[0] != y[0] || x[2] != y[1])
    raise<ShapeError>("Expected size for first two dimensions of batch2 "
                      "tensor to be: " +
                      to_text({x[0], x[2]}) +
                      " but got: " + to_text({y[0], y[1]}));
}

Value conjugate(const Value &value) {
  if (!is_complex(value.tensor().element))
    return value;
  Value imaginary = build::unary(OpKind::Imag, value);
  return build::binary(OpKind::Complex, build::unary(OpKind::Real, value),
                       build::unary(OpKind::Negate, imaginary));
}

bool is_number(const Scalar &scalar, double wanted) {
  return scalar.to<std::complex<double>>() == wanted;
}

/// Returns `value` times a number. Throws unless the number is an integer when
/// the dtype is one.
Value scaled(const Value &value, const Scalar &factor, const char *name,
             Dtype dtype, Device device) {
  if (is_number(factor, 1))
    return value;
  if (lazy::category(lazy::dtype_of_number(factor)) > lazy::category(dtype))
    raise<DtypeError>(std::string("For integral input tensors, argument ") +
                      name + " must not be a floating point number.");
  Value number = number_value(factor, dtype, device);
  return build::binary(OpKind::Multiply, value,
                       build::broadcast_to(number, value.tensor().dims));
}

/// beta · self + alpha · product; self is ignored when beta is 0.
Tensor add_product(const Tensor &self, const Factors &x, const Value &product,
                   const Scalar &beta, const Scalar &alpha) {
  const TensorImpl &impl = impl_of(self);
  if (impl.dtype != x.dtype)
    raise<DtypeError>("self and mat2 must have the same dtype, but got " +
                      lazy::legacy_name(impl.dtype) + " and " +
                      lazy::legacy_name(x.dtype));
  Device device = common_device({&self}).type == kXLA && x.device.type == kCPU
                      ? impl.device()
                      : x.device;
  const Shape &sizes = product.tensor().dims;
  bool fits = impl.sizes.size() <= sizes.size();
  for (size_t i = 0; fits && i < impl.sizes.size(); ++i) {
    int64_t mine = impl.sizes[impl.sizes.size() - 1 - i];
    fits = mine == 1 || mine == sizes[sizes.size() - 1 - i];
  }
  if (!fits)
    raise<ShapeError>("The expanded size of the tensor " + to_text(sizes) +
                      " does not fit the existing size " + to_text(impl.sizes));
  Value total = scaled(product, alpha, "alpha", x.dtype, device);
  if (!is_number(beta, 0)) {
    Value added = build::broadcast_to(value_on(self, device), sizes);
    total = build::binary(OpKind::Add,
                          scaled(added, beta, "beta", x.dtype, device), total);
  }
  return finish(total, device, x.dtype);
}

Factors matrices_of(const Tensor &a, const Tensor &b) {
  const Shape &x = impl_of(a).sizes, &y = impl_of(b).sizes;
  if (x.size() != 2 || y.size() != 2)
    raise<ShapeError>("self and mat2 must be matrices, got " + to_text(x) +
                      " and " + to_text(y));
  if (x[1] != y[0])
    reject_product(x, y);
  return factors_of(a, b);
}

Factors matrix_and_vector(const Tensor &a, const Tensor &b) {
  const Shape &x = impl_of(a).sizes, &y = impl_of(b).sizes;
  if (x.size() != 2 || y.size() != 1)
    raise<ShapeError>("vector + matrix @ vector expected, got " + to_text(x) +
                      " and " + to_text(y));
  if (x[1] != y[0])
    raise<ShapeError>("size mismatch, got input (" + std::to_string(x[0]) +
                      "), mat (" + by(x) + "), vec (" + std::to_string(y[0]) +
                      ")");
  return factors_of(a, b);
}

Value outer_value(const Factors &x) {
  return build::dot_general(x.a, x.b, {}, {}, {}, {});
}

} // namespace

//===- Products -----------------------------------------------------------===//

Tensor mm(const Tensor &self, const Tensor &other) {
  XLAC_CALL("mm");
  Factors x = matrices_of(self, other);
  return finish(matmul_value(x.a, x.b), x.device, x.dtype);
}

Tensor bmm(const Tensor &self, const Tensor &mat2) {
  XLAC_CALL("bmm");
  expect_batches(self, mat2);
  Factors x = factors_of(self, mat2);
  return finish(matmul_value(x.a, x.b), x.device, x.dtype);
}

Tensor matmul(const Tensor &self, const Tensor &other) {
  XLAC_CALL("matmul");
  const Shape a = impl_of(self).sizes, b = impl_of(other).sizes;
  if (a.empty() || b.empty())
    raise<ShapeError>("both arguments to matmul need to be at least 1D, but "
                      "they are " +
                      std::to_string(a.size()) + "D and " +
                      std::to_string(b.size()) + "D");
  int64_t depth = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (a.back() != depth)
    reject_product(a, b);
  Factors x = factors_of(self, other);
  return finish(matmul_value(x.a, x.b), x.device, x.dtype);
}

Tensor mv(const Tensor &self, const Tensor &vec) {
  XLAC_CALL("mv");
  Factors x = matrix_and_vector(self, vec);
  return finish(matmul_value(x.a, x.b), x.device, x.dtype);
}

Tensor dot(const Tensor &self, const Tensor &tensor) {
  XLAC_CALL("dot");
  expect_vectors(self, tensor);
  Factors x = factors_of(self, tensor);
  return finish(matmul_value(x.a, x.b), x.device, x.dtype);
}

Tensor vdot(const Tensor &self, const Tensor &other) {
  XLAC_CALL("vdot");
  expect_vectors(self, other);
  Factors x = factors_of(self, other);
  return finish(matmul_value(conjugate(x.a), x.b), x.device, x.dtype);
}

Tensor outer(const Tensor &self, const Tensor &vec2) {
  XLAC_CALL("outer");
  expect_dim(self, 1, "self");
  expect_dim(vec2, 1, "vec2");
  return xlac::mul(xlac::unsqueeze(self, 1), vec2);
}

Tensor inner(const Tensor &self, const Tensor &other) {
  XLAC_CALL("inner");
  const Shape &a = impl_of(self).sizes, &b = impl_of(other).sizes;
  if (a.empty() || b.empty())
    return xlac::mul(self, other);
  if (a.back() != b.back())
    raise<ShapeError>("the last dimension must match on both input tensors "
                      "but got shapes " +
                      to_text(a) + " and " + to_text(b));
  Factors x = factors_of(self, other);
  Value product =
      build::dot_general(x.a, x.b, {}, {}, {static_cast<int64_t>(a.size()) - 1},
                         {static_cast<int64_t>(b.size()) - 1});
  return finish(product, x.device, x.dtype);
}

Tensor linear(const Tensor &input, const Tensor &weight, const Tensor &bias) {
  XLAC_CALL("linear");
  const Shape &x = impl_of(input).sizes, &w = impl_of(weight).sizes;
  if (w.size() != 2)
    raise<ShapeError>("weight must be a matrix, got " + to_text(w));
  Device device = common_device({&input, &weight, &bias});
  if (x.empty() || x.back() != w[1])
    raise<ShapeError>("mat1 and mat2 shapes cannot be multiplied (" +
                      (x.empty() ? std::string("scalar") : by(x)) + " and " +
                      std::to_string(w[1]) + "x" + std::to_string(w[0]) + ")");
  Factors operands = factors_of(input, weight);
  auto last = static_cast<int64_t>(x.size()) - 1;
  Value product =
      build::dot_general(operands.a, operands.b, {}, {}, {last}, {1});
  if (bias.defined()) {
    if (impl_of(bias).sizes != Shape{w[0]})
      raise<ShapeError>("bias has shape " + to_text(impl_of(bias).sizes) +
                        ", wanted " + to_text({w[0]}));
    Value added = build::broadcast_to(value_on(bias, device, operands.dtype),
                                      product.tensor().dims);
    product = build::binary(OpKind::Add, product, added);
  }
  return finish(product, device, operands.dtype);
}

Tensor bilinear(const Tensor &input1, const Tensor &input2,
                const Tensor &weight, const Tensor &bias) {
  XLAC_CALL("bilinear");
  const Shape a = impl_of(input1).sizes, b = impl_of(input2).sizes;
  expect_dim(weight, 3, "weight");
  const Shape w = impl_of(weight).sizes;
  if (a.empty() || a.size() != b.size() ||
      !std::equal(a.begin(), a.end() - 1, b.begin()))
    raise<ShapeError>("batch dimensions do not match: " + to_text(a) + " and " +
                      to_text(b));
  if (a.back() != w[1] || b.back() != w[2])
    raise<ShapeError>("input sizes " + to_text(a) + " and " + to_text(b) +
                      " do not fit weight " + to_text(w));
  Factors x = factors_of(input1, weight);
  Factors y = factors_of(input2, weight);
  int64_t rows =
      count_along(a, resolve_dims(a, Shape())) / std::max<int64_t>(a.back(), 1);
  Value left = build::reshape(x.a, {rows, a.back()});
  Value right = build::reshape(y.a, {rows, b.back()});
  // First contracts in1 to [rows, out, in2], then in2 with each row of input2.
  Value half = build::dot_general(left, x.b, {}, {}, {1}, {1});
  Value product = build::dot_general(half, right, {0}, {0}, {2}, {1});
  Shape sizes = a;
  sizes.back() = w[0];
  product = build::reshape(product, sizes);
  Device device = common_device({&input1, &input2, &weight, &bias});
  if (bias.defined()) {
    if (impl_of(bias).sizes != Shape{w[0]})
      raise<ShapeError>("bias has shape " + to_text(impl_of(bias).sizes) +
                        ", wanted " + to_text({w[0]}));
    product = build::binary(
        OpKind::Add, product,
        build::broadcast_to(value_on(bias, device, x.dtype), sizes));
  }
  return finish(product, device, x.dtype);
}

//===- Matrix multiplication with an addend -------------------------------===//

Tensor addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2,
             Scalar beta, Scalar alpha) {
  XLAC_CALL("addmm");
  Factors x = matrices_of(mat1, mat2);
  return add_product(self, x, matmul_value(x.a, x.b), beta, alpha);
}

Tensor addmv(const Tensor &self, const Tensor &mat, const Tensor &vec,
             Scalar beta, Scalar alpha) {
  XLAC_CALL("addmv");
  Factors x = matrix_and_vector(mat, vec);
  return add_product(self, x, matmul_value(x.a, x.b), beta, alpha);
}

Tensor addr(const Tensor &self, const Tensor &vec1, const Tensor &vec2,
            Scalar beta, Scalar alpha) {
  XLAC_CALL("addr");
  expect_dim(vec1, 1, "vec1");
  expect_dim(vec2, 1, "vec2");
  Factors x = factors_of(vec1, vec2);
  return add_product(self, x, outer_value(x), beta, alpha);
}

Tensor baddbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2,
               Scalar beta, Scalar alpha) {
  XLAC_CALL("baddbmm");
  expect_batches(batch1, batch2);
  Factors x = factors_of(batch1, batch2);
  return add_product(self, x, matmul_value(x.a, x.b), beta, alpha);
}

Tensor addbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2,
              Scalar beta, Scalar alpha) {
  XLAC_CALL("addbmm");
  expect_batches(batch1, batch2);
  Factors x = factors_of(batch1, batch2);
  Value product = build::dot_general(x.a, x.b, {}, {}, {0, 2}, {0, 1});
  return add_product(self, x, product, beta, alpha);
}

} // namespace xlac
