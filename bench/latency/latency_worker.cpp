// xlac's part of bench_latency.py: latency_worker
//
// Prints a JSON object: the median time of a call that waits for its result, in
// nanoseconds, for programs that compute nothing, one op and a chain of 100 ops
// on 16 numbers; and the median time until the first result of a new program of
// one op, in milliseconds, in this process that has compiled before. The cache
// and the sharing of code between sizes must be off.
#include <xlac/xlac.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

using namespace xlac;

namespace {

constexpr int kCalls = 2000, kPrograms = 20, kElements = 16;

double seconds_of(const std::function<void()> &work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<int64_t>(values.size()) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A chain of `ops` additions and multiplications of two vectors.
std::string chain(int ops, int64_t elements) {
  std::string type = "tensor<" + std::to_string(elements) + "xf32>";
  std::string text =
      "func.func @main(%0: " + type + ", %y: " + type + ") -> " + type + " {\n";
  for (int i = 0; i < ops; ++i)
    text += "%" + std::to_string(i + 1) + " = stablehlo." +
            (i % 2 ? "multiply" : "add") + " %" + std::to_string(i) +
            ", %y : " + type + "\n";
  return text + "return %" + std::to_string(ops) + " : " + type + "\n}\n";
}

void run(const stablehlo::Executable &program,
         const std::vector<Tensor> &inputs) {
  std::vector<Tensor> results = program.run(inputs);
  xm::wait_device_ops();
}

std::vector<Tensor> inputs_of(int64_t elements, Device device) {
  std::vector<Tensor> inputs;
  for (int i = 0; i < 2; ++i)
    inputs.push_back(full({elements}, 1 - i * 0.5, device));
  sync(true);
  return inputs;
}

double call_time(int ops, Device device) {
  auto program =
      stablehlo::build(stablehlo::Program::parse(chain(ops, kElements)));
  std::vector<Tensor> inputs = inputs_of(kElements, device);
  std::vector<double> times;
  for (int i = 0; i < kCalls; ++i)
    times.push_back(1e9 * seconds_of([&] { run(program, inputs); }));
  return median(std::move(times));
}

double compile_time(Device device) {
  std::vector<double> times;
  for (int64_t elements = 1000; elements < 1000 + kPrograms; ++elements) {
    std::vector<Tensor> inputs = inputs_of(elements, device);
    std::string text = chain(1, elements);
    times.push_back(1e3 * seconds_of([&] {
                      run(stablehlo::build(stablehlo::Program::parse(text)),
                          inputs);
                    }));
  }
  return median(std::move(times));
}

} // namespace

int main() {
  Device device("xla");
  double empty = call_time(0, device), one = call_time(1, device),
         hundred = call_time(100, device);
  std::printf("{\"empty_ns\": %.0f, \"one_ns\": %.0f, \"hundred_ns\": %.0f, "
              "\"compile_ms\": %.3f}\n",
              empty, one, hundred, compile_time(device));
}
