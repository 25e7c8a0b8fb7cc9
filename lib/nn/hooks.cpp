// Hooks of modules. Two identity functions in the graph observe the gradients
// of a call's inputs and outputs.
#include "xlac/nn/hooks.h"

#include "xlac/autograd.h"
#include "xlac/support/raise.h"

#include <algorithm>

namespace xlac::nn {

namespace {

/// Hooks of one kind in registration order, each with a unique number.
template <class Hook> struct HookList {
  std::vector<std::pair<int64_t, Hook>> hooks;

  void remove(int64_t number) {
    std::erase_if(hooks,
                  [&](const auto &each) { return each.first == number; });
  }
};

} // namespace

struct detail::Hooks {
  HookList<ForwardPreHook> before;
  HookList<ForwardHook> after;
  HookList<BackwardHook> backward;
  int64_t next = 0;
};

/// The state that the two identities of one call share.
struct detail::BackwardCall {
  std::weak_ptr<Module> module;
  std::weak_ptr<Hooks> hooks;
  size_t inputs = 0;
  /// indices of the inputs that require gradients
  std::vector<size_t> followed;
  std::vector<size_t> differentiable; ///< indices of differentiable outputs
  size_t outputs = 0;
  std::vector<Tensor> grad_outputs;

  std::vector<Tensor> run(std::vector<Tensor> grad_inputs) const;
};

void RemovableHandle::remove() {
  if (remove_)
    std::exchange(remove_, nullptr)();
}

//===- Registration -------------------------------------------------------===//

template <class Hook>
static RemovableHandle added(std::shared_ptr<detail::Hooks> &all,
                             HookList<Hook> detail::Hooks::*list, Hook hook) {
  if (!all)
    all = std::make_shared<detail::Hooks>();
  int64_t number = all->next++;
  ((*all).*list).hooks.emplace_back(number, std::move(hook));
  return RemovableHandle([weak = std::weak_ptr(all), list, number] {
    if (std::shared_ptr<detail::Hooks> still = weak.lock())
      ((*still).*list).remove(number);
  });
}

RemovableHandle detail::add_hook(std::shared_ptr<Hooks> &hooks,
                                 ForwardPreHook hook) {
  return added(hooks, &Hooks::before, std::move(hook));
}

RemovableHandle detail::add_hook(std::shared_ptr<Hooks> &hooks,
                                 ForwardHook hook, bool in_backward) {
  return added(hooks,
               in_backward ? &detail::Hooks::backward : &detail::Hooks::after,
               std::move(hook));
}

//===- Calls --------------------------------------------------------------===//

/// Returns `given` instead of `tensors`, unless it is empty.
static std::vector<Tensor> taken(std::vector<Tensor> tensors,
                                 std::vector<Tensor> given, const char *hook) {
  if (given.empty())
    return tensors;
  if (given.size() != tensors.size())
    raise<ValueError>(std::string(hook) + " gave " +
                      std::to_string(given.size()) + " tensors in place of " +
                      std::to_string(tensors.size()));
  return given;
}

/// Passes the tensors at `places` through one identity function of the graph
/// that calls `backward` with their gradients.
static void pass_through(std::vector<Tensor> &tensors,
                         const std::vector<size_t> &places,
                         autograd::detail::BackwardFunction backward) {
  std::vector<Tensor> passed;
  for (size_t place : places)
    passed.push_back(tensors[place]);
  passed = autograd::detail::apply_function(
      "BackwardHookFunction", passed,
      [&](autograd::FunctionCtx &) { return passed; }, std::move(backward));
  for (size_t i = 0; i < places.size(); ++i)
    tensors[places[i]] = passed[i];
}

static std::vector<size_t> followed_places(const std::vector<Tensor> &tensors) {
  std::vector<size_t> places;
  for (size_t i = 0; is_grad_enabled() && i < tensors.size(); ++i)
    if (tensors[i].defined() && tensors[i].requires_grad())
      places.push_back(i);
  return places;
}

std::vector<Tensor>
detail::BackwardCall::run(std::vector<Tensor> grad_inputs) const {
  std::shared_ptr<Module> owner = module.lock();
  std::shared_ptr<Hooks> known = hooks.lock();
  if (!owner || !known)
    return grad_inputs;
  // Iterates over a copy, since hooks may remove themselves.
  for (const auto &[number, hook] : std::vector(known->backward.hooks))
    grad_inputs = taken(grad_inputs, hook(*owner, grad_inputs, grad_outputs),
                        "the backward hook");
  return grad_inputs;
}

std::vector<Tensor> detail::HookedCall::before(std::vector<Tensor> inputs) {
  for (const auto &[number, hook] : std::vector(hooks_->before.hooks))
    inputs = taken(inputs, hook(module_, inputs), "the forward pre-hook");
  inputs_ = inputs;
  if (hooks_->backward.hooks.empty() || !is_grad_enabled())
    return inputs;
  backward_ = std::make_shared<BackwardCall>();
  backward_->module = shared_;
  backward_->hooks = hooks_;
  backward_->inputs = inputs.size();
  backward_->followed = followed_places(inputs);
  if (!backward_->followed.empty())
    pass_through(inputs, backward_->followed,
                 [call = backward_](autograd::FunctionCtx &,
                                    const std::vector<Tensor> &grads) {
                   std::vector<Tensor> all(call->inputs), kept;
                   for (size_t i = 0; i < grads.size(); ++i)
                     all[call->followed[i]] = grads[i];
                   all = call->run(std::move(all));
                   for (size_t place : call->followed)
                     kept.push_back(all[place]);
                   return kept;
                 });
  return inputs;
}

std::vector<Tensor> detail::HookedCall::after(std::vector<Tensor> outputs) {
  for (const auto &[number, hook] : std::vector(hooks_->after.hooks))
    outputs =
        taken(outputs, hook(module_, inputs_, outputs), "the forward hook");
  if (!backward_)
    return outputs;
  backward_->outputs = outputs.size();
  backward_->differentiable = followed_places(outputs);
  if (!backward_->differentiable.empty())
    pass_through(
        outputs, backward_->differentiable,
        [call = backward_](autograd::FunctionCtx &, std::vector<Tensor> grads) {
          call->grad_outputs.assign(call->outputs, Tensor());
          for (size_t i = 0; i < grads.size(); ++i)
            call->grad_outputs[call->differentiable[i]] = grads[i];
          if (call->followed.empty())
            call->run(std::vector<Tensor>(call->inputs));
          return grads;
        });
  return outputs;
}

} // namespace xlac::nn
