// What `interpreter.print` prints while a program runs.
#pragma once

#include "xlac/custom_call.h"

#include <cstdio>
#include <string>

namespace xlac::cli {

/// The tensor as StableHLO's interpreter prints it, its elements as MLIR
/// writes them: "tensor<2xi32> {\n  [0, 1]\n}". Its strides are followed.
std::string interpreter_text(const CustomCallTensor &tensor);

/// Lets programs of this process call @interpreter.print: each prints
/// "%0 = " and its operand's text to `stream` as one piece, also from several
/// threads. Once a process.
void register_print_call(std::FILE *stream);

} // namespace xlac::cli
