// The base of optimizers: groups of parameters with options, and the state of
// each parameter across steps.
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

/// Recomputes the loss and its gradients.
using LossClosure = std::function<Tensor()>;
/// Named arguments of Optimizer::step.
struct StepArgs {
  LossClosure closure = {}; ///< computes the loss again; required by LBFGS
};
/// Parameters and their hyper-parameters by name: {"lr", 1e-4}. Flags are 0 or
/// 1. The elements of a pair have separate names: PyTorch's "betas" are "beta1"
/// and "beta2".
struct ParamGroup {
  /// The parameters of the group.
  std::vector<Tensor> params;
  /// The options of the group by name.
  std::map<std::string, double> options;
};

/// An option of an optimizer's groups: its default, and its form in PyTorch's
/// state dicts.
struct OptionDefault {
  /// Types of options.
  enum class Kind {
    Real,
    Whole,
    Flag,
    First,  ///< the first element of the pair `text`
    Second, ///< the second element of the pair `text`; follows its First
    Choice, ///< the string `text` for 1, None for 0
  };
  /// The name.
  std::string name;
  /// The value, also of flags and integers.
  double value;
  /// The type that save() writes.
  Kind kind = Kind::Real;
  /// The value of a text option.
  std::string text = {};
};

/// The state of one parameter.
struct ParameterState {
  /// Host numbers by name, such as "step".
  std::vector<std::pair<std::string, double>> counters;
  /// Tensors of the parameter's shape and dtype, on its device.
  StateDict tensors;

  /// Whether no step was taken.
  bool empty() const { return counters.empty() && tensors.size() == 0; }
  /// Returns the counter; adds it with the value `start` if it is missing.
  XLAC_API double &counter(std::string_view name, double start = 0);
};

/// The base class of optimizers. It holds groups of parameters with their
/// options, and the state of each parameter.
class XLAC_API Optimizer {
public:
  virtual ~Optimizer();

  /// Updates every parameter that has a gradient. Returns the closure's loss,
  /// or nothing without a closure.
  virtual std::optional<Tensor> step(StepArgs args = {}) = 0;
  /// Clears the gradients of all parameters.
  void zero_grad(bool set_to_none = true);
  /// The options of the groups may be changed between steps.
  std::vector<ParamGroup> &param_groups() { return groups_; }
  /// The groups with their options.
  const std::vector<ParamGroup> &param_groups() const { return groups_; }
  /// Adds a group; options that it lacks get the defaults. Throws ValueError
  /// for a parameter of another group, for a tensor that is not a leaf, and for
  /// an option that neither the optimizer nor a scheduler defines.
  void add_param_group(ParamGroup group);
  /// Whether this type of optimizer has the option.
  bool has_option(std::string_view name) const;

  /// Returns PyTorch's format: {"state": {0: {…}}, "param_groups": [{…,
  /// "params": [0]}]}. The tensors are those of the optimizer, not copies.
  Value state_dict() const;
  /// Loads states and options, also those written by PyTorch. Throws ValueError
  /// when groups or parameters differ, and KeyError for a number that a group
  /// lacks; nothing is changed then. Flags that a group lacks keep their
  /// values.
  void load_state_dict(const Value &state);

protected:
  /// Throws ValueError as add_param_group does, and when there is no parameter.
  Optimizer(std::vector<ParamGroup> groups,
            std::vector<OptionDefault> defaults);
  /// Returns the state of a parameter; empty initially.
  ParameterState &state_of(const Tensor &parameter);
  /// The states by Tensor::id.
  std::map<int64_t, ParameterState> &states() { return states_; }
  /// Runs the closure with autograd recording. Returns its loss.
  static std::optional<Tensor> evaluate(const StepArgs &args);

  /// Returns the value of "state" in state_dict(): the state of each parameter
  /// by its number, counted over all groups.
  virtual Value::Dict write_states() const;
  /// Replaces the states. Arguments are checked before any state changes.
  virtual void read_states(const Value::Dict &states);
  /// The parameters of all groups.
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
