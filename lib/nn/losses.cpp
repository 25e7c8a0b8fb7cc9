#include "xlac/nn/losses.h"

#include "repr.h"

#include "xlac/support/raise.h"

namespace xlac::nn {

/// Returns a new tensor that shares the given one's data. So the module can
/// move it without moving the caller's tensor.
static Tensor shown(const Tensor &given) {
  return given.defined() ? given.detach() : given;
}

//===- Regression ---------------------------------------------------------===//

Tensor L1LossImpl::forward(const Tensor &input, const Tensor &target) {
  return l1_loss(input, target, options.reduction);
}

Tensor MSELossImpl::forward(const Tensor &input, const Tensor &target) {
  return mse_loss(input, target, options.reduction);
}

Tensor SmoothL1LossImpl::forward(const Tensor &input, const Tensor &target) {
  return smooth_l1_loss(input, target, options.reduction, options.beta);
}

Tensor HuberLossImpl::forward(const Tensor &input, const Tensor &target) {
  return huber_loss(input, target, options.reduction, options.delta);
}

Tensor PoissonNLLLossImpl::forward(const Tensor &input, const Tensor &target) {
  return poisson_nll_loss(input, target, options.log_input, options.full,
                          options.eps, options.reduction);
}

Tensor GaussianNLLLossImpl::forward(const Tensor &input, const Tensor &target,
                                    const Tensor &var) {
  return gaussian_nll_loss(input, target, var, options.full, options.eps,
                           options.reduction);
}

Tensor GaussianNLLLossImpl::forward(const Tensor &input, const Tensor &target,
                                    double var) {
  return forward(input, target, full_like(input, var));
}

Tensor KLDivLossImpl::forward(const Tensor &input, const Tensor &target) {
  return kl_div(input, target, options.reduction, options.log_target);
}

//===- Classification -----------------------------------------------------===//

NLLLossImpl::NLLLossImpl(Options given) : options(std::move(given)) {
  options.weight = register_buffer("weight", shown(options.weight));
}

Tensor NLLLossImpl::forward(const Tensor &input, const Tensor &target) {
  return nll_loss(input, target, options.weight, options.ignore_index,
                  options.reduction);
}

CrossEntropyLossImpl::CrossEntropyLossImpl(Options given)
    : options(std::move(given)) {
  options.weight = register_buffer("weight", shown(options.weight));
}

Tensor CrossEntropyLossImpl::forward(const Tensor &input,
                                     const Tensor &target) {
  return cross_entropy(input, target, options.weight, options.ignore_index,
                       options.reduction, options.label_smoothing);
}

BCELossImpl::BCELossImpl(Options given) : options(std::move(given)) {
  options.weight = register_buffer("weight", shown(options.weight));
}

Tensor BCELossImpl::forward(const Tensor &input, const Tensor &target) {
  return binary_cross_entropy(input, target, options.weight, options.reduction);
}

BCEWithLogitsLossImpl::BCEWithLogitsLossImpl(Options given)
    : options(std::move(given)) {
  options.weight = register_buffer("weight", shown(options.weight));
  options.pos_weight = register_buffer("pos_weight", shown(options.pos_weight));
}

Tensor BCEWithLogitsLossImpl::forward(const Tensor &input,
                                      const Tensor &target) {
  return binary_cross_entropy_with_logits(
      input, target, options.weight, options.reduction, options.pos_weight);
}

Tensor CTCLossImpl::forward(const Tensor &log_probs, const Tensor &targets,
                            const Tensor &input_lengths,
                            const Tensor &target_lengths) {
  return ctc_loss(log_probs, targets, input_lengths, target_lengths,
                  options.blank, options.reduction, options.zero_infinity);
}

//===- Margin losses ------------------------------------------------------===//

Tensor SoftMarginLossImpl::forward(const Tensor &input, const Tensor &target) {
  return soft_margin_loss(input, target, options.reduction);
}

Tensor MultiLabelMarginLossImpl::forward(const Tensor &input,
                                         const Tensor &target) {
  return multilabel_margin_loss(input, target, options.reduction);
}

Tensor HingeEmbeddingLossImpl::forward(const Tensor &input,
                                       const Tensor &target) {
  return hinge_embedding_loss(input, target, options.margin, options.reduction);
}

MultiLabelSoftMarginLossImpl::MultiLabelSoftMarginLossImpl(Options given)
    : options(std::move(given)) {
  options.weight = register_buffer("weight", shown(options.weight));
}

Tensor MultiLabelSoftMarginLossImpl::forward(const Tensor &input,
                                             const Tensor &target) {
  return multilabel_soft_margin_loss(input, target, options.weight,
                                     options.reduction);
}

MultiMarginLossImpl::MultiMarginLossImpl(Options given)
    : options(std::move(given)) {
  if (options.p != 1 && options.p != 2)
    raise<ValueError>("MultiMarginLoss: only p == 1 and p == 2 supported");
  if (options.weight.defined() && options.weight.dim() != 1)
    raise<ValueError>("MultiMarginLoss: expected weight to be None or 1D "
                      "tensor, got " +
                      std::to_string(options.weight.dim()) + "D instead");
  options.weight = register_buffer("weight", shown(options.weight));
}

Tensor MultiMarginLossImpl::forward(const Tensor &input, const Tensor &target) {
  return multi_margin_loss(input, target, static_cast<double>(options.p),
                           options.margin, options.weight, options.reduction);
}

Tensor MarginRankingLossImpl::forward(const Tensor &input1,
                                      const Tensor &input2,
                                      const Tensor &target) {
  return margin_ranking_loss(input1, input2, target, options.margin,
                             options.reduction);
}

Tensor CosineEmbeddingLossImpl::forward(const Tensor &input1,
                                        const Tensor &input2,
                                        const Tensor &target) {
  return cosine_embedding_loss(input1, input2, target, options.margin,
                               options.reduction);
}

TripletMarginLossImpl::TripletMarginLossImpl(Options given)
    : options(std::move(given)) {
  if (options.margin <= 0)
    raise<ValueError>("TripletMarginLoss: expected margin to be greater than "
                      "0, got " +
                      repr_of(options.margin) + " instead");
}

Tensor TripletMarginLossImpl::forward(const Tensor &anchor,
                                      const Tensor &positive,
                                      const Tensor &negative) {
  return triplet_margin_loss(anchor, positive, negative, options.margin,
                             options.p, options.eps, options.swap,
                             options.reduction);
}

} // namespace xlac::nn
