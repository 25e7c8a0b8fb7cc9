// Adam and its variants: bias-corrected averages of the gradient, divided by
// averages of its magnitude. The state has "step" and "exp_avg". Groups name
// the elements of `betas` "beta1" and "beta2". Constructors throw ValueError
// for options below 0 and for betas of 1 or more.
#pragma once

#include "xlac/optim/optimizer.h"

#include <concepts>

namespace xlac::optim {

/// Options of Adam.
struct AdamOptions {
  double lr = 1e-3; ///< learning rate
  /// Decay rates of the averages.
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;       ///< added to the divisor
  double weight_decay = 0; ///< factor of the parameters added to the gradient
  bool amsgrad = false;    ///< divides by the largest average so far
  bool maximize = false;   ///< ascends the gradient
  /// Shrinks the parameters instead, as AdamW does.
  bool decoupled_weight_decay = false;
};
/// The state also has "exp_avg_sq", and "max_exp_avg_sq" with amsgrad. Weight
/// decay adds to the gradient; if it is decoupled it shrinks the parameter
/// instead.
class XLAC_API Adam : public Optimizer {
public:
  /// Optimizes the parameters with the same options.
  explicit Adam(std::vector<Tensor> params, AdamOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Adam(std::vector<Tensor> params, Rate lr)
      : Adam(std::move(params), AdamOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit Adam(std::vector<ParamGroup> groups, AdamOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

/// Options of AdamW.
struct AdamWOptions {
  double lr = 1e-3; ///< learning rate
  /// Decay rates of the averages.
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8; ///< added to the divisor
  /// Each step subtracts lr * weight_decay times the parameters.
  double weight_decay = 1e-2;
  bool amsgrad = false;  ///< divides by the largest average so far
  bool maximize = false; ///< ascends the gradient
};
/// Adam with decoupled weight decay.
class XLAC_API AdamW : public Adam {
public:
  /// Optimizes the parameters with the same options.
  explicit AdamW(std::vector<Tensor> params, AdamWOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  AdamW(std::vector<Tensor> params, Rate lr)
      : AdamW(std::move(params), AdamWOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit AdamW(std::vector<ParamGroup> groups, AdamWOptions defaults = {});
};

/// Options of Adamax.
struct AdamaxOptions {
  double lr = 2e-3; ///< learning rate
  /// Decay rates of the averages.
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;       ///< added to the divisor
  double weight_decay = 0; ///< factor of the parameters added to the gradient
  bool maximize = false;   ///< ascends the gradient
};
/// Divides by the infinity norm of past gradients, which decays by beta2:
/// "exp_inf".
class XLAC_API Adamax : public Optimizer {
public:
  /// Optimizes the parameters with the same options.
  explicit Adamax(std::vector<Tensor> params, AdamaxOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Adamax(std::vector<Tensor> params, Rate lr)
      : Adamax(std::move(params), AdamaxOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit Adamax(std::vector<ParamGroup> groups, AdamaxOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

/// Options of NAdam.
struct NAdamOptions {
  double lr = 2e-3; ///< learning rate
  /// Decay rates of the averages.
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;       ///< added to the divisor
  double weight_decay = 0; ///< factor of the parameters added to the gradient
  double momentum_decay = 4e-3; ///< rate at which the momentum grows
  /// Shrinks the parameters instead, as AdamW does.
  bool decoupled_weight_decay = false;
  bool maximize = false; ///< ascends the gradient
};
/// Adam with Nesterov momentum that increases over the steps. "mu_product" is
/// the product of all momenta so far.
class XLAC_API NAdam : public Optimizer {
public:
  /// Optimizes the parameters with the same options.
  explicit NAdam(std::vector<Tensor> params, NAdamOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  NAdam(std::vector<Tensor> params, Rate lr)
      : NAdam(std::move(params), NAdamOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit NAdam(std::vector<ParamGroup> groups, NAdamOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

/// Options of RAdam.
struct RAdamOptions {
  double lr = 1e-3; ///< learning rate
  /// Decay rates of the averages.
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;       ///< added to the divisor
  double weight_decay = 0; ///< factor of the parameters added to the gradient
  /// Shrinks the parameters instead, as AdamW does.
  bool decoupled_weight_decay = false;
  bool maximize = false; ///< ascends the gradient
};
/// Rectified Adam. It uses the average gradient without division until the
/// variance of "exp_avg_sq" is small enough; then it divides and applies the
/// rectification term.
class XLAC_API RAdam : public Optimizer {
public:
  /// Optimizes the parameters with the same options.
  explicit RAdam(std::vector<Tensor> params, RAdamOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  RAdam(std::vector<Tensor> params, Rate lr)
      : RAdam(std::move(params), RAdamOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit RAdam(std::vector<ParamGroup> groups, RAdamOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

} // namespace xlac::optim
