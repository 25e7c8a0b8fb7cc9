#include "xlac/graph/program.h"

#include <cassert>
#include <sstream>
#include <unordered_map>

namespace xlac::graph {

NodeRef Node::make_call(FunctionRef callee, std::vector<Value> operands,
                        uintptr_t origin) {
  auto *node = new Node(NodeKind::Call);
  NodeRef ref(node);
  assert(callee && callee->body.arguments.size() == operands.size() &&
         "a call has an operand for each argument");
  node->operands_ = std::move(operands);
  for (const Value &result : callee->body.results)
    node->types_.push_back(result.type());
  node->origin_ = origin;
  node->rare().callees.push_back(std::move(callee));
  node->compute_local_hash();
  return ref;
}

const Function *Program::entry_function() const {
  for (const FunctionRef &function : functions)
    if (function->name == entry)
      return function.get();
  return nullptr;
}

std::vector<Type> Program::argument_types() const {
  std::vector<Type> types;
  if (const Function *function = entry_function())
    for (const NodeRef &argument : function->body.arguments)
      types.push_back(argument->types()[0]);
  return types;
}

std::vector<Type> Program::result_types() const {
  std::vector<Type> types;
  if (const Function *function = entry_function())
    for (const Value &result : function->body.results)
      types.push_back(result.type());
  return types;
}

Program make_program(std::span<const Value> results, std::string name) {
  auto entry = std::make_shared<Function>();
  entry->name = "main";
  entry->body.results.assign(results.begin(), results.end());
  Program program;
  program.name = std::move(name);
  std::unordered_map<const Function *, bool> listed;
  // Callees before callers: the callees of a function were made before it.
  auto list_callees = [&](auto &&self, const Node &node) -> void {
    for (const FunctionRef &callee : node.callees()) {
      if (!listed.emplace(callee.get(), true).second)
        continue;
      for (const NodeRef &inner : callee->body.nodes)
        self(self, *inner);
      program.functions.push_back(callee);
    }
    for (const Block &region : node.regions())
      for (const NodeRef &inner : region.nodes)
        self(self, *inner);
  };
  for (NodeRef &node : post_order(results)) {
    list_callees(list_callees, *node);
    if (node->kind() == NodeKind::Parameter)
      entry->body.arguments.push_back(std::move(node));
    else
      entry->body.nodes.push_back(std::move(node));
  }
  program.functions.push_back(std::move(entry));
  return program;
}

static size_t count(const Block &block) {
  size_t total = block.nodes.size();
  for (const NodeRef &node : block.nodes)
    for (const Block &region : node->regions())
      total += count(region);
  return total;
}

size_t node_count(const Program &program) {
  size_t total = 0;
  for (const FunctionRef &function : program.functions)
    total += count(function->body);
  return total;
}

//===- Text ---------------------------------------------------------------===//

namespace {

class Printer {
public:
  std::string print(const Program &program);

private:
  void print_partitions(const Program &program);
  void print_function(const Function &function);
  void print_block(const Block &block, int depth);
  void print_node(const Node &node, int depth);
  void print_values(std::span<const Value> values);
  std::string name_of(const Value &value);
  void indent(int depth) { os_ << std::string(2 * depth, ' '); }

  std::ostringstream os_;
  std::unordered_map<const Node *, std::string> names_;
  size_t next_ = 0;
};

std::string Printer::name_of(const Value &value) {
  auto found = names_.find(value.node.get());
  std::string name = found == names_.end() ? "%?" : found->second;
  if (value.node->types().size() > 1)
    name += "#" + std::to_string(value.number);
  return name;
}

void Printer::print_values(std::span<const Value> values) {
  for (size_t i = 0; i < values.size(); ++i)
    os_ << (i ? ", " : "") << name_of(values[i]);
}

void Printer::print_node(const Node &node, int depth) {
  indent(depth);
  if (!node.types().empty()) {
    std::string name = "%" + std::to_string(next_++);
    os_ << name << " = ";
    names_[&node] = std::move(name);
  }
  os_ << node.name();
  if (node.kind() == NodeKind::Call)
    os_ << " @" << node.callees()[0]->name;
  os_ << "(";
  print_values(node.operands());
  os_ << ")";
  if (node.kind() == NodeKind::Op) {
    if (std::string text = node.attributes().text(node.op()); !text.empty())
      os_ << " " << text;
    for (const FunctionRef &callee : node.callees())
      os_ << " @" << callee->name;
  } else if (node.kind() == NodeKind::Foreign) {
    os_ << " " << node.foreign_attributes();
  }
  for (size_t i = 0; i < node.types().size(); ++i)
    os_ << (i ? ", " : " : ") << to_string(node.types()[i]);
  os_ << "\n";
  for (const Block &region : node.regions()) {
    indent(depth);
    os_ << "{\n";
    print_block(region, depth + 1);
    indent(depth);
    os_ << "}\n";
  }
}

void Printer::print_block(const Block &block, int depth) {
  if (!block.arguments.empty()) {
    indent(depth);
    os_ << "(";
    for (size_t i = 0; i < block.arguments.size(); ++i) {
      std::string name = "%" + std::to_string(next_++);
      os_ << (i ? ", " : "") << name << ": "
          << to_string(block.arguments[i]->types()[0]);
      names_[block.arguments[i].get()] = std::move(name);
    }
    os_ << ")\n";
  }
  for (const NodeRef &node : block.nodes)
    print_node(*node, depth);
  indent(depth);
  os_ << "return ";
  print_values(block.results);
  os_ << "\n";
}

void Printer::print_function(const Function &function) {
  next_ = 0;
  os_ << (function.is_public ? "function @" : "private function @")
      << function.name << " {\n";
  print_block(function.body, 1);
  os_ << "}\n";
}

void Printer::print_partitions(const Program &program) {
  if (program.partitions == 1)
    return;
  os_ << "partitions " << program.partitions << "\n";
  auto print = [&](const char *what, const auto &shardings) {
    for (size_t i = 0; i < shardings.size(); ++i)
      if (shardings[i])
        os_ << what << " " << i << " lies as " << shardings[i]->str() << "\n";
  };
  print("argument", program.argument_shardings);
  print("result", program.result_shardings);
}

std::string Printer::print(const Program &program) {
  os_ << "program @" << program.name << " entry @" << program.entry << "\n";
  for (const AliasPair &alias : program.aliases)
    os_ << "result " << alias.result << " may reuse argument " << alias.argument
        << "\n";
  print_partitions(program);
  for (const FunctionRef &function : program.functions)
    print_function(*function);
  return os_.str();
}

} // namespace

std::string to_text(const Program &program) { return Printer().print(program); }

} // namespace xlac::graph
