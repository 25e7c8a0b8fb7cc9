// Losses. Options have PyTorch's order of arguments and its defaults. A
// `reduction` is "mean", "sum" or "none"; for another one the call of the loss
// throws ValueError. Weights are buffers that share the given tensors: they
// move with the module, and later writes to the tensors take effect.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

/// Defines the loss `Name` of an input and a target.
#define XLAC_LOSS_MODULE(Name, OptionsType)                                    \
  struct XLAC_API Name##Impl : ::xlac::nn::Module {                            \
    using Options = OptionsType;                                               \
    explicit Name##Impl(Options given = {}) : options(std::move(given)) {}     \
    ::xlac::Tensor forward(const ::xlac::Tensor &input,                        \
                           const ::xlac::Tensor &target);                      \
    Options options;                                                           \
  };                                                                           \
  XLAC_MODULE(Name)

//===- Regression ---------------------------------------------------------===//

/// Options of losses without other options.
struct ReductionOptions {
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
};
/// |input - target|.
XLAC_LOSS_MODULE(L1Loss, ReductionOptions);
/// (input - target)².
XLAC_LOSS_MODULE(MSELoss, ReductionOptions);

/// Options of SmoothL1Loss.
struct SmoothL1LossOptions {
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
  double beta = 1; ///< where the loss changes from quadratic to linear
};
/// (input - target)² / (2 beta) where |input - target| < beta, else |input -
/// target| - beta / 2.
XLAC_LOSS_MODULE(SmoothL1Loss, SmoothL1LossOptions);

/// Options of HuberLoss.
struct HuberLossOptions {
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
  double delta = 1; ///< where the loss changes from quadratic to linear
};
/// delta times SmoothL1Loss with beta = delta.
XLAC_LOSS_MODULE(HuberLoss, HuberLossOptions);

/// Options of PoissonNLLLoss.
struct PoissonNLLLossOptions {
  bool log_input = true; ///< whether the input is a logarithm
  bool full = false;     ///< adds Stirling's approximation of log(target!)
  double eps = 1e-8;     ///< added where a logarithm or root would be infinite
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
};
/// exp(input) - target · input with log_input, else input - target · log(input
/// + eps).
XLAC_LOSS_MODULE(PoissonNLLLoss, PoissonNLLLossOptions);

/// Options of GaussianNLLLoss.
struct GaussianNLLLossOptions {
  bool full = false;              ///< adds log(2π) / 2
  double eps = 1e-6;              ///< lower bound of variances
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
};
/// (log var + (input - target)² / var) / 2.
struct XLAC_API GaussianNLLLossImpl : Module {
  using Options = GaussianNLLLossOptions;
  explicit GaussianNLLLossImpl(Options given = {})
      : options(std::move(given)) {}
  /// `var` has the input's sizes, or lacks the last dimension or has size 1
  /// there.
  Tensor forward(const Tensor &input, const Tensor &target, const Tensor &var);
  Tensor forward(const Tensor &input, const Tensor &target, double var);
  Options options;
};
XLAC_MODULE(GaussianNLLLoss);

/// Options of KLDivLoss.
struct KLDivLossOptions {
  std::string reduction = "mean"; ///< or "batchmean": sum / first size
  bool log_target = false;        ///< whether the target is a logarithm
};
/// target · (log target - input). The input is a logarithm; with log_target the
/// target is one too.
XLAC_LOSS_MODULE(KLDivLoss, KLDivLossOptions);

//===- Classification -----------------------------------------------------===//

/// Options of NLLLoss.
struct NLLLossOptions {
  Tensor weight = {};             ///< [C]
  int64_t ignore_index = -100;    ///< class without effect on loss and gradient
  std::string reduction = "mean"; ///< weighted
};
/// -input[target] for log probabilities [N, C, …] and classes [N, …].
struct XLAC_API NLLLossImpl : Module {
  using Options = NLLLossOptions;
  explicit NLLLossImpl(Options given = {});
  Tensor forward(const Tensor &input, const Tensor &target);
  Options options;
};
XLAC_MODULE(NLLLoss);

/// Options of CrossEntropyLoss.
struct CrossEntropyLossOptions {
  Tensor weight = {};             ///< [C]
  int64_t ignore_index = -100;    ///< class without effect on loss and gradient
  std::string reduction = "mean"; ///< weighted
  /// Share of the target spread over all classes, 0 to 1.
  double label_smoothing = 0;
};
/// The cross entropy of logits [N, C, …] and classes [N, …] or probabilities
/// [N, C, …].
struct XLAC_API CrossEntropyLossImpl : Module {
  using Options = CrossEntropyLossOptions;
  explicit CrossEntropyLossImpl(Options given = {});
  Tensor forward(const Tensor &input, const Tensor &target);
  Options options;
};
XLAC_MODULE(CrossEntropyLoss);

/// Options of losses of weighted elements.
struct WeightedLossOptions {
  Tensor weight = {}; ///< factors of the elements; none if undefined
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
};
/// -target · log(input) - (1 - target) · log(1 - input) for probabilities.
struct XLAC_API BCELossImpl : Module {
  using Options = WeightedLossOptions;
  explicit BCELossImpl(Options given = {});
  Tensor forward(const Tensor &input, const Tensor &target);
  Options options;
};
XLAC_MODULE(BCELoss);

