// PyTorch's results on one device, a test a family.
#include "golden_run.h"

#include <gtest/gtest.h>

namespace {

using namespace xlac;

class Golden : public testing::TestWithParam<std::string> {};

/// Cases that are pending at the same time: one program for all of them.
constexpr size_t kTogether = 64;

TEST_P(Golden, GivesPytorchsResults) {
  const Device device(XLAC_GOLDEN_DEVICE);
  const char *kind = device.type == kCPU ? "cpu" : "xla";
  std::vector<golden::Case> cases = golden::read_cases(GetParam());
  std::erase_if(cases, [&](const golden::Case &each) {
    return !each.only_device.empty() && each.only_device != kind;
  });
  EXPECT_FALSE(cases.empty());
  for (size_t begin = 0; begin < cases.size(); begin += kTogether) {
    std::vector<golden::Run> runs;
    for (size_t i = begin; i < std::min(begin + kTogether, cases.size()); ++i)
      runs.emplace_back(cases[i], device);
    if (device.type == kXLA)
      xlac::sync();
    for (golden::Run &run : runs)
      for (const std::string &complaint : run.check())
        ADD_FAILURE() << complaint;
  }
}

INSTANTIATE_TEST_SUITE_P(, Golden, testing::ValuesIn(golden::families()),
                         [](const auto &each) { return each.param; });

} // namespace
