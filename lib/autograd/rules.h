// The gradient rules by kind of op; each file registers its own.
#pragma once

#include "differentiate.h"
#include "values.h"

#include <array>

namespace xlac::autograd {

using graph::Node;
using Grads = std::vector<Value>;

class RuleTable {
public:
  void set(OpKind op, Rule rule) { rules_[static_cast<size_t>(op)] = rule; }
  Rule get(OpKind op) const { return rules_[static_cast<size_t>(op)]; }

private:
  std::array<Rule, ops::kOpKindCount> rules_{};
};

void add_contraction_rules(RuleTable &table);
void add_control_rules(RuleTable &table);
void add_elementwise_rules(RuleTable &table);
void add_factorization_rules(RuleTable &table);
void add_movement_rules(RuleTable &table);
void add_reduction_rules(RuleTable &table);
void add_scan_rules(RuleTable &table);
void add_special_rules(RuleTable &table);

/// Returns the gradients of a composite that is a cumulative op, or nothing for
/// another composite. `dim` and `reverse` are its attributes.
std::optional<Grads> running_rule(const Step &step, const std::string &name,
                                  int64_t dim, bool reverse);

/// Returns the op of a region's body if it consists of that op only, such as
/// reduce's Add.
std::optional<OpKind> only_op(const graph::Block &block);

} // namespace xlac::autograd
