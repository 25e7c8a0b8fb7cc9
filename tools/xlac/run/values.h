// Inputs that the command line names and outputs that it prints.
#pragma once

#include "npy.h"

#include <string>
#include <vector>

namespace xlac::cli {

/// One array for each type: from `words`, which are .npy files (one an input),
/// or a single "zeros" or "random:SEED" for all. Counts, shapes and dtypes must
/// fit; failures name the input. f8 and bf16 inputs accept their bit patterns.
Result<std::vector<HostArray>>
make_inputs(const std::vector<Type> &types,
            const std::vector<std::string> &words);

/// One line: "tensor<2x3xf32> [[1, 2, 3], [4, 5, 6]]", long dimensions
/// shortened to their ends.
std::string shortened(const HostArray &array);

/// The element at flat position `at` as text: "1.5", "true", "(1, -2)".
std::string element_text(const HostArray &array, int64_t at);

/// The element as a real number (real part of complex ones).
double element_value(ElementType type, const std::byte *at);

} // namespace xlac::cli
