// Makes one graph node of any op: result types worked out by the op's shape
// rule, the origin of the running public call attached.
#pragma once

#include "xlac/graph/node.h"

namespace xlac::build {

using graph::Value;
using ops::OpKind;

/// Any op: its shape rule checks the operands; results have the `declared`
/// types where the caller gives them, else those of the rule.
graph::NodeRef emit(OpKind op, ops::OpAttributes attributes,
                    std::vector<Value> operands,
                    std::vector<Type> declared = {},
                    std::vector<graph::Block> regions = {},
                    std::vector<graph::FunctionRef> callees = {});

/// Nodes that this thread has made with emit(). A reader of the
/// number may set it back.
int64_t &emitted_nodes();

} // namespace xlac::build
