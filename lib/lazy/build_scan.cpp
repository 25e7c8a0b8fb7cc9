// Builder of scans, whose regions may only use their arguments.
#include "builder_parts.h"

#include "xlac/graph/substitute.h"
#include "xlac/lazy/build.h"

#include <algorithm>

namespace xlac::build {

using graph::Block;
using graph::Node;
using graph::NodeKind;
using graph::NodeRef;

namespace {

/// Whether a value consists of constants and a few ops. Recomputing it in each
/// step is cheaper than carrying it.
bool is_constant(const Value &value, int &budget) {
  const Node &node = *value.node;
  if (--budget < 0 || node.kind() != NodeKind::Op || !node.regions().empty() ||
      node.has_effect())
    return false;
  return std::all_of(
      node.operands().begin(), node.operands().end(),
      [&](const Value &operand) { return is_constant(operand, budget); });
}

/// Makes a body independent of values from outside.
class Isolation {
public:
  explicit Isolation(std::vector<Value> arguments)
      : arguments_(std::move(arguments)) {}

  /// The region that computes `results`; captured values become additional
  /// arguments.
  Block run(std::vector<Value> results);
  /// The outside values of the additional arguments.
  const std::vector<Value> &captured() const { return captured_; }

private:
  Value copy(const Value &value);

  std::vector<Value> arguments_, captured_;
  graph::Replacements replacements_;
  std::vector<NodeRef> constants_;
};

Value Isolation::copy(const Value &value) {
  auto known = replacements_.find(value);
  if (known != replacements_.end())
    return known->second;
  const Node &node = *value.node;
  std::vector<Value> operands;
  for (const Value &operand : node.operands())
    operands.push_back(copy(operand));
  constants_.push_back(Node::make_op(
      node.op(), node.attributes(), std::move(operands),
      {node.types().begin(), node.types().end()}, {}, {}, node.origin()));
  Value made{constants_.back(), value.number};
  replacements_.emplace(value, made);
  return made;
}

Block Isolation::run(std::vector<Value> results) {
  std::vector<Value> outside;
  graph::add_captures(block(arguments_, results), outside);
  size_t own = arguments_.size();
  for (const Value &value : outside) {
    constexpr int few_nodes = 16;
    if (int budget = few_nodes; is_constant(value, budget)) {
      copy(value);
      continue;
    }
    captured_.push_back(value);
    arguments_.push_back(single(Node::make_parameter(value.type())));
    replacements_.emplace(value, arguments_.back());
  }
  results = graph::substitute(results, replacements_);
  results.insert(results.end(), arguments_.begin() + static_cast<long>(own),
                 arguments_.end());
  Block made = block(arguments_, std::move(results));
  made.nodes.insert(made.nodes.begin(), constants_.begin(), constants_.end());
  return made;
}

} // namespace

Scanned scan(std::vector<Value> inputs, std::vector<Value> inits, bool reverse,
             const ScanBody &body) {
  std::vector<Value> arguments;
  auto add_argument = [&](const Value &like, size_t from_dim) {
    TensorType type = like.tensor();
    type.dims.erase(type.dims.begin(),
                    type.dims.begin() + static_cast<long>(from_dim));
    arguments.push_back(single(Node::make_parameter(Type(std::move(type)))));
  };
  for (const Value &input : inputs)
    add_argument(input, 1);
  for (const Value &init : inits)
    add_argument(init, 0);
  auto border = arguments.begin() + static_cast<long>(inputs.size());
  Scanned step = body({arguments.begin(), border}, {border, arguments.end()});
  size_t outputs = step.outputs.size(), carries = step.carried.size();
  std::vector<Value> results = std::move(step.outputs);
  results.insert(results.end(), step.carried.begin(), step.carried.end());
  Isolation isolation(arguments);
  Block region = isolation.run(std::move(results));
  inits.insert(inits.end(), isolation.captured().begin(),
               isolation.captured().end());
  auto count = [](size_t size) { return static_cast<int32_t>(size); };
  ops::ChloScanAttributes attributes;
  attributes.is_reverse = reverse;
  attributes.operandSegmentSizes = {count(inputs.size()), count(inits.size())};
  attributes.resultSegmentSizes = {count(outputs), count(inits.size())};
  std::vector<Value> operands = std::move(inputs);
  operands.insert(operands.end(), inits.begin(), inits.end());
  std::vector<Value> made =
      results_of(emit(OpKind::ChloScan, attributes, std::move(operands), {},
                      {std::move(region)}));
  auto last = made.begin() + static_cast<long>(outputs);
  return {{last, last + static_cast<long>(carries)}, {made.begin(), last}};
}

} // namespace xlac::build
