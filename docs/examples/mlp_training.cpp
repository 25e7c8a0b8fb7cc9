// Trains a small network on points of two spirals, with gradients written by
// hand. The 200 steps run one program that is compiled once; their scalars are
// its arguments.
#include <xlac/xlac.h>

#include <cmath>
#include <iostream>
#include <random>

using namespace xlac;

namespace {

/// Points of two intertwined spirals, and the spiral of each point.
struct Spirals {
  Tensor points, arms;

  Spirals(int64_t count, Device device) {
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 0.02f);
    std::vector<float> xy;
    std::vector<float> one_hot;
    for (int64_t i = 0; i < count; ++i) {
      int arm = static_cast<int>(i % 2);
      float along = static_cast<float>(i) / static_cast<float>(count);
      float angle = 6 * along + 3.14159265f * static_cast<float>(arm);
      xy.push_back(along * std::cos(angle) + noise(random));
      xy.push_back(along * std::sin(angle) + noise(random));
      one_hot.push_back(arm == 0 ? 1 : 0);
      one_hot.push_back(arm == 1 ? 1 : 0);
    }
    points = from_data(xy.data(), {count, 2}, device);
    arms = from_data(one_hot.data(), {count, 2}, device);
  }
};

struct Layer {
  Tensor weight, bias; // [out, in], [out]

  Layer(int64_t in, int64_t out, unsigned seed, Device device) {
    std::mt19937 random(seed);
    float bound = std::sqrt(6.0f / static_cast<float>(in));
    std::uniform_real_distribution<float> uniform(-bound, bound);
    std::vector<float> values(static_cast<size_t>(in * out));
    for (float &value : values)
      value = uniform(random);
    weight = from_data(values.data(), {out, in}, device);
    bias = zeros({out}, device);
  }

  Tensor forward(const Tensor &x) const { return linear(x, weight, bias); }

  /// Updates the layer by gradient descent. Returns the gradient of its input.
  Tensor backward(const Tensor &x, const Tensor &gradient, double rate) {
    Tensor below = gradient.mm(weight);
    weight -= rate * gradient.t().mm(x);
    bias -= rate * gradient.sum({0});
    return below;
  }
};

struct Network {
  Layer first, second, third;

  explicit Network(Device device)
      : first(2, 64, 1, device), second(64, 64, 2, device),
        third(64, 2, 3, device) {}

  /// Runs one step of gradient descent. Returns the loss before it.
  Tensor train(const Spirals &data, double rate) {
    Tensor a = first.forward(data.points), h = relu(a);
    Tensor b = second.forward(h), k = relu(b);
    Tensor scores = log_softmax(third.forward(k), 1);
    Tensor loss = -(data.arms * scores).sum({1}).mean();

    double count = static_cast<double>(data.points.size(0));
    Tensor gradient = (scores.exp() - data.arms) / count;
    gradient = third.backward(k, gradient, rate);
    gradient = second.backward(h, where(b > 0, gradient, zeros_like(b)), rate);
    first.backward(data.points, where(a > 0, gradient, zeros_like(a)), rate);
    return loss;
  }
};

} // namespace

int main() {
  Device device = xlac::device();
  Spirals data(512, device);
  Network network(device);

  double first = 0, last = 0;
  for (int step = 0; step < 200; ++step) {
    Tensor loss = network.train(data, step < 150 ? 0.5 : 0.1);
    if (step == 0)
      std::cout << stablehlo::from_tensors().text() << "\n";
    xlac::sync();
    if (step % 20 == 0 || step == 199) {
      last = loss.item<double>();
      if (step == 0)
        first = last;
      std::cout << "step " << step << "  loss " << last << "\n";
    }
  }
  std::cout << "compiled " << xr::get_num_cached_compilation_graph()
            << " programs for 200 steps\n";
  return last < 0.5 * first ? 0 : 1;
}
