// The recording hook: public calls report the tensors that they fetched and the
// results that they made. The autograd component records gradients with it.
// Without gradients nothing is saved.
#pragma once

#include "xlac/lazy/tensor_impl.h"
#include "xlac/lazy/view_step.h"
#include "xlac/support/call_scope.h"
#include "xlac/tensor.h"

#include <span>
#include <vector>

namespace xlac::frontend {

/// A tensor that the running public call fetched, and its value at that time.
struct Operand {
  std::shared_ptr<detail::TensorImpl> tensor;
  graph::Value value;
};

/// Receives the events of this thread's tensors while the thread is recording.
class Recorder {
public:
  virtual ~Recorder() = default;
  /// A call computed `results`, which hold `values`, from `operands`. The
  /// operands may include some that no value depends on.
  virtual void record(std::span<const Operand> operands,
                      std::span<const graph::Value> values,
                      std::span<const Tensor> results) = 0;
  /// `view` is a view of `base` through the additional `step`.
  virtual void record_view(const Tensor &base, const lazy::ViewStep &step,
                           const Tensor &view) = 0;
  /// `result` is a copy of `source` on another device.
  virtual void record_transfer(const Tensor &source, const Tensor &result) = 0;
  /// The running call is about to write to `target`: calls recorded before keep
  /// the old values. `needs_grad` tells whether the target, its base or an
  /// operand needs a gradient, so that `record_write` follows. Throws UserError
  /// when the rules of autograd forbid the write.
  virtual void check_write(const Tensor &target, bool needs_grad) = 0;
  /// `target` held `before` and now holds `after`; for a view both are values
  /// of the base. No other tensor among the operands has the value `before`.
  virtual void record_write(std::span<const Operand> operands,
                            const Tensor &target, const graph::Value &before,
                            const graph::Value &after) = 0;
  /// The call that made `results` traced a branch or loop of an xla device. Its
  /// values never change, and its gradient needs only some of the operands. So
  /// later writes to operands and results are not errors.
  virtual void ignore_later_writes(std::span<const Tensor> results) = 0;
  /// One call made all of these views: writes to them are errors while autograd
  /// records.
  virtual void add_operands(std::span<const Tensor> views) = 0;
  /// Returns PyTorch's name of the function that made `tensor`, "" for leaves.
  virtual std::string gradient_function(const Tensor &tensor) = 0;
};

/// Set once, before the first call; null before.
void set_recorder(Recorder *recorder);
Recorder *recorder();

/// Whether calls of this thread are recorded; true by default.
bool is_recording();
void set_recording(bool on);

/// Records an operand of the running call without making its value distinct: no
/// other operand of the call may have this value.
void note_exactly(Operand operand);

/// Returns what the innermost running call has fetched so far.
std::span<const Operand> recorded_operands();
/// Returns what all running calls have fetched, outermost first.
std::span<const Operand> all_noted_operands();
/// True if a gradient of one of the operands is required.
bool any_requires_grad(std::span<const Operand> operands);

/// True while a public call runs in this thread.
bool is_call_running();
/// Identifies the outermost call that runs in this thread.
uint64_t running_call();

/// Lives while a public call runs; operands that the call fetches are recorded
/// for this call only.
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

/// Must be the first line of every public function.
#define XLAC_CALL(name)                                                        \
  ::xlac::CallScope xlac_call_scope(name, __builtin_return_address(0));        \
  ::xlac::frontend::OperandScope xlac_operand_scope
