#ifndef XLAC_TENSOR_FUNCTIONS_CONVOLUTION
#define XLAC_TENSOR_FUNCTIONS_CONVOLUTION

include "tensor/functions/Function.td"

// Lists of window sizes hold one integer for all spatial dimensions or one for
// each; inputs have a batch dimension or lack it.
def conv1d : Function<"Tensor conv1d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1)">;
def conv2d : Function<"Tensor conv2d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1)">;
def conv3d : Function<"Tensor conv3d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1)">;
def convolution_mode : Function<"Tensor convolution_mode(const Tensor &input, const Tensor &weight, const Tensor &bias, IntArrayRef stride, std::string_view padding, IntArrayRef dilation = 1, int64_t groups = 1)"> {
  let doc = [{A convolution of 1 to 3 dimensions whose padding is "valid" (none) or "same".}];
}
def conv_transpose1d : Function<"Tensor conv_transpose1d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1, IntArrayRef dilation = 1)">;
def conv_transpose2d : Function<"Tensor conv_transpose2d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1, IntArrayRef dilation = 1)">;
def conv_transpose3d : Function<"Tensor conv_transpose3d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1, IntArrayRef dilation = 1)">;

def max_pool1d : Function<"Tensor max_pool1d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)">;
def max_pool1d_with_indices : Function<"std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)"> {
  let doc = [{The indices count the elements of the spatial dimensions, row by row.}];
}
def max_pool2d : Function<"Tensor max_pool2d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)">;
def max_pool2d_with_indices : Function<"std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)"> {
  let doc = [{The indices count the elements of the spatial dimensions, row by row.}];
}
def max_pool3d : Function<"Tensor max_pool3d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)">;
def max_pool3d_with_indices : Function<"std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)"> {
  let doc = [{The indices count the elements of the spatial dimensions, row by row.}];
}
def max_unpool2d : Function<"Tensor max_unpool2d(const Tensor &input, const Tensor &indices, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef output_size = {})"> {
  let doc = [{Puts each element where max_pool2d_with_indices found it, zeros elsewhere.}];
}
def avg_pool1d : Function<"Tensor avg_pool1d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true)">;
def avg_pool2d : Function<"Tensor avg_pool2d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true, std::optional<int64_t> divisor_override = {})">;
def avg_pool3d : Function<"Tensor avg_pool3d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true, std::optional<int64_t> divisor_override = {})">;
def lp_pool2d : Function<"Tensor lp_pool2d(const Tensor &input, double norm_type, IntArrayRef kernel_size, IntArrayRef stride = {}, bool ceil_mode = false)">;

#endif
