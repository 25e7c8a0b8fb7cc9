// The one way by which libraries write messages.
#pragma once

#include "xlac/log.h"

namespace xlac {

/// Sends later messages of this library to `sink` instead of standard error; an
/// empty function restores standard error, where a message is one line that
/// begins with "xlac: ". libxlac.so and libxlac_compiler.so have a sink each.
void set_log_sink(LogCallback sink);

/// Takes a message of `size` bytes with its LogLevel. The type crosses the
/// border of libxlac_compiler.so.
using LogReceiver = void (*)(int level, const char *text, size_t size);

/// Hands later messages of this library to `receive`, whatever the sink is. No
/// lock is held, so the compiler library can be opened while another thread
/// forks.
void forward_log(LogReceiver receive);

/// Sends one line to the sink. Messages below XLAC_LOG_LEVEL are dropped.
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

/// True if the list XLAC_LOGS names `topic` or "all". Read once.
bool is_logged(std::string_view topic);

} // namespace xlac
