// Training on an xla device: one program for all steps and any
// hyper-parameters.
#include "xlac/lazy.h"
#include "xlac/metrics.h"
#include "xlac/optim.h"

#include <gtest/gtest.h>

using namespace xlac;

TEST(Sgd, TrainsTheSameOnBothDevicesWithoutCompilingAnew) {
  // Without the disk cache, so that a missing compilation is not a disk cache
  // hit.
  setenv("XLAC_CACHE_DIR", "", 1);
  manual_seed(3);
  nn::Linear on_cpu(4, 2);
  Device device("xla:0");
  nn::Linear on_xla = on_cpu.clone(device);
  optim::SGDOptions options{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01};
  optim::SGD first(on_cpu->parameters(), options);
  optim::SGD second(on_xla->parameters(), options);
  nn::NLLLoss loss_fn;
  int64_t known = 0;
  for (int step = 0; step < 6; ++step) {
    Tensor data = randn({8, 4}), target = randint(0, 2, {8});
    auto run = [&](const nn::Linear &model, optim::SGD &optimizer,
                   const Tensor &x, const Tensor &y) {
      optimizer.zero_grad();
      Tensor loss = loss_fn(log_softmax(model(x), 1), y);
      loss.backward();
      optimizer.param_groups()[0].options["lr"] =
          step == 3 ? 1 : 0.1 / (step + 1);
      optimizer.step();
      return loss;
    };
    Tensor expected = run(on_cpu, first, data, target);
    Tensor loss = run(on_xla, second, data.to(device), target.to(device));
    xlac::sync();
    EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 1e-4);
    int64_t made = met::counter_value("UncachedCompile").value_or(0);
    if (step >= 1)
      EXPECT_EQ(made, known) << step;
    known = made;
  }
  EXPECT_TRUE(allclose(on_xla->weight.cpu(), on_cpu->weight, 1e-4, 1e-5));
}
