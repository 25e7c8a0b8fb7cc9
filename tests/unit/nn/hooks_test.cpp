// Hooks around forward and in the backward pass.
#include "xlac/nn.h"

#include <gtest/gtest.h>

using namespace xlac;

namespace {

using Tensors = std::vector<Tensor>;

struct PairImpl : nn::Module {
  std::tuple<Tensor, Tensor>
  forward(const Tensor &a, const std::vector<Tensor> &more, double factor) {
    return {a * factor, more[0] + more[1]};
  }
};
XLAC_MODULE(Pair);

} // namespace

TEST(Hooks, SeeAndReplaceWhatForwardTakes) {
  nn::Linear linear(2, 2);
  Tensors seen;
  auto handle = linear->register_forward_pre_hook(
      [&](nn::Module &module, const Tensors &inputs) {
        EXPECT_EQ(module.name(), "Linear");
        seen = inputs;
      });
  linear->register_forward_pre_hook(
      [](nn::Module &, const Tensors &inputs) { return inputs[0] * 2; });
  Tensor x = ones({2});
  EXPECT_TRUE(equal(linear(x), linear->forward(x * 2)));
  EXPECT_TRUE(seen.at(0).is_same(x));
  seen.clear();
  handle.remove();
  handle.remove();
  EXPECT_TRUE(equal(linear(x), linear->forward(x * 2)));
  EXPECT_TRUE(seen.empty());
}

TEST(Hooks, SeeAndReplaceResults) {
  Pair pair;
  size_t inputs_seen = 0;
  auto handle = pair->register_forward_hook(
      [&](nn::Module &, const Tensors &inputs, const Tensors &outputs) {
        inputs_seen = inputs.size();
        return Tensors{outputs[1], outputs[0]};
      });
  std::vector<Tensor> more{ones({1}), ones({1})};
  auto [a, b] = pair(ones({1}), more, 5.0);
  EXPECT_EQ(inputs_seen, 3U);
  EXPECT_EQ(a.item<double>(), 2);
  EXPECT_EQ(b.item<double>(), 5);
  handle.remove();
  EXPECT_EQ(std::get<0>(pair(ones({1}), more, 5.0)).item<double>(), 5);
  pair->register_forward_hook(
      [](nn::Module &, const Tensors &, const Tensors &outputs) {
        return outputs[0];
      });
  EXPECT_THROW(pair(ones({1}), more, 5.0), ValueError);
}

TEST(Hooks, SeeAndReplaceGradients) {
  nn::Linear linear(2, 3);
  Tensors grad_in, grad_out;
  auto handle = linear->register_full_backward_hook(
      [&](nn::Module &, const Tensors &in, const Tensors &out) {
        grad_in = in;
        grad_out = out;
        return in[0] * 10;
      });
  Tensor x = ones({4, 2}).requires_grad_();
  (linear(x * 1) * 2).sum().backward();
  ASSERT_EQ(grad_in.size(), 1U);
  EXPECT_TRUE(equal(grad_out.at(0), full({4, 3}, 2.0)));
  EXPECT_TRUE(allclose(grad_in[0], full({4, 3}, 2.0).mm(linear->weight)));
  EXPECT_TRUE(allclose(x.grad(), grad_in[0] * 10));
  // The hook does not change the parameters' gradients.
  EXPECT_TRUE(equal(linear->bias.grad(), full({3}, 8.0)));
  handle.remove();
  grad_in.clear();
  linear(x).sum().backward();
  EXPECT_TRUE(grad_in.empty());
}

TEST(Hooks, SeeOutputsGradientsWhereInputsWantNone) {
  nn::Linear linear(2, 3);
  int calls = 0;
  linear->register_full_backward_hook(
      [&](nn::Module &, const Tensors &in, const Tensors &out) {
        ++calls;
        EXPECT_FALSE(in.at(0).defined());
        EXPECT_TRUE(equal(out.at(0), ones({1, 3})));
      });
  Tensor y = linear(ones({1, 2}));
  y.sum().backward();
  EXPECT_EQ(calls, 1);
  NoGradGuard guard;
  linear(ones({1, 2}));
  EXPECT_EQ(calls, 1);
}

TEST(Hooks, RunInOrderAndMayTakeThemselvesOff) {
  nn::ReLU relu;
  std::string order;
  nn::RemovableHandle once;
  once = relu->register_forward_hook(
      [&](nn::Module &, const Tensors &, const Tensors &) {
        order += "a";
        once.remove();
      });
  relu->register_forward_hook(
      [&](nn::Module &, const Tensors &, const Tensors &) { order += "b"; });
  relu(ones({1}));
  relu(ones({1}));
  EXPECT_EQ(order, "abb");
}
