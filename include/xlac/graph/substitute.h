// Replaces values in graphs. Nodes are immutable, so nodes that depend on a
// replaced value are rebuilt; the rest is shared.
#pragma once

#include "xlac/graph/node.h"

#include <map>

namespace xlac::graph {

/// Orders values by node address and number; for maps within one process.
struct ValueOrder {
  bool operator()(const Value &a, const Value &b) const {
    return a.node.get() != b.node.get() ? a.node.get() < b.node.get()
                                        : a.number < b.number;
  }
};
using Replacements = std::map<Value, Value, ValueOrder>;

/// Returns `roots` with each key of `replacements` replaced by its value, also
/// inside regions. Types must agree. It recurses only into regions.
std::vector<Value> substitute(std::span<const Value> roots,
                              Replacements replacements);

} // namespace xlac::graph
