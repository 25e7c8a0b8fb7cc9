// Rows SPMD-01 to SPMD-28: meshes, annotations, and programs over all devices.
// Each row runs in a separate process with the number of devices that it names.
#include "feature_rows.h"

#include <cstdlib>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

namespace xlac::features {
namespace {

std::vector<int64_t> ids(int64_t count) {
  std::vector<int64_t> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

xs::Mesh mesh_of(Shape sizes, std::vector<std::string> names = {}) {
  int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t{1},
                                  std::multiplies<>());
  return xs::Mesh(ids(count), std::move(sizes), std::move(names));
}

Device xla() { return xm::xla_device(); }

std::string spec_of(const xs::Mesh &mesh, const xs::PartitionSpec &spec) {
  Shape sizes(spec.size(), 8);
  return xs::mark_sharding(zeros(sizes, xla()), mesh, spec).sharding_spec();
}

//===- use_spmd -----------------------------------------------------------===//

FEATURE(SPMD_01, "CPU_NUM_DEVICES=4") {
  Tensor before = arange(12).to(kFloat32).view({4, 3}).to(xla());
  Tensor pending = before * 2.0;
  xr::use_spmd();
  EXPECT_TRUE(xr::is_spmd());
  EXPECT_TRUE(equal((before + pending).cpu(),
                    arange(12).to(kFloat32).view({4, 3}) * 3.0));
  for (const xs::XLAShard &shard :
       xs::XLAShardedTensor(before, {4}).local_shards())
    EXPECT_TRUE(equal(shard.data, before.cpu()));
}

FEATURE(SPMD_01_replica, "CPU_NUM_DEVICES=2") {
  xm::set_replication(Device("xla:0"), {Device("xla:0"), Device("xla:1")});
  EXPECT_THROW(xr::use_spmd(), Error);
  EXPECT_FALSE(xr::is_spmd());
}

FEATURE(SPMD_02, "CPU_NUM_DEVICES=4") {
  xr::use_spmd(true);
  manual_seed(1);
  Tensor a = randn({256, 128}), b = randn({128, 256});
  Tensor product = matmul(a.to(xla()), b.to(xla()));
  xm::mark_step();
  EXPECT_NE(xs::get_sharding_spec(product), "");
  EXPECT_NE(xs::get_sharding_spec(product), "{replicated}");
  EXPECT_TRUE(allclose(product.cpu(), matmul(a, b), 1e-4, 1e-4));
}

FEATURE(SPMD_03, "") {
  EXPECT_FALSE(xr::is_spmd());
  xr::use_spmd();
  EXPECT_TRUE(xr::is_spmd());
}

FEATURE(SPMD_03_environment, "XLA_USE_SPMD=1", "CPU_NUM_DEVICES=4") {
  EXPECT_TRUE(xr::is_spmd());
  EXPECT_EQ(devices().size(), 1u);
  Tensor t = ones({4, 2}, xla());
  xs::mark_sharding(t, mesh_of({4}), {0, None});
  EXPECT_EQ(xs::XLAShardedTensor(t, {4}).local_shards()[3].data.sizes(),
            (Shape{1, 2}));
}

FEATURE(SPMD_04, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  EXPECT_EQ(xlac::device().str(), "xla:0");
  EXPECT_EQ(devices().size(), 1u);
  EXPECT_EQ(xr::world_size(), 1);
  EXPECT_EQ(xr::global_device_count(), 1);
  EXPECT_EQ(xr::global_runtime_device_count(), 8);
}

//===- Annotations --------------------------------------------------------===//

FEATURE(SPMD_05, "CPU_NUM_DEVICES=4") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({4}, {"x"});
  const std::string rows = "{devices=[4,1]0,1,2,3}";
  nn::Linear linear = nn::Linear(6, 8).to(xla());
  Tensor weight = linear->weight;
  EXPECT_EQ(xs::mark_sharding(weight, mesh, {None, None}).sharding_spec(),
            "{replicated}");
  EXPECT_EQ(xs::mark_sharding(weight, mesh, {0, None}).sharding_spec(), rows);
  EXPECT_EQ(xs::mark_sharding(weight, mesh, {0, None}).sharding_spec(), rows);
  EXPECT_CONTAINS(
      message_of<Error>([&] { xs::mark_sharding(weight, mesh, {None, 0}); }),
      "Existing annotation must be cleared first");
  {
    NoGradGuard guard;
    weight.mul_(2.0);
  }
  EXPECT_EQ(xs::get_sharding_spec(weight), rows);
  EXPECT_EQ(xs::get_sharding_spec(weight.clone()), rows);
  xm::mark_step();
  EXPECT_EQ(xs::get_sharding_spec(weight), rows);
  optim::SGD optimizer(linear->parameters(), {.lr = 0.1, .momentum = 0.9});
  linear(ones({2, 6}, xla())).sum().backward();
  optimizer.step();
  xm::mark_step();
  EXPECT_EQ(xs::get_sharding_spec(weight), rows);
  EXPECT_EQ(xs::XLAShardedTensor(weight, {4}).local_shards()[1].data.sizes(),
            (Shape{2, 6}));
}

FEATURE(SPMD_06, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({2, 4});
  EXPECT_EQ(spec_of(mesh, {0, 1}), "{devices=[2,4]0,1,2,3,4,5,6,7}");
  EXPECT_THROW(spec_of(mesh, {0, 2}), ValueError);
  EXPECT_THROW(spec_of(mesh, {1, 1}), ValueError);
}

FEATURE(SPMD_07, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({4, 2}, {"x", "y"});
  EXPECT_EQ(spec_of(mesh, {"x", None}), spec_of(mesh, {0, None}));
  EXPECT_CONTAINS(message_of<ValueError>([&] { spec_of(mesh, {"z", None}); }),
                  "Axis name z is not defined in the given mesh");
}

FEATURE(SPMD_08, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({4, 2});
  Tensor t = zeros({8, 8}, xla()), all = zeros({8, 8}, xla());
  EXPECT_EQ(xs::mark_sharding(t, mesh, {None, 1}).sharding_type(),
            xs::ShardingType::Partial);
  EXPECT_EQ(xs::mark_sharding(all, mesh, {None, None}).sharding_spec(),
            "{replicated}");
}

FEATURE(SPMD_09, "CPU_NUM_DEVICES=4") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({2, 2});
  EXPECT_EQ(spec_of(mesh, {{0, 1}}), "{devices=[4]0,1,2,3}");
  EXPECT_EQ(spec_of(mesh, {{1, 0}}), "{devices=[4]0,2,1,3}");
}

