// The disk cache of this process.
#pragma once

#include "xlac/cache/store.h"

#include <filesystem>

namespace xlac::lazy {

/// Uses the directory `path`, which is created if needed. With `readonly`,
/// nothing is created, written or removed, and a missing directory is treated
/// as empty. UserError after the first compilation, or on a second call.
void initialize_disk_cache(const std::filesystem::path &path, bool readonly);

/// The cache that initialize_disk_cache or the environment selects, or null.
/// The first call fixes it.
cache::Store *disk_cache();

/// Whether a cache is selected, even if its directory is unusable.
bool has_disk_cache();

/// Resets the cache selection to that of a new process.
void reset_disk_cache();

} // namespace xlac::lazy
