// Forks while other threads use the lazy runtime: the child must be able to
// compute, also with the tensors that they were using.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace xlac {
namespace {

/// The alarm ends a child that waits forever.
constexpr unsigned kAlarm = 60;

#ifdef XLAC_MANY_FORKS
constexpr int kTimes = 20; ///< the factor of the number of forks
#else
constexpr int kTimes = 1;
#endif

/// Computations that must work in every child. `salt` makes programs that the
/// parent has not compiled.
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

/// Forks a child in which `is_right()` must hold, and waits for it.
template <class Right> bool child_passes(const Right &is_right) {
  pid_t child = fork();
  if (child == 0) {
    alarm(kAlarm);
    bool passed = false;
    try {
      passed = is_right();
    } catch (const std::exception &error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    _exit(passed ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

bool child_passes(int salt) {
  return child_passes([salt] { return computes(salt); });
}

/// Runs `body(i)` repeatedly in separate threads while `main` runs.
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
        for (int round = 0; round < 15 * kTimes; ++round)
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
        for (int round = 0; round < 10 * kTimes; ++round)
          ASSERT_TRUE(child_passes(round % 10 + 1)) << "round " << round;
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
        for (int round = 0; round < 10 * kTimes; ++round)
          ASSERT_TRUE(child_passes(0)) << "round " << round;
      });
}

// A tensor, a view of it and its data have separate locks.
TEST(Fork, WhileOthersReadWhatTheChildReads) {
  Tensor shared = arange(12.0, xlac::device()).reshape({3, 4}).clone();
  Tensor view = shared[1], written = zeros({3}, xlac::device());
  xlac::sync(true);
  beside(
      3,
      [&](int i) {
        for (int step = 0; step < 100; ++step) {
          if (i == 0)
            (void)(view + shared.sum(1)[0]);
          else if (i == 1)
            (void)shared.cpu();
          else
            written.fill_(step);
        }
        xlac::sync();
      },
      [&] {
        for (int round = 0; round < 40 * kTimes; ++round)
          ASSERT_TRUE(child_passes([&] {
            Tensor x = view * 2.0;
            written.add_(1.0);
            double last = written.max().item<double>();
            return x.sum().item<double>() == 44 &&
                   shared.sum().item<double>() == 66 && 1 <= last &&
                   last <= 100;
          })) << "round "
              << round;
      });
}

// Initialization on first use, in processes that use it for the first time.
// Runs in a process that has not used the runtime.
TEST(FirstUse, OfOthersDuringForks) {
  for (int round = 0; round < 4 * kTimes; ++round)
    ASSERT_TRUE(child_passes([] {
      bool passed = true;
      beside(
          2, [](int i) { (void)computes(i); },
          [&] {
            for (int fork = 0; fork < 5; ++fork)
              passed = child_passes(0) && passed;
          });
      return passed;
    })) << "round "
        << round;
}

/// A gradient of several kinds of ops, and a key.
bool differentiates() {
  Tensor x = (rand({3, 3}) + eye(3) * 4.0).requires_grad_();
  (std::get<1>(linalg::qr(x)).sum() + x.exp().sum() + x.mm(x).cumsum(0).sum())
      .backward();
  auto program = stablehlo::trace(
      [](const std::vector<Tensor> &in) {
        return std::vector<Tensor>{in[0].sum(0) * 2.0};
      },
      {ones({7, 2}, xlac::device())});
  return x.grad().defined() && !program.hash().empty();
}

TEST(FirstUse, OfGradientsAndKeys) {
  for (int round = 0; round < 4 * kTimes; ++round)
    ASSERT_TRUE(child_passes([] {
      bool passed = true;
      beside(
          2, [](int) { (void)differentiates(); },
          [&] {
            for (int fork = 0; fork < 5; ++fork)
              passed = child_passes(differentiates) && passed;
          });
      return passed;
    })) << "round "
        << round;
}

} // namespace
} // namespace xlac
