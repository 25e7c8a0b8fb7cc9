// Text of types in messages.
#pragma once

#include "xlac/support/tensor_type.h"

#include <string>

namespace xlac::ops {

/// "f32" or "!quant.uniform<…>".
std::string element_text(const TensorType &type);
/// "f32[2,?]".
std::string short_text(const TensorType &type);
std::string short_text(const Type &type);

} // namespace xlac::ops
