// What all optimizers have in common: parameters in groups with options of
// their own, and what is kept for each parameter from one step to the next.
#pragma once

#include "xlac/nn.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xlac::optim {

/// Computes the loss and its gradients again.
using LossClosure = std::function<Tensor()>;
/// The named arguments of Optimizer::step.
struct StepArgs {
  LossClosure closure = {};
};
/// Parameters with hyper-parameters of their own, by name: {"lr", 1e-4}. Flags
/// are 0 or 1; the parts of a pair have names of their own, as "beta1" and
/// "beta2" of PyTorch's "betas".
struct ParamGroup {
  std::vector<Tensor> params;
  std::map<std::string, double> options;
};

/// An option of an optimizer's groups: its default, and what PyTorch's state
/// dicts write it as.
struct OptionDefault {
  enum class Kind {
    Real,
    Whole,
    Flag,
    First,  ///< of the pair called `text`
    Second, ///< of the pair called `text`, right behind its First
    Choice, ///< the string `text` for 1, nothing for 0
  };
  std::string name;
  double value;
  Kind kind = Kind::Real;
  std::string text = {};
};

/// What an optimizer keeps for one parameter.
struct ParameterState {
  /// Numbers of the host by name, as "step".
  std::vector<std::pair<std::string, double>> counters;
  /// Of the parameter's shape and dtype, on its device.
  StateDict tensors;

  bool empty() const { return counters.empty() && tensors.size() == 0; }
  /// Added with the value `start` when it is not there.
  XLAC_API double &counter(std::string_view name, double start = 0);
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
  const std::vector<ParamGroup> &param_groups() const { return groups_; }
  /// Takes the defaults for options that the group does not name. ValueError
  /// for a parameter that a group has already, a tensor that is no leaf, or an
  /// option that neither the optimizer nor a scheduler knows.
  void add_param_group(ParamGroup group);
  /// Whether this kind of optimizer has the option.
  bool has_option(std::string_view name) const;

  /// As PyTorch's: {"state": {0: {…}}, "param_groups": [{…, "params": [0]}]}.
  /// The tensors are those of the optimizer, not copies.
  Value state_dict() const;
  /// Takes over values and options, also from PyTorch. ValueError when groups
  /// or parameters differ, KeyError for a number that a group lacks; nothing
  /// is changed then. Flags that a group lacks stay as they are.
  void load_state_dict(const Value &state);

protected:
  /// ValueError as of add_param_group, or when there is no parameter.
  Optimizer(std::vector<ParamGroup> groups,
            std::vector<OptionDefault> defaults);
  /// What is kept for a parameter; empty at first.
  ParameterState &state_of(const Tensor &parameter);
  /// What is kept for each, by Tensor::id.
  std::map<int64_t, ParameterState> &states() { return states_; }
  /// The closure's loss, computed with gradients followed.
  static std::optional<Tensor> evaluate(const StepArgs &args);

  /// What state_dict() has under "state": the number of a parameter, counted
  /// through all groups, and what is kept for it.
  virtual Value::Dict write_states() const;
  /// Replaces what is kept; the arguments are checked before anything changes.
  virtual void read_states(const Value::Dict &states);
  std::vector<Tensor> all_parameters() const;

private:
  Value::Dict write_options(const ParamGroup &group) const;
  std::map<std::string, double> read_options(const ParamGroup &group,
                                             const Value &written) const;

  std::vector<ParamGroup> groups_;
  std::vector<OptionDefault> defaults_;
  std::map<int64_t, ParameterState> states_;
};

} // namespace xlac::optim
