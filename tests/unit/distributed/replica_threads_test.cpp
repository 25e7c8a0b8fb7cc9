// Eight replicas as threads, with the threads of their loaders: steps with
// collectives, failures at any point, passes that are left early. The thread
// sanitizer runs this test.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>

namespace xlac {
namespace {

constexpr int kReplicas = 8;
const bool has_devices = setenv("CPU_NUM_DEVICES", "8", 1) == 0 &&
                         setenv("XLAC_COLLECTIVE_TIMEOUT", "120", 1) == 0;

/// Sample i is ([i, 1 - i] / 64, i mod 2).
struct Points {
  size_t count;
  /// Reading this sample throws.
  size_t broken = SIZE_MAX;

  data::Example<> get(size_t i) const {
    if (i == broken)
      throw std::out_of_range("sample " + std::to_string(i));
    double x = static_cast<double>(i) / 64;
    return {tensor({x, 1 - x}), tensor(static_cast<int64_t>(i % 2))};
  }
  size_t size() const { return count; }
};

auto loader_of(const Points &points, int64_t batch) {
  return data::DataLoader(points, {.batch_size = batch, .num_workers = 2});
}

nn::Sequential small_model() {
  manual_seed(3);
  return nn::Sequential(nn::Linear(2, 4), nn::Tanh(), nn::Linear(4, 2));
}

std::vector<float> weights_of(const nn::Sequential &model) {
  std::vector<float> all;
  for (const Tensor &parameter : model->parameters())
    for (float value : parameter.detach().cpu().to_vector<float>())
      all.push_back(value);
  return all;
}

float train(nn::Sequential &model, auto &batches, optim::Optimizer &optimizer) {
  Tensor loss;
  for (auto &[data, target] : batches) {
    optimizer.zero_grad();
    loss = F::cross_entropy(model(data), target);
    loss.backward();
    xm::optimizer_step(optimizer);
  }
  return loss.item<float>();
}

TEST(ReplicaThreads, StepTogether) {
  Points points{256};
  auto loader = loader_of(points, 4);
  dp::DataParallel parallel(small_model());
  ASSERT_EQ(parallel.devices().size(), size_t{kReplicas});
  std::atomic<int> closures{0};
  auto loop = [&](nn::Sequential &model, auto &batches, Device,
                  dp::Context &context) {
    auto &optimizer = context.getattr_or<optim::SGD>("optimizer", [&] {
      return optim::SGD(model->parameters(), {.lr = 0.1, .momentum = 0.9});
    });
    xm::add_step_closure([&] { ++closures; }, std::tuple(), true);
    return train(model, batches, optimizer);
  };
  for (int pass = 0; pass < 3; ++pass)
    parallel(loop, loader);

  // The same steps on one device, with batches as large as those of all
  // replicas.
  nn::Sequential alone = small_model().to(xlac::device());
  optim::SGD optimizer(alone->parameters(), {.lr = 0.1, .momentum = 0.9});
  auto whole = loader_of(points, 4 * kReplicas);
  pl::MpDeviceLoader batches(whole, xlac::device());
  for (int pass = 0; pass < 3; ++pass)
    train(alone, batches, optimizer);

  std::vector<float> wanted = weights_of(alone);
  std::vector<float> first = weights_of(parallel.models()[0]);
  ASSERT_EQ(first.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(first[i], wanted[i], 1e-4);
  for (const nn::Sequential &model : parallel.models())
    EXPECT_EQ(weights_of(model), first);
}

TEST(ReplicaThreads, EachMayHaveALoaderOfItsOwn) {
  Points points{kReplicas * 12};
  std::vector<int> once(1);
  dp::DataParallel parallel(small_model());
  auto sums = parallel(
      [&](nn::Sequential &, auto &, Device device, dp::Context &) {
        auto sampler = std::make_shared<data::DistributedSampler>(
            points.size(), data::DistributedSamplerOptions{.shuffle = false});
        data::DataLoader own(
            points, {.batch_size = 3, .sampler = sampler, .num_workers = 2});
        pl::MpDeviceLoader batches(own, device,
                                   {.loader_prefetch_size = 2,
                                    .device_prefetch_size = 1,
                                    .host_to_device_transfer_threads = 2});
        Tensor sum = zeros({}, device);
        for (int pass = 0; pass < 4; ++pass)
          for (auto &[data, target] : batches)
            sum += xm::all_reduce(xm::REDUCE_SUM, data.select(1, 0).sum());
        return sum.item<float>();
      },
      once);
  const int64_t count = kReplicas * 12;
  for (float sum : sums)
    EXPECT_NEAR(sum, 4.0 * count * (count - 1) / 2 / 64, 1e-2);
}

TEST(ReplicaThreads, MayFailAnywhere) {
  std::mt19937 random(7);
  auto below = [&](int end) { return static_cast<int>(random() % end); };
  for (int round = 0; round < 24; ++round) {
    enum { Loop, Reading, Leaving };
    const int kind = round % 3, culprit = below(kReplicas), step = below(6);
    Points points{4 * kReplicas * 10};
    if (kind == Reading)
      points.broken = static_cast<size_t>(4 * kReplicas * step + 5);
    auto loader = loader_of(points, 4);
    dp::DataParallel parallel(small_model());
    auto loop = [&](nn::Sequential &model, auto &batches, Device device,
                    dp::Context &) {
      optim::SGD optimizer(model->parameters(), {.lr = 0.1});
      int place = 0;
      for (auto &[data, target] : batches) {
        if (device.index == culprit && place == step && kind == Loop)
          throw std::domain_error("thread " + std::to_string(culprit));
        if (place++ == step && kind == Leaving)
          break;
        optimizer.zero_grad();
        F::cross_entropy(model(data), target).backward();
        xm::optimizer_step(optimizer);
      }
    };
    std::string thrown;
    try {
      parallel(loop, loader);
    } catch (const std::exception &error) {
      thrown = error.what();
    }
    std::string wanted = kind == Loop ? "thread " + std::to_string(culprit)
                         : kind == Reading
                             ? "sample " + std::to_string(points.broken)
                             : "";
    EXPECT_EQ(thrown, wanted) << "round " << round;
    if (kind == Leaving) {
      std::vector<float> first = weights_of(parallel.models()[0]);
      for (const nn::Sequential &model : parallel.models())
        EXPECT_EQ(weights_of(model), first);
    }
  }
}

} // namespace
} // namespace xlac
