// Functions with custom gradients, checkpoints, and gradcheck.
#include "differentiate.h"
#include "engine.h"
#include "tape.h"
#include "xlac/lazy/random.h"
#include "xlac/ops.h"
#include "xlac/tensor/operand_values.h"
#include "xlac/tensor/traced_body.h"

#include <algorithm>
#include <cmath>

namespace xlac::autograd {

using namespace frontend;

namespace detail {

/// The state that a context keeps between forward and backward.
struct FunctionState {
  struct Kept {
    Tensor tensor;
    std::shared_ptr<const std::atomic<uint64_t>> counter;
    uint64_t version;
    /// Set for outputs of forward, which are saved without their gradient
    /// function, since that function owns this state.
    std::optional<uint32_t> output = {};
  };
  std::weak_ptr<GradNode> node;
  std::vector<Kept> kept;
  mutable std::vector<Tensor> unpacked;
  std::vector<Tensor> dirty, non_differentiable;
  std::vector<bool> needs;
  bool released = false;
};

namespace {

bool holds(const std::vector<Tensor> &list, const Tensor &tensor) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Tensor &t) { return t.is_same(tensor); });
}

/// UserError unless a backward gave one gradient for each argument.
void check_gradient_count(const std::string &name, size_t made, size_t wanted) {
  if (made != wanted)
    raise<UserError>(name + ": backward gave " + std::to_string(made) +
                     " gradients for " + std::to_string(wanted) +
                     " tensor arguments");
}

class UserFunction final : public GradNode {
public:
  UserFunction(std::string name, FunctionCtx ctx, BackwardFunction backward)
      : name_(std::move(name)), ctx_(std::move(ctx)),
        backward_(std::move(backward)) {}

  std::string name() const override { return name_; }

  std::vector<Tensor> apply(std::vector<Tensor> grads) override {
    if (ctx_.state()->released)
      raise<UserError>("Trying to backward through the graph a second time; "
                       "the values that " +
                       name_ +
                       " had saved are freed. Specify "
                       "retain_graph = true for the first time.");
    for (size_t i = 0; i < grads.size(); ++i)
      if (!grads[i].defined())
        grads[i] =
            zeros(outputs[i].sizes,
                  TensorOptions(outputs[i].dtype).device(outputs[i].device));
    std::vector<Tensor> result = backward_(ctx_, std::move(grads));
    ctx_.state()->unpacked.clear();
    check_gradient_count(name_, result.size(), edges.size());
    return result;
  }

  void release() override {
    ctx_.state()->released = true;
    ctx_.state()->kept.clear();
    ctx_.state()->unpacked.clear();
  }

private:
  std::string name_;
  FunctionCtx ctx_;
  BackwardFunction backward_;
};

/// Returns an input that forward returned unchanged as a new tensor; other
/// outputs are returned as they are.
Tensor as_output(const Tensor &output, const std::vector<Tensor> &inputs,
                 const FunctionState &state) {
  if (!holds(inputs, output) || holds(state.dirty, output))
    return output;
  return output.view(output.sizes());
}

bool is_differentiable(const Tensor &tensor) {
  return tensor.is_floating_point() || tensor.is_complex();
}

/// Prepares an output that has a gradient for writes in place. A view of memory
/// that forward alone has used becomes a tensor without a base. Another view is
/// marked: a write to a part of it would bypass `backward`.
void own_memory(TensorImpl &output, bool is_dirty, const std::string &name) {
  if (!output.base)
    return;
  if (is_dirty)
    raise<UnsupportedError>(name + " has written to a view. An "
                                   "autograd::Function can mark only tensors "
                                   "that are not views as dirty");
  if (output.base.use_count() == 1)
    output.base = nullptr;
  else
    state_of(output).from_function = State::kOutput;
}

/// A call of a function in a traced body of an xla device. Gradients there
/// follow the values of operations, not the tape. So `backward` is traced
/// behind forward, and the outputs become results of a node that knows what
/// came of it.
class CallInBody {
public:
  CallInBody(const std::string &name, const std::vector<Tensor> &inputs,
             FunctionCtx &ctx)
      : name_(name), inputs_(inputs), ctx_(ctx), state_(*ctx.state()) {}

