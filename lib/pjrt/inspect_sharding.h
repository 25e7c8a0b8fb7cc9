// JAX's custom call "InspectSharding", whose configuration contains the address
// of a callback in the process.
#pragma once

#include "xlac/support/sharding.h"

#include <string_view>

namespace xlac::pjrt {

inline constexpr std::string_view kInspectSharding = "InspectSharding";

/// Calls the callback of the configuration with `sharding`. Throws Error if the
/// callback fails, and if the configuration has no addresses of this process,
/// such as that of a program that another process created.
void inspect_sharding(std::string_view config, const Sharding &sharding);

} // namespace xlac::pjrt
