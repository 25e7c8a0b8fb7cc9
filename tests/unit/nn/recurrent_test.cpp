// Recurrent layers as one loop, and their errors. modules_test.cpp checks the
// results.
#include "xlac/nn.h"
#include "xlac/stablehlo.h"
#include "xlac/utils.h"
#include "xlac/xla_model.h"

#include <gtest/gtest.h>

using namespace xlac;
using namespace xlac::nn;

namespace {

/// Returns the StableHLO of a training step over `times` time steps.
std::string program_of(int64_t times) {
  Device device("xla:0");
  LSTM lstm = LSTM(3, 2).to(device);
  Tensor input = randn({times, 2, 3}, device).requires_grad_();
  std::get<0>(lstm(input)).sum().backward();
  std::vector<Tensor> wanted = lstm->parameters();
  for (Tensor &tensor : wanted)
    tensor = tensor.grad();
  wanted.push_back(input.grad());
  return xm::get_stablehlo(wanted);
}

size_t count(const std::string &text, const std::string &what) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
    ++found;
  return found;
}

} // namespace

TEST(LSTM, IsOneLoopForwardAndOneBack) {
  std::string few = program_of(5), many = program_of(500);
  EXPECT_EQ(count(few, "chlo.scan"), 2U);
  EXPECT_EQ(count(few, "\n"), count(many, "\n"));
  // The forward and the backward loop have one GEMM each. The GEMMs of the
  // inputs, of their gradients and of both weights' gradients are over all
  // times.
  EXPECT_EQ(count(few, "dot_general"), 6U);
}

TEST(LSTM, ProgramsAreSavedAndRun) {
  LSTM lstm = LSTM(3, 2, 2, true, true, 0.0, true).to("xla:0");
  Tensor input = randn({2, 4, 3}, Device("xla:0"));
  stablehlo::Program program = stablehlo::trace(
      [&](const std::vector<Tensor> &in) {
        return std::vector<Tensor>{std::get<0>(lstm(in[0]))};
      },
      {input});
  xu::TmpFolder folder;
  stablehlo::save_as_stablehlo(program, lstm->state_dict(), folder.name());
  Tensor got = stablehlo::GraphModule::load(folder.name())({input})[0];
  EXPECT_TRUE(allclose(got, std::get<0>(lstm(input)), 1e-5, 1e-6));
}

TEST(LSTM, LearnsToRemember) {
  // The target is the first of ten signs, at the end of the sequence.
  manual_seed(3);
  Device device("xla:0");
  LSTM lstm = LSTM({.input_size = 1, .hidden_size = 8}).to(device);
  Linear head = Linear(8, 1).to(device);
  std::vector<Tensor> parameters = lstm->parameters();
  {
    // Opens the forget gates initially, so that training succeeds with any
    // seed.
    NoGradGuard guard;
    parameters[2].slice(0, 8, 16).fill_(3.0);
  }
  for (const Tensor &parameter : head->parameters())
    parameters.push_back(parameter);
  optim::Adam optimizer(parameters, {.lr = 0.05});
  double loss = 1;
  for (int step = 0; step < 120 && loss > 0.02; ++step) {
    Tensor signs = randint(0, 2, {10, 32, 1}, device).to(kFloat32) * 2.0 - 1.0;
    optimizer.zero_grad();
    Tensor last = std::get<0>(std::get<1>(lstm(signs)))[0];
    Tensor error = F::mse_loss(head(last), signs[0]);
    error.backward();
    optimizer.step();
    xm::mark_step();
    loss = error.item<double>();
  }
  EXPECT_LT(loss, 0.1);
}

TEST(CTCLoss, IsOneLoopForwardAndOneBack) {
  auto program_of = [](int64_t times) {
    Device device("xla:0");
    Tensor logits = randn({times, 2, 4}, device).requires_grad_();
    Tensor targets = tensor({{1, 2, 2}, {3, 1, 2}}).to(device);
    CTCLoss()(logits.log_softmax(2), targets,
              full({2}, times, TensorOptions(device).dtype(kInt64)),
              full({2}, 3, TensorOptions(device).dtype(kInt64)))
        .backward();
    return xm::get_stablehlo({logits.grad()});
  };
  std::string few = program_of(7), many = program_of(200);
  EXPECT_EQ(count(few, "chlo.scan"), 2U);
  EXPECT_EQ(count(few, "\n"), count(many, "\n"));
}

TEST(LSTM, DropsBetweenLayersInTraining) {
  manual_seed(1);
  LSTM lstm(
      {.input_size = 3, .hidden_size = 8, .num_layers = 2, .dropout = 0.5});
  Tensor input = randn({4, 2, 3});
  Tensor first = std::get<0>(lstm(input)), second = std::get<0>(lstm(input));
  EXPECT_FALSE(equal(first, second));
  lstm.eval();
  EXPECT_TRUE(equal(std::get<0>(lstm(input)), std::get<0>(lstm(input))));
}

TEST(LSTM, StartsWithinItsBounds) {
  LSTM lstm({.input_size = 3, .hidden_size = 16, .num_layers = 2});
  EXPECT_EQ(lstm->flat_weights.size(), 8U);
  for (const Tensor &weight : lstm->flat_weights) {
    double largest = weight.detach().abs().max().item<double>();
    EXPECT_LE(largest, 0.25);
    EXPECT_GT(largest, 0.15);
  }
}

TEST(Recurrent, RefuseWhatDoesNotFit) {
  EXPECT_THROW(LSTM(3, 0), ValueError);
  EXPECT_THROW(LSTM(3, 2, 0), ValueError);
  EXPECT_THROW(LSTM(3, 2, 1, true, false, 1.5), ValueError);
  EXPECT_THROW(LSTM(3, 2, 1, true, false, 0.0, false, 2), ValueError);
  EXPECT_THROW(RNN(3, 2, 1, "sigmoid"), ValueError);
  GRU gru(3, 2);
  EXPECT_THROW(gru(zeros({4})), ShapeError);
  EXPECT_THROW(gru(zeros({4, 2, 5})), ShapeError);
  EXPECT_THROW(gru(zeros({4, 2, 3}, kFloat64)), ValueError);
  EXPECT_THROW(gru(zeros({4, 2, 3}), zeros({1, 3, 2})), ShapeError);
  EXPECT_THROW(gru(zeros({4, 2, 3}), zeros({1, 2})), ShapeError);
  EXPECT_THROW(GRUCell(3, 2)(zeros({1, 1, 3})), ShapeError);
}

TEST(Recurrent, ClonesHaveWeightsOfTheirOwn) {
  LSTM lstm(3, 2);
  LSTM copy = lstm.clone(Device("xla:0"));
  Tensor input = randn({4, 2, 3});
  EXPECT_TRUE(allclose(std::get<0>(copy(input.to("xla:0"))).cpu(),
                       std::get<0>(lstm(input)), 1e-5, 1e-6));
}
