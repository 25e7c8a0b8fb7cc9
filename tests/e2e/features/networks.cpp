// Rows of networks and their state: NN-01, NN-03, NN-07 to NN-10, NN-16, NN-17.
#include "../../../docs/examples/mnist.h"
#include "feature_rows.h"

#include <algorithm>
#include <cmath>

using namespace xlac::features;

namespace {

using Names = std::vector<std::string>;

template <class Named> Names names_of(const Named &named) {
  Names names;
  for (const auto &[name, tensor] : named)
    names.push_back(name);
  return names;
}

const Names kParameters{"conv1.weight", "conv1.bias", "bn1.weight", "bn1.bias",
                        "conv2.weight", "conv2.bias", "bn2.weight", "bn2.bias",
                        "fc1.weight",   "fc1.bias",   "fc2.weight", "fc2.bias"};
const Names kBuffers{"bn1.running_mean",        "bn1.running_var",
                     "bn1.num_batches_tracked", "bn2.running_mean",
                     "bn2.running_var",         "bn2.num_batches_tracked"};

struct TwiceImpl : nn::Module {
  nn::Linear fc = register_module("fc", nn::Linear(2, 2));
  nn::Linear same = register_module("same", fc);
};
XLAC_MODULE(Twice);

struct RegularizedImpl : nn::Module {
  nn::Dropout dropout = register_module("dropout", nn::Dropout(0.5));
  nn::BatchNorm2d bn = register_module("bn", nn::BatchNorm2d(2));
  Tensor forward(const Tensor &x) { return bn(dropout(x)); }
};
XLAC_MODULE(Regularized);

double largest(const Tensor &tensor) {
  return tensor.detach().abs().max().item<double>();
}

} // namespace

FEATURE(NN_01) {
  for (MNIST model : {MNIST(), MNIST().to(xlac::device())}) {
    EXPECT_EQ(names_of(model->named_parameters()), kParameters);
    EXPECT_EQ(names_of(model->named_buffers()), kBuffers);
    Tensor x = randn({2, 1, 28, 28}, model->fc1->weight.device());
    EXPECT_EQ(model(x).sizes(), (Shape{2, 10}));
  }
}

FEATURE(NN_03) {
  Device dev = xlac::device();
  nn::Linear linear = nn::Linear(16, 8).to(dev);
  EXPECT_EQ(linear->weight.sizes(), (Shape{8, 16}));
  EXPECT_EQ(linear->bias.sizes(), Shape{8});
  EXPECT_LE(largest(linear->weight), 0.25);
  EXPECT_GT(largest(linear->weight), 0.2);
  EXPECT_LE(largest(linear->bias), 0.25);
  EXPECT_FALSE(nn::Linear(16, 8, false)->bias.defined());
  EXPECT_EQ(linear(randn({4, 3, 16}, dev)).sizes(), (Shape{4, 3, 8}));
  EXPECT_EQ(linear(randn(16, dev)).sizes(), Shape{8});
}

FEATURE(NN_04) {
  Device dev = xlac::device();
  Tensor logits = randn({4, 3});
  Tensor logs = F::log_softmax(logits, 1), target = tensor({2, 0, -100, 1});
  std::vector<float> rows = logs.to_vector<float>();
  auto loss = [&](const nn::NLLLossOptions &options) {
    return nn::NLLLoss(options).to(dev)(logs.to(dev), target.to(dev));
  };
  float picked[] = {rows[2], rows[3], rows[10]};
  float sum = picked[0] + picked[1] + picked[2];
  EXPECT_NEAR(loss({}).item<float>(), -sum / 3, 1e-5);
  EXPECT_NEAR(loss({.reduction = "sum"}).item<float>(), -sum, 1e-5);
  EXPECT_NEAR(loss({.weight = tensor({1.0, 2.0, 3.0})}).item<float>(),
              -(3 * picked[0] + picked[1] + 2 * picked[2]) / 6, 1e-5);
  EXPECT_EQ(loss({.reduction = "none"}).to_vector<float>(),
            (Floats{-picked[0], -picked[1], 0, -picked[2]}));
  EXPECT_THROW(nn::NLLLoss()(logs, tensor({0, 1, 2, 3})), IndexError);
}

