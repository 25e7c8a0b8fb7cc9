// Collectives between replicas that are threads, each with its own device.
#include "xlac/xlac.h"

#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

using namespace xlac;

namespace {

constexpr int kWorld = 4;

class FourDevices : public testing::Environment {
  void SetUp() override {
    setenv("XLAC_COLLECTIVE_TIMEOUT", "20", 1);
    xr::set_num_devices(kWorld);
  }
};
testing::Environment *const four_devices =
    testing::AddGlobalTestEnvironment(new FourDevices);

/// Returns fn(ordinal, device) of each replica; test failures inside are
/// reported.
template <class Fn> auto on_replicas(Fn fn) {
  using R = std::invoke_result_t<Fn, int, Device>;
  std::vector<R> results(kWorld);
  std::vector<std::thread> threads;
  std::vector<Device> all = devices();
  for (int i = 0; i < kWorld; ++i)
    threads.emplace_back([&, i] {
      xm::set_replication(all[i], all);
      try {
        results[i] = fn(i, all[i]);
      } catch (const std::exception &error) {
        ADD_FAILURE() << "replica " << i << ": " << error.what();
      }
      xm::set_replication(all[i], {});
    });
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

using Doubles = std::vector<double>;
using Whole = std::vector<int64_t>;

Tensor of(Dtype dtype, std::vector<double> values, Device device) {
  return tensor(values).to(dtype).to(device);
}

Doubles numbers(const Tensor &tensor) {
  return tensor.cpu().to(kFloat64).to_vector<double>();
}

/// Expects the result of all_reduce of `given[ordinal]` on every replica.
void expect_reduced(xm::ReduceType type, Dtype dtype,
                    std::vector<Doubles> given, const Doubles &wanted,
                    double scale = 1) {
  SCOPED_TRACE(name(dtype));
  for (const Doubles &got : on_replicas([&](int i, Device device) {
         Tensor x = of(dtype, given[static_cast<size_t>(i)], device);
         Tensor reduced = xm::all_reduce(type, x, scale);
         EXPECT_EQ(reduced.dtype(), dtype);
         EXPECT_EQ(numbers(x), given[static_cast<size_t>(i)]);
         return numbers(reduced);
       }))
    EXPECT_EQ(got, wanted);
}

const std::vector<Dtype> kWholeTypes = {kInt8,  kInt16,  kInt32,  kInt64,
                                        kUInt8, kUInt16, kUInt32, kUInt64};
const std::vector<Dtype> kFloatTypes = {kFloat16, kBFloat16, kFloat32,
                                        kFloat64};

} // namespace

TEST(AllReduce, SumsAndMultipliesEveryDtype) {
  std::vector<Dtype> all = kWholeTypes;
  all.insert(all.end(), kFloatTypes.begin(), kFloatTypes.end());
  for (Dtype dtype : all) {
    expect_reduced(xm::REDUCE_SUM, dtype, {{1, 7}, {2, 0}, {3, 1}, {4, 5}},
                   {10, 13});
    expect_reduced(xm::REDUCE_MUL, dtype, {{1, 7}, {2, 0}, {3, 1}, {4, 5}},
                   {24, 0});
    expect_reduced(xm::REDUCE_MIN, dtype, {{3}, {1}, {2}, {4}}, {1});
    expect_reduced(xm::REDUCE_MAX, dtype, {{3}, {1}, {2}, {4}}, {4});
  }
}

TEST(AllReduce, ComplexNumbers) {
  for (const std::string &text : on_replicas([](int i, Device device) {
         Tensor x = tensor(std::vector<std::complex<float>>{{1.0f, float(i)}})
                        .to(device);
         return xm::all_reduce(xm::REDUCE_SUM, x, 0.5).cpu().str();
       }))
    EXPECT_EQ(text, "tensor([2.+3.j])");
}

TEST(AllReduce, Bits) {
  for (Dtype dtype : kWholeTypes) {
    expect_reduced(xm::REDUCE_AND, dtype, {{7}, {6}, {6}, {7}}, {6});
    expect_reduced(xm::REDUCE_OR, dtype, {{1}, {2}, {4}, {0}}, {7});
  }
  expect_reduced(xm::REDUCE_AND, kBool, {{1, 1}, {1, 0}, {1, 1}, {1, 1}},
                 {1, 0});
  expect_reduced(xm::REDUCE_OR, kBool, {{0, 0}, {1, 0}, {0, 0}, {0, 0}},
                 {1, 0});
}

TEST(AllReduce, ScalesAndRoundsTowardsZero) {
  expect_reduced(xm::REDUCE_SUM, kInt32, {{1, -1}, {2, -2}, {3, -3}, {5, -5}},
                 {5, -5}, 0.5);
  expect_reduced(xm::REDUCE_SUM, kUInt8, {{1}, {2}, {3}, {5}}, {2}, 0.25);
  expect_reduced(xm::REDUCE_SUM, kFloat32, {{1}, {2}, {3}, {5}}, {2.75}, 0.25);
  expect_reduced(xm::REDUCE_SUM, kBFloat16, {{4}, {4}, {4}, {4}}, {8}, 0.5);
}

/// Summed in f32 and rounded once: 256 + 1 is not representable in bf16.
TEST(AllReduce, NarrowFloatsAreRoundedOnce) {
  expect_reduced(xm::REDUCE_SUM, kBFloat16, {{256}, {1}, {1}, {0}}, {258});
}

TEST(AllReduce, NaNWins) {
  for (auto type : {xm::REDUCE_MIN, xm::REDUCE_MAX})
    for (const Doubles &got : on_replicas([&](int i, Device device) {
           return numbers(
               xm::all_reduce(type, of(kFloat32, {i == 2 ? NAN : i}, device)));
         }))
      EXPECT_TRUE(std::isnan(got[0]));
}

TEST(AllReduce, InPlaceThroughHandlesAndViews) {
  std::vector<Doubles> seen = on_replicas([](int i, Device device) {
    Tensor base = zeros({2, 3}, device);
    Tensor row = base[1], other = full({2}, 1.0 + i, device);
    Tensor whole = full({1}, i, TensorOptions(device).dtype(kInt64));
    Tensor handle = other;
    row += 1.0;
    std::vector<Tensor> given = {row, other, whole};
    std::vector<Tensor> result = xm::all_reduce(xm::REDUCE_SUM, given, 0.5);
    EXPECT_TRUE(result[0].is_same(row) && result[2].is_same(whole));
    EXPECT_EQ(numbers(handle), (Doubles{5, 5}));
    EXPECT_EQ(numbers(whole), (Doubles{3}));
    return numbers(base);
  });
  for (const Doubles &each : seen)
    EXPECT_EQ(each, (Doubles{0, 0, 0, 2, 2, 2}));
}

TEST(AllReduce, IsRecordedAndRunsNothing) {
  for (bool single : on_replicas([](int, Device device) {
         std::vector<Tensor> tensors = {ones({2}, device), ones({3}, device)};
         xm::all_reduce(xm::REDUCE_SUM, tensors);
         std::string text = xm::get_stablehlo({tensors[0], tensors[1]});
         size_t first = text.find("all_reduce");
         return first != std::string::npos &&
                text.find("\"stablehlo.all_reduce\"", first + 30) ==
                    std::string::npos;
       }))
    EXPECT_TRUE(single) << "one op for all tensors of a dtype";
}

TEST(AllReduce, Groups) {
  std::vector<Doubles> sums = on_replicas([](int i, Device device) {
    return numbers(xm::all_reduce(xm::REDUCE_SUM,
                                  of(kFloat32, {double(i)}, device), 1.0,
                                  {.groups = {{0, 1}, {2, 3}}}));
  });
  EXPECT_EQ(sums, (std::vector<Doubles>{{1}, {1}, {5}, {5}}));
  sums = on_replicas([](int i, Device device) {
    return numbers(xm::all_reduce(xm::REDUCE_SUM,
                                  of(kFloat32, {double(i)}, device), 1.0,
                                  {.groups = {{3, 0, 1}, {2}}}));
  });
  EXPECT_EQ(sums, (std::vector<Doubles>{{4}, {4}, {2}, {4}}));
}

TEST(AllReduce, Refuses) {
  on_replicas([](int i, Device device) {
    auto groups = [&](xm::Groups rows) {
      xm::all_reduce(xm::REDUCE_SUM, ones({1}, device), 1.0, {.groups = rows});
    };
    EXPECT_THROW(groups({{0, 1}, {2}}), ValueError);
    EXPECT_THROW(groups({{0, 1}, {1, 2, 3}}), ValueError);
    EXPECT_THROW(groups({{0, 1, 2, 3, 4}}), ValueError);
    EXPECT_THROW(groups({{0, 1, 2, -1}}), ValueError);
    for (auto type : {xm::REDUCE_AND, xm::REDUCE_OR})
      EXPECT_THROW(xm::all_reduce(type, ones({1}, device)), DtypeError);
    Tensor c = zeros({1}, TensorOptions(device).dtype(kComplex64));
    EXPECT_THROW(xm::all_reduce(xm::REDUCE_MAX, c), DtypeError);
    Tensor b = zeros({1}, TensorOptions(device).dtype(kBool));
    EXPECT_THROW(xm::all_reduce(xm::REDUCE_OR, b, 0.5), DtypeError);
    EXPECT_THROW(xm::all_reduce(xm::REDUCE_SUM, ones({1})), DeviceError);
    Device other(kXLA, (i + 1) % kWorld);
    EXPECT_THROW(xm::all_reduce(xm::REDUCE_SUM, ones({1}, other)), DeviceError);
    EXPECT_THROW(xm::reduce_type("mean"), ValueError);
    EXPECT_EQ(xm::reduce_type("max"), xm::REDUCE_MAX);
    return 0;
  });
}

TEST(AllReduce, EagerMode) {
  for (const Doubles &got : on_replicas([](int i, Device device) {
         xlac::experimental::EagerModeGuard eager(true);
         Tensor x = of(kFloat32, {double(i)}, device);
         std::vector<Tensor> both = {x, x + 1.0};
         xm::all_reduce(xm::REDUCE_SUM, both);
         return numbers(cat(both));
       }))
    EXPECT_EQ(got, (Doubles{6, 10}));
}

TEST(AllGather, InOrdinalOrder) {
  for (const Doubles &got : on_replicas([](int i, Device device) {
         return numbers(xm::all_gather(of(kInt32, {double(i)}, device)));
       }))
    EXPECT_EQ(got, (Doubles{0, 1, 2, 3}));
  std::vector<Doubles> pairs = on_replicas([](int i, Device device) {
    return numbers(xm::all_gather(of(kBool, {double(i > 1)}, device), -1,
                                  {.groups = {{0, 2}, {1, 3}}}));
  });
  EXPECT_EQ(pairs, (std::vector<Doubles>{{0, 1}, {0, 1}, {0, 1}, {0, 1}}));
  on_replicas([](int i, Device device) {
    Tensor x = full({2, 1, 3}, i, device), y = full({4}, -i, device);
    std::vector<Tensor> both = xm::all_gather({x, y}, -1);
    EXPECT_EQ(both[0].sizes(), (Shape{2, 1, 12}));
    EXPECT_EQ(both[1].sizes(), (Shape{16}));
    EXPECT_EQ(numbers(both[1].slice(0, 0, 16, 4)), (Doubles{0, -1, -2, -3}));
    EXPECT_THROW(xm::all_gather(ones({}, device)), ShapeError);
    EXPECT_THROW(xm::all_gather(ones({2}, device), 1), IndexError);
    EXPECT_THROW(
        xm::all_gather(ones({2}, device), 0, {.groups = {{0, 1, 2}, {3}}}),
        ValueError);
    return 0;
  });
}

TEST(AllGather, FillsOutput) {
  on_replicas([](int i, Device device) {
    Tensor output = zeros({kWorld}, device), handle = output;
    Tensor given = xm::all_gather(of(kFloat32, {double(i)}, device), 0, output);
    EXPECT_TRUE(given.is_same(output));
    EXPECT_EQ(numbers(handle), (Doubles{0, 1, 2, 3}));
    Tensor narrow = zeros({kWorld - 1}, device);
    EXPECT_THROW(xm::all_gather(ones({1}, device), 0, narrow), ShapeError);
    return 0;
  });
}

TEST(AllToAll, ExchangesBlocks) {
  for (const Doubles &got : on_replicas([](int i, Device device) {
         return numbers(xm::all_to_all(full({16}, i, device), 0, 0, kWorld));
       }))
    EXPECT_EQ(got, (Doubles{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}));
  std::vector<Doubles> pairs = on_replicas([](int i, Device device) {
    Tensor x = arange(4, dtype(kFloat32)).view({2, 2}).to(device) + 10.0 * i;
    Tensor y = xm::all_to_all(x, 1, 0, 2, {.groups = {{0, 1}, {2, 3}}});
    EXPECT_EQ(y.sizes(), (Shape{4, 1}));
    EXPECT_THROW(xm::all_to_all(x, 0, 0, 2), ValueError);
    EXPECT_THROW(xm::all_to_all(x, 0, 0, 4), ShapeError);
    return numbers(y);
  });
  EXPECT_EQ(pairs[0], (Doubles{0, 2, 10, 12}));
  EXPECT_EQ(pairs[1], (Doubles{1, 3, 11, 13}));
  EXPECT_EQ(pairs[3], (Doubles{21, 23, 31, 33}));
}

TEST(ReduceScatter, KeepsOwnPart) {
  std::vector<Doubles> parts = on_replicas([](int i, Device device) {
    Tensor x = arange(8, dtype(kFloat32)).to(device) + double(i);
    EXPECT_THROW(
        xm::reduce_scatter(xm::REDUCE_SUM, x.narrow(0, 0, 6), 1.0, 0, 4),
        ShapeError);
    EXPECT_THROW(xm::reduce_scatter(xm::REDUCE_SUM, x, 1.0, 0, 2), ValueError);
    return numbers(xm::reduce_scatter(xm::REDUCE_SUM, x, 0.5, 0, kWorld));
  });
  EXPECT_EQ(parts, (std::vector<Doubles>{{3, 5}, {7, 9}, {11, 13}, {15, 17}}));
}

TEST(CollectivePermute, OthersGetZeros) {
  std::vector<Doubles> moved = on_replicas([](int i, Device device) {
    Tensor x = of(kFloat32, {1.0 + i}, device);
    EXPECT_THROW(xm::collective_permute(x, {{0, 1}, {0, 2}}), ValueError);
    EXPECT_THROW(xm::collective_permute(x, {{0, 4}}), ValueError);
    return numbers(xm::collective_permute(x, {{0, 1}, {1, 2}, {3, 0}}));
  });
  EXPECT_EQ(moved, (std::vector<Doubles>{{4}, {1}, {2}, {0}}));
}

TEST(CollectiveBroadcast, FromAnyRoot) {
  std::vector<Doubles> sent = on_replicas([](int i, Device device) {
    std::vector<Tensor> tensors = {of(kFloat32, {double(i)}, device),
                                   of(kBool, {double(i == 2)}, device)};
    xm::collective_broadcast(tensors, 2);
    EXPECT_EQ(numbers(tensors[1]), (Doubles{1}));
    EXPECT_THROW(xm::collective_broadcast(tensors, 4), ValueError);
    Tensor grouped = of(kFloat32, {10.0 + i}, device);
    xm::collective_broadcast({grouped}, 3, {.groups = {{0, 1}, {2, 3}}});
    return numbers(cat({tensors[0], grouped}));
  });
  EXPECT_EQ(sent, (std::vector<Doubles>{{2, 10}, {2, 11}, {2, 13}, {2, 13}}));
}

namespace {

struct Trained {
  Doubles weight, loss;
};

/// The weights depend only on `seed`, not on other threads.
nn::Sequential network(int64_t seed) {
  static std::mutex one_by_one;
  std::lock_guard lock(one_by_one);
  manual_seed(seed);
  return nn::Sequential(nn::Linear(3, 5), nn::Tanh(), nn::Linear(5, 1));
}

/// Three steps on the rows [begin, end) of one batch.
Trained train(Device device, int64_t begin, int64_t end, bool broadcast) {
  nn::Sequential net = network(broadcast ? 100 + begin : 100);
  net.to(device);
  if (broadcast)
    xm::broadcast_master_param(net);
  optim::SGD optimizer(net->parameters(), {.lr = 0.1, .momentum = 0.9});
  Tensor x = arange(24, dtype(kFloat32)).view({8, 3}) / 10.0;
  Tensor own = x.narrow(0, begin, end - begin).to(device);
  Trained trained;
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    Tensor loss = (net->forward<Tensor>(own) - 1.0).pow(2).mean();
    loss.backward();
    xm::optimizer_step(optimizer);
    xm::mark_step();
    trained.loss.push_back(loss.item<double>());
  }
  for (const Tensor &parameter : net->parameters())
    for (double value : numbers(parameter.flatten()))
      trained.weight.push_back(value);
  return trained;
}

} // namespace

