// What torch.save wrote before version 1.6, and still writes when it is asked
// for no zip file: pickles one after the other, and the storages behind them.
#pragma once

#include "xlac/serialization.h"

#include <string_view>

namespace xlac::serialize {

/// The first byte of such files, which no zip file has.
inline constexpr int kPickleStart = 0x80;

/// The value of a whole file. UserError for one that is damaged.
Value load_legacy(std::string_view bytes, const LoadOptions &options);

} // namespace xlac::serialize
