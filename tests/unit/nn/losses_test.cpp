// Errors of losses and the storage of their weights. modules_test.cpp checks
// their results.
#include "xlac/nn.h"

#include <gtest/gtest.h>

using namespace xlac;
using namespace xlac::nn;

TEST(Losses, RefuseWhatDoesNotFit) {
  EXPECT_THROW(MSELoss("median")(zeros({2}), zeros({2})), ValueError);
  EXPECT_THROW(MultiMarginLoss(3), ValueError);
  EXPECT_THROW(MultiMarginLoss(1, 1.0, zeros({2, 2})), ValueError);
  EXPECT_THROW(TripletMarginLoss(0.0), ValueError);
  EXPECT_THROW(CrossEntropyLoss()(zeros({2, 3}), tensor({0, 3})), IndexError);
  EXPECT_THROW(CTCLoss(4)(zeros({5, 2, 4}), zeros({2, 2}, kInt64),
                          tensor({5, 5}), tensor({2, 2})),
               ValueError);
}

TEST(Losses, MoveTheirWeightsAndNotTheCallers) {
  Tensor weight = tensor({1.0, 2.0});
  CrossEntropyLoss loss(weight);
  CrossEntropyLoss copy = loss.clone(Device("xla:0"));
  EXPECT_TRUE(copy->options.weight.is_xla());
  EXPECT_FALSE(loss->options.weight.is_xla());
  loss.to("xla:0");
  EXPECT_FALSE(weight.is_xla());
  Tensor logits = randn({3, 2}), classes = tensor({0, 1, 1});
  double wanted = F::cross_entropy(logits, classes, weight).item<double>();
  EXPECT_NEAR(loss(logits.to("xla:0"), classes.to("xla:0")).item<double>(),
              wanted, 1e-5);
}
