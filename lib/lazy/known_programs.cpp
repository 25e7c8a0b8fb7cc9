#include "xlac/lazy/known_programs.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/ops/infer.h"
#include "xlac/support/fork.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace xlac::lazy {

using graph::Node;
using graph::NodeKind;
using graph::NodeRef;
using graph::Value;

namespace {

/// The facts of a node that comparisons need; does not keep the graph alive.
struct OutlineNode {
  Hash128 hash; ///< of the node without operands
  std::string op, types, attributes;
  std::vector<int64_t> sizes; ///< of the first result, if it is a tensor
  std::vector<uint64_t> operands;
  uintptr_t origin = 0;

  bool operator==(const OutlineNode &other) const {
    return hash == other.hash && operands == other.operands;
  }
};

struct Outline {
  std::string hash;
  std::vector<OutlineNode> nodes; ///< arguments first
};

std::string types_text(const Node &node) {
  std::string text;
  for (const Type &type : node.types())
    text += (text.empty() ? "" : ", ") + ops::short_text(type);
  return text;
}

Outline outline_of(const graph::Program &program) {
  Outline outline;
  std::unordered_map<const Node *, uint64_t> numbers;
  auto add = [&](const NodeRef &ref) {
    const Node &node = *ref;
    OutlineNode entry;
    entry.hash = node.local_hash();
    entry.types = types_text(node);
    if (!node.types().empty() && node.types()[0].is_tensor())
      entry.sizes = node.types()[0].tensor().dims;
    entry.origin = node.origin();
    entry.op = node.kind() == NodeKind::Op
                   ? std::string(ops::short_name(node.op()))
                   : node.name();
    if (node.kind() == NodeKind::Op && !node.attributes().empty())
      entry.attributes = node.attributes().text(node.op());
    for (const Value &operand : node.operands())
      entry.operands.push_back(numbers[operand.node.get()] << 16 |
                               operand.number);
    numbers.emplace(&node, numbers.size());
    outline.nodes.push_back(std::move(entry));
  };
  const graph::Block &body = program.entry_function()->body;
  for (const NodeRef &argument : body.arguments)
    add(argument);
  for (const NodeRef &node : body.nodes)
    add(node);
  return outline;
}

struct Known {
  ForkMutex mutex;
  std::vector<ProgramFacts> facts;
  std::deque<Outline> outlines; ///< of the most recent programs
};

Known &known() {
  static auto *instance = new Known; // outlives static destructors
  return *instance;
}

/// Outlines need about as much memory as graphs, so only some are kept.
constexpr size_t kOutlines = 64;

/// Number of equal nodes at the front and at the back of both.
size_t likeness(const Outline &a, const Outline &b, size_t &front) {
  size_t shorter = std::min(a.nodes.size(), b.nodes.size());
  front = 0;
  while (front < shorter && a.nodes[front] == b.nodes[front])
    ++front;
  size_t back = 0;
  // Operand numbers differ after an inserted node: compare only local hashes.
  while (back < shorter - front && a.nodes[a.nodes.size() - 1 - back].hash ==
                                       b.nodes[b.nodes.size() - 1 - back].hash)
    ++back;
  return front + back;
}

std::string described(const OutlineNode &node) {
  return node.op + " " + node.types;
}

std::string place_of(const OutlineNode &node) {
  if (node.origin == 0)
    return "";
  ForkSection section;
  Result<Compiler *> compiler = open_compiler();
  std::string place = compiler ? (*compiler)->symbolize(node.origin) : "";
  return place.empty() ? "" : " (" + place + ")";
}

/// "dimension 0 (3, was 2)" for the first dimension that differs, or
/// "the shape" for tensors of different rank.
std::string size_difference(const OutlineNode &now, const OutlineNode &was) {
  if (now.sizes.size() == was.sizes.size())
    for (size_t d = 0; d < now.sizes.size(); ++d)
      if (now.sizes[d] != was.sizes[d])
        return "dimension " + std::to_string(d) + " (" +
               std::to_string(now.sizes[d]) + ", was " +
               std::to_string(was.sizes[d]) + ")";
  return "the shape";
}

/// The part of a type's text before "[".
std::string dtype_part(const std::string &types) {
  return types.substr(0, types.find('['));
}

std::string kind_of_difference(const OutlineNode &now, const OutlineNode &was) {
  if (now.op != was.op)
    return "the op";
  if (dtype_part(now.types) != dtype_part(was.types))
    return "the dtype";
  if (now.types != was.types)
    return size_difference(now, was);
  if (now.attributes != was.attributes)
    return now.op == "constant" ? "the constant" : "the attributes";
  return "the operands";
}

std::string difference(const Outline &now, const Outline &was, size_t at) {
  std::string text = "first difference at node " + std::to_string(at) + ": ";
  if (at >= now.nodes.size())
    return text + "it ends before " + described(was.nodes[at]);
  const OutlineNode &node = now.nodes[at];
  if (at >= was.nodes.size())
    return text + described(node) + place_of(node) + " is new";
  const OutlineNode &old = was.nodes[at];
  text += kind_of_difference(node, old) + " of " + described(node) +
          place_of(node) + ", was " + described(old);
  if (node.types == old.types && node.attributes != old.attributes)
    text += "; now " + node.attributes + ", was " + old.attributes;
  return text;
}

} // namespace

void remember_program(const graph::Program &program, ProgramFacts facts) {
  Outline outline = outline_of(program);
  outline.hash = facts.hash;
  std::lock_guard lock(known().mutex);
  known().facts.push_back(std::move(facts));
  known().outlines.push_back(std::move(outline));
  if (known().outlines.size() > kOutlines)
    known().outlines.pop_front();
}

std::vector<ProgramFacts> known_programs() {
  std::lock_guard lock(known().mutex);
  return known().facts;
}

std::string explain_difference(const graph::Program &program) {
  Outline now = outline_of(program);
  std::lock_guard lock(known().mutex);
  const Outline *nearest = nullptr;
  size_t most = 0, parting = 0;
  for (const Outline &outline : known().outlines) {
    size_t front = 0;
    size_t same = likeness(now, outline, front);
    if (nearest && same < most)
      continue;
    nearest = &outline;
    most = same;
    parting = front;
  }
  std::string text =
      "graph of " + std::to_string(now.nodes.size()) + " nodes: ";
  if (!nearest)
    return text + "nothing was compiled before";
  if (now.nodes == nearest->nodes)
    return text + "known as " + nearest->hash.substr(0, 12);
  return text + "nearest known graph is " + nearest->hash.substr(0, 12) + ", " +
         difference(now, *nearest, parting);
}

} // namespace xlac::lazy
