#ifndef XLAC_TENSOR_FUNCTIONS_CONVOLUTION
#define XLAC_TENSOR_FUNCTIONS_CONVOLUTION

include "tensor/functions/Function.td"

// Lists of window sizes hold one integer for all spatial dimensions or one for
// each; the batch dimension of inputs is optional.
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

def adaptive_avg_pool1d : Function<"Tensor adaptive_avg_pool1d(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{A size of -1 keeps that of the input.}];
}
def adaptive_avg_pool2d : Function<"Tensor adaptive_avg_pool2d(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{A size of -1 keeps that of the input.}];
}
def adaptive_avg_pool3d : Function<"Tensor adaptive_avg_pool3d(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{A size of -1 keeps that of the input.}];
}
def adaptive_max_pool1d : Function<"Tensor adaptive_max_pool1d(const Tensor &input, IntArrayRef output_size)">;
def adaptive_max_pool1d_with_indices : Function<"std::tuple<Tensor, Tensor> adaptive_max_pool1d_with_indices(const Tensor &input, IntArrayRef output_size)">;
def adaptive_max_pool2d : Function<"Tensor adaptive_max_pool2d(const Tensor &input, IntArrayRef output_size)">;
def adaptive_max_pool2d_with_indices : Function<"std::tuple<Tensor, Tensor> adaptive_max_pool2d_with_indices(const Tensor &input, IntArrayRef output_size)">;

def interpolate : Function<"Tensor interpolate(const Tensor &input, IntArrayRef size = {}, const std::vector<double> &scale_factor = {}, std::string_view mode = \"nearest\", std::optional<bool> align_corners = {}, std::optional<bool> recompute_scale_factor = {}, bool antialias = false)"> {
  let doc = [{mode is "nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear" or "area"; one of size and scale_factor is given.}];
}
def im2col : Function<"Tensor im2col(const Tensor &input, IntArrayRef kernel_size, IntArrayRef dilation = 1, IntArrayRef padding = 0, IntArrayRef stride = 1)"> {
  let doc = [{Patches of [N, C, H, W] as columns [N, C * patch, patches]: F::unfold.}];
}
def col2im : Function<"Tensor col2im(const Tensor &input, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation = 1, IntArrayRef padding = 0, IntArrayRef stride = 1)"> {
  let doc = [{Adds columns of patches up to an image: F::fold.}];
}
def grid_sample : Function<"Tensor grid_sample(const Tensor &input, const Tensor &grid, std::string_view mode = \"bilinear\", std::string_view padding_mode = \"zeros\", bool align_corners = false)"> {
  let doc = [{mode is "bilinear", "nearest" or "bicubic", padding_mode "zeros", "border" or "reflection".}];
}
def affine_grid : Function<"Tensor affine_grid(const Tensor &theta, IntArrayRef size, bool align_corners = false)">;

#endif
