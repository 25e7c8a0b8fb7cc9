// EAG, BF and some of RT and XRT.
#include "feature_rows.h"

#include <thread>

using namespace xlac;
using namespace xlac::features;

FEATURE(EAG_01, "") {
  Device dev = xlac::device();
  Tensor pending = ones({2}, dev) + 1.0;
  EXPECT_FALSE(experimental::is_eager_mode());
  experimental::eager_mode(true);
  EXPECT_EQ(debug::pending_nodes(dev), 0);
  Tensor a = tensor({1.0, 2.0}, dev), b = tensor({3.0, 4.0}, dev);
  met::clear_all();
  Tensor c = a + b;
  c.mul_(2.0);
  EXPECT_EQ(debug::pending_nodes(dev), 0);
  EXPECT_EQ(samples("EagerOpExecuteTime"), 2);
  EXPECT_EQ(samples("ExecuteTime"), 0);
  EXPECT_EQ(c.to_vector<float>(), (Floats{8, 12}));
  std::thread([&] {
    experimental::EagerModeGuard lazy(false);
    Tensor d = a + b;
    EXPECT_GT(debug::pending_nodes(dev), 0);
  }).join();
  EXPECT_TRUE(experimental::is_eager_mode());
}

FEATURE(EAG_02, "") {
  experimental::eager_mode(true);
  Device dev = xlac::device();
  auto f = xlac::compile([](const Tensor &x) {
    EXPECT_FALSE(experimental::is_eager_mode());
    return x.sin() + x.cos();
  });
  {
    auto scope = xlac::step();
    EXPECT_FALSE(experimental::is_eager_mode());
  }
  EXPECT_TRUE(experimental::is_eager_mode());
  Tensor x = ones({5}, dev);
  f(x);
  met::clear_all();
  Tensor y = f(x);
  EXPECT_EQ(samples("ExecuteTime"), 1);
  EXPECT_EQ(samples("EagerOpExecuteTime"), 0);
  EXPECT_NEAR(y[0].item<float>(), 1.3817733f, 1e-5);
}

FEATURE(EAG_03, "") {
  Device dev = xlac::device();
  auto f = xlac::compile([](const Tensor &x) { return (x * x).sum(); },
                         {.full_graph = true, .name = "squares"});
  Tensor x = tensor({1.0, 2.0}, dev);
  met::clear_all();
  f(x);
  EXPECT_EQ(f(x).item<float>(), 5.0f);
  EXPECT_EQ(counter("UncachedCompile"), 1);
  EXPECT_EQ(debug::programs().back().name, "squares");
  auto asks = experimental::compile(
      [](const Tensor &t) { return t.sum().item<float>(); },
      {.full_graph = true});
  EXPECT_CONTAINS(
      message_of<UserError>([&] { asks(x * 2.0); }),
      "Unexpected execution happens inside the compiled function, exiting");
}

FEATURE(EAG_03_different_graphs, "") {
  auto f = xlac::compile([](const Tensor &x) { return x.exp(); },
                         {.max_different_graphs = 1});
  Device dev = xlac::device();
  Tensor two = ones({2}, dev), three = ones({3}, dev);
  f(two);
  f(two);
  EXPECT_CONTAINS(
      message_of<UserError>([&] { f(three); }),
      "Maximum number of different graphs allowed per function exceeded: 1");
}

FEATURE(EAG_04, "") {
  auto fn = [](const Tensor &x, int n) {
    return std::tuple(x * n, x.sum(), n + 1);
  };
  Tensor x = tensor({1.0, 2.0}, xlac::device());
  auto [a, b, c] = xlac::compile(fn)(x, 3);
  EXPECT_EQ(a.to_vector<float>(), (Floats{3, 6}));
  EXPECT_EQ(b.item<float>(), 3.0f);
  EXPECT_EQ(c, 4);
}

