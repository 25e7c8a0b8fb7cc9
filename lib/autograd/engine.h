// The backward pass: visits the nodes of the tape from results to leaves, each
// node after all nodes that feed its gradient.
#pragma once

#include "tape.h"

namespace xlac::autograd {

struct Request {
  /// The starting edges and their gradients.
  std::vector<Edge> roots;
  std::vector<Tensor> grads;
  /// If there are inputs, the pass returns their gradients and no leaf changes.
  /// Otherwise leaves accumulate into their `grad`.
  std::vector<Edge> inputs;
  /// Whether the pass stops at the inputs; then it does not run their hooks.
  bool ends_at_inputs = false;
  bool retain_graph = false;
  bool create_graph = false;
};

/// Returns the gradients of the inputs, undefined where none flows.
std::vector<Tensor> run_backward(const Request &request);

} // namespace xlac::autograd