FEATURE(SPMD_10, "CPU_NUM_DEVICES=4") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({2, 2});
  EXPECT_CONTAINS(message_of<ValueError>([&] {
                    xs::mark_sharding(zeros({2, 2, 2}, xla()), mesh, {0, 1});
                  }),
                  "Partition spec length (2) should be equal to the input "
                  "rank (3)");
  EXPECT_EQ(spec_of(mesh, {}), "{replicated}");
}

FEATURE(SPMD_11, "CPU_NUM_DEVICES=4") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({4});
  Tensor t = zeros({4, 4}, xla());
  EXPECT_EQ(xs::mark_sharding(t, mesh, {0, None}, true).sharding_spec(),
            "{devices=[4,1]0,1,2,3}");
  Tensor x = arange(16).to(kFloat32).view({4, 4});
  auto compiled = xlac::compile(
      [&](const Tensor &input) {
        Tensor hidden = input * 2.0;
        xs::mark_sharding(hidden, mesh, {None, 0}, true);
        return hidden + 1.0;
      },
      {.full_graph = true});
  Tensor out = compiled(x.to(xla()));
  EXPECT_TRUE(equal(out.cpu(), x * 2.0 + 1.0));
}

FEATURE(SPMD_12, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  Tensor t = randn({8, 10}, xla());
  auto shards = xs::mark_sharding(t, mesh_of({4, 2}), {0, None}).local_shards();
  ASSERT_EQ(shards.size(), 8u);
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(shards[i].data.sizes(), (Shape{2, 10}));
    EXPECT_EQ(shards[i].replica_id, static_cast<int64_t>(i % 2));
  }
}

