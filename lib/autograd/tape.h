// The tape: one node for each call that gradients flow through, with edges to
// the nodes that made the call's operands.
#pragma once

#include "xlac/autograd.h"
#include "xlac/tensor/access.h"
#include "xlac/tensor/operand_values.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xlac::autograd {

class GradNode;

/// One result of the call of a node; null for a tensor that requires no
/// gradient.
struct Edge {
  std::shared_ptr<GradNode> node;
  uint32_t output = 0;
  explicit operator bool() const { return node != nullptr; }
};

/// The required type of a gradient.
struct GradType {
  Dtype dtype;
  Device device;
  Shape sizes;
};
GradType grad_type(const Tensor &tensor);

using Hook = std::function<Tensor(const Tensor &)>;

/// Computes the gradients of a call's operands from those of its results.
/// Destroying a chain of any length does not recurse.
class GradNode : public std::enable_shared_from_this<GradNode> {
public:
  GradNode();
  virtual ~GradNode();

  /// Returns PyTorch's name: "AddBackward0".
  virtual std::string name() const = 0;
  /// Returns one gradient per edge, undefined for none. `grads` has one per
  /// output, undefined where none flows. Recorded if the thread is recording.
  virtual std::vector<Tensor> apply(std::vector<Tensor> grads) = 0;
  /// True if apply() writes to a tensor's `grad`. The backward pass calls such
  /// nodes last, when nothing else can fail.
  virtual bool stores() const { return false; }
  /// Frees the state that backward needs; a second apply() fails.
  virtual void release() {}

  std::vector<Edge> edges;
  std::vector<GradType> outputs;
  /// Later calls have greater numbers, and leaves the greatest. The backward
  /// pass visits the ready node with the greatest number first.
  uint64_t sequence;
  struct OutputHook {
    uint32_t output;
    Hook hook;
  };
  /// Run in order on the sum of the incoming gradients.
  std::vector<OutputHook> hooks;
  /// Run after the hooks and, like nodes with stores(), at the end of the
  /// backward pass: for retain_grad().
  std::vector<OutputHook> keepers;
  /// Locked during apply() and release(), since backward passes of several
  /// threads may use the node. Recursive, since a user function may start a
  /// backward pass.
  std::recursive_mutex mutex;
};

/// Returns the number of the next node, or a greater one.
uint64_t next_sequence();

/// Autograd's state of a tensor.
struct State : xlac::detail::AutogradState {
  Tensor grad;
  Edge edge; ///< to the node that made the tensor; null for leaves
  std::weak_ptr<GradNode> accumulator;
  std::vector<Hook> leaf_hooks;
  bool retains_grad = false;
  bool one_of_several = false; ///< a view made by unbind, split or chunk
  /// Whether the tensor is a view that an autograd::Function returned, or a
  /// view of one.
  enum { kNoFunction, kOutput, kViewOfOutput } from_function = kNoFunction;
};

/// Returns the tensor's state, which is created on first use.
State &state_of(xlac::detail::TensorImpl &impl);
State &state_of(const Tensor &tensor);

/// Returns the edge to which the gradient of `tensor` flows: to the node that
/// made it, or to its own `grad`.
Edge gradient_edge(const Tensor &tensor);

/// An operand or result at the time of a call.
struct Saved {
  graph::Value value;
  Edge edge;
  GradType type;
  std::weak_ptr<xlac::detail::TensorImpl> tensor;
  std::shared_ptr<const std::atomic<uint64_t>> counter;
  uint64_t version = 0;
  bool checked = true; ///< a later write is an error
};
Saved save(const Tensor &tensor, graph::Value value);
/// Saves the operand of a view. The location of a view's elements does not
/// depend on their values, so a parameter of the tensor's type stands for them.
Saved save_shape(const Tensor &tensor);

/// Makes a node for values computed from operands, and sets the edges of
/// `results` to it.
std::shared_ptr<GradNode> record_call(std::string name,
                                      std::vector<Saved> operands,
                                      std::vector<graph::Value> values,
                                      const std::vector<Tensor> &results);

/// Later writes to operands and results of the node's call are no longer
/// errors.
void ignore_later_writes(GradNode &node);

/// The running call is about to write to a tensor with this version counter.
/// For the call's own nodes the write is not a later change. They get the
/// copies in `kept` of values that share the memory; `kept` is null where
/// values never change.
void excuse_running_call(const std::atomic<uint64_t> &counter,
                         frontend::SavedValues *kept);

/// Converts "add" to "AddBackward0".
std::string backward_name(const char *call);

} // namespace xlac::autograd