FEATURE(EAG_04_loop_numbers_do_not_recompile, "") {
  Tensor x = ones({3}, xlac::device());
  xlac::sync(true);
  met::clear_all();
  for (int i = 2; i < 12; ++i) {
    Tensor y = x * i;
    xlac::sync();
  }
  EXPECT_EQ(counter("UncachedCompile"), 1);
}

/// Returns 1 + 2^-40, computed as f64 on the device.
static double one_and_little() {
  Tensor x = tensor({1.0, 1.0}, TensorOptions(kFloat64).device(xlac::device()));
  return (x + std::ldexp(1.0, -40))[0].item<double>();
}

FEATURE(BF_01, "") { EXPECT_EQ(one_and_little(), 1 + std::ldexp(1.0, -40)); }
FEATURE(BF_01_narrow, "XLAC_F64_AS_F32=1") {
  EXPECT_EQ(one_and_little(), 1.0);
  Tensor x = ones({2}, TensorOptions(kFloat64).device(xlac::device())) * 3.0;
  EXPECT_EQ(x.dtype(), kFloat64);
  EXPECT_LACKS(xm::get_stablehlo({x}), "f64");
}

static Tensor near_one(Dtype dtype) {
  return tensor({1.001, 2.0}, TensorOptions(dtype).device(xlac::device()));
}

FEATURE(BF_02, "XLA_USE_BF16=1") {
  EXPECT_EQ(near_one(kFloat32).to_vector<float>(), (Floats{1, 2}));
  EXPECT_EQ(tensor({1.001}).item<float>(), 1.001f);
  std::string text =
      xm::get_stablehlo({near_one(kFloat32) + near_one(kFloat32)});
  EXPECT_CONTAINS(text, "tensor<2xbf16>");
  EXPECT_LACKS(text, "f32");
  Tensor sum = near_one(kFloat32).sum() + ones({3}, xlac::device());
  EXPECT_EQ(sum.to_vector<float>(), (Floats{4, 4, 4}));
}

FEATURE(BF_03, "XLA_USE_BF16=1") {
  std::string text = xm::get_stablehlo({near_one(kFloat64) * 2.0});
  EXPECT_CONTAINS(text, "bf16");
  EXPECT_LACKS(text, "f32");
}

FEATURE(BF_04, "XLA_DOWNCAST_BF16=1") {
  EXPECT_EQ(near_one(kFloat32).to_vector<float>()[0], 1.0f);
  EXPECT_EQ(near_one(kFloat64)[0].item<double>(), static_cast<double>(1.001f));
  std::string text = xm::get_stablehlo({near_one(kFloat64) * 2.0});
  EXPECT_CONTAINS(text, "tensor<2xf32>");
  EXPECT_LACKS(text, "f64");
}

FEATURE(BF_04_both, "XLA_DOWNCAST_BF16=1", "XLA_USE_BF16=1") {
  EXPECT_CONTAINS(xm::get_stablehlo({near_one(kFloat64) * 2.0}), "bf16");
}

FEATURE(BF_05) {
  Tensor x = ones({8}, dtype(kBFloat16).device(xlac::device())) * 3.0;
  EXPECT_CONTAINS(xm::get_stablehlo({x}), "tensor<8xbf16>");
  EXPECT_EQ(x[0].item<float>(), 3.0f);
}

FEATURE(BF_06, "XLA_USE_BF16=1") {
  Device dev = xlac::device();
  int64_t before = xm::get_memory_info(dev).bytes_used;
  Tensor x = ones({1 << 20}).to(dev);
  EXPECT_EQ(x.dtype(), kFloat32);
  EXPECT_EQ(x.element_size(), 4);
  EXPECT_LE(xm::get_memory_info(dev).bytes_used - before, (2 << 20) + 4096);
  EXPECT_EQ((x[0] + 1.0).str(), "tensor(2., device='xla:0')");
}

