// What the checks of conformance programs mean.
#pragma once

#include "npy.h"
#include "xlac/compiler.h"
#include "xlac/compiler_check_case.h"

#include <optional>
#include <string>

namespace xlac::cli {

/// Nothing if `actual` passes the comparison with `expected`, else what
/// differed: index, got and wanted.
std::optional<std::string> compare(const CheckCase::Comparison &comparison,
                                   const HostArray &actual,
                                   const HostArray &expected);

/// Changes one element so that every comparison must see it; false when the
/// array has none.
bool mutate(HostArray &array);

} // namespace xlac::cli
