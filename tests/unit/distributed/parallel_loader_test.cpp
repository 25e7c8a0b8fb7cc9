// The threads of a pass: order, limits, failures and shutdown, with loaders
// that count and fail.
#include "xlac/distributed.h"

#include "../thrown.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

namespace xlac::distributed {

/// A batch whose upload takes longer for low numbers.
struct Uneven {
  Tensor data;
  int64_t number = 0;
};

} // namespace xlac::distributed

template <> struct xlac::Tree<xlac::distributed::Uneven> {
  using Batch = xlac::distributed::Uneven;
  static void visit(const Batch &batch, const detail::TensorVisitor &visit) {
    visit(batch.data);
  }
  static Batch map(const Batch &batch, const detail::TensorMapper &map) {
    std::this_thread::sleep_for(
        std::chrono::milliseconds(2 * (3 - batch.number % 4)));
    if (batch.number == 13)
      throw std::length_error("unlucky");
    return {map(batch.data), batch.number};
  }
};

namespace xlac::distributed {
namespace {

const bool has_devices = [] {
  xr::set_num_devices(3);
  return true;
}();
const Device xla0(kXLA, 0), xla1(kXLA, 1), xla2(kXLA, 2);

/// A loader that makes batches by number when they are read.
template <class T> class Numbered {
public:
  Numbered(int count, std::function<T(int)> make)
      : count_(count), make_(std::move(make)) {}

  class iterator {
  public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    explicit iterator(Numbered *loader) : loader_(loader) { read(); }
    T &operator*() const { return *held_; }
    iterator &operator++() {
      ++at_;
      read();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !held_; }

  private:
    void read() {
      held_ = nullptr;
      if (at_ == loader_->count_)
        return;
      held_ = std::make_shared<T>(loader_->make_(at_));
      ++loader_->reads;
    }
    Numbered *loader_;
    int at_ = 0;
    std::shared_ptr<T> held_;
  };
  iterator begin() {
    ++passes;
    return iterator(this);
  }
  std::default_sentinel_t end() { return {}; }

  std::atomic<int> reads{0}, passes{0};

private:
  int count_;
  std::function<T(int)> make_;
};

using Pair = std::pair<Tensor, int64_t>;

/// Batch i is a tensor of four elements i, and the number i.
Pair make_pair(int i) { return {full({4}, double(i)), i}; }
Numbered<Pair> pairs(int count) { return {count, make_pair}; }

template <class Batches> std::vector<int64_t> numbers_of(Batches &&batches) {
  std::vector<int64_t> numbers;
  for (auto &[data, number] : batches) {
    EXPECT_EQ(data.device().type, kXLA);
    EXPECT_EQ(data.cpu().template to_vector<float>(),
              std::vector<float>(data.numel(), float(number)));
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<int64_t> counted(int64_t end, int64_t step = 1, int64_t first = 0) {
  std::vector<int64_t> numbers;
  for (int64_t i = first; i < end; i += step)
    numbers.push_back(i);
  return numbers;
}

size_t thread_count() {
  std::filesystem::directory_iterator tasks("/proc/self/task"), end;
  return static_cast<size_t>(std::distance(tasks, end));
}

/// Waits until `done`, at most ten seconds.
template <class Done> bool eventually(Done done) {
  for (int i = 0; i < 2000 && !done(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return done();
}

//===- Order --------------------------------------------------------------===//

TEST(ParallelLoader, KeepsTheOrderForAnyNumberOfUploads) {
  for (int threads : {1, 2, 3, 7}) {
    Numbered<Uneven> loader(
        12, [](int i) { return Uneven{full({2}, double(i)), i}; });
    ParallelLoader parallel(loader, {xla0, xla1},
                            {.host_to_device_transfer_threads = threads});
    EXPECT_EQ(numbers_of(parallel.per_device_loader(xla0)), counted(12, 2));
    EXPECT_EQ(numbers_of(parallel.per_device_loader(xla1)), counted(12, 2, 1));
    EXPECT_EQ(loader.passes, 1);
  }
}

TEST(ParallelLoader, DropsARoundThatIsNotFull) {
  for (int count : {0, 2, 3, 5, 8}) {
    Numbered<Pair> loader = pairs(count);
    ParallelLoader parallel(loader, {xla2, xla0, xla1});
    int64_t rounds = count / 3;
    int64_t first = 0;
    for (Device device : {xla2, xla0, xla1})
      EXPECT_EQ(numbers_of(parallel.per_device_loader(device)),
                counted(3 * rounds, 3, first++))
          << count;
  }
}

TEST(ParallelLoader, ConsumersMayBeThreads) {
  Numbered<Pair> loader = pairs(60);
  ParallelLoader parallel(
      loader, {xla0, xla1, xla2},
      {.loader_prefetch_size = 1, .device_prefetch_size = 1});
  std::vector<std::vector<int64_t>> seen(3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      seen[i] = numbers_of(parallel.per_device_loader(Device(kXLA, i)));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(seen[i], counted(60, 3, i));
}

TEST(ParallelLoader, TakesAnyRangeAndPassesOnceOverIt) {
  const std::vector<Tensor> batches{zeros({2}), ones({2})};
  ParallelLoader parallel(batches, {xla0});
  auto per_device = parallel.per_device_loader(xla0);
  EXPECT_EQ(per_device.size(), 2u);
  EXPECT_EQ(per_device.next()->cpu().to_vector<float>(),
            (std::vector<float>{0, 0}));
  // Another handle continues at the position of the pass.
  auto other = parallel.per_device_loader(Device(kXLA));
  EXPECT_EQ(other.next()->device(), xla0);
  EXPECT_FALSE(per_device.next());
  EXPECT_FALSE(other.next());
  EXPECT_EQ(batches[0].device(), Device(kCPU));
}

TEST(ParallelLoader, UploadsKeepWhatTensorsAre) {
  Tensor shared = arange(3.0).requires_grad_();
  using Batch = std::tuple<Tensor, Tensor, Tensor, Tensor>;
  std::vector<Batch> batches{
      {shared, shared, Tensor(), arange(6.0, 0.0, -1.0).view({2, 3}).t()}};
  ParallelLoader parallel(batches, {xla0});
  auto [first, second, none, view] = *parallel.per_device_loader(xla0).next();
  EXPECT_TRUE(first.is_same(second));
  EXPECT_TRUE(first.requires_grad() && first.is_leaf());
  EXPECT_FALSE(none.defined());
  EXPECT_EQ(view.cpu().to_vector<float>(),
            (std::vector<float>{6, 3, 5, 2, 4, 1}));
}

//===- Limits -------------------------------------------------------------===//

TEST(ParallelLoader, HoldsNoMoreThanItsOptionsSay) {
  int64_t before = xm::get_memory_info(xla0).bytes_used;
  const int64_t bytes = 1 << 20;
  Numbered<Tensor> loader(40,
                          [](int i) { return full({(1 << 20) / 4}, i + 0.5); });
  ParallelLoader parallel(loader, {xla0},
                          {.loader_prefetch_size = 3,
                           .device_prefetch_size = 2,
                           .host_to_device_transfer_threads = 4});
  auto used = [&] { return xm::get_memory_info(xla0).bytes_used - before; };
  EXPECT_TRUE(eventually([&] { return loader.reads == 5; }));
  EXPECT_TRUE(eventually([&] { return used() >= 2 * bytes; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(loader.reads, 5);
  EXPECT_LT(used(), 3 * bytes);
  auto batches = parallel.per_device_loader(xla0);
  batches.next();
  batches.next();
  EXPECT_TRUE(eventually([&] { return loader.reads == 7; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(loader.reads, 7);
}

TEST(ParallelLoader, OneDeviceThatIsOverDoesNotHoldUpTheOther) {
  Numbered<Uneven> loader(
      60, [](int i) { return Uneven{full({1}, double(i)), i}; });
  ParallelLoader parallel(loader, {xla0, xla1});
  auto second = parallel.per_device_loader(xla1);
  // The upload of batch 13 fails.
  EXPECT_EQ(message_of<std::length_error>([&] {
              while (second.next()) {
              }
            }),
            "unlucky");
  EXPECT_FALSE(second.next());
  EXPECT_EQ(numbers_of(parallel.per_device_loader(xla0)), counted(60, 2));
}

//===- Failures and shutdown ----------------------------------------------===//

TEST(ParallelLoader, GivesWhatReadingThrowsToEveryConsumer) {
  for (int failing : {0, 3, 4}) {
    Numbered<Pair> loader(9, [&](int i) {
      if (i == failing)
        throw std::domain_error("no batch " + std::to_string(i));
      return make_pair(i);
    });
    ParallelLoader parallel(loader, {xla0, xla1});
    for (Device device : {xla0, xla1}) {
      auto batches = parallel.per_device_loader(device);
      int got = 0;
      EXPECT_EQ(message_of<std::domain_error>([&] {
                  while (batches.next())
                    ++got;
                }),
                "no batch " + std::to_string(failing));
      EXPECT_EQ(got, failing / 2);
      EXPECT_FALSE(batches.next());
    }
  }
}

TEST(ParallelLoader, LeavingEarlyJoinsTheThreads) {
  Numbered<Pair> loader = pairs(1000);
  { // starts all other threads of the process first
    ParallelLoader parallel(loader, {xla0});
    parallel.per_device_loader(xla0).next();
  }
  size_t before = thread_count();
  {
    ParallelLoader parallel(loader, {xla0, xla1},
                            {.host_to_device_transfer_threads = 2});
    EXPECT_EQ(thread_count(), before + 5);
    for (auto &batch : parallel.per_device_loader(xla0))
      if (batch.second == 4)
        break;
  }
  EXPECT_EQ(thread_count(), before);
  MpDeviceLoader again(loader, xla0);
  for (auto &batch : again)
    if (batch.second == 4)
      break;
  EXPECT_EQ(thread_count(), before);
}

TEST(ParallelLoader, CloseEndsStreams) {
  Numbered<Pair> loader = pairs(1000);
  ParallelLoader parallel(loader, {xla0, xla1});
  auto batches = parallel.per_device_loader(xla0);
  EXPECT_TRUE(batches.next());
  int reads = 0;
  parallel.close();
  reads = loader.reads;
  parallel.close();
  EXPECT_FALSE(batches.next());
  EXPECT_FALSE(parallel.per_device_loader(xla1).next());
  EXPECT_EQ(loader.reads, reads);
}

TEST(ParallelLoader, CloseWakesAConsumer) {
  std::atomic<bool> continues{false};
  Numbered<Pair> loader(3, [&](int i) {
    if (i == 1)
      eventually([&] { return continues.load(); });
    return make_pair(i);
  });
  ParallelLoader parallel(loader, {xla0});
  auto batches = parallel.per_device_loader(xla0);
  EXPECT_TRUE(batches.next());
  std::thread closing([&] { parallel.close(); });
  EXPECT_FALSE(batches.next()) << "closed before batch 1 was read";
  continues = true;
  closing.join();
}

TEST(ParallelLoader, ASecondPassEndsTheFirst) {
  Numbered<Pair> loader = pairs(50);
  MpDeviceLoader passes(loader, xla0);
  auto first = passes.begin();
  EXPECT_EQ((*first).second, 0);
  EXPECT_EQ(numbers_of(passes), counted(50));
  ++first;
  EXPECT_TRUE(first == passes.end());
  EXPECT_EQ(loader.passes, 2);
}

TEST(ParallelLoader, BeginsToReadBeforeItReturns) {
  // A loader takes its seed when its pass begins. Later random numbers must not
  // change places with it.
  for (int i = 0; i < 20; ++i) {
    Numbered<Pair> loader = pairs(2);
    ParallelLoader parallel(loader, {xla0});
    EXPECT_EQ(loader.passes, 1);
  }
}

TEST(ParallelLoader, ThreadsAreTheReplicaThatMadeThem) {
  std::thread replica([] {
    xm::set_replication(xla1, xlac::devices());
    Numbered<Pair> loader(2, [](int) -> Pair {
      return {zeros({2}), 100 * xr::global_ordinal() + xlac::device().index};
    });
    for (auto &batch : MpDeviceLoader(loader, xla1))
      EXPECT_EQ(batch.second, 101);
  });
  replica.join();
}

//===- Invalid arguments --------------------------------------------------===//

TEST(ParallelLoader, RefusesWhatMakesNoSense) {
  Numbered<Pair> loader = pairs(3);
  auto message = [&](std::vector<Device> devices, ParallelLoaderOptions o) {
    return message_of<ValueError>([&] { ParallelLoader(loader, devices, o); });
  };
  EXPECT_EQ(message({}, {}),
            "ParallelLoader(): wanted a device or more, got none");
  EXPECT_EQ(message({xla1, xla1}, {}),
            "ParallelLoader(): xla:1 is there twice");
  EXPECT_EQ(message({xla0}, {.batches_per_execution = 0}),
            "ParallelLoader(): batches_per_execution must be 1 or more, got 0");
  EXPECT_EQ(message({xla0}, {.loader_prefetch_size = -1}),
            "ParallelLoader(): loader_prefetch_size must be 1 or more, got -1");
  EXPECT_EQ(message({xla0}, {.device_prefetch_size = 0}),
            "ParallelLoader(): device_prefetch_size must be 1 or more, got 0");
  EXPECT_EQ(message({xla0}, {.host_to_device_transfer_threads = 0}),
            "ParallelLoader(): host_to_device_transfer_threads must be 1 or "
            "more, got 0");
  EXPECT_EQ(loader.reads, 0);

  ParallelLoader parallel(loader, {xla0, xla1});
  for (Device device : {xla2, Device(kXLA, 9), Device(kCPU)})
    EXPECT_EQ(
        message_of<DeviceError>([&] { parallel.per_device_loader(device); }),
        "per_device_loader(): " + device.str() +
            " is not among the loader's devices, [xla:0, xla:1]");
  EXPECT_NE(
      message_of<TypeError>([&] { parallel.per_device_loader(xla0).size(); }),
      "nothing thrown");
}

} // namespace
} // namespace xlac::distributed
