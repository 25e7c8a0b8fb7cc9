// Builders of loops, branches and barriers.
#include "builder_parts.h"

#include "xlac/lazy/build.h"

namespace xlac::build {

std::vector<Value> while_loop(
    std::vector<Value> inits,
    const std::function<Value(const std::vector<Value> &)> &condition,
    const std::function<std::vector<Value>(const std::vector<Value> &)> &body) {
  auto arguments = [&] {
    std::vector<Value> made;
    for (const Value &init : inits)
      made.push_back(single(graph::Node::make_parameter(init.type())));
    return made;
  };
  std::vector<Value> seen = arguments(), carried = arguments();
  Value continues = condition(seen);
  std::vector<Value> next = body(carried);
  return results_of(emit(OpKind::While, {}, std::move(inits), {},
                         {block(seen, {continues}), block(carried, next)}));
}

std::vector<Value>
if_else(Value predicate, const std::vector<Value> &operands,
        const std::function<std::vector<Value>(const std::vector<Value> &)>
            &on_true,
        const std::function<std::vector<Value>(const std::vector<Value> &)>
            &on_false) {
  // Each branch starts with a barrier, which separates nodes that only the
  // branch needs from existing nodes.
  auto branch = [&](const auto &body) {
    graph::NodeRef first = emit(OpKind::OptimizationBarrier, {}, operands);
    return block_from(first, body(results_of(first)));
  };
  return results_of(emit(OpKind::If, {}, {std::move(predicate)}, {},
                         {branch(on_true), branch(on_false)}));
}

std::vector<Value> optimization_barrier(std::vector<Value> operands) {
  return results_of(emit(OpKind::OptimizationBarrier, {}, std::move(operands)));
}

} // namespace xlac::build
