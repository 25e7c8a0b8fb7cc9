// Modules that may write their result to their input.
#pragma once

#include "xlac/tensor/recorder.h"

namespace xlac::nn {

/// Returns function(input), which is written to the input if `inplace`; `name`
/// is that of the in-place function. It is one call, so that the gradient uses
/// the input's value from before the write.
template <class F>
Tensor applied(const char *name, bool inplace, const Tensor &input,
               F function) {
  if (!inplace)
    return function(input);
  XLAC_CALL(name);
  Tensor target = input;
  return target.copy_(function(input));
}

} // namespace xlac::nn
