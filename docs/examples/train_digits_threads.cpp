// train_digits.cpp with one thread per device in one process:
// CPU_NUM_DEVICES=2. Argument: the folder with MNIST's four files; synthetic
// digits are written to it if it has none.
#include "digits.h"

static double train(MNIST &model, auto &loader, optim::Optimizer &optimizer) {
  nn::NLLLoss loss_fn;
  model.train();
  Tensor loss;
  for (auto &[data, target] : loader) {
    optimizer.zero_grad();
    Tensor output = model(data);
    loss = loss_fn(output, target);
    loss.backward();
    xm::optimizer_step(optimizer);
  }
  return loss.item<double>();
}

/// Returns the number of correctly classified digits and the number of digits.
static std::pair<int64_t, int64_t> test(MNIST &model, auto &loader,
                                        Device device) {
  NoGradGuard no_grad;
  model.eval();
  int64_t total = 0;
  Tensor correct = zeros({}, TensorOptions(device).dtype(kInt64));
  for (auto &[data, target] : loader) {
    correct += model(data).argmax(1).eq(target).sum();
    total += data.size(0);
  }
  return {correct.item<int64_t>(), total};
}

int main(int argc, char **argv) {
  Flags flags = digits_flags(argc, argv);
  manual_seed(1);

  // The batches of all replicas together are as large as those of
  // train_digits.cpp.
  std::vector<Device> devices = xm::get_xla_supported_devices();
  const auto replicas = static_cast<int64_t>(devices.size());
  data::DataLoader train_loader(
      mnist_dataset(flags, true),
      {.batch_size = std::max<int64_t>(1, flags.batch_size / replicas),
       .shuffle = true,
       .num_workers = 1,
       .drop_last = true});
  data::DataLoader test_loader(
      mnist_dataset(flags, false),
      {.batch_size = flags.batch_size, .drop_last = true});
  dp::DataParallel model_parallel([] { return MNIST(); }, devices);

  auto train_loop_fn = [&](MNIST &model, auto &loader, Device,
                           dp::Context &context) {
    auto &optimizer = context.getattr_or<optim::SGD>("optimizer", [&] {
      return optim::SGD(model->parameters(),
                        {.lr = flags.lr, .momentum = flags.momentum});
    });
    return train(model, loader, optimizer);
  };
  auto test_loop_fn = [](MNIST &model, auto &loader, Device device,
                         dp::Context &) { return test(model, loader, device); };

  double accuracy = 0;
  for (int epoch = 1; epoch <= flags.epochs; ++epoch) {
    Stopwatch watch;
    double loss = mean_of(model_parallel(train_loop_fn, train_loader));
    double seconds = watch.seconds();
    int64_t correct = 0, total = 0;
    for (auto [correct_here, total_here] :
         model_parallel(test_loop_fn, test_loader)) {
      correct += correct_here;
      total += total_here;
    }
    accuracy =
        100.0 * static_cast<double>(correct) / static_cast<double>(total);
    const auto steps = static_cast<int64_t>(train_loader.size()) / replicas;
    std::cout << "epoch " << epoch << " loss " << loss << " accuracy "
              << accuracy << " at " << static_cast<double>(steps) / seconds
              << " steps per second\n";
  }
  xm::save(model_parallel.models()[0]->state_dict(),
           flags.datadir + "/mnist.pt");
  return accuracy > 97 ? 0 : 1;
}
