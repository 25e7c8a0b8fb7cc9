// Optimizers that divide the gradient by the root of sums or averages of its
// squares: Adagrad, Adadelta, RMSprop. The state has "step". Constructors throw
// ValueError for options below 0.
#pragma once

#include "xlac/optim/optimizer.h"

#include <concepts>

namespace xlac::optim {

/// Options of Adagrad.
struct AdagradOptions {
  double lr = 1e-2;        ///< learning rate
  double lr_decay = 0;     ///< lr is divided by 1 + lr_decay * steps
  double weight_decay = 0; ///< factor of the parameters added to the gradient
  double initial_accumulator_value = 0; ///< initial sum of squares
  double eps = 1e-10;                   ///< added to the divisor
  bool maximize = false;                ///< ascends the gradient
};
/// The state has "sum", the sum of all squared gradients.
class XLAC_API Adagrad : public Optimizer {
public:
  /// Optimizes the parameters with the same options.
  explicit Adagrad(std::vector<Tensor> params, AdagradOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Adagrad(std::vector<Tensor> params, Rate lr)
      : Adagrad(std::move(params), AdagradOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit Adagrad(std::vector<ParamGroup> groups,
                   AdagradOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

/// Options of Adadelta.
struct AdadeltaOptions {
  double lr = 1.0;         ///< learning rate
  double rho = 0.9;        ///< decay rate of the averages
  double eps = 1e-6;       ///< added to the divisor
  double weight_decay = 0; ///< factor of the parameters added to the gradient
  bool maximize = false;   ///< ascends the gradient
};
/// The state has averages of squared gradients, "square_avg", and of squared
/// updates, "acc_delta". Throws ValueError also for rho above 1.
class XLAC_API Adadelta : public Optimizer {
public:
  /// Optimizes the parameters with the same options.
  explicit Adadelta(std::vector<Tensor> params, AdadeltaOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Adadelta(std::vector<Tensor> params, Rate lr)
      : Adadelta(std::move(params), AdadeltaOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit Adadelta(std::vector<ParamGroup> groups,
                    AdadeltaOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

/// Options of RMSprop.
struct RMSpropOptions {
  double lr = 1e-2;        ///< learning rate
  double alpha = 0.99;     ///< decay rate of the average of squares
  double eps = 1e-8;       ///< added to the divisor
  double weight_decay = 0; ///< factor of the parameters added to the gradient
  double momentum = 0;     ///< factor of the former step
  bool centered = false;   ///< subtracts the squared average of the gradient
  bool maximize = false;   ///< ascends the gradient
};
/// The state has "square_avg", with momentum "momentum_buffer", and when
/// centered "grad_avg". Centered means that the variance replaces the mean
/// square.
class XLAC_API RMSprop : public Optimizer {
public:
  /// Optimizes the parameters with the same options.
  explicit RMSprop(std::vector<Tensor> params, RMSpropOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  RMSprop(std::vector<Tensor> params, Rate lr)
      : RMSprop(std::move(params), RMSpropOptions{.lr = lr}) {}
  /// Groups may set options of their own; `defaults` are for the others.
  explicit RMSprop(std::vector<ParamGroup> groups,
                   RMSpropOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

} // namespace xlac::optim
