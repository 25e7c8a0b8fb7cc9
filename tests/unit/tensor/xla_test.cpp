// The front end on an xla device: compares compiled code with the host.
#include "xlac/support/metrics.h"
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace xlac {
namespace {

using Floats = std::vector<float>;

TEST(Xla, RunsWhatIsAsked) {
  Device device = xlac::device();
  Tensor a = tensor({{1.0, 2.0}, {3.0, 4.0}}, device);
  Tensor b = matmul(a, a) + 1.0;
  EXPECT_EQ(b.to_vector<float>(), (Floats{8, 11, 16, 23}));
  EXPECT_EQ(b.str(), "tensor([[ 8., 11.],\n        [16., 23.]], "
                     "device='xla:0')");
  EXPECT_THROW(a + ones({2, 2}), DeviceError);
  EXPECT_THROW(a.data_ptr<float>(), DeviceError);
  EXPECT_THROW(xlac::device(10), IndexError);
}

TEST(Xla, AgreesWithTheHost) {
  Tensor x = tensor({{0.5, -1.5, 2.0}, {1.0, 0.25, -3.0}});
  auto compute = [](const Tensor &t) {
    Tensor y = softmax(t.tanh() * 3.0, 1) + t.exp().sum({0}) / 7.0;
    return cat({y, relu(-t)}, 1).t();
  };
  EXPECT_TRUE(
      allclose(compute(x.to(Device("xla:0"))).cpu(), compute(x), 1e-5, 1e-6));
  EXPECT_EQ(x.to(Device("xla:0")).argmax(1).to_vector<int64_t>(),
            x.argmax(1).to_vector<int64_t>());
}

TEST(Xla, StepsCompileOnce) {
  Device device = xlac::device();
  Tensor weight = ones({4}, device);
  xlac::sync();
  int64_t before = 0;
  for (int i = 0; i < 6; ++i) {
    weight -= (0.25 + i) * weight;
    xlac::sync();
    if (i == 1)
      before = xr::get_num_cached_compilation_graph();
  }
  EXPECT_EQ(xr::get_num_cached_compilation_graph(), before);
  double expected = 1;
  for (int i = 0; i < 6; ++i)
    expected *= 1 - (0.25 + i);
  EXPECT_NEAR(weight[2].item<double>(), expected, 1e-3);
}

TEST(Xla, ElementsAreReadWithoutAProgramForEach) {
  Tensor x = arange(12, TensorOptions(kFloat32).device(xlac::device())) * 2.5;
  Tensor grid = x.view({3, 4}).t();
  int64_t before = xr::get_num_cached_compilation_graph();
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(x[i].item<double>(), 2.5 * i);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(grid.slice(0, i, 4, 5)[0][2].item<double>(), 2.5 * (8 + i));
  EXPECT_LE(xr::get_num_cached_compilation_graph(), before + 1);
  x[3] = 7;
  EXPECT_EQ(grid[3][0].item<double>(), 7);
  EXPECT_EQ(view_as_real(complex(x, x))[3][1].item<double>(), 7);
}

TEST(Xla, ViewsSeeWritesAcrossSyncs) {
  Tensor base = zeros({2, 2}, xlac::device());
  Tensor row = base[1];
  xlac::sync(true);
  row += 3.0;
  EXPECT_EQ(base.to_vector<float>(), (Floats{0, 0, 3, 3}));
  xlac::sync();
  base.zero_();
  EXPECT_EQ(row.to_vector<float>(), (Floats{0, 0}));
}

TEST(Xla, PrintsStablehlo) {
  Tensor x = ones({2}, xlac::device()) * 0.5;
  std::string text = xm::get_stablehlo({x});
  EXPECT_NE(text.find("stablehlo.multiply"), std::string::npos) << text;
  EXPECT_NE(text.find("@main"), std::string::npos);
}

TEST(Xla, BarriersAndSending) {
  Tensor x = ones({2}, xlac::device()) * 0.5, y = x + 1;
  xm::optimization_barrier_({x, y});
  std::string text = xm::get_stablehlo({x, y});
  EXPECT_NE(text.find("stablehlo.optimization_barrier"), std::string::npos)
      << text;
  EXPECT_EQ(y.to_vector<float>(), (Floats{1.5, 1.5}));

  auto sent = xm::send_cpu_data_to_device({ones(2), zeros(3)}, xlac::device());
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_TRUE(sent[1].is_xla());
  EXPECT_EQ(sent[0].to_vector<float>(), (Floats{1, 1}));
  EXPECT_THROW(xm::send_cpu_data_to_device({}, kCPU), DeviceError);
}

TEST(Xla, WritesAndReadsPrograms) {
  Tensor x = ones({2}, xlac::device()) * 0.5;
  stablehlo::Program traced = stablehlo::from_tensors({x});
  Bytes bytes = traced.bytecode("1.0.0");
  std::string artifact(bytes.begin(), bytes.end());
  EXPECT_NE(artifact.find("StableHLO_v1.0.0"), std::string::npos);

  stablehlo::Program read = stablehlo::Program::parse(artifact);
  EXPECT_EQ(read.hash(), traced.hash());
  EXPECT_EQ(read.text(), traced.text());
  ASSERT_EQ(read.outputs().size(), 1u);
  EXPECT_EQ(read.outputs()[0].shape, (Shape{2}));

  auto path = std::filesystem::temp_directory_path() /
              ("xlac_program_" + std::to_string(::getpid()) + ".mlir.bc");
  traced.save(path);
  EXPECT_EQ(stablehlo::Program::load(path).hash(), traced.hash());
  std::filesystem::remove(path);
  EXPECT_THROW(stablehlo::Program::load(path), RuntimeError);
  EXPECT_THROW(stablehlo::Program::parse("nonsense"), Error);
  EXPECT_THROW(traced.bytecode("9.9.9"), Error);
  EXPECT_EQ(xm::get_stablehlo_bytecode({x}), traced.bytecode());
}

TEST(Uploads, OfEqualDataAreSharedUntilWritten) {
  metrics::Counter &misses = metrics::counter("DeviceDataCacheMiss");
  int64_t before = misses.value();
  Tensor a = tensor({7.5, 8.5, 9.5}, "xla:0");
  Tensor b = tensor({7.5, 8.5, 9.5}, "xla:0");
  EXPECT_EQ(misses.value(), before + 1);
  a.add_(1);
  xlac::sync(true);
  EXPECT_EQ(a.to_vector<float>(), (std::vector<float>{8.5, 9.5, 10.5}));
  EXPECT_EQ(b.to_vector<float>(), (std::vector<float>{7.5, 8.5, 9.5}));
  Tensor c = tensor({7.5, 8.5, 9.5}, "xla:0");
  EXPECT_EQ(misses.value(), before + 1);
  EXPECT_EQ((b + c).to_vector<float>(), (std::vector<float>{15, 17, 19}));
  Tensor d = tensor({7, 8}, "xla:0"), e = tensor({8, 7}, "xla:0");
  EXPECT_EQ(misses.value(), before + 3);
}

} // namespace
} // namespace xlac
