// Networks with hooks and random numbers on xla: their results, and that
// training steps are one program.
#include "xlac/lazy.h"
#include "xlac/nn.h"
#include "xlac/support/metrics.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace xlac
