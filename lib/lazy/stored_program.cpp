#include "stored_program.h"

#include "xlac/lazy/host_values.h"
#include "xlac/lazy/layout.h"
#include "xlac/lazy/storage_modes.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <unordered_map>

namespace xlac::lazy {

using graph::Block;
using graph::Function;
using graph::FunctionRef;
using graph::Node;
using graph::NodeKind;
using graph::NodeRef;
using graph::Value;
using ops::OpKind;

namespace {

Type stored(const Type &type) {
  return type.is_tensor() ? Type(stored_type(type.tensor())) : type;
}

ops::DenseElements stored(const ops::DenseElements &elements) {
  ElementType element = stored_type(elements.type).element;
  if (element == elements.type.element)
    return elements;
  TensorType type = elements.type;
  if (elements.splat)
    type.dims.clear();
  host::Literal held = unwrap(host::Literal::copy_of(
      type, reinterpret_cast<const void *>(elements.bytes.data())));
  host::Literal narrow = converted(held, element);
  std::vector<std::byte> bytes(narrow.data(),
                               narrow.data() + narrow.byte_count());
  TensorType result = stored_type(elements.type);
  return elements.splat
             ? ops::DenseElements::make_splat(result, std::move(bytes))
             : ops::DenseElements::make(result, std::move(bytes));
}

/// Rebuilds the nodes of a program with stored types.
class Rewriter {
public:
  graph::Program run(const graph::Program &program) {
    graph::Program result = program;
    for (FunctionRef &function : result.functions)
      function = rewrite(function);
    return result;
  }

private:
  FunctionRef rewrite(const FunctionRef &function) {
    FunctionRef &made = functions_[function.get()];
    if (made)
      return made;
    auto copy = std::make_shared<Function>(*function);
    copy->body = rewrite(function->body);
    return made = std::move(copy);
  }

  /// The region of an exact node is exact as a whole.
  Block rewrite(const Block &block, bool exact = false) {
    Block result;
    for (const NodeRef &argument : block.arguments) {
      const Type &type = argument->types()[0];
      NodeRef made =
          Node::make_parameter(exact ? type : stored(type), argument->data());
      nodes_[argument.get()] = {{made, 0}};
      result.arguments.push_back(std::move(made));
    }
    std::vector<NodeRef> *outer = std::exchange(list_, &result.nodes);
    for (const NodeRef &node : block.nodes)
      rewrite(*node);
    for (const Value &value : block.results)
      result.results.push_back(
          in_type(value, exact ? value.type() : stored(value.type())));
    list_ = outer;
    return result;
  }

  /// The rebuilt `value`, converted to `type` for this use.
  Value in_type(const Value &value, const Type &type) {
    return convert_to(nodes_.at(value.node.get())[value.number], type);
  }

  /// Whether the result of an op depends on its float type. Such ops keep it,
  /// between conversions.
  static bool keeps_types(const Node &node) {
    if (node.kind() != NodeKind::Op || !node.regions().empty())
      return false;
    if (node.op() == OpKind::BitcastConvert ||
        (node.op() == OpKind::CustomCall && !asked_sharding(node)))
      return true;
    auto complex = [](const Type &type) {
      return type.is_tensor() && is_complex(type.tensor().element);
    };
    return std::any_of(node.types().begin(), node.types().end(), complex) ||
           std::any_of(
               node.operands().begin(), node.operands().end(),
               [&](const Value &value) { return complex(value.type()); });
  }

  Value convert_to(Value value, const Type &type) {
    if (value.type() == type)
      return value;
    NodeRef node =
        Node::make_op(OpKind::Convert, {}, {std::move(value)}, {type});
    list_->push_back(node);
    return {std::move(node), 0};
  }

  void rewrite(const Node &node) {
    bool marked = node.extra_attributes() == kExactMark;
    bool exact = marked || keeps_types(node);
    std::vector<Value> operands;
    for (const Value &operand : node.operands())
      operands.push_back(
          in_type(operand, exact ? operand.type() : stored(operand.type())));
    std::vector<Type> types;
    for (const Type &type : node.types())
      types.push_back(exact ? type : stored(type));
    std::vector<Block> regions;
    for (const Block &region : node.regions())
      regions.push_back(rewrite(region, marked));
    std::vector<FunctionRef> callees;
    for (const FunctionRef &callee : node.callees())
      callees.push_back(rewrite(callee));
    ops::OpAttributes attributes = node.attributes();
    if (!marked && node.kind() == NodeKind::Op && node.op() == OpKind::Constant)
      attributes = ops::ConstantAttributes{
          stored(attributes.get<ops::ConstantAttributes>().value)};
    NodeRef made =
        node.kind() == NodeKind::Call
            ? Node::make_call(callees[0], std::move(operands), node.origin())
            : Node::make_op(node.op(), std::move(attributes),
                            std::move(operands), std::move(types),
                            std::move(regions), std::move(callees),
                            node.origin());
    if (!marked)
      Node::set_extra_attributes(made, node.extra_attributes());
    list_->push_back(made);
    // Marked nodes pass on their computed type, all others the stored type.
    std::vector<Value> results;
    for (uint32_t i = 0; i < node.types().size(); ++i)
      results.push_back(convert_to(
          {made, i}, marked ? node.types()[i] : stored(node.types()[i])));
    nodes_[&node] = std::move(results);
  }

  std::unordered_map<const Node *, std::vector<Value>> nodes_;
  std::unordered_map<const Function *, FunctionRef> functions_;
  std::vector<NodeRef> *list_ = nullptr;
};

} // namespace

graph::Program stored_program(const graph::Program &program) {
  return stores_narrow_floats() ? Rewriter().run(program) : program;
}

} // namespace xlac::lazy