FEATURE(SPMD_13, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({4, 2}, {"data", "model"});
  nn::Linear linear(32, 10);
  Tensor whole = randn({8, 32});
  Tensor expected = linear(whole).detach();
  linear = linear.to(xla());
  Tensor input = whole.to(xla());
  for (const xs::XLAShard &shard :
       xs::mark_sharding(input, mesh, {0, None}).local_shards())
    EXPECT_EQ(shard.data.sizes(), (Shape{2, 32}));
  EXPECT_TRUE(allclose(linear(input).cpu(), expected, 1e-5, 1e-6));
}

FEATURE(SPMD_14, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({4, 2}, {"data", "model"});
  nn::Linear linear(32, 10);
  Tensor whole = randn({8, 32});
  Tensor expected = linear(whole).detach();
  linear = linear.to(xla());
  for (const xs::XLAShard &shard :
       xs::mark_sharding(linear->weight, mesh, {None, 1}).local_shards())
    EXPECT_EQ(shard.data.sizes(), (Shape{10, 16}));
  EXPECT_TRUE(allclose(linear(whole.to(xla())).cpu(), expected, 1e-5, 1e-6));
}

/// Returns output and gradients of a network with two layers.
std::vector<Tensor>
network(const std::vector<Tensor> &whole, Device device,
        const std::function<void(std::vector<Tensor> &)> &annotate) {
  std::vector<Tensor> placed;
  for (const Tensor &t : whole)
    placed.push_back(t.to(device).detach());
  for (size_t i = 1; i < placed.size(); ++i)
    placed[i].requires_grad_();
  annotate(placed);
  Tensor out =
      F::linear(F::gelu(F::linear(placed[0], placed[1], placed[2])), placed[3]);
  (out * out).mean().backward();
  std::vector<Tensor> results{out.detach()};
  for (size_t i = 1; i < placed.size(); ++i)
    results.push_back(placed[i].grad());
  if (device.type == kXLA)
    xm::mark_step();
  for (Tensor &t : results)
    t = t.cpu();
  return results;
}

FEATURE(SPMD_15, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({4, 2}, {"data", "model"});
  manual_seed(3);
  std::vector<Tensor> whole{randn({16, 24}), randn({32, 24}) * 0.2,
                            randn({32}) * 0.2, randn({8, 32}) * 0.2};
  std::vector<Tensor> expected = network(whole, kCPU, [](auto &) {});
  xs::PartitionSpec none{None, None};
  struct Specs {
    xs::PartitionSpec data, first, second;
  };
  for (const Specs &specs : std::vector<Specs>{
           {{"data", None}, none, none},
           {{None, "data"}, none, none},
           {none, {"model", None}, {None, "model"}},
           {{"data", None}, {"model", None}, {None, "model"}},
           {{"data", "model"}, {"model", "data"}, {"data", "model"}},
           {{{"data", "model"}, None}, {{"data", "model"}, None}, none}}) {
    auto results = network(whole, xla(), [&](std::vector<Tensor> &tensors) {
      xs::mark_sharding(tensors[0], mesh, specs.data);
      xs::mark_sharding(tensors[1], mesh, specs.first);
      xs::mark_sharding(tensors[3], mesh, specs.second);
    });
    for (size_t i = 0; i < results.size(); ++i)
      EXPECT_TRUE(allclose(results[i], expected[i], 1e-5, 1e-5)) << i;
  }
}

/// A transformer layer whose GEMMs can be sharded over a mesh axis.
struct LayerImpl : nn::Module {
  nn::LayerNorm attention_norm{nullptr}, feed_norm{nullptr};
  nn::Linear query{nullptr}, key{nullptr}, value{nullptr}, out{nullptr};
  nn::Linear up{nullptr}, down{nullptr};
  int64_t heads;

  LayerImpl(int64_t width, int64_t heads) : heads(heads) {
    attention_norm = register_module("attention_norm", nn::LayerNorm(width));
    feed_norm = register_module("feed_norm", nn::LayerNorm(width));
    for (auto [name, linear] :
         {std::pair("query", &query), std::pair("key", &key),
          std::pair("value", &value), std::pair("out", &out)})
      *linear = register_module(name, nn::Linear(width, width, false));
    up = register_module("up", nn::Linear(width, 4 * width, false));
    down = register_module("down", nn::Linear(4 * width, width, false));
  }

