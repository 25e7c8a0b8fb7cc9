// Dropout on both devices: the random masks, and that steps do not recompile.
#include "xlac/lazy.h"
#include "xlac/nn.h"
#include "xlac/support/metrics.h"

#include <cmath>
#include <gtest/gtest.h>

namespace xlac {
namespace {

double mean_of(const Tensor &tensor) { return tensor.mean().item<double>(); }

class OnDevice : public testing::TestWithParam<const char *> {
protected:
  Device device() const { return Device(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Dropout, OnDevice, testing::Values("cpu", "xla:0"));

TEST_P(OnDevice, DropsElementsAndKeepsTheMean) {
  Tensor x = ones({100, 100}, device());
  nn::Dropout dropout(0.25);
  Tensor y = dropout(x);
  Tensor zero = (y == 0).to(kFloat32);
  EXPECT_NEAR(mean_of(zero), 0.25, 0.02);
  EXPECT_NEAR(mean_of(y), 1, 0.03);
  EXPECT_TRUE(allclose(y, (1 - zero) / 0.75));
  EXPECT_FALSE(equal(dropout(x), y));
  EXPECT_TRUE(equal(dropout.eval()(x), x));
  EXPECT_TRUE(equal(nn::Dropout(1.0)(x), zeros({100, 100}, device())));
  EXPECT_THROW(nn::Dropout(1.5), ValueError);
}

TEST_P(OnDevice, DropsWholeChannels) {
  Tensor x = ones({20, 30, 2, 3}, device());
  Tensor y = nn::Dropout2d(0.5)(x);
  Tensor per_channel = y.sum({2, 3});
  Tensor dropped = (per_channel == 0).to(kFloat32);
  EXPECT_NEAR(mean_of(dropped), 0.5, 0.1);
  EXPECT_TRUE(allclose(per_channel, (1 - dropped) * 12));
  EXPECT_EQ(nn::Dropout1d(0.5)(ones({4, 3, 2}, device())).sizes(),
            (Shape{4, 3, 2}));
  EXPECT_EQ(nn::Dropout3d(0.5)(ones({3, 2, 2, 2}, device())).sizes(),
            (Shape{3, 2, 2, 2}));
}

TEST_P(OnDevice, AlphaKeepsMeanAndVariance) {
  Tensor x = randn({200, 100}, device());
  for (const nn::AnyModule &module :
       {nn::AnyModule(nn::AlphaDropout(0.3)),
        nn::AnyModule(nn::FeatureAlphaDropout(0.3))}) {
    Tensor y = module(x);
    EXPECT_NEAR(mean_of(y), 0, 0.1);
    EXPECT_NEAR(y.std().item<double>(), 1, 0.1);
  }
}

TEST_P(OnDevice, InPlaceWritesIntoTheInput) {
  Tensor x = ones({1000}, device());
  Tensor y = nn::Dropout(0.5, true)(x);
  EXPECT_TRUE(y.is_same(x));
  EXPECT_NEAR(mean_of((x == 0).to(kFloat32)), 0.5, 0.1);
}

TEST_P(OnDevice, GradientsFollowWhatWasDrawn) {
  Tensor x = ones({50}, device()).requires_grad_();
  Tensor y = nn::Dropout(0.5)(x);
  y.sum().backward();
  EXPECT_TRUE(equal(x.grad(), y.detach()));
  Tensor z = randn({200}, device()).requires_grad_();
  nn::RReLU rrelu(0.1, 0.3);
  Tensor w = rrelu(z);
  w.sum().backward();
  EXPECT_TRUE(allclose(z.grad() * z.detach(), w.detach()));
  Tensor slopes = z.grad().index({z.detach() < 0});
  EXPECT_GE(slopes.min().item<double>(), 0.1);
  EXPECT_LE(slopes.max().item<double>(), 0.3);
  EXPECT_GT(slopes.std().item<double>(), 0.03);
}

TEST(DropoutOnXla, DrawsAnewWithoutCompiling) {
  Device device("xla:0");
  Tensor x = ones({64}, device);
  xlac::sync();
  nn::Dropout dropout(0.5);
  auto compiled = [] {
    return metrics::find_counter("UncachedCompile").value_or(0);
  };
  Tensor first = dropout(x);
  xlac::sync();
  int64_t before = compiled();
  for (int step = 0; step < 3; ++step) {
    Tensor next = dropout(x);
    xlac::sync();
    EXPECT_EQ(compiled(), before);
    EXPECT_FALSE(equal(next.cpu(), first.cpu()));
    first = next;
  }
}

} // namespace
} // namespace xlac
