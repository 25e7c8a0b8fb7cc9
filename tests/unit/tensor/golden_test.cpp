// Compares results on one device with PyTorch's; one test per family.
#include "golden_run.h"
#include "golden_suite.h"

namespace {

using namespace xlac;

class Golden : public golden::Suite {};

TEST_P(Golden, GivesPytorchsResults) {
  std::vector<golden::Case> all =
      cases([](const golden::Case &) { return true; });
  EXPECT_FALSE(all.empty());
  run<golden::Run>(all);
}

XLAC_EACH_FAMILY(Golden);

} // namespace
