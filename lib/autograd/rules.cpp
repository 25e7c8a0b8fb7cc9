#include "rules.h"

namespace xlac::autograd {

/// For bitwise ops, through which no gradient flows.
static Grads nothing(const Step &) { return {}; }

static RuleTable make_table() {
  RuleTable table;
  for (OpKind op :
       {OpKind::BitcastConvert, OpKind::Rng, OpKind::RngBitGenerator})
    table.set(op, nothing);
  add_contraction_rules(table);
  add_control_rules(table);
  add_elementwise_rules(table);
  add_factorization_rules(table);
  add_movement_rules(table);
  add_reduction_rules(table);
  add_scan_rules(table);
  add_special_rules(table);
  return table;
}

Rule rule_of(OpKind op) {
  static const RuleTable rules = make_table();
  return rules.get(op);
}

std::optional<OpKind> only_op(const graph::Block &block) {
  if (block.results.size() != 1)
    return std::nullopt;
  const Node &node = *block.results[0].node;
  if (node.kind() != graph::NodeKind::Op || node.operands().size() != 2)
    return std::nullopt;
  for (const Value &operand : node.operands())
    if (operand.node->kind() != graph::NodeKind::Parameter)
      return std::nullopt;
  return node.op();
}

} // namespace xlac::autograd
