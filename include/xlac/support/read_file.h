// Reads whole files, and a limited amount from pipes and devices.
#pragma once

#include "xlac/support/result.h"

#include <string>

namespace xlac {

/// Limit for pipes and devices, which may never end.
inline constexpr int64_t kMaxStreamBytes = int64_t(1) << 30;

/// The bytes of the file, or of standard input for "-". User failure, with the
/// path, if it cannot be read, is a directory, or is larger than this machine's
/// memory. User failure for a pipe or device with more than kMaxStreamBytes.
Result<std::string> read_file(const std::string &path);

} // namespace xlac
