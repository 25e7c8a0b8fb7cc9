// One device. Argument: the folder with MNIST's four files; synthetic digits
// are written there when it has none.
#include "mnist.h"

#include <chrono>
#include <filesystem>

static void write_digits_unless_there(const std::string &folder) {
  std::filesystem::path images =
      std::filesystem::path(folder) / "train-images-idx3-ubyte";
  if (!std::filesystem::exists(images) &&
      !std::filesystem::exists(images.string() + ".gz"))
    data::write_synthetic_digits(folder);
}

static double test(MNIST model, auto &loader, Device device) {
  NoGradGuard no_grad;
  model.eval();
  int64_t total = 0;
  Tensor correct = zeros({}, TensorOptions(device).dtype(kInt64));
  for (auto &[data, target] : loader) {
    Tensor pred = model(data.to(device)).argmax(1);
    correct += pred.eq(target.to(device)).sum();
    total += data.size(0);
    xlac::sync();
  }
  // The only wait of the loop.
  return 100.0 * static_cast<double>(correct.item<int64_t>()) /
         static_cast<double>(total);
}

int main(int argc, char **argv) {
  Flags flags{.datadir = argc > 1 ? argv[1] : "mnist-data",
              .batch_size = 64,
              .lr = 0.05,
              .momentum = 0.9};
  write_digits_unless_there(flags.datadir);
  manual_seed(1);

  data::DataLoader train_loader(mnist_dataset(flags, true),
                                {.batch_size = flags.batch_size,
                                 .shuffle = true,
                                 .num_workers = 1,
                                 .drop_last = true});
  data::DataLoader test_loader(
      mnist_dataset(flags, false),
      {.batch_size = flags.batch_size, .drop_last = true});

  Device device = xm::xla_device();
  MNIST model = MNIST().train().to(device);
  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(),
                       {.lr = flags.lr, .momentum = flags.momentum});

  double accuracy = 0;
  for (int epoch = 1; epoch <= flags.epochs; ++epoch) {
    model.train();
    int step = 0;
    auto start = std::chrono::steady_clock::now();
    for (auto &[cpu_data, cpu_target] : train_loader) {
      optimizer.zero_grad();
      Tensor data = cpu_data.to(device);
      Tensor target = cpu_target.to(device);
      Tensor output = model(data);
      Tensor loss = loss_fn(output, target);
      loss.backward();

      optimizer.step();
      if (step++ % 50 == 0)
        xm::add_step_closure(
            [=](const Tensor &l) {
              xm::master_print("epoch", epoch, "step", step, "loss",
                               l.item<float>());
            },
            std::tuple(loss));
      xm::mark_step();
    }
    xm::wait_device_ops();
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    accuracy = test(model, test_loader, device);
    xm::master_print("epoch", epoch, "accuracy", accuracy, "at",
                     step / took.count(), "steps per second");
  }
  xm::master_print("compiled", xr::get_num_cached_compilation_graph(),
                   "graphs");
  xm::save(model->state_dict(), flags.datadir + "/mnist.pt");
  return accuracy > 97 ? 0 : 1;
}
