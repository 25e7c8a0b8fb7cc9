// ResNet-50 on random images, with one process per device of each host:
//   CPU_NUM_DEVICES=4 train_resnet50_fake --steps=100 --batch=16
// On two hosts run the same command on both, with XLAC_NUM_HOSTS=2,
// XLAC_HOST_INDEX=0 or 1, and MASTER_ADDR.
#include "resnet.h"
#include "training.h"

struct Run {
  int64_t steps, batch, image, width;
};

static void train(int, const Run &run) {
  Device device = xm::xla_device();
  manual_seed(1);
  xu::SampleGenerator train_loader(
      data::Example<>{zeros({run.batch, 3, run.image, run.image}),
                      zeros({run.batch}, kInt64)},
      run.steps);
  pl::MpDeviceLoader batches(train_loader, device);

  ResNet50 model =
      ResNet50(ResNetOptions{.width = run.width}).train().to(device);
  xm::broadcast_master_param(model);
  nn::CrossEntropyLoss loss_fn;
  optim::SGD optimizer(model->parameters(),
                       {.lr = 0.1, .momentum = 0.9, .weight_decay = 1e-4});

  auto start = std::chrono::steady_clock::now();
  Tensor loss;
  int64_t step = 0;
  for (auto &[data, target] : batches) {
    optimizer.zero_grad();
    loss = loss_fn(model(data), target);
    loss.backward();
    xm::optimizer_step(optimizer);
    xm::add_step_closure(
        [step = ++step](const Tensor &loss) {
          xm::master_print("step", step, "loss", loss.item<double>());
        },
        std::tuple(loss));
  }
  std::vector<double> losses =
      xm::mesh_reduce("loss", loss.item<double>(),
                      [](const std::vector<double> &all) { return all; });
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  for (size_t replica = 0; replica < losses.size(); ++replica)
    xm::master_print("replica", replica, "of", xr::world_size(),
                     "ends with loss", losses[replica]);
  xm::master_print(static_cast<double>(step * run.batch * xr::world_size()) /
                       took.count(),
                   "pictures a second");
}

int main(int argc, char **argv) {
  Run run{.steps = flag(argc, argv, "steps", int64_t{10}),
          .batch = flag(argc, argv, "batch", int64_t{16}),
          .image = flag(argc, argv, "image", int64_t{224}),
          .width = flag(argc, argv, "width", int64_t{64})};
  xmp::spawn(train, std::tuple(run));
}
