// ResNet-18 and ResNet-50 with the names of torchvision's parameters.
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

/// Two convolutions with a residual connection.
struct BasicBlockImpl : nn::Module {
  static constexpr int64_t expansion = 1;
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

/// A 3 x 3 convolution between two of 1 x 1, with a residual connection. The
/// last one has four times the channels.
struct BottleneckImpl : nn::Module {
  static constexpr int64_t expansion = 4;
  nn::Conv2d conv1{nullptr}, conv2{nullptr}, conv3{nullptr};
  nn::BatchNorm2d bn1{nullptr}, bn2{nullptr}, bn3{nullptr};
  nn::Sequential downsample{nullptr};

  BottleneckImpl(int64_t inputs, int64_t width, int64_t stride) {
    int64_t outputs = expansion * width;
    conv1 = register_module("conv1", convolution(inputs, width, 1, 1));
    bn1 = register_module("bn1", nn::BatchNorm2d(width));
    conv2 = register_module("conv2", convolution(width, width, 3, stride));
    bn2 = register_module("bn2", nn::BatchNorm2d(width));
    conv3 = register_module("conv3", convolution(width, outputs, 1, 1));
    bn3 = register_module("bn3", nn::BatchNorm2d(outputs));
    if (stride != 1 || inputs != outputs)
      downsample = register_module(
          "downsample", nn::Sequential(convolution(inputs, outputs, 1, stride),
                                       nn::BatchNorm2d(outputs)));
  }

  Tensor forward(const Tensor &x) {
    Tensor y = F::relu(bn2(conv2(F::relu(bn1(conv1(x))))));
    return F::relu(bn3(conv3(y)) + (downsample ? downsample(x) : x));
  }
};
XLAC_MODULE(Bottleneck);

struct ResNetOptions {
  int64_t num_classes = 1000;
  int64_t width = 64; ///< channels of the first layer
  /// Uses the usual first layer for images of 32 x 32 instead of the one for
  /// 224 x 224.
  bool small_images = false;
};

/// Four layers with `depths` blocks.
template <class Block> struct ResNetOf : nn::Module {
  bool small_images;
  nn::Conv2d conv1{nullptr};
  nn::BatchNorm2d bn1{nullptr};
  std::vector<nn::Sequential> layers;
  nn::Linear fc{nullptr};

  ResNetOf(ResNetOptions options, std::array<int64_t, 4> depths)
      : small_images(options.small_images) {
    int64_t channels = options.width;
    conv1 =
        register_module("conv1", small_images ? convolution(3, channels, 3, 1)
                                              : convolution(3, channels, 7, 2));
    bn1 = register_module("bn1", nn::BatchNorm2d(channels));
    for (size_t i = 0; i < depths.size(); ++i) {
      int64_t width = options.width << i;
      nn::Sequential layer;
      for (int64_t j = 0; j < depths[i]; ++j) {
        layer->append(Block(channels, width, i > 0 && j == 0 ? 2 : 1));
        channels = Block::Contained::expansion * width;
      }
      layers.push_back(register_module("layer" + std::to_string(i + 1), layer));
    }
    fc = register_module("fc", nn::Linear(channels, options.num_classes));
  }

  /// Maps [N, 3, height, width] to [N, num_classes].
  Tensor forward(Tensor x) {
    x = F::relu(bn1(conv1(x)));
    if (!small_images)
      x = F::max_pool2d(x, 3, 2, 1);
    for (const nn::Sequential &layer : layers)
      x = layer(x);
    return fc(flatten(F::adaptive_avg_pool2d(x, {1, 1}), 1));
  }
};

struct ResNet18Impl : ResNetOf<BasicBlock> {
  explicit ResNet18Impl(ResNetOptions options = {})
      : ResNetOf(options, {2, 2, 2, 2}) {}
};
XLAC_MODULE(ResNet18);

struct ResNet50Impl : ResNetOf<Bottleneck> {
  explicit ResNet50Impl(ResNetOptions options = {})
      : ResNetOf(options, {3, 4, 6, 3}) {}
};
XLAC_MODULE(ResNet50);
