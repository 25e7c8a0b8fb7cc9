// How parameters start: PyTorch's torch.nn.init.
#pragma once

#include "xlac/tensor.h"

#include <string_view>

namespace xlac::nn {

/// In place and without gradient; each returns its tensor.
namespace init {
XLAC_API Tensor uniform_(Tensor tensor, double a = 0, double b = 1);
XLAC_API Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
XLAC_API Tensor constant_(Tensor tensor, double value);
XLAC_API Tensor ones_(Tensor tensor);
XLAC_API Tensor zeros_(Tensor tensor);
/// Of a matrix.
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
/// Normal numbers, none outside of [a, b].
XLAC_API Tensor trunc_normal_(Tensor tensor, double mean = 0, double std = 1,
                              double a = -2, double b = 2);
/// Rows, or columns where there are fewer, are orthonormal, times `gain`; the
/// dimensions after the first are one. ValueError for fewer than 2.
XLAC_API Tensor orthogonal_(Tensor tensor, double gain = 1);
/// PyTorch's recommended gain for what follows a layer: "linear", "conv2d",
/// "sigmoid", "tanh", "relu", "leaky_relu", "selu".
XLAC_API double calculate_gain(std::string_view nonlinearity,
                               double param = 0.01);
} // namespace init

} // namespace xlac::nn
