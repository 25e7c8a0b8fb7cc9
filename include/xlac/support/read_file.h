// Reads or maps whole files, and a limited amount from pipes and devices.
#pragma once

#include "xlac/support/result.h"
#include "xlac/support/shared_bytes.h"

#include <string>

namespace xlac {

/// Limit for pipes and devices, which may never end.
inline constexpr int64_t kMaxStreamBytes = int64_t(1) << 30;

/// The bytes of the file, or of standard input for "-". User failure, with the
/// path, if it cannot be read, is a directory, or is larger than this machine's
/// memory. User failure for a pipe or device with more than kMaxStreamBytes.
Result<std::string> read_file(const std::string &path);

/// As read_file, but maps a regular file instead of copying it. The bytes begin
/// at a page. They change if another process writes to the file, and the file
/// must not become shorter while they are in use; a file that is renamed over
/// it does no harm.
Result<SharedBytes> map_file(const std::string &path);

/// As read_file: bytes in memory that no other process can change.
Result<SharedBytes> read_shared(const std::string &path);

/// The bytes of `text`, without a copy.
SharedBytes bytes_of_text(std::string text);

} // namespace xlac
