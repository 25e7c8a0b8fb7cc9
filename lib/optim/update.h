// The step of one parameter, as the formulas of optimizers use it, and the
// scalars that parameters share. Formulas are computed in the parameter's
// dtype, in f32 for narrower floats, and on pairs of reals for complex numbers.
#pragma once

#include "xlac/optim/optimizer.h"

#include <algorithm>

namespace xlac::optim {

/// Returns the parameters of a group that have a gradient.
std::vector<Tensor> with_gradient(const ParamGroup &group);

/// Returns a tensor like the parameter whose elements are all `start`. On an
/// xla device it is an argument of the program, so that the first step runs the
/// same program as later ones. Under SPMD it has the parameter's layout.
Tensor filled_like(const Tensor &parameter, double start);

/// Returns a view of complex numbers as pairs of reals.
Tensor in_reals(const Tensor &tensor);

/// Makes a tensor of rank 0 on a device that is an argument of programs for any
/// value.
template <class T> Tensor argument(T value, Dtype dtype, Device device) {
  return tensor(value, TensorOptions(dtype).device(kCPU)).to(device);
}

class Update {
public:
  Update(const Tensor &parameter, ParameterState &state);

  /// Returns the gradient, negated if `maximize`; adds `decay` times the
  /// parameter if `decay` is defined.
  Tensor gradient(bool maximize, const Tensor &decay = {}) const;
  /// Returns the parameter, multiplied by `shrink` if that is defined.
  Tensor parameter(const Tensor &shrink = {}) const;
  void set_parameter(const Tensor &value) { parameter_.copy_(value); }

  /// Returns the state tensor of this name; a missing one is filled with
  /// `start`.
  Tensor kept(const char *name, double start = 0);
  void keep(const char *name, const Tensor &value);

  /// Returns the value as an argument() of programs.
  Tensor number(double value) const {
    return argument(value, dtype_, parameter_.device());
  }
  Tensor flag(bool value) const {
    return argument(value, kBool, parameter_.device());
  }
  /// Whether both updates can share their scalars.
  bool shares_numbers(const Update &other) const;

private:
  Tensor computed(const Tensor &tensor) const;

  Tensor parameter_; ///< complex ones as pairs
  Tensor tensor_;    ///< the optimizer's tensor
  ParameterState &state_;
  Dtype dtype_; ///< of formulas
};

/// The options of a group by name.
class Options {
public:
  explicit Options(const ParamGroup &group) : options_(group.options) {}
  double operator[](const char *name) const { return options_.at(name); }
  bool is_on(const char *name) const { return options_.at(name) != 0; }

private:
  const std::map<std::string, double> &options_;
};

/// The progress of a parameter, on which scalars depend besides options.
using Moment = std::pair<double, double>;

/// Return the factor of weight decay that adds to the gradient, or of decay
/// that shrinks the parameter; undefined if the group has none.
Tensor decay_number(const Options &options, const Update &like);
Tensor shrink_number(const Options &options, const Update &like);

/// Increments "step" and returns it as the moment.
inline Moment count_step(ParameterState &state) {
  return {++state.counter("step"), 0};
}

/// Runs one step of all parameters that have a gradient. A Formula has
///   Numbers                       tensors of rank 0 that parameters share
///   advance(options, state)       increments counters; returns the moment
///   numbers(options, moment, like)  makes Numbers by like.number(…)
///   apply(update, options, numbers)
template <class Formula>
void update_all(const std::vector<ParamGroup> &groups,
                std::map<int64_t, ParameterState> &states) {
  NoGradGuard guard;
  for (const ParamGroup &group : groups) {
    Options options(group);
    struct Shared {
      Update first;
      Moment moment;
      typename Formula::Numbers numbers;
    };
    std::vector<Shared> made;
    for (const Tensor &parameter : with_gradient(group)) {
      ParameterState &state = states[parameter.id()];
      Update update(parameter, state);
      Moment moment = Formula::advance(options, state);
      auto fits = [&](const Shared &known) {
        return known.moment == moment && known.first.shares_numbers(update);
      };
      size_t place =
          std::find_if(made.begin(), made.end(), fits) - made.begin();
      if (place == made.size())
        made.push_back(
            {update, moment, Formula::numbers(options, moment, update)});
      Formula::apply(update, options, made[place].numbers);
    }
  }
}

} // namespace xlac::optim
