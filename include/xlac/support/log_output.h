// Where messages go. Which of them are written is for the caller to say.
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

/// Hands the message to the receiver of forward_log(), which has its own least
/// level. False if there is none.
bool forward_line(LogLevel level, std::string_view text);

/// Hands the message to the sink of set_log_sink(), else writes it to standard
/// error.
void write_line(LogLevel level, std::string_view text);

/// The level of that name; Info for other texts.
LogLevel level_of(std::string_view name);

} // namespace xlac
