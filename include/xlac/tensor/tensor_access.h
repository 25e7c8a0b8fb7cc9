// Access to the implementation behind handles of the public API.
#pragma once

#include "xlac/lazy/tensor_impl.h"
#include "xlac/tensor.h"

namespace xlac::detail {
struct TensorAccess {
  static const std::shared_ptr<TensorImpl> &impl(const Tensor &tensor) {
    return tensor.impl_;
  }
  static Tensor wrap(std::shared_ptr<TensorImpl> impl) {
    Tensor tensor;
    tensor.impl_ = std::move(impl);
    return tensor;
  }
  static const auto &held(const TensorIndex &index) { return index.v_; }
};
} // namespace xlac::detail
