#ifndef XLAC_TENSOR_FUNCTIONS_NORMALIZATION
#define XLAC_TENSOR_FUNCTIONS_NORMALIZATION

include "tensor/functions/Function.td"

def batch_norm : Function<"Tensor batch_norm(const Tensor &input, const Tensor &running_mean, const Tensor &running_var, const Tensor &weight = {}, const Tensor &bias = {}, bool training = false, double momentum = 0.1, double eps = 1e-5)"> {
  let doc = [{In training the running statistics, where given, move in place towards those of the batch, with the unbiased variance.}];
}
def instance_norm : Function<"Tensor instance_norm(const Tensor &input, const Tensor &running_mean = {}, const Tensor &running_var = {}, const Tensor &weight = {}, const Tensor &bias = {}, bool use_input_stats = true, double momentum = 0.1, double eps = 1e-5)">;
def layer_norm : Function<"Tensor layer_norm(const Tensor &input, IntArrayRef normalized_shape, const Tensor &weight = {}, const Tensor &bias = {}, double eps = 1e-5)">;
def rms_norm : Function<"Tensor rms_norm(const Tensor &input, IntArrayRef normalized_shape, const Tensor &weight = {}, std::optional<double> eps = {})"> {
  let doc = [{`eps` is the epsilon of the dtype unless given.}];
}
def group_norm : Function<"Tensor group_norm(const Tensor &input, int64_t num_groups, const Tensor &weight = {}, const Tensor &bias = {}, double eps = 1e-5)">;
def normalize : Function<"Tensor normalize(const Tensor &input, double p = 2, int64_t dim = 1, double eps = 1e-12)">;
def local_response_norm : Function<"Tensor local_response_norm(const Tensor &input, int64_t size, double alpha = 1e-4, double beta = 0.75, double k = 1)">;
def weight_norm : Function<"Tensor weight_norm(const Tensor &v, const Tensor &g, int64_t dim = 0)"> {
  let doc = [{v · g / |v|, with one length for each index of `dim`, or for all of v if -1.}];
}

#endif
