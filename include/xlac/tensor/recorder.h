// The recording hook: public calls say which tensors they fetched and what they
// made of them. The autograd component follows gradients with it; without
// gradients, nothing is kept.
#pragma once

#include "xlac/lazy/tensor_impl.h"
#include "xlac/lazy/view_step.h"
#include "xlac/support/call_scope.h"
#include "xlac/tensor.h"

#include <span>
#include <vector>

namespace xlac::frontend {

/// A tensor that the running public call fetched, and the value it got.
struct Operand {
  std::shared_ptr<detail::TensorImpl> tensor;
  graph::Value value;
};

/// Told what happens to tensors of this thread while it is recording.
class Recorder {
public:
  virtual ~Recorder() = default;
  /// A call made `results`, which hold `values`, out of `operands`. Operands
  /// that no value depends on may be among them.
  virtual void record(std::span<const Operand> operands,
                      std::span<const graph::Value> values,
                      std::span<const Tensor> results) = 0;
  /// `view` sees `base` through one more step.
  virtual void record_view(const Tensor &base, const lazy::ViewStep &step,
                           const Tensor &view) = 0;
  /// `result` is a copy of `source` on another device.
  virtual void record_transfer(const Tensor &source, const Tensor &result) = 0;
  /// The running call is about to write to `target`: what it recorded so far
  /// keeps the values from before. UserError when the rules of gradients forbid
  /// the write.
  virtual void check_write(const Tensor &target) = 0;
  /// `target` held `before` and holds `after` now; both are of the base if
  /// `target` is a view. No other tensor among the operands has `before`.
  virtual void record_write(std::span<const Operand> operands,
                            const Tensor &target, const graph::Value &before,
                            const graph::Value &after) = 0;
  /// The call that made `results` traced a branch or loop of an XLA device. Its
  /// values never change, and its gradient needs fewer of the operands than the
  /// whole of it takes: later writes to operands and results are no error.
  virtual void ignore_later_writes(std::span<const Tensor> results) = 0;
  /// One call made all of these views: none may be written to while gradients
  /// are followed.
  virtual void add_operands(std::span<const Tensor> views) = 0;
  /// PyTorch's name of the function that made `tensor`, "" for leaves.
  virtual std::string gradient_function(const Tensor &tensor) = 0;
};

/// Set once, before the first call; null while there is none.
void set_recorder(Recorder *recorder);
Recorder *recorder();

/// Whether calls of this thread are recorded; on at first.
bool is_recording();
void set_recording(bool on);

/// Notes an operand of the running call as it is: nothing else of the call may
/// have its value.
void note_exactly(Operand operand);

/// What the innermost running call has fetched so far.
std::span<const Operand> recorded_operands();
/// What all running calls have fetched, outermost first.
std::span<const Operand> all_noted_operands();
/// True if an operand's gradient is wanted.
bool any_requires_grad(std::span<const Operand> operands);

/// True while a public call runs in this thread.
bool is_call_running();
/// A number of the outermost call that runs in this thread.
uint64_t running_call();

/// Lives while a public call runs: what it fetches is noted for it alone.
class OperandScope {
public:
  OperandScope();
  ~OperandScope();
  OperandScope(const OperandScope &) = delete;
  OperandScope &operator=(const OperandScope &) = delete;

private:
  size_t outer_;
};

} // namespace xlac::frontend

/// First line of every public function.
#define XLAC_CALL(name)                                                        \
  ::xlac::CallScope xlac_call_scope(name, __builtin_return_address(0));        \
  ::xlac::frontend::OperandScope xlac_operand_scope
