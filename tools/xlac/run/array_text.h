// Arrays that are written on the command line: 2x3xf32=1,2,3,4,5,6.
#pragma once

#include "npy.h"

#include <optional>
#include <string_view>

namespace xlac::cli {

/// Reads a static type without "tensor<>": "2x3xf32", "f32", "4xcomplex<f32>".
/// Nothing for other texts.
std::optional<TensorType> parse_array_type(std::string_view text);

/// Reads "TYPE=ELEMENTS". Elements are numbers, true, false, inf or nan, and
/// (real, imaginary) for complex types, separated by commas, blanks or
/// brackets, in row-major order. One element stands for all. Floats are rounded
/// to the type. Failures name the element; a number that an integer type lacks
/// is a failure.
Result<HostArray> parse_array(std::string_view text);

} // namespace xlac::cli
