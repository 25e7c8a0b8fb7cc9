#ifndef XLAC_TENSOR_FUNCTIONS_NORMALIZATION
#define XLAC_TENSOR_FUNCTIONS_NORMALIZATION

include "tensor/functions/Function.td"

def batch_norm : Function<"Tensor batch_norm(const Tensor &input, const Tensor &running_mean, const Tensor &running_var, const Tensor &weight = {}, const Tensor &bias = {}, bool training = false, double momentum = 0.1, double eps = 1e-5)"> {
  let doc = [{Returns (input - mean) / sqrt(variance + eps) * weight + bias per channel of [N, C, …], by the running statistics or, in training, by those of the batch; the given running statistics then move in place by `momentum`, with the unbiased variance. Throws ValueError in training for one value per channel, and otherwise without running statistics.}];
}
def instance_norm : Function<"Tensor instance_norm(const Tensor &input, const Tensor &running_mean = {}, const Tensor &running_var = {}, const Tensor &weight = {}, const Tensor &bias = {}, bool use_input_stats = true, double momentum = 0.1, double eps = 1e-5)"> {
  let doc = [{Normalizes each channel of each sample of [N, C, L, …] by its own mean and variance, or, without `use_input_stats`, by the running statistics. Given running statistics move in place by `momentum`. Throws ValueError for one element per channel.}];
}
def layer_norm : Function<"Tensor layer_norm(const Tensor &input, IntArrayRef normalized_shape, const Tensor &weight = {}, const Tensor &bias = {}, double eps = 1e-5)"> {
  let doc = [{Normalizes over the last dimensions, of sizes `normalized_shape`, to mean 0 and variance 1 (biased), then multiplies by `weight` and adds `bias`, both of that shape. Throws ShapeError if the sizes differ.}];
}
def rms_norm : Function<"Tensor rms_norm(const Tensor &input, IntArrayRef normalized_shape, const Tensor &weight = {}, std::optional<double> eps = {})"> {
  let doc = [{Divides by the root of the mean square over the last dimensions, of sizes `normalized_shape`, then multiplies by `weight`. `eps` is added to the mean; its default is the epsilon of float64 for float64, else that of float32.}];
}
def group_norm : Function<"Tensor group_norm(const Tensor &input, int64_t num_groups, const Tensor &weight = {}, const Tensor &bias = {}, double eps = 1e-5)"> {
  let doc = [{Normalizes groups of adjacent channels of [N, C, …] to mean 0 and variance 1 (biased), then multiplies by `weight` and adds `bias`, both [C]. Throws ShapeError unless `num_groups` divides C.}];
}
def normalize : Function<"Tensor normalize(const Tensor &input, double p = 2, int64_t dim = 1, double eps = 1e-12)"> {
  let doc = [{Returns the input divided by its p-norm along `dim`, or by `eps` if that is greater. Throws DtypeError unless the input is a real float.}];
}
def local_response_norm : Function<"Tensor local_response_norm(const Tensor &input, int64_t size, double alpha = 1e-4, double beta = 0.75, double k = 1)"> {
  let doc = [{Divides by (k + alpha * mean) ** beta, where the mean is that of the squares of `size` neighbouring channels of [N, C, …] (Krizhevsky et al., 2012). Throws ShapeError for fewer than 3 dimensions.}];
}
def weight_norm : Function<"Tensor weight_norm(const Tensor &v, const Tensor &g, int64_t dim = 0)"> {
  let doc = [{Returns v * g / |v|, with one norm for each index of `dim`, or one for all of `v` if `dim` is -1 (Salimans and Kingma, 2016).}];
}

#endif
