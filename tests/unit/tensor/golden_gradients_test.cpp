// PyTorch's gradients on one device, and on the cpu derivatives against
// differences, a test a family.
#include "golden_gradients.h"
#include "golden_suite.h"

namespace {

using namespace xlac;
using golden::Case;

class GoldenGradients : public golden::Suite {};

TEST_P(GoldenGradients, ArePytorchs) {
  run<golden::GradientRun>(
      cases([](const Case &each) { return !each.gradients.empty(); }));
}

TEST_P(GoldenGradients, AreThoseOfDifferences) {
  if (device_.type == kXLA)
    GTEST_SKIP() << "the cpu tells; the graphs are the same";
  for (const Case &each : cases([](const Case &one) { return one.smooth > 0; }))
    for (const std::string &complaint : golden::check_differences(each))
      ADD_FAILURE() << complaint;
}

XLAC_EACH_FAMILY(GoldenGradients);

} // namespace
