// Linear equations, inverses and determinants.
#include "xlac/tensor/matrices.h"

#include <algorithm>
#include <cmath>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;
using ops::Transpose;

namespace {

/// A system a x = b; both operands have the same batch dimensions.
struct System {
  Matrices a;
  Value b;
};

System system_of(const Tensor &a, const Tensor &b, bool left) {
  Device device = common_device({&a, &b});
  System system{squares_of(a, device), value_on(b, device)};
  if (impl_of(b).dtype != system.a.dtype)
    raise<DtypeError>("expected A and B to have the same dtype, but found A "
                      "of type " +
                      lazy::legacy_name(system.a.dtype) + " and B of type " +
                      lazy::legacy_name(impl_of(b).dtype) + " instead");
  const Shape &x = impl_of(a).sizes, &y = impl_of(b).sizes;
  if (y.size() < 2 || y[left ? y.size() - 2 : y.size() - 1] != system.a.rows)
    raise<ShapeError>("incompatible shapes of A and B for the equation " +
                      std::string(left ? "AX = B" : "XA = B") + " (" +
                      to_text(x) + " and " + to_text(y) + ")");
  Shape batch = broadcast_batches(x, y);
  system.a.value = broadcast_batch(system.a.value, batch);
  system.a.batch = batch;
  system.b = broadcast_batch(system.b, batch);
  return system;
}

/// The sign of the permutation: -1 for an odd number of row exchanges.
Value parity(const Lu &lu, ElementType type) {
  Value pivots = lu.pivots;
  auto rank = static_cast<int64_t>(pivots.tensor().dims.size());
  Value place =
      build::iota(pivots.tensor().element, pivots.tensor().dims, rank - 1);
  Value moved = build::compare(ComparisonDirection::NE, pivots, place);
  Value sign =
      build::select(moved, build::constant(type, pivots.tensor().dims, -1),
                    build::constant(type, pivots.tensor().dims, 1));
  return prod_value(sign, {rank - 1});
}

/// Sign and logarithm of the absolute value of the determinant.
struct LogDeterminant {
  Value sign, logarithm;
};

LogDeterminant log_determinant(const Matrices &a) {
  Lu lu = lu_of(a);
  Value diagonal = diagonal_of(lu.factors);
  auto last = static_cast<int64_t>(a.batch.size());
  Value signs = prod_value(build::unary(OpKind::Sign, diagonal), {last});
  Value logs = build::unary(OpKind::Log, build::unary(OpKind::Abs, diagonal));
  return {build::binary(OpKind::Multiply, signs,
                        parity(lu, signs.tensor().element)),
          sum_value(logs, {last})};
}

Value cholesky_value(const Matrices &a, bool upper) {
  Value factor = build::cholesky(a.value, true);
  Value diagonal = diagonal_of(factor);
  Value ok = build::compare(ComparisonDirection::EQ, diagonal, diagonal);
  factor = require(factor, ok,
                   "linalg.cholesky(): the input is not positive-definite");
  return upper ? adjoint_value(factor) : factor;
}

/// Computes (L Lᴴ)⁻¹ b or, if `upper`, (Uᴴ U)⁻¹ b.
Value cholesky_solve_value(const Value &factor, const Value &b, bool upper) {
  Value half = build::triangular_solve(factor, b, true, !upper, false,
                                       upper ? Transpose::ADJOINT
                                             : Transpose::NO_TRANSPOSE);
  return build::triangular_solve(factor, half, true, !upper, false,
                                 upper ? Transpose::NO_TRANSPOSE
                                       : Transpose::ADJOINT);
}

} // namespace

Tensor linalg::cholesky(const Tensor &self, bool upper) {
  XLAC_CALL("linalg.cholesky");
  Matrices a = squares_of(self, common_device({&self}));
  return finish(cholesky_value(a, upper), a.device, a.dtype);
}

Tensor cholesky_solve(const Tensor &self, const Tensor &input2, bool upper) {
  XLAC_CALL("cholesky_solve");
  System system = system_of(input2, self, true);
  return finish(cholesky_solve_value(system.a.value, system.b, upper),
                system.a.device, system.a.dtype);
}

Tensor cholesky_inverse(const Tensor &self, bool upper) {
  XLAC_CALL("cholesky_inverse");
  Matrices a = squares_of(self, common_device({&self}));
  Value one = identity(a.value.tensor().element, a.value.tensor().dims);
  return finish(cholesky_solve_value(a.value, one, upper), a.device, a.dtype);
}

Tensor linalg::solve_triangular(const Tensor &self, const Tensor &B, bool upper,
                                bool left, bool unitriangular) {
  XLAC_CALL("linalg.solve_triangular");
  System system = system_of(self, B, left);
  return finish(build::triangular_solve(system.a.value, system.b, left, !upper,
                                        unitriangular, Transpose::NO_TRANSPOSE),
                system.a.device, system.a.dtype);
}

Tensor linalg::solve(const Tensor &A, const Tensor &B, bool left) {
  XLAC_CALL("linalg.solve");
  const Shape &x = impl_of(A).sizes, &y = impl_of(B).sizes;
  bool vectors = y.size() == 1 || (x.size() == y.size() + 1 &&
                                   std::equal(y.begin(), y.end(), x.begin()));
  if (vectors)
    return xlac::squeeze(linalg::solve(A, xlac::unsqueeze(B, -1), true), -1);
  System system = system_of(A, B, left);
  if (left)
    return finish(solve_value(system.a, system.b, "linalg.solve"),
                  system.a.device, system.a.dtype);
  system.a.value = swap_last(system.a.value);
  Value x_turned = solve_value(system.a, swap_last(system.b), "linalg.solve");
  return finish(swap_last(x_turned), system.a.device, system.a.dtype);
}

Tensor linalg::inv(const Tensor &A) {
  XLAC_CALL("linalg.inv");
  Matrices a = squares_of(A, common_device({&A}));
  Value one = identity(a.value.tensor().element, a.value.tensor().dims);
  return finish(solve_value(a, one, "linalg.inv"), a.device, a.dtype);
}

//===- Determinants -------------------------------------------------------===//

Tensor linalg::det(const Tensor &A) {
  XLAC_CALL("linalg.det");
  Matrices a = squares_of(A, common_device({&A}));
  Lu lu = lu_of(a);
  Value product = prod_value(diagonal_of(lu.factors),
                             {static_cast<int64_t>(a.batch.size())});
  Value sign = parity(lu, product.tensor().element);
  return finish(build::binary(OpKind::Multiply, product, sign), a.device,
                a.dtype);
}

std::tuple<Tensor, Tensor> linalg::slogdet(const Tensor &A) {
  XLAC_CALL("linalg.slogdet");
  Matrices a = squares_of(A, common_device({&A}));
  LogDeterminant d = log_determinant(a);
  std::vector<Tensor> results = finish_all({d.sign, d.logarithm}, a.device,
                                           {a.dtype, real_dtype(a.dtype)});
  return {results[0], results[1]};
}

Tensor logdet(const Tensor &self) {
  XLAC_CALL("logdet");
  Matrices a = squares_of(self, common_device({&self}));
  LogDeterminant d = log_determinant(a);
  Value sign = build::unary(OpKind::Log, d.sign);
  // For a singular matrix the sign is 0, and both logarithms are -infinity.
  Value sum = build::binary(OpKind::Add,
                            to_type(d.logarithm, sign.tensor().element), sign);
  return finish(sum, a.device, a.dtype);
}

} // namespace xlac
