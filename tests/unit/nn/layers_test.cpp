// Layers, initialization and nn::utils.
#include "xlac/nn.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace xlac;

static double largest(const Tensor &tensor) {
  return tensor.detach().abs().max().item<double>();
}

TEST(Linear, StartsWithinItsBoundsAndMultiplies) {
  nn::Linear linear(16, 8);
  EXPECT_EQ(linear->weight.sizes(), (Shape{8, 16}));
  EXPECT_LE(largest(linear->weight), 0.25);
  EXPECT_GT(largest(linear->weight), 0.2);
  EXPECT_LE(largest(linear->bias), 0.25);
  Tensor x = randn({4, 3, 16});
  EXPECT_EQ(linear(x).sizes(), (Shape{4, 3, 8}));
  EXPECT_TRUE(allclose(linear(x), x.matmul(linear->weight.t()) + linear->bias,
                       1e-4, 1e-5));
  EXPECT_FALSE(nn::Linear(2, 2, false)->bias.defined());
}

TEST(Conv2d, PadsAsItsModeAsks) {
  Tensor x = arange(9.0).reshape({1, 1, 3, 3});
  struct Mode {
    const char *name;
    double corner;
  };
  for (auto [name, corner] : {Mode{"zeros", 0}, Mode{"reflect", 4},
                              Mode{"replicate", 0}, Mode{"circular", 8}}) {
    nn::Conv2d conv(nn::Conv2dOptions{.in_channels = 1,
                                      .out_channels = 1,
                                      .kernel_size = {1},
                                      .padding = {1},
                                      .bias = false,
                                      .padding_mode = name});
    nn::init::ones_(conv->weight);
    Tensor y = conv(x);
    EXPECT_EQ(y.sizes(), (Shape{1, 1, 5, 5})) << name;
    EXPECT_EQ(y.index({0, 0, 0, 0}).item<double>(), corner) << name;
    EXPECT_EQ(y.index({0, 0, 2, 2}).item<double>(), 4) << name;
  }
  EXPECT_THROW(nn::Conv2d(nn::Conv2dOptions{3, 4, {1}, {1}, {0}, {1}, 2}),
               ValueError);
}

TEST(BatchNorm2d, FollowsItsBatches) {
  nn::BatchNorm2d norm(2);
  Tensor x = randn({4, 2, 3, 3}) * 2.0 + 1.0;
  Tensor y = norm(x);
  EXPECT_LT(std::abs(y.mean().item<double>()), 1e-5);
  Tensor mean = x.mean({0, 2, 3});
  EXPECT_TRUE(allclose(norm->running_mean, mean * 0.1, 1e-4, 1e-6));
  Tensor centered = x - mean.reshape({1, 2, 1, 1});
  Tensor variance = (centered * centered).sum({0, 2, 3}) / 35.0;
  EXPECT_TRUE(allclose(norm->running_var, variance * 0.1 + 0.9, 1e-4, 1e-6));
  EXPECT_EQ(norm->num_batches_tracked.item<int64_t>(), 1);
  norm.eval();
  Tensor before = norm->running_mean.clone();
  norm(x);
  EXPECT_TRUE(equal(norm->running_mean, before));
  EXPECT_THROW(norm(zeros({2, 2})), ShapeError);
}

TEST(BatchNorm2d, MeanOfAllBatchesWithoutMomentum) {
  nn::BatchNorm2d norm(
      nn::BatchNormOptions{.num_features = 1, .momentum = std::nullopt});
  norm(full({2, 1, 1, 1}, 2.0));
  norm(full({2, 1, 1, 1}, 4.0));
  EXPECT_NEAR(norm->running_mean.item<double>(), 3, 1e-6);
}

TEST(NLLLoss, AveragesWhatIsNotIgnored) {
  Tensor logs = log_softmax(randn({3, 4}), 1);
  Tensor target = tensor({1, -100, 3});
  double expected =
      -(logs.index({0, 1}).item<double>() + logs.index({2, 3}).item<double>()) /
      2;
  EXPECT_NEAR(nn::NLLLoss()(logs, target).item<double>(), expected, 1e-6);
  nn::NLLLoss none(nn::NLLLossOptions{.reduction = "none"});
  EXPECT_EQ(none(logs, target).sizes(), Shape{3});
  EXPECT_THROW(nn::NLLLoss()(logs, tensor({1, 4, 0})), IndexError);
}

TEST(Functional, HasWhatOpsHas) {
  Tensor x = randn({1, 2, 5, 5}), w = randn({3, 2, 3, 3});
  EXPECT_EQ(F::conv2d(x, w, {}, 1, "same").sizes(), (Shape{1, 3, 5, 5}));
  EXPECT_EQ(F::conv2d(x, w, {}, {1}, {0}).sizes(), (Shape{1, 3, 3, 3}));
  EXPECT_EQ(F::conv2d(x, w).sizes(), (Shape{1, 3, 3, 3}));
  EXPECT_EQ(F::max_pool2d(F::relu(x), {2}).sizes(), (Shape{1, 2, 2, 2}));
  Tensor columns = F::unfold(x, {2, 3});
  EXPECT_EQ(columns.sizes(), (Shape{1, 12, 12}));
  EXPECT_TRUE(equal(columns, nn::Unfold({.kernel_size = {2, 3}})(x)));
  EXPECT_EQ(F::fold(F::unfold(x, 1), 5, 1).sizes(), x.sizes());
}

