// Numbers in the state dicts of optimizers.
#pragma once

#include "xlac/serialization.h"

namespace xlac::optim {

/// Converts a number as PyTorch may have written it: a number, flag or tensor.
double to_number(const Value &value);

} // namespace xlac::optim
