// Tensors sharded over eight devices: the effects of annotations, and that
// their programs give the results of one device.
#include "eight_devices.h"

#include "../thrown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace xlac {
namespace {

const bool kEightDevices = test::use_eight_devices();

std::vector<int64_t> ids() { return test::device_ids(8); }

xs::Mesh grid() { return xs::Mesh(ids(), {4, 2}, {"x", "y"}); }
xs::Mesh row() { return xs::Mesh(ids(), {8}, {"x"}); }

Tensor counted(const Shape &sizes) {
  int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t{1},
                                  std::multiplies<>());
  return arange(count).to(kFloat32).view(sizes);
}

Device xla() { return Device("xla:0"); }

int64_t counter(const char *name) {
  return met::counter_value(name).value_or(0);
}

constexpr const char *kRows = "{devices=[8,1]0,1,2,3,4,5,6,7}";
constexpr const char *kGridRows =
    "{devices=[4,1,2]0,1,2,3,4,5,6,7 last_tile_dim_replicate}";

TEST(Spmd, OneDeviceStandsForAll) {
  EXPECT_TRUE(xr::is_spmd());
  EXPECT_EQ(xlac::device().str(), "xla:0");
  EXPECT_EQ(devices().size(), 1u);
  EXPECT_EQ(xr::world_size(), 1);
  EXPECT_EQ(xr::global_device_count(), 1);
  EXPECT_EQ(xr::global_runtime_device_count(), 8);
  EXPECT_EQ(xr::addressable_runtime_device_count(), 8);
  EXPECT_EQ(xr::global_runtime_device_attributes().size(), 8u);
  EXPECT_THROW(ones({2}, Device("xla:1")), IndexError);
}

TEST(MarkSharding, DistributesDataAtOnce) {
  Tensor whole = counted({8, 10});
  Tensor t = whole.to(xla());
  int64_t marks = counter("XlaMarkSharding"),
          runs = counter("ExecuteReplicated");
  xs::XLAShardedTensor sharded = xs::mark_sharding(t, grid(), {0, None});
  EXPECT_EQ(counter("XlaMarkSharding"), marks + 1);
  EXPECT_TRUE(sharded.global_tensor().is_same(t));
  EXPECT_EQ(sharded.mesh_shape(), (Shape{4, 2}));
  EXPECT_EQ(sharded.sharding_spec(), kGridRows);
  EXPECT_EQ(sharded.sharding_type(), xs::ShardingType::Partial);
  std::vector<xs::XLAShard> shards = sharded.local_shards();
  ASSERT_EQ(shards.size(), 8u);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(shards[i].shard_device, "CPU:" + std::to_string(i));
    EXPECT_EQ(shards[i].replica_id, i % 2);
    EXPECT_EQ(shards[i].indices,
              (std::vector<Slice>{Slice(2 * (i / 2), 2 * (i / 2) + 2),
                                  Slice(0, 10)}));
    EXPECT_TRUE(equal(shards[i].data, whole.narrow(0, 2 * (i / 2), 2)));
  }
  EXPECT_EQ(counter("ExecuteReplicated"), runs);
  int64_t gathered = counter("ReplicateShardedData");
  EXPECT_TRUE(equal(t.cpu(), whole));
  EXPECT_EQ(counter("ReplicateShardedData"), gathered + 1);
}

