// Makes one graph node of any op, infers its result types with the op's shape
// rule, and attaches the origin of the running public call.
#pragma once

#include "xlac/graph/node.h"

namespace xlac::build {

using graph::Value;
using ops::OpKind;

/// Makes a node of any op. Its shape rule checks the operands. Results have the
/// `declared` types if given, else the inferred ones.
graph::NodeRef emit(OpKind op, ops::OpAttributes attributes,
                    std::vector<Value> operands,
                    std::vector<Type> declared = {},
                    std::vector<graph::Block> regions = {},
                    std::vector<graph::FunctionRef> callees = {});

/// Number of nodes that this thread has made with emit(). Readers may reset it.
int64_t &emitted_nodes();

} // namespace xlac::build
