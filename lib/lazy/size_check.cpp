#include "xlac/lazy/size_check.h"

#include "xlac/lazy/dtypes.h"
#include "xlac/ops/infer.h"
#include "xlac/support/raise.h"
#include "xlac/support/size_limit.h"

namespace xlac::lazy {

void require_holdable(Dtype dtype, const Shape &sizes) {
  if (!is_holdable(sizes))
    raise<OutOfMemoryError>(
        "cannot hold " +
        ops::short_text(TensorType{element_type(dtype), sizes, {}, {}}) +
        ": a tensor has at most 2^56 elements");
}

} // namespace xlac::lazy
