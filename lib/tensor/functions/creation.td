#ifndef XLAC_TENSOR_FUNCTIONS_CREATION
#define XLAC_TENSOR_FUNCTIONS_CREATION

include "tensor/functions/Function.td"
// Sizes first, options last.

def empty : Function<"Tensor empty(IntArrayRef sizes, TensorOptions options = {})"> {
  let doc = [{Returns a tensor of zeros, on every device, in the default dtype unless options name one. Throws ShapeError for negative or too large sizes, as all factories with sizes do.}];
}
def empty_like : Function<"Tensor empty_like(const Tensor &self, TensorOptions options = {})"> {
  let doc = [{Returns a tensor of zeros with the sizes of `self`, and its dtype and device unless options name others.}];
}
def zeros : Function<"Tensor zeros(IntArrayRef sizes, TensorOptions options = {})"> {
  let doc = [{Returns a tensor of zeros in the default dtype unless options name one.}];
}
def ones : Function<"Tensor ones(IntArrayRef sizes, TensorOptions options = {})"> {
  let doc = [{Returns a tensor of ones in the default dtype unless options name one.}];
}
def full : Function<"Tensor full(IntArrayRef sizes, Scalar value, TensorOptions options = {})"> {
  let doc = [{Returns a tensor with `value` in all elements. The dtype is that of the number (bool, int64, the default dtype or its complex dtype) unless options name one.}];
}
def zeros_like : Function<"Tensor zeros_like(const Tensor &self, TensorOptions options = {})"> {
  let doc = [{Returns zeros with the sizes of `self`, and its dtype and device unless options name others.}];
}
def ones_like : Function<"Tensor ones_like(const Tensor &self, TensorOptions options = {})"> {
  let doc = [{Returns ones with the sizes of `self`, and its dtype and device unless options name others.}];
}
def full_like : Function<"Tensor full_like(const Tensor &self, Scalar value, TensorOptions options = {})"> {
  let doc = [{Returns a tensor filled with `value` with the sizes of `self`, and its dtype and device unless options name others.}];
}
def scalar_tensor : Function<"Tensor scalar_tensor(Scalar value, TensorOptions options = {})"> {
  let doc = [{Returns a tensor without dimensions, in the default dtype unless options name one.}];
}
def arange_end : Function<"Tensor arange(Scalar end, TensorOptions options = {})"> {
  let doc = [{Returns 0, 1, … up to but without `end`, in int64 if it is an integer, else in the default dtype, unless options name a dtype.}];
}
def arange : Function<"Tensor arange(Scalar start, Scalar end, Scalar step = 1, TensorOptions options = {})"> {
  let doc = [{Returns the ceil((end - start) / step) numbers from `start` in steps of `step`, without `end`; int64 if all three are integers. Throws ValueError for a step of 0, a step away from `end`, and infinities.}];
}
def linspace : Function<"Tensor linspace(Scalar start, Scalar end, int64_t steps, TensorOptions options = {})"> {
  let doc = [{Returns `steps` evenly spaced numbers from `start` to `end`, both included; one step gives `start`. The dtype is the default dtype unless options name one; throws ValueError for negative `steps`.}];
}
def logspace : Function<"Tensor logspace(Scalar start, Scalar end, int64_t steps, double base = 10.0, TensorOptions options = {})"> {
  let doc = [{Returns `base` to the powers that linspace gives; dtype and errors are those of linspace.}];
}
def eye : Function<"Tensor eye(int64_t n, TensorOptions options = {})"> {
  let doc = [{Returns the identity matrix [n, n] in the default dtype unless options name one. Throws ValueError for a negative size.}];
}
def eye_rectangular : Function<"Tensor eye(int64_t n, int64_t m, TensorOptions options = {})"> {
  let doc = [{Returns a matrix [n, m] with ones on the diagonal and zeros elsewhere; dtype and errors are those of eye(n).}];
}
def tril_indices : Function<"Tensor tril_indices(int64_t row, int64_t col, int64_t offset = 0, TensorOptions options = {})"> {
  let doc = [{Returns the row and column indices of the elements on and below the diagonal `offset`, as int64 [2, count] in row order. Throws ValueError for negative sizes.}];
}
def triu_indices : Function<"Tensor triu_indices(int64_t row, int64_t col, int64_t offset = 0, TensorOptions options = {})"> {
  let doc = [{Returns the row and column indices of the elements on and above the diagonal `offset`, as int64 [2, count] in row order. Throws ValueError for negative sizes.}];
}
def meshgrid : Function<"std::vector<Tensor> meshgrid(const std::vector<Tensor> &tensors, std::string indexing = \"ij\")"> {
  let doc = [{Returns views that expand each tensor, of rank 0 or 1, along its own dimension of a grid; with "xy" instead of "ij" the first two dimensions are swapped. Throws DtypeError if dtypes differ and ValueError for an empty list.}];
}
def cartesian_prod : Function<"Tensor cartesian_prod(const std::vector<Tensor> &tensors)"> {
  let doc = [{Returns a matrix with a row for each choice of one element from each one-dimensional tensor, the last one changing fastest. A single tensor is returned as it is; throws ShapeError for other ranks.}];
}
def complex : Function<"Tensor complex(const Tensor &real, const Tensor &imag)",
                   [Out]> {
  let doc = [{Returns real + i * imag, in complex64 for float32 parts and complex128 for float64 parts. Throws DtypeError for other or different dtypes.}];
}
def polar : Function<"Tensor polar(const Tensor &abs, const Tensor &angle)",
                   [Out]> {
  let doc = [{Returns abs * (cos(angle) + i * sin(angle)); dtypes and errors are those of complex.}];
}
def hann_window : Function<"Tensor hann_window(int64_t window_length, bool periodic = true, TensorOptions options = {})"> {
  let doc = [{Returns the window 0.5 - 0.5 * cos(2 * pi * k / n), where n is the length, or for a symmetric window, with `periodic` false, the length less 1; a length of 1 gives [1]. Throws ValueError for a negative length, and DtypeError unless the dtype is a real float one.}];
}
def hamming_window : Function<"Tensor hamming_window(int64_t window_length, bool periodic = true, double alpha = 0.54, double beta = 0.46, TensorOptions options = {})"> {
  let doc = [{Returns the window alpha - beta * cos(2 * pi * k / n). Length, dtype and errors are those of hann_window.}];
}
def blackman_window : Function<"Tensor blackman_window(int64_t window_length, bool periodic = true, TensorOptions options = {})"> {
  let doc = [{Returns the window 0.42 - 0.5 * cos(2 * pi * k / n) + 0.08 * cos(4 * pi * k / n). Length, dtype and errors are those of hann_window.}];
}
def bartlett_window : Function<"Tensor bartlett_window(int64_t window_length, bool periodic = true, TensorOptions options = {})"> {
  let doc = [{Returns the triangular window 1 - abs(2 * k / n - 1). Length, dtype and errors are those of hann_window.}];
}
def kaiser_window : Function<"Tensor kaiser_window(int64_t window_length, bool periodic = true, double beta = 12.0, TensorOptions options = {})"> {
  let doc = [{Returns the window i0(beta * sqrt(1 - (2 * k / n - 1) ** 2)) / i0(beta). Length, dtype and errors are those of hann_window.}];
}

#endif
