// Compares gradients on one device with PyTorch's, and derivatives on the cpu
// with differences; one test per family. tests/golden/gradient_gaps.list names
// functions with known differences; a name without a difference is a failure.
#include "golden_gradients.h"
#include "golden_suite.h"

#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace xlac;
using golden::Case;

std::set<std::string> read_gaps() {
  std::ifstream file(XLAC_GOLDEN_FOLDER "/gradient_gaps.list");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    if (words >> name && name[0] != '#')
      names.insert(name);
  }
  return names;
}

class GoldenGradients : public golden::Suite {
protected:
  const std::set<std::string> gaps_ = read_gaps();
  std::set<std::string> seen_;

  void complain(const Case &each, const std::string &complaint) override {
    if (gaps_.contains(each.name))
      seen_.insert(each.name);
    else
      ADD_FAILURE() << complaint;
  }
};

TEST_P(GoldenGradients, ArePytorchs) {
  std::vector<Case> all =
      cases([](const Case &each) { return !each.gradients.empty(); });
  run<golden::GradientRun>(all);
  std::set<std::string> listed;
  for (const Case &each : all)
    if (gaps_.contains(each.name))
      listed.insert(each.name);
  for (const std::string &name : listed)
    EXPECT_TRUE(seen_.contains(name))
        << name << " is right; gradient_gaps.list still has it";
}

TEST_P(GoldenGradients, AreThoseOfDifferences) {
  if (device_.type == kXLA)
    GTEST_SKIP() << "the cpu tells; the graphs are the same";
  for (const Case &each : cases([](const Case &one) { return one.smooth > 0; }))
    for (const std::string &complaint : golden::check_differences(each))
      complain(each, complaint);
}

XLAC_EACH_FAMILY(GoldenGradients);

} // namespace
