#include "xlac/nn/losses.h"

namespace xlac::nn {

NLLLossImpl::NLLLossImpl(NLLLossOptions options)
    : ignore_index_(options.ignore_index),
      reduction_(std::move(options.reduction)) {
  weight_ = register_buffer("weight", options.weight);
}

Tensor NLLLossImpl::forward(const Tensor &input, const Tensor &target) {
  return nll_loss(input, target, weight_, ignore_index_, reduction_);
}

} // namespace xlac::nn
