// Factorizations of matrices, and functions that use them.
#include "reductions/statistics.h"
#include "xlac/library/call_targets.h"
#include "xlac/tensor/matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

double epsilon_of(Dtype dtype) {
  return real_dtype(dtype) == kFloat64 ? std::numeric_limits<double>::epsilon()
                                       : std::numeric_limits<float>::epsilon();
}

/// Returns the bound at or below which singular values count as 0: the greater
/// of atol and rtol times the greatest singular value.
Value tolerance(const Value &values, const Matrices &a,
                std::optional<double> atol, std::optional<double> rtol) {
  double relative = rtol.value_or(
      atol && *atol > 0 ? 0.0
                        : epsilon_of(a.dtype) *
                              static_cast<double>(std::max(a.rows, a.columns)));
  auto last = static_cast<int64_t>(a.batch.size());
  Value top = max_value(build::unary(OpKind::Abs, values), {last});
  Value scaled =
      build::binary(OpKind::Multiply, top, constant_like(top, relative));
  Value bound = build::binary(OpKind::Maximum, scaled,
                              constant_like(scaled, atol.value_or(0.0)));
  return broadcast_along(bound, values.tensor().dims, last);
}

/// 1 / value where it exceeds the bound, else 0.
Value inverse_above(const Value &values, const Value &bound) {
  Value kept = build::compare(ComparisonDirection::GT,
                              build::unary(OpKind::Abs, values), bound);
  Value safe = build::select(kept, values, constant_like(values, 1));
  Value inverse = build::binary(OpKind::Divide, constant_like(safe, 1), safe);
  return build::select(kept, inverse, constant_like(inverse, 0));
}

Value pinv_value(const Matrices &a, std::optional<double> atol,
                 std::optional<double> rtol, bool hermitian) {
  if (hermitian) {
    Spectrum s = eigh_of(a, true);
    Value inverse = inverse_above(s.values, tolerance(s.values, a, atol, rtol));
    return matmul_value(scale_columns(s.vectors, inverse),
                        adjoint_value(s.vectors));
  }
  Svd svd = svd_of(a, false);
  Value inverse =
      inverse_above(svd.values, tolerance(svd.values, a, atol, rtol));
  return matmul_value(scale_columns(adjoint_value(svd.vh), inverse),
                      adjoint_value(svd.u));
}

/// Returns the singular values without vectors.
Value singular_values(const Matrices &a) {
  return build::custom_call(library::kSvdTarget, "", {a.value},
                            {a.real_type({std::min(a.rows, a.columns)})})[0];
}

bool is_lower(const std::string &uplo) {
  if (uplo != "L" && uplo != "U")
    raise<ValueError>("Expected UPLO argument to be 'L' or 'U', but got " +
                      uplo);
  return uplo == "L";
}

} // namespace

//===- Factorizations -----------------------------------------------------===//

std::tuple<Tensor, Tensor> linalg::qr(const Tensor &A,
                                      const std::string &mode) {
  XLAC_CALL("linalg.qr");
  if (mode != "reduced" && mode != "complete" && mode != "r")
    raise<ValueError>("mode must be one of reduced, complete or r, but got " +
                      mode);
  Matrices a = matrices_of(A, common_device({&A}));
  int64_t inner = mode == "complete" ? a.rows : std::min(a.rows, a.columns);
  std::vector<Value> made =
      build::custom_call(library::kQrTarget, "", {a.value},
                         {a.type({a.rows, inner}), a.type({inner, a.columns})});
  if (mode == "r")
    return {xlac::zeros({0}, TensorOptions(a.dtype).device(a.device)),
            finish(made[1], a.device, a.dtype)};
  std::vector<Tensor> results = finish_all(made, a.device, {a.dtype, a.dtype});
  return {results[0], results[1]};
}

std::tuple<Tensor, Tensor, Tensor> linalg::svd(const Tensor &A,
                                               bool full_matrices) {
  XLAC_CALL("linalg.svd");
  Matrices a = matrices_of(A, common_device({&A}));
  Svd svd = svd_of(a, full_matrices);
  std::vector<Tensor> results =
      finish_all({svd.u, svd.values, svd.vh}, a.device,
                 {a.dtype, real_dtype(a.dtype), a.dtype});
  return {results[0], results[1], results[2]};
}

Tensor linalg::svdvals(const Tensor &A) {
  XLAC_CALL("linalg.svdvals");
  Matrices a = matrices_of(A, common_device({&A}));
  return finish(singular_values(a), a.device, real_dtype(a.dtype));
}

