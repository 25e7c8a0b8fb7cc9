// Measures what it costs to run a loop on several threads: the median time of
// a loop whose tasks do nothing, for 1, 2, 4, … threads of the pool, in
// nanoseconds.
//
//   work_pool_bench [LOOPS]     (20,000 loops for each number of threads)
#include "xlac/runtime/work_pool.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

int32_t nothing(void *, int64_t, int64_t) { return 0; }

/// Median of one loop with a task for each thread.
double median_ns(int threads, int loops) {
  using Clock = std::chrono::steady_clock;
  auto &pool = xlac::runtime::WorkPool::process();
  std::vector<double> times(loops);
  for (double &time : times) {
    auto begin = Clock::now();
    pool.run(nothing, nullptr, threads, 1, threads);
    time =
        std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
  }
  std::nth_element(times.begin(), times.begin() + loops / 2, times.end());
  return times[loops / 2];
}

} // namespace

int main(int argc, char **argv) {
  int loops = argc > 1 ? std::max(1, std::atoi(argv[1])) : 20'000;
  int size = xlac::runtime::WorkPool::process().size();
  std::printf("threads  ns/loop\n");
  for (int threads = 1; threads <= size; threads *= 2)
    std::printf("%7d %8.0f\n", threads, median_ns(threads, loops));
  return 0;
}
