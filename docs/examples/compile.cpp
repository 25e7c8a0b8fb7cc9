// docs/examples/compile.cpp
#include "mnist.h"

int main() {
  experimental::eager_mode(true);                      // ops outside compiled functions run at once
  Device device = xlac::device();
  MNIST model = MNIST().train().to(device);
  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(), {.lr = 0.01});

  auto step_fn = xlac::compile([&](const Tensor& data, const Tensor& target) {
    optimizer.zero_grad();
    Tensor loss = loss_fn(model(data), target);
    loss.backward();
    optimizer.step();
    return loss;
  }, {.full_graph = true, .name = "train_step"});

  for (int i = 0; i < 10; ++i) {
    Tensor data = randn({64, 1, 28, 28}, device);      // eager
    Tensor target = randint(0, 10, {64}, TensorOptions(device).dtype(kInt64));
    Tensor loss = step_fn(data, target);               // one program, compiled in the first pass
    if (i == 9) std::cout << loss << "\n";
  }

  auto f = experimental::compile([](const Tensor& x) { return x.sin() + x.cos(); });    // the older name
  std::cout << f(randn({5, 5}, device)) << "\n";

  auto compiled_model = xlac::compile(model);          // a module: its forward
  compiled_model(randn({1, 1, 28, 28}, device));

  { auto scope = xlac::step(); model(randn({1, 1, 28, 28}, device)); }     // the scope form; sync at both ends
}
