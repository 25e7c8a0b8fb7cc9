#ifndef XLAC_TENSOR_FUNCTIONS_ACTIVATIONS
#define XLAC_TENSOR_FUNCTIONS_ACTIVATIONS

include "tensor/functions/Function.td"
def relu : Function<"Tensor relu(const Tensor &self)",
                   [Method, InPlace]>;
def relu6 : Function<"Tensor relu6(const Tensor &self)">;
def leaky_relu : Function<"Tensor leaky_relu(const Tensor &self, Scalar negative_slope = 0.01)",
                   [Out]>;
def prelu : Function<"Tensor prelu(const Tensor &self, const Tensor &weight)",
                   [Method]> {
  let doc = [{One weight, or one a channel (dimension 1).}];
}
def hardtanh : Function<"Tensor hardtanh(const Tensor &self, Scalar min_val = -1.0, Scalar max_val = 1.0)",
                   [Out]>;
def hardsigmoid : Function<"Tensor hardsigmoid(const Tensor &self)",
                   [Out]> {
  let doc = [{relu6(x + 3) / 6.}];
}
def hardswish : Function<"Tensor hardswish(const Tensor &self)",
                   [Out]> {
  let doc = [{x * relu6(x + 3) / 6.}];
}
def threshold : Function<"Tensor threshold(const Tensor &self, Scalar threshold, Scalar value)",
                   [Out]> {
  let doc = [{`value` where x is not above the threshold.}];
}
def hardshrink : Function<"Tensor hardshrink(const Tensor &self, Scalar lambd = 0.5)",
                   [Method, Out]>;
def softshrink : Function<"Tensor softshrink(const Tensor &self, Scalar lambd = 0.5)",
                   [Out]>;
def tanhshrink : Function<"Tensor tanhshrink(const Tensor &self)"> {
  let doc = [{x - tanh(x).}];
}
def elu : Function<"Tensor elu(const Tensor &self, Scalar alpha = 1.0)",
                   [Out]>;
def selu : Function<"Tensor selu(const Tensor &self)">;
def celu : Function<"Tensor celu(const Tensor &self, Scalar alpha = 1.0)">;
def gelu : Function<"Tensor gelu(const Tensor &self, std::string approximate = \"none\")",
                   [Out]> {
  let doc = [{`approximate` is "none" or "tanh".}];
}
def silu : Function<"Tensor silu(const Tensor &self)",
                   [Out]> {
  let doc = [{x * sigmoid(x).}];
}
def mish : Function<"Tensor mish(const Tensor &self)",
                   [Out]> {
  let doc = [{x * tanh(softplus(x)).}];
}
def softplus : Function<"Tensor softplus(const Tensor &self, Scalar beta = 1.0, Scalar threshold = 20.0)",
                   [Out]> {
  let doc = [{log(1 + exp(beta * x)) / beta; x itself where beta * x is above the threshold.}];
}
def logsigmoid : Function<"Tensor logsigmoid(const Tensor &self)">;
def softsign : Function<"Tensor softsign(const Tensor &self)"> {
  let doc = [{x / (1 + abs(x)).}];
}
def glu : Function<"Tensor glu(const Tensor &self, int64_t dim = -1)",
                   [Out]> {
  let doc = [{The first half along `dim` times the sigmoid of the second.}];
}
def softmax : Function<"Tensor softmax(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                   [Method, Out]>;
def log_softmax : Function<"Tensor log_softmax(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                   [Method, Out]>;
def softmin : Function<"Tensor softmin(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})"> {
  let doc = [{softmax(-x).}];
}

#endif
