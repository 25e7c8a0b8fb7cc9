// Compares modules with PyTorch's.
#include "module_cases.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <gtest/gtest.h>

namespace xlac::module_cases {
namespace {

/// Whether `text` prints a module of class `name`.
bool shows(const std::string &text, const std::string &name) {
  size_t at = text.find(name + "(");
  while (at != std::string::npos && at > 0 &&
         std::isalnum(static_cast<unsigned char>(text[at - 1])))
    at = text.find(name + "(", at + 1);
  return at != std::string::npos;
}

TEST(Modules, AreThoseOfPyTorch) {
  for (const std::string &family : families())
    check_family(family, Device(XLAC_GOLDEN_DEVICE));
}

TEST(Modules, HaveACaseEach) {
  std::vector<std::string> texts;
  for (const std::string &family : families())
    for (const Case &each : read_cases(family))
      texts.push_back(each.str);
  std::ifstream list(XLAC_MODULE_CASES "/names.list");
  int names = 0;
  for (std::string name; std::getline(list, name); ++names)
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [&](const auto &text) {
      return shows(text, name);
    })) << name;
  EXPECT_GT(names, 100);
}

} // namespace
} // namespace xlac::module_cases
