// Compares every optimizer with ten steps of PyTorch's; tests state dicts and
// invalid options.
#include "../thrown.h"
#include "cases.h"

#include "xlac/serialization.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace xlac::optim {
namespace {

using cases::set_gradients;
using cases::values;

class EveryOptimizer : public testing::TestWithParam<expected::OptimizerCase> {
};

void expect_near(const std::vector<double> &got,
                 const std::vector<double> &wanted, double tolerance,
                 const std::string &what) {
  ASSERT_EQ(got.size(), wanted.size()) << what;
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], tolerance * (1 + std::abs(wanted[i])))
        << what << " " << i;
}

void take_steps(Optimizer &optimizer, const std::vector<Tensor> &params,
                int from, int to) {
  for (int step = from; step < to; ++step) {
    set_gradients(params, step);
    EXPECT_EQ(optimizer.step(), std::nullopt);
  }
}

TEST_P(EveryOptimizer, TakesTenStepsAsPyTorchDoes) {
  for (Dtype dtype : {kFloat64, kFloat32}) {
    std::vector<Tensor> params = cases::start(dtype, kCPU);
    auto optimizer = cases::make(GetParam().name, params);
    take_steps(*optimizer, params, 0, 10);
    // PyTorch stores NAdam's product of momenta in f32, and so do the expected
    // numbers.
    double tolerance = dtype == kFloat64 ? 1e-12 : 2e-5;
    expect_near(values(params), GetParam().parameters, tolerance, "parameters");
    Value state = optimizer->state_dict();
    for (const auto &[name, wanted] : GetParam().state)
      expect_near(state.at("state")
                      .to<Value::Dict>()[0]
                      .second.at(name)
                      .to<Tensor>()
                      .to_vector<double>(),
                  wanted, tolerance, name);
  }
}

TEST_P(EveryOptimizer, HasTheKeysOfPyTorch) {
  std::vector<Tensor> params = cases::start(kFloat64, kCPU);
  auto optimizer = cases::make(GetParam().name, params);
  take_steps(*optimizer, params, 0, 1);
  Value state = optimizer->state_dict();
  std::set<std::string> keys;
  for (const auto &[key, value] :
       state.at("param_groups").at(size_t{0}).to<Value::Dict>())
    keys.insert(key.to<std::string>());
  const auto &wanted = GetParam().option_keys;
  EXPECT_EQ(keys, std::set<std::string>(wanted.begin(), wanted.end()));
  auto kept = state.at("state").to<Value::Dict>();
  if (GetParam().state.empty()) {
    EXPECT_TRUE(kept.empty());
    return;
  }
  std::vector<std::string> names, wanted_names;
  for (const auto &[key, value] : kept[0].second.to<Value::Dict>())
    names.push_back(key.to<std::string>());
  for (const auto &[name, values] : GetParam().state)
    wanted_names.push_back(name);
  EXPECT_EQ(std::set(names.begin(), names.end()),
            std::set(wanted_names.begin(), wanted_names.end()));
  EXPECT_EQ(kept.size(), 2u);
}

TEST_P(EveryOptimizer, GoesOnFromAFile) {
  std::vector<Tensor> params = cases::start(kFloat32, kCPU);
  auto optimizer = cases::make(GetParam().name, params);
  take_steps(*optimizer, params, 0, 4);
  std::stringstream file;
  save(optimizer->state_dict(), file);

  std::vector<Tensor> others = cases::start(kFloat32, kCPU);
  for (size_t i = 0; i < params.size(); ++i)
    others[i].data().copy_(params[i].detach());
  auto other = cases::make(GetParam().name, others);
  other->param_groups()[0].options["lr"] = 3;
  other->load_state_dict(load(file));
  EXPECT_EQ(other->param_groups()[0].options,
            optimizer->param_groups()[0].options);
  take_steps(*optimizer, params, 4, 10);
  take_steps(*other, others, 4, 10);
  EXPECT_EQ(values(others), values(params));
}

TEST_P(EveryOptimizer, LeavesWhatHasNoGradient) {
  std::vector<Tensor> params = cases::start(kFloat32, kCPU);
  auto optimizer = cases::make(GetParam().name, params);
  std::vector<double> before = values({params[1]});
  set_gradients(params, 0);
  params[1].set_grad({});
  int64_t id = params[0].id();
  optimizer->step();
  EXPECT_EQ(values({params[1]}), before);
  EXPECT_EQ(params[0].id(), id);
  EXPECT_TRUE(params[0].is_leaf());
  // From now on one parameter is a step behind the other.
  set_gradients(params, 1);
  optimizer->step();
  EXPECT_NE(values({params[1]}), before);
}

