#include "update.h"

#include "state_layout.h"

namespace xlac::optim {

std::vector<Tensor> with_gradient(const ParamGroup &group) {
  std::vector<Tensor> found;
  for (const Tensor &parameter : group.params)
    if (parameter.grad().defined())
      found.push_back(parameter);
  return found;
}

Tensor filled_like(const Tensor &parameter, double start) {
  Dtype dtype = parameter.dtype();
  TensorOptions on_cpu = TensorOptions(dtype).device(kCPU);
  if (!parameter.is_complex())
    return laid_out_like(
        full(parameter.sizes(), start, on_cpu).to(parameter.device()),
        parameter);
  Tensor filled = zeros(parameter.sizes(), on_cpu);
  view_as_real(filled).fill_(start);
  return laid_out_like(filled.to(parameter.device()), parameter);
}

Tensor in_reals(const Tensor &tensor) {
  return tensor.is_complex() ? view_as_real(tensor) : tensor;
}

Update::Update(const Tensor &parameter, ParameterState &state)
    : parameter_(in_reals(parameter)), tensor_(parameter), state_(state),
      dtype_(parameter_.element_size() < 4 ? kFloat32 : parameter_.dtype()) {}

Tensor Update::computed(const Tensor &tensor) const {
  return in_reals(tensor).to(dtype_);
}

Tensor Update::parameter(const Tensor &shrink) const {
  Tensor parameter = computed(parameter_);
  return shrink.defined() ? parameter * shrink : parameter;
}

Tensor Update::gradient(bool maximize, const Tensor &decay) const {
  Tensor gradient = computed(tensor_.grad());
  if (maximize)
    gradient = -gradient;
  return decay.defined() ? gradient + parameter() * decay : gradient;
}

Tensor Update::kept(const char *name, double start) {
  Tensor &tensor = state_.tensors[name];
  if (!tensor.defined())
    tensor = filled_like(tensor_, start);
  else if (!(tensor.device() == tensor_.device()))
    tensor = tensor.to(tensor_.device()); // the model was moved since
  return computed(tensor);
}

void Update::keep(const char *name, const Tensor &value) {
  in_reals(state_.tensors[name]).copy_(value);
}

bool Update::shares_numbers(const Update &other) const {
  return parameter_.device() == other.parameter_.device() &&
         dtype_ == other.dtype_;
}

Tensor decay_number(const Options &options, const Update &like) {
  return options.is_on("weight_decay") ? like.number(options["weight_decay"])
                                       : Tensor();
}

Tensor shrink_number(const Options &options, const Update &like) {
  return options.is_on("weight_decay")
             ? like.number(1 - options["lr"] * options["weight_decay"])
             : Tensor();
}

} // namespace xlac::optim