  /// Marks those of `outputs` that have a gradient.
  void mark(std::vector<Tensor> &outputs, const BackwardFunction &backward);

private:
  void add_operands(const std::vector<Tensor> &outputs);
  void make_placeholders(const std::vector<Tensor> &outputs);
  void trace(const std::vector<Tensor> &outputs,
             const BackwardFunction &backward);
  void capture();
  /// What forward saved of `output` is `now` from here on.
  void keep_instead(const Tensor &output, const Tensor &now);

  const std::string &name_;
  const std::vector<Tensor> &inputs_;
  FunctionCtx &ctx_;
  FunctionState &state_;
  Device device_;
  std::vector<size_t> marked_; ///< numbers of outputs
  std::vector<Value> operands_;
  std::shared_ptr<OwnGradient> gradient_ = std::make_shared<OwnGradient>();
  std::vector<Tensor> results_, cotangents_; ///< placeholders
};

/// The marked outputs, then the inputs that need a gradient.
void CallInBody::add_operands(const std::vector<Tensor> &outputs) {
  XLAC_CALL("autograd::Function");
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!is_differentiable(outputs[i]) ||
        holds(state_.non_differentiable, outputs[i]))
      continue;
    if (holds(state_.dirty, outputs[i]))
      raise<UnsupportedError>("an autograd::Function that writes to its inputs "
                              "cannot run in a traced body of an XLA device");
    device_ = outputs[i].device();
    marked_.push_back(i);
    operands_.push_back(value_on(outputs[i], device_));
  }
  AutoGradMode on(true);
  for (size_t i = 0; i < inputs_.size() && !marked_.empty(); ++i)
    if (state_.needs[i])
      operands_.push_back(value_on(inputs_[i], device_));
}

void CallInBody::make_placeholders(const std::vector<Tensor> &outputs) {
  XLAC_CALL("autograd::Function");
  AutoGradMode on(true);
  auto stand_in = [](const Value &value) {
    return Value{graph::Node::make_parameter(value.type()), 0};
  };
  std::vector<Dtype> dtypes;
  for (size_t i = 0; i < marked_.size(); ++i) {
    dtypes.push_back(outputs[marked_[i]].dtype());
    gradient_->results.push_back(stand_in(operands_[i]));
    gradient_->cotangents.push_back(stand_in(operands_[i]));
  }
  std::vector<bool> wanted(marked_.size(), true);
  TracedBody &body = *TracedBody::innermost();
  results_ = body.arguments(gradient_->results, dtypes, device_, wanted);
  cotangents_ = body.arguments(gradient_->cotangents, dtypes, device_, wanted);
}

void CallInBody::keep_instead(const Tensor &output, const Tensor &now) {
  for (FunctionState::Kept &kept : state_.kept)
    if (kept.tensor.is_same(output)) {
      kept.tensor = now;
      kept.counter = impl_of(now).version_counter();
      kept.version = *kept.counter;
    }
}

void CallInBody::trace(const std::vector<Tensor> &outputs,
                       const BackwardFunction &backward) {
  std::vector<Tensor> grads(outputs.size());
  for (size_t i = 0; i < marked_.size(); ++i)
    grads[marked_[i]] = cotangents_[i];
  for (size_t i = 0; i < grads.size(); ++i)
    if (!grads[i].defined())
      grads[i] = zeros(outputs[i].sizes(),
                       TensorOptions(outputs[i].dtype()).device(device_));
  AutoGradMode on(true);
  std::vector<Tensor> made = backward(ctx_, std::move(grads));
  check_gradient_count(name_, made.size(), inputs_.size());
  XLAC_CALL("autograd::Function");
  gradient_->gradients.resize(marked_.size());
  for (size_t i = 0; i < made.size(); ++i) {
    if (!state_.needs[i])
      continue;
    const Shape wanted = inputs_[i].sizes();
    if (made[i].defined() && !(made[i].sizes() == wanted))
      raise<ShapeError>("a gradient of shape " + to_text(made[i].sizes()) +
                        " arrived for an operand of shape " + to_text(wanted) +
                        " of " + name_);
    gradient_->gradients.push_back(
        made[i].defined() ? value_on(made[i], device_) : Value());
  }
}

