#include "lapack_signs.h"
#include "rotations.h"

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

enum class Outcome { Found, NotFinite, NotFound };

/// Finds the singular values, and with `vectors` also the vectors, of a matrix
/// with at most kMostRotatedRows of them, with LAPACK's signs.
template <class T>
Outcome decompose_small(const Matrix<T> &a, bool vectors, unsigned wanted,
                        typename Vectors<Real<T>>::View values, Matrix<T> &left,
                        Matrix<T> &right) {
  if (!a.allFinite())
    return Outcome::NotFinite;
  Eigen::BDCSVD<Matrix<Wide<T>>> decomposition(a.template cast<Wide<T>>(),
                                               vectors ? wanted : 0);
  if (decomposition.info() != Eigen::Success)
    return Outcome::NotFound;
  values = decomposition.singularValues().template cast<Real<T>>();
  if (vectors) {
    Matrix<Wide<T>> u, v;
    take_vectors(a, decomposition, u, v);
    left = u.template cast<T>();
    right = v.template cast<T>();
  }
  return Outcome::Found;
}

/// Decomposes an item of `in`, which is not empty. Without u and v finds only
/// the values. They are square, or have as many columns and rows as there are
/// values.
template <class T>
Outcome decompose(const Matrices<T> &in, int64_t item,
                  const Vectors<Real<T>> &values, const Matrices<T> *u,
                  const Matrices<T> *v) {
  int64_t count = std::min(in.rows(), in.columns());
  if (count <= kMostRotatedRows) {
    bool thin = u && std::max(u->columns(), v->rows()) == count;
    unsigned wanted = thin ? Eigen::ComputeThinU | Eigen::ComputeThinV
                           : Eigen::ComputeFullU | Eigen::ComputeFullV;
    Matrix<T> left, right;
    Outcome outcome = decompose_small<T>(in[item], u != nullptr, wanted,
                                         values[item], left, right);
    if (u && outcome == Outcome::Found) {
      (*u)[item] = left;
      (*v)[item] = right;
    }
    return outcome;
  }
  std::vector<double> found(count);
  DenseMatrix<T> none{};
  if (!DenseCalls<T>::find_singular_values(
          read_only(in.dense(item)), u ? u->dense(item) : none, found.data(),
          v ? v->dense(item) : none))
    return in[item].allFinite() ? Outcome::NotFound : Outcome::NotFinite;
  auto to = values[item];
  for (int64_t i = 0; i < count; ++i)
    to(i) = static_cast<Real<T>>(found[i]);
  return Outcome::Found;
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
  for_each_item(call, {&in, &rest, &values, &u, &v, &info}, [&](int64_t item) {
    rest.copy(in, item);
    u[item].setZero();
    v[item].setZero();
    values[item].setZero();
    info[item] = 0;
    if (in.rows() == 0 || in.columns() == 0)
      return;
    Outcome outcome = decompose(rest, item, values, mode == 'N' ? nullptr : &u,
                                mode == 'N' ? nullptr : &v);
    info[item] = outcome == Outcome::NotFinite  ? kBadMatrix
                 : outcome == Outcome::NotFound ? 1
                                                : 0;
  });
}

/// xlac.svd: (a) to (u, values, vᴴ), or only to the values. u and v are square
/// or have as many columns as there are values. Fails if they are not found.
template <class T> void svd(const CustomCall &call) {
  bool vectors = call.results.size() == 3;
  Matrices<T> in(call.operands[0]);
  Vectors<Real<T>> values(call.results[vectors ? 1 : 0]);
  std::optional<Matrices<T>> u, v;
  if (vectors) {
    u.emplace(call.results[0]);
    v.emplace(call.results[2]);
  }
  for_each_item(call, {&in, &values}, [&](int64_t item) {
    if (in.rows() == 0 || in.columns() == 0) {
      if (vectors) {
        (*u)[item].setIdentity();
        (*v)[item].setIdentity();
      }
      return;
    }
    Outcome outcome =
        decompose(in, item, values, u ? &*u : nullptr, v ? &*v : nullptr);
    if (outcome == Outcome::NotFinite)
      throw std::runtime_error("linalg.svd(): the algorithm failed to converge "
                               "because the input matrix contained non-finite "
                               "values");
    if (outcome == Outcome::NotFound)
      throw std::runtime_error("linalg.svd(): the algorithm failed to "
                               "converge");
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