TEST(OptimizerStep, ReplicasTrainAsOneWithTheWholeBatch) {
  Trained alone = train(Device(kXLA, 0), 0, 8, false);
  // Replica 0 starts with the weights of seed 100, and so do all.
  std::vector<Trained> replicas = on_replicas([](int i, Device device) {
    return train(device, 2 * i, 2 * i + 2, true);
  });
  for (const Trained &each : replicas) {
    EXPECT_EQ(each.weight, replicas[0].weight);
    ASSERT_EQ(each.weight.size(), alone.weight.size());
    for (size_t j = 0; j < each.weight.size(); ++j)
      EXPECT_NEAR(each.weight[j], alone.weight[j], 1e-5);
  }
  for (size_t step = 0; step < alone.loss.size(); ++step) {
    double mean = 0;
    for (const Trained &each : replicas)
      mean += each.loss[step] / kWorld;
    EXPECT_NEAR(mean, alone.loss[step], 1e-5);
  }
}

TEST(Meetings, RendezvousAndMeshReduce) {
  on_replicas([](int i, Device device) {
    std::string own = "ORD=" + std::to_string(i);
    std::vector<Bytes> all = xm::rendezvous("tag", own);
    EXPECT_EQ(all.size(), 4u);
    EXPECT_EQ(std::string(all[2].begin(), all[2].end()), "ORD=2");
    bool low = i < 2;
    std::vector<Bytes> pair = xm::rendezvous(low ? "low" : "high", own,
                                             low ? std::vector<int64_t>{0, 1}
                                                 : std::vector<int64_t>{2, 3});
    EXPECT_EQ(pair.size(), 2u);
    EXPECT_EQ(pair[1][4], low ? '1' : '3');
    EXPECT_THROW(xm::rendezvous("x", own, {(i + 1) % 4}), ValueError);
    auto sum = [](const std::vector<double> &values) {
      return values[0] + values[1] + values[2] + values[3];
    };
    EXPECT_EQ(xm::mesh_reduce("n", 1.25, sum), 5.0);
    Tensor t = full({2}, i, device);
    Tensor stacked = xm::mesh_reduce(
        "t", t, [](const std::vector<Tensor> &each) { return stack(each); });
    EXPECT_TRUE(stacked.is_cpu());
    EXPECT_EQ(numbers(stacked), (Doubles{0, 0, 1, 1, 2, 2, 3, 3}));
    return 0;
  });
}

