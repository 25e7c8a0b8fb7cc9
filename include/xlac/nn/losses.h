// Losses. Options are in PyTorch's argument order, with its defaults.
#pragma once

#include "xlac/nn/module.h"

namespace xlac::nn {

struct NLLLossOptions {
  Tensor weight = {};
  int64_t ignore_index = -100;
  std::string reduction = "mean";
};
struct XLAC_API NLLLossImpl : Module {
  explicit NLLLossImpl(NLLLossOptions options = {});
  Tensor forward(const Tensor &input, const Tensor &target);

private:
  Tensor weight_;
  int64_t ignore_index_;
  std::string reduction_;
};
XLAC_MODULE(NLLLoss);

} // namespace xlac::nn