TEST(MarkSharding, MovesShardsWithoutGathering) {
  Tensor whole = counted({16, 10});
  Tensor t = whole.to(xla());
  xs::mark_sharding(t, row(), {0, None});
  Tensor twice = t * 2.0;
  xm::mark_step();
  ASSERT_EQ(xs::get_sharding_spec(twice), kRows);
  int64_t gathered = counter("ReplicateShardedData");
  auto shards = xs::mark_sharding(twice, grid(), {1, 0}).local_shards();
  EXPECT_EQ(counter("ReplicateShardedData"), gathered);
  for (const xs::XLAShard &shard : shards) {
    EXPECT_EQ(shard.data.sizes(), (Shape{8, 3}));
    Tensor wanted = whole * 2.0;
    for (int64_t dim = 0; dim < 2; ++dim)
      wanted =
          wanted.narrow(dim, *shard.indices[dim].start,
                        *shard.indices[dim].stop - *shard.indices[dim].start);
    EXPECT_TRUE(equal(shard.unpadded_data(), wanted)) << shard.shard_device;
  }
  EXPECT_TRUE(equal(twice.cpu(), whole * 2.0));
}

/// Bytes that devices received from others when layouts changed.
double bytes_moved() {
  auto data = met::metric_data("ReshardedData");
  return data ? data->accumulator : 0;
}

TEST(MarkSharding, MovesOnlyWhatDevicesLack) {
  Tensor whole = counted({16, 10}), wanted = whole * 2.0;
  Tensor t = whole.to(xla());
  xs::mark_sharding(t, row(), {0, None});
  auto twice = [&] { // in rows, but without an annotation
    Tensor made = t * 2.0;
    xm::mark_step();
    EXPECT_EQ(xs::get_sharding_spec(made), kRows);
    return made;
  };
  int64_t gathered = counter("ReplicateShardedData");
  // The replicas share a copy, which is made where the first two rows are.
  Tensor replicated = twice();
  double before = bytes_moved();
  xs::mark_sharding(replicated, row(), {None, None});
  EXPECT_EQ(bytes_moved() - before, 14 * 10 * 4);
  EXPECT_EQ(xs::get_sharding_spec(replicated), "{replicated}");
  // Every device has all elements, so none moves. The last shards are padded.
  before = bytes_moved();
  auto columns =
      xs::mark_sharding(replicated, grid(), {None, 0}).local_shards();
  EXPECT_EQ(bytes_moved() - before, 0);
  for (int64_t i = 0; i < 8; ++i)
    EXPECT_TRUE(equal(columns[i].unpadded_data(),
                      wanted.narrow(1, 3 * (i / 2), i < 6 ? 3 : 1)));
  // Devices 2 i and 2 i + 1 share three columns, or one, which are made on the
  // first of them. It has two of the rows.
  Tensor tiled = twice();
  before = bytes_moved();
  xs::mark_sharding(tiled, grid(), {None, 0});
  EXPECT_EQ(bytes_moved() - before, 14 * 10 * 4);
  EXPECT_EQ(counter("ReplicateShardedData"), gathered);
  EXPECT_TRUE(equal(replicated.cpu(), wanted));
  EXPECT_TRUE(equal(tiled.cpu(), wanted));
}

TEST(MarkSharding, PadsTheLastShards) {
  Tensor whole = counted({9, 3});
  Tensor t = whole.to(xla());
  auto shards = xs::mark_sharding(t, row(), {0, None}).local_shards();
  for (int64_t i = 0; i < 8; ++i) {
    int64_t begin = std::min<int64_t>(2 * i, 9);
    int64_t size = std::min<int64_t>(2, 9 - begin);
    EXPECT_EQ(shards[i].data.sizes(), (Shape{2, 3}));
    EXPECT_EQ(shards[i].unpadded_data().sizes(), (Shape{size, 3}));
    EXPECT_TRUE(equal(shards[i].unpadded_data(), whole.narrow(0, begin, size)));
    EXPECT_TRUE(
        equal(shards[i].data.narrow(0, size, 2 - size), zeros({2 - size, 3})));
  }
  EXPECT_TRUE(equal(t.cpu(), whole));
}

