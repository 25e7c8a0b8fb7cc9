// Implements the recording hook of the tensor component: calls become nodes of
// the tape.
#include "recorder.h"

#include "tape.h"

#include "xlac/lazy/host_values.h"

#include <algorithm>

namespace xlac::autograd {

using frontend::TensorAccess;
using graph::Value;
using xlac::detail::TensorImpl;

namespace {

std::vector<Saved> save_all(std::span<const frontend::Operand> operands) {
  std::vector<Saved> saved;
  for (const frontend::Operand &operand : operands)
    saved.push_back(save(TensorAccess::wrap(operand.tensor), operand.value));
  return saved;
}

/// Copies a gradient back to the device of the copied tensor.
class Transfer final : public GradNode {
public:
  Transfer(const Tensor &source, const Tensor &result)
      : device_(source.device()) {
    edges = {gradient_edge(source)};
    outputs = {grad_type(result)};
  }
  std::string name() const override { return "ToCopyBackward0"; }
  std::vector<Tensor> apply(std::vector<Tensor> grads) override {
    return {grads[0].defined() ? grads[0].to(device_) : Tensor()};
  }

private:
  Device device_;
};

/// True for a leaf that requires a gradient.
bool is_leaf(TensorImpl &impl) {
  return impl.requires_grad && !state_of(impl).edge;
}

/// A subscript is named like the last of its views.
std::string view_name(const lazy::ViewStep &step) {
  const char *call = CallScope::name();
  if (call && std::string_view(call) == "index")
    call = step.after.size() < step.before.size()     ? "select"
           : step.after.size() > step.before.size()   ? "unsqueeze"
           : step.kind == lazy::ViewStep::Kind::Slice ? "slice"
                                                      : "alias";
  return backward_name(call);
}

class TapeRecorder final : public frontend::Recorder {
public:
  void record(std::span<const frontend::Operand> operands,
              std::span<const Value> values,
              std::span<const Tensor> results) override {
    record_call(backward_name(CallScope::name()), save_all(operands),
                {values.begin(), values.end()},
                {results.begin(), results.end()});
  }

  void record_view(const Tensor &base, const lazy::ViewStep &step,
                   const Tensor &view) override {
    if (!frontend::impl_of(base).needs_grad())
      return;
    // If the base is a leaf and a view itself, the leaf becomes the base of its
    // views.
    if (frontend::impl_of(base).base && is_leaf(frontend::impl_of(base)))
      frontend::impl_of(view).base = TensorAccess::impl(base);
    Saved saved = save_shape(base);
    Value shown = step.apply(saved.value);
    record_call(view_name(step), {std::move(saved)}, {std::move(shown)},
                {view});
    if (state_of(base).from_function)
      state_of(view).from_function = State::kViewOfOutput;
  }

  void record_transfer(const Tensor &source, const Tensor &result) override {
    TensorImpl &impl = frontend::impl_of(result);
    if (!result.is_floating_point() && !result.is_complex())
      return;
    state_of(impl).edge = {std::make_shared<Transfer>(source, result), 0};
    impl.requires_grad = true;
  }

  void check_write(const Tensor &target, bool needs_grad) override;
  void record_write(std::span<const frontend::Operand> operands,
                    const Tensor &target, const Value &before,
                    const Value &after) override;

  void ignore_later_writes(std::span<const Tensor> results) override {
    for (const Tensor &result : results)
      if (const auto &node = state_of(result).edge.node)
        autograd::ignore_later_writes(*node);
  }

  void add_operands(std::span<const Tensor> views) override {
    for (const Tensor &view : views)
      state_of(view).one_of_several = true;
  }

  std::string gradient_function(const Tensor &tensor) override {
    Edge edge = gradient_edge(tensor);
    return edge && edge.node->name() != "AccumulateGrad" ? edge.node->name()
                                                         : std::string();
  }
};

/// Whether a write to the view would lose the gradient of a function that
/// returned it or its base. A write to the whole output has the output as an
/// operand, and thus the function, unless the base has another element type.
static bool bypasses_function(TensorImpl &impl) {
  switch (state_of(impl).from_function) {
  case State::kNoFunction:
    return false;
  case State::kViewOfOutput:
    return true;
  case State::kOutput:
    return std::any_of(
        impl.steps.begin(), impl.steps.end(),
        [](const lazy::ViewStep &step) { return step.dtype.has_value(); });
  }
  return true;
}

/// Whether the view shows the bits of its base in another dtype, which no
/// gradient passes.
static bool shows_bits(const TensorImpl &impl) {
  return std::any_of(impl.steps.begin() + impl.base->steps.size(),
                     impl.steps.end(), [](const lazy::ViewStep &step) {
                       return step.kind == lazy::ViewStep::Kind::Bits;
                     });
}

/// `recorded` tells whether the write needs a gradient.
static void require_writable(TensorImpl &impl, bool recorded) {
  if (impl.base) {
    if ((is_leaf(*impl.base) && impl.needs_grad()) || is_leaf(impl))
      raise<UserError>("a view of a leaf Variable that requires grad is "
                       "being used in an in-place operation.");
    if (impl.needs_grad() && bypasses_function(impl))
      raise<UserError>(
          "the tensor is a view of the output of an autograd::Function, which "
          "shares memory with another tensor, and is being modified inplace. "
          "The write would bypass the function's backward. Clone the output of "
          "the function, or write out of place.");
    if (impl.needs_grad() && state_of(impl).one_of_several)
      raise<UserError>(
          "the tensor is one of several views that a function made and is "
          "being modified inplace. Such functions do not allow the output "
          "views to be modified inplace: write out of place instead.");
    if (recorded && shows_bits(impl))
      raise<UserError>(
          "the tensor is a view that shows the bits of another tensor, and is "
          "being modified inplace. The write would lose gradients, which do "
          "not pass from one dtype to another. Clone the view, or write out of "
          "place.");
    return;
  }
  if (is_leaf(impl))
    raise<UserError>("a leaf Variable that requires grad is being used "
                     "in an in-place operation.");
}

void TapeRecorder::check_write(const Tensor &target, bool needs_grad) {
  TensorImpl &impl = frontend::impl_of(target);
  require_writable(impl, needs_grad);
  if (target.device().type == kXLA) {
    excuse_running_call(*impl.version_counter(), nullptr);
    return;
  }
  Value memory = impl.storage->value();
  frontend::SavedValues kept(lazy::host_literal(memory));
  excuse_running_call(*impl.version_counter(), &kept);
}

void TapeRecorder::record_write(std::span<const frontend::Operand> operands,
                                const Tensor &target, const Value &before,
                                const Value &after) {
  TensorImpl &impl = frontend::impl_of(target);
  Tensor whole = impl.base ? TensorAccess::wrap(impl.base) : target;
  std::vector<Saved> saved = save_all(operands);
  // A write is not a later change of the operands that the call itself read.
  for (Saved &operand : saved)
    if (operand.counter == impl.version_counter())
      operand.checked = false;
  bool has_before =
      std::any_of(saved.begin(), saved.end(), [&](const Saved &operand) {
        return operand.value == before;
      });
  if (!has_before) {
    saved.push_back(save(whole, before));
    saved.back().checked = false;
  }
  record_call(impl.base ? "CopySlices" : backward_name(CallScope::name()),
              std::move(saved), {after}, {whole});
  // From now on the history of the base contains that of the function.
  if (impl.base && impl.autograd)
    state_of(impl).from_function = State::kNoFunction;
}

} // namespace

void install_recorder() {
  static TapeRecorder recorder;
  frontend::set_recorder(&recorder);
}

} // namespace xlac::autograd