  Tensor split(const Tensor &x) {
    return x.view({x.size(0), x.size(1), heads, x.size(2) / heads})
        .transpose(1, 2);
  }

  Tensor forward(Tensor x) {
    Tensor seen = attention_norm(x);
    Tensor mixed =
        F::scaled_dot_product_attention(split(query(seen)), split(key(seen)),
                                        split(value(seen)), {}, 0.0, true);
    x = x + out(mixed.transpose(1, 2).reshape(x.sizes()));
    return x + down(F::gelu(up(feed_norm(x))));
  }

  /// Weights that produce heads and hidden units are sharded by rows; weights
  /// that consume them are sharded by columns.
  void annotate(const xs::Mesh &mesh) {
    for (nn::Linear linear : {query, key, value, up})
      xs::mark_sharding(linear->weight, mesh, {"model", None});
    for (nn::Linear linear : {out, down})
      xs::mark_sharding(linear->weight, mesh, {None, "model"});
  }
};
XLAC_MODULE(Layer);

struct TransformerImpl : nn::Module {
  nn::Embedding tokens{nullptr}, places{nullptr};
  Layer first{nullptr}, second{nullptr};
  nn::LayerNorm norm{nullptr};
  nn::Linear head{nullptr};

  TransformerImpl() {
    tokens = register_module("tokens", nn::Embedding(48, 32));
    places = register_module("places", nn::Embedding(12, 32));
    first = register_module("first", Layer(32, 4));
    second = register_module("second", Layer(32, 4));
    norm = register_module("norm", nn::LayerNorm(32));
    head = register_module("head", nn::Linear(32, 48, false));
  }

  Tensor forward(const Tensor &x) {
    Tensor position = arange(x.size(1)).to(x.device());
    return head(norm(second(first(tokens(x) + places(position)))));
  }
};
XLAC_MODULE(Transformer);

/// Returns the losses of a few steps on `device`, followed by the parameters.
std::vector<Tensor> train(Transformer model, Device device,
                          const xs::Mesh *mesh) {
  model = model.to(device);
  if (mesh) {
    model->first->annotate(*mesh);
    model->second->annotate(*mesh);
    xs::mark_sharding(model->head->weight, *mesh, {"model", None});
  }
  optim::AdamW optimizer(model->parameters(), {.lr = 1e-3});
  std::vector<Tensor> results;
  for (int64_t step = 0; step < 4; ++step) {
    Tensor x = (arange(8 * 12).view({8, 12}) * (step + 5) % 48).to(device);
    Tensor next = (arange(8 * 12).view({8, 12}) * (step + 7) % 48).to(device);
    if (mesh) {
      xs::mark_sharding(x, *mesh, {"data", None});
      xs::mark_sharding(next, *mesh, {"data", None});
    }
    optimizer.zero_grad();
    Tensor loss = F::cross_entropy(model(x).view({-1, 48}), next.view({-1}));
    loss.backward();
    optimizer.step();
    xm::mark_step();
    results.push_back(loss.detach());
  }
  for (const Tensor &parameter : model->parameters())
    results.push_back(parameter.detach());
  for (Tensor &t : results)
    t = t.cpu();
  return results;
}

FEATURE(SPMD_15_transformer, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  xs::Mesh mesh = mesh_of({2, 4}, {"data", "model"});
  manual_seed(5);
  Transformer model, copy;
  copy->load_state_dict(model->state_dict());
  std::vector<Tensor> expected = train(model, kCPU, nullptr);
  std::vector<Tensor> results = train(copy, xla(), &mesh);
  ASSERT_EQ(results.size(), expected.size());
  for (size_t i = 0; i < results.size(); ++i)
    EXPECT_TRUE(allclose(results[i], expected[i], 1e-4, 1e-4)) << i;
  Tensor weight = copy->first->up->weight;
  EXPECT_EQ(xs::get_sharding_spec(weight),
            "{devices=[4,1,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}");
}

