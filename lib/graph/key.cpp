// The program key: BLAKE2b over a post-order traversal. A node is hashed after
// all its operands have numbers, as its op, attributes, operand numbers and
// types. Thus a-a and a-b differ, while names and the order of independent ops
// do not matter. The family key leaves out sizes, and attributes, which may
// contain sizes.
#include "xlac/graph/program.h"
#include "xlac/support/hash.h"
#include "xlac/support/program_names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace xlac::graph {
namespace {

using Digests = std::unordered_map<const Function *, Digest>;

/// What a key distinguishes.
enum class Detail { All, Family };

void hash_tensor(Hasher &hasher, const TensorType &type, Detail detail) {
  hasher.update(static_cast<uint64_t>(type.element));
  hasher.update(static_cast<uint64_t>(type.dims.size()));
  if (detail == Detail::Family)
    return;
  for (int64_t size : type.dims)
    hasher.update(static_cast<uint64_t>(size));
  hasher.update(static_cast<uint64_t>(type.bounds.size()));
  for (int64_t bound : type.bounds)
    hasher.update(static_cast<uint64_t>(bound));
  if (type.quantization)
    hasher.update(to_string(type));
}

void hash_type(Hasher &hasher, const Type &type, Detail detail) {
  if (type.is_tensor()) {
    hasher.update(uint64_t{1});
    hash_tensor(hasher, type.tensor(), detail);
  } else {
    hasher.update(uint64_t{2});
    if (detail == Detail::All)
      hasher.update(to_string(type));
  }
}

using Shardings = std::vector<std::optional<Sharding>>;

/// Whether an attribute of an argument or result may affect compilation. Those
/// of unknown names may.
bool affects_compilation(std::string_view name, std::string_view text) {
  if (name == names::kLayoutMode)
    return text != "\"default\"";
  return name != "jax.result_info" && name != "jax.arg_info";
}

/// Hashes the attributes of arguments or results that may affect compilation. A
/// sharding of the program counts as the attribute that it becomes.
void hash_attributes(Hasher &hasher,
                     const std::vector<NamedAttributes> &attributes,
                     const Shardings &shardings) {
  auto update = [&](size_t i, const std::string &name,
                    const std::string &text) {
    hasher.update(static_cast<uint64_t>(i));
    hasher.update(name);
    hasher.update(text);
  };
  for (size_t i = 0; i < std::max(attributes.size(), shardings.size()); ++i) {
    if (i < attributes.size())
      for (const auto &[name, text] : attributes[i])
        if (affects_compilation(name, text))
          update(i, name, text);
    if (i < shardings.size() && shardings[i])
      update(i, names::kMhloSharding, '"' + shardings[i]->str() + '"');
  }
}

class FunctionVisitor {
public:
  FunctionVisitor(Hasher &hasher, const Digests &digests, Detail detail)
      : hasher_(hasher), digests_(digests), detail_(detail) {}

  /// Also hashes given shardings of its arguments and results, for those that
  /// it does not declare itself.
  void visit(const Function &function, const Shardings &arguments,
             const Shardings &results);

private:
  void visit_block(const Block &block);
  void visit_root(const Node *root);
  void write(const Node &node);
  void write_values(std::span<const Value> values);

