// The values that a call saves of its operands for gradients. Each operand has
// a distinct value, and memory that a write changes is copied first.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/graph/substitute.h"
#include "xlac/host/literal.h"

#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace xlac::frontend {

/// Returns the same value as a new node. Gradients end at the node of an
/// operand, so two operands of a call must not share one. The compiler removes
/// the node.
graph::Value make_distinct(graph::Value value);

/// Undoes make_distinct(), also several applications. Returns other values as
/// they are.
graph::Value undistinguished(graph::Value value);

/// Returns the same value as a node that passes no gradient. The compiler
/// removes the node.
graph::Value without_gradient(graph::Value value);
/// True for a node that without_gradient() made.
bool passes_no_gradient(const graph::Node &node);

/// How gradients pass a node that with_own_gradient() made: a graph of
/// parameters, which nothing else shares.
struct OwnGradient : graph::Attachment {
  /// What stands for the operands of the node, for its results, and for the
  /// gradients that arrive at those.
  std::vector<graph::Value> operands, results, cotangents;
  /// The gradient of each operand; null for none.
  std::vector<graph::Value> gradients;
  /// What prevented the graph from being made; thrown where a gradient is
  /// asked for.
  std::exception_ptr failure;
};

/// The first of the `operands`, one for each result in `gradient`, as results
/// of a node. Their gradient is `gradient` and not that of the operations that
/// made them. The compiler drops the node.
std::vector<graph::Value>
with_own_gradient(std::vector<graph::Value> operands,
                  std::shared_ptr<const OwnGradient> gradient);
/// That of a node that with_own_gradient() made; null for other nodes.
const OwnGradient *own_gradient(const graph::Node &node);

/// Returns the replacement of each of a call's `operands` when `changes`
/// replaces the values that they stand for. Replacements that would be equal
/// are made distinct. Empty when nothing changes.
graph::Replacements distinct_operands(std::span<const graph::Value> operands,
                                      const graph::Replacements &changes);

/// Copies of the host values that share memory with `memory`, which is about to
/// be overwritten.
class SavedValues {
public:
  explicit SavedValues(const host::Literal &memory) : memory_(memory) {}

  /// Returns a copy of a value that shares the memory, made once, and any other
  /// value unchanged.
  graph::Value operator()(const graph::Value &value);
  const graph::Replacements &copies() const { return copies_; }

private:
  const host::Literal &memory_;
  graph::Replacements copies_;
};

} // namespace xlac::frontend
