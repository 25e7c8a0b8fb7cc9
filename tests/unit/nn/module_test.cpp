// The module tree: names, traversal, state, moves, clones, printing.
#include "xlac/nn.h"

#include <gtest/gtest.h>

using namespace xlac;

namespace {

struct BlockImpl : nn::Module {
  BlockImpl(int64_t width) {
    fc = register_module("fc", nn::Linear(width, width));
    bn = register_module("bn", nn::BatchNorm2d(width));
    scale = register_parameter("scale", ones({1}));
  }
  Tensor forward(const Tensor &x) { return fc(x) * scale; }
  nn::Linear fc{nullptr};
  nn::BatchNorm2d bn{nullptr};
  Tensor scale;
};
XLAC_MODULE(Block);

struct NetImpl : nn::Module {
  NetImpl() {
    conv = register_module("conv", nn::Conv2d(1, 2, 3));
    block = register_module("block", Block(4));
    again = register_module("again", block);
  }
  Tensor forward(const Tensor &x) { return block(x); }
  nn::Conv2d conv{nullptr};
  Block block{nullptr}, again{nullptr};
};
XLAC_MODULE(Net);

template <class Named> std::vector<std::string> names(const Named &named) {
  std::vector<std::string> found;
  for (const auto &[name, tensor] : named)
    found.push_back(name);
  return found;
}

} // namespace

TEST(Module, ListsEachParameterOnceInOrder) {
  Net net;
  EXPECT_EQ(names(net->named_parameters()),
            (std::vector<std::string>{"conv.weight", "conv.bias", "block.scale",
                                      "block.fc.weight", "block.fc.bias",
                                      "block.bn.weight", "block.bn.bias"}));
  EXPECT_EQ(
      names(net->named_buffers()),
      (std::vector<std::string>{"block.bn.running_mean", "block.bn.running_var",
                                "block.bn.num_batches_tracked"}));
  EXPECT_EQ(net->parameters(false).size(), 0U);
  EXPECT_EQ(net->children().size(), 2U);
  EXPECT_EQ(net->modules().size(), 5U);
  EXPECT_EQ(net->modules(false).size(), 4U);
}

TEST(Module, RefusesNamesThatAreTakenOrHaveDots) {
  struct Bad : nn::Module {};
  Bad module;
  module.register_buffer("a", zeros({1}));
  EXPECT_THROW(module.register_parameter("a", zeros({1})), ValueError);
  EXPECT_THROW(module.register_parameter("a.b", zeros({1})), ValueError);
  EXPECT_THROW(module.register_module("", nn::Linear(1, 1)), ValueError);
  EXPECT_THROW(module.register_module("b", nn::Linear(nullptr)), ValueError);
}

TEST(Module, IsMadeOfNoOptionsOrNotYet) {
  nn::Softmax plain({.dim = {}});
  EXPECT_EQ(plain->str(), "Softmax(dim=None)");
  nn::GELU later{nullptr};
  EXPECT_FALSE(later);
  later = nn::GELU("tanh");
  EXPECT_EQ(later->str(), "GELU(approximate='tanh')");
  static_assert(!std::is_constructible_v<nn::Linear, int>);
  static_assert(!std::is_constructible_v<nn::Conv2d, int, int>);
}

TEST(Module, TrainingModeReachesTheWholeTree) {
  Net net = Net().eval();
  EXPECT_FALSE(net->is_training());
  EXPECT_FALSE(net->block->bn->is_training());
  net.train();
  EXPECT_TRUE(net->block->bn->is_training());
}

TEST(Module, StateDictHoldsTheLiveTensors) {
  Net net;
  StateDict state = net->state_dict();
  // A module with two names is listed twice, as in PyTorch.
  EXPECT_EQ(state.size(), 2U + 2 * 8);
  Tensor weight = state.at("block.fc.weight");
  {
    NoGradGuard guard;
    weight.fill_(3);
  }
  EXPECT_TRUE(equal(net->block->fc->weight, full({4, 4}, 3.0)));
  EXPECT_TRUE(state.at("again.fc.weight").is_same(weight));
}

TEST(Module, LoadsStateAndSaysWhatDoesNotFit) {
  Net from, to;
  to->load_state_dict(from->state_dict());
  EXPECT_TRUE(equal(to->conv->weight, from->conv->weight));
  EXPECT_FALSE(to->conv->weight.is_same(from->conv->weight));

  StateDict partial;
  partial["weight"] = zeros({2, 3});
  partial["extra"] = zeros({1});
  nn::Linear linear(3, 2);
  try {
    linear->load_state_dict(partial);
    FAIL();
  } catch (const KeyError &error) {
    std::string text = error.what();
    EXPECT_NE(text.find("Missing key(s) in state_dict: \"bias\""),
              std::string::npos);
    EXPECT_NE(text.find("Unexpected key(s) in state_dict: \"extra\""),
              std::string::npos);
  }
  auto keys = linear->load_state_dict(partial, false);
  EXPECT_EQ(keys.missing, std::vector<std::string>{"bias"});
  EXPECT_EQ(keys.unexpected, std::vector<std::string>{"extra"});
  EXPECT_TRUE(equal(linear->weight, zeros({2, 3})));

  partial["weight"] = zeros({3, 2});
  EXPECT_THROW(linear->load_state_dict(partial, false), ShapeError);
}

