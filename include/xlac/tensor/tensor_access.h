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
  /// As Tensor::data_ptr.
  static void *raw_data(const Tensor &tensor, Dtype dtype) {
    return tensor.raw_data(dtype);
  }
  static const auto &held(const TensorIndex &index) { return index.v_; }
};
} // namespace xlac::detail
