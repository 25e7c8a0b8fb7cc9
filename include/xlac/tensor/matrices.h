// Matrices as graph values: the batched square ones that factorizations take.
#pragma once

#include "xlac/tensor/products.h"
#include "xlac/tensor/reduce_values.h"

namespace xlac::frontend {

/// A tensor of matrices in its last two dimensions.
struct Matrices {
  Value value;
  Shape batch;
  int64_t rows, columns;
  Device device;
  Dtype dtype;

  /// Batch, then `last`.
  Shape sizes(const Shape &last) const;
  TensorType type(const Shape &last) const;
  TensorType real_type(const Shape &last) const;
};
/// ShapeError below 2 dimensions; DtypeError unless float, double or complex.
Matrices matrices_of(const Tensor &self, Device device);
/// The same, and ShapeError unless they are square.
Matrices squares_of(const Tensor &self, Device device);

/// `value` where `ok` is true everywhere; the run fails with `message` where it
/// is not. Gradients pass through.
Value require(const Value &value, const Value &ok, const std::string &message);

/// True on and below (or above) the `offset`-th diagonal of the last two
/// dimensions of `sizes`.
Value triangle(const Shape &sizes, bool lower, int64_t offset = 0);
/// `value` with 0 outside of that triangle.
Value keep_triangle(const Value &value, bool lower, int64_t offset = 0);
/// The diagonal of the last two dimensions.
Value diagonal_of(const Value &value);
/// 1 on the diagonal of matrices of such sizes.
Value identity(ElementType type, const Shape &sizes);
/// `diagonal` [..., n] times the columns (or rows) of `value` [..., n, n].
Value scale_columns(const Value &value, const Value &diagonal);
/// Conjugated, and the last two dimensions swapped.
Value adjoint_value(const Value &value);

/// Factors of `a`, L below the diagonal and U on and above it, and which row
/// of `a` each row of their product is.
struct Lu {
  Value factors, pivots, permutation;
};
Lu lu_of(const Matrices &a);
/// `rows` in the order of a permutation.
Value permute_rows(const Value &rows, const Value &permutation);
/// x with a x = b; fails with "NAME(): the matrix is singular".
Value solve_value(const Matrices &a, const Value &b, const std::string &name);

struct Svd {
  Value u, values, vh;
};
/// Thin, or all of u and v.
Svd svd_of(const Matrices &a, bool full);
/// Eigenvalues, ascending, and vectors of what one triangle says.
struct Spectrum {
  Value values, vectors;
};
Spectrum eigh_of(const Matrices &a, bool lower);

} // namespace xlac::frontend
