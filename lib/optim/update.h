// What the formulas of optimizers see of one parameter in a step, and the
// numbers that they share. Formulas are computed in the parameter's dtype, in
// f32 for narrower floats, and on pairs of reals for complex numbers.
#pragma once

#include "xlac/optim/optimizer.h"

#include <algorithm>

namespace xlac::optim {

/// The parameters of a group that have a gradient.
std::vector<Tensor> with_gradient(const ParamGroup &group);

/// `start` everywhere, of the parameter's shape and dtype. On an xla device it
/// is data and no part of the program, so that the first step is the program
/// of all later ones.
Tensor filled_like(const Tensor &parameter, double start);

/// Complex numbers as pairs of reals: a view.
Tensor in_reals(const Tensor &tensor);

/// A tensor of rank 0 on a device that is an argument of programs whatever its
/// value.
template <class T> Tensor argument(T value, Dtype dtype, Device device) {
  return tensor(value, TensorOptions(dtype).device(kCPU)).to(device);
}

class Update {
public:
  Update(const Tensor &parameter, ParameterState &state);

  /// The gradient, turned round to go up; with `decay` times the parameter
  /// added where that is defined.
  Tensor gradient(bool maximize, const Tensor &decay = {}) const;
  /// Multiplied by `shrink` where that is defined.
  Tensor parameter(const Tensor &shrink = {}) const;
  void set_parameter(const Tensor &value) { parameter_.copy_(value); }

  /// What is kept by this name, or made of `start`.
  Tensor kept(const char *name, double start = 0);
  void keep(const char *name, const Tensor &value);

  /// As an argument() of programs.
  Tensor number(double value) const {
    return argument(value, dtype_, parameter_.device());
  }
  Tensor flag(bool value) const {
    return argument(value, kBool, parameter_.device());
  }
  /// Whether one number does for both.
  bool shares_numbers(const Update &other) const;

private:
  Tensor computed(const Tensor &tensor) const;

  Tensor parameter_; ///< complex ones as pairs
  Tensor whole_;     ///< as the optimizer has it
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

/// How far a parameter has come: what numbers depend on besides options.
using Moment = std::pair<double, double>;

/// The number of weight decay that adds to the gradient, or of decay that
/// shrinks the parameter; undefined where the group has none.
Tensor decay_number(const Options &options, const Update &like);
Tensor shrink_number(const Options &options, const Update &like);

/// Counts a step in "step"; the moment is its number.
inline Moment count_step(ParameterState &state) {
  return {++state.counter("step"), 0};
}

/// One step of all parameters that have a gradient. A Formula has
///   Numbers                       tensors of rank 0 that parameters share
///   advance(options, state)       counts; gives the moment
///   numbers(options, moment, like)  by like.number(…)
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