TEST(MarkSharding, ReplicatedDevicesHaveTheWhole) {
  Tensor whole = counted({2, 3});
  Tensor t = whole.to(xla());
  auto sharded = xs::mark_sharding(t, grid(), {None, None});
  EXPECT_EQ(sharded.sharding_spec(), "{replicated}");
  EXPECT_EQ(sharded.sharding_type(), xs::ShardingType::Replicated);
  int64_t device = 0;
  for (const xs::XLAShard &shard : sharded.local_shards()) {
    EXPECT_TRUE(shard.indices.empty());
    EXPECT_EQ(shard.replica_id, device++);
    EXPECT_TRUE(equal(shard.data, whole));
    EXPECT_TRUE(equal(shard.unpadded_data(), whole));
  }
  Tensor scalar = tensor(2.0f).to(xla());
  EXPECT_EQ(xs::mark_sharding(scalar, grid(), {}).sharding_spec(),
            "{replicated}");
}

TEST(MarkSharding, StaysThroughWritesClonesAndSyncs) {
  Tensor t = counted({8, 2}).to(xla());
  xs::mark_sharding(t, row(), {0, None});
  t.add_(1);
  EXPECT_EQ(xs::get_sharding_spec(t), kRows);
  xlac::sync();
  EXPECT_EQ(xs::get_sharding_spec(t), kRows);
  t[0] = 5.0;
  t.copy_(t * 2.0);
  Tensor copy = t.clone();
  EXPECT_EQ(xs::get_sharding_spec(copy), kRows);
  EXPECT_EQ(xs::get_sharding_spec(t.detach()), kRows);
  xlac::sync(true);
  EXPECT_EQ(xs::get_sharding_spec(t), kRows);
  EXPECT_EQ(xs::get_sharding_spec(copy), kRows);
  // Computed data with another layout is moved, too.
  Tensor other = ones({8, 2}).to(xla());
  t.copy_(other);
  xlac::sync();
  EXPECT_EQ(xs::get_sharding_spec(t), kRows);
  EXPECT_EQ(xs::XLAShardedTensor(t, {8}).local_shards()[3].data.sizes(),
            (Shape{1, 2}));
  EXPECT_TRUE(equal(t.cpu(), ones({8, 2})));
}

TEST(MarkSharding, AnnotatesWhatIsPending) {
  Tensor a = counted({8, 4}).to(xla());
  Tensor sum = a + 1;
  auto sharded = xs::mark_sharding(sum, row(), {0, None});
  Tensor twice = sum * 2.0;
  EXPECT_EQ(sharded.sharding_spec(), kRows);
  EXPECT_NE(xm::get_stablehlo({twice}).find("@Sharding"), std::string::npos);
  EXPECT_TRUE(equal(twice.cpu(), (counted({8, 4}) + 1) * 2.0));
  EXPECT_EQ(sharded.local_shards()[7].data.sizes(), (Shape{1, 4}));
  EXPECT_TRUE(equal(sharded.local_shards()[7].data,
                    counted({8, 4}).narrow(0, 7, 1) + 1));
}

TEST(MarkSharding, AnnotatesViews) {
  Tensor base = counted({4, 8}).to(xla());
  Tensor view = base.t();
  xs::mark_sharding(view, row(), {0, None});
  EXPECT_EQ(xs::get_sharding_spec(view), kRows);
  EXPECT_EQ(xs::get_sharding_spec(base), "");
  EXPECT_TRUE(equal(base.cpu(), counted({4, 8})));
  EXPECT_TRUE(equal(view.cpu(), counted({4, 8}).t()));
  EXPECT_TRUE(equal(xs::clear_sharding(view), counted({4, 8}).t()));
  EXPECT_EQ(xs::get_sharding_spec(view), "");
}