/// Options of BCEWithLogitsLoss.
struct BCEWithLogitsLossOptions {
  Tensor weight = {}; ///< factors of the elements; none if undefined
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
  Tensor pos_weight = {};         ///< weights of targets of 1, by class
};
/// BCELoss of sigmoid(input), computed without overflow.
struct XLAC_API BCEWithLogitsLossImpl : Module {
  using Options = BCEWithLogitsLossOptions;
  explicit BCEWithLogitsLossImpl(Options given = {});
  Tensor forward(const Tensor &input, const Tensor &target);
  Options options;
};
XLAC_MODULE(BCEWithLogitsLoss);

/// Options of CTCLoss.
struct CTCLossOptions {
  int64_t blank = 0;              ///< index of the blank label
  std::string reduction = "mean"; ///< over losses divided by target lengths
  bool zero_infinity = false;     ///< targets that are too long have loss 0
};
/// The negative log likelihood of the targets over all alignments, for log
/// probabilities [T, N, C] or [T, C]. The targets are [N, S] or concatenated.
/// On xla devices it is one loop of the program.
struct XLAC_API CTCLossImpl : Module {
  using Options = CTCLossOptions;
  explicit CTCLossImpl(Options given = {}) : options(std::move(given)) {}
  Tensor forward(const Tensor &log_probs, const Tensor &targets,
                 const Tensor &input_lengths, const Tensor &target_lengths);
  Options options;
};
XLAC_MODULE(CTCLoss);

//===- Margin losses ------------------------------------------------------===//

/// log(1 + exp(-target · input)) for targets ±1.
XLAC_LOSS_MODULE(SoftMarginLoss, ReductionOptions);
/// The multi-label margin loss of inputs [N, C] or [C]. Targets list classes up
/// to the first negative number.
XLAC_LOSS_MODULE(MultiLabelMarginLoss, ReductionOptions);

/// Options of HingeEmbeddingLoss.
struct HingeEmbeddingLossOptions {
  double margin = 1;              ///< distance that the loss asks for
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
};
/// input where the target is 1, max(0, margin - input) where it is -1.
XLAC_LOSS_MODULE(HingeEmbeddingLoss, HingeEmbeddingLossOptions);

/// BCEWithLogitsLoss of each class, averaged over classes.
struct XLAC_API MultiLabelSoftMarginLossImpl : Module {
  using Options = WeightedLossOptions;
  explicit MultiLabelSoftMarginLossImpl(Options given = {});
  Tensor forward(const Tensor &input, const Tensor &target);
  Options options;
};
XLAC_MODULE(MultiLabelSoftMarginLoss);

/// Options of MultiMarginLoss.
struct MultiMarginLossOptions {
  int64_t p = 1;                  ///< 1 or 2
  double margin = 1;              ///< distance that the loss asks for
  Tensor weight = {};             ///< [C]
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
};
/// Σ max(0, margin - input[target] + input[i])^p / C over the other classes i.
/// Throws ValueError for another p, and for a weight that does not have one
/// dimension.
struct XLAC_API MultiMarginLossImpl : Module {
  using Options = MultiMarginLossOptions;
  explicit MultiMarginLossImpl(Options given = {});
  Tensor forward(const Tensor &input, const Tensor &target);
  Options options;
};
XLAC_MODULE(MultiMarginLoss);

/// Options of losses of two inputs.
struct PairLossOptions {
  double margin = 0;              ///< distance that the loss asks for
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
};

/// Defines the loss `Name` of two inputs and targets ±1.
#define XLAC_PAIR_LOSS_MODULE(Name)                                            \
  struct XLAC_API Name##Impl : ::xlac::nn::Module {                            \
    using Options = ::xlac::nn::PairLossOptions;                               \
    explicit Name##Impl(Options given = {}) : options(std::move(given)) {}     \
    ::xlac::Tensor forward(const ::xlac::Tensor &input1,                       \
                           const ::xlac::Tensor &input2,                       \
                           const ::xlac::Tensor &target);                      \
    Options options;                                                           \
  };                                                                           \
  XLAC_MODULE(Name)
/// max(0, margin - target · (input1 - input2)).
XLAC_PAIR_LOSS_MODULE(MarginRankingLoss);
/// 1 - cos(input1, input2) where the target is 1, max(0, cos - margin) where it
/// is -1.
XLAC_PAIR_LOSS_MODULE(CosineEmbeddingLoss);
#undef XLAC_PAIR_LOSS_MODULE

/// Options of TripletMarginLoss.
struct TripletMarginLossOptions {
  double margin = 1; ///< distance that the loss asks for
  double p = 2;      ///< exponent of the norm
  double eps = 1e-6; ///< added to the differences
  /// the distance of the negative is the smaller one from anchor and positive
  bool swap = false;
  std::string reduction = "mean"; ///< "mean", "sum" or "none"
};
/// max(0, |anchor - positive| - |anchor - negative| + margin). Throws
/// ValueError unless the margin is positive.
struct XLAC_API TripletMarginLossImpl : Module {
  using Options = TripletMarginLossOptions;
  explicit TripletMarginLossImpl(Options given = {});
  Tensor forward(const Tensor &anchor, const Tensor &positive,
                 const Tensor &negative);
  Options options;
};
XLAC_MODULE(TripletMarginLoss);

} // namespace xlac::nn
