// The format of torch.save before version 1.6, and of later versions without
// the zip format: a sequence of pickles followed by the storages.
#pragma once

#include "xlac/serialization.h"

#include <string_view>

namespace xlac::serialize {

/// The first byte of such files; zip files start with another one.
inline constexpr int kPickleStart = 0x80;

/// Returns the value of a whole file. Throws UserError for a damaged one.
Value load_legacy(std::string_view bytes, const LoadOptions &options);

} // namespace xlac::serialize
