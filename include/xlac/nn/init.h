// Initialization of parameters: PyTorch's torch.nn.init.
#pragma once

#include "xlac/tensor.h"

#include <string_view>

namespace xlac::nn {

/// These functions write in place without recording gradients and return their
/// tensor. In formulas fan_in is size(1) and fan_out is size(0) of the tensor,
/// each times the sizes of the dimensions after the second.
namespace init {
/// Uniform random numbers in [a, b). Throws ValueError if a is greater than b,
/// and UnsupportedError unless the dtype is a real float one.
XLAC_API Tensor uniform_(Tensor tensor, double a = 0, double b = 1);
/// Normal random numbers. Throws ValueError for a negative std, and
/// UnsupportedError unless the dtype is a real float one.
XLAC_API Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
/// Sets all elements to a number, converted to the dtype of the tensor.
XLAC_API Tensor constant_(Tensor tensor, double value);
/// Sets all elements to 1.
XLAC_API Tensor ones_(Tensor tensor);
/// Sets all elements to 0.
XLAC_API Tensor zeros_(Tensor tensor);
/// Sets the elements on the main diagonal of a matrix to 1 and others to 0.
/// Throws ValueError unless there are two dimensions.
XLAC_API Tensor eye_(Tensor tensor);
/// Uniform random numbers in [-bound, bound) with bound = gain * sqrt(6 /
/// (fan_in + fan_out)): Glorot and Bengio, "Understanding the difficulty of
/// training deep feedforward neural networks" (2010). Throws ValueError for
/// fewer than 2 dimensions.
XLAC_API Tensor xavier_uniform_(Tensor tensor, double gain = 1);
/// Normal random numbers of mean 0 and deviation gain * sqrt(2 / (fan_in +
/// fan_out)). Paper and errors are those of xavier_uniform_.
XLAC_API Tensor xavier_normal_(Tensor tensor, double gain = 1);
/// Uniform random numbers in [-bound, bound) with bound = gain * sqrt(3 / fan),
/// where the gain is calculate_gain(nonlinearity, a), and fan is fan_in or
/// fan_out by `mode`: He et al., "Delving deep into rectifiers" (2015). `a` is
/// the negative slope of leaky_relu. Throws ValueError for another mode or
/// nonlinearity, and for fewer than 2 dimensions.
XLAC_API Tensor kaiming_uniform_(Tensor tensor, double a = 0,
                                 std::string_view mode = "fan_in",
                                 std::string_view nonlinearity = "leaky_relu");
/// Normal random numbers of mean 0 and deviation gain / sqrt(fan). Arguments,
/// paper and errors are those of kaiming_uniform_.
XLAC_API Tensor kaiming_normal_(Tensor tensor, double a = 0,
                                std::string_view mode = "fan_in",
                                std::string_view nonlinearity = "leaky_relu");
/// Normal numbers truncated to [a, b].
XLAC_API Tensor trunc_normal_(Tensor tensor, double mean = 0, double std = 1,
                              double a = -2, double b = 2);
/// A (semi-)orthogonal matrix times `gain`; the dimensions after the first are
/// flattened. Throws ValueError for fewer than 2 dimensions.
XLAC_API Tensor orthogonal_(Tensor tensor, double gain = 1);
/// Returns PyTorch's recommended gain for the nonlinearity: "linear", "conv2d",
/// "sigmoid", "tanh", "relu", "leaky_relu", "selu". `param` is the negative
/// slope of leaky_relu. Throws ValueError for another name.
XLAC_API double calculate_gain(std::string_view nonlinearity,
                               double param = 0.01);
} // namespace init

} // namespace xlac::nn
