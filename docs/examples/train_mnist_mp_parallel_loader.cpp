// docs/examples/train_mnist_mp_parallel_loader.cpp
// The older form of the same loop: ParallelLoader made by hand.
#include "mnist.h"

int main() {
  xmp::spawn([](int) {
    Device device = xm::xla_device();
    xu::SampleGenerator train_loader(data::Example<>{zeros({64, 1, 28, 28}), zeros({64}, kInt64)}, 100);
    MNIST model = MNIST().train().to(device);
    nn::NLLLoss loss_fn;
    optim::SGD optimizer(model->parameters(), {.lr = 0.01, .momentum = 0.5});
    for (int epoch = 0; epoch < 2; ++epoch) {
      pl::ParallelLoader para_loader(train_loader, {device});
      for (auto& [data, target] : para_loader.per_device_loader(device)) {
        optimizer.zero_grad();
        loss_fn(model(data), target).backward();
        xm::optimizer_step(optimizer);
      }
    }
  });
}
