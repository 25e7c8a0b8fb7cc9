// Replicas as threads: construction of DataParallel, the attributes of its
// contexts, and the failure that it throws.
#include "xlac/distributed.h"
#include "xlac/metrics.h"

#include "../thrown.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <thread>

namespace xlac::distributed {
namespace {

const bool has_devices = [] {
  xr::set_num_devices(4);
  return true;
}();

using Loader = std::vector<Tensor>;

Loader numbers(int count) {
  Loader loader;
  for (int i = 0; i < count; ++i)
    loader.push_back(full({2}, double(i)));
  return loader;
}

//===- Construction -------------------------------------------------------===//

TEST(DataParallel, IsMadeOfHandlesAndFactories) {
  nn::Linear linear(3, 2);
  auto make = [] { return nn::Linear(3, 2); };
  std::vector<Device> two{Device(kXLA, 2), Device(kXLA, 0)};
  DataParallel a(linear), b(linear, two), c(make), d(make, two), e(make, {}),
      f(linear, {}), g(make, {Device(kXLA, 3)});
  static_assert(std::is_same_v<decltype(c), DataParallel<nn::Linear>>);
  // A sequence can be called without arguments, but is not a factory.
  DataParallel sequence(nn::Sequential(linear), two);
  static_assert(
      std::is_same_v<decltype(sequence), DataParallel<nn::Sequential>>);
  static_assert(std::is_same_v<decltype(e), decltype(a)>);
  DataParallel<nn::Linear> h(make, std::vector<Device>());
  EXPECT_EQ(a.devices(), xlac::devices());
  EXPECT_EQ(c.devices(), xlac::devices());
  EXPECT_EQ(b.devices(), two);
  EXPECT_EQ(d.devices(), two);
  EXPECT_EQ(g.devices(), std::vector<Device>{Device(kXLA, 3)});
  for (const auto *on_cpu : {&e, &f, &h})
    EXPECT_EQ(on_cpu->devices(), std::vector<Device>{Device(kCPU)});
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(b.models()[i]->weight.device(), two[i]);
  // The given model is not moved.
  EXPECT_EQ(linear->weight.device(), Device(kCPU));
  EXPECT_FALSE(f.models()[0]->weight.is_same(linear->weight));
}

TEST(DataParallel, RefusesDevicesThatAreNone) {
  auto message = [](std::vector<Device> devices) {
    return message_of<Error>([&] { DataParallel(nn::Linear(2, 2), devices); });
  };
  EXPECT_EQ(message({Device(kXLA, 1), Device(kXLA, 1)}),
            "DataParallel(): xla:1 is there twice");
  EXPECT_EQ(message({Device(kCPU)}),
            "DataParallel(): wanted xla devices, got cpu");
  EXPECT_NE(message({Device(kXLA, 4)}).find("out of range"), std::string::npos);
}

//===- Contexts -----------------------------------------------------------===//

TEST(Context, KeepsWhatItMadeOrWasGiven) {
  Context context(Device(kXLA, 1));
  EXPECT_EQ(context.device(), Device(kXLA, 1));
  int made = 0;
  auto make = [&] { return std::make_unique<int>(++made); };
  auto &first = context.getattr_or<std::unique_ptr<int>>("counter", make);
  auto &second = context.getattr_or<std::unique_ptr<int>>("counter", make);
  EXPECT_EQ(&first, &second);
  EXPECT_EQ(made, 1);
  context.attributes()["rate"] = 0.5;
  EXPECT_EQ(context.getattr_or<double>("rate", [] { return 1.0; }), 0.5);
  EXPECT_EQ(message_of<TypeError>(
                [&] { context.getattr_or<int>("rate", [] { return 1; }); }),
            "getattr_or(): attribute 'rate' is of another type");
  EXPECT_EQ(message_of<std::domain_error>([&] {
              context.getattr_or<int>(
                  "broken", []() -> int { throw std::domain_error("no"); });
            }),
            "no");
  EXPECT_FALSE(context.attributes().contains("broken"));
}

//===- Running ------------------------------------------------------------===//

TEST(DataParallel, ThreadsAreReplicas) {
  DataParallel parallel(nn::Linear(2, 2));
  Loader loader = numbers(9);
  std::set<std::thread::id> threads;
  std::mutex mutex;
  auto seen = parallel(
      [&](nn::Linear &model, auto &batches, Device device, Context &context) {
        EXPECT_EQ(xlac::device(), device);
        EXPECT_EQ(context.device(), device);
        EXPECT_EQ(model->weight.device(), device);
        EXPECT_EQ(xr::world_size(), 4);
        EXPECT_EQ(xr::global_ordinal(), device.index);
        EXPECT_EQ(batches.size(), 2u);
        std::vector<float> firsts;
        for (Tensor &batch : batches) {
          EXPECT_EQ(batch.device(), device);
          firsts.push_back(batch.select(0, 0).item<float>());
        }
        std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
        return firsts;
      },
      loader);
  static_assert(
      std::is_same_v<decltype(seen), std::vector<std::vector<float>>>);
  ASSERT_EQ(seen.size(), 4u);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(seen[i], (std::vector<float>{float(i), float(i + 4)}));
  EXPECT_EQ(threads.size(), 4u);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
  EXPECT_EQ(xr::world_size(), 1);
}

TEST(DataParallel, OnTheCpuIsACall) {
  DataParallel parallel(nn::Linear(2, 2), {});
  Loader loader = numbers(3);
  int calls = 0;
  parallel(
      [&](nn::Linear &model, auto &batches, Device device, Context &) {
        ++calls;
        EXPECT_EQ(device, Device(kCPU));
        size_t place = 0;
        for (Tensor &batch : batches) {
          EXPECT_TRUE(batch.is_same(loader[place++]));
          EXPECT_EQ(model(batch).device(), device);
        }
        EXPECT_EQ(place, 3u);
      },
      loader);
  EXPECT_EQ(calls, 1);
}

TEST(DataParallel, RunsWhatLoopsLeftPending) {
  DataParallel parallel([] { return nn::Linear(2, 2); });
  Loader loader = numbers(4);
  parallel(
      [&](nn::Linear &model, auto &batches, Device, Context &) {
        batches.next();
        NoGradGuard no_grad;
        model->bias.fill_(7);
        model->bias.mul_(model->bias);
      },
      loader);
  int64_t runs = *metrics::counter_value("ExecuteComputation");
  for (const nn::Linear &model : parallel.models())
    EXPECT_EQ(model->bias.detach().cpu().to_vector<float>(),
              (std::vector<float>{49, 49}));
  EXPECT_EQ(*metrics::counter_value("ExecuteComputation"), runs);
}

TEST(DataParallel, ThrowsTheFirstFailure) {
  DataParallel parallel(nn::Linear(2, 2));
  Loader loader = numbers(4000);
  for (int round = 0; round < 5; ++round) {
    std::atomic<int> ended{0};
    EXPECT_EQ(message_of<std::domain_error>([&] {
                parallel(
                    [&](nn::Linear &, auto &batches, Device device, Context &) {
                      struct Ending {
                        std::atomic<int> &count;
                        ~Ending() { ++count; }
                      } ending{ended};
                      int place = 0;
                      while (batches.next())
                        if (++place == 3 && device.index == 2)
                          throw std::domain_error("in thread 2");
                      ADD_FAILURE() << "a whole pass on " << device;
                    },
                    loader);
              }),
              "in thread 2");
    EXPECT_EQ(ended, 4);
  }
  // The process and its replicas continue.
  Loader few = numbers(4);
  auto sums = parallel(
      [](nn::Linear &, auto &batches, Device, Context &) {
        return batches.next()->sum().template item<float>();
      },
      few);
  EXPECT_EQ(sums, (std::vector<float>{0, 2, 4, 6}));
}

/// A loop over `batches` that throws in replica 1 at its second batch, before
/// or after the optimizer's step with momentum.
void train(DataParallel<nn::Linear> &parallel, Loader &batches, bool fails,
           bool after_the_step) {
  parallel(
      [&](nn::Linear &model, auto &mine, Device device, Context &context) {
        using optim::SGD;
        SGD &sgd = context.getattr_or<SGD>("sgd", [&] {
          return SGD(model->parameters(), {.lr = 0.5, .momentum = 0.5});
        });
        auto may_throw = [&](int step, bool after) {
          if (!fails || after != after_the_step || step != 1 ||
              device.index != 1)
            return;
          // the first step has finished on all devices
          xm::wait_device_ops({device});
          throw std::domain_error("replica 1");
        };
        int step = 0;
        for (Tensor &x : mine) {
          may_throw(step, false);
          sgd.zero_grad();
          model(x).sum().backward();
          xm::optimizer_step(sgd);
          may_throw(step++, true);
        }
      },
      batches);
}

TEST(DataParallel, AFailedStepLeavesTheModelsAsTheyWere) {
  for (bool after_the_step : {false, true}) {
    SCOPED_TRACE(after_the_step);
    nn::Linear network(2, 2);
    DataParallel parallel(network), reference(network);
    Loader one, two;
    for (int i = 0; i < 8; ++i) {
      two.push_back(ones({3, 2}));
      if (i < 4)
        one.push_back(two.back());
    }
    auto expect_same = [&] {
      for (size_t i = 0; i < 4; ++i)
        EXPECT_TRUE(allclose(parallel.models()[i]->weight.detach().cpu(),
                             reference.models()[i]->weight.detach().cpu()))
            << "replica " << i;
    };
    EXPECT_EQ(message_of<std::domain_error>(
                  [&] { train(parallel, two, true, after_the_step); }),
              "replica 1");
    train(reference, one, false, false);
    expect_same();
    for (int round = 0; round < 2; ++round) {
      train(parallel, two, false, false);
      train(reference, two, false, false);
      expect_same();
    }
  }
}

} // namespace
} // namespace xlac::distributed
