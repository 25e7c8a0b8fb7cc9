#ifndef XLAC_TENSOR_FUNCTIONS_POINTWISE
#define XLAC_TENSOR_FUNCTIONS_POINTWISE

include "tensor/functions/Function.td"

def add : Function<"Tensor add(const Tensor &self, const Tensor &other, Scalar alpha = 1)",
                   [Method, InPlace, Out]> {
  let doc = [{self + alpha * other.}];
}
def add_number : Function<"Tensor add(const Tensor &self, Scalar other, Scalar alpha = 1)",
                   [Method, InPlace]>;
def sub : Function<"Tensor sub(const Tensor &self, const Tensor &other, Scalar alpha = 1)",
                   [Method, InPlace, Out]> {
  let doc = [{self - alpha * other.}];
}
def sub_number : Function<"Tensor sub(const Tensor &self, Scalar other, Scalar alpha = 1)",
                   [Method, InPlace]>;
def mul : Function<"Tensor mul(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]>;
def mul_number : Function<"Tensor mul(const Tensor &self, Scalar other)",
                   [Method, InPlace]>;
def div : Function<"Tensor div(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{True division: integers give the default dtype.}];
}
def div_number : Function<"Tensor div(const Tensor &self, Scalar other)",
                   [Method, InPlace]>;
def maximum : Function<"Tensor maximum(const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{NaN in either wins.}];
}
def minimum : Function<"Tensor minimum(const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{NaN in either wins.}];
}
def eq : Function<"Tensor eq(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]>;
def eq_number : Function<"Tensor eq(const Tensor &self, Scalar other)",
                   [Method, InPlace]>;
def ne : Function<"Tensor ne(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]>;
def ne_number : Function<"Tensor ne(const Tensor &self, Scalar other)",
                   [Method, InPlace]>;
def lt : Function<"Tensor lt(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]>;
def lt_number : Function<"Tensor lt(const Tensor &self, Scalar other)",
                   [Method, InPlace]>;
def le : Function<"Tensor le(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]>;
def le_number : Function<"Tensor le(const Tensor &self, Scalar other)",
                   [Method, InPlace]>;
def gt : Function<"Tensor gt(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]>;
def gt_number : Function<"Tensor gt(const Tensor &self, Scalar other)",
                   [Method, InPlace]>;
def ge : Function<"Tensor ge(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]>;
def ge_number : Function<"Tensor ge(const Tensor &self, Scalar other)",
                   [Method, InPlace]>;
def where : Function<"Tensor where(const Tensor &condition, const Tensor &self, const Tensor &other)",
                   [Method, Out]>;
def neg : Function<"Tensor neg(const Tensor &self)", [Method, InPlace, Out]>;
def abs : Function<"Tensor abs(const Tensor &self)", [Method, InPlace, Out]>;
def exp : Function<"Tensor exp(const Tensor &self)", [Method, InPlace, Out]>;
def log : Function<"Tensor log(const Tensor &self)", [Method, InPlace, Out]>;
def sqrt : Function<"Tensor sqrt(const Tensor &self)",
                   [Method, InPlace, Out]>;
def rsqrt : Function<"Tensor rsqrt(const Tensor &self)",
                   [Method, InPlace, Out]>;
def tanh : Function<"Tensor tanh(const Tensor &self)",
                   [Method, InPlace, Out]>;
def sin : Function<"Tensor sin(const Tensor &self)", [Method, InPlace, Out]>;
def cos : Function<"Tensor cos(const Tensor &self)", [Method, InPlace, Out]>;
def sigmoid : Function<"Tensor sigmoid(const Tensor &self)",
                   [Method, InPlace, Out]>;
def allclose : Function<"bool allclose(const Tensor &self, const Tensor &other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false)",
                   [Method]> {
  let doc = [{Runs what it needs.}];
}
def equal : Function<"bool equal(const Tensor &self, const Tensor &other)",
                   [Method]> {
  let doc = [{Same shape and values; runs what it needs.}];
}

#endif
