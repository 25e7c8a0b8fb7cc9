// The tape: a node for each call that gradients flow through, with edges to the
// nodes that made the call's operands.
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

/// One result of the call that a node stands for; nothing for what requires no
/// gradient.
struct Edge {
  std::shared_ptr<GradNode> node;
  uint32_t output = 0;
  explicit operator bool() const { return node != nullptr; }
};

/// What a gradient must look like.
struct GradType {
  Dtype dtype;
  Device device;
  Shape sizes;
};
GradType grad_type(const Tensor &tensor);

using Hook = std::function<Tensor(const Tensor &)>;

/// A step back: gradients of a call's results in, gradients of its operands
/// out. Destroying a chain of any length never recurses.
class GradNode : public std::enable_shared_from_this<GradNode> {
public:
  GradNode();
  virtual ~GradNode();

  /// PyTorch's name: "AddBackward0".
  virtual std::string name() const = 0;
  /// One gradient an edge, undefined for none. `grads` has one an output,
  /// undefined where nothing flows. Recorded if the thread is recording.
  virtual std::vector<Tensor> apply(std::vector<Tensor> grads) = 0;
  /// apply() writes to a tensor's `grad`. A walk does that last, when nothing
  /// can fail any more.
  virtual bool stores() const { return false; }
  /// Forgets what backward needs; a second apply() fails.
  virtual void release() {}

  std::vector<Edge> edges;
  std::vector<GradType> outputs;
  /// Later calls have greater numbers; leaves come before all.
  uint64_t sequence;
  struct OutputHook {
    uint32_t output;
    Hook hook;
  };
  /// Run on the sum of what flows in, in order.
  std::vector<OutputHook> hooks;
  /// Run after the hooks, with what stores(): for retain_grad().
  std::vector<OutputHook> keepers;
  /// Held over apply() and release(): walks of several threads may meet here.
  /// Recursive, since a function of the user's may walk itself.
  std::recursive_mutex mutex;
};

/// The number that the next node made will have, or a greater one.
uint64_t next_sequence();

/// What autograd knows of a tensor.
struct State : xlac::detail::AutogradState {
  Tensor grad;
  Edge edge; ///< of what made the tensor; none for leaves
  std::weak_ptr<GradNode> accumulator;
  std::vector<Hook> leaf_hooks;
  bool retains_grad = false;
  bool one_of_several = false; ///< a view made by unbind, split or chunk
};

/// The tensor's state, made at the first question.
State &state_of(xlac::detail::TensorImpl &impl);
State &state_of(const Tensor &tensor);

/// Where the gradient of `tensor` flows to: what made it, or its own `grad`.
Edge gradient_edge(const Tensor &tensor);

/// An operand or result as a call saw it.
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
/// The operand of a view: where its elements lie does not depend on their
/// values, so a parameter of the tensor's type stands for them.
Saved save_shape(const Tensor &tensor);

/// A node for values made of operands; edges of `results` are set to it.
std::shared_ptr<GradNode> record_call(std::string name,
                                      std::vector<Saved> operands,
                                      std::vector<graph::Value> values,
                                      const std::vector<Tensor> &results);

/// Writes to what the node of a call used or made are no errors from now on.
void ignore_later_writes(GradNode &node);

/// The running call is about to write to a tensor with this version counter:
/// the write is no later change to what its nodes kept. Of what shows the
/// memory that is written to they get the copies of `kept`, which is null where
/// values never change.
void excuse_running_call(const std::atomic<uint64_t> &counter,
                         frontend::SavedValues *kept);

/// "add" -> "AddBackward0".
std::string backward_name(const char *call);

} // namespace xlac::autograd
