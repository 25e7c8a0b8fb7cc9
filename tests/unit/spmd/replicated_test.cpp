// Programs under SPMD on eight devices in which all devices would compute the
// same: they run on one device, and all devices share the results.
#include "eight_devices.h"

#include "xlac/runtime/device.h"
#include "xlac/runtime/launch_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace xlac {
namespace {

const bool kEightDevices = test::use_eight_devices();

using Runs = std::array<int64_t, 8>;

Device xla() { return Device("xla:0"); }

/// Returns how many programs each device runs in `work`.
template <class Work> Runs runs_of(const Work &work) {
  auto device = [](size_t i) {
    return *runtime::find_device(static_cast<int>(i));
  };
  std::array<runtime::LaunchRecorder, 8> recorders;
  for (size_t i = 0; i < recorders.size(); ++i)
    device(i)->record_launches(&recorders[i]);
  work();
  Runs runs{};
  for (size_t i = 0; i < recorders.size(); ++i) {
    device(i)->record_launches(nullptr);
    for (const runtime::LaunchEvent &event : recorders[i].take())
      runs[i] += event.kind == runtime::LaunchEvent::Kind::Run;
  }
  return runs;
}

constexpr Runs kOnce = {1}, kEverywhere = {1, 1, 1, 1, 1, 1, 1, 1};

/// The losses of three steps of a network without annotations. `place` uploads
/// the batch.
template <class Place>
std::vector<float> losses_of(nn::Sequential net, const Place &place,
                             const Tensor &batch) {
  optim::SGD optimizer(net->parameters(), {.lr = 0.1, .momentum = 0.9});
  std::vector<float> losses;
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    Tensor loss = net(place(batch)).square().mean();
    loss.backward();
    optimizer.step();
    xm::mark_step();
    losses.push_back(loss.item<float>());
  }
  return losses;
}

nn::Sequential network() {
  return nn::Sequential(nn::Linear(16, 32), nn::ReLU(), nn::Linear(32, 4));
}

void expect_near(const std::vector<float> &got,
                 const std::vector<float> &wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], 1e-5 * std::abs(wanted[i])) << i;
}

TEST(ReplicatedPrograms, RunOnOneDevice) {
  Tensor whole = arange(64).to(kFloat32).view({8, 8});
  Tensor t = whole.to(xla());
  EXPECT_EQ(runs_of([&] {
              t = matmul(t, t) + 1.0;
              xm::mark_step(/*wait=*/true);
            }),
            kOnce);
  Tensor wanted = matmul(whole, whole) + 1.0;
  EXPECT_TRUE(equal(t.cpu(), wanted));
  // Each device has the result.
  std::vector<xs::XLAShard> shards =
      xs::XLAShardedTensor(t, {8}).local_shards();
  ASSERT_EQ(shards.size(), 8u);
  for (const xs::XLAShard &shard : shards)
    EXPECT_TRUE(equal(shard.data, wanted));
}

TEST(ReplicatedPrograms, TrainOnOneDevice) {
  manual_seed(1);
  nn::Sequential net = network(), plain = net.clone();
  Tensor batch = randn({32, 16});
  std::vector<float> wanted =
      losses_of(plain, [](const Tensor &t) { return t; }, batch);
  net.to(xla());
  auto reused = [] {
    auto data = met::metric_data("InputOutputAliasCount");
    return data ? data->accumulator : 0.0;
  };
  double before = reused();
  std::vector<float> got;
  Runs runs = runs_of([&] {
    got = losses_of(net, [](const Tensor &t) { return t.to(xla()); }, batch);
  });
  EXPECT_GE(runs[0], 3);
  EXPECT_EQ(std::count(runs.begin() + 1, runs.end(), 0), 7);
  expect_near(got, wanted);
  // State is written in place, although all devices have it: four parameters
  // and four momenta in each step but the first ones.
  EXPECT_GE(reused() - before, 16);
}

TEST(ReplicatedPrograms, AreCutOverTheBatchIfItIs) {
  manual_seed(2);
  nn::Sequential net = network(), plain = net.clone();
  Tensor batch = randn({32, 16});
  std::vector<float> wanted =
      losses_of(plain, [](const Tensor &t) { return t; }, batch);
  net.to(xla());
  xs::ShardingSpec spec{xs::Mesh(test::device_ids(8), {8}, {"data"}),
                        {"data", None}};
  auto place = [&](const Tensor &t) {
    return xm::send_cpu_data_to_device({t}, xla(), spec)[0];
  };
  std::vector<float> got;
  Runs runs = runs_of([&] { got = losses_of(net, place, batch); });
  EXPECT_EQ(std::count(runs.begin(), runs.end(), 0), 0);
  expect_near(got, wanted);
  // Each device computes its rows.
  Tensor out = net(place(batch));
  EXPECT_EQ(runs_of([&] { xm::mark_step(/*wait=*/true); }), kEverywhere);
  EXPECT_EQ(xs::get_sharding_spec(out), "{devices=[8,1]0,1,2,3,4,5,6,7}");
  for (const xs::XLAShard &shard :
       xs::XLAShardedTensor(out, {8}).local_shards())
    EXPECT_EQ(shard.data.sizes(), (Shape{4, 4}));
}

TEST(ReplicatedPrograms, ShareDataWithShardedOnes) {
  xs::Mesh row(test::device_ids(8), {8}, {"x"});
  Tensor whole = arange(64).to(kFloat32).view({8, 8});
  Tensor a = whole.to(xla()), cut = whole.to(xla());
  xs::mark_sharding(cut, row, {"x", None});
  a = a + 1.0; // on one device
  EXPECT_EQ(runs_of([&] { xm::mark_step(/*wait=*/true); }), kOnce);
  Tensor both = a * cut; // on all, which read the shared data
  EXPECT_EQ(runs_of([&] { xm::mark_step(/*wait=*/true); }), kEverywhere);
  EXPECT_TRUE(equal(both.cpu(), (whole + 1.0) * whole));
  // A sum over devices replaces `a`, so each device has its own memory.
  a += cut.sum();
  EXPECT_EQ(runs_of([&] { xm::mark_step(/*wait=*/true); }), kEverywhere);
  a.mul_(2.0); // on one device again
  EXPECT_EQ(runs_of([&] { xm::mark_step(/*wait=*/true); }), kOnce);
  Tensor wanted = (whole + 1.0 + whole.sum()) * 2.0;
  EXPECT_TRUE(equal(a.cpu(), wanted));
  for (const xs::XLAShard &shard : xs::XLAShardedTensor(a, {8}).local_shards())
    EXPECT_TRUE(equal(shard.data, wanted));
}

TEST(ReplicatedPrograms, WaitForPendingResults) {
  Tensor x = ones({64, 64}, xla()) / 64.0;
  for (int i = 0; i < 20; ++i) { // steps that are not waited for
    x = matmul(x, ones({64, 64}, xla())) / 64.0;
    xm::mark_step();
  }
  EXPECT_TRUE(allclose(x.cpu(), ones({64, 64}) / 64.0));
  Tensor none = zeros({0, 3}, xla()) + 1.0;
  xm::mark_step();
  EXPECT_EQ(none.cpu().sizes(), (Shape{0, 3}));
}

} // namespace
} // namespace xlac
