#include "xlac/nn/layers.h"

#include "initial_values.h"
#include "repr.h"

#include "xlac/support/raise.h"

#include <fmt/format.h>

namespace xlac::nn {

Tensor IdentityImpl::forward(const Tensor &input) { return input; }
std::string IdentityImpl::extra_repr() const { return ""; }

//===- Linear -------------------------------------------------------------===//

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
  return fmt::format("in_features={}, out_features={}, bias={}", weight.size(1),
                     weight.size(0), repr_of(bias.defined()));
}

BilinearImpl::BilinearImpl(Options given) : options(given) {
  int64_t in1 = options.in1_features, in2 = options.in2_features,
          out = options.out_features;
  if (in1 <= 0)
    raise<ValueError>(
        fmt::format("Bilinear: in1_features must be > 0, but got {}", in1));
  weight = register_parameter("weight", uniform_start({out, in1, in2}, in1));
  bias = register_parameter("bias", options.bias ? uniform_start({out}, in1)
                                                 : Tensor());
}

Tensor BilinearImpl::forward(const Tensor &input1, const Tensor &input2) {
  return bilinear(input1, input2, weight, bias);
}

std::string BilinearImpl::extra_repr() const {
  return fmt::format(
      "in1_features={}, in2_features={}, out_features={}, bias={}",
      options.in1_features, options.in2_features, options.out_features,
      repr_of(bias.defined()));
}

//===- Shapes -------------------------------------------------------------===//

Tensor FlattenImpl::forward(const Tensor &input) {
  return flatten(input, options.start_dim, options.end_dim);
}
std::string FlattenImpl::extra_repr() const {
  return fmt::format("start_dim={}, end_dim={}", options.start_dim,
                     options.end_dim);
}

Tensor UnflattenImpl::forward(const Tensor &input) {
  return unflatten(input, options.dim, options.unflattened_size);
}
std::string UnflattenImpl::extra_repr() const {
  return fmt::format("dim={}, unflattened_size={}", options.dim,
                     repr_of(options.unflattened_size));
}

} // namespace xlac::nn
