// Optimizers that divide the gradient by the root of sums or averages of its
// squares: Adagrad, Adadelta, RMSprop. The state has "step". Constructors throw
// ValueError for options below 0.
#pragma once

#include "xlac/optim/optimizer.h"

#include <concepts>

namespace xlac::optim {

struct AdagradOptions {
  double lr = 1e-2;
  double lr_decay = 0;
  double weight_decay = 0;
  double initial_accumulator_value = 0;
  double eps = 1e-10;
  bool maximize = false;
};
/// The state has "sum", the sum of all squared gradients.
class XLAC_API Adagrad : public Optimizer {
public:
  explicit Adagrad(std::vector<Tensor> params, AdagradOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Adagrad(std::vector<Tensor> params, Rate lr)
      : Adagrad(std::move(params), AdagradOptions{.lr = lr}) {}
  explicit Adagrad(std::vector<ParamGroup> groups,
                   AdagradOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

struct AdadeltaOptions {
  double lr = 1.0;
  double rho = 0.9;
  double eps = 1e-6;
  double weight_decay = 0;
  bool maximize = false;
};
/// The state has averages of squared gradients, "square_avg", and of squared
/// updates, "acc_delta". Throws ValueError also for rho above 1.
class XLAC_API Adadelta : public Optimizer {
public:
  explicit Adadelta(std::vector<Tensor> params, AdadeltaOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  Adadelta(std::vector<Tensor> params, Rate lr)
      : Adadelta(std::move(params), AdadeltaOptions{.lr = lr}) {}
  explicit Adadelta(std::vector<ParamGroup> groups,
                    AdadeltaOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

struct RMSpropOptions {
  double lr = 1e-2;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;
  bool maximize = false;
};
/// The state has "square_avg", with momentum "momentum_buffer", and when
/// centered "grad_avg". Centered means that the variance replaces the mean
/// square.
class XLAC_API RMSprop : public Optimizer {
public:
  explicit RMSprop(std::vector<Tensor> params, RMSpropOptions options = {});
  /// The other options have their defaults.
  template <std::floating_point Rate>
  RMSprop(std::vector<Tensor> params, Rate lr)
      : RMSprop(std::move(params), RMSpropOptions{.lr = lr}) {}
  explicit RMSprop(std::vector<ParamGroup> groups,
                   RMSpropOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

} // namespace xlac::optim
