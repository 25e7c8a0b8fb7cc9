// The overhead of the front end, as medians in one line of JSON: making one
// node with shape rule and hash, recording one public operation, and syncing a
// graph of 1,000 operations that is compiled already (collect, look up,
// launch).
#include "xlac/lazy/build.h"
#include "xlac/xlac.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kOperations = 1000, kRounds = 200;

double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

double time_of_a_node() {
  using namespace xlac;
  auto leaf = [] {
    return graph::Value{graph::Node::make_parameter(
                            Type(TensorType{ElementType::F32, {16}, {}, {}})),
                        0};
  };
  graph::Value x = leaf(), y = leaf();
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    graph::Value z = x;
    auto start = Clock::now();
    for (int i = 0; i < kOperations; i += 2)
      z = build::binary(ops::OpKind::Multiply,
                        build::binary(ops::OpKind::Add, z, y), y);
    times.push_back(nanoseconds_since(start) / kOperations);
  }
  return median(times);
}

} // namespace

int main() {
  xlac::Device device = xlac::device();
  xlac::Tensor x = xlac::ones({16}, device), y = xlac::ones({16}, device);
  xlac::sync(true);
  std::vector<double> recording, launching;
  for (int round = 0; round < kRounds; ++round) {
    xlac::Tensor z = x;
    auto start = Clock::now();
    for (int i = 0; i < kOperations; i += 2)
      z = (z + y) * y;
    recording.push_back(nanoseconds_since(start) / kOperations);
    start = Clock::now();
    xlac::sync();
    launching.push_back(nanoseconds_since(start));
    xlac::xm::wait_device_ops();
  }
  std::printf("{\"node_ns\": %.0f, \"record_ns\": %.0f, \"launch_us\": %.1f}\n",
              time_of_a_node(), median(recording), median(launching) / 1e3);
}
