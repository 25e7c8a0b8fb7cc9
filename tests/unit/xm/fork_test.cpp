// A fork while other threads are in the lazy runtime: the child computes.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace xlac {
namespace {

/// A child that waits for what its process does not have is ended by its alarm.
constexpr unsigned kAlarm = 60;

/// What every child can do, whatever other threads were at. `salt` makes
/// programs that the parent has not compiled.
bool computes(int salt) {
  Device device = xlac::device();
  Tensor x = arange(16.0, device) + 1.0;
  x.mul_(2.0);
  xlac::sync(true);
  bool sums = x.sum().item<double>() == 272;
  Tensor y = ones({3, 5 + salt}, device).mm(ones({5 + salt, 2}, device));
  Tensor z = rand({64, 64}, device).matmul(rand({64, 64}, device));
  return sums && y.sum().item<double>() == 6 * (5 + salt) &&
         z.sum().item<double>() > 0 &&
         met::counter_value("MarkStep").value_or(0) > 0;
}

bool child_passes(int salt) {
  pid_t child = fork();
  if (child == 0) {
    alarm(kAlarm);
    bool passed = false;
    try {
      passed = computes(salt);
    } catch (const std::exception &error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    _exit(passed ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

/// Runs `body(i)` over and over in threads of their own while `main` runs.
template <class Body, class Main>
void beside(int count, const Body &body, const Main &main) {
  std::atomic<bool> stop{false};
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      while (!stop)
        body(i);
    });
  main();
  stop = true;
}

TEST(Fork, WhileOthersRecordAndSync) {
  beside(
      3,
      [](int i) {
        Tensor w = ones({32, 32}, xlac::device());
        for (int step = 0; step < 20; ++step) {
          w = w.matmul(w) * 0.03 + i;
          xlac::sync();
        }
        (void)w.sum().item<double>();
      },
      [] {
        for (int round = 0; round < 15; ++round)
          ASSERT_TRUE(child_passes(0)) << "round " << round;
      });
}

TEST(Fork, WhileOthersCompileAndTrace) {
  std::atomic<int> size{1};
  beside(
      2,
      [&](int i) {
        if (i == 0) {
          int n = 1 + size++ % 40;
          (void)(ones({n, 3}, xlac::device()).exp() + n).sum().item<double>();
          return;
        }
        (void)stablehlo::trace(
            [](const std::vector<Tensor> &in) {
              return std::vector<Tensor>{in[0].sin() * 2.0};
            },
            {ones({4})})
            .inputs();
      },
      [] {
        for (int round = 0; round < 10; ++round)
          ASSERT_TRUE(child_passes(round + 1)) << "round " << round;
      });
}

TEST(Fork, WhileOthersComputeOneByOne) {
  beside(
      2,
      [](int) {
        experimental::EagerModeGuard eager(true);
        Tensor a = rand({8}, xlac::device());
        (void)(a * 2.0 + a).cpu();
      },
      [] {
        for (int round = 0; round < 10; ++round)
          ASSERT_TRUE(child_passes(0)) << "round " << round;
      });
}

} // namespace
} // namespace xlac
