// Rows that use modules and optimizers: DEV-12, DEV-24, DEV-33, DEV-34, DEV-36,
// LAZY-09, PRT-05.
#include "feature_rows.h"
#include "mnist.h"

#include <cmath>
#include <sstream>

using namespace xlac;
using namespace xlac::features;

FEATURE(DEV_12) {
  Device dev = xlac::device();
  nn::Linear linear = nn::Linear(10, 20).to(dev);
  Tensor x = randn(10, dev);
  Tensor y = linear(x);
  EXPECT_EQ(y.sizes(), Shape{20});
  EXPECT_EQ(y.device(), dev);
  Tensor wanted = linear->weight.cpu().mv(x.cpu()) + linear->bias.cpu();
  EXPECT_TRUE(allclose(y.cpu(), wanted, 1e-5, 1e-6));
  y.sum().backward();
  EXPECT_EQ(linear->bias.grad().to_vector<float>(), Floats(20, 1));
  EXPECT_EQ(linear->weight.grad()[7].to_vector<float>(), x.to_vector<float>());
}

static Shape row_major(const Shape &sizes) {
  Shape strides(sizes.size());
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0; step *= sizes[i])
    strides[i] = step;
  return strides;
}

// The same convolution with operands and results in their memory layout, and
// with transposes around it that the compiler turns into other layouts.
FEATURE(DEV_24) {
  Device dev = xlac::device();
  Tensor x = randn({2, 3, 9, 8}, dev), w = randn({16, 3, 3, 3}, dev);
  Tensor channels_last = x.permute({0, 2, 3, 1}).clone();
  Tensor weight_last = w.permute({2, 3, 1, 0}).clone();
  xlac::sync();
  Tensor plain = conv2d(x, w);
  xlac::sync();
  Tensor moved = conv2d(channels_last.permute({0, 3, 1, 2}),
                        weight_last.permute({3, 2, 0, 1}));
  Tensor turned = (conv2d(x, w) + 0.0).permute({0, 2, 3, 1}).clone();
  xlac::sync();
  for (const Tensor &same : {moved, turned.permute({0, 3, 1, 2})}) {
    EXPECT_EQ(same.sizes(), plain.sizes());
    EXPECT_EQ(same.strides(), row_major(plain.sizes()));
    EXPECT_TRUE(allclose(same, plain, 1e-5, 1e-5));
  }
  EXPECT_EQ(turned.strides(), row_major(turned.sizes()));
  EXPECT_TRUE(allclose(plain.cpu(), conv2d(x.cpu(), w.cpu()), 1e-4, 1e-5));
}

FEATURE(DEV_33) {
  Device dev = xlac::device();
  nn::BatchNorm2d model(3);
  optim::SGD optimizer(model->parameters(), {.lr = 0.5});
  std::vector<int64_t> ids;
  for (const auto &[name, tensor] : model->named_parameters())
    ids.push_back(tensor.id());
  EXPECT_TRUE(model.train().to(dev)->is_training());
  size_t place = 0;
  for (const auto &[name, tensor] : model->named_parameters()) {
    EXPECT_EQ(tensor.device(), dev) << name;
    EXPECT_EQ(tensor.id(), ids[place++]) << name;
  }
  EXPECT_EQ(place, 2u);
  for (const auto &[name, tensor] : model->named_buffers())
    EXPECT_EQ(tensor.device(), dev) << name;
  model->bias.sum().backward();
  optimizer.step();
  EXPECT_EQ(model->bias.to_vector<float>(), (Floats{-0.5, -0.5, -0.5}));
}

FEATURE(DEV_34) {
  nn::Linear model = nn::Linear(3, 2).to(xlac::device());
  Floats weight = model->weight.to_vector<float>();
  int64_t id = model->weight.id();
  EXPECT_TRUE(model.cpu()->weight.is_cpu());
  for (const auto &[name, tensor] : model->named_parameters())
    EXPECT_TRUE(tensor.is_cpu()) << name;
  EXPECT_EQ(model->weight.to_vector<float>(), weight);
  EXPECT_EQ(model->weight.id(), id);
}

//===- One program for both devices ---------------------------------------===//

/// Returns the losses of eight steps on synthetic images, whose class is the
/// position of the bright part.
static std::vector<double> train(Device device) {
  manual_seed(42);
  MNIST model = MNIST().train().to(device);
  optim::SGD optimizer(model->parameters(), {.lr = 0.05, .momentum = 0.5});
  nn::NLLLoss loss_fn;
  std::vector<double> losses;
  for (int step = 0; step < 8; ++step) {
    Tensor cpu_target = randint(0, 10, {16});
    Tensor bright = one_hot(cpu_target, 10).to(kFloat32).view({16, 1, 10, 1});
    Tensor cpu_data = rand({16, 1, 28, 28});
    cpu_data.slice(2, 9, 19) += bright;
    optimizer.zero_grad();
    Tensor data = cpu_data.to(device), target = cpu_target.to(device);
    Tensor loss = loss_fn(model(data), target);
    loss.backward();
    optimizer.step();
    xm::mark_step();
    losses.push_back(loss.item<double>());
  }
  return losses;
}

FEATURE(DEV_36) {
  std::vector<double> cpu = train(kCPU), xla = train(Device("xla:0"));
  for (size_t i = 0; i < cpu.size(); ++i)
    EXPECT_NEAR(xla[i], cpu[i], 1e-3) << "step " << i;
  EXPECT_LT(cpu.back(), 0.8 * cpu.front());
}

//===- Steps and printing -------------------------------------------------===//

FEATURE(LAZY_09) {
  Device dev = xlac::device();
  Tensor weight = ones({4}, dev).requires_grad_();
  optim::SGD optimizer({weight}, {.lr = 0.5});
  auto losses_of = [&] { return (weight * weight).sum(); };
  losses_of().backward();
  met::clear_all();
  EXPECT_FALSE(xm::optimizer_step(optimizer));
  EXPECT_EQ(counter("MarkStep"), 0);
  EXPECT_GT(debug::pending_nodes(dev), 0);
  optimizer.zero_grad();
  auto closure = [&] {
    Tensor loss = losses_of();
    loss.backward();
    return loss;
  };
  std::optional<Tensor> loss = xm::optimizer_step(
      optimizer, {.barrier = true, .optimizer_args = {.closure = closure}});
  EXPECT_EQ(counter("MarkStep"), 1);
  EXPECT_EQ(debug::pending_nodes(dev), 0);
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->item<float>(), 0);
  EXPECT_EQ(weight.detach().to_vector<float>(), Floats(4, 0));
}

FEATURE(PRT_05) {
  Device dev = xlac::device();
  nn::Linear linear = nn::Linear(10, 20).to(dev);
  std::ostringstream text;
  text << linear(randn(10, dev));
  EXPECT_CONTAINS(text.str(), "device='xla:0', grad_fn=<");
  EXPECT_CONTAINS(text.str(), "Backward0>)");
  EXPECT_CONTAINS((linear->bias + 1.0).str(),
                  "device='xla:0', grad_fn=<AddBackward0>)");
  EXPECT_LACKS(linear->bias.detach().str(), "grad_fn");
}
