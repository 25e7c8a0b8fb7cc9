// What messages to the people who run a program look like: warnings, and what
// XLAC_LOGS asks for. debug::set_log_callback receives them.
#pragma once

#include <functional>
#include <string_view>

namespace xlac {

/// How serious a message is, in rising order.
enum class LogLevel {
  Info,    ///< what XLAC_LOGS asked for
  Warning, ///< the program continues, but not as it was told to
  Error,   ///< something failed and no caller can be told
};

/// Receives a message: one line without its end, without a prefix.
using LogCallback = std::function<void(LogLevel level, std::string_view text)>;

} // namespace xlac
