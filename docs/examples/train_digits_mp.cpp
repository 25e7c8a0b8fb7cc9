// Trains with one process per device: run with CPU_NUM_DEVICES=4, or on several
// hosts. Argument: the folder with MNIST's four files; synthetic digits are
// written to it if it has none.
#include "digits.h"

static void train(int, const Flags &flags) {
  manual_seed(1);
  auto digits = mnist_dataset(flags, true);
  auto test_digits = mnist_dataset(flags, false);
  // The batches of all replicas together are as large as those of
  // train_digits.cpp.
  int64_t batch_size =
      std::max<int64_t>(1, flags.batch_size / xr::world_size());
  auto sampler = std::make_shared<data::DistributedSampler>(digits.size());
  auto test_sampler = std::make_shared<data::DistributedSampler>(
      test_digits.size(), data::DistributedSamplerOptions{.shuffle = false});
  data::DataLoader train_loader(digits, {.batch_size = batch_size,
                                         .sampler = sampler,
                                         .num_workers = 1,
                                         .drop_last = true});
  data::DataLoader test_loader(
      test_digits, {.batch_size = batch_size, .sampler = test_sampler});

  Device device = xm::xla_device();
  pl::MpDeviceLoader train_batches(train_loader, device);
  pl::MpDeviceLoader test_batches(test_loader, device);
  MNIST model = MNIST().train().to(device);
  xm::broadcast_master_param(model);
  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(),
                       {.lr = flags.lr, .momentum = flags.momentum});

  for (int epoch = 1; epoch <= flags.epochs; ++epoch) {
    model.train();
    sampler->set_epoch(epoch);
    int step = 0;
    Stopwatch watch;
    for (auto &[data, target] : train_batches) {
      optimizer.zero_grad();
      Tensor output = model(data);
      Tensor loss = loss_fn(output, target);
      loss.backward();

      xm::optimizer_step(optimizer);
      if (step++ % 50 == 0)
        xm::add_step_closure(
            [=](const Tensor &l) {
              xm::master_print("epoch", epoch, "step", step, "loss",
                               l.item<float>());
            },
            std::tuple(loss));
    }
    xm::wait_device_ops();
    double seconds = watch.seconds();
    xm::master_print("epoch", epoch, "accuracy",
                     accuracy_of(model, test_batches), "at", step / seconds,
                     "steps per second");
  }
  tell_graphs();
  xm::save(model->state_dict(), flags.datadir + "/mnist.pt",
           {.global_master = true});
}

int main(int argc, char **argv) {
  Flags flags = digits_flags(argc, argv);
  xmp::spawn(train, std::tuple(flags));
}
