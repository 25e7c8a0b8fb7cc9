// Implements the custom calls by which JAX calls LAPACK (lapack_sgetrf_ffi, …)
// and those of XLA's builder (Qr, Eigh, …): with the functions of dense.h, or
// with Eigen.
#pragma once

#include "call_signature.h"
#include "dense_call.h"

#include <cassert>
#include <complex>
#include <map>
#include <memory>
#include <span>
#include <string>

#include <Eigen/Core>

namespace xlac::library {

/// A target with its signature.
struct BuiltInCall {
  CallSignature signature;
  CustomCallFunction function; ///< relies on the signature
  CustomCallFunction checked;  ///< checks the call, then calls `function`
};
using CustomCallTable =
    std::map<std::string, std::shared_ptr<const BuiltInCall>, std::less<>>;

/// Registers `function` as `target`. Calls that `signature` rejects do not
/// reach it.
void add_call(CustomCallTable &table, const std::string &target,
              CallSignature signature, CustomCallFunction function);

/// potrf, getrf, trsm, gtsv, tridiagonal_solve_perturbed_ffi and
/// LuDecomposition.
void add_lapack_factorizations(CustomCallTable &table);
/// geqrf, geqp3, orgqr, ormqr, gehrd, sytrd and their complex variants, Qr and
/// ProductOfElementaryHouseholderReflectors.
void add_lapack_reflections(CustomCallTable &table);
/// syevd, heevd, geev, gees and Eigh.
void add_lapack_spectra(CustomCallTable &table);
/// gesdd and gesvd.
void add_lapack_singular_values(CustomCallTable &table);
/// cpu_csr_sparse_dense_ffi.
void add_sparse_products(CustomCallTable &table);

template <class T> using Real = typename Eigen::NumTraits<T>::Real;
template <class T>
inline constexpr bool is_complex_v = Eigen::NumTraits<T>::IsComplex;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T> using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// The type in which eigenvalues and singular values of T are computed. Eigen's
/// solvers take long to compile, so f32 uses the instance of f64.
template <class T>
using Wide = std::conditional_t<is_complex_v<T>, std::complex<double>, double>;

/// Element types as letters of LAPACK names: s, d, c, z.
template <class T>
inline constexpr char letter_v = std::is_same_v<T, float>                 ? 's'
                                 : std::is_same_v<T, double>              ? 'd'
                                 : std::is_same_v<T, std::complex<float>> ? 'c'
                                                                          : 'z';
template <class T>
inline constexpr std::string_view name_v =
    std::is_same_v<T, float>                  ? "f32"
    : std::is_same_v<T, double>               ? "f64"
    : std::is_same_v<T, std::complex<float>>  ? "complex<f32>"
    : std::is_same_v<T, std::complex<double>> ? "complex<f64>"
                                              : "i32";

/// The matrices (or vectors, or scalars) in the last dimensions of one tensor
/// of a call, which outlives it; the other dimensions are the batch. The call's
/// signature ensures the element type T and the rank.
class BatchOf {
public:
  BatchOf(const CustomCallTensor &tensor, std::string_view element_type,
          size_t dims);

  int64_t count() const { return count_; } ///< of items
  int64_t rows() const { return size(0); }
  int64_t columns() const { return size(1); }
  int64_t size(size_t dim) const { return sizes_[dim]; }

protected:
  int64_t offset(int64_t item) const;
  void *data_;
  std::span<const int64_t> batch_sizes_, batch_strides_, sizes_, strides_;
  int64_t count_ = 1;
};

template <class T> class Matrices : public BatchOf {
public:
  explicit Matrices(const CustomCallTensor &tensor)
      : BatchOf(tensor, name_v<T>, 2) {}
  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  using View = Eigen::Map<Matrix<T>, 0, Strides>;
  DenseMatrix<T> dense(int64_t item) const {
    return {static_cast<T *>(data_) + offset(item), sizes_[0], sizes_[1],
            strides_[0], strides_[1]};
  }
  /// Copies an item of `from`, which has the same size.
  void copy(const Matrices &from, int64_t item) const {
    copy_matrix(read_only(from.dense(item)), dense(item));
  }
  View operator[](int64_t item) const {
    return View(static_cast<T *>(data_) + offset(item), sizes_[0], sizes_[1],
                Strides(strides_[1], strides_[0]));
  }
};

template <class T> class Vectors : public BatchOf {
public:
  explicit Vectors(const CustomCallTensor &tensor)
      : BatchOf(tensor, name_v<T>, 1) {}
  using View = Eigen::Map<Vector<T>, 0, Eigen::InnerStride<>>;
  View operator[](int64_t item) const {
    return View(static_cast<T *>(data_) + offset(item), sizes_[0],
                Eigen::InnerStride<>(strides_[0]));
  }
};

template <class T> class Scalars : public BatchOf {
public:
  explicit Scalars(const CustomCallTensor &tensor)
      : BatchOf(tensor, name_v<T>, 0) {}
  T &operator[](int64_t item) const {
    return static_cast<T *>(data_)[offset(item)];
  }
};

/// Runs `one` for each item, on several threads. All tensors have the same
/// number of items.
void for_each_item(const CustomCall &call,
                   std::initializer_list<const BatchOf *> all,
                   const std::function<void(int64_t item)> &one);

/// Throws std::invalid_argument with the message `what`.
[[noreturn]] void reject(const std::string &what);

/// An attribute that is a LAPACK letter, such as 'L' of uplo; one of `allowed`.
char letter(const CustomCall &call, std::string_view name,
            std::string_view allowed);

/// Registers function<T> as "lapack_<letter><name>_ffi".
template <class T>
void add_lapack(CustomCallTable &table, const std::string &name,
                std::string_view signature,
                void (*function)(const CustomCall &)) {
  add_call(table, std::string("lapack_") + letter_v<T> + name + "_ffi",
           CallSignature(signature, name_v<T>), function);
}

/// Calls `add` with a value of each type that decompositions support.
template <class Add> void for_each_element_type(Add add) {
  add(float{});
  add(double{});
  add(std::complex<float>{});
  add(std::complex<double>{});
}

/// Registers a target for any of these types. It calls `function` with a value
/// of the first operand's type, and the call.
template <class Function>
void add_for_any_type(CustomCallTable &table, const std::string &target,
                      std::string_view signature, Function function) {
  add_call(table, target, CallSignature(signature),
           [=](const CustomCall &call) {
             for_each_element_type([&](auto element) {
               if (call.operands[0].element_type == name_v<decltype(element)>)
                 function(element, call);
             });
           });
}

} // namespace xlac::library
