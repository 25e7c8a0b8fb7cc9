// NN-02: compares every module that has a golden case on xla devices with
// PyTorch and with the cpu.
#include "feature_rows.h"
#include "module_cases.h"

using namespace xlac;

FEATURE(NN_02) {
  std::vector<std::string> families = module_cases::families();
  EXPECT_GE(families.size(), 4U);
  for (const std::string &family : families)
    module_cases::check_family(family, Device("xla:0"));
}