  Hasher &hasher_;
  const Digests &digests_;
  const Detail detail_;
  std::unordered_map<const Node *, uint64_t> numbers_;
  uint64_t next_ = 0;
};

void FunctionVisitor::visit_root(const Node *root) {
  if (numbers_.contains(root))
    return;
  std::vector<PostOrderFrame> stack;
  stack.emplace_back(root);
  while (!stack.empty()) {
    if (const Node *child = stack.back().next_child()) {
      if (!numbers_.contains(child))
        stack.emplace_back(child);
      continue;
    }
    const Node *done = stack.back().node;
    stack.pop_back();
    if (!numbers_.contains(done))
      write(*done);
  }
}

void FunctionVisitor::write_values(std::span<const Value> values) {
  hasher_.update(static_cast<uint64_t>(values.size()));
  for (const Value &value : values) {
    hasher_.update(numbers_.at(value.node.get()));
    hasher_.update(static_cast<uint64_t>(value.number));
  }
}

void FunctionVisitor::write(const Node &node) {
  // Regions come first: their nodes are hashed before the op that contains
  // them.
  for (const Block &region : node.regions())
    visit_block(region);
  hasher_.update(static_cast<uint64_t>(node.kind()) + 16);
  switch (node.kind()) {
  case NodeKind::Op:
    hasher_.update(node.name());
    if (detail_ == Detail::All)
      node.attributes().hash(hasher_);
    break;
  case NodeKind::Foreign:
    hasher_.update(node.foreign_name());
    if (detail_ == Detail::All)
      hasher_.update(node.foreign_attributes());
    break;
  case NodeKind::Parameter:
  case NodeKind::Call:
    break;
  }
  if (detail_ == Detail::All)
    hasher_.update(node.extra_attributes());
  write_values(node.operands());
  hasher_.update(static_cast<uint64_t>(node.types().size()));
  for (const Type &type : node.types())
    hash_type(hasher_, type, detail_);
  hasher_.update(static_cast<uint64_t>(node.callees().size()));
  for (const FunctionRef &callee : node.callees())
    hasher_.update(std::as_bytes(std::span(digests_.at(callee.get()))));
  hasher_.update(static_cast<uint64_t>(node.regions().size()));
  numbers_[&node] = next_++;
}

void FunctionVisitor::visit_block(const Block &block) {
  hasher_.update(uint64_t{1});
  hasher_.update(static_cast<uint64_t>(block.arguments.size()));
  for (const NodeRef &argument : block.arguments) {
    hash_type(hasher_, argument->types()[0], detail_);
    numbers_[argument.get()] = next_++;
  }
  for (const NodeRef &node : block.nodes)
    if (node->has_effect())
      visit_root(node.get());
  for (const Value &result : block.results)
    visit_root(result.node.get());
  hasher_.update(uint64_t{2});
  write_values(block.results);
}

void FunctionVisitor::visit(const Function &function,
                            const Shardings &arguments,
                            const Shardings &results) {
  visit_block(function.body);
  if (detail_ == Detail::Family)
    return;
  hash_attributes(hasher_, function.argument_attributes, arguments);
  hasher_.update(uint64_t{3});
  hash_attributes(hasher_, function.result_attributes, results);
}

void append_callees(const Block &block, std::vector<const Function *> &list) {
  for (const NodeRef &node : block.nodes) {
    for (const FunctionRef &callee : node->callees())
      list.push_back(callee.get());
    for (const Block &region : node->regions())
      append_callees(region, list);
  }
}

/// Digests of the program's entry and of all functions that it calls, callees
/// first.
Result<Digest> digest(const Program &program, Digests &digests, Detail detail) {
  const Function *root = program.entry_function();
  struct Frame {
    const Function *function;
    std::vector<const Function *> callees;
    size_t next = 0;
  };
  std::vector<Frame> stack;
  std::unordered_set<const Function *> open;
  auto push = [&](const Function *function) {
    stack.push_back({function, {}, 0});
    append_callees(function->body, stack.back().callees);
    open.insert(function);
  };
  push(root);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.next < frame.callees.size()) {
      const Function *callee = frame.callees[frame.next++];
      if (open.contains(callee))
        return failure(FailureKind::Unsupported,
                       "function @" + callee->name + " calls itself");
      if (!digests.contains(callee))
        push(callee);
      continue;
    }
    Hasher hasher;
    bool is_entry = frame.function == root;
    FunctionVisitor(hasher, digests, detail)
        .visit(*frame.function,
               is_entry ? program.argument_shardings : Shardings(),
               is_entry ? program.result_shardings : Shardings());
    digests[frame.function] = hasher.finish();
    open.erase(frame.function);
    stack.pop_back();
  }
  return digests.at(root);
}

} // namespace

static Result<Digest> digest_of_entry(const Program &program, Detail detail) {
  if (!program.entry_function())
    return failure(FailureKind::User,
                   "the program has no function @" + program.entry);
  Digests digests;
  return digest(program, digests, detail);
}

Result<std::string> family_key(const Program &program) {
  Result<Digest> body = digest_of_entry(program, Detail::Family);
  if (!body)
    return body.error();
  return to_hex(*body);
}

Result<std::string> program_key(const Program &program) {
  Result<Digest> body = digest_of_entry(program, Detail::All);
  if (!body)
    return body.error();
  Hasher hasher;
  hasher.update(std::string_view("xlac program"));
  hasher.update(std::as_bytes(std::span(*body)));
  for (const auto &[name, text] : program.attributes) {
    bool is_count =
        name == names::kPartitionCount || name == names::kReplicaCount;
    if (is_count ? !text.starts_with("1 ")
                 : name == names::kAutomaticPartitioning && text == "true") {
      hasher.update(name);
      hasher.update(text);
    }
  }
  for (const auto &[name, text] : program.meshes) {
    hasher.update(name);
    hasher.update(text);
  }
  if (program.partitions > 1) {
    hasher.update(std::string(names::kPartitionCount));
    hasher.update(std::to_string(program.partitions) + " : i32");
  }
  hasher.update(static_cast<uint64_t>(program.aliases.size()));
  for (const AliasPair &alias : program.aliases) {
    hasher.update(static_cast<uint64_t>(alias.result));
    hasher.update(static_cast<uint64_t>(alias.argument));
  }
  return to_hex(hasher.finish());
}

} // namespace xlac::graph
