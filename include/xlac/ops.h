// Operations on tensors, with PyTorch's names and argument order. Shapes
// broadcast and dtypes promote as in PyTorch.
#pragma once

#include "xlac/tensor.h"

namespace xlac {

#include "xlac/generated/functions.inc"

// Overloads for braces, which are lists of dims or sizes, as in the methods of
// Tensor.
/// The sum over these dimensions, or all.
inline Tensor sum(const Tensor &self, std::initializer_list<int64_t> dims,
                  bool keepdim = false, std::optional<Dtype> dtype = {}) {
  return sum(self, IntArrayRef(dims), keepdim, dtype);
}
/// The mean over these dimensions.
inline Tensor mean(const Tensor &self, std::initializer_list<int64_t> dims,
                   bool keepdim = false, std::optional<Dtype> dtype = {}) {
  return mean(self, IntArrayRef(dims), keepdim, dtype);
}
/// A view with these sizes.
inline Tensor view(const Tensor &self, std::initializer_list<int64_t> sizes) {
  return view(self, IntArrayRef(sizes));
}
/// A view without these dimensions, where their size is 1.
inline Tensor squeeze(const Tensor &self, std::initializer_list<int64_t> dims) {
  return squeeze(self, IntArrayRef(dims));
}
/// Views of parts with these sizes.
inline std::vector<Tensor> split(const Tensor &self,
                                 std::initializer_list<int64_t> split_sizes,
                                 int64_t dim = 0) {
  return split(self, IntArrayRef(split_sizes), dim);
}
/// Views of parts that begin at these indices.
inline std::vector<Tensor> tensor_split(const Tensor &self,
                                        std::initializer_list<int64_t> indices,
                                        int64_t dim = 0) {
  return tensor_split(self, IntArrayRef(indices), dim);
}
/// Random integers from 0 to below high.
inline Tensor randint(int64_t high, std::initializer_list<int64_t> size,
                      TensorOptions options = {}) {
  return randint(high, IntArrayRef(size), options);
}
void prod(const Tensor &, std::initializer_list<int64_t>,
          bool = false) = delete;
void max(const Tensor &, std::initializer_list<int64_t>, bool = false) = delete;
void min(const Tensor &, std::initializer_list<int64_t>, bool = false) = delete;
void quantile(const Tensor &, std::initializer_list<int64_t>,
              std::optional<int64_t> = {}, bool = false) = delete;
void repeat_interleave(const Tensor &, std::initializer_list<int64_t>,
                       std::optional<int64_t> = {}) = delete;
void bernoulli_(Tensor &, std::initializer_list<int64_t>) = delete;
void eye(int64_t, std::initializer_list<int64_t>, TensorOptions = {}) = delete;
void normal(std::initializer_list<int64_t>, const Tensor &) = delete;
void normal(const Tensor &, std::initializer_list<int64_t>) = delete;

// A template, so that {0} is a list of dims and not a bool.
/// The sum over these dimensions, or all.
template <std::same_as<bool> Flag>
Tensor sum(const Tensor &self, Flag keepdim) {
  return sum(self, Shape(), keepdim);
}

//===- Operators ----------------------------------------------------------===//

/// Same as add(self, other).
XLAC_API Tensor operator+(const Tensor &self, const Tensor &other);
/// Same as add(self, other).
XLAC_API Tensor operator+(const Tensor &self, Scalar other);
/// Returns the number plus each element; dtypes as in add.
XLAC_API Tensor operator+(Scalar self, const Tensor &other);
/// Same as sub(self, other).
XLAC_API Tensor operator-(const Tensor &self, const Tensor &other);
/// Same as sub(self, other).
XLAC_API Tensor operator-(const Tensor &self, Scalar other);
/// Same as rsub(other, self).
XLAC_API Tensor operator-(Scalar self, const Tensor &other);
/// Same as mul(self, other).
XLAC_API Tensor operator*(const Tensor &self, const Tensor &other);
/// Same as mul(self, other).
XLAC_API Tensor operator*(const Tensor &self, Scalar other);
/// Returns the number times each element; dtypes as in mul.
XLAC_API Tensor operator*(Scalar self, const Tensor &other);
/// Same as div(self, other).
XLAC_API Tensor operator/(const Tensor &self, const Tensor &other);
/// Same as div(self, other).
XLAC_API Tensor operator/(const Tensor &self, Scalar other);
/// Returns the number divided by each element, without rounding; dtypes as
/// in div.
XLAC_API Tensor operator/(Scalar self, const Tensor &other);
/// Same as remainder(self, other).
XLAC_API Tensor operator%(const Tensor &self, const Tensor &other);
/// Same as remainder(self, other).
XLAC_API Tensor operator%(const Tensor &self, Scalar other);
/// Same as remainder(self, other).
XLAC_API Tensor operator%(Scalar self, const Tensor &other);
/// Same as bitwise_and(self, other).
XLAC_API Tensor operator&(const Tensor &self, const Tensor &other);
/// Same as bitwise_and(self, other).
XLAC_API Tensor operator&(const Tensor &self, Scalar other);
/// Same as bitwise_and(self, other).
XLAC_API Tensor operator&(Scalar self, const Tensor &other);
/// Same as bitwise_or(self, other).
XLAC_API Tensor operator|(const Tensor &self, const Tensor &other);
/// Same as bitwise_or(self, other).
XLAC_API Tensor operator|(const Tensor &self, Scalar other);
/// Same as bitwise_or(self, other).
XLAC_API Tensor operator|(Scalar self, const Tensor &other);
/// Same as bitwise_xor(self, other).
XLAC_API Tensor operator^(const Tensor &self, const Tensor &other);
/// Same as bitwise_xor(self, other).
XLAC_API Tensor operator^(const Tensor &self, Scalar other);
/// Same as bitwise_xor(self, other).
XLAC_API Tensor operator^(Scalar self, const Tensor &other);
/// Same as bitwise_left_shift(self, other).
XLAC_API Tensor operator<<(const Tensor &self, const Tensor &other);
/// Same as bitwise_left_shift(self, other).
XLAC_API Tensor operator<<(const Tensor &self, Scalar other);
/// Same as bitwise_right_shift(self, other).
XLAC_API Tensor operator>>(const Tensor &self, const Tensor &other);
/// Same as bitwise_right_shift(self, other).
XLAC_API Tensor operator>>(const Tensor &self, Scalar other);
/// Same as neg.
XLAC_API Tensor operator-(const Tensor &self);
/// Same as bitwise_not.
XLAC_API Tensor operator~(const Tensor &self);
/// Same as logical_not.
XLAC_API Tensor operator!(const Tensor &self);

/// The comparisons are the same as eq, ne, lt, le, gt and ge. With a number on
/// the left, 2 < x is the same as gt(x, 2).
inline Tensor operator==(const Tensor &a, const Tensor &b) { return eq(a, b); }
/// Same as ne(a, b).
inline Tensor operator!=(const Tensor &a, const Tensor &b) { return ne(a, b); }
/// Same as lt(a, b).
inline Tensor operator<(const Tensor &a, const Tensor &b) { return lt(a, b); }
/// Same as le(a, b).
inline Tensor operator<=(const Tensor &a, const Tensor &b) { return le(a, b); }
/// Same as gt(a, b).
inline Tensor operator>(const Tensor &a, const Tensor &b) { return gt(a, b); }
/// Same as ge(a, b).
inline Tensor operator>=(const Tensor &a, const Tensor &b) { return ge(a, b); }
/// Same as eq(a, b).
inline Tensor operator==(const Tensor &a, Scalar b) { return eq(a, b); }
/// Same as ne(a, b).
inline Tensor operator!=(const Tensor &a, Scalar b) { return ne(a, b); }
/// Same as lt(a, b).
inline Tensor operator<(const Tensor &a, Scalar b) { return lt(a, b); }
/// Same as le(a, b).
inline Tensor operator<=(const Tensor &a, Scalar b) { return le(a, b); }
/// Same as gt(a, b).
inline Tensor operator>(const Tensor &a, Scalar b) { return gt(a, b); }
/// Same as ge(a, b).
inline Tensor operator>=(const Tensor &a, Scalar b) { return ge(a, b); }
/// Same as eq(b, a).
inline Tensor operator==(Scalar a, const Tensor &b) { return eq(b, a); }
/// Same as ne(b, a).
inline Tensor operator!=(Scalar a, const Tensor &b) { return ne(b, a); }
/// Same as gt(b, a).
inline Tensor operator<(Scalar a, const Tensor &b) { return gt(b, a); }
/// Same as ge(b, a).
inline Tensor operator<=(Scalar a, const Tensor &b) { return ge(b, a); }
/// Same as lt(b, a).
inline Tensor operator>(Scalar a, const Tensor &b) { return lt(b, a); }
/// Same as le(b, a).
inline Tensor operator>=(Scalar a, const Tensor &b) { return le(b, a); }

} // namespace xlac
