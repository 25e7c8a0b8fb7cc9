// Programs of 200 random calls give the same tensors on the cpu and on xla,
// with any syncs, and in eager mode.
#include "random_program.h"

#include "xlac/lazy.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace {

using namespace xlac;
using namespace xlac::random_programs;

constexpr size_t kSteps = 200;

/// Returns the failure of the program on xla:0 in this mode, or "".
std::string failure_in_mode(const Program &program, const Pool &expected,
                            bool eager) {
  const std::string mode = eager ? "eager: " : "lazy: ";
  try {
    experimental::EagerModeGuard guard(eager);
    Pool made = run(program, Device("xla:0"));
    std::string found = difference(program, made, expected);
    return found.empty() ? found : mode + found;
  } catch (const std::exception &error) {
    return mode + error.what();
  }
}

/// Returns the failure in either mode.
std::string failure_of(const Program &program) {
  Pool expected;
  try {
    expected = run(program, Device(kCPU));
  } catch (const std::exception &) {
    return ""; // shortening made the program invalid
  }
  std::string failure = failure_in_mode(program, expected, false);
  return failure.empty() ? failure_in_mode(program, expected, true) : failure;
}

void check(uint64_t seed) {
  Program program = generate(seed, kSteps);
  ASSERT_EQ(program.steps.size(), kSteps) << "seed " << seed;
  if (failure_of(program).empty())
    return;
  Program least = shrink(program, [](const Program &shorter) {
    return !failure_of(shorter).empty();
  });
  ADD_FAILURE() << "seed " << seed << ": " << failure_of(least) << "\n"
                << least.str();
}

TEST(RandomPrograms, LeaveTheSameOnBothDevicesInBothModes) {
  for (uint64_t seed = 1; seed <= XLAC_RANDOM_PROGRAMS; ++seed)
    check(seed);
}

TEST(RandomPrograms, ShrinkToWhatFails) {
  Program program = generate(7, kSteps);
  auto is_wanted = [](const Program &each) {
    for (const Step &step : each.steps)
      if (step.name == "transpose")
        return true;
    return false;
  };
  ASSERT_TRUE(is_wanted(program));
  Program least = shrink(program, is_wanted);
  EXPECT_LE(least.steps.size(), 1u);
  EXPECT_TRUE(least.inputs.empty());
}

} // namespace
