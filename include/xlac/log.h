// Messages to users: warnings and the output of XLAC_LOGS.
// debug::set_log_callback receives them.
#pragma once

#include <functional>
#include <string_view>

namespace xlac {

/// Severity of a message, in rising order.
enum class LogLevel {
  Info,    ///< output that XLAC_LOGS requested
  Warning, ///< the program continues, but not as requested
  Error,   ///< a failure that no caller can receive
};

/// Receives a message as one line, without a line end or a prefix.
using LogCallback = std::function<void(LogLevel level, std::string_view text)>;

} // namespace xlac
