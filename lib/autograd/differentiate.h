// Reverse-mode differentiation of a piece of graph: one rule a StableHLO op,
// made of StableHLO ops, so that gradients can be differentiated again.
#pragma once

#include "xlac/graph/node.h"

#include <span>
#include <vector>

namespace xlac::autograd {

/// What a rule sees of the op that it differentiates.
struct Step {
  const graph::Node &node;
  /// One a result, null where nothing flows; of the result's type.
  std::vector<graph::Value> grads;
  /// What the op uses: its operands, then what its regions use from outside.
  std::vector<graph::Value> uses;
  /// Which of them gradients are asked for.
  std::vector<bool> wanted;

  const graph::Value &operand(size_t i) const { return uses[i]; }
  graph::Value result(uint32_t i = 0) const {
    return {graph::NodeRef(&node), i};
  }
  /// The gradient of the first result, which is there when it is the only one.
  const graph::Value &grad() const { return grads[0]; }
  /// The gradient of result `i`; zeros where nothing flows.
  graph::Value grad_or_zeros(uint32_t i) const;
};

/// One gradient for each of `uses`, null for none; the last may be left out.
using Rule = std::vector<graph::Value> (*)(const Step &);

/// The rule of an op; null if it has none. Ops whose results no small change
/// of operands changes have a rule that gives nothing.
Rule rule_of(ops::OpKind op);

/// The operands of a node, then what its regions use from outside.
std::vector<graph::Value> uses_of(const graph::Node &node);

/// Gradients of sum(values * cotangents) with respect to the `wanted` of
/// `operands`, at which the walk from the values ends; null where none flows.
/// A null cotangent stands for zeros. UnsupportedError names an op without a
/// rule.
std::vector<graph::Value>
differentiate(std::span<const graph::Value> values,
              std::span<const graph::Value> cotangents,
              std::span<const graph::Value> operands,
              const std::vector<bool> &wanted);

/// Which of `targets` the computation of `roots` uses, looking no further than
/// `borders` and the targets themselves.
std::vector<bool> used_by(std::span<const graph::Value> roots,
                          std::span<const graph::Value> targets,
                          std::span<const graph::Value> borders);

} // namespace xlac::autograd
