#ifndef XLAC_TENSOR_FUNCTIONS_LINEAR_ALGEBRA
#define XLAC_TENSOR_FUNCTIONS_LINEAR_ALGEBRA

include "tensor/functions/Function.td"

def mm : Function<"Tensor mm(const Tensor &self, const Tensor &other)",
                   [Method, Out]>;
def matmul : Function<"Tensor matmul(const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{PyTorch's rules for 1 to n dimensions.}];
}
def linear : Function<"Tensor linear(const Tensor &input, const Tensor &weight, const Tensor &bias = {})"> {
  let doc = [{input · weightᵀ + bias; weight is [out, in].}];
}

#endif
