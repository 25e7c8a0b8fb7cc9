// The inputs of functions that are traced and not run.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/support/tensor_type.h"

#include <string_view>

namespace xlac::lazy {

/// A parameter for an input of a traced function. It has no elements: UserError
/// for a program that would need them.
graph::Value trace_input(int device, const TensorType &type);

/// What that UserError says.
inline constexpr std::string_view kNoTraceValues =
    "trace: what depends on the inputs of the function has no values";

/// True if an input of a traced function may still be part of a graph.
bool has_trace_inputs();
/// Of parameters that trace_input() made.
bool is_trace_input(const graph::Node &node);

} // namespace xlac::lazy
