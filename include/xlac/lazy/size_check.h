// Sizes that no tensor can have are refused before anything is computed with
// them.
#pragma once

#include "xlac/types.h"

namespace xlac::lazy {

/// OutOfMemoryError unless a tensor may have these sizes (size_limit.h).
void require_holdable(Dtype dtype, const Shape &sizes);

} // namespace xlac::lazy
