// Elements of arrays: random ones, and printing.
#pragma once

#include "npy.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace xlac::cli {

/// An array of reproducible numbers of that static type: floats in [-1, 1),
/// integers from 0 to 9, or of the narrower range that the type has.
HostArray make_random(const TensorType &type, uint64_t seed);

/// True if a file's element type may hold the bits of a type that NumPy lacks.
bool is_bit_pattern_of(ElementType file, ElementType wanted);

/// The index of the first element of a type narrower than a byte whose byte
/// holds another number; nothing if all are in range.
std::optional<int64_t> find_beyond_width(const TensorType &type,
                                         std::span<const std::byte> bytes);

/// Formats one line: "tensor<2x3xf32> [[1, 2, 3], [4, 5, 6]]". Of long
/// dimensions only the ends are shown.
std::string shortened(const HostArray &array);

/// Formats the element at flat index `at`: "1.5", "true", "(1, -2)".
std::string element_text(const HostArray &array, int64_t at);

/// Returns the element as a real number (the real part of complex ones).
double element_value(ElementType type, const std::byte *at);

} // namespace xlac::cli
