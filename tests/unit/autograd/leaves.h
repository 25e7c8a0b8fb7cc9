// Helpers of the gradient tests.
#pragma once

#include "xlac/autograd.h"
#include "xlac/ops.h"

#include <string>
#include <vector>

namespace xlac {

using Numbers = std::vector<double>;

inline Tensor leaf(const Numbers &numbers) {
  return tensor(numbers, TensorOptions(kFloat64)).requires_grad_();
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace xlac