TEST(Module, MovesInPlaceAndKeepsIds) {
  nn::Linear linear(3, 2);
  int64_t id = linear->weight.id();
  Tensor known = linear->weight;
  Tensor before = linear->weight.detach().clone();
  linear.to(Device("xla:0"));
  EXPECT_EQ(linear->weight.id(), id);
  EXPECT_EQ(linear->weight.device().str(), "xla:0");
  EXPECT_TRUE(known.is_xla());
  EXPECT_TRUE(linear->weight.requires_grad());
  EXPECT_TRUE(equal(linear.cpu()->weight, before));
  linear.to(kFloat64);
  EXPECT_EQ(linear->bias.dtype(), kFloat64);
  EXPECT_THROW(linear.to(kInt64), TypeError);
  nn::BatchNorm2d norm(2);
  norm.to(kFloat64);
  EXPECT_EQ(norm->num_batches_tracked.dtype(), kInt64);
  EXPECT_EQ(norm->running_mean.dtype(), kFloat64);
}

TEST(Module, ClonesHaveTensorsOfTheirOwn) {
  Net net = Net().eval();
  net->conv->bias.requires_grad_(false);
  Net copy = net.clone();
  EXPECT_TRUE(equal(copy->conv->weight, net->conv->weight));
  EXPECT_FALSE(copy->conv->weight.is_alias_of(net->conv->weight));
  EXPECT_FALSE(copy->is_training());
  EXPECT_FALSE(copy->conv->bias.requires_grad());
  EXPECT_TRUE(copy->conv->weight.requires_grad());
  EXPECT_TRUE(copy->again->fc->weight.is_same(copy->block->fc->weight));
  EXPECT_EQ(net.clone(Device("xla:0"))->conv->weight.device().str(), "xla:0");
}

TEST(Module, AppliesChildrenFirst) {
  Net net;
  std::vector<std::string> seen;
  net->apply([&](nn::Module &module) { seen.push_back(module.name()); });
  EXPECT_EQ(seen, (std::vector<std::string>{"BatchNorm2d", "Linear", "Block",
                                            "Conv2d", "Net"}));
}

TEST(Module, PrintsAsPytorch) {
  Net net;
  EXPECT_EQ(net->str(), R"(Net(
  (conv): Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1))
  (block): Block(
    (fc): Linear(in_features=4, out_features=4, bias=True)
    (bn): BatchNorm2d(4, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)
  )
  (again): Block(
    (fc): Linear(in_features=4, out_features=4, bias=True)
    (bn): BatchNorm2d(4, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)
  )
))");
  EXPECT_EQ(nn::NLLLoss()->str(), "NLLLoss()");
  nn::Conv2d conv(nn::Conv2dOptions{.in_channels = 4,
                                    .out_channels = 2,
                                    .kernel_size = {3, 1},
                                    .padding = {1},
                                    .groups = 2,
                                    .bias = false});
  EXPECT_EQ(conv->str(), "Conv2d(4, 2, kernel_size=(3, 1), stride=(1, 1), "
                         "padding=(1, 1), groups=2, bias=False)");
}

TEST(Module, GradientsAreCleared) {
  nn::Linear linear(3, 2);
  linear(ones({1, 3})).sum().backward();
  ASSERT_TRUE(linear->weight.grad().defined());
  linear->zero_grad(false);
  EXPECT_TRUE(equal(linear->weight.grad(), zeros({2, 3})));
  linear->zero_grad();
  EXPECT_FALSE(linear->weight.grad().defined());
  linear->requires_grad_(false);
  EXPECT_FALSE(linear(ones({1, 3})).requires_grad());
}

TEST(Module, NamedTensorsAreFoundByName) {
  nn::Linear linear(3, 2);
  nn::NamedTensors named = linear->named_parameters();
  EXPECT_EQ(named.keys(), (std::vector<std::string>{"weight", "bias"}));
  EXPECT_EQ(named[1].key(), "bias");
  EXPECT_TRUE(named[1].value().is_same(linear->bias));
  EXPECT_TRUE(named["weight"].is_same(linear->weight));
  EXPECT_TRUE(named.contains("bias"));
  EXPECT_FALSE(named.contains("scale"));
  EXPECT_EQ(named.values().size(), 2u);
  EXPECT_THROW(named["scale"], KeyError);
  for (auto &[name, tensor] : linear->named_parameters())
    EXPECT_TRUE(tensor.defined()) << name;
}