FEATURE(NN_07) {
  MNIST model;
  std::vector<Tensor> parameters = model->parameters();
  auto named = model->named_parameters();
  ASSERT_EQ(parameters.size(), 12u);
  for (size_t i = 0; i < parameters.size(); ++i)
    EXPECT_TRUE(parameters[i].is_same(named[i].second));
  EXPECT_EQ(Twice()->parameters().size(), 2u);
}

FEATURE(NN_08) {
  Device dev = xlac::device();
  Regularized model = Regularized().train().to(dev);
  Tensor x = randn({4, 2, 3, 3}, dev) + 1.0;
  EXPECT_TRUE(model->dropout->is_training());
  EXPECT_GT((model->dropout(x) == 0).to(kFloat32).sum().item<double>(), 10);
  model(x);
  Tensor mean = model->bn->running_mean.clone();
  EXPECT_GT(largest(mean), 0);
  EXPECT_FALSE(model.eval()->bn->is_training());
  EXPECT_TRUE(equal(model->dropout(x), x));
  EXPECT_TRUE(equal(model(x), model(x)));
  EXPECT_TRUE(equal(model->bn->running_mean, mean));
}

FEATURE(NN_09) {
  nn::Linear model = nn::Linear(3, 2).to(xlac::device());
  optim::SGD optimizer(model->parameters(), {.lr = 0.1});
  auto step = [&] { model(ones({1, 3}, xlac::device())).sum().backward(); };
  step();
  EXPECT_EQ(model->bias.grad().to_vector<float>(), (Floats{1, 1}));
  optimizer.zero_grad();
  EXPECT_FALSE(model->bias.grad().defined());
  EXPECT_FALSE(model->weight.grad().defined());
  step();
  optimizer.zero_grad(false);
  EXPECT_EQ(model->bias.grad().to_vector<float>(), (Floats{0, 0}));
}

FEATURE(NN_10) {
  MNIST model = MNIST().eval().to(xlac::device());
  Tensor data = randn({3, 1, 28, 28}, xlac::device());
  EXPECT_TRUE(equal(model(data), model->forward(data)));
}

FEATURE(NN_16) {
  MNIST model = MNIST().to(xlac::device());
  StateDict state = model->state_dict();
  Names keys = names_of(state), wanted = kParameters;
  wanted.insert(wanted.end(), kBuffers.begin(), kBuffers.end());
  // Each module's parameters come before its buffers, in the modules' order.
  EXPECT_EQ(keys[4], "bn1.running_mean");
  std::sort(keys.begin(), keys.end());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(keys, wanted);
  {
    NoGradGuard guard;
    Tensor(state.at("fc2.bias")).fill_(3);
  }
  EXPECT_EQ(model->fc2->bias.to_vector<float>(), Floats(10, 3));
}

FEATURE(NN_17) {
  Device dev = xlac::device();
  TemporaryFolder folder;
  MNIST from, to = MNIST().to(dev);
  std::string file = folder.path() + "/model.pt";
  xm::save(from->state_dict(), file);
  StateDict state = xlac::load<StateDict>(file);
  auto keys = to->load_state_dict(state);
  EXPECT_TRUE(keys.missing.empty() && keys.unexpected.empty());
  EXPECT_EQ(to->fc1->weight.device(), dev);
  EXPECT_TRUE(equal(to->fc1->weight.cpu(), from->fc1->weight));
  from->load_state_dict(to->state_dict());

  StateDict other;
  for (const auto &[key, tensor] : state)
    if (key != "fc2.bias")
      other[key] = tensor;
  other["extra"] = zeros({1});
  std::string said = message_of<KeyError>([&] { to->load_state_dict(other); });
  EXPECT_CONTAINS(said, "Missing key(s) in state_dict: \"fc2.bias\"");
  EXPECT_CONTAINS(said, "Unexpected key(s) in state_dict: \"extra\"");
  keys = to->load_state_dict(other, false);
  EXPECT_EQ(keys.missing, Names{"fc2.bias"});
  EXPECT_EQ(keys.unexpected, Names{"extra"});
  other["fc2.bias"] = zeros({3});
  EXPECT_CONTAINS(
      message_of<ShapeError>([&] { to->load_state_dict(other, false); }),
      "size mismatch for fc2.bias");
}
