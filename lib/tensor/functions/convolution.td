#ifndef XLAC_TENSOR_FUNCTIONS_CONVOLUTION
#define XLAC_TENSOR_FUNCTIONS_CONVOLUTION

include "tensor/functions/Function.td"

// Lists of window sizes hold one integer for all spatial dimensions or one for
// each; the batch dimension of inputs is optional.
def conv1d : Function<"Tensor conv1d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1)"> {
  let doc = [{Returns the cross-correlation of an input [C, L] or [N, C, L] with a weight [out, C / groups, k], plus a bias [out]; an output size is (size + 2 * padding - dilation * (k - 1) - 1) / stride + 1, rounded down. Throws ShapeError if sizes do not fit or the input is too small, ValueError for a negative padding, and DtypeError if dtypes differ.}];
}
def conv2d : Function<"Tensor conv2d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1)"> {
  let doc = [{Returns the cross-correlation of an input [C, H, W] or [N, C, H, W] with a weight [out, C / groups, kh, kw], plus a bias [out]; an output size is (size + 2 * padding - dilation * (k - 1) - 1) / stride + 1, rounded down. Throws ShapeError if sizes do not fit or the input is too small, ValueError for a negative padding, and DtypeError if dtypes differ.}];
}
def conv3d : Function<"Tensor conv3d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1)"> {
  let doc = [{Returns the cross-correlation of an input [C, D, H, W] or [N, C, D, H, W] with a weight [out, C / groups, kd, kh, kw], plus a bias [out]; an output size is (size + 2 * padding - dilation * (k - 1) - 1) / stride + 1, rounded down. Throws ShapeError if sizes do not fit or the input is too small, ValueError for a negative padding, and DtypeError if dtypes differ.}];
}
def convolution_mode : Function<"Tensor convolution_mode(const Tensor &input, const Tensor &weight, const Tensor &bias, IntArrayRef stride, std::string_view padding, IntArrayRef dilation = 1, int64_t groups = 1)"> {
  let doc = [{Returns a convolution of 1 to 3 dimensions, by the rank of the weight, with padding "valid" (none) or "same", which keeps the sizes. Throws ValueError for other padding, and for "same" with a stride.}];
}
def conv_transpose1d : Function<"Tensor conv_transpose1d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1, IntArrayRef dilation = 1)"> {
  let doc = [{Returns the transposed convolution, which is the gradient of conv1d with respect to its input, of an input [C, L] or [N, C, L] with a weight [C, out / groups, k], plus a bias [out]; an output size is (size - 1) * stride - 2 * padding + dilation * (k - 1) + output_padding + 1. Throws ValueError unless the output padding is below stride or dilation, and ShapeError if sizes do not fit.}];
}
def conv_transpose2d : Function<"Tensor conv_transpose2d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1, IntArrayRef dilation = 1)"> {
  let doc = [{Returns the transposed convolution, which is the gradient of conv2d with respect to its input, of an input [C, H, W] or [N, C, H, W] with a weight [C, out / groups, kh, kw], plus a bias [out]; an output size is (size - 1) * stride - 2 * padding + dilation * (k - 1) + output_padding + 1. Throws ValueError unless the output padding is below stride or dilation, and ShapeError if sizes do not fit.}];
}
def conv_transpose3d : Function<"Tensor conv_transpose3d(const Tensor &input, const Tensor &weight, const Tensor &bias = {}, IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1, IntArrayRef dilation = 1)"> {
  let doc = [{Returns the transposed convolution, which is the gradient of conv3d with respect to its input, of an input [C, D, H, W] or [N, C, D, H, W] with a weight [C, out / groups, kd, kh, kw], plus a bias [out]; an output size is (size - 1) * stride - 2 * padding + dilation * (k - 1) + output_padding + 1. Throws ValueError unless the output padding is below stride or dilation, and ShapeError if sizes do not fit.}];
}

