// Optimizers that use the gradient or its sign without adaptive scaling: SGD,
// Rprop, Lion.
#pragma once

#include "xlac/optim/optimizer.h"

#include <concepts>

namespace xlac::optim {

/// Options of SGD.
struct SGDOptions {
  double lr = 1e-3;        ///< learning rate
  double momentum = 0;     ///< factor of the former step
  double dampening = 0;    ///< share of the gradient left out of the momentum
  double weight_decay = 0; ///< factor of the parameters added to the gradient
  bool nesterov = false;   ///< Nesterov momentum
  bool maximize = false;   ///< ascends the gradient
};
/// Stochastic gradient descent with PyTorch's momentum: the first step
/// initializes "momentum_buffer" with the gradient.
class XLAC_API SGD : public Optimizer {
public:
  /// Throws ValueError for options below 0, and for nesterov without momentum
  /// or with dampening.
  explicit SGD(std::vector<Tensor> params, SGDOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  SGD(std::vector<Tensor> params, Rate lr)
      : SGD(std::move(params), SGDOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit SGD(std::vector<ParamGroup> groups, SGDOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

/// Options of Rprop.
struct RpropOptions {
  double lr = 1e-2; ///< learning rate
  /// Factors of the step on a change of sign, and without.
  std::pair<double, double> etas = {0.5, 1.2};
  std::pair<double, double> step_sizes = {1e-6, 50}; ///< bounds of the step
  bool maximize = false;                             ///< ascends the gradient
};
/// Resilient backpropagation. Each element has its own step size, initially lr,
/// which grows while the sign of its gradient stays and shrinks when it
/// changes. Groups name the elements of the pairs "etaminus", "etaplus",
/// "step_size_min" and "step_size_max". The state has "step", "prev" and
/// "step_size".
class XLAC_API Rprop : public Optimizer {
public:
  /// Throws ValueError for lr below 0 and unless etaminus < 1 < etaplus.
  explicit Rprop(std::vector<Tensor> params, RpropOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Rprop(std::vector<Tensor> params, Rate lr)
      : Rprop(std::move(params), RpropOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit Rprop(std::vector<ParamGroup> groups, RpropOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

/// Options of Lion.
struct LionOptions {
  double lr = 1e-4; ///< learning rate
  /// Decay rates of the averages.
  std::pair<double, double> betas = {0.9, 0.99};
  double weight_decay = 0; ///< subtracts lr * weight_decay * parameters
  bool maximize = false;   ///< ascends the gradient
};
/// Lion (Chen et al., 2023). The update is the sign of momentum and gradient
/// interpolated with beta1; the momentum "exp_avg" is averaged with beta2.
/// Weight decay shrinks the parameter, as in AdamW.
class XLAC_API Lion : public Optimizer {
public:
  /// Throws ValueError for options below 0 and for betas of 1 or more.
  explicit Lion(std::vector<Tensor> params, LionOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Lion(std::vector<Tensor> params, Rate lr)
      : Lion(std::move(params), LionOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit Lion(std::vector<ParamGroup> groups, LionOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

} // namespace xlac::optim
