// Eigenvalues, eigenvectors and Schur forms.
#include "lapack_signs.h"
#include "rotations.h"

#include "xlac/library/call_targets.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <limits>

namespace xlac::library {

namespace {

template <class T> using ComplexOf = std::complex<Real<T>>;

/// Eigenvalues in ascending order, and vectors with LAPACK's signs, of the
/// hermitian matrix whose lower or upper triangle is in `source`. Returns
/// false, with NaN, if they are not found.
template <class T>
bool solve_hermitian(const Matrix<T> &source, bool lower, bool vectors,
                     Vector<double> &values, Matrix<Wide<T>> &out) {
  Matrix<Wide<T>> a = source.template cast<Wide<T>>();
  if (!lower)
    a.adjointInPlace();
  values.setConstant(a.rows(), std::numeric_limits<double>::quiet_NaN());
  if (a.rows() == 0)
    return true;
  if (!a.template triangularView<Eigen::Lower>().toDenseMatrix().allFinite())
    return false;
  Eigen::SelfAdjointEigenSolver<Matrix<Wide<T>>> solver(
      a, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success)
    return false;
  values = solver.eigenvalues();
  if (vectors) {
    out = solver.eigenvectors();
    take_hermitian_signs(source, lower, out);
  }
  return true;
}

/// Eigenvalues in ascending order, NaN if they are not found, and vectors of an
/// item of `in`. Without `vectors`, and if they are not found, `out` becomes a
/// copy of `in`. Returns false if they are not found.
template <class T>
bool decompose_hermitian(const Matrices<T> &in, const Matrices<T> &out,
                         int64_t item, bool lower, bool vectors,
                         Vector<double> &values) {
  int64_t n = in.rows();
  bool found = false;
  if (n <= kMostRotatedRows) {
    // LAPACK rotates vectors of so few rows, and they get its signs.
    Matrix<T> a = in[item];
    Matrix<Wide<T>> result = a.template cast<Wide<T>>();
    found = solve_hermitian(a, lower, vectors, values, result);
    out[item] = result.template cast<T>();
    return found;
  }
  values.resize(n);
  found = DenseCalls<T>::find_spectrum(
      read_only(in.dense(item)), lower, values.data(),
      vectors ? out.dense(item) : DenseMatrix<T>{});
  if (!found)
    values.setConstant(std::numeric_limits<double>::quiet_NaN());
  if (!found || !vectors)
    out.copy(in, item);
  return found;
}

/// syevd, heevd: (a) to (vectors, values, info).
template <class T> void syevd(const CustomCall &call) {
  bool vectors = letter(call, "mode", "NV") == 'V';
  bool lower = letter(call, "uplo", "LU") == 'L';
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Vectors<Real<T>> values(call.results[1]);
  Scalars<int32_t> info(call.results[2]);
  for_each_item(call, {&in, &out, &values, &info}, [&](int64_t item) {
    Vector<double> spectrum;
    bool found = decompose_hermitian(in, out, item, lower, vectors, spectrum);
    values[item] = spectrum.template cast<Real<T>>();
    info[item] = found ? 0 : 1;
  });
}

/// Eigh: (a) to (vectors, values), NaN if they are not found. The
/// configuration's first number tells whether the lower triangle is read.
template <class T> void eigh(const CustomCall &call) {
  const CustomCallValue *text = call.find("");
  bool lower = !text || !std::holds_alternative<std::string>(*text) ||
               !std::get<std::string>(*text).starts_with('0');
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Vectors<Real<T>> values(call.results[1]);
  for_each_item(call, {&in, &out, &values}, [&](int64_t item) {
    Vector<double> spectrum;
    if (!decompose_hermitian(in, out, item, lower, true, spectrum))
      out[item].setConstant(T(std::numeric_limits<Real<T>>::quiet_NaN()));
    values[item] = spectrum.template cast<Real<T>>();
  });
}

/// Eigenvalues and unit eigenvectors of any square matrix; false if they are
/// not found.
template <class T>
bool solve_general(const Matrix<T> &a, bool vectors,
                   Vector<ComplexOf<T>> &values, Matrix<ComplexOf<T>> &out) {
  if (!a.allFinite())
    return false;
  if constexpr (is_complex_v<T>) {
    Eigen::ComplexEigenSolver<Matrix<T>> solver(a, vectors);
    if (solver.info() != Eigen::Success)
      return false;
    values = solver.eigenvalues();
    if (vectors)
      out = solver.eigenvectors();
  } else {
    Eigen::EigenSolver<Matrix<T>> solver(a, vectors);
    if (solver.info() != Eigen::Success)
      return false;
    values = solver.eigenvalues();
    if (vectors)
      out = solver.eigenvectors();
  }
  for (int64_t k = 0; vectors && k < out.cols(); ++k) {
    // LAPACK normalizes vectors so that their largest element is real.
    bool is_real = !is_complex_v<T> && values(k).imag() == 0;
    int64_t largest = 0;
    out.col(k).cwiseAbs().maxCoeff(&largest);
    ComplexOf<T> element = out(largest, k);
    if (is_real || element == ComplexOf<T>(0))
      continue;
    out.col(k) *= std::conj(element) / std::abs(element);
    out(largest, k).imag(0);
  }
  return true;
}

/// Left eigenvectors in the order of `values`: the right eigenvectors of aᴴ,
/// whose eigenvalues are the conjugates in another order.
template <class T>
bool solve_left(const Matrix<T> &a, const Vector<ComplexOf<T>> &values,
                Matrix<ComplexOf<T>> &out) {
  Vector<ComplexOf<T>> conjugates;
  Matrix<ComplexOf<T>> vectors;
  if (!solve_general<T>(a.adjoint(), true, conjugates, vectors))
    return false;
  std::vector<bool> used(values.size());
  for (int64_t k = 0; k < values.size(); ++k) {
    int64_t best = -1;
    auto distance = [&](int64_t i) {
      return std::abs(std::conj(conjugates(i)) - values(k));
    };
    for (int64_t i = 0; i < values.size(); ++i)
      if (!used[i] && (best < 0 || distance(i) < distance(best)))
        best = i;
    used[best] = true;
    out.col(k) = vectors.col(best);
  }
  return true;
}

/// Writes eigenvalues in the format of T: complex, or real and imaginary parts
/// separately.
template <class T, class View>
void write_values(const Vector<std::complex<double>> &values, View first,
                  View last) {
  Vector<ComplexOf<T>> narrow = values.template cast<ComplexOf<T>>();
  if constexpr (is_complex_v<T>) {
    first = narrow;
  } else {
    first = narrow.real();
    last = narrow.imag();
  }
}

/// geev: (a) to (values, left vectors, right vectors, info). For real matrices
/// the real and imaginary parts of the values are two results.
template <class T> void geev(const CustomCall &call) {
  constexpr size_t parts = is_complex_v<T> ? 1 : 2;
  bool computes_left = letter(call, "compute_left", "NV") == 'V';
  bool computes_right = letter(call, "compute_right", "NV") == 'V';
  Matrices<T> in(call.operands[0]);
  Vectors<T> first(call.results[0]), last(call.results[parts - 1]);
  Matrices<ComplexOf<T>> left(call.results[parts]),
      right(call.results[parts + 1]);
  Scalars<int32_t> info(call.results[parts + 2]);
  int64_t n = in.rows();
  if (n != in.columns())
    reject("takes square matrices");
  auto solve = [&](int64_t item) {
    Matrix<Wide<T>> a = in[item].template cast<Wide<T>>();
    Vector<std::complex<double>> values = Vector<std::complex<double>>::Zero(n);
    Matrix<std::complex<double>> l = Matrix<std::complex<double>>::Zero(n, n);
    Matrix<std::complex<double>> r = l;
    bool found = n == 0 || (solve_general(a, computes_right, values, r) &&
                            (!computes_left || solve_left(a, values, l)));
    write_values<T>(values, first[item], last[item]);
    left[item] = l.template cast<ComplexOf<T>>();
    right[item] = r.template cast<ComplexOf<T>>();
    info[item] = found ? 0 : 1;
  };
  for_each_item(call, {&in, &first, &last, &left, &right, &info}, solve);
}

/// xlac.eig: (a) to (values, vectors), both complex. Fails if they are not
/// found.
template <class T> void eig(const CustomCall &call) {
  Matrices<T> in(call.operands[0]);
  Vectors<ComplexOf<T>> values(call.results[0]);
  Matrices<ComplexOf<T>> vectors(call.results[1]);
  for_each_item(call, {&in, &values, &vectors}, [&](int64_t item) {
    Matrix<Wide<T>> a = in[item].template cast<Wide<T>>();
    Vector<std::complex<double>> spectrum;
    Matrix<std::complex<double>> out;
    if (a.rows() == 0)
      return;
    if (!solve_general(a, true, spectrum, out))
      throw std::runtime_error("linalg.eig(): the algorithm failed to converge "
                               "or the input contained non-finite values");
    values[item] = spectrum.template cast<ComplexOf<T>>();
    vectors[item] = out.template cast<ComplexOf<T>>();
  });
}

/// Rotates the two rows and columns from `k`, whose eigenvalues are a complex
/// pair, so that their diagonal elements are equal, as in LAPACK.
template <class T> void equalize(Matrix<T> &t, Matrix<T> &u, int64_t k) {
  T difference = t(k, k) - t(k + 1, k + 1), sum = t(k, k + 1) + t(k + 1, k);
  T length = std::hypot(difference, sum);
  if (difference == 0 || length == 0)
    return;
  T cosine = std::sqrt((1 + std::abs(sum) / length) / 2);
  T sine = -difference / (2 * length * cosine) * std::copysign(T(1), sum);
  auto turn = [&](auto first, auto second) {
    auto old = first.eval();
    first = cosine * old + sine * second;
    second = cosine * second - sine * old;
  };
  turn(t.row(k), t.row(k + 1));
  turn(t.col(k), t.col(k + 1));
  turn(u.col(k), u.col(k + 1));
  T middle = (t(k, k) + t(k + 1, k + 1)) / 2;
  t(k, k) = t(k + 1, k + 1) = middle;
}

/// The Schur form and vectors of a matrix; false if they are not found.
template <class T>
bool find_schur(const Matrix<T> &a, Matrix<T> &t, Matrix<T> &u) {
  using Solver =
      std::conditional_t<is_complex_v<T>, Eigen::ComplexSchur<Matrix<T>>,
                         Eigen::RealSchur<Matrix<T>>>;
  t = u = a;
  if (a.rows() == 0)
    return true;
  if (!a.allFinite())
    return false;
  Solver solver(a);
  if (solver.info() != Eigen::Success)
    return false;
  t = solver.matrixT();
  u = solver.matrixU();
  if constexpr (!is_complex_v<T>)
    for (int64_t k = 0; k + 1 < t.rows(); ++k)
      if (t(k + 1, k) != 0)
        equalize(t, u, k++);
  return true;
}

/// The eigenvalues on the diagonal of a Schur form.
template <class T> Vector<ComplexOf<T>> read_values(const Matrix<T> &t) {
  Vector<ComplexOf<T>> values(t.rows());
  for (int64_t k = 0; k < t.rows(); ++k)
    values(k) = ComplexOf<T>(t(k, k));
  if constexpr (!is_complex_v<T>)
    for (int64_t k = 0; k + 1 < t.rows(); ++k)
      if (t(k + 1, k) != 0) {
        T imaginary =
            std::sqrt(std::abs(t(k, k + 1))) * std::sqrt(std::abs(t(k + 1, k)));
        values(k).imag(imaginary);
        values(++k).imag(-imaginary);
      }
  return values;
}

/// gees: (a) to (Schur form, vectors, values, count of sorted values, info).
/// For real matrices the real and imaginary parts of the values are two
/// results.
template <class T> void gees(const CustomCall &call) {
  constexpr size_t parts = is_complex_v<T> ? 1 : 2;
  letter(call, "mode", "NV");
  letter(call, "sort", "N");
  Matrices<T> in(call.operands[0]), form(call.results[0]),
      vectors(call.results[1]);
  Vectors<T> first(call.results[2]), last(call.results[parts + 1]);
  Scalars<int32_t> sorted(call.results[parts + 2]),
      info(call.results[parts + 3]);
  auto solve = [&](int64_t item) {
    Matrix<Wide<T>> a = in[item].template cast<Wide<T>>(), t, u;
    bool found = find_schur(a, t, u);
    form[item] = t.template cast<T>();
    vectors[item] = u.template cast<T>();
    write_values<T>(read_values(t), first[item], last[item]);
    sorted[item] = 0;
    info[item] = found ? 0 : 1;
  };
  for_each_item(call, {&in, &form, &vectors, &first, &last, &sorted, &info},
                solve);
}

template <class T> void add_spectra(CustomCallTable &table) {
  add_lapack<T>(table, is_complex_v<T> ? "heevd" : "syevd",
                "T[n,n] -> T[n,n], R[n], i32[]", syevd<T>);
  add_lapack<T>(table, "geev",
                is_complex_v<T> ? "T[n,n] -> T[n], T[n,n], T[n,n], i32[]"
                                : "T[n,n] -> T[n], T[n], C[n,n], C[n,n], i32[]",
                geev<T>);
  add_lapack<T>(table, "gees",
                is_complex_v<T>
                    ? "T[n,n] -> T[n,n], T[n,n], T[n], i32[], i32[]"
                    : "T[n,n] -> T[n,n], T[n,n], T[n], T[n], i32[], i32[]",
                gees<T>);
}

} // namespace

void add_lapack_spectra(CustomCallTable &table) {
  for_each_element_type(
      [&](auto element) { add_spectra<decltype(element)>(table); });
  add_for_any_type(table, kEighTarget, "T[n,n] -> T[n,n], R[n]",
                   [](auto element, const CustomCall &call) {
                     eigh<decltype(element)>(call);
                   });
  add_for_any_type(table, kEigTarget, "T[n,n] -> C[n], C[n,n]",
                   [](auto element, const CustomCall &call) {
                     eig<decltype(element)>(call);
                   });
}

} // namespace xlac::library
