// Comparisons of conformance tests.
#pragma once

#include "npy.h"
#include "xlac/compiler.h"
#include "xlac/compiler_check_case.h"

#include <optional>
#include <string>

namespace xlac::cli {

/// Returns nothing if `actual` matches `expected`, else the first difference:
/// index, actual and expected value.
std::optional<std::string> compare(const CheckCase::Comparison &comparison,
                                   const HostArray &actual,
                                   const HostArray &expected);

/// Changes one element so that every comparison must fail; returns false for an
/// empty array.
bool mutate(HostArray &array);

} // namespace xlac::cli
