#ifndef XLAC_TENSOR_FUNCTIONS_DROPOUT
#define XLAC_TENSOR_FUNCTIONS_DROPOUT

include "tensor/functions/Function.td"

def dropout : Function<"Tensor dropout(const Tensor &input, double p = 0.5, bool training = true)"> {
  let doc = [{Returns 0 with probability `p` for each element, else input / (1 - p); without `training` the input itself. The backward pass uses the same mask. Throws ValueError unless `p` is in [0, 1], and DtypeError for bools and integers.}];
}
def feature_dropout : Function<"Tensor feature_dropout(const Tensor &input, double p = 0.5, bool training = true)"> {
  let doc = [{Applies dropout to complete channels of an input [N, C, …]. Throws ShapeError for fewer than 2 dimensions, otherwise as dropout.}];
}
def dropout1d : Function<"Tensor dropout1d(const Tensor &input, double p = 0.5, bool training = true)"> {
  let doc = [{Applies dropout to complete channels of an input [N, C, L] or [C, L]. Throws ShapeError for other ranks, otherwise as dropout.}];
}
def dropout2d : Function<"Tensor dropout2d(const Tensor &input, double p = 0.5, bool training = true)"> {
  let doc = [{Applies dropout to complete channels of an input [N, C, H, W] or [C, H, W]. Throws ShapeError for other ranks, otherwise as dropout.}];
}
def dropout3d : Function<"Tensor dropout3d(const Tensor &input, double p = 0.5, bool training = true)"> {
  let doc = [{Applies dropout to complete channels of an input [N, C, D, H, W] or [C, D, H, W]. Throws ShapeError for other ranks, otherwise as dropout.}];
}
def alpha_dropout : Function<"Tensor alpha_dropout(const Tensor &input, double p = 0.5, bool training = false)"> {
  let doc = [{Sets elements to the lower limit of SELU with probability `p` and rescales all, so that mean and variance stay the same (Klambauer et al., 2017). Without `training`, the default, it returns the input. Throws ValueError unless `p` is in [0, 1], and DtypeError for bools and integers.}];
}
def feature_alpha_dropout : Function<"Tensor feature_alpha_dropout(const Tensor &input, double p = 0.5, bool training = false)"> {
  let doc = [{Applies alpha_dropout to complete channels of an input [N, C, …]. Throws ShapeError for fewer than 2 dimensions, otherwise as alpha_dropout.}];
}
def rrelu : Function<"Tensor rrelu(const Tensor &self, double lower = 1.0 / 8, double upper = 1.0 / 3, bool training = false)"> {
  let doc = [{Returns `self` where it is positive, else `self` times a slope: random in [lower, upper) in training, else (lower + upper) / 2. Throws ValueError if `lower` is above `upper`, and UnsupportedError unless `self` is a real float.}];
}
def gumbel_softmax : Function<"Tensor gumbel_softmax(const Tensor &logits, double tau = 1, bool hard = false, int64_t dim = -1)"> {
  let doc = [{Returns softmax((logits + noise) / tau) along `dim` with Gumbel noise (Jang et al., 2017). With `hard` the result is one-hot, and its gradient is that of the soft values. Throws UnsupportedError unless `logits` are real floats.}];
}

#endif
