// docs/examples/mnist.h
// The model of every program below, and its data.
#pragma once
#include <iostream>
#include <xlac/xlac.h>

using namespace xlac;

struct MNISTImpl : nn::Module {
  nn::Conv2d conv1{nullptr}, conv2{nullptr};
  nn::BatchNorm2d bn1{nullptr}, bn2{nullptr};
  nn::Linear fc1{nullptr}, fc2{nullptr};

  MNISTImpl() {
    conv1 = register_module("conv1", nn::Conv2d(1, 10, 5));
    bn1 = register_module("bn1", nn::BatchNorm2d(10));
    conv2 = register_module("conv2", nn::Conv2d(10, 20, 5));
    bn2 = register_module("bn2", nn::BatchNorm2d(20));
    fc1 = register_module("fc1", nn::Linear(320, 50));
    fc2 = register_module("fc2", nn::Linear(50, 10));
  }

  Tensor forward(Tensor x) {
    x = bn1(F::relu(F::max_pool2d(conv1(x), {2})));
    x = bn2(F::relu(F::max_pool2d(conv2(x), {2})));
    x = F::relu(fc1(flatten(x, 1)));
    return F::log_softmax(fc2(x), 1);
  }
};
XLAC_MODULE(MNIST);

struct Flags { std::string datadir; int64_t batch_size = 128; int epochs = 2; double lr = 0.01, momentum = 0.5; };

inline auto mnist_dataset(const Flags& flags, bool train) {
  return data::map(data::datasets::MNIST(flags.datadir, train), data::Normalize{0.1307, 0.3081});
}
