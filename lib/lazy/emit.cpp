#include "xlac/lazy/emit.h"

#include "xlac/lazy/storage_modes.h"
#include "xlac/ops/infer.h"
#include "xlac/support/call_scope.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <array>

namespace xlac::build {

using graph::Block;
using graph::Node;
using graph::NodeRef;

int64_t &emitted_nodes() {
  thread_local int64_t count = 0;
  return count;
}

NodeRef emit(OpKind op, ops::OpAttributes attributes,
             std::vector<Value> operands, std::vector<Type> declared,
             std::vector<Block> regions,
             std::vector<graph::FunctionRef> callees) {
  ++emitted_nodes();
  // Avoids an allocation for a few operands.
  std::array<const Type *, 4> nearby;
  std::vector<const Type *> elsewhere;
  std::span<const Type *> types(nearby.data(),
                                std::min(operands.size(), nearby.size()));
  if (operands.size() > nearby.size()) {
    elsewhere.resize(operands.size());
    types = elsewhere;
  }
  for (size_t i = 0; i < operands.size(); ++i)
    types[i] = &operands[i].type();
  std::vector<ops::RegionSignature> signatures = graph::signatures(regions);
  ops::InferContext context;
  context.operands = types;
  context.attributes = attributes;
  context.regions = signatures;
  context.declared = declared;
  context.declares_results = !declared.empty();
  std::vector<Type> results = unwrap(ops::infer(op, context));
  NodeRef node = Node::make_op(
      op, std::move(attributes), std::move(operands),
      declared.empty() ? std::move(results) : std::move(declared),
      std::move(regions), std::move(callees), CallScope::origin());
  if (lazy::marks_exact_nodes())
    Node::set_extra_attributes(node, lazy::kExactMark);
  return node;
}

} // namespace xlac::build