TEST_P(EveryOptimizer, StepsInNarrowFloatsAndInComplexNumbers) {
  std::vector<Tensor> wide = cases::start(kFloat32, kCPU);
  std::vector<Tensor> narrow = cases::start(kBFloat16, kCPU);
  Tensor both =
      complex(wide[1].detach(), wide[0].detach().view({-1}).narrow(0, 0, 3));
  std::vector<Tensor> pair = {both.requires_grad_()};
  auto first = cases::make(GetParam().name, wide);
  auto second = cases::make(GetParam().name, narrow);
  auto third = cases::make(GetParam().name, pair);
  for (int step = 0; step < 3; ++step) {
    set_gradients(wide, step);
    for (size_t i = 0; i < 2; ++i)
      narrow[i].set_grad(wide[i].grad().to(kBFloat16));
    pair[0].set_grad(
        complex(wide[1].grad(), wide[0].grad().view({-1}).narrow(0, 0, 3)));
    first->step();
    second->step();
    third->step();
  }
  // A step rounds to 8 bits.
  expect_near(values(narrow), values(wide), 0.03, "bfloat16");
  EXPECT_EQ(narrow[0].dtype(), kBFloat16);
  EXPECT_EQ(values({real(pair[0].detach())}), values({wide[1]}));
  EXPECT_EQ(values({imag(pair[0].detach())}),
            values({wide[0].detach().view({-1}).narrow(0, 0, 3)}));
}

INSTANTIATE_TEST_SUITE_P(, EveryOptimizer,
                         testing::ValuesIn(expected::kOptimizers),
                         cases::test_name<expected::OptimizerCase>);

//===- Options and state --------------------------------------------------===//

TEST(Options, AreChecked) {
  Tensor p = ones({1}).requires_grad_();
  std::vector<Tensor> params = {p};
  EXPECT_EQ(message_of<ValueError>([&] { Adam(params, {.lr = -0.5}); }),
            "Adam(): Invalid learning rate: -0.5");
  EXPECT_EQ(message_of<ValueError>([&] { AdamW(params, {.betas = {0.9, 1}}); }),
            "Adam(): Invalid beta parameter at index 1: 1");
  EXPECT_EQ(message_of<ValueError>([&] { RAdam(params, {.eps = -1}); }),
            "RAdam(): Invalid epsilon value: -1");
  EXPECT_EQ(
      message_of<ValueError>([&] { NAdam(params, {.momentum_decay = -1}); }),
      "NAdam(): Invalid momentum_decay value: -1");
  EXPECT_EQ(message_of<ValueError>([&] { Adadelta(params, {.rho = 1.5}); }),
            "Adadelta(): Invalid rho value: 1.5");
  EXPECT_THROW(Adamax(params, {.weight_decay = -1}), ValueError);
  EXPECT_THROW(Adagrad(params, {.lr_decay = -1}), ValueError);
  EXPECT_THROW(RMSprop(params, {.alpha = -1}), ValueError);
  EXPECT_THROW(Rprop(params, {.etas = {0.5, 1}}), ValueError);
  EXPECT_THROW(Lion(params, {.betas = {-0.1, 0.9}}), ValueError);
  EXPECT_THROW(SGD(params, {.momentum = std::nan("")}), ValueError);
}

TEST(Options, ArePyTorchsByDefault) {
  std::vector<Tensor> params = {ones({1}).requires_grad_()};
  auto defaults_of = [](Optimizer &&optimizer) {
    return optimizer.param_groups()[0].options;
  };
  using Map = std::map<std::string, double>;
  EXPECT_EQ(defaults_of(AdamW(params)), (Map{{"lr", 1e-3},
                                             {"beta1", 0.9},
                                             {"beta2", 0.999},
                                             {"eps", 1e-8},
                                             {"weight_decay", 1e-2},
                                             {"amsgrad", 0},
                                             {"maximize", 0},
                                             {"decoupled_weight_decay", 1}}));
  EXPECT_EQ(defaults_of(Rprop(params)), (Map{{"lr", 1e-2},
                                             {"etaminus", 0.5},
                                             {"etaplus", 1.2},
                                             {"step_size_min", 1e-6},
                                             {"step_size_max", 50},
                                             {"maximize", 0}}));
  EXPECT_EQ(defaults_of(RMSprop(params, {.centered = true})),
            (Map{{"lr", 1e-2},
                 {"momentum", 0},
                 {"alpha", 0.99},
                 {"eps", 1e-8},
                 {"centered", 1},
                 {"weight_decay", 0},
                 {"maximize", 0}}));
  EXPECT_EQ(defaults_of(Lion(params)).at("lr"), 1e-4);
  EXPECT_EQ(defaults_of(Adamax(params)).at("lr"), 2e-3);
  EXPECT_EQ(defaults_of(NAdam(params)).at("momentum_decay"), 4e-3);
}

