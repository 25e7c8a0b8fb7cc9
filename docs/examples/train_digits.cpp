// Trains on one device. Argument: the folder with MNIST's four files; synthetic
// digits are written to it if it has none.
#include "digits.h"

static void train(int, const Flags &flags) {
  manual_seed(1);
  auto digits = mnist_dataset(flags, true);
  auto test_digits = mnist_dataset(flags, false);
  data::DataLoader train_loader(digits, {.batch_size = flags.batch_size,
                                         .shuffle = true,
                                         .num_workers = 1,
                                         .drop_last = true});
  data::DataLoader test_loader(test_digits, {.batch_size = flags.batch_size});

  Device device = xm::xla_device();
  pl::MpDeviceLoader train_batches(train_loader, device);
  pl::MpDeviceLoader test_batches(test_loader, device);
  MNIST model = MNIST().train().to(device);
  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(),
                       {.lr = flags.lr, .momentum = flags.momentum});

  for (int epoch = 1; epoch <= flags.epochs; ++epoch) {
    model.train();
    int step = 0;
    Stopwatch watch;
    for (auto &[data, target] : train_batches) {
      optimizer.zero_grad();
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
  train(0, flags);
}