TEST(MarkSharding, RefusesAnotherTilingUntilCleared) {
  Tensor whole = counted({8, 8});
  Tensor t = whole.to(xla());
  xs::mark_sharding(t, row(), {None, None});
  xs::mark_sharding(t, row(), {0, None});
  xs::mark_sharding(t, row(), {0, None});
  EXPECT_EQ(
      message_of<UserError>([&] { xs::mark_sharding(t, row(), {None, 0}); }),
      "mark_sharding(): Existing annotation must be cleared first: the "
      "tensor has {devices=[8,1]0,1,2,3,4,5,6,7}, got "
      "{devices=[1,8]0,1,2,3,4,5,6,7}");
  EXPECT_NE(
      message_of<UserError>([&] { xs::mark_sharding(t, row(), {None, None}); }),
      "nothing thrown");
  Tensor cleared = xs::clear_sharding(t);
  EXPECT_TRUE(cleared.is_cpu());
  EXPECT_TRUE(equal(cleared, whole));
  EXPECT_EQ(xs::get_sharding_spec(t), "");
  EXPECT_EQ(xs::XLAShardedTensor(t, {8}).sharding_type(),
            xs::ShardingType::Unknown);
  xs::mark_sharding(t, row(), {None, 0});
  EXPECT_EQ(xs::get_sharding_spec(t), "{devices=[1,8]0,1,2,3,4,5,6,7}");
  EXPECT_TRUE(equal(t.cpu(), whole));
}

TEST(MarkSharding, RefusesWhatItCannotSpread) {
  EXPECT_EQ(message_of<ValueError>([] {
              xs::mark_sharding(zeros({2, 2, 2}, xla()), grid(), {0, None});
            }),
            "mark_sharding(): Partition spec length (2) should be equal to the "
            "input rank (3)");
  EXPECT_EQ(message_of<DeviceError>(
                [] { xs::mark_sharding(zeros({2, 2}), grid(), {0, None}); }),
            "mark_sharding(): Input tensor is not an XLA tensor: "
            "torch.FloatTensor");
  EXPECT_THROW(xs::mark_sharding(Tensor(), grid(), {}), ValueError);
}

TEST(ShardedTensor, LoadsItsShards) {
  Tensor whole = counted({9, 2});
  Tensor t = whole.to(xla());
  auto sharded = xs::mark_sharding(t, row(), {0, None});
  auto shards = sharded.local_shards();
  for (xs::XLAShard &shard : shards)
    shard.data = -shard.data;
  sharded.load_local_shards_(shards);
  EXPECT_TRUE(equal(t.cpu(), -whole));
  EXPECT_EQ(sharded.sharding_spec(), kRows);
  EXPECT_TRUE(equal((t + 1.0).cpu(), 1.0 - whole));
  auto wrong = shards;
  wrong.pop_back();
  EXPECT_EQ(message_of<UserError>([&] { sharded.load_local_shards_(wrong); }),
            "load_local_shards_(): got 7 shards, wanted one for each of 8 "
            "devices");
  wrong = shards;
  wrong[4].data = wrong[4].unpadded_data();
  EXPECT_THROW(sharded.load_local_shards_(wrong), ShapeError);
  wrong[4].data = zeros({2, 2}, kFloat64);
  EXPECT_THROW(sharded.load_local_shards_(wrong), DtypeError);
  Tensor alike = zeros({2, 2}).to(xla());
  EXPECT_THROW(xs::XLAShardedTensor(alike, {8}).load_local_shards_(shards),
               UserError);
}

TEST(ShardedTensor, LoadsEachShardWhereItsDeviceHasIt) {
  Tensor whole = counted({9, 4});
  for (const xs::PartitionSpec &spec :
       std::vector<xs::PartitionSpec>{{"x", None}, {"y", "x"}, {None, "x"}}) {
    Tensor t = whole.to(xla());
    auto sharded = xs::mark_sharding(t, grid(), spec);
    auto shards = sharded.local_shards();
    std::reverse(shards.begin(), shards.end());
    sharded.load_local_shards_(shards);
    EXPECT_TRUE(equal(t.cpu(), whole));
    std::rotate(shards.begin(), shards.begin() + 3, shards.end());
    for (xs::XLAShard &shard : shards)
      shard.data = shard.data + 1;
    sharded.load_local_shards_(shards);
    EXPECT_TRUE(equal(t.cpu(), whole + 1));
    auto wrong = shards;
    wrong[2].shard_device = wrong[5].shard_device;
    EXPECT_EQ(message_of<UserError>([&] { sharded.load_local_shards_(wrong); }),
              "load_local_shards_(): got two shards of " +
                  wrong[5].shard_device + ", wanted one for each device");
    wrong[2].shard_device = "CPU:8";
    EXPECT_EQ(message_of<UserError>([&] { sharded.load_local_shards_(wrong); }),
              "load_local_shards_(): a shard is of device 'CPU:8', wanted one "
              "of CPU:0 to CPU:7");
    EXPECT_TRUE(equal(t.cpu(), whole + 1));
  }
}

