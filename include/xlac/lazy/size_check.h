// Rejects invalid tensor sizes before any computation with them.
#pragma once

#include "xlac/types.h"

namespace xlac::lazy {

/// OutOfMemoryError if these sizes exceed the limit of tensors (size_limit.h).
void require_holdable(Dtype dtype, const Shape &sizes);

} // namespace xlac::lazy
