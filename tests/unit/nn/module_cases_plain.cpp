// Modules without parameters, or nearly so.
#include "module_cases.h"

namespace xlac::module_cases {

using namespace nn;

nn::NamedModules pooling() {
  return {
      {"MaxPool1d", MaxPool1d(3, 2, 1, 1, true)},
      {"MaxPool2d", MaxPool2d(2)},
      {"MaxPool2d dilated", MaxPool2d({.kernel_size = {2, 3},
                                       .stride = {1, 2},
                                       .padding = {1, 1},
                                       .dilation = {2, 1}})},
      {"MaxPool3d", MaxPool3d({.kernel_size = {1, 2, 2}})},
      {"MaxUnpool2d", MaxUnpool2d(2)},
      {"AvgPool1d", AvgPool1d(3, 2, 1)},
      {"AvgPool2d",
       AvgPool2d({.kernel_size = 2, .padding = 1, .count_include_pad = false})},
      {"AvgPool2d divided", AvgPool2d({.kernel_size = {2, 3},
                                       .stride = 1,
                                       .ceil_mode = true,
                                       .divisor_override = 4})},
      {"AvgPool3d", AvgPool3d(2)},
      {"LPPool2d", LPPool2d(2, 2)},
      {"LPPool2d with a stride",
       LPPool2d({.norm_type = 4.0, .kernel_size = {2, 1}, .stride = 1})},
      {"AdaptiveAvgPool1d", AdaptiveAvgPool1d(3)},
      {"AdaptiveAvgPool2d", AdaptiveAvgPool2d({.output_size = {-1, 2}})},
      {"AdaptiveAvgPool3d", AdaptiveAvgPool3d(2)},
      {"AdaptiveMaxPool1d", AdaptiveMaxPool1d(3)},
      {"AdaptiveMaxPool2d", AdaptiveMaxPool2d({.output_size = {2, -1}})},
  };
}

nn::NamedModules activations() {
  return {
      {"ReLU", ReLU()},
      {"ReLU6", ReLU6()},
      {"SELU", SELU()},
      {"SiLU", SiLU()},
      {"Mish", Mish()},
      {"Hardsigmoid", Hardsigmoid()},
      {"Hardswish", Hardswish()},
      {"LeakyReLU", LeakyReLU()},
      {"ELU", ELU()},
      {"CELU", CELU()},
      {"GELU", GELU()},
      {"Sigmoid", Sigmoid()},
      {"LogSigmoid", LogSigmoid()},
      {"Tanh", Tanh()},
      {"Softplus", Softplus()},
      {"Softsign", Softsign()},
      {"Softshrink", Softshrink()},
      {"Hardshrink", Hardshrink()},
      {"Tanhshrink", Tanhshrink()},
      {"Hardtanh", Hardtanh()},
      {"PReLU", PReLU()},
      {"RReLU", RReLU()},
      {"Threshold", Threshold(0.1, 20)},
      {"GLU", GLU()},
      {"GLU of columns", GLU(0)},
      {"Softmax", Softmax(1)},
      {"Softmax without a dimension", Softmax()},
      {"LogSoftmax", LogSoftmax(-1)},
      {"Softmin", Softmin(0)},
      {"ReLU in place", Sequential(Linear(2, 3), ReLU(true))},
      {"Hardswish in place", Sequential(Linear(2, 3), Hardswish(true))},
      {"LeakyReLU of a whole slope", LeakyReLU(1)},
      {"ELU in place", Sequential(Linear(2, 3), ELU(0.5, true))},
      {"CELU of 2", CELU(2.0)},
      {"GELU by tanh", GELU("tanh")},
      {"Softplus of 2", Softplus(2, 5)},
      {"Softshrink of 1", Softshrink(1)},
      {"Hardtanh from 0", Hardtanh(0, 2.5)},
      {"PReLU of channels", PReLU(3, 0.1)},
      {"RReLU of other slopes", RReLU(0.1, 0.25)},
      {"Dropout", Dropout()},
      {"Dropout1d", Dropout1d()},
      {"Dropout2d", Dropout2d()},
      {"Dropout3d", Dropout3d()},
      {"AlphaDropout", AlphaDropout()},
      {"FeatureAlphaDropout", FeatureAlphaDropout()},
      {"Dropout of nothing", Dropout(0.0)},
  };
}

nn::NamedModules images() {
  return {
      {"ConstantPad1d", ConstantPad1d(2, 3.5)},
      {"ConstantPad2d", ConstantPad2d({.padding = {1, 0, 2, -1}, .value = 1})},
      {"ConstantPad3d", ConstantPad3d(1, 0.5)},
      {"ZeroPad2d", ZeroPad2d({.padding = {1, 2, 0, 1}})},
      {"ReflectionPad1d", ReflectionPad1d({.padding = {2, 1}})},
      {"ReflectionPad2d", ReflectionPad2d(1)},
      {"ReflectionPad3d", ReflectionPad3d({.padding = {1, 0, 0, 1, 1, 0}})},
      {"ReplicationPad1d", ReplicationPad1d(2)},
      {"ReplicationPad2d", ReplicationPad2d({.padding = {1, 2, 0, 1}})},
      {"ReplicationPad3d", ReplicationPad3d(1)},
      {"Upsample", Upsample({.scale_factor = 2})},
      {"Upsample to a size", Upsample({.size = {3, 5}})},
      {"Upsample to one size", Upsample({.size = 4, .mode = "linear"})},
      {"Upsample bilinear", Upsample({.scale_factor = {1.5, 2},
                                      .mode = "bilinear",
                                      .align_corners = true})},
      {"PixelShuffle", PixelShuffle(2)},
      {"PixelUnshuffle", PixelUnshuffle(2)},
      {"ChannelShuffle", ChannelShuffle(2)},
  };
}

} // namespace xlac::module_cases
