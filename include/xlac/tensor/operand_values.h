// The values under which a call keeps its operands for gradients: one value an
// operand, and memory that a write changes copied first.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/graph/substitute.h"
#include "xlac/host/literal.h"

#include <span>

namespace xlac::frontend {

/// The same value as a node of its own: gradients end at the node of an
/// operand, so two operands of a call must not share one. The compiler drops
/// the node.
graph::Value make_distinct(graph::Value value);

/// The value that make_distinct() was given, however often; `value` itself if
/// it was given none.
graph::Value behind(graph::Value value);

/// The same value as a node that no gradient passes. The compiler drops the
/// node.
graph::Value without_gradient(graph::Value value);
/// Of a node that without_gradient() made.
bool passes_no_gradient(const graph::Node &node);

/// `output` of a function of `inputs` whose gradient is not that of its
/// operations: a node of which has_own_gradient() is true.
graph::Value with_own_gradient(graph::Value output,
                               std::vector<graph::Value> inputs);
/// Of a node that with_own_gradient() made.
bool has_own_gradient(const graph::Node &node);

/// What the `operands` of a call become when `changes` replaces values behind
/// them: each operand and its new value, told apart where two would be one.
/// Empty where nothing changes.
graph::Replacements distinct_operands(std::span<const graph::Value> operands,
                                      const graph::Replacements &changes);

/// Copies of host values that show some of `memory`, which is about to be
/// written to.
class SavedValues {
public:
  explicit SavedValues(const host::Literal &memory) : memory_(memory) {}

  /// A copy, made once, of a value that shows some of the memory; any other
  /// value itself.
  graph::Value operator()(const graph::Value &value);
  /// The copies made so far.
  const graph::Replacements &copies() const { return copies_; }

private:
  const host::Literal &memory_;
  graph::Replacements copies_;
};

} // namespace xlac::frontend
