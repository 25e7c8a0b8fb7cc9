// Networks with hooks and random numbers on xla: their results, and that
// training steps are one program.
#include "xlac/lazy.h"
#include "xlac/nn.h"
#include "xlac/runtime/device.h"
#include "xlac/support/metrics.h"

#include <gtest/gtest.h>
#include <numeric>

namespace xlac {
namespace {

using Tensors = std::vector<Tensor>;

/// Returns a network's result and all gradients, including those that hooks
/// received.
Tensors run(nn::Sequential net, Device device) {
  net.to(device);
  Tensors found;
  net[0]->register_forward_pre_hook(
      [](nn::Module &, const Tensors &inputs) { return inputs[0] + 0.5; });
  net[1]->register_full_backward_hook(
      [&](nn::Module &, const Tensors &in, const Tensors &out) {
        found = {in[0], out[0]};
        return in[0] * 2;
      });
  Tensor x = (arange(32.0) / 8 - 2).reshape({1, 2, 4, 4}).to(device);
  x.requires_grad_();
  Tensor y = net(x);
  (y * y).sum().backward();
  found.insert(found.end(), {y, x.grad()});
  for (const Tensor &parameter : net->parameters())
    found.push_back(parameter.grad());
  return found;
}

TEST(Networks, GiveWhatTheyGiveOnTheCpu) {
  nn::Sequential net(nn::Conv2d({.in_channels = 2,
                                 .out_channels = 3,
                                 .kernel_size = 3,
                                 .padding = 1,
                                 .padding_mode = "reflect"}),
                     nn::ReLU(true), nn::Flatten(), nn::Linear(48, 4));
  Tensors wanted = run(net.clone(), kCPU), got = run(net, Device("xla:0"));
  ASSERT_EQ(wanted.size(), 8U);
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_TRUE(allclose(got[i].detach().cpu(), wanted[i].detach(), 1e-4, 1e-5))
        << i;
}

TEST(Networks, StepsAreOneProgram) {
  Device device("xla:0");
  nn::Sequential net(nn::Linear(8, 16), nn::RReLU(), nn::AlphaDropout(0.2),
                     nn::Dropout(0.5), nn::Linear(16, 1));
  net.to(device);
  auto compiled = [] {
    return metrics::find_counter("UncachedCompile").value_or(0);
  };
  int64_t after_two = 0;
  for (int step = 0; step < 5; ++step) {
    Tensor x = randn({4, 8}).to(device);
    net->zero_grad();
    net(x).sum().backward();
    {
      NoGradGuard guard;
      for (Tensor parameter : net->parameters())
        parameter -= parameter.grad() * 0.1;
    }
    xlac::sync();
    if (step == 1)
      after_two = compiled();
  }
  EXPECT_EQ(compiled(), after_two);
}

/// Compares a network on xla with its copy on the cpu, whose parameters are
/// those of the network now.
void expect_same_results(const nn::Sequential &on_xla,
                         const nn::Sequential &on_cpu, const Tensor &x) {
  NoGradGuard guard;
  std::vector<Tensor> from = on_xla->parameters(), to = on_cpu->parameters();
  for (size_t i = 0; i < from.size(); ++i)
    to[i].copy_(from[i].cpu());
  Tensor got = on_xla->forward(x.to("xla:0")).cpu();
  EXPECT_TRUE(allclose(got, on_cpu->forward(x), 1e-4, 1e-4));
}

// A prologue packs weights that the program does not change, and keeps them
// for as long as the parameters have the same values.
TEST(Networks, NoticeChangedWeights) {
  Device device("xla:0");
  nn::Sequential cpu(nn::Linear(96, 128), nn::Tanh(), nn::Linear(128, 160),
                     nn::Tanh(), nn::Linear(160, 96)),
      xla = cpu.clone();
  xla.to(device);
  Tensor x = randn({40, 96});
  auto kept = [] {
    auto found = runtime::find_device(0);
    return found ? (*found)->memory().prologue_entries : 0;
  };
  int64_t before = kept();
  for (int i = 0; i < 2; ++i)
    expect_same_results(xla, cpu, x);
  EXPECT_GT(kept(), before);
  for (int step = 0; step < 4; ++step) {
    NoGradGuard guard;
    for (Tensor &parameter : xla->parameters())
      if (step % 2)
        parameter.mul_(-0.75);
      else
        parameter.copy_(randn(parameter.sizes()) / 8);
    expect_same_results(xla, cpu, x);
    expect_same_results(xla, cpu, x * 2);
  }
}

// The copy on the device does not follow writes to memory of the caller.
TEST(Networks, KeepWeightsThatWereCopiedFromMemory) {
  std::vector<float> memory(128 * 128);
  std::iota(memory.begin(), memory.end(), 0.f);
  Tensor w = from_blob(memory.data(), {128, 128}).to("xla:0");
  Tensor x = randn({48, 128}).to("xla:0");
  auto run = [&] { return matmul(tanh(matmul(tanh(x), w / 1e4)), w).cpu(); };
  Tensor first = run();
  for (float &number : memory)
    number = -1;
  EXPECT_TRUE(equal(run(), first));
  w = from_blob(memory.data(), {128, 128}).to("xla:0");
  EXPECT_FALSE(equal(run(), first));
}

} // namespace
} // namespace xlac
