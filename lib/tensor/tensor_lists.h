// Properties and values of lists of tensors, in their order.
#pragma once

#include "xlac/tensor/access.h"

#include <vector>

namespace xlac::frontend {

inline std::vector<Dtype> dtypes_of(const std::vector<Tensor> &tensors) {
  std::vector<Dtype> dtypes;
  for (const Tensor &tensor : tensors)
    dtypes.push_back(impl_of(tensor).dtype);
  return dtypes;
}

inline std::vector<Value> values_on(const std::vector<Tensor> &tensors,
                                    Device device) {
  std::vector<Value> values;
  for (const Tensor &tensor : tensors)
    values.push_back(value_on(tensor, device));
  return values;
}

} // namespace xlac::frontend
