// Whole files in memory, and of what is no file only so much.
#pragma once

#include "xlac/support/result.h"

#include <string>

namespace xlac {

/// The most that is read of a pipe or a device, which may never end.
inline constexpr int64_t kMaxStreamBytes = int64_t(1) << 30;

/// The bytes of the file, or of standard input for "-". User, naming the path,
/// where it cannot be read, is a folder, is larger than this machine's memory,
/// or is no regular file and gives more than kMaxStreamBytes.
Result<std::string> read_file(const std::string &path);

} // namespace xlac
