// Dimensions that are marked as dynamic, and the compilations that they save.
#include "xlac/xlac.h"

#include "xlac/loader/background_compiler.h"
#include "xlac/support/target_profile.h"

#include <functional>
#include <gtest/gtest.h>

namespace xlac {
namespace {

int64_t compiled() {
  BackgroundCompiler::process().wait();
  return met::counter_value("UncachedCompile").value_or(0);
}

/// A loss that depends on the number of rows.
Tensor mean_loss(const Tensor &x, const Tensor &weight) {
  return (x.matmul(weight).tanh() - 0.5).pow(2).mean();
}

bool has_any_size_code() { return host_profile().features & kFeatureAvx2; }

TEST(MarkDynamic, SecondSizeIsNotCompiled) {
  if (!has_any_size_code())
    GTEST_SKIP() << "code for any size needs AVX2";
  Device device = xlac::device();
  Tensor weight = rand({40, 24}).to(device);
  weight.requires_grad_(true);
  std::vector<int64_t> counts;
  for (int64_t rows : {48, 41, 57, 45}) {
    Tensor x = rand({rows, 40}), on_device = x.to(device);
    mark_dynamic(on_device, 0);
    Tensor gradient =
        autograd::grad({mean_loss(on_device, weight)}, {weight})[0];
    Tensor weight_on_cpu = weight.detach().cpu().requires_grad_(true);
    Tensor expected =
        autograd::grad({mean_loss(x, weight_on_cpu)}, {weight_on_cpu})[0];
    EXPECT_TRUE(allclose(gradient.cpu(), expected, 1e-4, 1e-6)) << rows;
    counts.push_back(compiled());
  }
  EXPECT_EQ(counts[1], counts[0]);
  EXPECT_EQ(counts[3], counts[0]);
}

TEST(MarkDynamic, MarksAreCopiedToDevices) {
  if (!has_any_size_code())
    GTEST_SKIP() << "code for any size needs AVX2";
  std::vector<int64_t> counts;
  for (int64_t rows : {70, 33}) {
    Tensor x = rand({rows, 28});
    mark_dynamic(x, -2, {.min = 1, .max = 128});
    Tensor on_device = x.to(xlac::device());
    Tensor y = (on_device * 3.0).sin().sum(-1).cpu();
    EXPECT_TRUE(allclose(y, (x * 3.0).sin().sum(-1), 1e-5, 1e-5));
    counts.push_back(compiled());
  }
  EXPECT_EQ(counts[1], counts[0]);
}

TEST(MarkDynamic, PendingTensorsKeepTheirMarks) {
  if (!has_any_size_code())
    GTEST_SKIP() << "code for any size needs AVX2";
  Device device = xlac::device();
  std::vector<int64_t> counts;
  for (int64_t rows : {90, 61}) {
    Tensor x = arange(rows * 36, TensorOptions(device).dtype(kFloat32))
                   .reshape({rows, 36})
                   .contiguous()
                   .clone();
    mark_dynamic(x, 0);
    sync();
    int64_t before = compiled();
    (x + 1.0).exp().sum(-1).cpu();
    counts.push_back(compiled() - before);
  }
  EXPECT_EQ(counts, (std::vector<int64_t>{1, 0}));
}

/// Calls `step`, which runs a program that has code for any size, until code
/// for its own size replaces that code.
void run_until_specialized(const std::function<void()> &step) {
  auto count = [] {
    BackgroundCompiler::process().wait();
    return met::counter_value("SpecializedCompile").value_or(0);
  };
  int64_t before = count();
  for (int runs = 0; count() == before; ++runs) {
    ASSERT_LT(runs, 2000);
    for (int i = 0; i < 16; ++i)
      step();
  }
}

TEST(HotSizes, GraphsGetCodeOfTheirOwn) {
  if (!has_any_size_code())
    GTEST_SKIP() << "code for any size needs AVX2";
  Device device = xlac::device();
  auto step = [&](const Tensor &x) { return (x.sin() * 2.0).cpu(); };
  for (int64_t rows : {1300, 1270, 1290}) {
    Tensor x = rand({rows, 64}).to(device);
    Tensor first = step(x);
    if (rows == 1290) {
      run_until_specialized([&] { step(x); });
      EXPECT_TRUE(step(x).equal(first));
    }
  }
}

TEST(HotSizes, ProgramsOfUnknownSizesGetCodeOfTheirOwn) {
  if (!has_any_size_code())
    GTEST_SKIP() << "code for any size needs AVX2";
  auto executable = stablehlo::build(stablehlo::Program::parse(R"(
    func.func @main(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
      %0 = stablehlo.cosine %x : tensor<?x64xf32>
      return %0 : tensor<?x64xf32>
    })"));
  for (int64_t rows : {1300, 1270, 1290}) {
    Tensor x = rand({rows, 64}).to(xlac::device());
    Tensor first = executable.run({x})[0].cpu();
    BackgroundCompiler::process().wait();
    if (rows == 1290) {
      run_until_specialized([&] { executable.run({x}); });
      EXPECT_TRUE(executable.run({x})[0].cpu().equal(first));
    }
  }
}

TEST(MarkDynamic, RejectsSizesOutOfRange) {
  Tensor x = zeros({6, 4});
  EXPECT_THROW(mark_dynamic(x, 2), IndexError);
  EXPECT_THROW(mark_dynamic(x, 0, {.min = 7}), ValueError);
  EXPECT_THROW(mark_dynamic(x, 0, {.max = 5}), ValueError);
  EXPECT_THROW(mark_dynamic(x, 0, {.divisor = 4}), ValueError);
  EXPECT_THROW(mark_dynamic(x, 0, {.divisor = 0}), ValueError);
  EXPECT_THROW(mark_dynamic(x.t(), 0), UserError);
  try {
    mark_dynamic(x, 1, {.divisor = 3});
    FAIL();
  } catch (const ValueError &error) {
    EXPECT_NE(std::string(error.what())
                  .find("dimension 1 has size 4, which is no multiple of 3"),
              std::string::npos)
        << error.what();
  }
}

struct Rows {
  data::Example<Tensor, Tensor> get(size_t index) const {
    return {full({20}, 0.01 * static_cast<double>(index)),
            tensor(static_cast<int64_t>(index % 10))};
  }
  size_t size() const { return 74; }
};

TEST(MarkDynamic, LastBatchOfALoaderIsNotCompiled) {
  if (!has_any_size_code())
    GTEST_SKIP() << "code for any size needs AVX2";
  Device device = xlac::device();
  nn::Linear layer(20, 10);
  layer->to(device);
  optim::SGD optimizer(layer->parameters(), {.lr = 0.1});
  std::vector<int64_t> counts;
  // Batches of 32, 32 and 10 rows.
  data::DataLoader loader(Rows{}, {.batch_size = 32});
  for (int epoch = 0; epoch < 2; ++epoch)
    for (auto &[x, labels] : loader) {
      optimizer.zero_grad();
      Tensor loss = nn::functional::cross_entropy(layer->forward(x.to(device)),
                                                  labels.to(device));
      loss.backward();
      optimizer.step();
      sync();
      counts.push_back(compiled());
    }
  ASSERT_EQ(counts.size(), 6u);
  // The first and the second step differ, because gradients do not exist yet.
  EXPECT_EQ(counts[5], counts[1]);
}

} // namespace
} // namespace xlac
