// What normalization refuses; its results stand with those of other modules.
#include "xlac/nn.h"
#include "xlac/xla_model.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace xlac;
using namespace xlac::nn;

namespace {

/// Two devices for all tests of the program; nothing has run yet.
class TwoDevices : public testing::Environment {
  void SetUp() override { xr::set_num_devices(2); }
};
testing::Environment *const two_devices =
    testing::AddGlobalTestEnvironment(new TwoDevices);

} // namespace

TEST(BatchNorm, RefusesOtherRanks) {
  EXPECT_THROW(BatchNorm1d(2)(zeros({2, 2, 2, 2})), ShapeError);
  EXPECT_THROW(BatchNorm2d(2)(zeros({2, 2, 2})), ShapeError);
  EXPECT_THROW(BatchNorm3d(2)(zeros({2, 2, 2, 2})), ShapeError);
  EXPECT_THROW(SyncBatchNorm(2)(zeros({2})), ShapeError);
  EXPECT_THROW(BatchNorm1d(2)(zeros({1, 2})), ValueError);
}

TEST(SyncBatchNorm, RefusesSeveralReplicasInTraining) {
  std::vector<Device> both = devices();
  ASSERT_EQ(both.size(), 2U);
  xm::set_replication(both[0], both);
  SyncBatchNorm norm = SyncBatchNorm(2).to(both[0]);
  Tensor x = randn({4, 2}, both[0]);
  EXPECT_THROW(norm(x), UnsupportedError);
  EXPECT_NO_THROW(norm.eval()(x));
  xm::set_replication(both[0], {});
  EXPECT_NO_THROW(norm.train()(x));
}

TEST(InstanceNorm, RefusesOtherChannels) {
  InstanceNorm1d norm({.num_features = 3, .affine = true});
  EXPECT_THROW(norm(zeros({2, 2, 4})), ValueError);
  EXPECT_THROW(norm(zeros({2, 2, 4, 4})), ShapeError);
  EXPECT_NO_THROW(InstanceNorm1d(3)(randn({2, 2, 4})));
}

TEST(GroupNorm, WantsGroupsOfEqualSize) {
  EXPECT_THROW(GroupNorm(2, 3), ValueError);
  EXPECT_THROW(GroupNorm(0, 3), ValueError);
}

TEST(RMSNorm, TakesTheEpsilonOfTheDtype) {
  Tensor tiny = full({1, 4}, 1e-20);
  Tensor scaled = RMSNorm(4)(tiny);
  EXPECT_NEAR(scaled[0][0].item<double>(), 1e-20 / std::sqrt(1.1920929e-7),
              1e-22);
}
