// The public functions of autograd, and the methods of Tensor for gradients.
#include "xlac/autograd.h"

#include "engine.h"
#include "recorder.h"
#include "xlac/ops.h"

namespace xlac {

using namespace frontend;

/// Installed here, since every program that uses gradients links this file.
[[maybe_unused]] static const bool installed =
    (autograd::install_recorder(), true);

//===- Modes --------------------------------------------------------------===//

NoGradGuard::NoGradGuard() : before_(is_recording()) { set_recording(false); }
NoGradGuard::~NoGradGuard() { set_recording(before_); }
AutoGradMode::AutoGradMode(bool enabled) : before_(is_recording()) {
  set_recording(enabled);
}
AutoGradMode::~AutoGradMode() { set_recording(before_); }
bool is_grad_enabled() { return is_recording(); }

//===- backward and grad --------------------------------------------------===//

namespace autograd {

namespace {

/// Adds the edges of `tensors` and their initial gradients to the request.
void add_roots(Request &request, const std::vector<Tensor> &tensors,
               const std::vector<Tensor> &grads) {
  if (!grads.empty() && grads.size() != tensors.size())
    raise<ValueError>("got " + std::to_string(tensors.size()) +
                      " tensors and " + std::to_string(grads.size()) +
                      " gradients");
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &tensor = tensors[i];
    Edge edge = gradient_edge(tensor);
    if (!edge)
      raise<UserError>("element " + std::to_string(i) +
                       " of tensors does not require grad and does not have a "
                       "grad_fn");
    Tensor grad = grads.empty() ? Tensor() : grads[i];
    if (!grad.defined()) {
      if (tensor.numel() != 1)
        raise<UserError>("grad can be implicitly created only for scalar "
                         "outputs");
      NoGradGuard guard;
      grad = ones_like(tensor);
    }
    if (grad.sizes() != tensor.sizes())
      raise<ShapeError>("Mismatch in shape: grad_output[" + std::to_string(i) +
                        "] has a shape of " + to_text(grad.sizes()) +
                        " and output[" + std::to_string(i) +
                        "] has a shape of " + to_text(tensor.sizes()));
    request.roots.push_back(std::move(edge));
    request.grads.push_back(std::move(grad));
  }
}

} // namespace

void backward(const std::vector<Tensor> &tensors,
              const std::vector<Tensor> &grad_tensors,
              std::optional<bool> retain_graph, bool create_graph) {
  XLAC_CALL("backward");
  Request request;
  request.create_graph = create_graph;
  request.retain_graph = retain_graph.value_or(create_graph);
  add_roots(request, tensors, grad_tensors);
  run_backward(request);
}

std::vector<Tensor> grad(const std::vector<Tensor> &outputs,
                         const std::vector<Tensor> &inputs,
                         const std::vector<Tensor> &grad_outputs,
                         std::optional<bool> retain_graph, bool create_graph,
                         bool allow_unused) {
  XLAC_CALL("grad");
  if (inputs.empty())
    raise<ValueError>("requires at least one input");
  Request request;
  request.create_graph = create_graph;
  request.retain_graph = retain_graph.value_or(create_graph);
  add_roots(request, outputs, grad_outputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    Edge edge = gradient_edge(inputs[i]);
    if (!edge)
      raise<UserError>("One of the differentiated Tensors does not require "
                       "grad: input " +
                       std::to_string(i));
    request.inputs.push_back(std::move(edge));
  }
  std::vector<Tensor> grads = run_backward(request);
  for (size_t i = 0; i < grads.size(); ++i)
    if (!grads[i].defined() && !allow_unused)
      raise<UserError>("One of the differentiated Tensors appears to not have "
                       "been used in the graph: input " +
                       std::to_string(i) +
                       ". Set allow_unused = true if this is desired.");
  return grads;
}

} // namespace autograd

//===- Methods of Tensor --------------------------------------------------===//

using autograd::state_of;

Tensor &Tensor::requires_grad_(bool on) {
  XLAC_CALL("requires_grad_");
  TensorImpl &impl = impl_of(*this);
  if (on && !is_floating_point() && !is_complex())
    raise<DtypeError>("only Tensors of floating point and complex dtype can "
                      "require gradients");
  if (!on && !is_leaf())
    raise<UserError>("you can only change requires_grad flags of leaf "
                     "variables. Use detach() for a tensor that requires none");
  impl.requires_grad = on;
  return *this;
}

bool Tensor::is_leaf() const {
  return !requires_grad() || !state_of(*this).edge;
}

Tensor Tensor::grad() const {
  TensorImpl &impl = impl_of(*this);
  return impl.autograd ? state_of(impl).grad : Tensor();
}

void Tensor::set_grad(const Tensor &grad) {
  XLAC_CALL("set_grad");
  if (grad.defined()) {
    if (grad.sizes() != sizes())
      raise<ShapeError>("assigned grad has a shape of " +
                        to_text(grad.sizes()) + ", the tensor one of " +
                        to_text(sizes()));
    if (grad.dtype() != dtype())
      raise<DtypeError>("assigned grad has data of a different type");
    if (!(grad.device() == device()))
      raise<DeviceError>("assigned grad has data located on a different "
                         "device: " +
                         grad.device().str());
  }
  state_of(*this).grad = grad;
}

std::string Tensor::grad_fn() const {
  return recorder() ? recorder()->gradient_function(*this) : std::string();
}

void Tensor::retain_grad() {
  XLAC_CALL("retain_grad");
  if (!requires_grad())
    raise<UserError>("can't retain_grad on Tensor that has requires_grad="
                     "False");
  autograd::State &state = state_of(*this);
  if (is_leaf() || state.retains_grad)
    return;
  state.retains_grad = true;
  autograd::Edge edge = autograd::gradient_edge(*this);
  std::weak_ptr<TensorImpl> weak = TensorAccess::impl(*this);
  edge.node->keepers.push_back({edge.output, [weak](const Tensor &grad) {
                                  if (auto impl = weak.lock())
                                    state_of(*impl).grad = grad;
                                  return Tensor();
                                }});
}

void Tensor::backward(const Tensor &gradient, std::optional<bool> retain_graph,
                      bool create_graph) const {
  XLAC_CALL("backward");
  autograd::backward({*this}, {gradient}, retain_graph, create_graph);
}

void Tensor::register_hook(std::function<Tensor(const Tensor &)> hook) {
  XLAC_CALL("register_hook");
  if (!requires_grad())
    raise<UserError>("cannot register a hook on a tensor that doesn't require "
                     "gradient");
  autograd::Edge edge = autograd::gradient_edge(*this);
  if (is_leaf())
    state_of(*this).leaf_hooks.push_back(hook);
  edge.node->hooks.push_back({edge.output, std::move(hook)});
}

} // namespace xlac
