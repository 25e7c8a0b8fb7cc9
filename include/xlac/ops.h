// Operations on tensors, in PyTorch's names and argument order. Shapes
// broadcast and dtypes promote as in PyTorch.
#pragma once

#include "xlac/tensor.h"

#include <tuple>

namespace xlac {

//===- Creation: sizes first, options last --------------------------------===//

/// Zeros; on the cpu too.
XLAC_API Tensor empty(IntArrayRef sizes, TensorOptions options = {});
XLAC_API Tensor zeros(IntArrayRef sizes, TensorOptions options = {});
XLAC_API Tensor ones(IntArrayRef sizes, TensorOptions options = {});
/// The dtype is that of `value` unless options name one.
XLAC_API Tensor full(IntArrayRef sizes, Scalar value,
                     TensorOptions options = {});
/// [0, end); whole numbers give int64.
XLAC_API Tensor arange(Scalar end, TensorOptions options = {});
XLAC_API Tensor arange(Scalar start, Scalar end, Scalar step = 1,
                       TensorOptions options = {});
XLAC_API Tensor zeros_like(const Tensor &self, TensorOptions options = {});
XLAC_API Tensor ones_like(const Tensor &self, TensorOptions options = {});
XLAC_API Tensor full_like(const Tensor &self, Scalar value,
                          TensorOptions options = {});

//===- Pointwise ----------------------------------------------------------===//

XLAC_API Tensor add(const Tensor &self, const Tensor &other, Scalar alpha = 1);
XLAC_API Tensor sub(const Tensor &self, const Tensor &other, Scalar alpha = 1);
XLAC_API Tensor mul(const Tensor &self, const Tensor &other);
/// True division: integers give the default dtype.
XLAC_API Tensor div(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator+(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator+(const Tensor &self, Scalar other);
XLAC_API Tensor operator+(Scalar self, const Tensor &other);
XLAC_API Tensor operator-(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator-(const Tensor &self, Scalar other);
XLAC_API Tensor operator-(Scalar self, const Tensor &other);
XLAC_API Tensor operator*(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator*(const Tensor &self, Scalar other);
XLAC_API Tensor operator*(Scalar self, const Tensor &other);
XLAC_API Tensor operator/(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator/(const Tensor &self, Scalar other);
XLAC_API Tensor operator/(Scalar self, const Tensor &other);
XLAC_API Tensor operator-(const Tensor &self);
/// NaN in either wins.
XLAC_API Tensor maximum(const Tensor &self, const Tensor &other);
XLAC_API Tensor minimum(const Tensor &self, const Tensor &other);

XLAC_API Tensor eq(const Tensor &self, const Tensor &other);
XLAC_API Tensor ne(const Tensor &self, const Tensor &other);
XLAC_API Tensor lt(const Tensor &self, const Tensor &other);
XLAC_API Tensor le(const Tensor &self, const Tensor &other);
XLAC_API Tensor gt(const Tensor &self, const Tensor &other);
XLAC_API Tensor ge(const Tensor &self, const Tensor &other);
XLAC_API Tensor eq(const Tensor &self, Scalar other);
XLAC_API Tensor ne(const Tensor &self, Scalar other);
XLAC_API Tensor lt(const Tensor &self, Scalar other);
XLAC_API Tensor le(const Tensor &self, Scalar other);
XLAC_API Tensor gt(const Tensor &self, Scalar other);
XLAC_API Tensor ge(const Tensor &self, Scalar other);
inline Tensor operator==(const Tensor &a, const Tensor &b) { return eq(a, b); }
inline Tensor operator!=(const Tensor &a, const Tensor &b) { return ne(a, b); }
inline Tensor operator<(const Tensor &a, const Tensor &b) { return lt(a, b); }
inline Tensor operator<=(const Tensor &a, const Tensor &b) { return le(a, b); }
inline Tensor operator>(const Tensor &a, const Tensor &b) { return gt(a, b); }
inline Tensor operator>=(const Tensor &a, const Tensor &b) { return ge(a, b); }
inline Tensor operator==(const Tensor &a, Scalar b) { return eq(a, b); }
inline Tensor operator!=(const Tensor &a, Scalar b) { return ne(a, b); }
inline Tensor operator<(const Tensor &a, Scalar b) { return lt(a, b); }
inline Tensor operator<=(const Tensor &a, Scalar b) { return le(a, b); }
inline Tensor operator>(const Tensor &a, Scalar b) { return gt(a, b); }
inline Tensor operator>=(const Tensor &a, Scalar b) { return ge(a, b); }

XLAC_API Tensor where(const Tensor &condition, const Tensor &self,
                      const Tensor &other);
XLAC_API Tensor neg(const Tensor &self);
XLAC_API Tensor abs(const Tensor &self);
XLAC_API Tensor exp(const Tensor &self);
XLAC_API Tensor log(const Tensor &self);
XLAC_API Tensor sqrt(const Tensor &self);
XLAC_API Tensor rsqrt(const Tensor &self);
XLAC_API Tensor tanh(const Tensor &self);
XLAC_API Tensor sin(const Tensor &self);
XLAC_API Tensor cos(const Tensor &self);
XLAC_API Tensor relu(const Tensor &self);
XLAC_API Tensor sigmoid(const Tensor &self);

//===- Reductions ---------------------------------------------------------===//

/// Bool and small integers sum into int64.
XLAC_API Tensor sum(const Tensor &self);
XLAC_API Tensor sum(const Tensor &self, IntArrayRef dims, bool keepdim = false);
// A template, so that {0} is a list of dims and never a flag.
template <std::same_as<bool> Flag>
Tensor sum(const Tensor &self, Flag keepdim) {
  return sum(self, Shape(), keepdim);
}
XLAC_API Tensor mean(const Tensor &self);
XLAC_API Tensor mean(const Tensor &self, IntArrayRef dims,
                     bool keepdim = false);
XLAC_API Tensor max(const Tensor &self);
/// Values and indices; the first of equal ones.
XLAC_API std::tuple<Tensor, Tensor> max(const Tensor &self, int64_t dim,
                                        bool keepdim = false);
XLAC_API Tensor amax(const Tensor &self, IntArrayRef dims,
                     bool keepdim = false);
XLAC_API Tensor argmax(const Tensor &self, std::optional<int64_t> dim = {},
                       bool keepdim = false);
XLAC_API Tensor softmax(const Tensor &self, int64_t dim,
                        std::optional<Dtype> dtype = {});
XLAC_API Tensor log_softmax(const Tensor &self, int64_t dim,
                            std::optional<Dtype> dtype = {});

//===- Products -----------------------------------------------------------===//

XLAC_API Tensor mm(const Tensor &self, const Tensor &other);
/// PyTorch's rules for 1 to n dimensions.
XLAC_API Tensor matmul(const Tensor &self, const Tensor &other);
/// input · weightᵀ + bias; weight is [out, in].
XLAC_API Tensor linear(const Tensor &input, const Tensor &weight,
                       const Tensor &bias = {});

//===- Shapes -------------------------------------------------------------===//

XLAC_API Tensor reshape(const Tensor &self, IntArrayRef sizes);
XLAC_API Tensor flatten(const Tensor &self, int64_t start_dim = 0,
                        int64_t end_dim = -1);
XLAC_API Tensor t(const Tensor &self);
XLAC_API Tensor transpose(const Tensor &self, int64_t dim0, int64_t dim1);
XLAC_API Tensor permute(const Tensor &self, IntArrayRef dims);
XLAC_API Tensor squeeze(const Tensor &self, int64_t dim);
XLAC_API Tensor unsqueeze(const Tensor &self, int64_t dim);
XLAC_API Tensor select(const Tensor &self, int64_t dim, int64_t index);
XLAC_API Tensor narrow(const Tensor &self, int64_t dim, int64_t start,
                       int64_t length);
XLAC_API Tensor cat(const std::vector<Tensor> &tensors, int64_t dim = 0);
XLAC_API Tensor stack(const std::vector<Tensor> &tensors, int64_t dim = 0);

//===- Comparing whole tensors; these run what they need ------------------===//

XLAC_API bool allclose(const Tensor &a, const Tensor &b, double rtol = 1e-5,
                       double atol = 1e-8, bool equal_nan = false);
/// Same shape and values.
XLAC_API bool equal(const Tensor &a, const Tensor &b);

} // namespace xlac
