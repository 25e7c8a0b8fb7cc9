// Containers, and type-erased modules.
#include "xlac/nn.h"

#include <gtest/gtest.h>

using namespace xlac;

namespace {

struct SplitImpl : nn::Module {
  std::tuple<Tensor, Tensor> forward(const Tensor &x) { return {x + 1, x * 2}; }
};
XLAC_MODULE(Split);

struct JoinImpl : nn::Module {
  Tensor forward(const std::tuple<Tensor, Tensor> &pair) {
    return std::get<0>(pair) + std::get<1>(pair);
  }
};
XLAC_MODULE(Join);

struct ScaledImpl : nn::Module {
  Tensor forward(const Tensor &x, double factor) { return x * factor; }
};
XLAC_MODULE(Scaled);

std::vector<std::string> keys(const nn::Module &module) {
  std::vector<std::string> found;
  for (const auto &[key, tensor] : module.state_dict())
    found.push_back(key);
  return found;
}

using Names = std::vector<std::string>;

} // namespace

TEST(AnyModule, CallsWhatItHolds) {
  nn::AnyModule linear = nn::Linear(3, 2);
  EXPECT_EQ(linear(ones({4, 3})).sizes(), (Shape{4, 2}));
  EXPECT_TRUE(linear.get<nn::Linear>()->weight.is_same(
      linear->named_parameters()[0].second));
  EXPECT_THROW(linear.get<nn::ReLU>(), TypeError);
  EXPECT_THROW(linear(ones({3}), ones({3})), TypeError);
  EXPECT_THROW(linear.forward<double>(ones({3})), TypeError);
  nn::AnyModule scaled = Scaled();
  EXPECT_EQ(scaled(ones({1}), 2.5).item<double>(), 2.5);
  EXPECT_THROW(scaled(ones({1}), 2), TypeError);
  nn::AnyModule function = [](const Tensor &x) { return x.neg(); };
  EXPECT_EQ(function(ones({1})).item<double>(), -1);
  EXPECT_EQ(function->str(), "Functional()");
  nn::AnyModule declared = [](Tensor x, int64_t power) { return x.pow(power); };
  EXPECT_EQ(declared(full({1}, 3.0), int64_t{2}).item<double>(), 9);
  EXPECT_THROW(declared(ones({1})), TypeError);
  EXPECT_EQ(declared.clone()->str(), "Functional()");
}

TEST(AnyModule, HooksOfItsModuleRun) {
  nn::ReLU relu;
  int calls = 0;
  relu->register_forward_hook(
      [&](nn::Module &, const auto &, const auto &) { ++calls; });
  nn::Sequential net(relu, nn::AnyModule(relu));
  net(ones({1}));
  EXPECT_EQ(calls, 2);
}

TEST(Sequential, PassesResultsOn) {
  nn::Linear first(3, 4), second(4, 2);
  nn::Sequential net(first, xlac::relu, second);
  Tensor x = randn({5, 3});
  EXPECT_TRUE(equal(net(x), second(relu(first(x)))));
  EXPECT_EQ(keys(*net), (Names{"0.weight", "0.bias", "2.weight", "2.bias"}));
  EXPECT_TRUE(net->at<nn::Linear>(-1)->weight.is_same(second->weight));
  EXPECT_THROW(net[3], IndexError);
  EXPECT_THROW(net->at<nn::Tanh>(0), TypeError);
  int64_t parameters = 0;
  for (const nn::AnyModule &module : net)
    parameters += static_cast<int64_t>(module->parameters().size());
  EXPECT_EQ(parameters, 4);
}

TEST(Sequential, TakesWhatItsModulesTake) {
  nn::Sequential net{Scaled(), Split(), Join()};
  EXPECT_EQ(net(ones({1}), 3.0).item<double>(), 10);
  nn::Sequential ends_in_two{Split()};
  nn::Sequential picks(Split(), [](const std::tuple<Tensor, Tensor> &pair) {
    return std::get<1>(pair);
  });
  EXPECT_EQ(picks(ones({1})).item<double>(), 2);
  auto [a, b] = ends_in_two->forward<std::tuple<Tensor, Tensor>>(ones({1}));
  EXPECT_EQ(b.item<double>(), 2);
  EXPECT_THROW(ends_in_two(ones({1})), TypeError);
  EXPECT_THROW(nn::Sequential{Join()}(ones({1})), TypeError);
  Tensor x = ones({2});
  EXPECT_TRUE(nn::Sequential()(x).is_same(x));
}

