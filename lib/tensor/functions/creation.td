#ifndef XLAC_TENSOR_FUNCTIONS_CREATION
#define XLAC_TENSOR_FUNCTIONS_CREATION

include "tensor/functions/Function.td"
// Sizes first, options last.

def empty : Function<"Tensor empty(IntArrayRef sizes, TensorOptions options = {})"> {
  let doc = [{Zeros; on the cpu too.}];
}
def empty_like : Function<"Tensor empty_like(const Tensor &self, TensorOptions options = {})">;
def zeros : Function<"Tensor zeros(IntArrayRef sizes, TensorOptions options = {})">;
def ones : Function<"Tensor ones(IntArrayRef sizes, TensorOptions options = {})">;
def full : Function<"Tensor full(IntArrayRef sizes, Scalar value, TensorOptions options = {})"> {
  let doc = [{The dtype is that of `value` unless options name one.}];
}
def zeros_like : Function<"Tensor zeros_like(const Tensor &self, TensorOptions options = {})">;
def ones_like : Function<"Tensor ones_like(const Tensor &self, TensorOptions options = {})">;
def full_like : Function<"Tensor full_like(const Tensor &self, Scalar value, TensorOptions options = {})">;
def scalar_tensor : Function<"Tensor scalar_tensor(Scalar value, TensorOptions options = {})"> {
  let doc = [{Of rank 0, in the default dtype unless options name one.}];
}
def arange_end : Function<"Tensor arange(Scalar end, TensorOptions options = {})"> {
  let doc = [{[0, end); integers give int64.}];
}
def arange : Function<"Tensor arange(Scalar start, Scalar end, Scalar step = 1, TensorOptions options = {})">;
def linspace : Function<"Tensor linspace(Scalar start, Scalar end, int64_t steps, TensorOptions options = {})"> {
  let doc = [{Both ends belong to it.}];
}
def logspace : Function<"Tensor logspace(Scalar start, Scalar end, int64_t steps, double base = 10.0, TensorOptions options = {})"> {
  let doc = [{base ** linspace.}];
}
def eye : Function<"Tensor eye(int64_t n, TensorOptions options = {})">;
def eye_rectangular : Function<"Tensor eye(int64_t n, int64_t m, TensorOptions options = {})">;
def tril_indices : Function<"Tensor tril_indices(int64_t row, int64_t col, int64_t offset = 0, TensorOptions options = {})"> {
  let doc = [{Rows and columns of the lower triangle, in int64.}];
}
def triu_indices : Function<"Tensor triu_indices(int64_t row, int64_t col, int64_t offset = 0, TensorOptions options = {})"> {
  let doc = [{Rows and columns of the upper triangle, in int64.}];
}
def meshgrid : Function<"std::vector<Tensor> meshgrid(const std::vector<Tensor> &tensors, std::string indexing = \"ij\")"> {
  let doc = [{Views of the operands; `indexing` is "ij" or "xy".}];
}
def cartesian_prod : Function<"Tensor cartesian_prod(const std::vector<Tensor> &tensors)"> {
  let doc = [{A row for each choice of one element from each.}];
}
def complex : Function<"Tensor complex(const Tensor &real, const Tensor &imag)",
                   [Out]>;
def polar : Function<"Tensor polar(const Tensor &abs, const Tensor &angle)",
                   [Out]> {
  let doc = [{abs * (cos(angle) + i sin(angle)).}];
}
def hann_window : Function<"Tensor hann_window(int64_t window_length, bool periodic = true, TensorOptions options = {})"> {
  let doc = [{A symmetric window when not periodic; so are the others.}];
}
def hamming_window : Function<"Tensor hamming_window(int64_t window_length, bool periodic = true, double alpha = 0.54, double beta = 0.46, TensorOptions options = {})">;
def blackman_window : Function<"Tensor blackman_window(int64_t window_length, bool periodic = true, TensorOptions options = {})">;
def bartlett_window : Function<"Tensor bartlett_window(int64_t window_length, bool periodic = true, TensorOptions options = {})">;
def kaiser_window : Function<"Tensor kaiser_window(int64_t window_length, bool periodic = true, double beta = 12.0, TensorOptions options = {})">;

#endif
