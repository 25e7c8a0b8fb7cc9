// Conversion between the public Dtype and ElementType, and PyTorch's promotion.
#pragma once

#include "xlac/support/element_type.h"
#include "xlac/types.h"

namespace xlac::lazy {

ElementType element_type(Dtype dtype);
/// The Dtype of an element type; empty if none corresponds to it.
std::optional<Dtype> dtype_of_element(ElementType type);

/// "Float", "Long": names of dtypes in PyTorch's messages. With the suffix
/// "Tensor" they are its tensor classes.
std::string legacy_name(Dtype dtype);

/// Rank of the category: bool < integer < float < complex.
int category(Dtype dtype);
/// The dtype of a number without operands: bool, int64, the default dtype, or
/// complex.
Dtype dtype_of_number(const Scalar &number);

/// Collects operands and computes PyTorch's result_type. Within a category,
/// tensors with dimensions take precedence over 0-dimensional tensors, and
/// those over numbers.
class ResultType {
public:
  void add(Dtype dtype, bool has_dimensions);
  void add(const Scalar &number);
  Dtype get() const;

private:
  std::optional<Dtype> dimensional_, zero_dimensional_, number_;
};

} // namespace xlac::lazy

namespace xlac::detail {
struct ScalarAccess {
  static const auto &held(const Scalar &scalar) { return scalar.v_; }
};
struct OptionsAccess {
  static std::optional<Dtype> dtype(const TensorOptions &o) { return o.dtype_; }
  static std::optional<Device> device(const TensorOptions &o) {
    return o.device_;
  }
  static bool requires_grad(const TensorOptions &o) { return o.requires_grad_; }
};
} // namespace xlac::detail