FEATURE(SPMD_16, "CPU_NUM_DEVICES=4") {
  xr::use_spmd();
  Tensor whole = arange(5).to(kFloat32);
  Tensor t = whole.to(xla());
  xs::XLAShardedTensor sharded = xs::mark_sharding(t, mesh_of({4}), {0});
  const Tensor &converted = sharded;
  EXPECT_TRUE(converted.is_same(t));
  EXPECT_TRUE(sharded.global_tensor().is_same(t));
  EXPECT_EQ(sharded.mesh_shape(), (Shape{4}));
  EXPECT_EQ(sharded.sharding_type(), xs::ShardingType::Tiled);
  auto shards = sharded.local_shards();
  EXPECT_TRUE(equal(shards[1].data, tensor({2.0f, 3.0f})));
  EXPECT_TRUE(equal(shards[2].data, tensor({4.0f, 0.0f})));
  EXPECT_TRUE(equal(shards[2].unpadded_data(), tensor({4.0f})));
  EXPECT_EQ(shards[3].unpadded_data().numel(), 0);
  for (xs::XLAShard &shard : shards)
    shard.data = -shard.data;
  sharded.load_local_shards_(shards);
  EXPECT_TRUE(equal(t.cpu(), -whole));
  shards.pop_back();
  EXPECT_THROW(sharded.load_local_shards_(shards), Error);
}

FEATURE(SPMD_17, "CPU_NUM_DEVICES=4") {
  xr::use_spmd();
  Tensor whole = randn({4, 3});
  Tensor t = whole.to(xla());
  xs::mark_sharding(t, mesh_of({4}), {0, None});
  Tensor copy = xs::clear_sharding(t);
  EXPECT_TRUE(copy.is_cpu());
  EXPECT_TRUE(equal(copy, whole));
  EXPECT_EQ(xs::get_sharding_spec(t), "");
  EXPECT_TRUE(equal(t.cpu(), whole));
}

//===- Meshes -------------------------------------------------------------===//

FEATURE(SPMD_18, "CPU_NUM_DEVICES=4") {
  xs::set_global_mesh(mesh_of({2, 2}, {"a", "b"}));
  EXPECT_EQ(xs::get_global_mesh()->axis_names(),
            (std::vector<std::string>{"a", "b"}));
}

FEATURE(SPMD_19, "CPU_NUM_DEVICES=4") {
  EXPECT_FALSE(xs::get_global_mesh().has_value());
  xs::set_global_mesh(mesh_of({4}));
  EXPECT_EQ(xs::get_global_mesh()->mesh_shape(), (Shape{4}));
}

FEATURE(SPMD_20, "CPU_NUM_DEVICES=8") {
  auto message = [](std::vector<int64_t> list, Shape shape,
                    std::vector<std::string> names = {}) {
    return message_of<ValueError>([&] { xs::Mesh(list, shape, names); });
  };
  EXPECT_CONTAINS(message(ids(4), {4, 2}),
                  "Number of device IDs (4) must match mesh size (8)");
  EXPECT_CONTAINS(message(ids(4), {4}),
                  "must match the global number of devices");
  EXPECT_CONTAINS(message({0, 1, 2, 3, 4, 5, 6, 6}, {8}),
                  "Device IDs must be unique");
  EXPECT_CONTAINS(message({0, 1, 2, 3, 4, 5, 6, 9}, {8}), "out of range");
  EXPECT_CONTAINS(message(ids(8), {4, 2}, {"x", "x"}),
                  "Axis names must be unique");
  EXPECT_CONTAINS(message(ids(8), {4, 2}, {"x", "y", "z"}),
                  "Number of axis names (3) must match mesh dimensions (2)");
}

FEATURE(SPMD_21, "CPU_NUM_DEVICES=8") {
  Tensor logical = mesh_of({4, 2}).get_logical_mesh();
  EXPECT_TRUE(logical.is_cpu());
  EXPECT_EQ(logical.dtype(), kInt64);
  EXPECT_TRUE(equal(logical, tensor({{0, 1}, {2, 3}, {4, 5}, {6, 7}})));
}

