// FSDP over eight devices: what it annotates, and that training gives the
// results of one device.
#include "eight_devices.h"
#include "spmd_models.h"

#include "../thrown.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

const bool kEightDevices = test::use_eight_devices();

xs::Mesh mesh() { return xs::Mesh(test::device_ids(8), {8}, {"fsdp"}); }
Device xla() { return Device("xla:0"); }

/// The losses of a few steps on one batch.
template <class Net, class Loss>
std::vector<float> losses_of(Net net, const Tensor &batch, const Loss &loss,
                             int steps) {
  // Adam would turn the rounding of gradients that are zero into steps.
  optim::SGD optimizer(net->parameters(), {.lr = 0.1, .momentum = 0.9});
  std::vector<float> losses;
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    Tensor value = loss(net(batch));
    value.backward();
    optimizer.step();
    xm::mark_step();
    losses.push_back(value.item<float>());
  }
  return losses;
}

/// Trains a copy of `net` on the cpu, and `net` itself sharded; compares losses
/// and parameters.
template <class Net, class Loss>
void expect_same_training(Net net, xs::FullyShardedOptions options,
                          const Tensor &batch, const Loss &loss) {
  Net plain = net.clone();
  net.to(xla());
  xs::SpmdFullyShardedDataParallel sharded(net, std::move(options));
  auto wanted = losses_of(plain, batch, loss(kCPU), 3);
  auto got = losses_of(sharded, batch.to(xla()), loss(xla()), 3);
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], 1e-5 * std::abs(wanted[i])) << "step " << i;
  StateDict state = net->state_dict();
  for (const auto &[name, tensor] : plain->state_dict())
    EXPECT_TRUE(allclose(state.at(name).cpu(), tensor, 1e-4, 1e-5)) << name;
}

TEST(FullySharded, ShardsTheLargestDimension) {
  auto net = nn::Sequential(nn::Linear(16, 24), nn::Linear(24, 3)).to(xla());
  xs::SpmdFullyShardedDataParallel sharded(net, {.mesh = mesh()});
  std::vector<std::string> specs;
  for (const Tensor &parameter : sharded->parameters())
    specs.push_back(xs::get_sharding_spec(parameter));
  EXPECT_EQ(specs, (std::vector<std::string>{"{devices=[8,1]0,1,2,3,4,5,6,7}",
                                             "{devices=[8]0,1,2,3,4,5,6,7}",
                                             "{devices=[1,8]0,1,2,3,4,5,6,7}",
                                             "{replicated}"}));
  EXPECT_EQ(sharded->named_parameters().begin()->first,
            "_orig_module.0.weight");
  EXPECT_EQ(sharded->name(), "SpmdFullyShardedDataParallel");
}

TEST(FullySharded, KeepsShardingsThatExist) {
  nn::Linear net = nn::Linear(16, 8).to(xla());
  xs::mark_sharding(net->weight, mesh(), {"fsdp", None});
  xs::SpmdFullyShardedDataParallel sharded(net, {.mesh = mesh()});
  EXPECT_EQ(xs::get_sharding_spec(net->weight),
            "{devices=[8,1]0,1,2,3,4,5,6,7}");
}

TEST(FullySharded, ShardsGradientsBatchAndState) {
  nn::Linear net = nn::Linear(16, 8).to(xla());
  xs::SpmdFullyShardedDataParallel sharded(net, {.mesh = mesh()});
  optim::Adam optimizer(sharded->parameters(), {.lr = 1e-2});
  Tensor batch = ones({32, 16}, xla());
  Tensor result = sharded(batch);
  EXPECT_EQ(xs::get_sharding_spec(batch), "{devices=[8,1]0,1,2,3,4,5,6,7}");
  EXPECT_EQ(xs::get_sharding_spec(result), "{devices=[8,1]0,1,2,3,4,5,6,7}");
  result.sum().backward();
  EXPECT_EQ(xs::get_sharding_spec(net->weight.grad()),
            xs::get_sharding_spec(net->weight));
  optimizer.step();
  Value state = optimizer.state_dict().at("state");
  auto first = state.to<Value::Dict>().at(0).second;
  for (const char *name : {"exp_avg", "exp_avg_sq"})
    EXPECT_EQ(xs::get_sharding_spec(first.at(name).to<Tensor>()),
              "{devices=[1,8]0,1,2,3,4,5,6,7}");
}