std::tuple<Tensor, Tensor> linalg::eigh(const Tensor &A,
                                        const std::string &UPLO) {
  XLAC_CALL("linalg.eigh");
  Matrices a = squares_of(A, common_device({&A}));
  Spectrum s = eigh_of(a, is_lower(UPLO));
  std::vector<Tensor> results = finish_all({s.values, s.vectors}, a.device,
                                           {real_dtype(a.dtype), a.dtype});
  return {results[0], results[1]};
}

Tensor linalg::eigvalsh(const Tensor &A, const std::string &UPLO) {
  XLAC_CALL("linalg.eigvalsh");
  Matrices a = squares_of(A, common_device({&A}));
  return finish(eigh_of(a, is_lower(UPLO)).values, a.device,
                real_dtype(a.dtype));
}

std::tuple<Tensor, Tensor> linalg::eig(const Tensor &A) {
  XLAC_CALL("linalg.eig");
  Matrices a = squares_of(A, common_device({&A}));
  Dtype dtype = real_dtype(a.dtype) == kFloat64 ? kComplex128 : kComplex64;
  ElementType type = lazy::element_type(dtype);
  std::vector<Value> made =
      build::custom_call(library::kEigTarget, "", {a.value},
                         {TensorType{type, a.sizes({a.rows}), {}, {}},
                          TensorType{type, a.sizes({a.rows, a.rows}), {}, {}}});
  std::vector<Tensor> results = finish_all(made, a.device, {dtype, dtype});
  return {results[0], results[1]};
}

std::tuple<Tensor, Tensor, Tensor> linalg::lu(const Tensor &A, bool pivot) {
  XLAC_CALL("linalg.lu");
  if (!pivot)
    raise<ValueError>("LU without pivoting is not implemented on the CPU");
  Matrices a = matrices_of(A, common_device({&A}));
  Lu lu = lu_of(a);
  ElementType type = a.value.tensor().element;
  auto last = static_cast<int64_t>(a.batch.size());
  int64_t inner = std::min(a.rows, a.columns);
  Value left = part_of(lu.factors, last + 1, 0, inner);
  Value l = build::binary(OpKind::Add, keep_triangle(left, true, -1),
                          identity(type, left.tensor().dims));
  Value u = keep_triangle(part_of(lu.factors, last, 0, inner), false);
  // Row i of L U is row permutation[i] of A, so that row of P has its 1 in
  // column i.
  Shape square = a.sizes({a.rows, a.rows});
  Value chosen = broadcast_along(lu.permutation, square, last);
  Value row = build::iota(ElementType::I64, square, last);
  Value p = build::convert(build::compare(ComparisonDirection::EQ, chosen, row),
                           type);
  std::vector<Tensor> results =
      finish_all({p, l, u}, a.device, {a.dtype, a.dtype, a.dtype});
  return {results[0], results[1], results[2]};
}

//===- Functions of factorizations ----------------------------------------===//

Tensor linalg::pinv(const Tensor &A, std::optional<double> atol,
                    std::optional<double> rtol, bool hermitian) {
  XLAC_CALL("linalg.pinv");
  Device device = common_device({&A});
  Matrices a = hermitian ? squares_of(A, device) : matrices_of(A, device);
  if (a.rows == 0 || a.columns == 0)
    return finish(swap_last(a.value), a.device, a.dtype);
  return finish(pinv_value(a, atol, rtol, hermitian), a.device, a.dtype);
}

Tensor linalg::matrix_rank(const Tensor &A, std::optional<double> atol,
                           std::optional<double> rtol, bool hermitian) {
  XLAC_CALL("linalg.matrix_rank");
  Device device = common_device({&A});
  Matrices a = hermitian ? squares_of(A, device) : matrices_of(A, device);
  if (a.rows == 0 || a.columns == 0)
    return xlac::zeros(a.batch, TensorOptions(kInt64).device(a.device));
  Value values = hermitian ? build::unary(OpKind::Abs, eigh_of(a, true).values)
                           : singular_values(a);
  Value above = build::compare(ComparisonDirection::GT, values,
                               tolerance(values, a, atol, rtol));
  Value rank = sum_value(build::convert(above, ElementType::I64),
                         {static_cast<int64_t>(a.batch.size())});
  return finish(rank, a.device, kInt64);
}

