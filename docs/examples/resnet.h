// ResNet-18 with the names of torchvision's parameters.
#pragma once
#include <xlac/xlac.h>

using namespace xlac;

inline nn::Conv2d convolution(int64_t inputs, int64_t outputs, int64_t size,
                              int64_t stride) {
  nn::Conv2d conv({.in_channels = inputs,
                   .out_channels = outputs,
                   .kernel_size = {size},
                   .stride = {stride},
                   .padding = {size / 2},
                   .bias = false});
  nn::init::kaiming_normal_(conv->weight, 0, "fan_out", "relu");
  return conv;
}

/// Two convolutions, and what came in added to what comes out.
struct BasicBlockImpl : nn::Module {
  nn::Conv2d conv1{nullptr}, conv2{nullptr};
  nn::BatchNorm2d bn1{nullptr}, bn2{nullptr};
  nn::Sequential downsample{nullptr};

  BasicBlockImpl(int64_t inputs, int64_t outputs, int64_t stride) {
    conv1 = register_module("conv1", convolution(inputs, outputs, 3, stride));
    bn1 = register_module("bn1", nn::BatchNorm2d(outputs));
    conv2 = register_module("conv2", convolution(outputs, outputs, 3, 1));
    bn2 = register_module("bn2", nn::BatchNorm2d(outputs));
    if (stride != 1 || inputs != outputs)
      downsample = register_module(
          "downsample", nn::Sequential(convolution(inputs, outputs, 1, stride),
                                       nn::BatchNorm2d(outputs)));
  }

  Tensor forward(const Tensor &x) {
    Tensor y = bn2(conv2(F::relu(bn1(conv1(x)))));
    return F::relu(y + (downsample ? downsample(x) : x));
  }
};
XLAC_MODULE(BasicBlock);

struct ResNet18Options {
  int64_t num_classes = 1000;
  int64_t width = 64; ///< channels of the first layer
  /// The usual first layer for images of 32 x 32, in place of one that reads
  /// 224 x 224.
  bool small_images = false;
};

struct ResNet18Impl : nn::Module {
  bool small_images;
  nn::Conv2d conv1{nullptr};
  nn::BatchNorm2d bn1{nullptr};
  std::vector<nn::Sequential> layers;
  nn::Linear fc{nullptr};

  explicit ResNet18Impl(ResNet18Options options = {})
      : small_images(options.small_images) {
    int64_t channels = options.width;
    conv1 =
        register_module("conv1", small_images ? convolution(3, channels, 3, 1)
                                              : convolution(3, channels, 7, 2));
    bn1 = register_module("bn1", nn::BatchNorm2d(channels));
    for (int64_t i = 0; i < 4; ++i) {
      int64_t outputs = options.width << i, stride = i == 0 ? 1 : 2;
      layers.push_back(
          register_module("layer" + std::to_string(i + 1),
                          nn::Sequential(BasicBlock(channels, outputs, stride),
                                         BasicBlock(outputs, outputs, 1))));
      channels = outputs;
    }
    fc = register_module("fc", nn::Linear(channels, options.num_classes));
  }

  /// [N, 3, height, width] to [N, num_classes].
  Tensor forward(Tensor x) {
    x = F::relu(bn1(conv1(x)));
    if (!small_images)
      x = F::max_pool2d(x, 3, 2, 1);
    for (const nn::Sequential &layer : layers)
      x = layer(x);
    return fc(flatten(F::adaptive_avg_pool2d(x, {1, 1}), 1));
  }
};
XLAC_MODULE(ResNet18);
