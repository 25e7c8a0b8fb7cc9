#ifndef XLAC_TENSOR_FUNCTIONS_CREATION
#define XLAC_TENSOR_FUNCTIONS_CREATION

include "tensor/functions/Function.td"

// Sizes first, options last.

def empty : Function<"Tensor empty(IntArrayRef sizes, TensorOptions options = {})"> {
  let doc = [{Zeros; on the cpu too.}];
}
def zeros : Function<"Tensor zeros(IntArrayRef sizes, TensorOptions options = {})">;
def ones : Function<"Tensor ones(IntArrayRef sizes, TensorOptions options = {})">;
def full : Function<"Tensor full(IntArrayRef sizes, Scalar value, TensorOptions options = {})"> {
  let doc = [{The dtype is that of `value` unless options name one.}];
}
def arange_end : Function<"Tensor arange(Scalar end, TensorOptions options = {})"> {
  let doc = [{[0, end); whole numbers give int64.}];
}
def arange : Function<"Tensor arange(Scalar start, Scalar end, Scalar step = 1, TensorOptions options = {})">;
def zeros_like : Function<"Tensor zeros_like(const Tensor &self, TensorOptions options = {})">;
def ones_like : Function<"Tensor ones_like(const Tensor &self, TensorOptions options = {})">;
def full_like : Function<"Tensor full_like(const Tensor &self, Scalar value, TensorOptions options = {})">;

#endif
