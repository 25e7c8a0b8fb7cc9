// cholesky, triangular_solve and fft, all in complex double.
#include "op_context.h"

#include <cmath>
#include <limits>

namespace xlac::host {

using ops::OpKind;
using Complex = std::complex<double>;

namespace {

std::vector<Complex> complex_elements(const Literal &from) {
  std::vector<Complex> values(from.count());
  if (!values.empty())
    load(from, 0, from.count(), values.data());
  return values;
}

Result<Literals> from_complex(const TensorType &type,
                              const std::vector<Complex> &values) {
  Result<Literal> to = Literal::allocate(type);
  if (!to)
    return to.error();
  if (is_complex(type.element)) {
    store(*to, 0, to->count(), values.data());
  } else {
    for (int64_t i = 0; i < to->count(); ++i) {
      double real = values[i].real();
      store(*to, i, 1, &real);
    }
  }
  return Literals{std::move(*to)};
}

//===- cholesky -----------------------------------------------------------===//

/// Computes the lower factor of the n x n matrix at `a` from its lower
/// triangle; NaN in all elements if it is not positive definite.
void factorize(Complex *a, int64_t n) {
  bool failed = false;
  for (int64_t j = 0; j < n; ++j) {
    double diagonal = a[j * n + j].real();
    for (int64_t k = 0; k < j; ++k)
      diagonal -= std::norm(a[j * n + k]);
    failed |= !(diagonal > 0);
    double root = std::sqrt(diagonal);
    a[j * n + j] = root;
    for (int64_t i = j + 1; i < n; ++i) {
      Complex value = a[i * n + j];
      for (int64_t k = 0; k < j; ++k)
        value -= a[i * n + k] * std::conj(a[j * n + k]);
      a[i * n + j] = value / root;
    }
    for (int64_t i = 0; i < j; ++i)
      a[i * n + j] = 0;
  }
  if (failed)
    std::fill_n(a, n * n, std::numeric_limits<double>::quiet_NaN());
}

void adjoint(Complex *a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    a[i * n + i] = std::conj(a[i * n + i]);
    for (int64_t j = 0; j < i; ++j) {
      Complex kept = std::conj(a[i * n + j]);
      a[i * n + j] = std::conj(a[j * n + i]);
      a[j * n + i] = kept;
    }
  }
}

Result<Literals> cholesky(OpContext &context) {
  bool lower = context.attributes<ops::CholeskyAttributes>().lower;
  std::vector<Complex> a = complex_elements(context.operand(0));
  int64_t n = context.result().dims.back();
  for (int64_t at = 0; at < static_cast<int64_t>(a.size()); at += n * n) {
    if (!lower)
      adjoint(&a[at], n);
    factorize(&a[at], n);
    if (!lower)
      adjoint(&a[at], n);
  }
  return from_complex(context.result(), a);
}

//===- triangular_solve ---------------------------------------------------===//

/// An element of op(A), where A has n rows.
struct Triangle {
  const Complex *a;
  int64_t n;
  bool unit;
  ops::Transpose transpose;

