// Inputs of functions that are traced but not executed.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/support/tensor_type.h"

#include <string_view>

namespace xlac::lazy {

/// A parameter for an input of a traced function. It has no elements: executing
/// a program that uses it is a UserError.
graph::Value trace_input(int device, const TensorType &type);

/// The message of that UserError.
inline constexpr std::string_view kNoTraceValues =
    "trace: values that depend on the inputs of the function do not exist";

/// Whether any graph may still contain an input of a traced function.
bool has_trace_inputs();
/// Whether `node` is a parameter made by trace_input().
bool is_trace_input(const graph::Node &node);

} // namespace xlac::lazy