FEATURE(SPMD_22, "CPU_NUM_DEVICES=8") {
  EXPECT_EQ(mesh_of({4, 2}, {"x", "y"}).shape(),
            (std::vector<std::pair<std::string, int64_t>>{{"x", 4}, {"y", 2}}));
}

FEATURE(SPMD_23, "CPU_NUM_DEVICES=4") {
  xr::use_spmd();
  xs::Mesh reversed({3, 2, 1, 0}, {1, 4});
  Tensor t = arange(4).to(kFloat32).view({1, 4}).to(xla());
  auto sharded = xs::mark_sharding(t, reversed, {0, 1});
  EXPECT_EQ(sharded.sharding_spec(), "{devices=[1,4]3,2,1,0}");
  EXPECT_TRUE(equal(sharded.local_shards()[3].data, tensor({{0.0f}})));
  EXPECT_TRUE(equal(sharded.local_shards()[0].data, tensor({{3.0f}})));
}

FEATURE(SPMD_24, "CPU_NUM_DEVICES=4") {
  EXPECT_TRUE(mesh_of({2, 2}).axis_names().empty());
  EXPECT_EQ(mesh_of({2, 2}).shape()[1].first, "1");
  EXPECT_THROW(mesh_of({2, 2}, {"x", "y", "z"}), ValueError);
}

FEATURE(SPMD_25, "CPU_NUM_DEVICES=8", "XLAC_NUM_SLICES=2") {
  xs::HybridMesh mesh({.ici_mesh_shape = {2, 2}, .dcn_mesh_shape = {2, 1}});
  EXPECT_TRUE(
      equal(mesh.get_logical_mesh(), tensor({{0, 1}, {2, 3}, {4, 5}, {6, 7}})));
  EXPECT_CONTAINS(message_of<ValueError>(
                      [] { xs::HybridMesh({.ici_mesh_shape = {2, 4}}); }),
                  "Provide dcn_mesh_shape");
}

FEATURE(SPMD_25_one_slice, "CPU_NUM_DEVICES=8") {
  EXPECT_CONTAINS(message_of<ValueError>([] {
                    xs::HybridMesh(
                        {.ici_mesh_shape = {2, 2}, .dcn_mesh_shape = {2, 1}});
                  }),
                  "Invalid dcn_mesh_shape for single slice mesh");
}

FEATURE(SPMD_26, "CPU_NUM_DEVICES=8", "XLAC_NUM_SLICES=2") {
  xs::HybridMesh mesh({.ici_mesh_shape = {1, 4, 1},
                       .dcn_mesh_shape = {2, 1, 1},
                       .axis_names = {"data", "fsdp", "tensor"}});
  EXPECT_EQ(mesh.shape(), (std::vector<std::pair<std::string, int64_t>>{
                              {"data", 2}, {"fsdp", 4}, {"tensor", 1}}));
}

//===- Uploads ------------------------------------------------------------===//

FEATURE(SPMD_27, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  xs::ShardingSpec spec{mesh_of({4, 2}, {"data", "model"}),
                        {"data", None, None, None}};
  Tensor data = randn({8, 1, 4, 4}), target = zeros({8}, kInt64);
  EXPECT_TRUE(spec.can_apply(data));
  EXPECT_FALSE(spec.can_apply(target));
  auto sent = xm::send_cpu_data_to_device({data, target}, xla(), spec);
  EXPECT_EQ(xs::get_sharding_spec(sent[0]),
            "{devices=[4,1,1,1,2]0,1,2,3,4,5,6,7 last_tile_dim_replicate}");
  EXPECT_EQ(xs::get_sharding_spec(sent[1]), "");
  EXPECT_TRUE(equal(sent[0].cpu(), data));
  EXPECT_TRUE(equal(sent[1].cpu(), target));
  Tensor marked = data.to(xla());
  spec.apply(marked);
  EXPECT_EQ(xs::get_sharding_spec(marked), xs::get_sharding_spec(sent[0]));
}

