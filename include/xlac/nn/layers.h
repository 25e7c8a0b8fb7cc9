// Modules that need no neighbours: linear ones. Options are in PyTorch's
// argument order, with its defaults.
#pragma once

#include "xlac/nn/module.h"

namespace xlac::nn {

struct LinearOptions {
  int64_t in_features, out_features;
  bool bias = true;
};
/// input · weightᵀ + bias; both are uniform in ±1/√in_features at first.
struct XLAC_API LinearImpl : Module {
  LinearImpl(int64_t in_features, int64_t out_features, bool bias = true);
  explicit LinearImpl(LinearOptions options);
  Tensor forward(const Tensor &input);
  Tensor weight, bias; ///< [out, in], [out]

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(Linear);

} // namespace xlac::nn
