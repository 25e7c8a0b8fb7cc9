#include "xlac/nn/layers.h"

#include "initial_values.h"
#include "repr.h"

namespace xlac::nn {

LinearImpl::LinearImpl(int64_t in_features, int64_t out_features, bool bias)
    : LinearImpl(LinearOptions{in_features, out_features, bias}) {}

LinearImpl::LinearImpl(LinearOptions options) {
  int64_t in = options.in_features, out = options.out_features;
  weight = register_parameter("weight", uniform_start({out, in}, in));
  bias = register_parameter("bias",
                            options.bias ? uniform_start({out}, in) : Tensor());
}

Tensor LinearImpl::forward(const Tensor &input) {
  return linear(input, weight, bias);
}

std::string LinearImpl::extra_repr() const {
  return "in_features=" + std::to_string(weight.size(1)) +
         ", out_features=" + std::to_string(weight.size(0)) +
         ", bias=" + repr_of(bias.defined());
}

} // namespace xlac::nn