TEST(FullySharded, ShardsTheBatchOverTwoAxes) {
  xs::Mesh two(test::device_ids(8), {2, 4}, {"data", "fsdp"});
  nn::Linear net = nn::Linear(16, 8).to(xla());
  xs::SpmdFullyShardedDataParallel sharded(
      net, {.mesh = two, .extra_data_axis = "data"});
  Tensor batch = ones({32, 16}, xla());
  sharded(batch);
  EXPECT_EQ(xs::get_sharding_spec(batch), "{devices=[8,1]0,1,2,3,4,5,6,7}");
  EXPECT_EQ(xs::get_sharding_spec(net->weight),
            "{devices=[1,4,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}");
  EXPECT_TRUE(sharded->input_sharding(2).can_apply(batch));
}

TEST(FullySharded, PolicySelectsModules) {
  auto net = nn::Sequential(nn::Linear(16, 64), nn::Linear(64, 16)).to(xla());
  std::vector<Tensor> results;
  auto note = [&](const std::vector<Tensor> &outputs, const xs::Mesh &) {
    results.push_back(outputs.at(0));
  };
  xs::SpmdFullyShardedDataParallel by_size(
      net.clone(), {.mesh = mesh(),
                    .shard_output = note,
                    .auto_wrap_policy = xs::size_based_auto_wrap_policy(1060)});
  by_size(ones({8, 16}, xla()));
  ASSERT_EQ(results.size(), 2u); // the first layer, and the whole
  EXPECT_EQ(results[0].size(1), 64);
  results.clear();
  xs::SpmdFullyShardedDataParallel by_type(
      net.clone(),
      {.mesh = mesh(),
       .shard_output = note,
       .auto_wrap_policy = xs::transformer_auto_wrap_policy<nn::Linear>()});
  by_type(ones({8, 16}, xla()));
  EXPECT_EQ(results.size(), 3u);
}

TEST(FullySharded, ReportsErrors) {
  nn::Linear net = nn::Linear(16, 8).to(xla());
  EXPECT_EQ(message_of<ValueError>([&] {
              xs::SpmdFullyShardedDataParallel(
                  net, {.mesh = mesh(), .axis = "rows"});
            }),
            "SpmdFullyShardedDataParallel(): the mesh must have an axis named "
            "'rows'");
  EXPECT_EQ(
      message_of<ValueError>([&] { xs::SpmdFullyShardedDataParallel{net}; }),
      "SpmdFullyShardedDataParallel(): No mesh is given and no global mesh "
      "is set");
  EXPECT_THROW(
      xs::SpmdFullyShardedDataParallel(nn::Linear(16, 8), {.mesh = mesh()}),
      DeviceError);
}

TEST(FullySharded, TrainsAGpt) {
  manual_seed(1);
  Tensor tokens = randint(0, test::kWords, {16, test::kLength}, kInt64);
  expect_same_training(
      test::Gpt(),
      {.mesh = mesh(),
       .auto_wrap_policy = xs::transformer_auto_wrap_policy<test::GptBlock>()},
      tokens, [&](Device device) {
        return [target = tokens.to(device).roll(-1, 1)](const Tensor &logits) {
          return F::cross_entropy(logits.view({-1, test::kWords}),
                                  target.reshape({-1}));
        };
      });
}

TEST(FullySharded, TrainsAConvnet) {
  manual_seed(2);
  Tensor images = randn({16, 3, 8, 8});
  Tensor labels = randint(0, 10, {16}, kInt64);
  expect_same_training(
      test::Convnet(),
      {.mesh = mesh(),
       .auto_wrap_policy = xs::size_based_auto_wrap_policy(500)},
      images, [&](Device device) {
        return [target = labels.to(device)](const Tensor &logits) {
          return F::cross_entropy(logits, target);
        };
      });
}

TEST(FullySharded, CompilesOneProgramPerStep) {
  nn::Linear net = nn::Linear(16, 8).to(xla());
  xs::SpmdFullyShardedDataParallel sharded(net, {.mesh = mesh()});
  optim::Adam optimizer(sharded->parameters(), {.lr = 1e-2});
  auto programs = [] { // from the compiler, or from the disk cache
    return met::counter_value("UncachedCompile").value_or(0) +
           met::counter_value("PersistentCacheHit").value_or(0);
  };
  int64_t before = programs();
  for (int step = 0; step < 4; ++step) {
    Tensor batch = ones({32, 16}, xla());
    optimizer.zero_grad();
    sharded(batch).sum().backward();
    optimizer.step();
    xm::mark_step();
  }
  EXPECT_EQ(programs() - before, 1);
}

} // namespace
} // namespace xlac
