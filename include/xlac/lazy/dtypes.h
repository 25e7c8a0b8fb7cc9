// The public Dtype beside the project's ElementType, and PyTorch's promotion.
#pragma once

#include "xlac/support/element_type.h"
#include "xlac/types.h"

namespace xlac::lazy {

ElementType element_type(Dtype dtype);
/// Of a type that some Dtype stands for, else nothing.
std::optional<Dtype> dtype_of_element(ElementType type);

/// "Float", "Long": how PyTorch's messages name a dtype; with "Tensor" behind,
/// its tensor classes.
std::string legacy_name(Dtype dtype);

/// bool < integer < float < complex.
int category(Dtype dtype);
/// The dtype that a number alone stands for: bool, int64, default, complex.
Dtype dtype_of_number(const Scalar &number);

/// Collects operands and gives PyTorch's result_type: tensors with dimensions
/// decide within a category, then those without, then numbers.
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
