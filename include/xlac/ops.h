// Operations on tensors, in PyTorch's names and argument order. Shapes
// broadcast and dtypes promote as in PyTorch.
#pragma once

#include "xlac/tensor.h"

namespace xlac {

#include "xlac/generated/functions.inc"

// A template, so that {0} is a list of dims and never a flag.
template <std::same_as<bool> Flag>
Tensor sum(const Tensor &self, Flag keepdim) {
  return sum(self, Shape(), keepdim);
}

//===- Operators ----------------------------------------------------------===//

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
XLAC_API Tensor operator%(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator%(const Tensor &self, Scalar other);
XLAC_API Tensor operator%(Scalar self, const Tensor &other);
XLAC_API Tensor operator&(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator&(const Tensor &self, Scalar other);
XLAC_API Tensor operator&(Scalar self, const Tensor &other);
XLAC_API Tensor operator|(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator|(const Tensor &self, Scalar other);
XLAC_API Tensor operator|(Scalar self, const Tensor &other);
XLAC_API Tensor operator^(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator^(const Tensor &self, Scalar other);
XLAC_API Tensor operator^(Scalar self, const Tensor &other);
XLAC_API Tensor operator<<(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator<<(const Tensor &self, Scalar other);
XLAC_API Tensor operator>>(const Tensor &self, const Tensor &other);
XLAC_API Tensor operator>>(const Tensor &self, Scalar other);
XLAC_API Tensor operator-(const Tensor &self);
XLAC_API Tensor operator~(const Tensor &self);
/// logical_not.
XLAC_API Tensor operator!(const Tensor &self);
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
inline Tensor operator==(Scalar a, const Tensor &b) { return eq(b, a); }
inline Tensor operator!=(Scalar a, const Tensor &b) { return ne(b, a); }
inline Tensor operator<(Scalar a, const Tensor &b) { return gt(b, a); }
inline Tensor operator<=(Scalar a, const Tensor &b) { return ge(b, a); }
inline Tensor operator>(Scalar a, const Tensor &b) { return lt(b, a); }
inline Tensor operator>=(Scalar a, const Tensor &b) { return le(b, a); }

} // namespace xlac
