// Automatic SPMD over eight devices: the compiler places what has no
// annotation, and training gives the results of one device.
// automatic_spmd_test.py looks into the programs of the training loops.
#include "eight_devices.h"
#include "spmd_models.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace xlac {
namespace {

bool use_automatic_spmd() {
  setenv("CPU_NUM_DEVICES", "8", 1);
  xr::use_spmd(/*automatic=*/true);
  return true;
}

const bool kAutomatic = use_automatic_spmd();

Device xla() { return Device("xla:0"); }

/// Programs of this process, from the compiler or from the disk cache.
int64_t programs() {
  return met::counter_value("UncachedCompile").value_or(0) +
         met::counter_value("PersistentCacheHit").value_or(0);
}

bool is_sharded(const Tensor &t) {
  return xs::get_sharding_spec(t).starts_with("{devices=");
}

struct Losses {
  std::vector<float> values;
  std::vector<int64_t> programs; ///< that each step made
};

/// Trains with a new upload of the batch in each step.
template <class Net, class Optimizer, class Loss>
Losses train(Net net, Optimizer &optimizer, const Tensor &batch,
             const Tensor &target, Device device, const Loss &loss) {
  Losses made;
  for (int step = 0; step < 4; ++step) {
    int64_t before = programs();
    optimizer.zero_grad();
    Tensor value = loss(net(batch.to(device)), target.to(device));
    value.backward();
    optimizer.step();
    xm::mark_step();
    made.programs.push_back(programs() - before);
    made.values.push_back(value.template item<float>());
  }
  return made;
}

/// Compares training on all devices with training on the cpu.
template <class Optimizer, class Net, class Options, class Loss>
void expect_same_training(Net net, Options options, const Tensor &batch,
                          const Tensor &target, const Loss &loss) {
  Net plain = net.clone();
  net.to(xla());
  Optimizer usual(plain->parameters(), options),
      other(net->parameters(), options);
  Losses wanted = train(plain, usual, batch, target, kCPU, loss);
  Losses got = train(net, other, batch, target, xla(), loss);
  for (size_t i = 0; i < wanted.values.size(); ++i)
    EXPECT_NEAR(got.values[i], wanted.values[i],
                1e-5 * std::abs(wanted.values[i]))
        << "step " << i;
  EXPECT_EQ(got.programs, (std::vector<int64_t>{1, 0, 0, 0}));
  StateDict state = net->state_dict();
  for (const auto &[name, tensor] : plain->state_dict())
    EXPECT_TRUE(allclose(state.at(name).cpu(), tensor, 1e-4, 1e-5)) << name;
}

Tensor mean_square(const Tensor &result, const Tensor &target) {
  Tensor difference = result - target;
  return (difference * difference).mean();
}

nn::Sequential mlp() {
  return nn::Sequential(nn::Linear(256, 512), nn::ReLU(), nn::Linear(512, 512),
                        nn::ReLU(), nn::Linear(512, 64));
}

TEST(AutomaticSpmd, TrainsAnMlp) {
  manual_seed(1);
  expect_same_training<optim::Adam>(mlp(), optim::AdamOptions{.lr = 1e-3},
                                    randn({512, 256}), randn({512, 64}),
                                    mean_square);
}

TEST(AutomaticSpmd, TrainsAGpt) {
  manual_seed(2);
  constexpr int64_t kLong = 32;
  Tensor tokens = randint(0, test::kWords, {16, kLong}, kInt64);
  expect_same_training<optim::SGD>(
      test::Gpt(128, kLong), optim::SGDOptions{.lr = 0.1, .momentum = 0.9},
      tokens, tokens.roll(-1, 1),
      [](const Tensor &logits, const Tensor &target) {
        return F::cross_entropy(logits.view({-1, test::kWords}),
                                target.reshape({-1}));
      });
}

TEST(AutomaticSpmd, PlacesWhatProgramsDoNotReplace) {
  Tensor weight = randn({512, 512}), batch = randn({2048, 512});
  Tensor held = weight.to(xla()), rows = batch.to(xla());
  EXPECT_EQ(xs::get_sharding_spec(rows), "");
  int64_t before = programs();
  for (int i = 0; i < 3; ++i) {
    Tensor product = matmul(rows, held);
    xm::mark_step();
    EXPECT_TRUE(is_sharded(product));
    EXPECT_TRUE(is_sharded(rows));
    EXPECT_TRUE(allclose(product.cpu(), matmul(batch, weight), 1e-4, 1e-3));
    if (i == 1) // a new batch beside a weight that is placed
      rows = batch.to(xla());
  }
  EXPECT_EQ(programs() - before, 1);
  EXPECT_TRUE(equal(held.cpu(), weight));
  EXPECT_TRUE(equal(rows.cpu(), batch));
}

TEST(AutomaticSpmd, KeepsAnnotations) {
  xs::Mesh mesh(test::device_ids(8), {8}, {"x"});
  Tensor weight = randn({512, 512}), batch = randn({2048, 512});
  Tensor held = weight.to(xla()), rows = batch.to(xla());
  xs::mark_sharding(rows, mesh, {None, "x"});
  xs::mark_sharding(held, mesh, {None, None});
  std::string spec = xs::get_sharding_spec(rows);
  Tensor product = matmul(rows, held);
  xm::mark_step();
  EXPECT_EQ(xs::get_sharding_spec(rows), spec);
  EXPECT_EQ(xs::get_sharding_spec(held), "{replicated}");
  EXPECT_TRUE(allclose(product.cpu(), matmul(batch, weight), 1e-4, 1e-3));
  // The graph of PlacesWhatProgramsDoNotReplace, with other shardings.
  Tensor open = batch.to(xla());
  Tensor again = matmul(open, held);
  xm::mark_step();
  EXPECT_NE(xs::get_sharding_spec(open), spec);
  EXPECT_TRUE(allclose(again.cpu(), matmul(batch, weight), 1e-4, 1e-3));
}

TEST(AutomaticSpmd, LeavesSmallProgramsWhole) {
  Tensor a = randn({8, 8}), b = randn({8, 8}), scalar = tensor(3.0f);
  Tensor sum = a.to(xla()) * scalar.to(xla()) + b.to(xla());
  Tensor none = zeros({0, 4}).to(xla()) + 1.0;
  xm::mark_step();
  EXPECT_FALSE(is_sharded(sum));
  EXPECT_TRUE(allclose(sum.cpu(), a * 3.0 + b));
  EXPECT_EQ(none.cpu().sizes(), (Shape{0, 4}));
}

/// The text that `xlac explain --auto` would get has open arguments.
TEST(AutomaticSpmd, PrintsOpenArguments) {
  Tensor rows = randn({2048, 512}).to(xla());
  std::string text = xm::get_stablehlo({rows * 2.0});
  EXPECT_NE(text.find("mhlo.use_auto_spmd_partitioning = true"),
            std::string::npos);
  EXPECT_EQ(text.find("mhlo.sharding"), std::string::npos);
}

} // namespace
} // namespace xlac
