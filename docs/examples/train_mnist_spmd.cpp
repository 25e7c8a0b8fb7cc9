// docs/examples/train_mnist_spmd.cpp
// One process, one program over all devices: CPU_NUM_DEVICES=8.
#include "mnist.h"

int main() {
  xr::use_spmd();
  const int64_t n = xr::global_runtime_device_count();
  std::vector<int64_t> device_ids(n);
  for (int64_t i = 0; i < n; ++i) device_ids[i] = i;
  xs::Mesh mesh(device_ids, {n / 2, 2}, {"data", "model"});
  xs::set_global_mesh(mesh);

  Device device = xm::xla_device();                    // xla:0, standing for all of them
  MNIST model = MNIST().train().to(device);
  xs::mark_sharding(model->fc1->weight, mesh, {"model", None});       // 2-way model parallel
  xs::mark_sharding(model->fc2->weight, mesh, {None, "model"});

  xu::SampleGenerator train_loader(data::Example<>{randn({128, 1, 28, 28}), zeros({128}, kInt64)}, 100);
  pl::MpDeviceLoader loader(train_loader, device,      // 4-d tensors get the spec; 1-d targets are replicated
                            {.input_sharding = xs::ShardingSpec{mesh, {"data", None, None, None}}});

  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(), {.lr = 0.01, .momentum = 0.5});
  for (auto& [data, target] : loader) {
    optimizer.zero_grad();
    Tensor loss = loss_fn(model(data), target);
    loss.backward();
    optimizer.step();                                  // no xm::optimizer_step: the partitioner adds the reductions
  }
  for (const xs::XLAShard& shard : xs::mark_sharding(model->fc1->weight, mesh, {"model", None}).local_shards())
    std::cout << shard.shard_device << " " << shard.data.size(0) << " of " << model->fc1->weight.size(0) << " rows\n";

  // the two examples of the seed
  Tensor input = randn({8, 32}).to(device);
  xs::mark_sharding(input, mesh, {0, None});
  nn::Linear linear = nn::Linear(32, 10).to(device);
  xs::mark_sharding(linear->weight, mesh, {None, 1});
  xs::mark_sharding(randn({16}).to(device), mesh, {{"data", "model"}});        // one dimension over both axes
  xs::mark_sharding(randn({16, 4}).to(device), mesh, {{"data", "model"}, None});
  std::cout << linear(input) << "\n";
}
