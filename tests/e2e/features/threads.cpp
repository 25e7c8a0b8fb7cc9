// DP: DataParallel, one thread per device.
#include "feature_rows.h"
#include "mnist.h"

#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

using namespace xlac::features;

namespace {

using Batches = std::vector<data::Example<>>;

/// Batch i is 2 × 3, with all elements i.
Batches numbered(int count) {
  Batches batches;
  for (int i = 0; i < count; ++i)
    batches.push_back({full({2, 3}, double(i)), full({2}, i)});
  return batches;
}

/// Batches of these sizes in dimension `dim` of 2.
Batches sized(std::vector<int64_t> sizes, int dim = 0) {
  Batches batches;
  for (int64_t size : sizes) {
    Shape shape{4, 4};
    shape[dim] = size;
    batches.push_back({zeros(shape), zeros({shape[0]}, kInt64)});
  }
  return batches;
}

int number_of(const data::Example<> &batch) {
  return batch.target.select(0, 0).item<int>();
}

int count_of(auto &loader) {
  int count = 0;
  while (loader.next())
    ++count;
  return count;
}

Floats values(const Tensor &tensor) {
  return tensor.detach().cpu().to_vector<float>();
}

template <class Model> void expect_equal_replicas(const Model &models) {
  auto wanted = models[0]->named_parameters();
  for (size_t replica = 1; replica < models.size(); ++replica) {
    auto got = models[replica]->named_parameters();
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i)
      EXPECT_EQ(values(got[i].second), values(wanted[i].second))
          << got[i].first << " of replica " << replica;
  }
}

} // namespace

//===- Construction -------------------------------------------------------===//

FEATURE(DP_01, "CPU_NUM_DEVICES=4") {
  dp::DataParallel parallel(nn::Linear(5, 3));
  ASSERT_EQ(parallel.models().size(), 4u);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(parallel.models()[i]->weight.device(), Device(kXLA, i));
  expect_equal_replicas(parallel.models());
  dp::DataParallel two(nn::Linear(5, 3), {Device(kXLA, 3), Device(kXLA, 1)});
  EXPECT_EQ(two.models()[0]->bias.device(), Device(kXLA, 3));
  EXPECT_EQ(two.models()[1]->bias.device(), Device(kXLA, 1));
}

FEATURE(DP_02, "CPU_NUM_DEVICES=2") {
  int calls = 0;
  dp::DataParallel made([&] {
    ++calls;
    return nn::Linear(5, 3);
  });
  EXPECT_EQ(calls, 1);
  expect_equal_replicas(made.models());
  nn::Linear linear(5, 3);
  dp::DataParallel cloned(linear);
  for (const nn::Linear &model : cloned.models())
    EXPECT_EQ(values(model->weight), values(linear->weight));
}

FEATURE(DP_03) {
  auto source = numbered(3);
  dp::DataParallel parallel(nn::Linear(3, 3), {});
  EXPECT_EQ(parallel.devices(), std::vector<Device>{Device(kCPU)});
  auto caller = std::this_thread::get_id();
  std::vector<int> seen = parallel(
      [&](nn::Linear &model, auto &loader, Device device, dp::Context &) {
        EXPECT_EQ(device, Device(kCPU));
        EXPECT_EQ(std::this_thread::get_id(), caller);
        int count = 0;
        for (auto &[data, target] : loader) {
          EXPECT_TRUE(data.is_same(source[count].data));
          EXPECT_EQ(model(data).device(), Device(kCPU));
          ++count;
        }
        return count;
      },
      source);
  EXPECT_EQ(seen, std::vector<int>{3});
}

FEATURE(DP_12, "CPU_NUM_DEVICES=4") {
  std::vector<Device> devices = xm::get_xla_supported_devices();
  EXPECT_EQ(devices.size(), 4u);
  dp::DataParallel parallel([] { return nn::Linear(3, 3); }, devices);
  EXPECT_EQ(parallel.devices(), devices);
  auto source = numbered(4);
  auto processes = parallel(
      [](nn::Linear &, auto &, Device, dp::Context &) { return getpid(); },
      source);
  EXPECT_EQ(processes, std::vector<pid_t>(4, getpid()));
}

