// Values whose elements are in host memory, and the evaluation of graphs there.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/host/literal.h"

#include <vector>

namespace xlac::lazy {

/// On the cpu in-place results go into the memory that data_ptr() shows.
graph::Value host_value(host::Literal literal);
const host::Literal &host_literal(const graph::Value &value);

/// Evaluates graphs whose parameters hold host memory. Results own their
/// memory alone.
std::vector<host::Literal>
evaluate_on_host(const std::vector<graph::Value> &values);

/// `literal` with its elements converted to `element`.
host::Literal converted(const host::Literal &literal, ElementType element);

} // namespace xlac::lazy