/// What the gradients use beside the placeholders becomes operands too.
void CallInBody::capture() {
  std::vector<Value> present, names = gradient_->results;
  names.insert(names.end(), gradient_->cotangents.begin(),
               gradient_->cotangents.end());
  for (const Value &gradient : gradient_->gradients)
    if (gradient)
      present.push_back(gradient);
  for (Value &captured : independent_of(present, names))
    if (std::find(operands_.begin(), operands_.end(), captured) ==
        operands_.end())
      operands_.push_back(std::move(captured));
  graph::Replacements replacements;
  for (const Value &operand : operands_) {
    gradient_->operands.push_back(
        {graph::Node::make_parameter(operand.type()), 0});
    replacements.try_emplace(operand, gradient_->operands.back());
  }
  present = graph::substitute(present, std::move(replacements));
  auto next = present.begin();
  for (Value &gradient : gradient_->gradients)
    if (gradient)
      gradient = *next++;
}

void CallInBody::mark(std::vector<Tensor> &outputs,
                      const BackwardFunction &backward) {
  add_operands(outputs);
  if (marked_.empty())
    return;
  make_placeholders(outputs);
  for (size_t i = 0; i < marked_.size(); ++i)
    keep_instead(outputs[marked_[i]], results_[i]);
  try {
    trace(outputs, backward);
    capture();
  } catch (...) {
    // No gradient may be wanted.
    gradient_->gradients.clear();
    gradient_->operands.clear();
    gradient_->failure = std::current_exception();
  }
  state_.unpacked.clear();
  XLAC_CALL("autograd::Function");
  std::vector<Value> values = with_own_gradient(operands_, gradient_);
  for (size_t i = 0; i < marked_.size(); ++i) {
    Tensor &output = outputs[marked_[i]];
    Dtype dtype = output.dtype();
    output = finish(values[i], device_, dtype);
    keep_instead(results_[i], output);
  }
}

} // namespace

std::vector<Tensor>
apply_function(const char *name, const std::vector<Tensor> &inputs,
               const std::function<std::vector<Tensor>(FunctionCtx &)> &forward,
               BackwardFunction backward, bool own_gradient) {
  FunctionCtx ctx;
  std::vector<Edge> edges;
  for (const Tensor &input : inputs) {
    edges.push_back(input.defined() && is_grad_enabled() ? gradient_edge(input)
                                                         : Edge());
    ctx.state()->needs.push_back(static_cast<bool>(edges.back()));
  }
  bool any = std::any_of(edges.begin(), edges.end(),
                         [](const Edge &edge) { return bool(edge); });
  // Forward runs unrecorded, and may be all that uses an input.
  for (size_t i = 0; i < inputs.size(); ++i)
    if (edges[i])
      note_fetched(TensorAccess::impl(inputs[i]));
  std::vector<Tensor> outputs;
  {
    NoGradGuard guard;
    outputs = forward(ctx);
    for (Tensor &output : outputs)
      output = as_output(output, inputs, *ctx.state());
    if (any && own_gradient && TracedBody::innermost())
      CallInBody(backward_name(name), inputs, ctx).mark(outputs, backward);
  }
  if (!any)
    return outputs;
  auto node = std::make_shared<UserFunction>(backward_name(name), ctx,
                                             std::move(backward));
  node->edges = std::move(edges);
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    node->outputs.push_back(grad_type(outputs[i]));
    if (holds(ctx.state()->non_differentiable, outputs[i]) ||
        !is_differentiable(outputs[i]))
      continue;
    xlac::detail::TensorImpl &impl = impl_of(outputs[i]);
    own_memory(impl, holds(ctx.state()->dirty, outputs[i]), node->name());
    state_of(impl).edge = {node, i};
    impl.requires_grad = true;
    for (FunctionState::Kept &kept : ctx.state()->kept)
      if (kept.tensor.is_same(outputs[i])) {
        kept.tensor = outputs[i].detach();
        kept.output = i;
      }
  }
  ctx.state()->node = node;
  return outputs;
}

} // namespace detail

FunctionCtx::FunctionCtx()
    : state_(std::make_shared<detail::FunctionState>()) {}

void FunctionCtx::save_for_backward(std::vector<Tensor> tensors) {
  state_->kept.clear();
  for (Tensor &tensor : tensors) {
    detail::FunctionState::Kept kept{tensor, nullptr, 0};
    if (tensor.defined()) {
      kept.counter = impl_of(tensor).version_counter();
      kept.version = *kept.counter;
    }
    state_->kept.push_back(std::move(kept));
  }
}

