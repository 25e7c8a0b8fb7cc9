// Every optimizer gives the same results on an xla device as on the cpu. Its
// steps are one program from the first step on, for any hyper-parameters.
#include "cases.h"

#include "xlac/debug.h"
#include "xlac/lazy.h"
#include "xlac/metrics.h"

#include <gtest/gtest.h>

namespace xlac::optim {
namespace {

class EveryOptimizer : public testing::TestWithParam<expected::OptimizerCase> {
protected:
  // Without the disk cache, so that a missing compilation is not a disk cache
  // hit.
  static void SetUpTestSuite() { setenv("XLAC_CACHE_DIR", "", 1); }
};

int64_t compiled() { return met::counter_value("UncachedCompile").value_or(0); }

TEST_P(EveryOptimizer, StepsAsOnTheCpuInOneProgram) {
  Device device("xla:0");
  std::vector<Tensor> on_cpu = cases::start(kFloat32, kCPU);
  std::vector<Tensor> on_xla = cases::start(kFloat32, device);
  auto first = cases::make(GetParam().name, on_cpu);
  auto second = cases::make(GetParam().name, on_xla);
  int64_t known = 0;
  for (int step = 0; step < 10; ++step) {
    for (Optimizer *optimizer : {first.get(), second.get()}) {
      std::map<std::string, double> &options =
          optimizer->param_groups()[0].options;
      options["lr"] = step == 3 ? 1 : step == 4 ? 0 : 0.1 / (step + 1);
      if (options.contains("beta1"))
        options["beta1"] = 0.9 - 0.01 * step;
    }
    cases::set_gradients(on_cpu, step);
    cases::set_gradients(on_xla, step);
    first->step();
    second->step();
    xlac::sync();
    int64_t made = compiled();
    if (step > 0) {
      EXPECT_EQ(made, known) << step;
    }
    known = made;
  }
  std::vector<double> wanted = cases::values(on_cpu);
  std::vector<double> got = cases::values(on_xla);
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], 1e-5 * (1 + std::abs(wanted[i]))) << i;
  for_each_tensor(second->state_dict().at("state"), [&](const Tensor &kept) {
    if (kept.dim() > 0) {
      EXPECT_EQ(kept.device(), device);
    }
  });
}

TEST_P(EveryOptimizer, StepsInNarrowFloatsAndInComplexNumbers) {
  Device device("xla:0");
  auto run = [&](Device where, Dtype dtype) {
    Tensor start = tensor({1.0, -2.0, 0.25, 3.0}).to(dtype);
    if (dtype == kComplex64)
      start = complex(tensor({1.0, -2.0}), tensor({0.25, 3.0}));
    Tensor p = start.clone().to(where).requires_grad_();
    auto optimizer = cases::make(GetParam().name, {p});
    for (int step = 0; step < 4; ++step) {
      p.set_grad((start * (0.5 - 0.3 * step)).to(dtype).to(where));
      optimizer->step();
      xlac::sync();
    }
    Tensor result = p.detach().cpu();
    return dtype == kComplex64 ? view_as_real(result) : result.to(kFloat32);
  };
  for (Dtype dtype : {kBFloat16, kFloat16, kComplex64})
    EXPECT_TRUE(allclose(run(device, dtype), run(kCPU, dtype),
                         dtype == kComplex64 ? 1e-5 : 1e-2, 1e-3))
        << name(dtype);
}

INSTANTIATE_TEST_SUITE_P(, EveryOptimizer,
                         testing::ValuesIn(expected::kOptimizers),
                         cases::test_name<expected::OptimizerCase>);

TEST(Optimizers, OfOneProgramShareNoNumbers) {
  Device device("xla:0");
  std::vector<Tensor> a = cases::start(kFloat32, device);
  std::vector<Tensor> b = cases::start(kFloat32, device);
  Adam first(a, {.lr = 0.1}), second(b, {.lr = 0.1});
  int64_t known = 0;
  for (int step = 0; step < 4; ++step) {
    cases::set_gradients(a, step);
    cases::set_gradients(b, step);
    first.step();
    second.step();
    xlac::sync();
    if (step > 0) {
      EXPECT_EQ(compiled(), known) << step;
    }
    known = compiled();
    // The options are equal up to here.
    first.param_groups()[0].options["lr"] = 0.01 * step;
  }
}

TEST(Optimizers, GoOnAfterTheirModelMoved) {
  nn::Linear model(3, 2);
  Adagrad optimizer(model->parameters(), {.lr = 0.5});
  model.to(Device("xla:0"));
  model(ones({1, 3}, Device("xla:0"))).sum().backward();
  std::vector<float> before = model->bias.detach().to_vector<float>();
  optimizer.step();
  std::vector<float> after = model->bias.detach().to_vector<float>();
  for (size_t i = 0; i < after.size(); ++i)
    EXPECT_NEAR(after[i], before[i] - 0.5, 1e-6);
}

TEST(Optimizers, LbfgsMeetsTheSamePointOnBothDevices) {
  auto run = [](Device device) {
    Tensor x = tensor({3.0, -2.0, 1.5}).to(device).requires_grad_();
    Tensor scale = tensor({1.0, 10.0, 3.0}).to(device);
    LBFGS optimizer({x}, {.max_iter = 4, .line_search_fn = "strong_wolfe"});
    std::vector<double> losses;
    int64_t known = 0;
    for (int step = 0; step < 4; ++step) {
      Tensor loss = *optimizer.step({.closure = [&] {
        optimizer.zero_grad();
        Tensor value = (scale * (x - 1) * (x - 1) + (x * 2).cos()).sum();
        value.backward();
        return value;
      }});
      losses.push_back(loss.item<double>());
      // The history grows, but no new programs are needed.
      if (step > 1) {
        EXPECT_EQ(compiled(), known) << step;
      }
      known = compiled();
    }
    for (double value : x.detach().to_vector<double>())
      losses.push_back(value);
    return losses;
  };
  std::vector<double> wanted = run(kCPU), got = run(Device("xla:0"));
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], 1e-3 * (1 + std::abs(wanted[i]))) << i;
}

} // namespace
} // namespace xlac::optim
