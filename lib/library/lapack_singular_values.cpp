#include "lapack_signs.h"

#include "xlac/library/call_targets.h"

#include <Eigen/SVD>

#include <optional>

namespace xlac::library {

namespace {

/// LAPACK's info for a matrix that is not finite.
constexpr int32_t kBadMatrix = -4;

/// Applies LAPACK's signs to both factors of the decomposition.
template <class T, class Decomposition>
void take_vectors(const Matrix<T> &a, const Decomposition &decomposition,
                  Matrix<Wide<T>> &u, Matrix<Wide<T>> &v) {
  u = decomposition.matrixU();
  v = decomposition.matrixV().adjoint();
  const auto &values = decomposition.singularValues();
  // Far above the rounding error of a zero value.
  bool is_regular = values(values.size() - 1) > 1e-10 * values(0);
  take_singular_signs(a, is_regular, u, v);
}

/// gesdd, gesvd: (a) to (a, values, u, vᴴ, info). Mode 'A' computes all of u
/// and v, 'S' as many columns as there are values, 'N' none: then they are
/// zeros.
template <class T> void gesdd(const CustomCall &call) {
  char mode = letter(call, "mode", "ASN");
  Matrices<T> in(call.operands[0]), rest(call.results[0]), u(call.results[2]),
      v(call.results[3]);
  Vectors<Real<T>> values(call.results[1]);
  Scalars<int32_t> info(call.results[4]);
  unsigned wanted = mode == 'A'   ? Eigen::ComputeFullU | Eigen::ComputeFullV
                    : mode == 'S' ? Eigen::ComputeThinU | Eigen::ComputeThinV
                                  : 0;
  for_each_item(call, {&in, &rest, &values, &u, &v, &info}, [&](int64_t item) {
    Matrix<T> a = in[item];
    rest[item] = a;
    u[item].setZero();
    v[item].setZero();
    values[item].setZero();
    info[item] = a.allFinite() ? 0 : kBadMatrix;
    if (a.size() == 0 || info[item] != 0)
      return;
    Eigen::BDCSVD<Matrix<Wide<T>>> decomposition(a.template cast<Wide<T>>(),
                                                 wanted);
    if (decomposition.info() != Eigen::Success) {
      info[item] = 1;
      return;
    }
    values[item] = decomposition.singularValues().template cast<Real<T>>();
    if (mode == 'N')
      return;
    Matrix<Wide<T>> left, right;
    take_vectors(a, decomposition, left, right);
    u[item] = left.template cast<T>();
    v[item] = right.template cast<T>();
  });
}

/// xlac.svd: (a) to (u, values, vᴴ), or only to the values. u and v are square
/// or have as many columns as there are values. Fails if they are not found.
template <class T> void svd(const CustomCall &call) {
  bool vectors = call.results.size() == 3;
  Matrices<T> in(call.operands[0]);
  Vectors<Real<T>> values(call.results[vectors ? 1 : 0]);
  std::optional<Matrices<T>> u, v;
  unsigned wanted = 0;
  if (vectors) {
    u.emplace(call.results[0]);
    v.emplace(call.results[2]);
    bool thin =
        std::max(u->columns(), v->rows()) == std::min(in.rows(), in.columns());
    wanted = thin ? Eigen::ComputeThinU | Eigen::ComputeThinV
                  : Eigen::ComputeFullU | Eigen::ComputeFullV;
  }
  for_each_item(call, {&in, &values}, [&](int64_t item) {
    Matrix<T> a = in[item];
    if (a.size() == 0) {
      if (vectors) {
        u->operator[](item).setIdentity();
        v->operator[](item).setIdentity();
      }
      return;
    }
    if (!a.allFinite())
      throw std::runtime_error("linalg.svd(): the algorithm failed to converge "
                               "because the input matrix contained non-finite "
                               "values");
    Eigen::BDCSVD<Matrix<Wide<T>>> decomposition(a.template cast<Wide<T>>(),
                                                 wanted);
    if (decomposition.info() != Eigen::Success)
      throw std::runtime_error("linalg.svd(): the algorithm failed to "
                               "converge");
    values[item] = decomposition.singularValues().template cast<Real<T>>();
    if (!vectors)
      return;
    Matrix<Wide<T>> left, right;
    take_vectors(a, decomposition, left, right);
    u->operator[](item) = left.template cast<T>();
    v->operator[](item) = right.template cast<T>();
  });
}

constexpr std::string_view kAll =
    "mode=A: T[m,n] -> T[m,n], R[min(m,n)], T[m,m], T[n,n], i32[]; "
    "mode=S: T[m,n] -> T[m,n], R[min(m,n)], T[m,min(m,n)], T[min(m,n),n], "
    "i32[]; "
    "mode=N: T[m,n] -> T[m,n], R[min(m,n)], T[m,p], T[q,n], i32[]";

template <class T> void add_singular_values(CustomCallTable &table) {
  add_lapack<T>(table, "gesdd", kAll, gesdd<T>);
  add_lapack<T>(table, "gesvd", kAll, gesdd<T>);
}

} // namespace

void add_lapack_singular_values(CustomCallTable &table) {
  for_each_element_type(
      [&](auto element) { add_singular_values<decltype(element)>(table); });
  add_for_any_type(
      table, kSvdTarget,
      "T[m,n] -> R[min(m,n)]; T[m,n] -> T[m,min(m,n)], R[min(m,n)], "
      "T[min(m,n),n]; T[m,n] -> T[m,m], R[min(m,n)], T[n,n]",
      [](auto element, const CustomCall &call) {
        svd<decltype(element)>(call);
      });
}

} // namespace xlac::library
