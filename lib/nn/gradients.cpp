// nn::utils: functions of all parameters together.
#include "xlac/autograd.h"
#include "xlac/nn/utils.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <cmath>

namespace xlac::nn::utils {

/// Returns the defined gradients.
static std::vector<Tensor> gradients_of(const std::vector<Tensor> &parameters) {
  std::vector<Tensor> found;
  for (const Tensor &parameter : parameters)
    if (Tensor grad = parameter.grad(); grad.defined())
      found.push_back(grad);
  return found;
}

/// Computes the norm for both functions that return it.
static Tensor norm_of_tensors(const std::vector<Tensor> &tensors,
                              double norm_type, const std::string &what,
                              bool error_if_nonfinite) {
  NoGradGuard guard;
  if (tensors.empty())
    return tensor(0.0);
  std::vector<Tensor> norms;
  for (const Tensor &each : tensors)
    norms.push_back(norm(each, norm_type));
  Tensor total = norm(stack(norms), norm_type);
  if (error_if_nonfinite && !std::isfinite(total.item<double>()))
    raise<RuntimeError>("The total norm of order " + std::to_string(norm_type) +
                        " for " + what +
                        " is non-finite, so it cannot be clipped.");
  return total;
}

Tensor get_total_norm(const std::vector<Tensor> &tensors, double norm_type,
                      bool error_if_nonfinite) {
  XLAC_CALL("get_total_norm");
  return norm_of_tensors(tensors, norm_type, "tensors", error_if_nonfinite);
}

void clip_grads_with_norm_(const std::vector<Tensor> &parameters,
                           double max_norm, const Tensor &total_norm) {
  XLAC_CALL("clip_grads_with_norm_");
  NoGradGuard guard;
  Tensor factor = max_norm / (total_norm + 1e-6);
  factor = minimum(factor, ones_like(factor));
  for (Tensor &grad : gradients_of(parameters))
    grad.mul_(factor.to(grad.dtype()));
}

Tensor clip_grad_norm_(const std::vector<Tensor> &parameters, double max_norm,
                       double norm_type, bool error_if_nonfinite) {
  XLAC_CALL("clip_grad_norm_");
  std::vector<Tensor> grads = gradients_of(parameters);
  Tensor total = norm_of_tensors(
      grads, norm_type, "gradients from `parameters`", error_if_nonfinite);
  clip_grads_with_norm_(parameters, max_norm, total);
  return total;
}

void clip_grad_value_(const std::vector<Tensor> &parameters,
                      double clip_value) {
  XLAC_CALL("clip_grad_value_");
  NoGradGuard guard;
  for (Tensor &grad : gradients_of(parameters)) {
    Tensor bound = full_like(grad, clip_value);
    grad.copy_(minimum(maximum(grad, -bound), bound));
  }
}

Tensor parameters_to_vector(const std::vector<Tensor> &parameters) {
  XLAC_CALL("parameters_to_vector");
  std::vector<Tensor> rows;
  for (const Tensor &parameter : parameters)
    rows.push_back(parameter.reshape({-1}));
  return cat(rows);
}

void vector_to_parameters(const Tensor &vector,
                          const std::vector<Tensor> &parameters) {
  XLAC_CALL("vector_to_parameters");
  NoGradGuard guard;
  int64_t start = 0, wanted = 0;
  for (const Tensor &parameter : parameters)
    wanted += parameter.numel();
  if (vector.dim() != 1 || vector.numel() < wanted)
    raise<ShapeError>("a vector of " + std::to_string(wanted) +
                      " elements is needed, got " +
                      frontend::to_text(vector.sizes()));
  for (Tensor parameter : parameters) {
    int64_t count = parameter.numel();
    parameter.copy_(vector.narrow(0, start, count).reshape(parameter.sizes()));
    start += count;
  }
}

} // namespace xlac::nn::utils