TEST(Programs, AreKnownByTheShardingsOfTheirArguments) {
  Tensor a = counted({8, 8}).to(xla()), b = counted({8, 8}).to(xla());
  Tensor c = counted({8, 8}).to(xla());
  Tensor plain = a + 1.0;
  xs::mark_sharding(b, row(), {0, None});
  xs::mark_sharding(c, row(), {None, 0});
  Tensor rows = b + 1.0, columns = c + 1.0;
  std::set<std::string> hashes, texts;
  for (const Tensor &t : {plain, rows, columns}) {
    hashes.insert(debug::graph_hash({t}));
    texts.insert(xm::get_stablehlo({t}));
    EXPECT_EQ(stablehlo::from_tensors({t}).hash(), debug::graph_hash({t}));
  }
  EXPECT_EQ(hashes.size(), 3u);
  EXPECT_EQ(texts.size(), 3u);
  EXPECT_NE(xm::get_stablehlo({rows}).find(std::string("mhlo.sharding = \"") +
                                           kRows + '"'),
            std::string::npos);
  EXPECT_NE(xm::get_stablehlo({plain}).find("mhlo.sharding = \"{replicated}\""),
            std::string::npos);
  // The same graph over equally sharded arguments is the same program.
  Tensor d = counted({8, 8}).to(xla());
  xs::mark_sharding(d, row(), {0, None});
  EXPECT_EQ(debug::graph_hash({d + 1.0}), debug::graph_hash({rows}));
  EXPECT_TRUE(
      equal(stablehlo::build(stablehlo::from_tensors({rows})).run({b})[0].cpu(),
            counted({8, 8}) + 1.0));
}

TEST(ShardingSpec, UploadsWhatHasItsRank) {
  xs::ShardingSpec spec{grid(), {"x", None}};
  Tensor data = counted({8, 3}), target = counted({8});
  EXPECT_TRUE(spec.can_apply(data));
  EXPECT_FALSE(spec.can_apply(target));
  auto sent = xm::send_cpu_data_to_device({data, target}, xla(), spec);
  EXPECT_EQ(xs::get_sharding_spec(sent[0]), kGridRows);
  EXPECT_EQ(xs::get_sharding_spec(sent[1]), "");
  EXPECT_TRUE(equal(sent[0].cpu(), data));
  EXPECT_TRUE(equal(sent[1].cpu(), target));
  spec.minibatch = true;
  EXPECT_NE(
      message_of<UserError>(
          [&] { xm::send_cpu_data_to_device({counted({7, 3})}, xla(), spec); })
          .find("When minibatch is configured, the per-host batch size must be "
                "divisible by local runtime device count"),
      std::string::npos);
  EXPECT_TRUE(
      equal(xm::send_cpu_data_to_device({data}, xla(), spec)[0].cpu(), data));
  EXPECT_TRUE(equal(
      xm::send_cpu_data_to_device({target.narrow(0, 0, 7)}, xla(), spec)[0]
          .cpu(),
      target.narrow(0, 0, 7)));
}

