#include "xlac/graph/graph_key.h"

#include "xlac/graph/program.h"

#include <bit>
#include <cassert>
#include <unordered_map>

namespace xlac::graph {

namespace {

/// Numbers of nodes in a hash table with open addressing. A traversal looks up
/// each node about three times, which takes most of its time.
class NodeNumbers {
public:
  NodeNumbers() : slots_(1024) {}

  /// The number of `node`, and whether it was known; -1 for a new node.
  int64_t &find(const Node *node, bool &known) {
    if (2 * used_ >= slots_.size())
      grow();
    Slot &slot = place(node);
    known = slot.node != nullptr;
    if (!known) {
      slot.node = node;
      ++used_;
    }
    return slot.number;
  }

private:
  struct Slot {
    const Node *node = nullptr;
    int64_t number = -1;
  };

  Slot &place(const Node *node) {
    size_t mask = slots_.size() - 1;
    size_t i = (reinterpret_cast<uintptr_t>(node) * 0x9e3779b97f4a7c15) >> 20;
    while (slots_[i & mask].node && slots_[i & mask].node != node)
      ++i;
    return slots_[i & mask];
  }

  void grow() {
    std::vector<Slot> old(4 * slots_.size());
    old.swap(slots_);
    for (const Slot &slot : old)
      if (slot.node)
        place(slot.node) = slot;
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

/// A node of the traversal, and the index of its next operand or capture.
struct Frame {
  const Node *node;
  std::vector<const Node *> captured;
  size_t next = 0;

  explicit Frame(const Node *n)
      : node(n), captured(n->regions().empty() ? std::vector<const Node *>()
                                               : captures(*n)) {}
  const Node *next_child() {
    size_t operands = node->operands().size();
    size_t i = next++;
    if (i < operands)
      return node->operands()[i].node.get();
    i -= operands;
    return i < captured.size() ? captured[i] : nullptr;
  }
};

class GraphHasher {
public:
  explicit GraphHasher(HashedGraph &result) : result_(result) {}

  void visit(const Node *root) {
    bool known = false;
    numbers_.find(root, known);
    if (known)
      return;
    stack_.emplace_back(root);
    while (!stack_.empty()) {
      const Node *child = stack_.back().next_child();
      if (!child) {
        leave(stack_.back());
        stack_.pop_back();
        continue;
      }
      numbers_.find(child, known);
      if (!known)
        stack_.emplace_back(child);
    }
  }

  void mix(const Value &value) {
    bool known = false;
    int64_t number = numbers_.find(value.node.get(), known);
    assert(known && number >= 0 && "an operand has a number before its user");
    hasher_.update(static_cast<uint64_t>(number) << 16 | value.number);
  }

  FastHasher &hasher() { return hasher_; }

private:
  void leave(const Frame &frame) {
    const Node &node = *frame.node;
    bool known = false;
    numbers_.find(&node, known) = next_number_++;
    hasher_.update(node.local_hash());
    if (node.kind() == NodeKind::Parameter) {
      result_.arguments.push_back(&node);
      return;
    }
    ++result_.nodes;
    for (const Value &operand : node.operands())
      mix(operand);
    for (const Node *captured : frame.captured)
      hasher_.update(numbers_.find(captured, known));
  }

  HashedGraph &result_;
  NodeNumbers numbers_;
  FastHasher hasher_;
  std::vector<Frame> stack_;
  int64_t next_number_ = 0;
};

/// Nested blocks can use values of the enclosing blocks.
class BlockHash {
public:
  explicit BlockHash(FastHasher &hasher) : hasher_(hasher) {}

  void visit(const Block &block) {
    hasher_.update(static_cast<uint64_t>(block.arguments.size()));
    for (const NodeRef &argument : block.arguments) {
      hasher_.update(argument->types()[0]);
      numbers_.emplace(argument.get(), numbers_.size());
    }
    for (const NodeRef &node : block.nodes) {
      hasher_.update(node->local_hash());
      mix(node->operands());
      // The node's local hash does not include values that its regions capture.
      for (const Node *captured : captures(*node))
        mix(captured, 0);
      numbers_.emplace(node.get(), numbers_.size());
    }
    mix(block.results);
  }

private:
  void mix(std::span<const Value> values) {
    hasher_.update(static_cast<uint64_t>(values.size()));
    for (const Value &value : values)
      mix(value.node.get(), value.number);
  }
  void mix(const Node *node, uint32_t result) {
    constexpr uint64_t kOutside = uint64_t{1} << 62;
    auto found = numbers_.find(node);
    uint64_t number = found == numbers_.end() ? kOutside : found->second;
    hasher_.update(number << 16 | result);
  }

  FastHasher &hasher_;
  std::unordered_map<const Node *, uint64_t> numbers_;
};

} // namespace

HashedGraph hash_graph(std::span<const Value> roots) {
  HashedGraph result;
  GraphHasher walk(result);
  for (const Value &root : roots)
    walk.visit(root.node.get());
  walk.hasher().update(static_cast<uint64_t>(roots.size()));
  for (const Value &root : roots)
    walk.mix(root);
  result.key = walk.hasher().finish();
  return result;
}

void hash_block(const Block &block, FastHasher &hasher) {
  BlockHash(hasher).visit(block);
}

void Node::compute_local_hash() {
  FastHasher hasher;
  hasher.update(static_cast<uint64_t>(kind_) << 32 |
                static_cast<uint64_t>(op_) << 16 | types_.size());
  for (const Type &type : types_)
    hasher.update(type);
  if (kind_ == NodeKind::Op)
    attributes_.hash(hasher);
  hasher.update(static_cast<uint64_t>(operands_.size()));
  if (extra_fields_) {
    hasher.update(std::string_view(extra_fields_->foreign_name));
    hasher.update(std::string_view(extra_fields_->foreign_attributes));
    hasher.update(std::string_view(extra_fields_->extra_attributes));
    for (const Block &region : extra_fields_->regions)
      hash_block(region, hasher);
    for (const FunctionRef &callee : extra_fields_->callees)
      hash_block(callee->body, hasher);
  }
  local_hash_ = hasher.finish();
}

} // namespace xlac::graph
