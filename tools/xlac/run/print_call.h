// The output of `interpreter.print` while a program runs.
#pragma once

#include "xlac/custom_call.h"

#include <cstdio>
#include <string>

namespace xlac::cli {

/// Formats the tensor as StableHLO's interpreter does, with elements as in
/// MLIR: "tensor<2xi32> {\n  [0, 1]\n}". Strides are supported.
std::string interpreter_text(const CustomCallTensor &tensor);

/// Registers @interpreter.print for programs of this process. Each call prints
/// "%0 = " and its operand's text to `stream` in one write, also from several
/// threads. Call it once per process.
void register_print_call(std::FILE *stream);

} // namespace xlac::cli