TEST(MarkShardingWithGradients, MarksBothWays) {
  Tensor x = counted({8, 4}).to(xla()).requires_grad_();
  Tensor y = xs::mark_sharding_with_gradients(x, row(), {0, None});
  EXPECT_EQ(xs::get_sharding_spec(x), "");
  EXPECT_EQ(xs::get_sharding_spec(y), kRows);
  EXPECT_EQ(y.grad_fn(), "MarkShardingWithGradientsBackward0");
  (y * y).sum().backward();
  EXPECT_TRUE(equal(x.grad().cpu(), counted({8, 4}) * 2.0));
}

/// Runs a step of a small network. Returns the loss, the gradients and the new
/// parameters.
std::vector<Tensor> step_of(bool sharded, const xs::Mesh &mesh,
                            xs::PartitionSpec data, xs::PartitionSpec first,
                            xs::PartitionSpec second) {
  manual_seed(7);
  Device device = sharded ? xla() : Device(kCPU);
  Tensor x = randn({16, 12}).to(device), target = randn({16, 4}).to(device);
  Tensor w = (randn({20, 12}) * 0.3).to(device).requires_grad_();
  Tensor b = (randn({20}) * 0.3).to(device).requires_grad_();
  Tensor v = (randn({4, 20}) * 0.3).to(device).requires_grad_();
  if (sharded) {
    xs::mark_sharding(x, mesh, data);
    xs::mark_sharding(w, mesh, first);
    xs::mark_sharding(v, mesh, second);
  }
  optim::SGD optimizer({w, b, v}, {.lr = 0.1, .momentum = 0.9});
  std::vector<Tensor> losses;
  for (int i = 0; i < 3; ++i) {
    optimizer.zero_grad();
    Tensor hidden = F::relu(F::linear(x, w, b));
    Tensor loss = F::mse_loss(F::linear(hidden, v), target);
    loss.backward();
    optimizer.step();
    losses.push_back(loss.detach());
    xlac::sync();
  }
  std::vector<Tensor> seen{stack(losses), w.grad(),   b.grad(),  v.grad(),
                           w.detach(),    b.detach(), v.detach()};
  if (sharded)
    EXPECT_EQ(xs::get_sharding_spec(w),
              xs::XLAShardedTensor(
                  xs::mark_sharding(zeros({20, 12}, xla()), mesh, first))
                  .sharding_spec());
  for (Tensor &t : seen)
    t = t.cpu();
  return seen;
}

TEST(Programs, GiveWhatOneDeviceGives) {
  xs::PartitionSpec none{None, None};
  std::vector<Tensor> expected = step_of(false, grid(), none, none, none);
  struct Case {
    xs::PartitionSpec data, first, second;
  };
  for (const Case &c : std::vector<Case>{
           {none, none, none},
           {{"x", None}, none, none},
           {{{"x", "y"}, None}, none, none},
           {{"x", None}, {"y", None}, {None, "y"}},
           {none, {"x", "y"}, {None, "x"}},
           {{"x", None}, {{"x", "y"}, None}, {None, {"y", "x"}}}}) {
    std::vector<Tensor> got = step_of(true, grid(), c.data, c.first, c.second);
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(allclose(got[i], expected[i], 1e-5, 1e-5))
          << i << "\n"
          << got[i] << expected[i];
  }
}

TEST(Programs, DrawTheNumbersOfOneDevice) {
  auto draw = [](bool sharded) {
    manual_seed(11);
    Tensor t = randn({16, 4}, xla());
    if (sharded)
      xs::mark_sharding(t, grid(), {"x", "y"});
    Tensor dropped = F::dropout(t, 0.5);
    return stack({t, dropped}).cpu();
  };
  EXPECT_TRUE(equal(draw(true), draw(false)));
}

TEST(Programs, RunAtOnceInEagerMode) {
  experimental::EagerModeGuard guard(true);
  Tensor t = counted({8, 4}).to(xla());
  xs::mark_sharding(t, row(), {0, None});
  Tensor sum = (t + 1.0).sum(0);
  EXPECT_EQ(debug::pending_nodes(xla()), 0);
  EXPECT_TRUE(equal(sum.cpu(), (counted({8, 4}) + 1.0).sum(0)));
}

