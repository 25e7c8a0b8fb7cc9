#ifndef XLAC_TENSOR_FUNCTIONS_ACTIVATIONS
#define XLAC_TENSOR_FUNCTIONS_ACTIVATIONS

include "tensor/functions/Function.td"
def relu : Function<"Tensor relu(const Tensor &self)",
                   [Method, InPlace]> {
  let doc = [{Returns `self`, or 0 where it is negative; NaN stays NaN, and the gradient at 0 is 0. Throws DtypeError for bools and complex numbers.}];
}
def relu6 : Function<"Tensor relu6(const Tensor &self)"> {
  let doc = [{Returns `self` clamped to [0, 6]; NaN stays NaN. Throws DtypeError for bools and complex numbers.}];
}
def leaky_relu : Function<"Tensor leaky_relu(const Tensor &self, Scalar negative_slope = 0.01)",
                   [Out]> {
  let doc = [{Returns `self` where it is positive, else negative_slope * self. Throws DtypeError unless `self` is a real float.}];
}
def prelu : Function<"Tensor prelu(const Tensor &self, const Tensor &weight)",
                   [Method]> {
  let doc = [{Returns `self` where it is positive, else weight * self. The weight has one element, or one per channel (dimension 1), else ShapeError; throws DtypeError unless both are real floats of one dtype.}];
}
def hardtanh : Function<"Tensor hardtanh(const Tensor &self, Scalar min_val = -1.0, Scalar max_val = 1.0)",
                   [Out]> {
  let doc = [{Returns `self` clamped to [min_val, max_val]; NaN stays NaN. Throws ValueError if min_val is above max_val, and DtypeError for bools and complex numbers.}];
}
def hardsigmoid : Function<"Tensor hardsigmoid(const Tensor &self)",
                   [Out]> {
  let doc = [{Returns relu6(x + 3) / 6. Throws DtypeError unless `self` is a real float.}];
}
def hardswish : Function<"Tensor hardswish(const Tensor &self)",
                   [Out]> {
  let doc = [{Returns x * relu6(x + 3) / 6. Throws DtypeError unless `self` is a real float.}];
}
def threshold : Function<"Tensor threshold(const Tensor &self, Scalar threshold, Scalar value)",
                   [Out]> {
  let doc = [{Returns `self` where it is above `threshold` or NaN, else `value`. Throws DtypeError for bools and complex numbers.}];
}
def hardshrink : Function<"Tensor hardshrink(const Tensor &self, Scalar lambd = 0.5)",
                   [Method, Out]> {
  let doc = [{Returns 0 where `self` is in [-lambd, lambd], else `self`; NaN stays NaN. Throws DtypeError unless `self` is a real float.}];
}
def softshrink : Function<"Tensor softshrink(const Tensor &self, Scalar lambd = 0.5)",
                   [Out]> {
  let doc = [{Returns `self` moved towards 0 by `lambd`, and 0 in [-lambd, lambd]. Throws ValueError for a negative `lambd`, and DtypeError unless `self` is a real float.}];
}
def tanhshrink : Function<"Tensor tanhshrink(const Tensor &self)"> {
  let doc = [{Returns x - tanh(x). Integers give the default dtype; throws DtypeError for bools.}];
}
def elu : Function<"Tensor elu(const Tensor &self, Scalar alpha = 1.0)",
                   [Out]> {
  let doc = [{Returns `self` where it is positive, else alpha * expm1(self). Throws DtypeError unless `self` is a real float.}];
}
def selu : Function<"Tensor selu(const Tensor &self)"> {
  let doc = [{Returns scale * elu(self, alpha) with the constants of Klambauer et al. (2017). Throws DtypeError unless `self` is a real float.}];
}
def celu : Function<"Tensor celu(const Tensor &self, Scalar alpha = 1.0)"> {
  let doc = [{Returns `self` where it is positive, else alpha * expm1(self / alpha). Throws ValueError if `alpha` is 0, and DtypeError unless `self` is a real float.}];
}
def gelu : Function<"Tensor gelu(const Tensor &self, std::string approximate = \"none\")",
                   [Out]> {
  let doc = [{Returns x times the standard normal distribution function of x, exactly for "none" and by a formula with tanh for "tanh". Throws ValueError for another `approximate`, and DtypeError unless `self` is a real float.}];
}
def silu : Function<"Tensor silu(const Tensor &self)",
                   [Out]> {
  let doc = [{Returns x * sigmoid(x). Throws DtypeError for bools and integers.}];
}
def mish : Function<"Tensor mish(const Tensor &self)",
                   [Out]> {
  let doc = [{Returns x * tanh(softplus(x)). Throws DtypeError unless `self` is a real float.}];
}
def softplus : Function<"Tensor softplus(const Tensor &self, Scalar beta = 1.0, Scalar threshold = 20.0)",
                   [Out]> {
  let doc = [{Returns log(1 + exp(beta * x)) / beta, and x where beta * x is above `threshold`. Throws DtypeError unless `self` is a real float.}];
}
def logsigmoid : Function<"Tensor logsigmoid(const Tensor &self)"> {
  let doc = [{Returns log(sigmoid(self)) without overflow. Throws DtypeError unless `self` is a real float.}];
}
def softsign : Function<"Tensor softsign(const Tensor &self)"> {
  let doc = [{Returns x / (1 + abs(x)). Integers give the default dtype; throws DtypeError for bools and complex numbers.}];
}
def glu : Function<"Tensor glu(const Tensor &self, int64_t dim = -1)",
                   [Out]> {
  let doc = [{Returns the first half along `dim` times the sigmoid of the second half. Throws ShapeError if the size of `dim` is odd or `self` has no dimensions, and DtypeError for bools and integers.}];
}
def softmax : Function<"Tensor softmax(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                   [Method, Out]> {
  let doc = [{Returns exp(self) divided by its sum along `dim`, without overflow. `self` is first converted to `dtype`; throws DtypeError unless that is a real float dtype.}];
}
def log_softmax : Function<"Tensor log_softmax(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})",
                   [Method, Out]> {
  let doc = [{Returns the logarithm of softmax along `dim`, computed without overflow. `self` is first converted to `dtype`; throws DtypeError unless that is a real float dtype.}];
}
def softmin : Function<"Tensor softmin(const Tensor &self, int64_t dim, std::optional<Dtype> dtype = {})"> {
  let doc = [{Returns softmax(-self) along `dim`; errors as softmax and neg.}];
}

#endif
