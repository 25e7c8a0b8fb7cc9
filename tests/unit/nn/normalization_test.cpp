// Errors of normalization, and SyncBatchNorm. modules_test.cpp checks the
// results.
#include "xlac/nn.h"
#include "xlac/xla_model.h"

#include <cmath>
#include <gtest/gtest.h>
#include <thread>

using namespace xlac;
using namespace xlac::nn;

namespace {

/// Two devices for all tests of the program; set before the runtime starts.
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

/// Results of SyncBatchNorm or of BatchNorm over the whole batch.
struct Normalized {
  Tensor output, input_grad, weight_grad, mean, var;
};

template <class Norm> static Normalized normalize(Norm norm, const Tensor &x) {
  Tensor input = x.detach().requires_grad_();
  Tensor output = norm(input);
  // Weights distinguish the elements: an unweighted sum has no gradient through
  // the mean.
  Tensor factors = arange(x.size(1), TensorOptions(x.device()).dtype(kFloat32));
  (output * output * factors.view({1, -1, 1})).sum().backward();
  return {output.detach().cpu(), input.grad().cpu(), norm->weight.grad().cpu(),
          norm->running_mean.cpu(), norm->running_var.cpu()};
}

TEST(SyncBatchNorm, IsThatOfTheWholeBatch) {
  std::vector<Device> both = devices();
  ASSERT_EQ(both.size(), 2U);
  // The replicas' batches have different sizes.
  Tensor x = randn({5, 3, 4}) * 2.0 + 7.0;
  std::vector<Tensor> parts = {x.narrow(0, 0, 2), x.narrow(0, 2, 3)};
  Normalized whole = normalize(BatchNorm1d(3), x), split[2];
  std::vector<std::thread> replicas;
  for (size_t i = 0; i < 2; ++i)
    replicas.emplace_back([&, i] {
      xm::set_replication(both[i], both);
      split[i] = normalize(SyncBatchNorm(3).to(both[i]), parts[i].to(both[i]));
      xm::set_replication(both[i], {});
    });
  for (std::thread &replica : replicas)
    replica.join();
  auto joined = [&](Tensor Normalized::*part) {
    return cat({split[0].*part, split[1].*part});
  };
  EXPECT_TRUE(allclose(joined(&Normalized::output), whole.output, 1e-4, 1e-5));
  EXPECT_TRUE(
      allclose(joined(&Normalized::input_grad), whole.input_grad, 1e-3, 1e-4));
  EXPECT_TRUE(allclose(split[0].weight_grad + split[1].weight_grad,
                       whole.weight_grad, 1e-4, 1e-5));
  for (const Normalized &each : split) {
    EXPECT_TRUE(allclose(each.mean, whole.mean, 1e-4, 1e-5));
    EXPECT_TRUE(allclose(each.var, whole.var, 1e-4, 1e-5));
  }
}

TEST(SyncBatchNorm, NeedsNobodyForEvaluation) {
  std::vector<Device> both = devices();
  SyncBatchNorm norm = SyncBatchNorm(2).to(both[0]);
  Tensor x = randn({4, 2}, both[0]);
  EXPECT_NO_THROW(norm(x).cpu());
  xm::set_replication(both[0], both);
  EXPECT_NO_THROW(norm.eval()(x).cpu());
  xm::set_replication(both[0], {});
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
