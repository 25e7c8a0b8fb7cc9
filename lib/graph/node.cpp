#include "xlac/graph/node.h"

#include "xlac/support/block_pool.h"
#include "xlac/support/unreachable.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace xlac::graph {

//===- Lifetime -----------------------------------------------------------===//

void *Node::operator new(size_t) { return BlockPool<sizeof(Node)>::take(); }
void Node::operator delete(void *memory) {
  BlockPool<sizeof(Node)>::give(memory);
}

void Node::destroy(const Node *node) {
  // Deleting a node drops its operands, which calls this function again. The
  // outermost call deletes all of them, so a chain of any length needs one
  // stack frame. The list uses a field that dead nodes do not need, since
  // destructors must not allocate. Plain pointers need no destructors at thread
  // exit.
  static_assert(sizeof(origin_) == sizeof(node));
  thread_local const Node *waiting = nullptr;
  thread_local bool is_running = false;
  const_cast<Node *>(node)->origin_ = reinterpret_cast<uintptr_t>(waiting);
  waiting = node;
  if (is_running)
    return;
  is_running = true;
  while (const Node *next = waiting) {
    waiting = reinterpret_cast<const Node *>(next->origin_);
    delete next;
  }
  is_running = false;
}

//===- Node construction --------------------------------------------------===//

Node::ExtraFields &Node::rare() {
  if (!extra_fields_)
    extra_fields_ = std::make_unique<ExtraFields>();
  return *extra_fields_;
}

NodeRef Node::make_op(ops::OpKind op, ops::OpAttributes attributes,
                      std::vector<Value> operands, std::vector<Type> types,
                      std::vector<Block> regions,
                      std::vector<FunctionRef> callees, uintptr_t origin) {
  auto *node = new Node(NodeKind::Op);
  NodeRef ref(node);
  assert(std::all_of(operands.begin(), operands.end(),
                     [](const Value &operand) {
                       return operand.node &&
                              operand.number < operand.node->types().size();
                     }) &&
         "an operand is one of its node's results");
  node->op_ = op;
  node->attributes_ = std::move(attributes);
  node->operands_ = std::move(operands);
  node->types_ = std::move(types);
  node->origin_ = origin;
  if (!regions.empty())
    node->rare().regions = std::move(regions);
  if (!callees.empty())
    node->rare().callees = std::move(callees);
  node->compute_local_hash();
  return ref;
}

NodeRef Node::make_parameter(Type type, std::shared_ptr<ParameterData> data) {
  auto *node = new Node(NodeKind::Parameter);
  NodeRef ref(node);
  node->types_.push_back(std::move(type));
  node->data_ = std::move(data);
  node->compute_local_hash();
  return ref;
}

NodeRef Node::make_foreign(std::string name, std::string attributes,
                           std::vector<Value> operands, std::vector<Type> types,
                           std::vector<Block> regions,
                           std::vector<FunctionRef> callees) {
  auto *node = new Node(NodeKind::Foreign);
  NodeRef ref(node);
  node->operands_ = std::move(operands);
  node->types_ = std::move(types);
  ExtraFields &rare = node->rare();
  rare.foreign_name = std::move(name);
  rare.foreign_attributes = std::move(attributes);
  rare.regions = std::move(regions);
  rare.callees = std::move(callees);
  node->compute_local_hash();
  return ref;
}

void Node::set_extra_attributes(const NodeRef &node, std::string text) {
  if (text.empty())
    return;
  auto *changed = const_cast<Node *>(node.get());
  changed->rare().extra_attributes = std::move(text);
  changed->compute_local_hash();
}

void Node::attach(const NodeRef &node,
                  std::shared_ptr<const Attachment> attachment) {
  if (attachment)
    const_cast<Node *>(node.get())->rare().attachment = std::move(attachment);
}

//===- Node accessors -----------------------------------------------------===//

std::span<const Block> Node::regions() const {
  return extra_fields_ ? std::span<const Block>(extra_fields_->regions)
                       : std::span<const Block>();
}

std::span<const FunctionRef> Node::callees() const {
  return extra_fields_ ? std::span<const FunctionRef>(extra_fields_->callees)
                       : std::span<const FunctionRef>();
}

static const std::string kEmpty;

