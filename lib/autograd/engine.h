// Walks the tape back from results, each node after all that it feeds.
#pragma once

#include "tape.h"

namespace xlac::autograd {

struct Request {
  /// Where gradients start, and their values.
  std::vector<Edge> roots;
  std::vector<Tensor> grads;
  /// With inputs their gradients are what the walk gives, and no leaf changes;
  /// without, leaves add to their `grad`.
  std::vector<Edge> inputs;
  /// The walk goes no further at inputs, whose hooks are left to another walk.
  bool ends_at_inputs = false;
  bool retain_graph = false;
  bool create_graph = false;
};

/// The gradients of the inputs, undefined where none flows.
std::vector<Tensor> run_backward(const Request &request);

} // namespace xlac::autograd
