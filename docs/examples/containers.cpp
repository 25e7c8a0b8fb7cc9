// Networks of containers: options by name, hooks, a function as a module.
#include <cassert>
#include <iostream>
#include <xlac/xlac.h>

using namespace xlac;

int main() {
  Device device = xm::xla_device();
  nn::Sequential features(nn::Conv2d({.in_channels = 1,
                                      .out_channels = 8,
                                      .kernel_size = 3,
                                      .padding = "same"}),
                          nn::ReLU(), nn::MaxPool2d(2), nn::Dropout2d(0.1));
  nn::Sequential net({{"features", features},
                      {"flat", nn::Flatten()},
                      {"head", nn::Linear(8 * 4 * 4, 10)}});
  net->append([](const Tensor &x) { return F::log_softmax(x, 1); });
  net.to(device);
  std::cout << net->str() << "\n";

  // Hooks receive the tensors of each call and the gradients in backward.
  auto shown = features->register_forward_hook(
      [](nn::Module &, const auto &inputs, const auto &outputs) {
        std::cout << "features: " << inputs[0].sizes() << " to "
                  << outputs[0].sizes() << "\n";
      });
  auto reported = features->register_full_backward_hook(
      [](nn::Module &module, const auto &, const auto &grad_output) {
        std::cout << module.name() << ": gradient of " << grad_output[0].sizes()
                  << "\n";
      });
  Tensor images = randn({2, 1, 8, 8}, device);
  Tensor digits = randint(0, 10, {2}, TensorOptions(device).dtype(kInt64));
  F::nll_loss(net(images), digits).backward();
  shown.remove();
  reported.remove();

  // Modules keep their classes; clones have new tensors.
  nn::Linear head = net->at<nn::Linear>(2);
  nn::Sequential copy = net.clone().eval();
  assert(head->weight.grad().sizes() == (Shape{10, 128}));
  assert(equal(copy->at<nn::Linear>(2)->weight, head->weight));
  assert(!copy->at<nn::Linear>(2)->weight.is_alias_of(head->weight));
  assert(equal(copy(images), copy(images))); // no dropout in evaluation
}
