// Inputs of programs from command-line arguments, and printing of outputs.
#pragma once

#include "npy.h"

#include "xlac/compiler.h"

#include <string>
#include <vector>

namespace xlac::cli {

/// Makes one array per type. `words` are .npy files, one per input, or a single
/// "zeros" or "random:SEED" for all. Counts, shapes and dtypes must match;
/// failures name the input. f8 and bf16 inputs accept files with their bit
/// patterns.
Result<std::vector<HostArray>>
make_inputs(const std::vector<Type> &types,
            const std::vector<std::string> &words);

/// The sizes of the arrays in the .npy files that `words` names. No sizes if
/// inputs are generated.
Result<ArgumentSizes> sizes_of_inputs(const std::vector<std::string> &words);

/// Formats one line: "tensor<2x3xf32> [[1, 2, 3], [4, 5, 6]]". Of long
/// dimensions only the ends are shown.
std::string shortened(const HostArray &array);

/// Formats the element at flat index `at`: "1.5", "true", "(1, -2)".
std::string element_text(const HostArray &array, int64_t at);

/// Returns the element as a real number (the real part of complex ones).
double element_value(ElementType type, const std::byte *at);

} // namespace xlac::cli
