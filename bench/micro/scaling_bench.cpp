// Training steps of a multilayer perceptron in several processes, each with its
// part of a batch of 512; gradients are averaged over all. scaling_bench
// PROCESSES [FILE] prints the median milliseconds per step. A single process
// writes the step as StableHLO to FILE, for `xlac explain --mesh`
// (docs/scaling.md).
#include "xlac/xlac.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>

using namespace xlac;

namespace {

constexpr int64_t kBatch = 512, kFeatures = 1024, kHidden = 2048, kClasses = 16;
constexpr int kRounds = 9, kSteps = 10;

double milliseconds() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void train(int, const std::string &file) {
  Device device = xm::xla_device();
  manual_seed(1);
  nn::Sequential model(nn::Linear(kFeatures, kHidden), nn::ReLU(),
                       nn::Linear(kHidden, kFeatures), nn::ReLU(),
                       nn::Linear(kFeatures, kClasses));
  model.to(device);
  optim::SGD optimizer(model->parameters(), {.lr = 0.01});
  int64_t rows = kBatch / xr::world_size();
  Tensor data = randn({rows, kFeatures}).to(device);
  Tensor target = randint(0, kClasses, {rows}).to(device);
  auto record_step = [&] {
    optimizer.zero_grad();
    nn::functional::cross_entropy(model(data), target).backward();
    xm::optimizer_step(optimizer);
  };
  std::vector<double> times;
  for (int round = 0; round <= kRounds; ++round) {
    double start = milliseconds();
    for (int step = 0; step < kSteps; ++step) {
      record_step();
      xm::mark_step();
    }
    xm::wait_device_ops();
    // The first repetition compiles.
    if (round > 0)
      times.push_back((milliseconds() - start) / kSteps);
  }
  std::sort(times.begin(), times.end());
  xm::master_print(xr::world_size(), "processes:", times[times.size() / 2],
                   "ms a step");
  if (file.empty())
    return;
  record_step();
  std::ofstream(file) << xm::get_stablehlo(model->parameters());
}

} // namespace

int main(int argc, char **argv) {
  int processes = argc > 1 ? std::atoi(argv[1]) : 0;
  if (processes < 1 || kBatch % processes != 0 || argc > 3 ||
      (argc == 3 && processes > 1)) {
    std::cerr << "usage: scaling_bench PROCESSES, or scaling_bench 1 FILE\n";
    return 2;
  }
  xr::set_num_devices(processes);
  xmp::spawn(train, std::tuple(std::string(argc == 3 ? argv[2] : "")));
}
