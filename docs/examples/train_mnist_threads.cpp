// docs/examples/train_mnist_threads.cpp
// A thread a device, in one process.
#include "mnist.h"

int main(int argc, char** argv) {
  Flags flags{.datadir = argc > 1 ? argv[1] : "mnist-data"};
  data::DataLoader train_loader(mnist_dataset(flags, true), {.batch_size = flags.batch_size, .shuffle = true, .drop_last = true});

  std::vector<Device> devices = xm::get_xla_supported_devices();
  dp::DataParallel model_parallel([] { return MNIST(); }, devices);

  auto train_loop_fn = [&](MNIST& model, auto& loader, Device, dp::Context& context) -> double {
    nn::NLLLoss loss_fn;
    auto& optimizer = context.getattr_or<optim::SGD>("optimizer", [&] {      // momentum survives the epochs
      return optim::SGD(model->parameters(), {.lr = flags.lr, .momentum = flags.momentum});
    });
    model.train();
    Tensor loss;
    for (auto& [data, target] : loader) {
      optimizer.zero_grad();
      Tensor output = model(data);
      loss = loss_fn(output, target);
      loss.backward();
      xm::optimizer_step(optimizer);
    }
    return loss.item<double>();
  };

  for (int epoch = 1; epoch <= flags.epochs; ++epoch) {
    std::vector<double> losses = model_parallel(train_loop_fn, train_loader);
    for (size_t i = 0; i < losses.size(); ++i) std::cout << devices[i] << " " << losses[i] << "\n";
  }
}
