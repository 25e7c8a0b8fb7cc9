// Output of messages. The caller decides which messages are written.
#pragma once

#include "xlac/log.h"

namespace xlac {

/// Sends later messages of this library to `sink` instead of standard error. An
/// empty function restores standard error, where a message is one line that
/// begins with "xlac: ". libxlac.so and libxlac_compiler.so each have a sink.
void set_log_sink(LogCallback sink);

/// Receives a message of `size` bytes and its LogLevel. The type is part of the
/// interface of libxlac_compiler.so.
using LogReceiver = void (*)(int level, const char *text, size_t size);

/// Passes later messages of this library to `receive` instead of the sink. It
/// holds no lock, so that the compiler library can be loaded while another
/// thread forks.
void forward_log(LogReceiver receive);

/// Passes the message to the receiver of forward_log(), which filters by its
/// own level. Returns false if there is none.
bool forward_line(LogLevel level, std::string_view text);

/// Passes the message to the sink of set_log_sink(), or writes it to standard
/// error.
void write_line(LogLevel level, std::string_view text);

/// The level with that name; Info for other text.
LogLevel level_of(std::string_view name);

} // namespace xlac
