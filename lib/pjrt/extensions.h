// The extensions of the table for memory layouts and for kinds of memory.
#pragma once

#include "c_api_extensions.h"

namespace xlac::pjrt {

/// Each returns an extension, followed by `next` in the list. The extension
/// lives as long as the process. Called once.
PJRT_Extension_Base *layouts_extension(PJRT_Extension_Base *next);
PJRT_Extension_Base *memory_descriptions_extension(PJRT_Extension_Base *next);

} // namespace xlac::pjrt
