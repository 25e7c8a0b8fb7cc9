// Adam and its variants: bias-corrected averages of the gradient, divided by
// averages of its magnitude. The state has "step" and "exp_avg". Groups name
// the elements of `betas` "beta1" and "beta2". Constructors throw ValueError
// for options below 0 and for betas of 1 or more.
#pragma once

#include "xlac/optim/optimizer.h"

#include <concepts>

namespace xlac::optim {

struct AdamOptions {
  double lr = 1e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool amsgrad = false;
  bool maximize = false;
  bool decoupled_weight_decay = false;
};
/// The state also has "exp_avg_sq", and "max_exp_avg_sq" with amsgrad. Weight
/// decay adds to the gradient; if it is decoupled it shrinks the parameter
/// instead.
class XLAC_API Adam : public Optimizer {
public:
  explicit Adam(std::vector<Tensor> params, AdamOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Adam(std::vector<Tensor> params, Rate lr)
      : Adam(std::move(params), AdamOptions{.lr = lr}) {}
  explicit Adam(std::vector<ParamGroup> groups, AdamOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

struct AdamWOptions {
  double lr = 1e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 1e-2;
  bool amsgrad = false;
  bool maximize = false;
};
/// Adam with decoupled weight decay.
class XLAC_API AdamW : public Adam {
public:
  explicit AdamW(std::vector<Tensor> params, AdamWOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  AdamW(std::vector<Tensor> params, Rate lr)
      : AdamW(std::move(params), AdamWOptions{.lr = lr}) {}
  explicit AdamW(std::vector<ParamGroup> groups, AdamWOptions defaults = {});
};

struct AdamaxOptions {
  double lr = 2e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool maximize = false;
};
/// Divides by the infinity norm of past gradients, which decays by beta2:
/// "exp_inf".
class XLAC_API Adamax : public Optimizer {
public:
  explicit Adamax(std::vector<Tensor> params, AdamaxOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Adamax(std::vector<Tensor> params, Rate lr)
      : Adamax(std::move(params), AdamaxOptions{.lr = lr}) {}
  explicit Adamax(std::vector<ParamGroup> groups, AdamaxOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

struct NAdamOptions {
  double lr = 2e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum_decay = 4e-3;
  bool decoupled_weight_decay = false;
  bool maximize = false;
};
/// Adam with Nesterov momentum that increases over the steps. "mu_product" is
/// the product of all momenta so far.
class XLAC_API NAdam : public Optimizer {
public:
  explicit NAdam(std::vector<Tensor> params, NAdamOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  NAdam(std::vector<Tensor> params, Rate lr)
      : NAdam(std::move(params), NAdamOptions{.lr = lr}) {}
  explicit NAdam(std::vector<ParamGroup> groups, NAdamOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

struct RAdamOptions {
  double lr = 1e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool decoupled_weight_decay = false;
  bool maximize = false;
};
/// Rectified Adam. It uses the average gradient without division until the
/// variance of "exp_avg_sq" is small enough; then it divides and applies the
/// rectification term.
class XLAC_API RAdam : public Optimizer {
public:
  explicit RAdam(std::vector<Tensor> params, RAdamOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  RAdam(std::vector<Tensor> params, Rate lr)
      : RAdam(std::move(params), RAdamOptions{.lr = lr}) {}
  explicit RAdam(std::vector<ParamGroup> groups, RAdamOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

} // namespace xlac::optim