const std::vector<Tensor> &FunctionCtx::saved_tensors() const {
  state_->unpacked.clear();
  for (const detail::FunctionState::Kept &kept : state_->kept) {
    if (kept.counter && *kept.counter != kept.version)
      raise<UserError>("one of the variables needed for gradient computation "
                       "has been modified by an inplace operation: a saved "
                       "tensor of shape " +
                       to_text(kept.tensor.sizes()) + " is at version " +
                       std::to_string(*kept.counter) + "; expected version " +
                       std::to_string(kept.version));
    Tensor tensor = kept.tensor;
    if (kept.output) {
      tensor = kept.tensor.detach();
      xlac::detail::TensorImpl &impl = impl_of(tensor);
      state_of(impl).edge = {state_->node.lock(), *kept.output};
      impl.requires_grad = true;
    }
    state_->unpacked.push_back(tensor);
  }
  return state_->unpacked;
}

void FunctionCtx::mark_dirty(std::vector<Tensor> tensors) {
  state_->dirty = std::move(tensors);
}
void FunctionCtx::mark_non_differentiable(std::vector<Tensor> tensors) {
  state_->non_differentiable = std::move(tensors);
}
bool FunctionCtx::needs_input_grad(size_t i) const {
  return i < state_->needs.size() && state_->needs[i];
}

//===- checkpoint ---------------------------------------------------------===//

namespace {

/// Returns the tensors' values after one stablehlo.optimization_barrier per
/// tensor. If the thread is recording, gradients flow through to the originals.
/// Otherwise the results are leaves that require gradients where the originals
/// do.
std::vector<Tensor> behind_barrier(const std::vector<Tensor> &tensors) {
  XLAC_CALL("checkpoint");
  std::vector<Tensor> results;
  for (const Tensor &tensor : tensors) {
    if (!tensor.defined()) {
      results.push_back(tensor);
      continue;
    }
    OperandScope one;
    Device device = tensor.device();
    Tensor copy =
        device.type == kXLA
            ? finish(build::optimization_barrier({value_on(tensor, device)})[0],
                     device, tensor.dtype())
            : tensor.view(tensor.sizes());
    if (tensor.requires_grad() && !is_grad_enabled())
      copy = copy.detach().requires_grad_();
    results.push_back(copy);
  }
  return results;
}

/// True for a leaf, and for a tensor made before the node with number `start`.
bool was_there(const Tensor &tensor, uint64_t start) {
  const Edge &made_by = state_of(tensor).edge;
  return !made_by || made_by.node->sequence < start;
}

/// Returns those of `fetched`, or the bases of views among them, that require
/// gradients and existed before the node with number `start`.
std::vector<Tensor> captured_by(const std::vector<Tensor> &fetched,
                                uint64_t start) {
  std::vector<Tensor> captured;
  auto add = [&](const Tensor &tensor) {
    if (was_there(tensor, start) && !detail::holds(captured, tensor))
      captured.push_back(tensor);
  };
  for (const Tensor &tensor : fetched) {
    xlac::detail::TensorImpl &impl = impl_of(tensor);
    if (impl.requires_grad)
      add(tensor);
    if (impl.base && impl.base->requires_grad)
      add(TensorAccess::wrap(impl.base));
  }
  return captured;
}

/// The function of a checkpoint, which runs in forward and again in backward.
struct Checkpointed {
  std::function<Tensor(const std::vector<Tensor> &)> fn;
  size_t inputs; ///< of the saved tensors; captured tensors follow
  std::shared_ptr<const lazy::DrawRecord> draws;

  std::vector<Tensor> gradients(const std::vector<Tensor> &saved,
                                const Tensor &grad) const;
};

std::vector<Tensor> Checkpointed::gradients(const std::vector<Tensor> &saved,
                                            const Tensor &grad) const {
  auto border = saved.begin() + static_cast<ptrdiff_t>(inputs);
  std::vector<Tensor> asked = behind_barrier({saved.begin(), border});
  Request request;
  request.create_graph = request.retain_graph = is_grad_enabled();
  request.ends_at_inputs = true;
  std::vector<Tensor> result(saved.size());
  {
    AutoGradMode on(true);
    lazy::RngReplay repeated(draws);
    Tensor output = fn(asked);
    request.roots = {gradient_edge(output)};
  }
  if (!request.roots[0])
    return result;
  request.grads = {grad};
  asked.insert(asked.end(), border, saved.end());
  std::vector<size_t> places;
  for (size_t i = 0; i < asked.size(); ++i)
    if (Edge edge = asked[i].defined() ? gradient_edge(asked[i]) : Edge()) {
      request.inputs.push_back(std::move(edge));
      places.push_back(i);
    }
  std::vector<Tensor> found = run_backward(request);
  for (size_t i = 0; i < found.size(); ++i)
    result[places[i]] = found[i];
  return result;
}

} // namespace

