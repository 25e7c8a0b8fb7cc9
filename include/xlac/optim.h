// Optimizers: they change parameters in place by their gradients.
// Hyper-parameters enter programs as data, so that changing them never compiles
// anew.
#pragma once

#include "xlac/nn.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace xlac::optim {

/// Computes the loss and its gradients again.
using LossClosure = std::function<Tensor()>;
/// The named arguments of Optimizer::step.
struct StepArgs {
  LossClosure closure = {};
};
/// Parameters with hyper-parameters of their own, by name: {"lr", 1e-4}. Flags
/// are 0 or 1.
struct ParamGroup {
  std::vector<Tensor> params;
  std::map<std::string, double> options;
};

class XLAC_API Optimizer {
public:
  virtual ~Optimizer();

  /// Changes every parameter that has a gradient. The closure's loss when there
  /// is one, else nothing.
  virtual std::optional<Tensor> step(StepArgs args = {}) = 0;
  /// Of all parameters.
  void zero_grad(bool set_to_none = true);
  /// Options of the groups may be changed between steps.
  std::vector<ParamGroup> &param_groups() { return groups_; }
  /// Takes the defaults for options that the group does not name. ValueError
  /// for a parameter that a group has already, a tensor that is no leaf, or an
  /// option that the optimizer does not know.
  void add_param_group(ParamGroup group);

  /// As PyTorch's: {"state": {0: {…}}, "param_groups": [{…, "params": [0]}]}.
  Value state_dict() const;
  /// KeyError or ValueError when groups or parameters differ.
  void load_state_dict(const Value &state);

protected:
  Optimizer(std::vector<ParamGroup> groups,
            std::map<std::string, double> defaults);
  /// What the optimizer keeps for a parameter, by name; empty at first.
  std::map<std::string, Tensor> &state_of(const Tensor &parameter);
  /// The closure's loss, computed with gradients followed.
  static std::optional<Tensor> evaluate(const StepArgs &args);

private:
  std::vector<Tensor> all_parameters() const;

  std::vector<ParamGroup> groups_;
  std::map<std::string, double> defaults_;
  std::map<int64_t, std::map<std::string, Tensor>> state_; ///< by Tensor::id
};

struct SGDOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
};
/// Stochastic gradient descent, with momentum as PyTorch has it: the first step
/// starts the buffer with the gradient itself.
class XLAC_API SGD : public Optimizer {
public:
  explicit SGD(std::vector<Tensor> params, SGDOptions options = {});
  explicit SGD(std::vector<ParamGroup> groups, SGDOptions defaults = {});
  std::optional<Tensor> step(StepArgs args = {}) override;
};

} // namespace xlac::optim
