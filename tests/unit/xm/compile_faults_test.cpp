// Compiles and runs a program while one memory request fails, each time in a
// child process, since the compiler may leak memory and locks then. The child
// must end with the right result or one error.
#include "allocation_faults.h"

#include "xlac/xlac.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace xlac {
namespace {

using allocation_faults::FailureKind;

#ifdef XLAC_MANY_FAULTS
constexpr int64_t kTries = 3000;
#else
constexpr int64_t kTries = 60;
#endif
constexpr unsigned kDeadlineSeconds = 60;

/// Each number makes a different program, so that it is in no cache.
std::string program_text(int64_t number) {
  return fmt::format(R"(
func.func @main(%a: tensor<4x3xf32>, %b: tensor<3x2xf32>) -> tensor<4x2xf32> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.constant dense<{}.0> : tensor<4x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x2xf32>
  %3 = stablehlo.exponential %2 : tensor<4x2xf32>
  %4 = stablehlo.log %3 : tensor<4x2xf32>
  return %4 : tensor<4x2xf32>
}}
)",
                     number);
}

enum Ending : int { kRight, kReported, kWrong, kForeign };

Ending compile_and_run(int64_t number) {
  try {
    auto executable =
        stablehlo::build(stablehlo::Program::parse(program_text(number % 64)));
    auto results = executable.run({ones({4, 3}), ones({3, 2})});
    double wanted = 3 + double(number % 64);
    double got = results[0][0][0].item<double>();
    return std::fabs(got - wanted) < 1e-3 ? kRight : kWrong;
  } catch (const Error &) {
    return kReported;
  } catch (const std::bad_alloc &) {
    return kReported;
  } catch (...) {
    return kForeign;
  }
}

/// Returns the exit status of a child in which request `request` fails; 0 means
/// none. `requests` is set to the number of requests until the child ended.
int status_of_child(int64_t number, FailureKind kind, int64_t request) {
  pid_t child = fork();
  if (child == 0) {
    alarm(kDeadlineSeconds);
    allocation_faults::arm(kind, request);
    Ending ending = compile_and_run(number);
    int64_t failed = allocation_faults::disarm();
    _exit(ending + (failed > 0 ? 16 : 0));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

bool failed_in(int status) {
  return !WIFEXITED(status) || (WEXITSTATUS(status) & 16);
}

TEST(CompileFaults, EndWithTheResultOrOneError) {
  // Loads the compiler library once instead of in each child.
  ASSERT_EQ(compile_and_run(0), kRight);
  int64_t requests = 1;
  while (failed_in(status_of_child(1, FailureKind::One, requests)))
    requests *= 2;
  int64_t reported = 0;
  for (FailureKind kind : {FailureKind::One, FailureKind::All})
    for (int64_t i = 0; i < kTries; ++i) {
      int64_t request = 1 + i * requests / kTries;
      int status = status_of_child(i, kind, request);
      if (!failed_in(status))
        continue;
      EXPECT_TRUE(WIFEXITED(status))
          << "request " << request << (kind == FailureKind::All ? " ff" : "")
          << ": ended by signal " << WTERMSIG(status);
      int ending = WEXITSTATUS(status) & 15;
      EXPECT_LE(ending, int(kReported)) << "request " << request;
      reported += ending == kReported;
    }
  EXPECT_GT(reported, 0);
  RecordProperty("requests", std::to_string(requests));
  RecordProperty("reported", std::to_string(reported));
}

} // namespace
} // namespace xlac
