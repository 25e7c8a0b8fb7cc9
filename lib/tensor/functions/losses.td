#ifndef XLAC_TENSOR_FUNCTIONS_LOSSES
#define XLAC_TENSOR_FUNCTIONS_LOSSES

include "tensor/functions/Function.td"

// `reduction` is "none", "mean" or "sum".
def mse_loss : Function<"Tensor mse_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns the squared differences, their mean, or their sum, by `reduction` ("none", "mean" or "sum", else ValueError). Input and target broadcast; throws DtypeError unless the common dtype is a real float one.}];
}
def l1_loss : Function<"Tensor l1_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns the absolute differences, reduced by `reduction`. Input and target broadcast.}];
}
def smooth_l1_loss : Function<"Tensor smooth_l1_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\", double beta = 1)"> {
  let doc = [{Returns 0.5 * d² / beta where the difference |d| is below `beta`, else |d| - 0.5 * beta, reduced by `reduction`. Input and target broadcast. Throws ValueError for a negative `beta`.}];
}
def huber_loss : Function<"Tensor huber_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\", double delta = 1)"> {
  let doc = [{Returns 0.5 * d² where the difference |d| is at most `delta`, else delta * (|d| - 0.5 * delta), reduced by `reduction`. Input and target broadcast. Throws ValueError unless `delta` is positive.}];
}
def nll_loss : Function<"Tensor nll_loss(const Tensor &input, const Tensor &target, const Tensor &weight = {}, int64_t ignore_index = -100, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns minus the element of each target class in log probabilities [C], [N, C] or [N, C, …], times its class weight. The mean is weighted and leaves out targets that are `ignore_index`. On the cpu a class out of range is an IndexError.}];
}
def cross_entropy : Function<"Tensor cross_entropy(const Tensor &input, const Tensor &target, const Tensor &weight = {}, int64_t ignore_index = -100, std::string_view reduction = \"mean\", double label_smoothing = 0)"> {
  let doc = [{Returns nll_loss(log_softmax(input)). Targets are class indices, or floats with probabilities of all classes in the shape of the input, which do not support an `ignore_index`. Throws ValueError unless `label_smoothing` is in [0, 1].}];
}
def binary_cross_entropy : Function<"Tensor binary_cross_entropy(const Tensor &input, const Tensor &target, const Tensor &weight = {}, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns -(t * log(x) + (1 - t) * log(1 - x)) for probabilities x, times `weight`; logarithms are at least -100. Throws ValueError if the sizes of input and target differ.}];
}
def binary_cross_entropy_with_logits : Function<"Tensor binary_cross_entropy_with_logits(const Tensor &input, const Tensor &target, const Tensor &weight = {}, std::string_view reduction = \"mean\", const Tensor &pos_weight = {})"> {
  let doc = [{Returns binary_cross_entropy(sigmoid(input)) without overflow; `pos_weight` multiplies the part of positive targets. Throws ValueError if the sizes of input and target differ.}];
}
def kl_div : Function<"Tensor kl_div(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\", bool log_target = false)"> {
  let doc = [{Returns target * (log(target) - input) for log probabilities as input, 0 where the target is 0; with `log_target` the target is a logarithm too. `reduction` may also be "batchmean": the sum divided by the first size.}];
}
def poisson_nll_loss : Function<"Tensor poisson_nll_loss(const Tensor &input, const Tensor &target, bool log_input = true, bool full = false, double eps = 1e-8, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns exp(input) - target * input, or with `log_input` false input - target * log(input + eps). With `full`, Stirling's approximation of log(target!) is added where the target is above 1.}];
}
def gaussian_nll_loss : Function<"Tensor gaussian_nll_loss(const Tensor &input, const Tensor &target, const Tensor &var, bool full = false, double eps = 1e-6, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns 0.5 * (log(v) + (input - target)² / v), where v is `var`, at least `eps`; `full` adds 0.5 * log(2 * pi). `var` broadcasts to the input or lacks its last dimension, else ValueError.}];
}

def hinge_embedding_loss : Function<"Tensor hinge_embedding_loss(const Tensor &input, const Tensor &target, double margin = 1, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns the input where the target is 1, and max(0, margin - input) where it is -1, reduced by `reduction`.}];
}
def margin_ranking_loss : Function<"Tensor margin_ranking_loss(const Tensor &input1, const Tensor &input2, const Tensor &target, double margin = 0, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns max(0, -target * (input1 - input2) + margin), reduced by `reduction`; all three broadcast.}];
}
def soft_margin_loss : Function<"Tensor soft_margin_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns log(1 + exp(-target * input)) without overflow, reduced by `reduction`.}];
}
def cosine_embedding_loss : Function<"Tensor cosine_embedding_loss(const Tensor &input1, const Tensor &input2, const Tensor &target, double margin = 0, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns 1 - cos for targets 1 and max(0, cos - margin) for targets -1, where cos is the cosine of the angle between inputs [N, D] or [D]. Throws ShapeError unless the target is [N] or has no dimensions.}];
}
def triplet_margin_loss : Function<"Tensor triplet_margin_loss(const Tensor &anchor, const Tensor &positive, const Tensor &negative, double margin = 1, double p = 2, double eps = 1e-6, bool swap = false, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns max(0, d(anchor, positive) - d(anchor, negative) + margin) for p-norm distances over the last dimension; with `swap` the second distance is at most d(positive, negative). Throws ValueError unless `margin` is positive.}];
}
def multi_margin_loss : Function<"Tensor multi_margin_loss(const Tensor &input, const Tensor &target, double p = 1, double margin = 1, const Tensor &weight = {}, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns for scores [N, C] or [C] the mean over the C classes of max(0, margin - x[y] + x[i]) ** p for the classes i other than the target y, times the weight of y. Throws ValueError unless `p` is 1 or 2.}];
}
def multilabel_margin_loss : Function<"Tensor multilabel_margin_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns for scores [N, C] or [C] the sum of max(0, 1 - (x[y] - x[i])) over the target classes y and all other classes i, divided by C. The targets of a row end at the first negative number.}];
}
def multilabel_soft_margin_loss : Function<"Tensor multilabel_soft_margin_loss(const Tensor &input, const Tensor &target, const Tensor &weight = {}, std::string_view reduction = \"mean\")"> {
  let doc = [{Returns the mean over the last dimension of the binary cross entropies of sigmoid(input), times `weight`, reduced by `reduction`.}];
}
def ctc_loss : Function<"Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets, const Tensor &input_lengths, const Tensor &target_lengths, int64_t blank = 0, std::string_view reduction = \"mean\", bool zero_infinity = false)"> {
  let doc = [{Returns minus the log probability of targets [N, S], or concatenated, over all alignments with `log_probs` [T, N, C] or [T, C] (Graves et al., 2006); infinity if there is none, or 0 with `zero_infinity`. The mean first divides by the target lengths. Throws ValueError if `blank` is no class.}];
}

#endif
