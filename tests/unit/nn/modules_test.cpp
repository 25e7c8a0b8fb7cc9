// Modules beside PyTorch's.
#include "module_cases.h"

#include <gtest/gtest.h>

namespace xlac::module_cases {
namespace {

TEST(Modules, AreThoseOfPyTorch) {
  ASSERT_GE(families().size(), 4U);
  for (const std::string &family : families())
    check_family(family, Device(XLAC_GOLDEN_DEVICE));
}

} // namespace
} // namespace xlac::module_cases
