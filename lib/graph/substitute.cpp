#include "xlac/graph/substitute.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace xlac::graph {
namespace {

class Substitution {
public:
  explicit Substitution(Replacements replacements)
      : replacements_(std::move(replacements)) {}

  Value look_up(const Value &value) const {
    auto found = replacements_.find(value);
    return found == replacements_.end() ? value : found->second;
  }

  void visit(const Value &root);

private:
  /// Whether the node must be rebuilt because it uses a replaced value.
  bool is_affected(const Node &node) const;
  bool is_affected(const Block &block) const;
  void remake(const Node &node);
  Block remake(const Block &block);
  NodeRef copy(const Node &node, std::vector<Value> operands,
               std::vector<Block> regions);

  Replacements replacements_;
  std::unordered_set<const Node *> done_;
};

bool Substitution::is_affected(const Block &block) const {
  auto replaced = [&](const Value &value) {
    return replacements_.contains(value);
  };
  return std::any_of(block.results.begin(), block.results.end(), replaced) ||
         std::any_of(block.nodes.begin(), block.nodes.end(),
                     [&](const NodeRef &node) { return is_affected(*node); });
}

bool Substitution::is_affected(const Node &node) const {
  return std::any_of(node.operands().begin(), node.operands().end(),
                     [&](const Value &value) {
                       return replacements_.contains(value);
                     }) ||
         std::any_of(node.regions().begin(), node.regions().end(),
                     [&](const Block &block) { return is_affected(block); });
}

NodeRef Substitution::copy(const Node &node, std::vector<Value> operands,
                           std::vector<Block> regions) {
  std::vector<Type> types(node.types().begin(), node.types().end());
  std::vector<FunctionRef> callees(node.callees().begin(),
                                   node.callees().end());
  NodeRef made;
  switch (node.kind()) {
  case NodeKind::Op:
    made = Node::make_op(node.op(), node.attributes(), std::move(operands),
                         std::move(types), std::move(regions),
                         std::move(callees), node.origin());
    break;
  case NodeKind::Call:
    made = Node::make_call(callees[0], std::move(operands), node.origin());
    break;
  case NodeKind::Foreign:
    made = Node::make_foreign(node.foreign_name(), node.foreign_attributes(),
                              std::move(operands), std::move(types),
                              std::move(regions), std::move(callees));
    break;
  case NodeKind::Parameter:
    return NodeRef(&node);
  }
  Node::set_extra_attributes(made, node.extra_attributes());
  Node::attach(made, node.attachment());
  return made;
}

Block Substitution::remake(const Block &block) {
  Block result;
  result.arguments = block.arguments;
  for (const NodeRef &node : block.nodes) {
    if (!is_affected(*node)) {
      result.nodes.push_back(node);
      continue;
    }
    remake(*node);
    result.nodes.push_back(look_up({node, 0}).node);
  }
  for (const Value &value : block.results)
    result.results.push_back(look_up(value));
  return result;
}

void Substitution::remake(const Node &node) {
  std::vector<Value> operands;
  for (const Value &operand : node.operands())
    operands.push_back(look_up(operand));
  std::vector<Block> regions;
  for (const Block &region : node.regions())
    regions.push_back(remake(region));
  NodeRef made = copy(node, std::move(operands), std::move(regions));
  assert(made->types().size() == node.types().size() &&
         "a copy has the results of its original");
  NodeRef old(&node);
  for (uint32_t i = 0; i < node.types().size(); ++i)
    replacements_.try_emplace({old, i}, Value{made, i});
}

void Substitution::visit(const Value &root) {
  if (replacements_.contains(root) || done_.contains(root.node.get()))
    return;
  std::vector<PostOrderFrame> stack;
  stack.emplace_back(root.node.get());
  while (!stack.empty()) {
    if (const Node *child = stack.back().next_child()) {
      if (!done_.contains(child) &&
          !replacements_.contains({NodeRef(child), 0}))
        stack.emplace_back(child);
      continue;
    }
    const Node *node = stack.back().node;
    stack.pop_back();
    if (done_.insert(node).second && is_affected(*node))
      remake(*node);
  }
}

} // namespace

std::vector<Value> substitute(std::span<const Value> roots,
                              Replacements replacements) {
  Substitution substitution(std::move(replacements));
  std::vector<Value> results;
  for (const Value &root : roots) {
    substitution.visit(root);
    results.push_back(substitution.look_up(root));
  }
  return results;
}

} // namespace xlac::graph