std::tuple<Tensor, Tensor, Tensor, Tensor>
linalg::lstsq(const Tensor &self, const Tensor &B, std::optional<double> rcond,
              std::optional<std::string> driver) {
  XLAC_CALL("linalg.lstsq");
  std::string how = driver.value_or("gelsy");
  if (how != "gelsy" && how != "gels" && how != "gelsd" && how != "gelss")
    raise<ValueError>("parameter `driver` should be one of (gels, gelsy, "
                      "gelsd, gelss), but got " +
                      how);
  Device device = common_device({&self, &B});
  Matrices a = matrices_of(self, device);
  const Shape &x = impl_of(self).sizes, &y = impl_of(B).sizes;
  bool vector = y.size() + 1 == x.size();
  Tensor right = vector ? xlac::unsqueeze(B, -1) : B;
  const Shape sizes = impl_of(right).sizes;
  if (sizes.size() < 2 || sizes[sizes.size() - 2] != a.rows)
    raise<ShapeError>("input.size(-2) should match other.size(-2), got " +
                      to_text(x) + " and " + to_text(y));
  if (impl_of(B).dtype != a.dtype)
    raise<DtypeError>("Expected input and other to have the same dtype, but "
                      "got " +
                      lazy::legacy_name(a.dtype) + " and " +
                      lazy::legacy_name(impl_of(B).dtype));
  Tensor inverse = linalg::pinv(self, {}, rcond);
  Tensor solution = xlac::matmul(inverse, right);
  TensorOptions real = TensorOptions(real_dtype(a.dtype)).device(device);
  Tensor residuals = xlac::zeros({0}, real);
  if (a.rows > a.columns && how != "gelsy") {
    Tensor distance = xlac::sub(xlac::matmul(self, solution), right);
    auto rank = static_cast<int64_t>(impl_of(distance).sizes.size());
    residuals = norm_of(distance, 2, rank - 2, false, a.dtype);
    residuals = xlac::mul(residuals, residuals);
  }
  Tensor rank = how == "gels"
                    ? xlac::zeros({0}, TensorOptions(kInt64).device(device))
                    : linalg::matrix_rank(self, {}, rcond);
  bool by_values = how == "gelsd" || how == "gelss";
  return {vector ? xlac::squeeze(solution, -1) : solution, residuals, rank,
          by_values ? linalg::svdvals(self) : xlac::zeros({0}, real)};
}

Tensor linalg::matrix_exp(const Tensor &A) {
  XLAC_CALL("linalg.matrix_exp");
  Matrices a = squares_of(A, common_device({&A}));
  if (a.rows == 0)
    return A.clone();
  ElementType type = a.value.tensor().element;
  const Shape sizes = a.value.tensor().dims;
  auto last = static_cast<int64_t>(a.batch.size());
  // Scaled by 2^-s to a norm below 1/2, where 12 terms of the series leave less
  // than one ulp of double; then squared s times.
  Value size =
      max_value(sum_value(build::unary(OpKind::Abs, a.value), {last}), {last});
  size = build::binary(OpKind::Maximum, size, constant_like(size, 0.25));
  Value steps = build::unary(OpKind::Ceil,
                             build::binary(OpKind::Divide,
                                           build::unary(OpKind::Log, size),
                                           constant_like(size, std::log(2.0))));
  steps =
      build::binary(OpKind::Maximum,
                    build::binary(OpKind::Add, steps, constant_like(steps, 1)),
                    constant_like(steps, 0));
  Value factor = build::binary(OpKind::Power, constant_like(steps, 0.5), steps);
  Shape both{last, last + 1};
  Value scaled =
      build::binary(OpKind::Multiply, a.value,
                    to_type(broadcast_along(factor, sizes, both), type));
  Value one = identity(type, sizes), sum = one;
  constexpr int terms = 16;
  for (int k = terms; k > 0; --k) {
    Value product = matmul_value(scaled, sum);
    sum = build::binary(OpKind::Add, one,
                        build::binary(OpKind::Multiply, product,
                                      constant_like(product, 1.0 / k)));
  }
  constexpr int squarings = 16;
  for (int k = 0; k < squarings; ++k) {
    Value wanted = build::compare(ComparisonDirection::GT, steps,
                                  constant_like(steps, double(k)));
    sum = build::select(broadcast_along(wanted, sizes, both),
                        matmul_value(sum, sum), sum);
  }
  return finish(sum, a.device, a.dtype);
}

} // namespace xlac
