// Steps that read and overwrite tensors: their programs write to the memory of
// the replaced values, and no other user of a tensor sees that.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <functional>

namespace xlac {
namespace {

const Device kXla("xla:0");

double reused_so_far() {
  auto counts = met::metric_data("InputOutputAliasCount");
  return counts ? counts->accumulator : 0;
}

/// Returns the number of argument buffers that the sync of `write` reuses for
/// results.
double reused_by(const std::function<void()> &write) {
  double before = reused_so_far();
  write();
  xlac::sync(/*wait=*/true);
  return reused_so_far() - before;
}

/// Makes a tensor with its own data.
Tensor on_xla(const Tensor &tensor) {
  Tensor copy = tensor.to(kXla).add(0);
  xlac::sync(/*wait=*/true);
  return copy;
}

//===- Steps of optimizers ------------------------------------------------===//

using Make = std::function<std::shared_ptr<optim::Optimizer>(
    const std::vector<Tensor> &)>;

/// Returns the number of buffers that the fourth step of a Linear(512, 512)
/// reuses.
double reused_by_step(const Make &make) {
  nn::Linear layer(512, 512);
  layer->to(kXla);
  std::shared_ptr<optim::Optimizer> optimizer = make(layer->parameters());
  Tensor x = on_xla(randn({64, 512}));
  double reused = 0;
  for (int step = 0; step < 4; ++step)
    reused = reused_by([&] {
      optimizer->zero_grad();
      layer(x).pow(2).mean().backward();
      optimizer->step();
    });
  return reused;
}

template <class Optimizer, class Options> Make made_with(Options options) {
  return [=](const std::vector<Tensor> &parameters) {
    return std::make_shared<Optimizer>(parameters, options);
  };
}

TEST(ReusedBuffers, OfAllThatOptimizersUpdate) {
  // The weight and the bias, and the optimizer state of each.
  EXPECT_EQ(reused_by_step(made_with<optim::SGD>(optim::SGDOptions{.lr = 0.1})),
            2);
  EXPECT_EQ(reused_by_step(made_with<optim::SGD>(
                optim::SGDOptions{.lr = 0.1, .momentum = 0.9})),
            4);
  EXPECT_EQ(reused_by_step(made_with<optim::Adam>(optim::AdamOptions{})), 6);
  EXPECT_EQ(reused_by_step(
                made_with<optim::Adam>(optim::AdamOptions{.amsgrad = true})),
            8);
  EXPECT_EQ(reused_by_step(made_with<optim::AdamW>(optim::AdamWOptions{})), 6);
  EXPECT_EQ(reused_by_step(made_with<optim::RAdam>(optim::RAdamOptions{})), 6);
  EXPECT_EQ(reused_by_step(made_with<optim::NAdam>(optim::NAdamOptions{})), 6);
}

//===- Kinds of writes ----------------------------------------------------===//

/// Runs `write` twice, which changes its operands, on both devices; the results
/// must be equal. Returns how many buffers it reuses on xla, which must be the
/// same number both times.
double reused_rightly(const std::vector<Tensor> &on_cpu,
                      const std::function<void(std::vector<Tensor> &)> &write) {
  std::vector<Tensor> operands, expected;
  for (const Tensor &tensor : on_cpu) {
    operands.push_back(on_xla(tensor));
    expected.push_back(tensor.clone());
  }
  double first = reused_by([&] { write(operands); });
  double second = reused_by([&] { write(operands); });
  EXPECT_EQ(first, second);
  write(expected);
  write(expected);
  for (size_t i = 0; i < operands.size(); ++i)
    EXPECT_TRUE(allclose(operands[i].cpu(), expected[i], 1e-4, 1e-5))
        << "operand " << i;
  return second;
}

using Operands = std::vector<Tensor>;

TEST(ReusedBuffers, OfTensorsThatAreUpdatedFromEachOther) {
  EXPECT_EQ(
      3, reused_rightly({randn({300, 77}), randn({300, 77}), randn({300, 77})},
                        [](Operands &t) {
                          Tensor sum = (t[0] + t[1] + t[2]) / 3;
                          Tensor b = t[1] - sum, c = t[2] * sum;
                          t[0].mul_(sum);
                          t[1].copy_(b);
                          t[2].copy_(c);
                        }));
}

TEST(ReusedBuffers, OfSelectedAndClampedElements) {
  EXPECT_EQ(1, reused_rightly({randn({1000})}, [](Operands &t) {
              t[0].copy_(where(t[0] > 0, t[0] * 2, t[0] * 0.5));
            }));
  EXPECT_EQ(1, reused_rightly({randn({1000})},
                              [](Operands &t) { t[0].mul_(2).clamp_(-1, 1); }));
}

TEST(ReusedBuffers, OfFlattenedUpdates) {
  EXPECT_EQ(1, reused_rightly({randn({40, 30}), randn({1200})},
                              [](Operands &t) { t[0].view({-1}).add_(t[1]); }));
  EXPECT_EQ(
      2, reused_rightly({randn({40, 30}), randn({20, 60})}, [](Operands &t) {
        Tensor a = t[0].reshape({-1}), b = t[1].reshape({-1}), sum = a + b;
        t[0].copy_((sum * 0.5).reshape({40, 30}));
        t[1].copy_((b - sum * a).reshape({20, 60}));
      }));
}

TEST(ReusedBuffers, OfWhatAProductIsAddedTo) {
  for (int64_t rows : {1, 7, 64, 193})
    for (int64_t columns : {1, 33, 128})
      for (int64_t depth : {5, 300})
        EXPECT_EQ(1, reused_rightly(
                         {randn({rows, columns}), randn({rows, depth}) * 0.1,
                          randn({depth, columns}) * 0.1},
                         [](Operands &t) { t[0].sub_(t[1].mm(t[2]) * 0.1); }))
            << rows << " x " << columns << " x " << depth;
}

TEST(ReusedBuffers, OfWhatIsReadOnceMoreAfterTheWrite) {
  // The sums are not part of the update and come later in the graph.
  EXPECT_EQ(1, reused_rightly({randn({500, 20}), randn({20})}, [](Operands &t) {
              Tensor squares = (t[0] * t[0]).sum({0});
              t[0].mul_(0.9);
              t[1].copy_(squares * 0.001);
            }));
}

//===- Buffers that must not be reused ------------------------------------===//

TEST(ReusedBuffers, WhereElementsChangeTheirPlacesValuesAreRight) {
  reused_rightly({randn({65, 65})},
                 [](Operands &t) { t[0].copy_(t[0].t() * 0.5); });
  reused_rightly({randn({65, 65})},
                 [](Operands &t) { t[0].add_(t[0].t() * 0.5); });
  // Both operands of the sum are one buffer, but only one operand has the
  // elements in place.
  reused_rightly({randn({1024})}, [](Operands &t) {
    t[0].add_(t[0].view({32, 32}).t().reshape({-1}) * 0.5);
  });
  reused_rightly({randn({1024})}, [](Operands &t) {
    t[0].add_(t[0].view({256, 4}).flip({1}).reshape({-1}) * 0.5);
  });
  reused_rightly({randn({700})},
                 [](Operands &t) { t[0].add_(t[0].flip({0})); });
  reused_rightly({randn({64, 64})},
                 [](Operands &t) { t[0].add_(t[0].mm(t[0]) * 0.001); });
  reused_rightly({randn({50, 50}), randn({50, 50})}, [](Operands &t) {
    Tensor turned = t[0].t() * 0.5 + t[1];
    t[0].add_(t[1]);
    t[1].copy_(turned);
  });
  // Each tensor is read for the update of the next one.
  reused_rightly({randn({300, 77}), randn({300, 77}), randn({300, 77})},
                 [](Operands &t) {
                   Tensor a = t[0] * 0.5 + t[1], b = t[1] - t[2] * 0.25,
                          c = (t[0] + t[1] + t[2]) / 3;
                   t[0].copy_(a);
                   t[1].copy_(b);
                   t[2].copy_(c);
                 });
}

//===- Other users of the old value ---------------------------------------===//

TEST(ReusedBuffers, AClonedTensorKeepsItsValue) {
  Tensor start = randn({333});
  Tensor x = on_xla(start);
  Tensor kept = x.clone();
  EXPECT_EQ(reused_by([&] { x.add_(1); }), 0);
  EXPECT_TRUE(equal(kept.cpu(), start));
  EXPECT_TRUE(allclose(x.cpu(), start + 1));
  // Now the overwritten value has no other user.
  kept = Tensor();
  EXPECT_EQ(reused_by([&] { x.add_(1); }), 1);
  EXPECT_TRUE(allclose(x.cpu(), start + 2));
}

TEST(ReusedBuffers, ADetachedTensorSeesTheWrite) {
  Tensor start = randn({333});
  Tensor x = on_xla(start);
  Tensor alias = x.detach(), part = x.slice(0, 10, 20);
  EXPECT_EQ(reused_by([&] { x.add_(1); }), 1);
  EXPECT_TRUE(allclose(alias.cpu(), start + 1));
  EXPECT_TRUE(allclose(part.cpu(), (start + 1).slice(0, 10, 20)));
}

TEST(ReusedBuffers, WhatIsPendingReadsTheOldValue) {
  Tensor start = randn({333});
  Tensor x = on_xla(start);
  Tensor doubled = x * 2;
  x.add_(1);
  // Runs only the graph of x: that of `doubled` still needs the old value.
  EXPECT_TRUE(allclose(x.cpu(), start + 1));
  EXPECT_EQ(reused_by([&] { x.add_(1); }), 1);
  EXPECT_TRUE(allclose(doubled.cpu(), start * 2));
  EXPECT_TRUE(allclose(x.cpu(), start + 2));
}

TEST(ReusedBuffers, BackwardReadsTheSavedValue) {
  Tensor start = randn({333});
  Tensor x = on_xla(start);
  Tensor w = on_xla(ones({333})).requires_grad_();
  Tensor saved = x.clone();
  Tensor loss = (w * saved).sum();
  xlac::sync();
  EXPECT_EQ(reused_by([&] { x.mul_(3); }), 0);
  loss.backward();
  EXPECT_TRUE(allclose(w.grad().cpu(), start));
  EXPECT_TRUE(allclose(x.cpu(), start * 3));
}

TEST(ReusedBuffers, ACheckpointComputesAgainFromTheOldValue) {
  Tensor start = randn({40, 40});
  Tensor x = on_xla(start);
  Tensor w = on_xla(ones({40, 40})).requires_grad_();
  Tensor kept = x.clone();
  Tensor loss = autograd::checkpoint(
                    [](const std::vector<Tensor> &inputs) {
                      return (inputs[0] * inputs[1]).exp();
                    },
                    {w, kept})
                    .sum();
  xlac::sync();
  x.zero_();
  xlac::sync();
  loss.backward();
  EXPECT_TRUE(allclose(w.grad().cpu(), start.exp() * start, 1e-4, 1e-5));
}

TEST(ReusedBuffers, LaunchesThatStillRunReadTheOldValue) {
  Tensor start = randn({400, 400}) * 0.05;
  Tensor x = on_xla(start);
  std::vector<Tensor> products;
  Tensor expected_x = start.clone();
  std::vector<Tensor> expected;
  for (int step = 0; step < 8; ++step) {
    Tensor product = x;
    for (int i = 0; i < 4; ++i)
      product = product.mm(x);
    products.push_back(product);
    xlac::sync();
    x.mul_(0.9).add_(0.01);
    xlac::sync(); // the multiplication may still be running
  }
  for (int step = 0; step < 8; ++step) {
    Tensor product = expected_x;
    for (int i = 0; i < 4; ++i)
      product = product.mm(expected_x);
    expected.push_back(product);
    expected_x.mul_(0.9).add_(0.01);
  }
  for (int step = 0; step < 8; ++step)
    EXPECT_TRUE(allclose(products[step].cpu(), expected[step], 1e-3, 1e-5))
        << step;
  EXPECT_TRUE(allclose(x.cpu(), expected_x, 1e-4, 1e-5));
}

} // namespace
} // namespace xlac
