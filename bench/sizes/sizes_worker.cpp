// xlac's part of bench_sizes.py: sizes_worker FILE WEIGHTS INPUTS
//
// FILE is a program of jax.export with unknown sizes, WEIGHTS a safetensors
// file of the arguments after the first. For each line of sizes on stdin, the
// file INPUTS/SIZES.safetensors has the first argument; SIZES are joined by
// "_". The worker prints a JSON object: seconds until the first result, those
// of the fastest further run, the sum of the magnitudes of the first result,
// and how many programs have got new machine code so far.
#include <xlac/xlac.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace xlac;

namespace {

constexpr int kRoundRuns = 5;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

int64_t compilations() {
  return metrics::counter_value("UncachedCompile").value_or(0);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fputs("usage: sizes_worker FILE WEIGHTS INPUTS\n", stderr);
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  auto program = stablehlo::build(stablehlo::Program::parse(bytes));
  Device device("xla");
  StateDict weights = load_safetensors(argv[2]);
  std::vector<Tensor> inputs(1);
  for (size_t i = 0; i < weights.size(); ++i)
    inputs.push_back(weights.at("w" + std::to_string(i)).to(device));

  for (std::string line; std::getline(std::cin, line);) {
    std::ranges::replace(line, ' ', '_');
    inputs[0] =
        load_safetensors(std::string(argv[3]) + "/" + line + ".safetensors")
            .at("x")
            .to(device);
    xm::wait_device_ops();
    int64_t before = compilations();
    auto start = std::chrono::steady_clock::now();
    Tensor result = program.run(inputs)[0].cpu();
    double first = seconds_since(start), fastest = 1e30;
    for (int i = 0; i < kRoundRuns; ++i) {
      start = std::chrono::steady_clock::now();
      program.run(inputs)[0].cpu();
      fastest = std::min(fastest, seconds_since(start));
    }
    std::printf("{\"first\": %.9f, \"run\": %.9f, \"sum\": %.9g, "
                "\"compiled\": %lld}\n",
                first, fastest, result.to(kFloat64).abs().sum().item<double>(),
                static_cast<long long>(compilations() - before));
    std::fflush(stdout);
  }
}