Tensor checkpoint(const std::function<Tensor(const std::vector<Tensor> &)> &fn,
                  const std::vector<Tensor> &inputs) {
  if (!is_grad_enabled())
    return fn(inputs);
  FunctionCtx before;
  before.save_for_backward(inputs);
  Checkpointed checkpointed{fn, inputs.size(), nullptr};
  std::vector<Tensor> saved = inputs;
  Tensor output;
  bool computes = false;
  {
    // Recorded to find out whether the output requires a gradient. The record
    // is dropped together with the tensors that fn made.
    lazy::RngRecorder draws;
    FetchedTensors fetched;
    uint64_t start = next_sequence();
    output = fn(inputs);
    checkpointed.draws = draws.record();
    for (const Tensor &tensor : captured_by(fetched.list(), start))
      saved.push_back(tensor);
    computes = output.requires_grad() && !was_there(output, start);
  }
  if (!computes)
    return output;
  return detail::apply_function(
      "checkpoint", saved,
      [&](FunctionCtx &ctx) -> std::vector<Tensor> {
        ctx.save_for_backward(saved);
        // If `fn` writes to an input, the version check in backward must fail.
        for (size_t i = 0; i < inputs.size(); ++i)
          ctx.state()->kept[i].version = before.state()->kept[i].version;
        return {output};
      },
      [checkpointed](FunctionCtx &ctx, const std::vector<Tensor> &grads) {
        return checkpointed.gradients(ctx.saved_tensors(), grads[0]);
      },
      /*own_gradient=*/false)[0];
}

//===- gradcheck ----------------------------------------------------------===//

namespace {

/// Returns sum(fn(inputs) * weights) as a number, without recording.
double weighed(const std::function<Tensor(const std::vector<Tensor> &)> &fn,
               const std::vector<Tensor> &inputs, const Tensor &weights) {
  NoGradGuard guard;
  Tensor output = fn(inputs);
  std::vector<double> a = output.to_vector<double>(),
                      b = weights.to_vector<double>();
  double total = 0;
  for (size_t i = 0; i < a.size(); ++i)
    total += a[i] * b[i];
  return total;
}

} // namespace

bool gradcheck(const std::function<Tensor(const std::vector<Tensor> &)> &fn,
               const std::vector<Tensor> &inputs, double eps, double atol,
               double rtol) {
  XLAC_CALL("gradcheck");
  Tensor output = fn(inputs);
  std::vector<double> numbers;
  for (int64_t i = 0; i < output.numel(); ++i)
    numbers.push_back(std::sin(0.7 * static_cast<double>(i) + 1));
  Tensor weights = tensor(numbers, TensorOptions(kFloat64))
                       .to(output.device())
                       .reshape(output.sizes());
  std::vector<Tensor> wanted;
  for (const Tensor &input : inputs)
    if (input.requires_grad())
      wanted.push_back(input);
  std::vector<Tensor> grads =
      grad({output}, wanted, {weights.to(output.dtype())}, {}, false, true);
  for (size_t i = 0, next = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad())
      continue;
    const Tensor &exact = grads[next++];
    std::vector<double> slopes(static_cast<size_t>(inputs[i].numel()), 0.0);
    if (exact.defined())
      slopes = exact.to_vector<double>();
    std::vector<double> at = inputs[i].to_vector<double>();
    for (size_t k = 0; k < at.size(); ++k) {
      double sides[2];
      for (int side = 0; side < 2; ++side) {
        std::vector<double> moved = at;
        moved[k] += side == 0 ? -eps : eps;
        std::vector<Tensor> changed = inputs;
        changed[i] = tensor(moved, TensorOptions(inputs[i].dtype()))
                         .to(inputs[i].device())
                         .reshape(inputs[i].sizes());
        sides[side] = weighed(fn, changed, weights);
      }
      double numeric = (sides[1] - sides[0]) / (2 * eps);
      if (!(std::fabs(slopes[k] - numeric) <= atol + rtol * std::fabs(numeric)))
        return false;
    }
  }
  return true;
}

} // namespace xlac::autograd