FEATURE(BF_07, "XLA_USE_BF16=1") {
  Tensor x = near_one(kFloat32) * 2.0, y = near_one(kFloat64);
  EXPECT_EQ(x.cpu().dtype(), kFloat32);
  EXPECT_EQ(x.cpu().to_vector<float>(), (Floats{2, 4}));
  EXPECT_EQ(y.cpu().dtype(), kFloat64);
  EXPECT_EQ(y.cpu().to_vector<double>(), (std::vector<double>{1, 2}));
  std::stringstream file;
  xm::save(x, file);
  Tensor loaded = xlac::load<Tensor>(file);
  EXPECT_EQ(loaded.dtype(), kFloat32);
  EXPECT_TRUE(loaded.is_cpu());
  EXPECT_EQ(loaded.to_vector<float>(), (Floats{2, 4}));
}

FEATURE(BF_08, "XLA_USE_BF16=1") {
  Tensor x = tensor({1.0, 3.0, -7.5}, xlac::device());
  EXPECT_TRUE(equal(x * 1.001, x * 1.0));
  EXPECT_TRUE(equal(x + 0.001, x + static_cast<double>(bfloat16(0.001f))));
  EXPECT_EQ(full({1}, 1.001, xlac::device()).item<float>(), 1.0f);
  EXPECT_EQ(tensor({1.0}).mul(1.001).item<float>(), 1.001f);
}

/// Returns f32 1.001 after a round trip through the device.
static float through_the_device() {
  return (near_one(kFloat32) * 1.0).to_vector<float>()[0];
}

FEATURE(BF_09, "XLA_USE_BF16=0") {
  EXPECT_EQ(through_the_device(), 1.001f);
  setenv("XLA_USE_BF16", "1", 1);
  EXPECT_EQ(through_the_device(), 1.001f);
}
FEATURE(BF_09_empty, "XLA_USE_BF16=") {
  EXPECT_EQ(through_the_device(), 1.001f);
}
FEATURE(BF_09_true, "XLA_USE_BF16=true") {
  EXPECT_EQ(through_the_device(), 1.0f);
  setenv("XLA_USE_BF16", "0", 1);
  EXPECT_EQ(through_the_device(), 1.0f);
}

FEATURE(RT_01, "") {
  EXPECT_EQ(xr::device_type(), "CPU");
  EXPECT_FALSE(xr::is_initialized());
}

FEATURE(RT_02, "PJRT_SELECT_DEFAULT_DEVICE=0") {
  EXPECT_EQ(xr::device_type(), std::nullopt);
  xr::set_device_type("CPU");
  EXPECT_EQ(xr::device_type(), "CPU");
  EXPECT_EQ(xlac::device().str(), "xla:0");
}

FEATURE(RT_03, "PJRT_DEVICE=cpu") {
  EXPECT_EQ(xlac::device().str(), "xla:0");
  EXPECT_THROW(xr::set_device_type("CPU"), UserError);
}

FEATURE(RT_03_tpu, "PJRT_DEVICE=TPU") {
  EXPECT_CONTAINS(message_of<DeviceError>([] { xlac::device(); }),
                  "PJRT_DEVICE=TPU: only CPU devices are available");
}

FEATURE(RT_06, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(xr::addressable_device_count(), 4);
}

FEATURE(RT_12, "") { EXPECT_EQ(xr::get_master_ip(), "127.0.0.1"); }

FEATURE(XRT_05, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(xm::xla_replication_devices(xlac::devices()),
            (std::vector<std::string>{"CPU:0", "CPU:1", "CPU:2", "CPU:3"}));
  EXPECT_CONTAINS(message_of<UserError>(
                      [] { xm::xla_replication_devices({Device("xla:0")}); }),
                  "Cannot replicate if number of devices");
}

FEATURE(XRT_06) {
  EXPECT_THROW(xm::xla_device({}, "GPU"), DeviceError);
  EXPECT_TRUE(xm::get_xla_supported_devices("TPU").empty());
}
