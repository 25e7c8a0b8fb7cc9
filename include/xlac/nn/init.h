// Initialization of parameters: PyTorch's torch.nn.init.
#pragma once

#include "xlac/tensor.h"

#include <string_view>

namespace xlac::nn {

/// These functions write in place without recording gradients and return their
/// tensor.
namespace init {
XLAC_API Tensor uniform_(Tensor tensor, double a = 0, double b = 1);
XLAC_API Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
XLAC_API Tensor constant_(Tensor tensor, double value);
XLAC_API Tensor ones_(Tensor tensor);
XLAC_API Tensor zeros_(Tensor tensor);
/// The tensor must be a matrix.
XLAC_API Tensor eye_(Tensor tensor);
XLAC_API Tensor xavier_uniform_(Tensor tensor, double gain = 1);
XLAC_API Tensor xavier_normal_(Tensor tensor, double gain = 1);
/// mode is "fan_in" or "fan_out"; a is the slope of leaky_relu.
XLAC_API Tensor kaiming_uniform_(Tensor tensor, double a = 0,
                                 std::string_view mode = "fan_in",
                                 std::string_view nonlinearity = "leaky_relu");
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
/// "sigmoid", "tanh", "relu", "leaky_relu", "selu".
XLAC_API double calculate_gain(std::string_view nonlinearity,
                               double param = 0.01);
} // namespace init

} // namespace xlac::nn
