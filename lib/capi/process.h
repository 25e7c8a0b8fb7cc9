// The disk cache of the C interface.
#pragma once

#include "xlac/cache/store.h"

#include <memory>

namespace xlac::capi {

/// The cache of xlac_set_cache_folder, else of the environment; null for none.
std::shared_ptr<cache::Store> disk_cache();

} // namespace xlac::capi
