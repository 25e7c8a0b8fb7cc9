#ifndef XLAC_TENSOR_FUNCTIONS_EMBEDDINGS
#define XLAC_TENSOR_FUNCTIONS_EMBEDDINGS

include "tensor/functions/Function.td"

def embedding : Function<"Tensor embedding(const Tensor &weight, const Tensor &indices, int64_t padding_idx = -1, bool scale_grad_by_freq = false, bool sparse = false)"> {
  let doc = [{Rows of weight; no gradient reaches row padding_idx.}];
}
def functional_embedding : Function<"Tensor embedding(const Tensor &input, const Tensor &weight, std::optional<int64_t> padding_idx = {}, std::optional<double> max_norm = {}, double norm_type = 2, bool scale_grad_by_freq = false, bool sparse = false)"> {
  let doc = [{With max_norm, rows of weight with a greater norm are scaled in place.}];
  let cxx_namespace = "nn::functional";
}
def embedding_bag : Function<"Tensor embedding_bag(const Tensor &weight, const Tensor &indices, const Tensor &offsets, bool scale_grad_by_freq = false, std::string_view mode = \"mean\", bool sparse = false, const Tensor &per_sample_weights = {}, bool include_last_offset = false, int64_t padding_idx = -1)"> {
  let doc = [{Sums, means or greatest of rows, a bag each.}];
}
def functional_embedding_bag : Function<"Tensor embedding_bag(const Tensor &input, const Tensor &weight, const Tensor &offsets = {}, std::optional<double> max_norm = {}, double norm_type = 2, bool scale_grad_by_freq = false, std::string_view mode = \"mean\", bool sparse = false, const Tensor &per_sample_weights = {}, bool include_last_offset = false, std::optional<int64_t> padding_idx = {})"> {
  let doc = [{Sums, means or greatest of rows, a bag each.}];
  let cxx_namespace = "nn::functional";
}
def one_hot : Function<"Tensor one_hot(const Tensor &self, int64_t num_classes = -1)"> {
  let doc = [{-1 means one more than the greatest element; that runs the pending operations of the operand.}];
}
def functional_one_hot : Function<"Tensor one_hot(const Tensor &tensor, int64_t num_classes = -1)"> {
  let cxx_namespace = "nn::functional";
}

#endif
