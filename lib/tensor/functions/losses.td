#ifndef XLAC_TENSOR_FUNCTIONS_LOSSES
#define XLAC_TENSOR_FUNCTIONS_LOSSES

include "tensor/functions/Function.td"

// `reduction` is "none", "mean" or "sum".
def mse_loss : Function<"Tensor mse_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\")">;
def l1_loss : Function<"Tensor l1_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\")">;
def smooth_l1_loss : Function<"Tensor smooth_l1_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\", double beta = 1)">;
def huber_loss : Function<"Tensor huber_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\", double delta = 1)">;
def nll_loss : Function<"Tensor nll_loss(const Tensor &input, const Tensor &target, const Tensor &weight = {}, int64_t ignore_index = -100, std::string_view reduction = \"mean\")"> {
  let doc = [{The mean is weighted and leaves out targets that are `ignore_index`.}];
}
def cross_entropy : Function<"Tensor cross_entropy(const Tensor &input, const Tensor &target, const Tensor &weight = {}, int64_t ignore_index = -100, std::string_view reduction = \"mean\", double label_smoothing = 0)"> {
  let doc = [{Targets are classes, or probabilities of all classes.}];
}
def binary_cross_entropy : Function<"Tensor binary_cross_entropy(const Tensor &input, const Tensor &target, const Tensor &weight = {}, std::string_view reduction = \"mean\")">;
def binary_cross_entropy_with_logits : Function<"Tensor binary_cross_entropy_with_logits(const Tensor &input, const Tensor &target, const Tensor &weight = {}, std::string_view reduction = \"mean\", const Tensor &pos_weight = {})">;
def kl_div : Function<"Tensor kl_div(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\", bool log_target = false)"> {
  let doc = [{`reduction` may also be "batchmean": the sum divided by the first size.}];
}
def poisson_nll_loss : Function<"Tensor poisson_nll_loss(const Tensor &input, const Tensor &target, bool log_input = true, bool full = false, double eps = 1e-8, std::string_view reduction = \"mean\")">;
def gaussian_nll_loss : Function<"Tensor gaussian_nll_loss(const Tensor &input, const Tensor &target, const Tensor &var, bool full = false, double eps = 1e-6, std::string_view reduction = \"mean\")">;

def hinge_embedding_loss : Function<"Tensor hinge_embedding_loss(const Tensor &input, const Tensor &target, double margin = 1, std::string_view reduction = \"mean\")">;
def margin_ranking_loss : Function<"Tensor margin_ranking_loss(const Tensor &input1, const Tensor &input2, const Tensor &target, double margin = 0, std::string_view reduction = \"mean\")">;
def soft_margin_loss : Function<"Tensor soft_margin_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\")">;
def cosine_embedding_loss : Function<"Tensor cosine_embedding_loss(const Tensor &input1, const Tensor &input2, const Tensor &target, double margin = 0, std::string_view reduction = \"mean\")">;
def triplet_margin_loss : Function<"Tensor triplet_margin_loss(const Tensor &anchor, const Tensor &positive, const Tensor &negative, double margin = 1, double p = 2, double eps = 1e-6, bool swap = false, std::string_view reduction = \"mean\")">;
def multi_margin_loss : Function<"Tensor multi_margin_loss(const Tensor &input, const Tensor &target, double p = 1, double margin = 1, const Tensor &weight = {}, std::string_view reduction = \"mean\")">;
def multilabel_margin_loss : Function<"Tensor multilabel_margin_loss(const Tensor &input, const Tensor &target, std::string_view reduction = \"mean\")">;
def multilabel_soft_margin_loss : Function<"Tensor multilabel_soft_margin_loss(const Tensor &input, const Tensor &target, const Tensor &weight = {}, std::string_view reduction = \"mean\")">;
def ctc_loss : Function<"Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets, const Tensor &input_lengths, const Tensor &target_lengths, int64_t blank = 0, std::string_view reduction = \"mean\", bool zero_infinity = false)"> {
  let doc = [{`log_probs` is [T, N, C]; targets are [N, S] or concatenated.}];
}

#endif
