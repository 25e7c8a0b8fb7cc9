#include "lapack_calls.h"

#include <Eigen/SVD>

namespace xlac::library {

namespace {

/// LAPACK's answer to a matrix that is not finite.
constexpr int32_t kBadMatrix = -4;

/// gesdd, gesvd: (a) to (a, values, u, vᴴ, info). Mode 'A' gives all of u and
/// v, 'S' as many columns as there are values, 'N' none: then they are zeros.
template <class T> void gesdd(const CustomCall &call) {
  expect_counts(call, 1, 5);
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
    u[item] = decomposition.matrixU().template cast<T>();
    v[item] = decomposition.matrixV().adjoint().template cast<T>();
  });
}

template <class T> void add(CustomCallTable &table) {
  add_lapack<T>(table, "gesdd", gesdd<T>);
  add_lapack<T>(table, "gesvd", gesdd<T>);
}

} // namespace

void add_lapack_singular_values(CustomCallTable &table) {
  for_each_element_type([&](auto element) { add<decltype(element)>(table); });
}

} // namespace xlac::library
