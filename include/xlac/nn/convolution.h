// Convolutions. Options are in PyTorch's argument order, with its defaults.
#pragma once

#include "xlac/nn/module.h"

namespace xlac::nn {

struct Conv2dOptions {
  int64_t in_channels, out_channels;
  Shape kernel_size;
  Shape stride = {1};
  Shape padding = {0};
  Shape dilation = {1};
  int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";
};
/// padding_mode is "zeros", "reflect", "replicate" or "circular".
struct XLAC_API Conv2dImpl : Module {
  Conv2dImpl(int64_t in_channels, int64_t out_channels, int64_t kernel_size);
  explicit Conv2dImpl(Conv2dOptions options);
  Tensor forward(const Tensor &input);
  Tensor weight, bias; ///< [out, in / groups, height, width], [out]

protected:
  std::string extra_repr() const override;

private:
  Conv2dOptions options_;
};
XLAC_MODULE(Conv2d);

} // namespace xlac::nn
