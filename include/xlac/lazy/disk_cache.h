// The disk cache of compiled programs that this process uses.
#pragma once

#include "xlac/cache/store.h"

#include <filesystem>

namespace xlac::lazy {

/// Uses the folder `path`, made if need be; read only, nothing is written,
/// made or removed, and a missing folder acts as an empty one. UserError after
/// the first compilation, or a second time.
void initialize_disk_cache(const std::filesystem::path &path, bool readonly);

/// What initialize_disk_cache or the environment asked for, or null. From here
/// on it stays so.
cache::Store *disk_cache();

/// There is a cache, though perhaps without a usable folder.
bool has_disk_cache();

/// Nothing has been asked for or settled, as in a new process.
void reset_disk_cache();

} // namespace xlac::lazy