//===- Calls --------------------------------------------------------------===//

FEATURE(DP_04, "CPU_NUM_DEVICES=2") {
  auto source = numbered(10);
  dp::DataParallel parallel(nn::Linear(3, 3));
  auto counts = parallel([](nn::Linear &, auto &loader, Device,
                            dp::Context &) { return count_of(loader); },
                         source);
  EXPECT_EQ(counts, (std::vector<int>{5, 5}));
}

FEATURE(DP_05, "CPU_NUM_DEVICES=4") {
  auto source = numbered(4);
  dp::DataParallel parallel([] { return nn::Linear(3, 3); });
  parallel(
      [](nn::Linear &model, dp::PerDeviceLoader<data::Example<>> &,
         Device device, dp::Context &context) {
        EXPECT_EQ(xlac::device(), device);
        EXPECT_EQ(model->weight.device(), device);
        EXPECT_EQ(context.device(), device);
        EXPECT_EQ(xr::world_size(), 4);
        EXPECT_EQ(xr::global_ordinal(), device.index);
        EXPECT_EQ(xm::is_master_ordinal(), device.index == 0);
      },
      source);
}

FEATURE(DP_06, "CPU_NUM_DEVICES=3") {
  auto source = numbered(9);
  dp::DataParallel parallel(nn::Linear(3, 3));
  std::mutex mutex;
  std::multiset<int> seen;
  parallel(
      [&](nn::Linear &, auto &loader, Device device, dp::Context &) {
        for (auto &[data, target] : loader) {
          EXPECT_EQ(data.device(), device);
          EXPECT_EQ(target.device(), device);
          int number = number_of({data, target});
          EXPECT_EQ(values(data), Floats(6, float(number)));
          EXPECT_EQ(number % 3, device.index);
          std::lock_guard lock(mutex);
          seen.insert(number);
        }
      },
      source);
  EXPECT_EQ(seen, (std::multiset<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

FEATURE(DP_07, "CPU_NUM_DEVICES=2") {
  auto source = numbered(6);
  dp::DataParallel parallel(nn::Linear(3, 3));
  using Pairs = std::vector<std::pair<size_t, int>>;
  std::vector<Pairs> seen = parallel(
      [&](nn::Linear &, auto &loader, Device, dp::Context &) {
        Pairs pairs;
        for (auto [i, batch] : xu::enumerate(loader)) {
          auto &[data, target] = batch;
          EXPECT_EQ(data.sizes(), (Shape{2, 3}));
          pairs.emplace_back(i, number_of(batch));
        }
        return pairs;
      },
      source);
  EXPECT_EQ(seen[0], (Pairs{{0, 0}, {1, 2}, {2, 4}}));
  EXPECT_EQ(seen[1], (Pairs{{0, 1}, {1, 3}, {2, 5}}));
}

FEATURE(DP_08, "CPU_NUM_DEVICES=2") {
  auto source = numbered(2);
  dp::DataParallel parallel(nn::Linear(3, 3));
  auto loop = [](nn::Linear &model, auto &, Device, dp::Context &context) {
    return &context.getattr_or<optim::SGD>("optimizer", [&] {
      return optim::SGD(model->parameters(), {.lr = 0.1});
    });
  };
  auto first = parallel(loop, source), second = parallel(loop, source);
  EXPECT_EQ(first, second);
  EXPECT_NE(first[0], first[1]);
}

FEATURE(DP_09, "CPU_NUM_DEVICES=4") {
  auto source = numbered(4);
  dp::DataParallel parallel(nn::Linear(3, 3));
  auto loop = [](nn::Linear &, auto &, Device device, dp::Context &) {
    std::this_thread::sleep_for(
        std::chrono::milliseconds(5 * (4 - device.index)));
    return device.index;
  };
  EXPECT_EQ(parallel(loop, source), (std::vector{0, 1, 2, 3}));
  auto nothing = [](nn::Linear &, auto &, Device, dp::Context &) {};
  static_assert(std::is_void_v<decltype(parallel(nothing, source))>);
}

FEATURE(DP_10) {
  auto source = sized({8, 8, 5});
  dp::DataParallel parallel(nn::Linear(4, 4));
  auto loop = [](nn::Linear &, auto &loader, Device, dp::Context &) {
    return count_of(loader);
  };
  EXPECT_EQ(parallel(loop, source, true), std::vector{2});
  EXPECT_EQ(parallel(loop, source, false), std::vector{3});
  EXPECT_EQ(parallel(loop, source), std::vector{3});
}

FEATURE(DP_11) {
  auto source = sized({8, 8, 5, 8}, 1);
  dp::DataParallel parallel(nn::Linear(4, 4));
  auto loop = [](nn::Linear &, auto &loader, Device, dp::Context &) {
    return count_of(loader);
  };
  EXPECT_EQ(parallel(loop, source, true, 1), std::vector{2});
  EXPECT_EQ(parallel(loop, source, true, 0), std::vector{4});
}

//===- Training -----------------------------------------------------------===//

namespace {

struct Trained {
  std::vector<double> losses; ///< mean over the replicas, per epoch
  double accuracy = 0;
};

constexpr int64_t kBatch = 32;
constexpr optim::SGDOptions kDescent{.lr = 0.05, .momentum = 0.9};

double mean(const std::vector<double> &numbers) {
  double sum = 0;
  for (double number : numbers)
    sum += number;
  return sum / static_cast<double>(numbers.size());
}

/// Returns the mean loss of a pass.
double train_pass(MNIST &model, auto &loader, optim::Optimizer &optimizer) {
  nn::NLLLoss loss_fn;
  model.train();
  Tensor sum = zeros({}, xlac::device());
  int64_t steps = 0;
  for (auto &[data, target] : loader) {
    optimizer.zero_grad();
    Tensor loss = loss_fn(model(data), target);
    loss.backward();
    xm::optimizer_step(optimizer);
    sum += loss.detach();
    ++steps;
  }
  return sum.item<double>() / static_cast<double>(steps);
}

/// Returns the number of correct predictions and the number of samples.
std::pair<int64_t, int64_t> test_pass(MNIST &model, auto &loader) {
  NoGradGuard no_grad;
  model.eval();
  Tensor right = zeros({}, TensorOptions(xlac::device()).dtype(kInt64));
  int64_t total = 0;
  for (auto &[data, target] : loader) {
    right += model(data).argmax(1).eq(target).sum();
    total += target.size(0);
  }
  return {right.item<int64_t>(), total};
}

auto training_data(const std::string &folder, int64_t batch) {
  return data::DataLoader(
      mnist_dataset({folder}, true),
      {.batch_size = batch, .shuffle = true, .drop_last = true, .seed = 5});
}
auto test_data(const std::string &folder) {
  return data::DataLoader(mnist_dataset({folder}, false), {.batch_size = 50});
}

/// Trains with batches as large as those of all replicas together.
Trained train_alone(const MNIST &start, const std::string &folder, int epochs,
                    int64_t replicas) {
  Device device = xlac::device();
  auto batches = training_data(folder, kBatch * replicas);
  auto tests = test_data(folder);
  pl::MpDeviceLoader loader(batches, device), test_loader(tests, device);
  MNIST model = start.clone(device);
  optim::SGD optimizer(model->parameters(), kDescent);
  Trained trained;
  for (int epoch = 0; epoch < epochs; ++epoch)
    trained.losses.push_back(train_pass(model, loader, optimizer));
  auto [right, total] = test_pass(model, test_loader);
  trained.accuracy = 100.0 * static_cast<double>(right) / total;
  return trained;
}

Trained train_with_threads(const MNIST &start, const std::string &folder,
                           int epochs) {
  auto loader = training_data(folder, kBatch);
  auto tests = test_data(folder);
  dp::DataParallel parallel(start);
  auto train_loop = [](MNIST &model, auto &batches, Device,
                       dp::Context &context) {
    auto &optimizer = context.getattr_or<optim::SGD>(
        "optimizer", [&] { return optim::SGD(model->parameters(), kDescent); });
    return train_pass(model, batches, optimizer);
  };
  auto test_loop = [](MNIST &model, auto &batches, Device, dp::Context &) {
    return test_pass(model, batches);
  };
  Trained trained;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    trained.losses.push_back(mean(parallel(train_loop, loader)));
    expect_equal_replicas(parallel.models());
  }
  int64_t right = 0, total = 0;
  for (auto [right_here, total_here] : parallel(test_loop, tests)) {
    right += right_here;
    total += total_here;
  }
  trained.accuracy = 100.0 * static_cast<double>(right) / total;
  return trained;
}

} // namespace

FEATURE(DP_13, "CPU_NUM_DEVICES=4") {
  TemporaryFolder folder;
  data::write_synthetic_digits(folder.path(),
                               {.train_size = 2560, .test_size = 50});
  manual_seed(1);
  MNIST start;
  Trained threads = train_with_threads(start, folder.path(), 2);
  Trained alone = train_alone(start, folder.path(), 2, 4);
  EXPECT_GT(alone.losses[0], 2 * alone.losses[1]);
  for (int epoch = 0; epoch < 2; ++epoch)
    // The same batches, but BatchNorm sees a quarter of each.
    EXPECT_NEAR(threads.losses[epoch], alone.losses[epoch],
                0.1 * alone.losses[epoch] + 0.05)
        << "epoch " << epoch;
}

FEATURE(DP_14, "CPU_NUM_DEVICES=2") {
  TemporaryFolder folder;
  data::write_synthetic_digits(folder.path(),
                               {.train_size = 8000, .test_size = 2000});
  manual_seed(1);
  MNIST start;
  Trained threads = train_with_threads(start, folder.path(), 2);
  Trained alone = train_alone(start, folder.path(), 2, 2);
  EXPECT_GT(alone.accuracy, 96);
  EXPECT_NEAR(threads.accuracy, alone.accuracy, 1);
}

//===- Failure ------------------------------------------------------------===//

FEATURE(DP_15, "CPU_NUM_DEVICES=4", "XLAC_COLLECTIVE_TIMEOUT=60") {
  using Clock = std::chrono::steady_clock;
  auto source = numbered(400);
  std::mutex mutex;
  std::vector<std::string> others;
  dp::DataParallel parallel(nn::Linear(3, 3));
  auto loop = [&](nn::Linear &model, auto &loader, Device device,
                  dp::Context &) {
    optim::SGD optimizer(model->parameters(), {.lr = 0.01});
    int step = 0;
    try {
      for (auto &[data, target] : loader) {
        if (device.index == 1 && step++ == 2)
          throw std::domain_error("thread 1 at batch 2");
        optimizer.zero_grad();
        model(data).sum().backward();
        xm::optimizer_step(optimizer);
      }
    } catch (const CollectiveError &error) {
      std::lock_guard lock(mutex);
      others.push_back(error.what());
      throw;
    }
  };
  auto start = Clock::now();
  EXPECT_EQ(message_of<std::domain_error>([&] { parallel(loop, source); }),
            "thread 1 at batch 2");
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(others.size(), 3u);
  for (const std::string &message : others)
    EXPECT_CONTAINS(message, "replica 1");

  // The process continues: another DataParallel works, with collectives.
  dp::DataParallel again(nn::Linear(3, 3));
  auto few = numbered(8);
  auto sums = again(
      [](nn::Linear &, auto &loader, Device, dp::Context &) {
        Tensor number = loader.next()->data.mean();
        return xm::all_reduce(xm::REDUCE_SUM, number).template item<float>();
      },
      few);
  EXPECT_EQ(sums, Floats(4, 0 + 1 + 2 + 3));
}