TEST(Sequential, ChangesAfterItWasMade) {
  nn::Sequential net;
  net->append(nn::Linear(2, 3));
  net->extend({nn::ReLU(), nn::Linear(3, 1)});
  net->insert(1, nn::Tanh());
  EXPECT_EQ(net->str(), R"(Sequential(
  (0): Linear(in_features=2, out_features=3, bias=True)
  (1): Tanh()
  (2): ReLU()
  (3): Linear(in_features=3, out_features=1, bias=True)
))");
  EXPECT_EQ(net->pop(-2)->name(), "ReLU");
  EXPECT_EQ(keys(*net), (Names{"0.weight", "0.bias", "2.weight", "2.bias"}));
  EXPECT_THROW(nn::Sequential({{"a.b", nn::ReLU()}}), ValueError);
}

TEST(Sequential, ClonesWhatIsThereNow) {
  nn::Linear shared(2, 2);
  nn::Sequential net(shared);
  net->append(shared);
  nn::Sequential copy = net.clone();
  EXPECT_TRUE(equal(copy(ones({2})), net(ones({2}))));
  EXPECT_FALSE(copy->at<nn::Linear>(0)->weight.is_alias_of(shared->weight));
  EXPECT_EQ(copy->parameters().size(), 2U);
  EXPECT_TRUE(
      copy->at<nn::Linear>(0)->weight.is_same(copy->at<nn::Linear>(1)->weight));
}

TEST(ModuleList, HoldsModules) {
  nn::ModuleList list(nn::Linear(1, 2), nn::ReLU());
  list->append(nn::Linear(2, 3));
  EXPECT_EQ(list->size(), 3);
  EXPECT_EQ(list[-1](ones({2})).sizes(), Shape{3});
  EXPECT_EQ(keys(*list), (Names{"0.weight", "0.bias", "2.weight", "2.bias"}));
  EXPECT_EQ(list.clone()->str(), list->str());
}

TEST(ModuleDict, HoldsModulesByName) {
  nn::ModuleDict dict({{"conv", nn::Conv1d(1, 1, 1)}, {"act", nn::ReLU()}});
  dict->insert("last", nn::Linear(2, 2));
  dict->insert("conv", nn::Linear(3, 3));
  EXPECT_EQ(dict->keys(), (Names{"conv", "act", "last"}));
  EXPECT_EQ(dict["conv"]->name(), "Linear");
  EXPECT_EQ(dict->at<nn::Linear>("last")->weight.sizes(), (Shape{2, 2}));
  EXPECT_EQ(dict->pop("act")->name(), "ReLU");
  EXPECT_FALSE(dict->contains("act"));
  EXPECT_THROW(dict["act"], KeyError);
  EXPECT_THROW(dict->pop("act"), KeyError);
  EXPECT_EQ(dict.clone()->keys(), dict->keys());
  dict->clear();
  EXPECT_EQ(dict->size(), 0);
  EXPECT_EQ(dict->parameters().size(), 0U);
}

TEST(Parameters, InLists) {
  Tensor a = zeros({2}), b = zeros({3, 1});
  nn::ParameterList list({a});
  list->append(b);
  EXPECT_TRUE(a.requires_grad());
  EXPECT_TRUE(list[-1].is_same(b));
  EXPECT_EQ(keys(*list), (Names{"0", "1"}));
  nn::ParameterList copy = list.clone();
  EXPECT_FALSE(copy[0].is_alias_of(a));
  EXPECT_TRUE(copy[0].requires_grad());
  EXPECT_THROW(list[2], IndexError);
}

TEST(Parameters, InDicts) {
  Tensor a = zeros({2});
  nn::ParameterDict dict({{"a", a}, {"b", zeros({1})}});
  dict->insert("a", ones({3}));
  EXPECT_EQ(dict->keys(), (Names{"a", "b"}));
  EXPECT_EQ(dict->parameters()[0].sizes(), Shape{3});
  EXPECT_TRUE(dict["a"].requires_grad());
  dict->pop("a");
  EXPECT_FALSE(dict->contains("a"));
  EXPECT_EQ(keys(*dict), Names{"b"});
  EXPECT_THROW(dict->pop("a"), KeyError);
  EXPECT_THROW(dict["a"], KeyError);
  EXPECT_EQ(dict.clone()->keys(), Names{"b"});
}

TEST(Sequential, IsBuiltByPushBack) {
  nn::Sequential net;
  net->push_back(nn::Linear(4, 8));
  net->push_back("act",
                 nn::Functional([](const Tensor &x) { return x.relu(); }));
  net->push_back(nn::Linear(8, 1));
  EXPECT_EQ(net->size(), 3);
  EXPECT_EQ(net(ones({2, 4})).sizes(), (Shape{2, 1}));
  EXPECT_EQ(
      net->named_parameters().keys(),
      (std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"}));
  EXPECT_THROW(net->push_back("act", nn::Linear(1, 1)), ValueError);
  EXPECT_EQ(net->size(), 3);
}
