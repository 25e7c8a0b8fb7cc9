// The compiler whose code a disk cache has, for machines without its library.
#pragma once

#include "xlac/cache/store.h"
#include "xlac/support/result.h"

#include <string>

namespace xlac {

/// The build id of the compiler, for keys of the store: of the library, else of
/// the compiler of this version of xlac that last filled the store. Fails as
/// compiler_build_id() if there is neither. `store` may be null.
Result<std::string> compiler_id_for(cache::Store *store);

/// Notes in the store which compiler fills it.
void note_compiler(cache::Store &store);

} // namespace xlac