def max_pool1d : Function<"Tensor max_pool1d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)"> {
  let doc = [{Returns the greatest elements of windows over the last dimension of [C, L] or [N, C, L], NaN if there is any; padding never counts, and the stride is the window size unless given. `ceil_mode` adds a last window that only partly fits. Throws ValueError for padding above half of the window, and ShapeError if no window fits.}];
}
def max_pool1d_with_indices : Function<"std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)"> {
  let doc = [{Returns the result of max_pool1d and the int64 index of each element in its flattened spatial dimensions.}];
}
def max_pool2d : Function<"Tensor max_pool2d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)"> {
  let doc = [{Returns the greatest elements of windows over the last 2 dimensions of [C, H, W] or [N, C, H, W], NaN if there is any; padding never counts, and the stride is the window size unless given. `ceil_mode` adds a last window that only partly fits. Throws ValueError for padding above half of the window, and ShapeError if no window fits.}];
}
def max_pool2d_with_indices : Function<"std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)"> {
  let doc = [{Returns the result of max_pool2d and the int64 index of each element in its flattened spatial dimensions.}];
}
def max_pool3d : Function<"Tensor max_pool3d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)"> {
  let doc = [{Returns the greatest elements of windows over the last 3 dimensions of [C, D, H, W] or [N, C, D, H, W], NaN if there is any; padding never counts, and the stride is the window size unless given. `ceil_mode` adds a last window that only partly fits. Throws ValueError for padding above half of the window, and ShapeError if no window fits.}];
}
def max_pool3d_with_indices : Function<"std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false)"> {
  let doc = [{Returns the result of max_pool3d and the int64 index of each element in its flattened spatial dimensions.}];
}
def max_unpool2d : Function<"Tensor max_unpool2d(const Tensor &input, const Tensor &indices, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, IntArrayRef output_size = {})"> {
  let doc = [{Returns zeros with each element of the input at its flat index in the image [C, H, W] or [N, C, H, W], as max_pool2d_with_indices gives them. `output_size` is computed from the windows unless given; throws ShapeError if the shapes of input and indices differ, and DtypeError unless the indices are int64.}];
}
def avg_pool1d : Function<"Tensor avg_pool1d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true)"> {
  let doc = [{Returns the means of windows over the last dimension of [C, L] or [N, C, L]; padding counts as zeros unless `count_include_pad` is false. Windows and their errors are those of max_pool1d; throws DtypeError unless the input is a real float.}];
}
def avg_pool2d : Function<"Tensor avg_pool2d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true, std::optional<int64_t> divisor_override = {})"> {
  let doc = [{Returns the means of windows over the last 2 dimensions of [C, H, W] or [N, C, H, W]; padding counts as zeros unless `count_include_pad` is false. `divisor_override`, which must not be 0, replaces the divisor. Windows and their errors are those of max_pool2d; throws DtypeError unless the input is a real float.}];
}
def avg_pool3d : Function<"Tensor avg_pool3d(const Tensor &input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true, std::optional<int64_t> divisor_override = {})"> {
  let doc = [{Returns the means of windows over the last 3 dimensions of [C, D, H, W] or [N, C, D, H, W]; padding counts as zeros unless `count_include_pad` is false. `divisor_override`, which must not be 0, replaces the divisor. Windows and their errors are those of max_pool3d; throws DtypeError unless the input is a real float.}];
}
def lp_pool2d : Function<"Tensor lp_pool2d(const Tensor &input, double norm_type, IntArrayRef kernel_size, IntArrayRef stride = {}, bool ceil_mode = false)"> {
  let doc = [{Returns (Σ xᵖ)^(1/p) with p = norm_type over the windows of an image [C, H, W] or [N, C, H, W]; windows past the edge are scaled up to their full size, and a negative sum gives NaN unless p is 1. Throws DtypeError unless the input is a real float.}];
}

