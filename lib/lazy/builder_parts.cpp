#include "builder_parts.h"

#include <cassert>
#include <unordered_set>

namespace xlac::build {

using graph::Block;
using graph::Node;
using graph::NodeRef;

TensorType tensor_type(ElementType element, const Shape &dims) {
  return {element, dims, {}, {}};
}

Value single(NodeRef node) { return {std::move(node), 0}; }

std::vector<Value> results_of(const NodeRef &node) {
  std::vector<Value> results;
  for (uint32_t i = 0; i < node->types().size(); ++i)
    results.push_back({node, i});
  return results;
}

const Shape &dims_of(const Value &value) { return value.tensor().dims; }

Value parameter(ElementType element) {
  return single(Node::make_parameter(Type(tensor_type(element, {}))));
}

/// Appends to `made` all nodes that depend on the nodes `inside`.
static Block complete(Block made, std::unordered_set<const Node *> inside,
                      std::vector<Value> results) {
  for (NodeRef &node : graph::post_order(results)) {
    graph::PostOrderFrame frame(node.get());
    bool follows = false;
    while (const Node *child = frame.next_child())
      follows |= inside.contains(child);
    if (!follows || !inside.insert(node.get()).second)
      continue;
    made.nodes.push_back(std::move(node));
  }
  made.results = std::move(results);
  return made;
}

Block block(const std::vector<Value> &arguments, std::vector<Value> results) {
  Block made;
  std::unordered_set<const Node *> inside;
  for (const Value &argument : arguments) {
    assert(argument.node->kind() == graph::NodeKind::Parameter &&
           "a block's arguments are parameters");
    made.arguments.push_back(argument.node);
    inside.insert(argument.node.get());
  }
  return complete(std::move(made), std::move(inside), std::move(results));
}

Block block_from(const NodeRef &first, std::vector<Value> results) {
  Block made;
  made.nodes = {first};
  return complete(std::move(made), {first.get()}, std::move(results));
}

Block folding_block(OpKind op, ElementType type) {
  Value a = parameter(type), b = parameter(type);
  return block({a, b}, {single(emit(op, {}, operand_list(a, b)))});
}

} // namespace xlac::build