FEATURE(SPMD_28, "CPU_NUM_DEVICES=8") {
  xr::use_spmd();
  xs::ShardingSpec spec{mesh_of({8}), {0, None}, true};
  EXPECT_CONTAINS(
      message_of<Error>(
          [&] { xm::send_cpu_data_to_device({randn({7, 3})}, xla(), spec); }),
      "When minibatch is configured, the per-host batch size must be divisible "
      "by local runtime device count");
  Tensor data = randn({8, 3});
  Tensor sent = xm::send_cpu_data_to_device({data}, xla(), spec)[0];
  EXPECT_EQ(sent.sizes(), (Shape{8, 3}));
  EXPECT_TRUE(equal(sent.cpu(), data));
}

/// Runs `host` in two processes, the hosts 0 and 1 of a job.
void on_two_hosts(const std::function<void(int)> &host) {
  setenv("MASTER_PORT", std::to_string(20000 + getpid() % 20000).c_str(), 1);
  std::fflush(nullptr);
  pid_t child = fork();
  setenv("XLAC_HOST_INDEX", child ? "0" : "1", 1);
  host(child ? 0 : 1);
  if (child == 0) {
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure());
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

FEATURE(SPMD_28_hosts, "CPU_NUM_DEVICES=4", "XLAC_NUM_HOSTS=2",
        "XLAC_COLLECTIVE_TIMEOUT=60") {
  on_two_hosts([](int host) {
    xr::use_spmd();
    EXPECT_EQ(xr::process_count(), 2);
    EXPECT_EQ(xr::global_runtime_device_count(), 8);
    EXPECT_EQ(xr::addressable_runtime_device_count(), 4);
    xs::Mesh mesh = mesh_of({8}, {"data"});
    Tensor whole = arange(16 * 3).to(kFloat32).view({16, 3});
    Tensor sent = xm::send_cpu_data_to_device(
        {whole.narrow(0, 8 * host, 8)}, xla(),
        xs::ShardingSpec{mesh, {"data", None}, true})[0];
    EXPECT_EQ(sent.sizes(), (Shape{16, 3}));
    EXPECT_TRUE(equal(sent.cpu(), whole));
    auto shards = xs::XLAShardedTensor(sent, {8}).local_shards();
    ASSERT_EQ(shards.size(), 4u);
    EXPECT_EQ(shards[1].shard_device, "CPU:" + std::to_string(4 * host + 1));
    EXPECT_TRUE(equal(shards[1].data, whole.narrow(0, 8 * host + 2, 2)));
    // A step with a replicated and a sharded weight.
    Tensor weight = ones({3, 8}).to(xla()).requires_grad_();
    Tensor cut = ones({8, 2}).to(xla()).requires_grad_();
    xs::mark_sharding(cut, mesh, {"data", None});
    Tensor loss = matmul(matmul(sent, weight), cut).sum();
    loss.backward();
    EXPECT_EQ(loss.item<float>(), 16 * whole.sum().item<float>());
    EXPECT_TRUE(
        equal(cut.grad().cpu(), full({8, 2}, whole.sum().item<float>())));
    EXPECT_TRUE(equal(weight.grad().cpu(),
                      2.0 * whole.sum(0).view({3, 1}).expand({3, 8})));
  });
}

FEATURE(SPMD_02_hosts, "CPU_NUM_DEVICES=2", "XLAC_NUM_HOSTS=2",
        "XLAC_COLLECTIVE_TIMEOUT=60") {
  on_two_hosts([](int) {
    xr::use_spmd(true);
    manual_seed(1);
    Tensor rows = randn({512, 256}), weight = randn({256, 128});
    Tensor held = weight.to(xla());
    for (int step = 0; step < 2; ++step) {
      Tensor placed = rows.to(xla());
      Tensor product = matmul(placed, held);
      xm::mark_step();
      EXPECT_NE(xs::get_sharding_spec(product), "{replicated}");
      EXPECT_TRUE(allclose(product.cpu(), matmul(rows, weight), 1e-4, 1e-4));
      EXPECT_TRUE(equal(placed.cpu(), rows));
    }
    EXPECT_TRUE(equal(held.cpu(), weight));
  });
}

} // namespace
} // namespace xlac::features
