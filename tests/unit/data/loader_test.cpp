// Loaders: order, epochs, workers, and collation.
#include "xlac/data.h"
#include "xlac/lazy.h"
#include "xlac/ops.h"

#include "../thrown.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

namespace xlac::data {
namespace {

/// Sample i is ([i, i], i).
class Counting {
public:
  explicit Counting(size_t size) : size_(size) {}
  Example<> get(size_t i) const {
    reads_->fetch_add(1);
    auto value = static_cast<double>(i);
    return {tensor({value, value}), tensor(static_cast<int64_t>(i))};
  }
  size_t size() const { return size_; }
  int reads() const { return *reads_; }

private:
  size_t size_;
  std::shared_ptr<std::atomic<int>> reads_ =
      std::make_shared<std::atomic<int>>(0);
};

template <class Loader> std::vector<int64_t> order_of(const Loader &loader) {
  std::vector<int64_t> order;
  for (auto &[data, target] : loader) {
    EXPECT_TRUE(equal(data.select(1, 0), target.to(kFloat32)));
    for (int64_t i : target.template to_vector<int64_t>())
      order.push_back(i);
  }
  return order;
}

std::vector<int64_t> counted(int64_t end) {
  return arange(end).to_vector<int64_t>();
}

size_t thread_count() {
  std::filesystem::directory_iterator tasks("/proc/self/task"), end;
  return static_cast<size_t>(std::distance(tasks, end));
}

TEST(DataLoader, MakesBatchesInOrder) {
  DataLoader loader(Counting(60), {.batch_size = 16});
  static_assert(std::ranges::input_range<decltype(loader)>);
  static_assert(std::is_same_v<decltype(loader)::Batch, Example<>>);
  EXPECT_EQ(loader.size(), 4u);
  std::vector<int64_t> sizes;
  for (auto &[data, target] : loader) {
    EXPECT_EQ(data.sizes(), (Shape{target.size(0), 2}));
    EXPECT_EQ(target.dtype(), kInt64);
    sizes.push_back(data.size(0));
  }
  EXPECT_EQ(sizes, (std::vector<int64_t>{16, 16, 16, 12}));
  EXPECT_EQ(order_of(loader), counted(60));

  DataLoader whole(Counting(60), {.batch_size = 16, .drop_last = true});
  EXPECT_EQ(whole.size(), 3u);
  EXPECT_EQ(order_of(whole), counted(48));
  EXPECT_EQ(order_of(DataLoader(Counting(0))), counted(0));
}

TEST(DataLoader, KeepsTheOrderWithWorkers) {
  auto slow = map(Counting(37), [](Example<> example) {
    // The first samples of a batch take longest.
    int64_t i = example.target.item<int64_t>();
    std::this_thread::sleep_for(std::chrono::microseconds(900 * (3 - i % 4)));
    return example;
  });
  for (int workers : {1, 3, 8}) {
    DataLoader loader(slow, {.batch_size = 2, .num_workers = workers});
    EXPECT_EQ(order_of(loader), counted(37));
    EXPECT_EQ(order_of(loader), counted(37));
  }
}

TEST(DataLoader, ShufflesEachEpochAnew) {
  DataLoaderOptions options{.batch_size = 7, .shuffle = true, .seed = 5};
  DataLoader loader(Counting(50), options), same(Counting(50), options);
  std::vector<int64_t> first = order_of(loader), second = order_of(loader);
  EXPECT_NE(first, second);
  EXPECT_NE(first, counted(50));
  EXPECT_EQ(order_of(same), first);
  EXPECT_EQ(order_of(same), second);
  std::sort(second.begin(), second.end());
  EXPECT_EQ(second, counted(50));
  options.seed = 6;
  EXPECT_NE(order_of(DataLoader(Counting(50), options)), first);
  options.seed = {};
  DataLoader drawn(Counting(50), options);
  manual_seed(1);
  std::vector<int64_t> by_state = order_of(drawn);
  EXPECT_NE(order_of(drawn), by_state);
  manual_seed(1);
  EXPECT_EQ(order_of(drawn), by_state);
}

TEST(DataLoader, GoesBySamplers) {
  auto sampler = std::make_shared<DistributedSampler>(
      10, DistributedSamplerOptions{
              .num_replicas = 3, .rank = 1, .shuffle = false});
  DataLoader loader(Counting(10), {.batch_size = 3, .sampler = sampler});
  EXPECT_EQ(loader.size(), 2u);
  EXPECT_EQ(order_of(loader), (std::vector<int64_t>{1, 4, 7, 0}));
}

TEST(DataLoader, HandsOnWhatIsThrown) {
  auto broken = map(Counting(40), [](Example<> example) {
    if (example.target.item<int64_t>() == 21)
      throw ValueError("sample 21");
    return example;
  });
  size_t before = thread_count();
  for (int workers : {0, 2}) {
    DataLoader loader(broken, {.batch_size = 4, .num_workers = workers});
    int batches = 0;
    std::string message;
    try {
      for (auto &batch : loader) {
        EXPECT_EQ(batch.data.size(0), 4);
        ++batches;
      }
    } catch (const ValueError &error) {
      message = error.what();
    }
    EXPECT_EQ(batches, 5);
    EXPECT_EQ(message, "sample 21");
    EXPECT_EQ(thread_count(), before);
    // A failed epoch does not affect the next one.
    auto iterator = loader.begin();
    EXPECT_EQ((*iterator).target[0].item<int64_t>(), 0);
    EXPECT_THROW(std::ranges::advance(iterator, 9), ValueError);
    ++iterator;
    EXPECT_TRUE(iterator == loader.end());
  }
}

TEST(DataLoader, LeavesNoThreadBehind) {
  size_t before = thread_count();
  DataLoader loader(Counting(1000), {.batch_size = 4, .num_workers = 3});
  for (auto &batch : loader) {
    EXPECT_EQ(thread_count(), before + 3);
    if (batch.target[0].item<int64_t>() >= 8)
      break;
  }
  EXPECT_EQ(thread_count(), before);
  {
    auto iterator = loader.begin(), copy = iterator;
    EXPECT_EQ((*copy).target[0].item<int64_t>(), 0);
  }
  EXPECT_EQ(thread_count(), before);
}

TEST(DataLoader, ReadsAheadNoFurtherThanAsked) {
  Counting dataset(1000);
  DataLoader loader(dataset,
                    {.batch_size = 5, .num_workers = 2, .prefetch_factor = 3});
  auto iterator = loader.begin();
  for (int taken = 1; taken < 5; ++taken) {
    // Waits until the workers have read as far ahead as they may.
    for (int i = 0; i < 2000 && dataset.reads() < 5 * (taken + 6); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(dataset.reads(), 5 * (taken + 6));
    ++iterator;
  }
}

TEST(DataLoader, OutlivesNothingItNeeds) {
  std::optional<DataLoader<Counting>> loader(
      std::in_place, Counting(20),
      DataLoaderOptions{.batch_size = 5, .num_workers = 2});
  auto iterator = loader->begin();
  loader.reset();
  int batches = 0;
  for (; iterator != std::default_sentinel; ++iterator)
    ++batches;
  EXPECT_EQ(batches, 4);
}

TEST(DataLoader, DrawsTheSameForAnyNumberOfWorkers) {
  auto random_rows = [](int workers) {
    auto cropped = map(Counting(30), [](Example<> example) {
      Tensor image = arange(64).to(kFloat32).view({1, 8, 8});
      return Example<>{RandomCrop{{5}, 1}(RandomHorizontalFlip()(image)),
                       example.target};
    });
    DataLoader loader(
        cropped,
        {.batch_size = 8, .shuffle = true, .num_workers = workers, .seed = 3});
    std::vector<float> all;
    for (int epoch = 0; epoch < 2; ++epoch)
      for (auto &[data, target] : loader)
        for (float value : data.to_vector<float>())
          all.push_back(value);
    return all;
  };
  std::vector<float> alone = random_rows(0);
  EXPECT_EQ(random_rows(1), alone);
  EXPECT_EQ(random_rows(4), alone);
  size_t half = alone.size() / 2;
  EXPECT_FALSE(
      std::equal(alone.begin(), alone.begin() + half, alone.begin() + half));
}

TEST(DataLoader, RefusesWrongOptions) {
  auto sampler = std::make_shared<SequentialSampler>(3);
  auto make = [](DataLoaderOptions options) {
    DataLoader loader(Counting(3), options);
  };
  EXPECT_THROW(make({.batch_size = 0}), ValueError);
  EXPECT_THROW(make({.num_workers = -1}), ValueError);
  EXPECT_THROW(make({.prefetch_factor = 0}), ValueError);
  try {
    make({.shuffle = true, .sampler = sampler});
    FAIL() << "it was taken";
  } catch (const ValueError &error) {
    EXPECT_EQ(
        message_of(error),
        "DataLoader(): sampler option is mutually exclusive with shuffle");
  }
}

//===- Collation ----------------------------------------------------------===//

/// A dataset of the results of a function.
template <class Fn> struct Made {
  size_t count;
  Fn fn;
  auto get(size_t i) const { return fn(i); }
  size_t size() const { return count; }
};
template <class Fn> auto first_batch(Fn fn) {
  DataLoader loader(Made<Fn>{3, fn}, {.batch_size = 3, .num_workers = 1});
  return *loader.begin();
}

struct Packed {
  Tensor rows;
  std::string source;
  std::vector<Tensor> more;
};

} // namespace
} // namespace xlac::data

XLAC_TREE(xlac::data::Packed, rows, source, more);

namespace xlac::data {
namespace {

Tensor number(size_t i) { return tensor(static_cast<double>(i)); }
const std::vector<float> kThree = {0, 1, 2};

TEST(Batches, HaveTheStructureOfSamples) {
  auto pairs =
      first_batch([](size_t i) { return std::pair(number(i), number(i) * 2); });
  EXPECT_EQ(pairs.first.to_vector<float>(), kThree);
  EXPECT_EQ(pairs.second.to_vector<float>(), (std::vector<float>{0, 2, 4}));

  auto [tensors, words, counts, flags] = first_batch([](size_t i) {
    return std::tuple(std::vector{number(i), number(i + 1)},
                      "word " + std::to_string(i), static_cast<int>(i), i == 1);
  });
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors[1].to_vector<float>(), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(words[2], "word 2");
  EXPECT_EQ(counts.dtype(), kInt64);
  EXPECT_TRUE(equal(counts, arange(3)));
  EXPECT_TRUE(equal(flags, tensor({false, true, false})));

  auto named = first_batch([](size_t i) {
    return std::map<std::string, std::array<Tensor, 1>>{{"x", {number(i)}}};
  });
  EXPECT_EQ(named.at("x")[0].to_vector<float>(), kThree);

  Example<Tensor, Tensor> labelled = first_batch(
      [](size_t i) { return Example<Tensor, int64_t>{number(i), 7}; });
  EXPECT_TRUE(equal(labelled.target, full({3}, 7)));
}

TEST(Batches, OfStructsKeepOtherFields) {
  Packed batch = first_batch([](size_t i) {
    return Packed{ones({2, 2}) * number(i), "files", {number(i), Tensor()}};
  });
  EXPECT_EQ(batch.rows.sizes(), (Shape{3, 2, 2}));
  EXPECT_EQ(batch.rows[2][1][0].item<float>(), 2);
  EXPECT_EQ(batch.source, "files");
  EXPECT_EQ(batch.more[0].to_vector<float>(), kThree);
  EXPECT_FALSE(batch.more[1].defined());
}

TEST(Batches, OfValuesAreValues) {
  Value batch = first_batch([](size_t i) {
    return Value(
        Value::Dict{{"x", number(i)},
                    {"name", std::to_string(i)},
                    {"parts", Value::Tuple{{Value(0.5 * static_cast<double>(i)),
                                            Value(i == 0), Value()}}},
                    {"list", Value::List{Value(static_cast<int64_t>(i))}}});
  });
  EXPECT_EQ(batch.at("x").to<Tensor>().to_vector<float>(), kThree);
  EXPECT_EQ(batch.at("name").at(size_t{2}).to<std::string>(), "2");
  EXPECT_EQ(batch.at("parts").at(size_t{0}).to<Tensor>().to_vector<float>(),
            (std::vector<float>{0, 0.5, 1}));
  EXPECT_TRUE(batch.at("parts").at(size_t{2}).is<None_t>());
  EXPECT_EQ(batch.at("list").at(size_t{0}).to<Tensor>().dtype(), kInt64);
  EXPECT_THROW(first_batch([](size_t) { return Value(Bytes{1}); }), TypeError);
  EXPECT_THROW(
      first_batch([](size_t i) { return i == 0 ? Value(1) : Value("one"); }),
      TypeError);
}

TEST(Batches, NeedSamplesOfOneShape) {
  try {
    first_batch([](size_t i) { return ones({2, i == 1 ? 4 : 3}); });
    FAIL() << "they were stacked";
  } catch (const ShapeError &error) {
    EXPECT_EQ(message_of(error),
              "DataLoader(): stack expects each tensor to be equal size, "
              "but got [2, 3] at entry 0 and [2, 4] at entry 1");
  }
  EXPECT_THROW(first_batch([](size_t i) {
                 return std::vector<Tensor>(i + 1, ones({1}));
               }),
               ShapeError);
  EXPECT_THROW(first_batch([](size_t i) {
                 return std::map<int, Tensor>{{i == 1 ? 1 : 0, ones({1})}};
               }),
               KeyError);
}

TEST(Batches, TakeAnyLayoutAndDtype) {
  Tensor wide = arange(24).view({3, 2, 4});
  Tensor turned =
      first_batch([&](size_t i) { return wide[static_cast<int64_t>(i)].t(); });
  EXPECT_TRUE(equal(turned, wide.transpose(1, 2)));
  Tensor mixed = first_batch(
      [&](size_t i) { return i == 1 ? ones({}) : ones({}, kInt64); });
  EXPECT_EQ(mixed.dtype(), kFloat32);
  Tensor followed = ones({2}).requires_grad_();
  Tensor batch = first_batch([&](size_t) { return followed; });
  batch.sum().backward();
  EXPECT_TRUE(equal(followed.grad(), full({2}, 3.0)));
}

} // namespace
} // namespace xlac::data