TEST(Counts, OfThreads) {
  EXPECT_EQ(xr::world_size(), 1);
  EXPECT_EQ(xm::xrt_world_size(7), 7);
  EXPECT_EQ(xm::get_ordinal(9), 9);
  std::atomic<int> local{0}, global{0};
  std::vector<int> ordinals = on_replicas([&](int, Device) {
    EXPECT_EQ(xr::world_size(), kWorld);
    EXPECT_EQ(xm::xrt_world_size(7), kWorld);
    EXPECT_EQ(xm::get_local_ordinal(9), xr::global_ordinal());
    EXPECT_EQ(xr::process_count(), 1);
    EXPECT_EQ(xr::global_device_count(), kWorld);
    local += xm::is_master_ordinal();
    global += xm::is_master_ordinal(false);
    return xr::global_ordinal();
  });
  EXPECT_EQ(ordinals, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(local, 1);
  EXPECT_EQ(global, 1);
}

TEST(Alone, CollectivesMoveNothing) {
  Device device(kXLA, 0);
  Tensor x = arange(4, dtype(kFloat32)).to(device);
  Tensor reduced = xm::all_reduce(xm::REDUCE_SUM, x);
  EXPECT_FALSE(reduced.is_alias_of(x));
  EXPECT_EQ(numbers(reduced), numbers(x));
  std::vector<Tensor> list =
      xm::all_reduce(xm::REDUCE_SUM, std::vector<Tensor>{x});
  EXPECT_TRUE(list[0].is_same(x));
  EXPECT_EQ(numbers(xm::all_gather(x)), numbers(x));
  EXPECT_EQ(numbers(xm::all_to_all(x, 0, 0, 1)), numbers(x));
  EXPECT_EQ(numbers(xm::reduce_scatter(xm::REDUCE_SUM, x, 1.0, 0, 1)),
            numbers(x));
  EXPECT_EQ(numbers(xm::collective_permute(x, {{0, 0}})), numbers(x));
  xm::collective_broadcast({x});
  EXPECT_EQ(numbers(x), (Doubles{0, 1, 2, 3}));
  std::vector<Bytes> own = xm::rendezvous("t", "p");
  EXPECT_EQ(own, (std::vector<Bytes>{{'p'}}));
  EXPECT_EQ(xm::mesh_reduce("t", 3, [](std::vector<int> v) { return v[0]; }),
            3);
}

/// Replicas that record the same collectives execute them in the same order, no
/// matter which results each of them keeps and where.
TEST(Order, IsThatOfTheCalls) {
  std::vector<Doubles> seen = on_replicas([](int i, Device device) {
    Tensor early = zeros({1}, device);
    xm::mark_step();
    Tensor first = of(kFloat32, {double(i)}, device);
    Tensor second = of(kFloat32, {10.0 * i}, device);
    Tensor sum = xm::all_reduce(xm::REDUCE_SUM, first);
    {
      // Only replica 0 keeps this result, and stores it before the other one.
      Tensor kept = xm::all_reduce(xm::REDUCE_SUM, second);
      if (i == 0)
        early.copy_(kept);
    }
    if (i == 1)
      sum = Tensor();
    xm::mark_step();
    EXPECT_EQ(debug::pending_nodes(device), 0);
    return i == 1 ? Doubles{6, 0} : numbers(cat({sum, early}));
  });
  EXPECT_EQ(seen, (std::vector<Doubles>{{6, 60}, {6, 0}, {6, 0}, {6, 0}}));
}

/// A collective that ran for a read is not run again, and collectives recorded
/// before the end of a job do not run after it.
TEST(Order, RunsEachOnce) {
  for (int64_t runs : on_replicas([](int i, Device device) {
         Tensor x = of(kFloat32, {double(i)}, device);
         EXPECT_EQ(numbers(xm::all_reduce(xm::REDUCE_SUM, x)), (Doubles{6}));
         int64_t pending = debug::pending_nodes(device);
         xm::all_reduce(xm::REDUCE_SUM, x);
         EXPECT_GT(debug::pending_nodes(device), pending);
         return pending;
       }))
    EXPECT_EQ(runs, 0);
  for (Device device : devices()) {
    EXPECT_EQ(debug::pending_nodes(device), 0);
    xlac::device(device.index);
    EXPECT_NO_THROW(xm::mark_step(true));
  }
  xlac::device(0);
}

/// Replicas with different programs get an error, and the next job works.
TEST(Failures, DifferentPrograms) {
  std::atomic<int> failed{0};
  on_replicas([&](int i, Device device) {
    Tensor x = ones({i == 3 ? 2 : 1}, device);
    try {
      xm::all_reduce(xm::REDUCE_SUM, x).cpu();
    } catch (const CollectiveError &error) {
      EXPECT_NE(std::string(error.what()).find("all_reduce"), std::string::npos)
          << error.what();
      ++failed;
    }
    // Waiting does not rethrow failures of the failed run.
    try {
      xm::wait_device_ops({device});
    } catch (const CollectiveError &) {
    }
    return 0;
  });
  EXPECT_EQ(failed, kWorld);
  expect_reduced(xm::REDUCE_SUM, kFloat32, {{1}, {2}, {3}, {4}}, {10});
}