TEST(Init, OrthogonalRowsOrColumns) {
  Tensor wide = nn::init::orthogonal_(empty({3, 5}));
  EXPECT_TRUE(allclose(wide.mm(wide.t()), eye(3), 0, 1e-5));
  Tensor tall = nn::init::orthogonal_(empty({4, 2, 1}), 3).view({4, 2});
  EXPECT_TRUE(allclose(tall.t().mm(tall), eye(2) * 9, 0, 1e-5));
  EXPECT_NO_THROW(nn::init::orthogonal_(empty({0, 2})));
  EXPECT_THROW(nn::init::orthogonal_(empty({3})), ValueError);
}

TEST(Init, DrawsWithTheRightDeviation) {
  Tensor w = empty({64, 32, 3, 3});
  double fan_in = 32 * 9, fan_out = 64 * 9;
  auto deviation = [&] { return std::sqrt((w * w).mean().item<double>()); };
  nn::init::xavier_uniform_(w);
  EXPECT_NEAR(deviation(), std::sqrt(2 / (fan_in + fan_out)), 1e-3);
  nn::init::xavier_normal_(w, 2);
  EXPECT_NEAR(deviation(), 2 * std::sqrt(2 / (fan_in + fan_out)), 2e-3);
  nn::init::kaiming_uniform_(w, std::sqrt(5.0));
  EXPECT_NEAR(largest(w), 1 / std::sqrt(fan_in), 1e-4);
  nn::init::kaiming_normal_(w, 0, "fan_out", "relu");
  EXPECT_NEAR(deviation(), std::sqrt(2 / fan_out), 1e-3);
  nn::init::trunc_normal_(w, 1, 2, 0, 2);
  EXPECT_LE(largest(w - 1.0), 1);
  EXPECT_NEAR(w.mean().item<double>(), 1, 0.02);
  nn::init::eye_(w = empty({2, 3}));
  EXPECT_TRUE(equal(w, tensor({{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}})));
  EXPECT_THROW(nn::init::xavier_normal_(empty({3})), ValueError);
  EXPECT_THROW(nn::init::kaiming_normal_(w, 0, "fan"), ValueError);
  EXPECT_THROW(nn::init::calculate_gain("cube"), ValueError);
}

TEST(Utils, ClipsGradientsTogether) {
  Tensor a = zeros({2}).requires_grad_(), b = zeros({1}).requires_grad_();
  a.set_grad(tensor({3.0, 0.0}));
  b.set_grad(tensor({4.0}));
  EXPECT_NEAR(nn::utils::clip_grad_norm_({a, b}, 1).item<double>(), 5, 1e-6);
  EXPECT_NEAR(a.grad()[0].item<double>(), 0.6, 1e-5);
  EXPECT_NEAR(b.grad()[0].item<double>(), 0.8, 1e-5);
  nn::utils::clip_grad_value_({a, b}, 0.7);
  EXPECT_NEAR(b.grad()[0].item<double>(), 0.7, 1e-6);
  a.set_grad(tensor({HUGE_VAL, 0.0}));
  EXPECT_THROW(nn::utils::clip_grad_norm_({a, b}, 1, 2, true), RuntimeError);
}

TEST(Utils, ParametersAsOneVector) {
  nn::Linear linear(2, 3);
  Tensor vector = nn::utils::parameters_to_vector(linear->parameters());
  EXPECT_EQ(vector.sizes(), Shape{9});
  nn::utils::vector_to_parameters(arange(9.0), linear->parameters());
  EXPECT_TRUE(equal(linear->bias, tensor({6.0, 7.0, 8.0})));
  EXPECT_THROW(
      nn::utils::vector_to_parameters(arange(3.0), linear->parameters()),
      ShapeError);
}

TEST(Utils, PackedSequencesComeBack) {
  Tensor input = arange(12.0).reshape({2, 3, 2});
  auto packed =
      nn::utils::rnn::pack_padded_sequence(input, tensor({2, 3}), true, false);
  EXPECT_TRUE(equal(packed.batch_sizes, tensor({2, 2, 1})));
  EXPECT_TRUE(equal(
      packed.data,
      tensor({{6.0, 7.0}, {0.0, 1.0}, {8.0, 9.0}, {2.0, 3.0}, {10.0, 11.0}})));
  auto [padded, lengths] =
      nn::utils::rnn::pad_packed_sequence(packed, true, -1, 4);
  EXPECT_EQ(padded.sizes(), (Shape{2, 4, 2}));
  EXPECT_TRUE(equal(lengths, tensor({2, 3})));
  EXPECT_EQ(padded.index({0, 2, 0}).item<double>(), -1);
  EXPECT_EQ(padded.index({1, 2, 1}).item<double>(), 11);
  EXPECT_THROW(
      nn::utils::rnn::pack_padded_sequence(input, tensor({2, 3}), true),
      ValueError);
  EXPECT_THROW(nn::utils::rnn::pad_packed_sequence(packed, true, 0, 2),
               ValueError);
}
