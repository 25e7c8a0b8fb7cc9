// An option for loading programs.
#pragma once

#include <cstdint>

namespace xlac::runtime {

/// When custom calls of built-in targets with other operands, results or
/// attributes than the target declares are rejected.
enum class CallCheck : uint8_t {
  Load, ///< the program is not loaded
  Call, ///< the program is loaded, and such a call fails
};

} // namespace xlac::runtime
