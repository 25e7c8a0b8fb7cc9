// Numbers in the state dicts of optimizers.
#pragma once

#include "xlac/serialization.h"

namespace xlac::optim {

/// A number as PyTorch may have written it: number, flag or tensor.
double to_number(const Value &value);

} // namespace xlac::optim
