// Functions by which libraries write messages.
#pragma once

#include "xlac/log.h"

namespace xlac {

/// Sends one line to the sink. Drops messages below XLAC_LOG_LEVEL.
void log_message(LogLevel level, std::string_view text);

inline void log_info(std::string_view text) {
  log_message(LogLevel::Info, text);
}
inline void log_warning(std::string_view text) {
  log_message(LogLevel::Warning, text);
}
inline void log_error(std::string_view text) {
  log_message(LogLevel::Error, text);
}

/// Whether the list XLAC_LOGS contains `topic` or "all". Read once.
bool is_logged(std::string_view topic);

} // namespace xlac