const std::string &Node::foreign_name() const {
  return extra_fields_ ? extra_fields_->foreign_name : kEmpty;
}

const std::string &Node::foreign_attributes() const {
  return extra_fields_ ? extra_fields_->foreign_attributes : kEmpty;
}

const std::string &Node::extra_attributes() const {
  return extra_fields_ ? extra_fields_->extra_attributes : kEmpty;
}

static const std::shared_ptr<const Attachment> kNoAttachment;

const std::shared_ptr<const Attachment> &Node::attachment() const {
  return extra_fields_ ? extra_fields_->attachment : kNoAttachment;
}

std::string Node::name() const {
  switch (kind_) {
  case NodeKind::Op:
    return std::string(ops::op_name(op()));
  case NodeKind::Parameter:
    return "parameter";
  case NodeKind::Call:
    return "func.call";
  case NodeKind::Foreign:
    return foreign_name();
  }
  unreachable("a kind of node");
}

bool Node::has_effect() const {
  switch (kind_) {
  case NodeKind::Parameter:
    return false;
  case NodeKind::Op:
    if (ops::facts(op()).side_effects || types_.empty() ||
        (op() == ops::OpKind::CustomCall &&
         attributes_.get<ops::CustomCallAttributes>().has_side_effect))
      return true;
    break;
  case NodeKind::Foreign:
    return true;
  case NodeKind::Call:
    if (types_.empty())
      return true;
    break;
  }
  for (const Block &region : regions())
    for (const NodeRef &node : region.nodes)
      if (node->has_effect())
        return true;
  return false;
}

//===- Traversal ----------------------------------------------------------===//

namespace {

using NodeSet = std::unordered_set<const Node *>;

/// Calls `use` with each value that `block`, or a region in it, uses but does
/// not define. `inside` contains the nodes of enclosing blocks.
template <class Use>
void for_each_capture(const Block &block, NodeSet inside, const Use &use) {
  for (const NodeRef &argument : block.arguments)
    inside.insert(argument.get());
  for (const NodeRef &node : block.nodes)
    inside.insert(node.get());
  auto visit = [&](const Value &value) {
    if (!inside.contains(value.node.get()))
      use(value);
  };
  for (const NodeRef &node : block.nodes) {
    for (const Value &operand : node->operands())
      visit(operand);
    for (const Block &region : node->regions())
      for_each_capture(region, inside, use);
  }
  for (const Value &result : block.results)
    visit(result);
}

} // namespace

std::vector<ops::RegionSignature> signatures(std::span<const Block> regions) {
  std::vector<ops::RegionSignature> made;
  for (const Block &region : regions) {
    ops::RegionSignature signature;
    for (const NodeRef &argument : region.arguments)
      signature.arguments.push_back(argument->types()[0]);
    for (const Value &result : region.results)
      signature.results.push_back(result.type());
    made.push_back(std::move(signature));
  }
  return made;
}

std::vector<const Node *> captures(const Node &node) {
  std::vector<const Node *> list;
  for (const Block &region : node.regions())
    for_each_capture(region, {}, [&](const Value &value) {
      list.push_back(value.node.get());
    });
  return list;
}

void add_captures(const Block &block, std::vector<Value> &values) {
  for_each_capture(block, {}, [&](const Value &value) {
    if (std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(value);
  });
}

PostOrderFrame::PostOrderFrame(const Node *n)
    : node(n), captured(captures(*n)) {}

const Node *PostOrderFrame::next_child() {
  size_t operands = node->operands().size();
  size_t i = next_++;
  if (i < operands)
    return node->operands()[i].node.get();
  i -= operands;
  return i < captured.size() ? captured[i] : nullptr;
}

std::vector<NodeRef> post_order(std::span<const Value> roots) {
  std::vector<NodeRef> order;
  NodeSet seen;
  std::vector<PostOrderFrame> stack;
  for (const Value &root : roots) {
    if (!seen.insert(root.node.get()).second)
      continue;
    stack.emplace_back(root.node.get());
    while (!stack.empty()) {
      const Node *child = stack.back().next_child();
      if (!child) {
        order.emplace_back(stack.back().node);
        stack.pop_back();
      } else if (seen.insert(child).second) {
        stack.emplace_back(child);
      }
    }
  }
  return order;
}

} // namespace xlac::graph
