// Reverse-mode differentiation of a subgraph. There is one rule per StableHLO
// op, made of StableHLO ops, so gradients can be differentiated again.
#pragma once

#include "xlac/graph/node.h"

#include <span>
#include <vector>

namespace xlac::autograd {

/// The inputs of a rule: the op that it differentiates and its gradients.
struct Step {
  const graph::Node &node;
  /// One gradient per result, of the result's type; null where none flows.
  std::vector<graph::Value> grads;
  /// The values that the op uses: its operands, then the captures of its
  /// regions.
  std::vector<graph::Value> uses;
  /// For each of the uses, whether its gradient is required.
  std::vector<bool> wanted;

  const graph::Value &operand(size_t i) const { return uses[i]; }
  graph::Value result(uint32_t i = 0) const {
    return {graph::NodeRef(&node), i};
  }
  /// The gradient of the first result. It is not null if that is the only
  /// result.
  const graph::Value &grad() const { return grads[0]; }
  /// The gradient of result `i`; zeros if none flows.
  graph::Value grad_or_zeros(uint32_t i) const;
};

/// Returns one gradient for each of `uses`, null for none. Trailing ones may be
/// omitted.
using Rule = std::vector<graph::Value> (*)(const Step &);

/// Returns the rule of an op; null if it has none. Ops whose results are
/// locally constant have a rule that returns no gradients.
Rule rule_of(ops::OpKind op);

/// Returns the operands of a node, then the captures of its regions.
std::vector<graph::Value> uses_of(const graph::Node &node);

/// Returns the gradients of sum(values * cotangents) with respect to the
/// `wanted` ones of `operands`, at which differentiation stops. A gradient is
/// null where none flows. A null cotangent means zeros. Throws UnsupportedError
/// that names an op without a rule.
std::vector<graph::Value>
differentiate(std::span<const graph::Value> values,
              std::span<const graph::Value> cotangents,
              std::span<const graph::Value> operands,
              const std::vector<bool> &wanted);

/// What the computation of `roots` uses that does not depend on the parameters
/// `names`: a value that only others of that kind use is left out, and so is
/// what is computed from nothing.
std::vector<graph::Value> independent_of(std::span<const graph::Value> roots,
                                         std::span<const graph::Value> names);

/// Returns which of `targets` the computation of `roots` uses. The search stops
/// at `borders` and at the targets.
std::vector<bool> used_by(std::span<const graph::Value> roots,
                          std::span<const graph::Value> targets,
                          std::span<const graph::Value> borders);

} // namespace xlac::autograd
