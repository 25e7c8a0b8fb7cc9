// A key over a graph for tables of this process: one walk that mixes each
// node's local hash with the numbers of what it uses. What leaves the process
// goes by program_key.
#pragma once

#include "xlac/graph/node.h"

namespace xlac::graph {

struct HashedGraph {
  Hash128 key;
  /// Parameters in the order in which make_program lists them.
  std::vector<const Node *> arguments;
  size_t nodes = 0; ///< parameters left out
};

/// Structure, types and the order of results count; what parameters carry and
/// origins do not. Equal keys mean equal programs with arguments in the same
/// order. Never recurses along operands.
HashedGraph hash_graph(std::span<const Value> roots);

/// Of a block: what it uses from outside counts by its place among captures.
void hash_block(const Block &block, FastHasher &hasher);

} // namespace xlac::graph
