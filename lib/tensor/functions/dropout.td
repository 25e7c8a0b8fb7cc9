#ifndef XLAC_TENSOR_FUNCTIONS_DROPOUT
#define XLAC_TENSOR_FUNCTIONS_DROPOUT

include "tensor/functions/Function.td"

def dropout : Function<"Tensor dropout(const Tensor &input, double p = 0.5, bool training = true)"> {
  let doc = [{0 with probability p, else input / (1 - p); the mask is saved for backward.}];
}
def feature_dropout : Function<"Tensor feature_dropout(const Tensor &input, double p = 0.5, bool training = true)"> {
  let doc = [{Dropout of complete channels of [N, C, …].}];
}
def dropout1d : Function<"Tensor dropout1d(const Tensor &input, double p = 0.5, bool training = true)"> {
  let doc = [{Dropout of complete channels of [N, C, L] or [C, L].}];
}
def dropout2d : Function<"Tensor dropout2d(const Tensor &input, double p = 0.5, bool training = true)">;
def dropout3d : Function<"Tensor dropout3d(const Tensor &input, double p = 0.5, bool training = true)">;
def alpha_dropout : Function<"Tensor alpha_dropout(const Tensor &input, double p = 0.5, bool training = false)"> {
  let doc = [{Dropout that keeps mean and variance of SELU's outputs.}];
}
def feature_alpha_dropout : Function<"Tensor feature_alpha_dropout(const Tensor &input, double p = 0.5, bool training = false)">;
def rrelu : Function<"Tensor rrelu(const Tensor &self, double lower = 1.0 / 8, double upper = 1.0 / 3, bool training = false)"> {
  let doc = [{Below 0 self times a slope: random in [lower, upper) in training, else their mean.}];
}
def gumbel_softmax : Function<"Tensor gumbel_softmax(const Tensor &logits, double tau = 1, bool hard = false, int64_t dim = -1)">;

#endif
