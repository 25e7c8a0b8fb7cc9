// Adam and its relatives: averages of the gradient, corrected for their start
// at zero, over averages of its size. All keep "step" and "exp_avg". Groups
// call the parts of `betas` "beta1" and "beta2". Constructors throw ValueError
// for options below 0 and for betas from 1.
#pragma once

#include "xlac/optim/optimizer.h"

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
/// Keeps "exp_avg_sq" too, and "max_exp_avg_sq" with amsgrad. Weight decay adds
/// to the gradient unless it is decoupled; then it shrinks the parameter.
class XLAC_API Adam : public Optimizer {
public:
  explicit Adam(std::vector<Tensor> params, AdamOptions options = {});
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
  explicit AdamW(std::vector<ParamGroup> groups, AdamWOptions defaults = {});
};

struct AdamaxOptions {
  double lr = 2e-3;
  std::pair<double, double> betas = {0.9, 0.999};
  double eps = 1e-8;
  double weight_decay = 0;
  bool maximize = false;
};
/// Divides by the largest gradient seen, which fades with beta2: "exp_inf".
class XLAC_API Adamax : public Optimizer {
public:
  explicit Adamax(std::vector<Tensor> params, AdamaxOptions options = {});
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
/// Adam with Nesterov's momentum, which grows with the steps; "mu_product" is
/// the product of all momenta so far.
class XLAC_API NAdam : public Optimizer {
public:
  explicit NAdam(std::vector<Tensor> params, NAdamOptions options = {});
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
/// Adam that goes by the average gradient alone until enough steps have made
/// the variance of "exp_avg_sq" small, and is rectified by it afterwards.
class XLAC_API RAdam : public Optimizer {
public:
  explicit RAdam(std::vector<Tensor> params, RAdamOptions options = {});
  explicit RAdam(std::vector<ParamGroup> groups, RAdamOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

} // namespace xlac::optim
