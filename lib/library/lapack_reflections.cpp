// QR, Hessenberg and tridiagonal forms, and products of their reflections.
#include "reflections.h"

#include "xlac/library/call_targets.h"

namespace xlac::library {

namespace {

/// The larger number of rows or columns of two matrices.
template <class T>
int64_t most_of(const DenseMatrix<T> &a, const DenseMatrix<T> &c) {
  return std::max({a.rows, a.columns, c.rows, c.columns});
}

/// geqrf and Qr: (a) to (r above the reflections' vectors, taus).
template <class T> void geqrf(const CustomCall &call) {
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Vectors<T> taus(call.results[1]);
  for_each_item(call, {&in, &out, &taus}, [&](int64_t item) {
    out.copy(in, item);
    DenseMatrix<T> a = out.dense(item);
    Vector<T> all(taus.rows());
    DenseCalls<T>(most_of(a, a)).factor_qr(a, all.data());
    taus[item] = all;
  });
}

/// xlac.qr: (a) to (q, r). The columns of q are orthonormal, as many as r has
/// rows; r is triangular.
template <class T> void qr(const CustomCall &call) {
  Matrices<T> in(call.operands[0]), q(call.results[0]), r(call.results[1]);
  for_each_item(call, {&in, &q, &r}, [&](int64_t item) {
    Matrix<T> factors(in.rows(), in.columns());
    auto a = dense_matrix(factors.data(), factors.rows(), factors.cols(), 1,
                          factors.rows());
    copy_matrix(read_only(in.dense(item)), a);
    Vector<T> taus(std::min(a.rows, a.columns));
    DenseMatrix<T> basis = q.dense(item), upper = r.dense(item);
    DenseCalls<T> calls(most_of(a, basis));
    calls.factor_qr(a, taus.data());
    q[item].setIdentity();
    calls.apply_reflections(read_only(a), taus.data(), taus.size(),
                            /*left=*/true, /*adjoint=*/false, basis);
    for (int64_t i = 0; i < upper.rows; ++i)
      for (int64_t j = 0; j < upper.columns; ++j)
        upper.data[i * upper.row_stride + j * upper.column_stride] =
            j < i ? T(0) : factors(i, j);
  });
}

/// Reorders the columns so that those marked by `fixed` come first.
template <class T>
std::vector<int32_t> move_to_front(Matrix<T> &a,
                                   const std::vector<bool> &fixed) {
  std::vector<int32_t> order;
  for (bool wanted : {true, false})
    for (int64_t column = 0; column < a.cols(); ++column)
      if (fixed[column] == wanted)
        order.push_back(static_cast<int32_t>(column));
  Matrix<T> source = a;
  for (int64_t column = 0; column < a.cols(); ++column)
    a.col(column) = source.col(order[column]);
  return order;
}

/// geqp3: (a, pivots) to (r above vectors, pivots counted from 1, taus).
/// Columns with a nonzero pivot come first and stay. Of the others, the longest
/// is next.
template <class T> void geqp3(const CustomCall &call) {
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Vectors<int32_t> asked(call.operands[1]), pivots(call.results[1]);
  Vectors<T> taus(call.results[2]);
  for_each_item(call, {&in, &asked, &out, &pivots, &taus}, [&](int64_t item) {
    Matrix<T> a = in[item];
    std::vector<bool> fixed(a.cols());
    int64_t free = a.cols();
    for (int64_t column = 0; column < a.cols(); ++column)
      if (asked[item](column) != 0) {
        fixed[column] = true;
        --free;
      }
    std::vector<int32_t> order = move_to_front(a, fixed);
    for (int64_t k = 0; k < std::min(a.rows(), a.cols()); ++k) {
      if (k >= a.cols() - free) {
        int64_t longest = 0;
        a.bottomRightCorner(a.rows() - k, a.cols() - k)
            .colwise()
            .squaredNorm()
            .maxCoeff(&longest);
        a.col(k).swap(a.col(k + longest));
        std::swap(order[k], order[k + longest]);
      }
      taus[item](k) = eliminate(a, k);
    }
    out[item] = a;
    for (int64_t column = 0; column < a.cols(); ++column)
      pivots[item](column) = order[column] + 1;
  });
}

/// orgqr, ungqr and ProductOfElementaryHouseholderReflectors: (a, taus) to the
/// first columns of H0 H1 ….
template <class T> void orgqr(const CustomCall &call) {
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Vectors<T> taus(call.operands[1]);
  for_each_item(call, {&in, &taus, &out}, [&](int64_t item) {
    DenseMatrix<T> a = in.dense(item), q = out.dense(item);
    Vector<T> all = taus[item];
    out[item].setIdentity();
    DenseCalls<T>(most_of(a, q))
        .apply_reflections(read_only(a), all.data(), all.size(), /*left=*/true,
                           /*adjoint=*/false, q);
  });
}

/// ormqr, unmqr: (a, taus, c) to q c or c q, with the adjoint of q if
/// transposed.
template <class T> void ormqr(const CustomCall &call) {
  bool left = call.attribute<bool>("left");
  bool transpose = call.attribute<bool>("transpose");
  Matrices<T> in(call.operands[0]), c(call.operands[2]), out(call.results[0]);
  Vectors<T> taus(call.operands[1]);
  for_each_item(call, {&in, &taus, &c, &out}, [&](int64_t item) {
    DenseMatrix<T> a = in.dense(item), result = out.dense(item);
    Vector<T> all = taus[item];
    out.copy(c, item);
    DenseCalls<T>(most_of(a, result))
        .apply_reflections(read_only(a), all.data(), all.size(), left,
                           transpose, result);
  });
}

/// gehrd: (a) to (Hessenberg form above the vectors, taus, info). Rows and
/// columns outside [low, high], counted from 1, are triangular already.
template <class T> void gehrd(const CustomCall &call) {
  int64_t low = call.attribute<int64_t>("low");
  int64_t high = call.attribute<int64_t>("high");
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Vectors<T> taus(call.results[1]);
  Scalars<int32_t> info(call.results[2]);
  if (low < 1 || high > in.rows())
    reject("takes rows within the matrix");
  for_each_item(call, {&in, &out, &taus, &info}, [&](int64_t item) {
    Matrix<T> a = in[item];
    taus[item].setZero();
    for (int64_t k = low - 1; k + 1 < high; ++k)
      taus[item](k) = reduce_similar(a, k, high);
    out[item] = a;
    info[item] = 0;
  });
}

/// sytrd, hetrd: (a) to (tridiagonal form above the vectors, its diagonal, its
/// off-diagonal, taus, info). The upper triangle is handled as the lower
/// triangle of the matrix with rows and columns reversed.
template <class T> void sytrd(const CustomCall &call) {
  bool lower = letter(call, "uplo", "LU") == 'L';
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Vectors<Real<T>> diagonal(call.results[1]), beside(call.results[2]);
  Vectors<T> taus(call.results[3]);
  Scalars<int32_t> info(call.results[4]);
  int64_t n = in.rows();
  for_each_item(
      call, {&in, &out, &diagonal, &beside, &taus, &info}, [&](int64_t item) {
        Matrix<T> source = in[item];
        Matrix<T> a = lower ? source : Matrix<T>(source.reverse());
        a.template triangularView<Eigen::StrictlyUpper>() = a.adjoint().eval();
        // As in LAPACK, a Hermitian matrix has a real diagonal, whatever the
        // operand says.
        a.diagonal() = a.diagonal().real().template cast<T>();
        Vector<Real<T>> d(n), e(beside.rows());
        Vector<T> t(taus.rows());
        tridiagonalize(a, d, e, t);
        if (!lower) {
          a = a.reverse().eval();
          d = d.reverse().eval();
          e = e.reverse().eval();
          t = t.reverse().eval();
        }
        if (lower)
          source.template triangularView<Eigen::Lower>() = a;
        else
          source.template triangularView<Eigen::Upper>() = a;
        source.diagonal() = d.template cast<T>();
        out[item] = source;
        diagonal[item] = d;
        beside[item] = e;
        taus[item] = t;
        info[item] = 0;
      });
}

constexpr std::string_view kQr = "T[m,n] -> T[m,n], T[min(m,n)]",
                           kProduct = "T[m,n], T[k<=min(m,n)] -> T[m,n]";

template <class T> void add_reflections(CustomCallTable &table) {
  bool is_complex = is_complex_v<T>;
  add_lapack<T>(table, "geqrf", kQr, geqrf<T>);
  add_lapack<T>(table, "geqp3", "T[m,n], i32[n] -> T[m,n], i32[n], T[min(m,n)]",
                geqp3<T>);
  add_lapack<T>(table, is_complex ? "ungqr" : "orgqr", kProduct, orgqr<T>);
  add_lapack<T>(table, is_complex ? "unmqr" : "ormqr",
                "left=1: T[m,p], T[k<=min(m,p)], T[m,n] -> T[m,n]; left=0: "
                "T[n,p], T[k<=min(n,p)], T[m,n] -> T[m,n]",
                ormqr<T>);
  add_lapack<T>(table, "gehrd", "T[n,n] -> T[n,n], T[n-1], i32[]", gehrd<T>);
  add_lapack<T>(table, is_complex ? "hetrd" : "sytrd",
                "T[n,n] -> T[n,n], R[n], R[n-1], T[n-1], i32[]", sytrd<T>);
}

} // namespace

void add_lapack_reflections(CustomCallTable &table) {
  for_each_element_type(
      [&](auto element) { add_reflections<decltype(element)>(table); });
  add_for_any_type(table, "Qr", kQr, [](auto element, const CustomCall &call) {
    geqrf<decltype(element)>(call);
  });
  add_for_any_type(
      table, kQrTarget,
      "T[m,n] -> T[m,min(m,n)], T[min(m,n),n]; T[m,n] -> T[m,m], T[m,n]",
      [](auto element, const CustomCall &call) {
        qr<decltype(element)>(call);
      });
  add_for_any_type(table, "ProductOfElementaryHouseholderReflectors", kProduct,
                   [](auto element, const CustomCall &call) {
                     orgqr<decltype(element)>(call);
                   });
}

} // namespace xlac::library
