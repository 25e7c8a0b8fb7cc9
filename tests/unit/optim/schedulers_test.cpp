// Compares schedulers with PyTorch's rates.
#include "cases.h"

#include "xlac/optim.h"
#include "xlac/serialization.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

namespace xlac::optim {
namespace {

using Scheduler = std::shared_ptr<LRScheduler>;

struct Training {
  SGD optimizer;
  Scheduler scheduler;

  explicit Training(const std::string &name)
      : optimizer(groups(), {.lr = 1, .momentum = 0.5}), scheduler(make(name)) {
  }

  static std::vector<ParamGroup> groups() {
    Tensor a = zeros({1}).requires_grad_(), b = zeros({1}).requires_grad_();
    return {{{a}, {{"lr", 0.1}}}, {{b}, {{"lr", 0.5}}}};
  }

  Scheduler make(const std::string &name);
  void step(double metric) {
    if (auto *plateau = dynamic_cast<ReduceLROnPlateau *>(scheduler.get()))
      plateau->step(metric);
    else
      scheduler->step();
  }
  double option(size_t group, const char *name) {
    return optimizer.param_groups()[group].options.at(name);
  }
};

double power(double base, int64_t epoch) {
  return std::pow(base, static_cast<double>(epoch));
}

Scheduler Training::make(const std::string &name) {
  SGD &o = optimizer;
  if (name == "StepLR")
    return std::make_shared<StepLR>(o, 3, 0.5);
  if (name == "MultiStepLR")
    return std::make_shared<MultiStepLR>(o, std::vector<int64_t>{2, 5, 5, 9},
                                         0.3);
  if (name == "ConstantLR")
    return std::make_shared<ConstantLR>(o, 0.25, 4);
  if (name == "LinearLR")
    return std::make_shared<LinearLR>(o, 0.2, 0.7, 6);
  if (name == "ExponentialLR")
    return std::make_shared<ExponentialLR>(o, 0.85);
  if (name == "PolynomialLR")
    return std::make_shared<PolynomialLR>(o, 7, 1.5);
  if (name == "CosineAnnealingLR")
    return std::make_shared<CosineAnnealingLR>(o, 5, 0.01);
  if (name == "CosineAnnealingWarmRestarts")
    return std::make_shared<CosineAnnealingWarmRestarts>(o, 3, 2, 0.02);
  if (name == "LambdaLR")
    return std::make_shared<LambdaLR>(
        o, std::vector<LambdaLR::Function>{
               [](int64_t epoch) { return power(0.9, epoch); },
               [](int64_t epoch) {
                 return 1 / (1 + static_cast<double>(epoch));
               }});
  if (name == "OneCycleLR")
    return std::make_shared<OneCycleLR>(o, std::vector<double>{1, 2},
                                        OneCycleLROptions{.total_steps = 16});
  if (name == "OneCycleLR linear")
    return std::make_shared<OneCycleLR>(
        o, 1.0,
        OneCycleLROptions{.epochs = 4,
                          .steps_per_epoch = 4,
                          .pct_start = 0.4,
                          .anneal_strategy = "linear",
                          .base_momentum = 0.7,
                          .max_momentum = 0.9,
                          .div_factor = 10,
                          .final_div_factor = 100,
                          .three_phase = true});
  if (name == "SequentialLR") {
    std::vector<Scheduler> parts = {std::make_shared<ConstantLR>(o, 0.5, 2),
                                    std::make_shared<ExponentialLR>(o, 0.9),
                                    std::make_shared<StepLR>(o, 2, 0.5),
                                    std::make_shared<CosineAnnealingLR>(o, 5)};
    return std::make_shared<SequentialLR>(o, parts,
                                          std::vector<int64_t>{3, 6, 10});
  }
  if (name == "SequentialLR warm") {
    std::vector<Scheduler> parts = {
        std::make_shared<LinearLR>(o, 0.1, 1.0, 3),
        std::make_shared<CosineAnnealingWarmRestarts>(o, 3, 2),
        std::make_shared<LambdaLR>(
            o, [](int64_t epoch) { return power(0.8, epoch); }),
        std::make_shared<PolynomialLR>(o, 4)};
    return std::make_shared<SequentialLR>(o, parts,
                                          std::vector<int64_t>{3, 8, 12});
  }
  if (name == "ReduceLROnPlateau")
    return std::make_shared<ReduceLROnPlateau>(
        o, ReduceLROnPlateauOptions{.factor = 0.5,
                                    .patience = 1,
                                    .cooldown = 1,
                                    .min_lrs = {0.03, 0.01}});
  return std::make_shared<ReduceLROnPlateau>(
      o, ReduceLROnPlateauOptions{.mode = "max",
                                  .factor = 0.8,
                                  .patience = 0,
                                  .threshold = 0.1,
                                  .threshold_mode = "abs"});
}

class EverySchedule : public testing::TestWithParam<expected::ScheduleCase> {};

TEST_P(EverySchedule, HasTheRatesOfPyTorch) {
  const expected::ScheduleCase &wanted = GetParam();
  Training training(wanted.name);
  for (size_t i = 0; i < wanted.first.size(); ++i) {
    if (i > 0)
      training.step(expected::kMetrics[i - 1]);
    EXPECT_DOUBLE_EQ(training.scheduler->get_last_lr(), wanted.first[i]) << i;
    EXPECT_DOUBLE_EQ(training.scheduler->get_last_lr(1), wanted.second[i]) << i;
    EXPECT_EQ(training.option(0, "lr"), training.scheduler->get_last_lr());
    EXPECT_EQ(training.option(1, "lr"), training.scheduler->get_last_lr(1));
    EXPECT_DOUBLE_EQ(training.option(0, "momentum"), wanted.momenta[i]) << i;
  }
  EXPECT_THROW(training.scheduler->get_last_lr(2), IndexError);
}

TEST_P(EverySchedule, GoesOnFromAFile) {
  const expected::ScheduleCase &wanted = GetParam();
  Training training(wanted.name), other(wanted.name);
  const size_t half = wanted.first.size() / 2;
  for (size_t i = 0; i < half; ++i)
    training.step(expected::kMetrics[i]);
  std::stringstream file;
  save(Value(Value::Dict{{"optimizer", training.optimizer.state_dict()},
                         {"scheduler", training.scheduler->state_dict()}}),
       file);
  Value state = load(file);
  other.optimizer.load_state_dict(state.at("optimizer"));
  other.scheduler->load_state_dict(state.at("scheduler"));
  EXPECT_EQ(other.scheduler->get_last_lr(1),
            training.scheduler->get_last_lr(1));
  for (size_t i = half; i + 1 < wanted.first.size(); ++i) {
    other.step(expected::kMetrics[i]);
    EXPECT_DOUBLE_EQ(other.option(0, "lr"), wanted.first[i + 1]) << i;
    EXPECT_DOUBLE_EQ(other.option(1, "lr"), wanted.second[i + 1]) << i;
    EXPECT_DOUBLE_EQ(other.option(0, "momentum"), wanted.momenta[i + 1]) << i;
  }
}

TEST_P(EverySchedule, HasTheKeysOfPyTorch) {
  Training training(GetParam().name);
  std::set<std::string> keys;
  for (const auto &[key, value] :
       training.scheduler->state_dict().to<Value::Dict>())
    keys.insert(key.to<std::string>());
  const auto &wanted = GetParam().state_keys;
  EXPECT_EQ(keys, std::set(wanted.begin(), wanted.end()));
}

INSTANTIATE_TEST_SUITE_P(, EverySchedule,
                         testing::ValuesIn(expected::kSchedules),
                         cases::test_name<expected::ScheduleCase>);

TEST(Schedulers, AreChained) {
  Training training("ExponentialLR");
  ConstantLR constant(training.optimizer, 0.5, 2);
  std::vector<double> rates = {training.option(0, "lr")};
  for (int epoch = 0; epoch < 3; ++epoch) {
    training.scheduler->step();
    constant.step();
    rates.push_back(training.option(0, "lr"));
  }
  for (size_t i = 0; i < rates.size(); ++i)
    EXPECT_DOUBLE_EQ(rates[i], 0.1 * power(0.85, static_cast<int64_t>(i)) *
                                   (i < 2 ? 0.5 : 1));
}

TEST(Schedulers, GoOnAfterAnEpoch) {
  Training training("StepLR");
  for (int epoch = 0; epoch < 4; ++epoch)
    training.scheduler->step();
  double rate = training.option(0, "lr");
  StepLR resumed(training.optimizer, 3, 0.5, 4);
  EXPECT_EQ(resumed.last_epoch(), 5);
  EXPECT_EQ(resumed.get_last_lr(), rate);
  resumed.step();
  EXPECT_DOUBLE_EQ(resumed.get_last_lr(), rate / 2);
  SGD fresh({zeros({1}).requires_grad_()});
  EXPECT_THROW(StepLR(fresh, 3, 0.5, 4), KeyError);
}

TEST(Schedulers, GoToATimeBetweenEpochs) {
  SGD optimizer({zeros({1}).requires_grad_()}, {.lr = 1});
  CosineAnnealingWarmRestarts scheduler(optimizer, 2, 2);
  scheduler.step(3.5); // 1.5 into the second period, of length 4
  EXPECT_DOUBLE_EQ(scheduler.get_last_lr(),
                   (1 + std::cos(std::acos(-1.0) * 1.5 / 4)) / 2);
  EXPECT_EQ(scheduler.last_epoch(), 3);
  EXPECT_THROW(scheduler.step(-1.0), ValueError);
}

TEST(Schedulers, NestInSequences) {
  SGD optimizer({zeros({1}).requires_grad_()}, {.lr = 1});
  auto constant = [&](double factor) {
    return std::make_shared<ConstantLR>(optimizer, factor, 100);
  };
  auto inner = std::make_shared<SequentialLR>(
      optimizer, std::vector<Scheduler>{constant(0.5), constant(0.25)},
      std::vector<int64_t>{2});
  SequentialLR outer(optimizer, {inner, constant(0.125)}, {4});
  std::vector<double> rates = {outer.get_last_lr()};
  for (int epoch = 0; epoch < 5; ++epoch) {
    outer.step();
    rates.push_back(outer.get_last_lr());
  }
  EXPECT_EQ(rates, (std::vector<double>{0.5, 0.5, 0.25, 0.25, 0.125, 0.125}));
}

TEST(Schedulers, CycleBeta1) {
  Adam optimizer({zeros({1}).requires_grad_()});
  OneCycleLR scheduler(optimizer, 0.1, {.total_steps = 10});
  EXPECT_EQ(optimizer.param_groups()[0].options.at("beta1"), 0.95);
  for (int step = 0; step < 2; ++step)
    scheduler.step();
  EXPECT_DOUBLE_EQ(optimizer.param_groups()[0].options.at("beta1"), 0.85);
  EXPECT_DOUBLE_EQ(scheduler.get_last_lr(), 0.1);
}

TEST(Schedulers, RefuseWhatMakesNoSense) {
  Training training("StepLR"), other("StepLR");
  SGD &o = training.optimizer;
  EXPECT_THROW(StepLR(o, 0), ValueError);
  EXPECT_THROW(ConstantLR(o, 1.5), ValueError);
  EXPECT_THROW(LinearLR(o, 0), ValueError);
  EXPECT_THROW(LinearLR(o, 0.5, 1.5), ValueError);
  EXPECT_THROW(CosineAnnealingWarmRestarts(o, 0), ValueError);
  EXPECT_THROW(CosineAnnealingWarmRestarts(o, 1, 0), ValueError);
  EXPECT_THROW(LambdaLR(o, std::vector<LambdaLR::Function>(3)), ValueError);
  EXPECT_THROW(OneCycleLR(o, 1), ValueError);
  EXPECT_THROW(OneCycleLR(o, 1, {.total_steps = -3}), ValueError);
  EXPECT_THROW(OneCycleLR(o, 1, {.total_steps = 3, .anneal_strategy = "sin"}),
               ValueError);
  EXPECT_THROW(OneCycleLR(o, 1, {.total_steps = 3, .pct_start = 2}),
               ValueError);
  EXPECT_THROW(OneCycleLR(o, std::vector<double>{1}, {.total_steps = 3}),
               ValueError);
  Adagrad without_momentum({zeros({1}).requires_grad_()});
  EXPECT_THROW(OneCycleLR(without_momentum, 1, {.total_steps = 3}), ValueError);
  OneCycleLR two(o, 1, {.total_steps = 2});
  two.step();
  two.step();
  EXPECT_THROW(two.step(), ValueError);
  EXPECT_THROW(SequentialLR(o, {}, {}), ValueError);
  EXPECT_THROW(SequentialLR(o, {training.scheduler}, {3}), ValueError);
  EXPECT_THROW(SequentialLR(o, {other.scheduler}, {}), ValueError);
  auto plateau = std::make_shared<ReduceLROnPlateau>(o);
  EXPECT_THROW(SequentialLR(o, {plateau}, {}), ValueError);
  EXPECT_THROW(static_cast<LRScheduler &>(*plateau).step(), ValueError);
  EXPECT_THROW(ReduceLROnPlateau(o, {.mode = "best"}), ValueError);
  EXPECT_THROW(ReduceLROnPlateau(o, {.factor = 1}), ValueError);
  EXPECT_THROW(ReduceLROnPlateau(o, {.threshold_mode = "any"}), ValueError);
  EXPECT_THROW(ReduceLROnPlateau(o, {.min_lrs = {0.1}}), ValueError);
}

} // namespace
} // namespace xlac::optim