def adaptive_avg_pool1d : Function<"Tensor adaptive_avg_pool1d(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{Returns an output of size `output_size` for [C, L] or [N, C, L]: element i is the mean of the elements from floor(i * size / output) up to ceil((i + 1) * size / output). A size of -1 keeps that of the input. Throws DtypeError unless the input is a real float, and ShapeError for an empty spatial dimension.}];
}
def adaptive_avg_pool2d : Function<"Tensor adaptive_avg_pool2d(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{Returns an output of size `output_size` for [C, H, W] or [N, C, H, W]: element i is the mean of the elements from floor(i * size / output) up to ceil((i + 1) * size / output). A size of -1 keeps that of the input. Throws DtypeError unless the input is a real float, and ShapeError for an empty spatial dimension.}];
}
def adaptive_avg_pool3d : Function<"Tensor adaptive_avg_pool3d(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{Returns an output of size `output_size` for [C, D, H, W] or [N, C, D, H, W]: element i is the mean of the elements from floor(i * size / output) up to ceil((i + 1) * size / output). A size of -1 keeps that of the input. Throws DtypeError unless the input is a real float, and ShapeError for an empty spatial dimension.}];
}
def adaptive_max_pool1d : Function<"Tensor adaptive_max_pool1d(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{Returns the greatest elements of the windows of adaptive_avg_pool1d; sizes and errors as there.}];
}
def adaptive_max_pool1d_with_indices : Function<"std::tuple<Tensor, Tensor> adaptive_max_pool1d_with_indices(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{Returns the result of adaptive_max_pool1d and the int64 index of each element in the flattened spatial dimensions, the first of equal ones.}];
}
def adaptive_max_pool2d : Function<"Tensor adaptive_max_pool2d(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{Returns the greatest elements of the windows of adaptive_avg_pool2d; sizes and errors as there.}];
}
def adaptive_max_pool2d_with_indices : Function<"std::tuple<Tensor, Tensor> adaptive_max_pool2d_with_indices(const Tensor &input, IntArrayRef output_size)"> {
  let doc = [{Returns the result of adaptive_max_pool2d and the int64 index of each element in the flattened spatial dimensions, the first of equal ones.}];
}

def interpolate : Function<"Tensor interpolate(const Tensor &input, IntArrayRef size = {}, const std::vector<double> &scale_factor = {}, std::string_view mode = \"nearest\", std::optional<bool> align_corners = {}, std::optional<bool> recompute_scale_factor = {}, bool antialias = false)"> {
  let doc = [{Resizes the spatial dimensions of [N, C, …] by "nearest", "nearest-exact", "linear" (3 dimensions), "bilinear", "bicubic" (4), "trilinear" (5) or "area". Throws ValueError unless exactly one of `size` and `scale_factor` is given, UnsupportedError for a mode that does not fit, and ShapeError for empty sizes.}];
}
def im2col : Function<"Tensor im2col(const Tensor &input, IntArrayRef kernel_size, IntArrayRef dilation = 1, IntArrayRef padding = 0, IntArrayRef stride = 1)"> {
  let doc = [{Returns the patches of an image [C, H, W] or [N, C, H, W] as columns [..., C * patch size, patches]; nn::functional::unfold. Throws ShapeError if there is no patch.}];
}
def col2im : Function<"Tensor col2im(const Tensor &input, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation = 1, IntArrayRef padding = 0, IntArrayRef stride = 1)"> {
  let doc = [{Adds columns [..., C * patch size, patches] up to an image of size `output_size`; nn::functional::fold. Throws ShapeError if the columns do not fit.}];
}
def grid_sample : Function<"Tensor grid_sample(const Tensor &input, const Tensor &grid, std::string_view mode = \"bilinear\", std::string_view padding_mode = \"zeros\", bool align_corners = false)"> {
  let doc = [{Returns elements of [N, C, H, W] or [N, C, D, H, W] at the coordinates in `grid`, x first, where -1 and 1 are the edges of the image, or with `align_corners` the centers of its outermost elements. `mode` is "bilinear", "nearest" or, for 4 dimensions, "bicubic", `padding_mode` "zeros", "border" or "reflection", else ValueError. Throws DtypeError if dtypes differ.}];
}
def affine_grid : Function<"Tensor affine_grid(const Tensor &theta, IntArrayRef size, bool align_corners = false)"> {
  let doc = [{Returns the grid [N, H, W, 2] or [N, D, H, W, 3] for grid_sample of affine matrices `theta` [N, 2, 3] or [N, 3, 4]; `size` is that of the image to make. Throws ShapeError if they do not fit, and UnsupportedError for other than 4 or 5 sizes.}];
}

#endif
