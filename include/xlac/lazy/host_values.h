// Values in host memory, and evaluation of graphs on the host.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/host/literal.h"

#include <vector>

namespace xlac::lazy {

/// A value that holds `literal`. On the cpu, in-place operations write to the
/// memory that data_ptr() returns.
graph::Value host_value(host::Literal literal);
const host::Literal &host_literal(const graph::Value &value);

/// Evaluates graphs whose parameters hold host memory. Results do not share
/// their memory.
std::vector<host::Literal>
evaluate_on_host(const std::vector<graph::Value> &values);

/// `literal` with its elements converted to `element`.
host::Literal converted(const host::Literal &literal, ElementType element);

} // namespace xlac::lazy
