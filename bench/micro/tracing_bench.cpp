// What the front end costs: recording one operation, and cutting, looking up
// and launching a graph of 1,000 operations that is compiled already. Medians.
#include "xlac/xlac.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

} // namespace

int main() {
  constexpr int kOperations = 1000, kRounds = 200;
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
  std::printf("record one operation: %.0f ns (aim: 300)\n", median(recording));
  std::printf("cut, look up and launch %d operations: %.0f us (aim: 300)\n",
              kOperations, median(launching) / 1e3);
}
