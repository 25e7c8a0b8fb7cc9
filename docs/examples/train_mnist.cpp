// docs/examples/train_mnist.cpp
// One device.
#include "mnist.h"

double test(MNIST model, auto& loader, Device device) {
  NoGradGuard no_grad;
  model.eval();
  int64_t total = 0;
  Tensor correct = zeros({}, TensorOptions(device).dtype(kInt64));
  for (auto& [data, target] : loader) {
    Tensor pred = model(data.to(device)).argmax(1);
    correct += pred.eq(target.to(device)).sum();
    total += data.size(0);
    xlac::sync();
  }
  return 100.0 * correct.item<int64_t>() / total;      // the only wait of the loop
}

int main(int argc, char** argv) {
  Flags flags{.datadir = argc > 1 ? argv[1] : "mnist-data"};
  manual_seed(1);

  data::DataLoader train_loader(mnist_dataset(flags, true), {.batch_size = flags.batch_size, .shuffle = true, .drop_last = true});
  data::DataLoader test_loader(mnist_dataset(flags, false), {.batch_size = flags.batch_size, .drop_last = true});

  Device device = xm::xla_device();
  MNIST model = MNIST().train().to(device);
  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(), {.lr = flags.lr, .momentum = flags.momentum});

  for (int epoch = 1; epoch <= flags.epochs; ++epoch) {
    model.train();
    int step = 0;
    for (auto& [cpu_data, cpu_target] : train_loader) {
      optimizer.zero_grad();
      Tensor data = cpu_data.to(device);
      Tensor target = cpu_target.to(device);
      Tensor output = model(data);
      Tensor loss = loss_fn(output, target);
      loss.backward();

      optimizer.step();
      if (step++ % 100 == 0)
        xm::add_step_closure([=](const Tensor& l) { xm::master_print("epoch", epoch, "step", step, "loss", l.item<float>()); }, std::tuple(loss));
      xm::mark_step();
    }
    xm::master_print("epoch", epoch, "accuracy", test(model, test_loader, device));
  }
  xm::save(model->state_dict(), "mnist.pt");
  std::cout << met::short_metrics_report();
}
