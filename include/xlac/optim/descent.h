// Optimizers that follow the gradient or its sign with one step size: SGD,
// Rprop, Lion.
#pragma once

#include "xlac/optim/optimizer.h"

namespace xlac::optim {

struct SGDOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
};
/// Stochastic gradient descent, with momentum as PyTorch has it: the first step
/// starts "momentum_buffer" with the gradient itself.
class XLAC_API SGD : public Optimizer {
public:
  /// ValueError for options below 0, or nesterov without momentum or with
  /// dampening.
  explicit SGD(std::vector<Tensor> params, SGDOptions options = {});
  explicit SGD(std::vector<ParamGroup> groups, SGDOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

struct RpropOptions {
  double lr = 1e-2;
  std::pair<double, double> etas = {0.5, 1.2};
  std::pair<double, double> step_sizes = {1e-6, 50};
  bool maximize = false;
};
/// Resilient backpropagation: every element has a step of its own, which starts
/// at lr, grows while its gradient keeps its sign and shrinks when it changes.
/// Groups call the pairs' parts "etaminus", "etaplus", "step_size_min" and
/// "step_size_max"; the state is "step", "prev" and "step_size".
class XLAC_API Rprop : public Optimizer {
public:
  /// ValueError for lr below 0 or etas that are not on either side of 1.
  explicit Rprop(std::vector<Tensor> params, RpropOptions options = {});
  explicit Rprop(std::vector<ParamGroup> groups, RpropOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

struct LionOptions {
  double lr = 1e-4;
  std::pair<double, double> betas = {0.9, 0.99};
  double weight_decay = 0;
  bool maximize = false;
};
/// Lion (Chen et al., 2023): steps by the sign of momentum and gradient mixed
/// with beta1; the momentum "exp_avg" moves by beta2. Weight decay shrinks the
/// parameter, as in AdamW.
class XLAC_API Lion : public Optimizer {
public:
  /// ValueError for options below 0 or betas from 1.
  explicit Lion(std::vector<Tensor> params, LionOptions options = {});
  explicit Lion(std::vector<ParamGroup> groups, LionOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

} // namespace xlac::optim
