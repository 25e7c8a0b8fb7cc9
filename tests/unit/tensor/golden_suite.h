// The test suite of the programs that run golden cases: it has the families as
// its parameter and uses the device XLAC_GOLDEN_DEVICE.
#pragma once

#include "golden_file.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace xlac::golden {

class Suite : public testing::TestWithParam<std::string> {
protected:
  const Device device_{XLAC_GOLDEN_DEVICE};

  /// Returns the family's cases for this device for which `wanted` is true.
  template <class Wanted> std::vector<Case> cases(Wanted wanted) {
    const char *kind = device_.type == kCPU ? "cpu" : "xla";
    std::vector<Case> all = read_cases(GetParam());
    std::erase_if(all, [&](const Case &each) {
      return !wanted(each) ||
             (!each.only_device.empty() && each.only_device != kind);
    });
    return all;
  }

  /// Reports a failure of a case.
  virtual void complain(const Case &, const std::string &complaint) {
    ADD_FAILURE() << complaint;
  }

  /// Constructs an R for each case of a group, so that their results are
  /// pending together and run as one program, then checks them.
  template <class R> void run(const std::vector<Case> &cases) {
    constexpr size_t kTogether = 64;
    for (size_t begin = 0; begin < cases.size(); begin += kTogether) {
      std::vector<R> runs;
      for (size_t i = begin; i < std::min(begin + kTogether, cases.size()); ++i)
        runs.emplace_back(cases[i], device_);
      if (device_.type == kXLA)
        xlac::sync();
      for (size_t i = 0; i < runs.size(); ++i)
        for (const std::string &complaint : runs[i].check())
          complain(cases[begin + i], complaint);
    }
  }
};

} // namespace xlac::golden

/// Instantiates the suite for each file of cases.
#define XLAC_EACH_FAMILY(suite)                                                \
  INSTANTIATE_TEST_SUITE_P(, suite,                                            \
                           testing::ValuesIn(xlac::golden::families()),        \
                           [](const auto &each) { return each.param; })
