#ifndef XLAC_TENSOR_FUNCTIONS_EMBEDDINGS
#define XLAC_TENSOR_FUNCTIONS_EMBEDDINGS

include "tensor/functions/Function.td"

def embedding : Function<"Tensor embedding(const Tensor &weight, const Tensor &indices, int64_t padding_idx = -1, bool scale_grad_by_freq = false, bool sparse = false)"> {
  let doc = [{Returns the rows of a weight [rows, width] at int32 or int64 indices, in the shape of the indices with `width` added. No gradient reaches row `padding_idx` unless it is negative; `scale_grad_by_freq` divides gradients by the number of times that their row occurs. Throws IndexError on the cpu for indices out of range, and ShapeError unless the weight is a matrix.}];
}
def functional_embedding : Function<"Tensor embedding(const Tensor &input, const Tensor &weight, std::optional<int64_t> padding_idx = {}, std::optional<double> max_norm = {}, double norm_type = 2, bool scale_grad_by_freq = false, bool sparse = false)"> {
  let doc = [{Returns the rows of `weight` as xlac::embedding; a negative `padding_idx` counts from the end. With `max_norm`, rows that are used and have a greater norm are first scaled down to it in place. Throws ValueError for a `padding_idx` out of range.}];
  let cxx_namespace = "nn::functional";
}
def embedding_bag : Function<"Tensor embedding_bag(const Tensor &weight, const Tensor &indices, const Tensor &offsets, bool scale_grad_by_freq = false, std::string_view mode = \"mean\", bool sparse = false, const Tensor &per_sample_weights = {}, bool include_last_offset = false, int64_t padding_idx = -1)"> {
  let doc = [{Returns the sums, means or maxima of rows of `weight` for each bag of indices, by `mode`; 0 for an empty bag. Arguments and errors are those of nn::functional::embedding_bag.}];
}
def functional_embedding_bag : Function<"Tensor embedding_bag(const Tensor &input, const Tensor &weight, const Tensor &offsets = {}, std::optional<double> max_norm = {}, double norm_type = 2, bool scale_grad_by_freq = false, std::string_view mode = \"mean\", bool sparse = false, const Tensor &per_sample_weights = {}, bool include_last_offset = false, std::optional<int64_t> padding_idx = {})"> {
  let doc = [{Returns the "sum", "mean" or "max" of rows of `weight` for each bag: a row of a two-dimensional input, or the indices from one offset to the next. Row `padding_idx` does not count. Throws ValueError for another mode or offsets that do not fit the input, and UnsupportedError for `per_sample_weights` with another mode than "sum".}];
  let cxx_namespace = "nn::functional";
}
def one_hot : Function<"Tensor one_hot(const Tensor &self, int64_t num_classes = -1)"> {
  let doc = [{Returns int64 zeros with a 1 at each element's index in a new last dimension of size `num_classes`. -1 means one more than the greatest element, which runs the pending operations of the operand. Throws DtypeError unless `self` is int64, and ValueError for a class out of range, which is not checked on xla if `num_classes` is given.}];
}
def functional_one_hot : Function<"Tensor one_hot(const Tensor &tensor, int64_t num_classes = -1)"> {
  let doc = [{The same as xlac::one_hot.}];
  let cxx_namespace = "nn::functional";
}

#endif