  Complex at(int64_t i, int64_t j) const {
    if (i == j && unit)
      return 1;
    switch (transpose) {
    case ops::Transpose::TRANSPOSE:
      return a[j * n + i];
    case ops::Transpose::ADJOINT:
      return std::conj(a[j * n + i]);
    default:
      return a[i * n + j];
    }
  }
};

/// Solves op(A) x = b for the vector at `b` with stride `step`.
void solve(const Triangle &t, bool lower, Complex *b, int64_t step) {
  for (int64_t k = 0; k < t.n; ++k) {
    int64_t i = lower ? k : t.n - 1 - k;
    Complex value = b[i * step];
    for (int64_t m = 0; m < k; ++m) {
      int64_t j = lower ? m : t.n - 1 - m;
      value -= t.at(i, j) * b[j * step];
    }
    b[i * step] = t.unit ? value : value / t.at(i, i);
  }
}

Result<Literals> triangular_solve(OpContext &context) {
  const auto &attributes = context.attributes<ops::TriangularSolveAttributes>();
  std::vector<Complex> a = complex_elements(context.operand(0));
  std::vector<Complex> b = complex_elements(context.operand(1));
  const Dims &dims = context.result().dims;
  int64_t rows = dims[dims.size() - 2], columns = dims.back();
  int64_t n = context.operand(0).type().dims.back();
  bool transposed = attributes.transpose_a == ops::Transpose::TRANSPOSE ||
                    attributes.transpose_a == ops::Transpose::ADJOINT;
  bool lower = attributes.lower != transposed;
  int64_t batches = rows * columns == 0
                        ? 0
                        : static_cast<int64_t>(b.size()) / (rows * columns);
  for (int64_t batch = 0; batch < batches; ++batch) {
    Triangle t{&a[batch * n * n], n, attributes.unit_diagonal,
               attributes.transpose_a};
    Complex *part = &b[batch * rows * columns];
    if (attributes.left_side) {
      for (int64_t c = 0; c < columns; ++c)
        solve(t, lower, part + c, columns);
      continue;
    }
    // x op(A) = b is equivalent to op(A)ᵀ xᵀ = bᵀ.
    std::vector<Complex> flipped(n * n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        flipped[i * n + j] = t.at(j, i);
    Triangle u{flipped.data(), n, attributes.unit_diagonal,
               ops::Transpose::NO_TRANSPOSE};
    for (int64_t r = 0; r < rows; ++r)
      solve(u, !lower, part + r * columns, 1);
  }
  return from_complex(context.result(), b);
}

//===- fft ----------------------------------------------------------------===//

/// Splits by the smallest factor; a prime length is summed directly.
std::vector<Complex> transform(const std::vector<Complex> &x, double sign) {
  auto n = static_cast<int64_t>(x.size());
  int64_t factor = 2;
  while (factor * factor <= n && n % factor != 0)
    ++factor;
  if (n < 2 || n % factor != 0)
    factor = n;
  auto root = [&](int64_t k) {
    double angle = sign * 2 * 3.14159265358979323846 *
                   static_cast<double>(k % n) / static_cast<double>(n);
    return Complex(std::cos(angle), std::sin(angle));
  };
  std::vector<Complex> result(n, 0);
  if (n < 2)
    return x;
  int64_t length = n / factor;
  for (int64_t r = 0; r < factor; ++r) {
    std::vector<Complex> part(length);
    for (int64_t i = 0; i < length; ++i)
      part[i] = x[i * factor + r];
    part = transform(part, sign);
    for (int64_t k = 0; k < n; ++k)
      result[k] += root(k * r) * part[k % length];
  }
  return result;
}

/// Transforms `values` of shape `dims` along `dim`.
void transform_along(std::vector<Complex> &values, const Dims &dims, size_t dim,
                     double sign) {
  Dims strides = row_major_strides(dims), outer = dims;
  outer[dim] = 1;
  Dims index(dims.size(), 0);
  std::vector<Complex> line(dims[dim]);
  do {
    int64_t base = offset_of(index, strides);
    for (int64_t i = 0; i < dims[dim]; ++i)
      line[i] = values[base + i * strides[dim]];
    std::vector<Complex> made = transform(line, sign);
    for (int64_t i = 0; i < dims[dim]; ++i)
      values[base + i * strides[dim]] =
          sign > 0 ? made[i] / static_cast<double>(dims[dim]) : made[i];
  } while (next_index(index, outer));
}

/// The first `want` elements of the last dimension, or with `mirror` the whole
/// line of a real signal from its half spectrum.
std::vector<Complex> resize_last(const std::vector<Complex> &from, int64_t have,
                                 int64_t want, bool mirror) {
  std::vector<Complex> to;
  for (size_t line = 0; have > 0 && line < from.size() / have; ++line)
    for (int64_t k = 0; k < want; ++k) {
      bool inside = k < have;
      to.push_back(inside   ? from[line * have + k]
                   : mirror ? std::conj(from[line * have + want - k])
                            : Complex(0));
    }
  return to;
}

Result<Literals> fft(OpContext &context) {
  const auto &attributes = context.attributes<ops::FftAttributes>();
  std::vector<Complex> values = complex_elements(context.operand(0));
  Dims dims = context.operand(0).type().dims;
  size_t rank = attributes.fft_length.size(), first = dims.size() - rank;
  bool inverse = attributes.fft_type == ops::FftType::IFFT ||
                 attributes.fft_type == ops::FftType::IRFFT;
  double sign = inverse ? 1 : -1;
  if (context.operand(0).count() == 0)
    return from_complex(context.result(),
                        std::vector<Complex>(product(context.result().dims)));
  bool to_real = attributes.fft_type == ops::FftType::IRFFT;
  size_t last = to_real ? dims.size() - 1 : dims.size();
  for (size_t dim = first; dim < last; ++dim)
    transform_along(values, dims, dim, sign);
  int64_t want = context.result().dims.back();
  if (to_real) {
    values = resize_last(values, dims.back(), want, true);
    dims.back() = want;
    if (!values.empty())
      transform_along(values, dims, dims.size() - 1, sign);
  } else if (attributes.fft_type == ops::FftType::RFFT) {
    values = resize_last(values, dims.back(), want, false);
  }
  return from_complex(context.result(), values);
}

} // namespace

Result<Literals> evaluate_linear_algebra(OpContext &context) {
  switch (context.node.op()) {
  case OpKind::Cholesky:
    return cholesky(context);
  case OpKind::TriangularSolve:
    return triangular_solve(context);
  default:
    return fft(context);
  }
}

} // namespace xlac::host
