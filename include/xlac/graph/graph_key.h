// A key of a graph for tables within this process. One traversal combines each
// node's local hash with the numbers of its operands. program_key computes keys
// that leave the process.
#pragma once

#include "xlac/graph/node.h"

namespace xlac::graph {

struct HashedGraph {
  Hash128 key;
  /// Parameters in the order of make_program's arguments.
  std::vector<const Node *> arguments;
  size_t nodes = 0; ///< without parameters
};

/// The key covers structure, types and the order of results, but not parameter
/// data and origins. Equal keys mean equal programs with arguments in the same
/// order. It does not recurse along operands.
HashedGraph hash_graph(std::span<const Value> roots);

/// Hashes a block. Captured values count by their index among the captures.
void hash_block(const Block &block, FastHasher &hasher);

} // namespace xlac::graph