TEST(Programs, OfOneDeviceTakeShardedInputs) {
  Tensor t = counted({8, 4}).to(xla());
  xs::mark_sharding(t, row(), {0, None});
  auto program = stablehlo::trace(
      [](const std::vector<Tensor> &in) {
        return std::vector<Tensor>{in[0] * 2.0};
      },
      {t});
  Tensor doubled = stablehlo::build(program).run({t})[0];
  EXPECT_TRUE(equal(doubled.cpu(), counted({8, 4}) * 2.0));
  EXPECT_TRUE(equal((doubled + t).cpu(), counted({8, 4}) * 3.0));
}

TEST(Programs, ThatAreCutAlreadyRunOnAllDevices) {
  auto text = [](int devices, const char *tiles) {
    return "module attributes {mhlo.num_partitions = " +
           std::to_string(devices) +
           " : i32} {\n  func.func @main(%a: tensor<8x4xf32> {mhlo.sharding = "
           "\"" +
           tiles +
           "\"}) -> tensor<8x4xf32> {\n"
           "    %0 = stablehlo.add %a, %a : tensor<8x4xf32>\n"
           "    return %0 : tensor<8x4xf32>\n  }\n}\n";
  };
  auto program = stablehlo::Program::parse(text(8, kRows));
  Tensor t = counted({8, 4}).to(xla());
  Tensor doubled = stablehlo::build(program).run({t})[0];
  EXPECT_EQ(xs::get_sharding_spec(doubled), kRows);
  EXPECT_TRUE(equal(doubled.cpu(), counted({8, 4}) * 2.0));
  auto other = stablehlo::Program::parse(text(4, "{devices=[4,1]0,1,2,3}"));
  EXPECT_NE(message_of<UserError>([&] {
              stablehlo::build(other).run({t});
            }).find("partitioned for 4 devices, SPMD has 8"),
            std::string::npos);
}

TEST(Programs, GoOnAfterOneHasFailed) {
  Tensor t = counted({8, 4}).to(xla());
  xs::mark_sharding(t, row(), {0, None});
  // The matrix is not positive definite, so the decomposition fails on the
  // devices.
  Tensor broken = linalg::cholesky(matmul(t.t(), t) * -1.0);
  EXPECT_THROW(broken.cpu(), Error);
  EXPECT_THROW(xm::wait_device_ops(), Error);
  EXPECT_TRUE(equal((t.sum(0) + 1.0).cpu(), counted({8, 4}).sum(0) + 1.0));
}

TEST(Sharding, IsTold) {
  Tensor t = counted({8, 4}).to(xla());
  EXPECT_EQ(debug::tensor_debug_info(t).find("Sharding"), std::string::npos);
  xs::mark_sharding(t, row(), {0, None});
  EXPECT_NE(debug::tensor_debug_info(t).find(std::string("Sharding: ") + kRows),
            std::string::npos);
}

TEST(Programs, AreCountedAsReplicated) {
  Tensor t = counted({8, 2}).to(xla());
  xs::mark_sharding(t, row(), {0, None});
  xlac::sync(true);
  met::clear_all();
  t.add_(1);
  xlac::sync(true);
  EXPECT_EQ(met::metric_data("ExecuteReplicatedTime")->total_samples, 1);
  EXPECT_EQ(counter("ExecuteReplicated"), 1);
  EXPECT_GT(counter("VirtualDeviceUsage"), 0);
  EXPECT_FALSE(met::metric_data("ExecuteTime"));
  int64_t cached = counter("CachedCompile");
  t.add_(1);
  xlac::sync(true);
  EXPECT_EQ(counter("CachedCompile"), cached + 1);
}

} // namespace
} // namespace xlac
