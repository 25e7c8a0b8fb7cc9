// Matrices as graph values, for factorizations of batches of matrices.
#pragma once

#include "xlac/tensor/products.h"
#include "xlac/tensor/reduce_values.h"

namespace xlac::frontend {

/// A tensor whose last two dimensions are matrices.
struct Matrices {
  Value value;
  Shape batch;
  int64_t rows, columns;
  Device device;
  Dtype dtype;

  /// Returns the batch sizes followed by `last`.
  Shape sizes(const Shape &last) const;
  TensorType type(const Shape &last) const;
  TensorType real_type(const Shape &last) const;
};
/// Throws ShapeError below 2 dimensions, and DtypeError unless the dtype is
/// float, double or complex.
Matrices matrices_of(const Tensor &self, Device device);
/// As above; throws ShapeError unless the matrices are square.
Matrices squares_of(const Tensor &self, Device device);

/// Returns `value`. The run fails with `message` unless `ok` is true
/// everywhere. Gradients pass through.
Value require(const Value &value, const Value &ok, const std::string &message);

/// True on and below (or, unless `lower`, above) the `offset`-th diagonal of
/// the last two dimensions of `sizes`.
Value triangle(const Shape &sizes, bool lower, int64_t offset = 0);
/// Returns `value` with 0 outside of that triangle.
Value keep_triangle(const Value &value, bool lower, int64_t offset = 0);
/// Returns the diagonal of the last two dimensions.
Value diagonal_of(const Value &value);
/// Returns identity matrices of `sizes`.
Value identity(ElementType type, const Shape &sizes);
/// Multiplies the columns of `value` [..., n, n] by `diagonal` [..., n].
Value scale_columns(const Value &value, const Value &diagonal);
/// Returns the conjugate transpose of the last two dimensions.
Value adjoint_value(const Value &value);

/// LU factors of `a`: L below the diagonal, U on and above it. `permutation`
/// lists for each row of their product the row of `a`.
struct Lu {
  Value factors, pivots, permutation;
};
Lu lu_of(const Matrices &a);
/// Reorders `rows` by a permutation.
Value permute_rows(const Value &rows, const Value &permutation);
/// Solves a x = b. The run fails with "NAME(): the matrix is singular".
Value solve_value(const Matrices &a, const Value &b, const std::string &name);

struct Svd {
  Value u, values, vh;
};
/// The thin decomposition, or all of u and v if `full`.
Svd svd_of(const Matrices &a, bool full);
/// Eigenvalues in ascending order and eigenvectors of the Hermitian matrices
/// that one triangle defines.
struct Spectrum {
  Value values, vectors;
};
Spectrum eigh_of(const Matrices &a, bool lower);

} // namespace xlac::frontend
