// Modules that may write their result into their input.
#pragma once

#include "xlac/tensor/recorder.h"

namespace xlac::nn {

/// function(input), written into the input if `inplace`; `name` is that of the
/// function in place. One call, so that gradients follow what it read before it
/// wrote.
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
