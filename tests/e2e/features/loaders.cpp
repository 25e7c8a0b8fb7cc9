// DL: ParallelLoader and MpDeviceLoader. DL-18, the wrapped loader, is in
// training.cpp.
#include "feature_rows.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

using namespace xlac;
using namespace xlac::features;

namespace {

/// A loader that calls read(i) for batch i and counts the calls.
template <class Batch> class Source {
public:
  Source(int count, std::function<Batch(int)> read)
      : count_(count), read_(std::move(read)) {}

  class iterator {
  public:
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;
    explicit iterator(Source *source) : source_(source) { read(); }
    Batch &operator*() const { return *batch_; }
    iterator &operator++() {
      ++place_;
      read();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const {
      return place_ >= source_->count_;
    }

  private:
    void read() {
      if (place_ >= source_->count_)
        return;
      batch_ = std::make_shared<Batch>(source_->read_(place_));
      ++source_->reads;
    }
    Source *source_;
    int place_ = 0;
    std::shared_ptr<Batch> batch_;
  };
  iterator begin() { return iterator(this); }
  std::default_sentinel_t end() const { return {}; }
  size_t size() const { return static_cast<size_t>(count_); }

  std::atomic<int> reads{0};

private:
  int count_;
  std::function<Batch(int)> read_;
};

/// Batch i is 3 × 2, with all elements i.
Source<data::Example<>> numbered(int count) {
  return {count, [](int i) {
            return data::Example<>{full({3, 2}, double(i)), full({3}, i)};
          }};
}

/// Batch i has the i-th of these sizes in dimension `dim` of 2.
Source<data::Example<>> sized(std::vector<int64_t> sizes, int dim = 0) {
  int count = static_cast<int>(sizes.size());
  return {count, [sizes, dim](int i) {
            Shape shape{4, 4};
            shape[dim] = sizes[i];
            return data::Example<>{zeros(shape), zeros({shape[0]}, kInt64)};
          }};
}

/// Returns the numbers of the batches, which must be on `device`.
template <class Batches>
std::vector<int> numbers_of(Batches &&batches, Device device) {
  std::vector<int> numbers;
  for (auto &[data, target] : batches) {
    EXPECT_EQ(data.device(), device);
    EXPECT_EQ(target.device(), device);
    int number = target.select(0, 0).template item<int>();
    EXPECT_EQ(data.cpu().template to_vector<float>(), Floats(6, float(number)));
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<int> counted(int end) {
  std::vector<int> numbers;
  for (int i = 0; i < end; ++i)
    numbers.push_back(i);
  return numbers;
}

template <class Batches> int count_of(Batches &&batches) {
  int count = 0;
  while (batches.next())
    ++count;
  return count;
}

/// Waits until `done`, at most ten seconds.
template <class Done> bool eventually(Done done) {
  for (int i = 0; i < 2000 && !done(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return done();
}

void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(60)); }

size_t thread_count() {
  std::filesystem::directory_iterator tasks("/proc/self/task"), end;
  return static_cast<size_t>(std::distance(tasks, end));
}

} // namespace

//===- ParallelLoader and its options -------------------------------------===//

FEATURE(DL_01) {
  Device device = xlac::device();
  auto source = numbered(10);
  pl::ParallelLoader loader(source, {device},
                            {.batchdim = 0,
                             .batches_per_execution = 1,
                             .loader_prefetch_size = 8,
                             .device_prefetch_size = 4,
                             .host_to_device_transfer_threads = 1});
  EXPECT_EQ(numbers_of(loader.per_device_loader(device), device), counted(10));
  EXPECT_EQ(source.reads, 10) << "one pass";
  loader.close();
}

FEATURE(DL_02) {
  Device device = xlac::device();
  auto source = numbered(10);
  pl::ParallelLoader loader(source, {device},
                            {.batchdim = 0,
                             .fixed_batch_size = false,
                             .loader_prefetch_size = 8,
                             .device_prefetch_size = 4});
  EXPECT_EQ(numbers_of(loader.per_device_loader(device), device), counted(10));
}

FEATURE(DL_03, "CPU_NUM_DEVICES=2") {
  auto source = numbered(7);
  Device first(kXLA, 0), second(kXLA, 1);
  pl::ParallelLoader loader(source, {first, second});
  EXPECT_EQ(numbers_of(loader.per_device_loader(first), first),
            (std::vector{0, 2, 4}));
  EXPECT_EQ(numbers_of(loader.per_device_loader(second), second),
            (std::vector{1, 3, 5}));
}

FEATURE(DL_04) {
  Device device = xlac::device();
  auto source = sized({4, 4, 3, 4}, 1);
  pl::ParallelLoader rows(source, {device}, {.fixed_batch_size = true});
  EXPECT_EQ(count_of(rows.per_device_loader(device)), 4);
  pl::ParallelLoader columns(source, {device},
                             {.batchdim = 1, .fixed_batch_size = true});
  EXPECT_EQ(count_of(columns.per_device_loader(device)), 2);
}

FEATURE(DL_05) {
  Device device = xlac::device();
  auto source = sized({8, 8, 5, 8});
  pl::ParallelLoader fixed(source, {device}, {.fixed_batch_size = true});
  EXPECT_EQ(count_of(fixed.per_device_loader(device)), 2);
  pl::ParallelLoader any(source, {device});
  EXPECT_EQ(count_of(any.per_device_loader(device)), 4);
}

FEATURE(DL_06) {
  Device device = xlac::device();
  auto syncs = [&](int count, int every) {
    auto source = numbered(count);
    int64_t before = counter("MarkStep");
    pl::ParallelLoader loader(source, {device},
                              {.batches_per_execution = every});
    EXPECT_EQ(count_of(loader.per_device_loader(device)), count);
    return counter("MarkStep") - before;
  };
  EXPECT_EQ(syncs(9, 3), 4);
  EXPECT_EQ(syncs(10, 3), 5);
  EXPECT_EQ(syncs(9, 1), 10);
  EXPECT_EQ(syncs(0, 3), 1);
}

FEATURE(DL_07) {
  Device device = xlac::device();
  for (int ahead : {8, 2}) {
    auto source = numbered(60);
    pl::ParallelLoader loader(
        source, {device},
        {.loader_prefetch_size = ahead, .device_prefetch_size = 3});
    auto batches = loader.per_device_loader(device);
    for (int taken = 0; taken < 20; ++taken) {
      // Waiting, uploaded, and returned batches.
      EXPECT_LE(source.reads, taken + ahead + 3);
      EXPECT_TRUE(batches.next());
    }
    EXPECT_TRUE(eventually([&] { return source.reads == 20 + ahead + 3; }));
    rest();
    EXPECT_EQ(source.reads, 20 + ahead + 3);
  }
}

FEATURE(DL_08) {
  Device device = xlac::device();
  constexpr int64_t bytes = 4 << 20;
  Source<Tensor> source(30, [](int i) { return full({bytes / 4}, i + 0.5); });
  auto held = [&, before = xm::get_memory_info(device).bytes_used] {
    return xm::get_memory_info(device).bytes_used - before;
  };
  pl::ParallelLoader loader(source, {device});
  // All batches that may be read ahead have been read, so everything that can
  // be uploaded is.
  EXPECT_TRUE(eventually([&] { return source.reads == 12; }));
  EXPECT_TRUE(eventually([&] { return held() >= 4 * bytes; }));
  rest();
  EXPECT_LE(held(), 5 * bytes);
}

FEATURE(DL_09) {
  Device device = xlac::device();
  // Batches have different sizes and transfer times.
  Source<data::Example<>> source(40, [](int i) {
    int64_t rows = i % 4 == 0 ? 1 << 18 : 1;
    return data::Example<>{full({rows}, double(i)), full({1}, i)};
  });
  pl::ParallelLoader loader(source, {device},
                            {.host_to_device_transfer_threads = 4});
  int place = 0;
  for (auto &[data, target] : loader.per_device_loader(device)) {
    EXPECT_EQ(target.item<int>(), place);
    EXPECT_EQ(data.select(0, 0).item<float>(), float(place));
    ++place;
  }
  EXPECT_EQ(place, 40);
}

FEATURE(DL_10, "CPU_NUM_DEVICES=4") {
  xr::use_spmd();
  Device device = xlac::device();
  xs::Mesh mesh({0, 1, 2, 3}, {4}, {"data"});
  xs::ShardingSpec rows{mesh, {"data", None}};
  Source<data::Example<>> source(3, [](int i) {
    return data::Example<>{full({8, 2}, double(i)), full({8}, i)};
  });
  pl::MpDeviceLoader loader(source, device, {.input_sharding = rows});
  int place = 0;
  for (auto &[data, target] : loader) {
    EXPECT_EQ(xs::get_sharding_spec(data), "{devices=[4,1]0,1,2,3}");
    EXPECT_EQ(xs::get_sharding_spec(target), "");
    EXPECT_TRUE(equal(data.cpu(), full({8, 2}, double(place))));
    EXPECT_TRUE(equal(target.cpu(), full({8}, place)));
    ++place;
  }
  EXPECT_EQ(place, 3);

  using Named = std::map<std::string, Tensor>;
  using Specs = std::map<std::string, xs::ShardingSpec>;
  Source<Named> named(2, [](int) {
    return Named{{"image", ones({4, 8})}, {"mask", ones({4, 8})}};
  });
  xs::ShardingSpec columns{mesh, {None, "data"}};
  auto run = [&](auto &batches, Specs specs) {
    pl::MpDeviceLoader by_name(batches, device,
                               {.input_sharding = std::move(specs)});
    for (auto &batch : by_name)
      if constexpr (requires { batch.at("image"); }) {
        EXPECT_EQ(xs::get_sharding_spec(batch.at("image")),
                  "{devices=[4,1]0,1,2,3}");
        EXPECT_EQ(xs::get_sharding_spec(batch.at("mask")),
                  "{devices=[1,4]0,1,2,3}");
      }
  };
  run(named, {{"image", rows}, {"mask", columns}});
  // Entries without tensors do not need a spec.
  Source<Value> dict(2, [](int) -> Value {
    return Value::Dict{{"image", Value::List{ones({4, 8}), ones({8, 2})}},
                       {"name", "cat"}};
  });
  pl::MpDeviceLoader values(dict, device,
                            {.input_sharding = Specs{{"image", rows}}});
  for (const Value &batch : values) {
    for (size_t i = 0; i < 2; ++i)
      EXPECT_EQ(xs::get_sharding_spec(batch.at("image").at(i).to<Tensor>()),
                "{devices=[4,1]0,1,2,3}");
    EXPECT_EQ(batch.at("name").to<std::string>(), "cat");
  }
  Source<Value> list(1, [](int) -> Value { return Value::List{ones({4})}; });
  pl::MpDeviceLoader no_dict(list, device,
                             {.input_sharding = Specs{{"x", rows}}});
  EXPECT_CONTAINS(message_of<ValueError>([&] { no_dict.begin(); }),
                  "the batch is not a map");
  EXPECT_CONTAINS(message_of<ValueError>([&] { run(source, {{"x", rows}}); }),
                  "the batch is not a map");
  EXPECT_CONTAINS(message_of<KeyError>([&] { run(named, {{"image", rows}}); }),
                  "'mask' is missing in input_sharding");
  EXPECT_CONTAINS(
      message_of<KeyError>([&] {
        run(named, {{"image", rows}, {"mask", columns}, {"label", columns}});
      }),
      "'label' of input_sharding is missing in the batch");
}

//===- Batches of a device's loader ---------------------------------------===//

FEATURE(DL_11, "CPU_NUM_DEVICES=3") {
  auto source = numbered(6);
  Device first(kXLA, 0), second(kXLA, 1), third(kXLA, 2);
  pl::ParallelLoader loader(source, {first, second});
  EXPECT_CONTAINS(
      message_of<DeviceError>([&] { loader.per_device_loader(third); }),
      "xla:2");
  EXPECT_EQ(loader.per_device_loader(second).size(), 3u);
  EXPECT_EQ(numbers_of(loader.per_device_loader(second), second),
            (std::vector{1, 3, 5}));
}

namespace {
struct Words {
  Tensor letters, lengths;
  std::vector<std::string> words;
};
} // namespace
XLAC_TREE(Words, letters, lengths, words);

namespace {
/// Returns the only batch of a pass over `batch`.
template <class Batch> Batch passed(Batch batch) {
  Device device = xlac::device();
  std::vector<Batch> source{std::move(batch)};
  pl::ParallelLoader loader(source, {device});
  Batch got = *loader.per_device_loader(device).next();
  for_each_tensor(
      got, [&](const Tensor &tensor) { EXPECT_EQ(tensor.device(), device); });
  return got;
}
Floats values(const Tensor &tensor) { return tensor.cpu().to_vector<float>(); }
} // namespace

FEATURE(DL_12) {
  Tensor one = full({2}, 1.5), two = full({1, 2}, -2.0);
  auto map = passed(std::map<std::string, Value>{
      {"image", one}, {"name", "cat"}, {"boxes", Value::List{one, two, 7}}});
  EXPECT_EQ(map.size(), 3u);
  EXPECT_EQ(values(map.at("image").to<Tensor>()), Floats(2, 1.5f));
  EXPECT_EQ(map.at("name").to<std::string>(), "cat");
  EXPECT_EQ(map.at("boxes").size(), 3u);
  EXPECT_EQ(values(map.at("boxes").at(1).to<Tensor>()), Floats(2, -2));
  EXPECT_EQ(map.at("boxes").at(2).to<int>(), 7);

  auto [data, target] = passed(data::Example<>{one, two});
  EXPECT_EQ(values(data), Floats(2, 1.5f));
  EXPECT_EQ(target.sizes(), (Shape{1, 2}));
  auto [a, list, number] =
      passed(std::tuple(one, std::vector<Tensor>{two, one}, 3.25));
  EXPECT_EQ(list.size(), 2u);
  EXPECT_EQ(values(list[1]), Floats(2, 1.5f));
  EXPECT_EQ(number, 3.25);
  Words words = passed(Words{one, two, {"a", "bc"}});
  EXPECT_EQ(values(words.lengths), Floats(2, -2));
  EXPECT_EQ(words.words, (std::vector<std::string>{"a", "bc"}));
}

FEATURE(DL_13) {
  Device device = xlac::device();
  std::mutex mutex;
  std::vector<std::thread::id> readers;
  Source<data::Example<>> source(9, [&](int i) -> data::Example<> {
    std::lock_guard lock(mutex);
    readers.push_back(std::this_thread::get_id());
    if (i == 3)
      throw std::domain_error("no batch 3");
    return {full({2}, double(i)), full({2}, i)};
  });
  size_t before = thread_count();
  int got = 0;
  EXPECT_EQ(message_of<std::domain_error>([&] {
              pl::ParallelLoader loader(source, {device});
              for (auto &batch : loader.per_device_loader(device)) {
                EXPECT_EQ(batch.data.device(), device);
                ++got;
              }
            }),
            "no batch 3");
  EXPECT_EQ(got, 3);
  EXPECT_EQ(thread_count(), before);
  for (std::thread::id reader : readers)
    EXPECT_NE(reader, std::this_thread::get_id());

  auto endless = numbered(1 << 30);
  {
    pl::ParallelLoader loader(endless, {device});
    for (auto &batch : loader.per_device_loader(device))
      if (batch.target.select(0, 0).item<int>() == 5)
        break;
  }
  EXPECT_EQ(thread_count(), before);
}

//===- Syncs --------------------------------------------------------------===//

FEATURE(DL_14) {
  Device device = xlac::device();
  Tensor p = ones({2}, device).requires_grad_();
  optim::SGD optimizer({p}, {.lr = 1});
  auto source = numbered(5);
  xlac::sync();
  int64_t before = counter("MarkStep");
  Tensor set_up = full({2}, 3.0, device) * 2;
  pl::ParallelLoader loader(source, {device});
  int step = 0;
  for (auto &[data, target] : loader.per_device_loader(device)) {
    EXPECT_EQ(counter("MarkStep"), before + 1 + step++);
    // The setup was a separate program, and so was each step.
    EXPECT_CONTAINS(debug::tensor_text({set_up}), "device_data");
    EXPECT_CONTAINS(debug::tensor_text({p}), "device_data");
    optimizer.zero_grad();
    (p * data.select(0, 0)).sum().backward();
    xm::optimizer_step(optimizer);
  }
  EXPECT_EQ(counter("MarkStep"), before + 6);
  int64_t runs = samples("ExecuteTime");
  // 1 - (0 + 1 + 2 + 3 + 4)
  EXPECT_EQ(p.detach().cpu().to_vector<float>(), Floats(2, -9));
  EXPECT_EQ(samples("ExecuteTime"), runs) << "updated before it was asked";
}

FEATURE(DL_15) {
  Device device = xlac::device();
  auto source = numbered(5);
  pl::MpDeviceLoader loader(source, device);
  EXPECT_EQ(loader.size(), 5u);
  for (int pass = 0; pass < 2; ++pass)
    EXPECT_EQ(numbers_of(loader, device), counted(5));
  for (auto &batch : loader) {
    EXPECT_EQ(batch.data.device(), device);
    break;
  }
  EXPECT_EQ(numbers_of(loader, device), counted(5))
      << "after a loop left early";
}

FEATURE(DL_16) {
  Device device = xlac::device();
  auto source = numbered(6);
  auto syncs = [&](pl::ParallelLoaderOptions options) {
    int64_t before = counter("MarkStep");
    pl::MpDeviceLoader loader(source, device, options);
    for (auto &batch : loader)
      EXPECT_TRUE(batch.data.defined());
    return counter("MarkStep") - before;
  };
  EXPECT_EQ(syncs({.batches_per_execution = 2}), 4);
  EXPECT_EQ(syncs({.batches_per_execution = 4}), 3);
  EXPECT_EQ(syncs({}), 7);
}

FEATURE(DL_17) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  constexpr int count = 6;
  Device device = xlac::device();
  std::array<std::atomic<Clock::rep>, count + 1> read_begins{};
  Source<data::Example<>> source(count, [&](int i) {
    read_begins[i] = Clock::now().time_since_epoch().count();
    std::this_thread::sleep_for(milliseconds(20));
    return data::Example<>{full({8}, double(i)), full({1}, i)};
  });
  pl::MpDeviceLoader loader(
      source, device, {.loader_prefetch_size = 1, .device_prefetch_size = 1});
  int step = 0;
  for (auto &[data, target] : loader) {
    std::this_thread::sleep_for(milliseconds(60));
    EXPECT_EQ(target.item<int>(), step);
    auto ends = Clock::now().time_since_epoch().count();
    if (step + 1 < count) {
      EXPECT_GT(read_begins[step + 1], 0) << "step " << step;
      EXPECT_LT(read_begins[step + 1], ends) << "step " << step;
    }
    ++step;
  }
  EXPECT_EQ(step, count);
}
