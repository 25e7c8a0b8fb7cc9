// Graphs with some values replaced by others. Nodes never change, so whatever
// depends on a replaced value is made anew; the rest is shared.
#pragma once

#include "xlac/graph/node.h"

#include <map>

namespace xlac::graph {

/// Orders values by node and number; for maps within one process.
struct ValueOrder {
  bool operator()(const Value &a, const Value &b) const {
    return a.node.get() != b.node.get() ? a.node.get() < b.node.get()
                                        : a.number < b.number;
  }
};
using Replacements = std::map<Value, Value, ValueOrder>;

/// `roots` as they come out when each key of `replacements` stands for its
/// value, inside regions too. Types must agree. Never recurses but into
/// regions.
std::vector<Value> substitute(std::span<const Value> roots,
                              Replacements replacements);

} // namespace xlac::graph