TEST(Options, OfGroupsAreTheirOwn) {
  Tensor a = ones({2}).requires_grad_(), b = ones({2}).requires_grad_();
  Adam optimizer(std::vector<ParamGroup>{{{a}, {{"lr", 0.5}, {"beta1", 0.5}}},
                                         {{b}, {{"weight_decay", 0.1}}}},
                 {.lr = 0.25});
  a.set_grad(ones({2}));
  b.set_grad(ones({2}));
  optimizer.step();
  EXPECT_NEAR(a[0].item<double>(), 0.5, 1e-6);
  EXPECT_NEAR(b[0].item<double>(), 0.75, 1e-6);
  Value groups = optimizer.state_dict().at("param_groups");
  std::ostringstream betas;
  betas << groups.at(size_t{0}).at("betas")
        << groups.at(size_t{1}).at("params");
  EXPECT_EQ(betas.str(), "(0.5, 0.999)[1]");
  EXPECT_THROW(optimizer.add_param_group({{ones({1})}, {{"alpha", 1}}}),
               ValueError);
}

template <class Kind>
std::unique_ptr<Optimizer> make_plain(std::vector<Tensor> params) {
  return std::make_unique<Kind>(std::move(params));
}

TEST(States, OfPyTorchGoOn) {
  Value cases = load(std::string(XLAC_COMPAT_FOLDER) + "/torch_optimizers.pt");
  const std::map<std::string,
                 std::unique_ptr<Optimizer> (*)(std::vector<Tensor>)>
      kinds = {{"SGD", make_plain<SGD>},           {"Adam", make_plain<Adam>},
               {"AdamW", make_plain<AdamW>},       {"NAdam", make_plain<NAdam>},
               {"Adamax", make_plain<Adamax>},     {"RAdam", make_plain<RAdam>},
               {"Adagrad", make_plain<Adagrad>},   {"Rprop", make_plain<Rprop>},
               {"Adadelta", make_plain<Adadelta>}, {"LBFGS", make_plain<LBFGS>},
               {"RMSprop", make_plain<RMSprop>}};
  EXPECT_EQ(cases.size(), kinds.size());
  for (const auto &[key, wanted] : cases.to<Value::Dict>()) {
    auto name = key.to<std::string>();
    Tensor p = wanted.at("parameter").to<Tensor>().requires_grad_();
    auto optimizer = kinds.at(name)({p});
    optimizer->load_state_dict(wanted.at("state"));
    auto closure = [&] {
      optimizer->zero_grad();
      Tensor loss = ((p - 1) * (p - 1) * tensor({1.0, 4.0, 2.0})).sum();
      loss.backward();
      return loss;
    };
    for (int step = 0; step < 2; ++step)
      optimizer->step({.closure = closure});
    expect_near(values({p}),
                wanted.at("after").to<Tensor>().to_vector<double>(), 1e-6,
                name);
  }
}

TEST(States, FromElsewhereAreChecked) {
  std::vector<Tensor> params = {ones({2}).requires_grad_()};
  Adam optimizer(params);
  params[0].set_grad(ones({2}));
  optimizer.step();
  Value state = optimizer.state_dict();
  // State dicts of versions without an option.
  auto group = state.at("param_groups").at(size_t{0}).to<Value::Dict>();
  auto without = [&](const std::string &key) {
    Value::Dict rest;
    for (const auto &entry : group)
      if (entry.first.to<std::string>() != key)
        rest.push_back(entry);
    return Value(Value::Dict{{"state", state.at("state")},
                             {"param_groups", Value::List{rest}}});
  };
  Adam other(params, {.amsgrad = true});
  other.load_state_dict(without("amsgrad"));
  EXPECT_EQ(other.param_groups()[0].options.at("amsgrad"), 1);
  EXPECT_THROW(other.load_state_dict(without("eps")), KeyError);
  EXPECT_THROW(SGD(params).load_state_dict(state), KeyError);
  Value::Dict far = {{3, Value::Dict{}}};
  EXPECT_THROW(other.load_state_dict(Value::Dict{
                   {"state", far}, {"param_groups", Value::List{group}}}),
               ValueError);
}

} // namespace
} // namespace xlac::optim
