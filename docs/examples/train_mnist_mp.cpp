// docs/examples/train_mnist_mp.cpp
// A process a device: run with CPU_NUM_DEVICES=4, or on several hosts (section "Multi-host").
#include "mnist.h"

void mp_fn(int index, const Flags& flags) {
  Device device = xm::xla_device();                    // xla:0 in every process
  auto dataset = mnist_dataset(flags, true);
  auto sampler = std::make_shared<data::DistributedSampler>(dataset.size());
  data::DataLoader train_loader(dataset, {.batch_size = flags.batch_size, .sampler = sampler, .num_workers = 2, .drop_last = true});
  pl::MpDeviceLoader mp_device_loader(train_loader, device);

  MNIST model = MNIST().train().to(device);
  xm::broadcast_master_param(model);
  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(), {.lr = flags.lr * xr::world_size(), .momentum = flags.momentum});

  Tensor loss;
  for (int epoch = 1; epoch <= flags.epochs; ++epoch) {
    sampler->set_epoch(epoch);
    for (auto& [data, target] : mp_device_loader) {    // already on the device; next() syncs
      optimizer.zero_grad();
      Tensor output = model(data);
      loss = loss_fn(output, target);
      loss.backward();
      xm::optimizer_step(optimizer);                   // all-reduces the gradients, then steps
    }
  }
  double mean_loss = xm::mesh_reduce("loss", loss.item<double>(), [](const std::vector<double>& v) {
    double sum = 0;
    for (double x : v) sum += x;
    return sum / v.size();
  });
  xm::master_print("replica", index, "of", xr::world_size(), "mean loss", mean_loss);
  xm::save(model->state_dict(), "mnist.pt", {.global_master = true});
  xm::rendezvous("saved");
}

int main(int argc, char** argv) {
  Flags flags{.datadir = argc > 1 ? argv[1] : "mnist-data"};
  xmp::spawn(mp_fn, std::tuple(flags));                // no xla device may be touched before this line
}
