// Adagrad, Adadelta and RMSprop.
#include "options.h"
#include "update.h"

#include "xlac/optim/adaptive.h"
#include "xlac/tensor/access.h"

namespace xlac::optim {

//===- Adagrad ------------------------------------------------------------===//

static std::vector<OptionDefault> options_of(const AdagradOptions &o) {
  XLAC_CALL("Adagrad");
  check_not_negative(
      {{"learning rate", o.lr},
       {"lr_decay value", o.lr_decay},
       {"weight_decay value", o.weight_decay},
       {"initial_accumulator_value value", o.initial_accumulator_value},
       {"epsilon value", o.eps}});
  return {{"lr", o.lr},
          {"lr_decay", o.lr_decay},
          {"eps", o.eps},
          {"weight_decay", o.weight_decay},
          {"initial_accumulator_value", o.initial_accumulator_value},
          flag("maximize", o.maximize)};
}

Adagrad::Adagrad(std::vector<Tensor> params, AdagradOptions options)
    : Adagrad(one_group(std::move(params)), options) {}
Adagrad::Adagrad(std::vector<ParamGroup> groups, AdagradOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {
  NoGradGuard guard;
  for (ParamGroup &group : param_groups())
    for (const Tensor &parameter : group.params) {
      ParameterState &state = state_of(parameter);
      state.counter("step");
      state.tensors["sum"] =
          filled_like(parameter, group.options.at("initial_accumulator_value"));
    }
}

namespace {
struct AdagradFormula {
  struct Numbers {
    Tensor rate, eps, decay;
  };
  static Moment advance(const Options &, ParameterState &state) {
    return count_step(state);
  }
  static Numbers numbers(const Options &o, Moment moment, const Update &like) {
    double rate = o["lr"] / (1 + (moment.first - 1) * o["lr_decay"]);
    return {.rate = like.number(rate),
            .eps = like.number(o["eps"]),
            .decay = decay_number(o, like)};
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor gradient = update.gradient(o.is_on("maximize"), n.decay);
    Tensor sum = update.kept("sum", o["initial_accumulator_value"]) +
                 gradient * gradient;
    update.keep("sum", sum);
    update.set_parameter(update.parameter() -
                         gradient * n.rate / (sum.sqrt() + n.eps));
  }
};
} // namespace

std::optional<Tensor> Adagrad::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("Adagrad.step");
  update_all<AdagradFormula>(param_groups(), states());
  return loss;
}

//===- Adadelta -----------------------------------------------------------===//

static std::vector<OptionDefault> options_of(const AdadeltaOptions &o) {
  XLAC_CALL("Adadelta");
  check_not_negative({{"learning rate", o.lr},
                      {"epsilon value", o.eps},
                      {"weight_decay value", o.weight_decay}});
  check_option(o.rho >= 0 && o.rho <= 1, "rho value", o.rho);
  return {{"lr", o.lr},
          {"rho", o.rho},
          {"eps", o.eps},
          {"weight_decay", o.weight_decay},
          flag("maximize", o.maximize)};
}

Adadelta::Adadelta(std::vector<Tensor> params, AdadeltaOptions options)
    : Adadelta(one_group(std::move(params)), options) {}
Adadelta::Adadelta(std::vector<ParamGroup> groups, AdadeltaOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

namespace {
struct AdadeltaFormula {
  struct Numbers {
    Tensor rate, eps, old_share, new_share, decay;
  };
  static Moment advance(const Options &, ParameterState &state) {
    count_step(state);
    return {};
  }
  static Numbers numbers(const Options &o, Moment, const Update &like) {
    return {.rate = like.number(o["lr"]),
            .eps = like.number(o["eps"]),
            .old_share = like.number(o["rho"]),
            .new_share = like.number(1 - o["rho"]),
            .decay = decay_number(o, like)};
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor gradient = update.gradient(o.is_on("maximize"), n.decay);
    Tensor square = update.kept("square_avg") * n.old_share +
                    gradient * gradient * n.new_share;
    Tensor changes = update.kept("acc_delta");
    Tensor change =
        (changes + n.eps).sqrt() / (square + n.eps).sqrt() * gradient;
    update.keep("square_avg", square);
    update.keep("acc_delta",
                changes * n.old_share + change * change * n.new_share);
    update.set_parameter(update.parameter() - change * n.rate);
  }
};
} // namespace

std::optional<Tensor> Adadelta::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("Adadelta.step");
  update_all<AdadeltaFormula>(param_groups(), states());
  return loss;
}

//===- RMSprop ------------------------------------------------------------===//

static std::vector<OptionDefault> options_of(const RMSpropOptions &o) {
  XLAC_CALL("RMSprop");
  check_not_negative({{"learning rate", o.lr},
                      {"epsilon value", o.eps},
                      {"momentum value", o.momentum},
                      {"weight_decay value", o.weight_decay},
                      {"alpha value", o.alpha}});
  return {{"lr", o.lr},
          {"momentum", o.momentum},
          {"alpha", o.alpha},
          {"eps", o.eps},
          flag("centered", o.centered),
          {"weight_decay", o.weight_decay},
          flag("maximize", o.maximize)};
}

RMSprop::RMSprop(std::vector<Tensor> params, RMSpropOptions options)
    : RMSprop(one_group(std::move(params)), options) {}
RMSprop::RMSprop(std::vector<ParamGroup> groups, RMSpropOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

namespace {
struct RMSpropFormula {
  struct Numbers {
    Tensor rate, eps, old_share, new_share, momentum, decay;
  };
  static Moment advance(const Options &, ParameterState &state) {
    count_step(state);
    return {};
  }
  static Numbers numbers(const Options &o, Moment, const Update &like) {
    return {.rate = like.number(o["lr"]),
            .eps = like.number(o["eps"]),
            .old_share = like.number(o["alpha"]),
            .new_share = like.number(1 - o["alpha"]),
            .momentum = like.number(o["momentum"]),
            .decay = decay_number(o, like)};
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor gradient = update.gradient(o.is_on("maximize"), n.decay);
    Tensor square = update.kept("square_avg") * n.old_share +
                    gradient * gradient * n.new_share;
    update.keep("square_avg", square);
    if (o.is_on("centered")) {
      Tensor mean = update.kept("grad_avg");
      mean = mean + (gradient - mean) * n.new_share;
      update.keep("grad_avg", mean);
      square = square - mean * mean;
    }
    Tensor size = square.sqrt() + n.eps;
    if (o.is_on("momentum")) {
      Tensor buffer =
          update.kept("momentum_buffer") * n.momentum + gradient / size;
      update.keep("momentum_buffer", buffer);
      update.set_parameter(update.parameter() - buffer * n.rate);
    } else {
      update.set_parameter(update.parameter() - gradient * n.rate / size);
    }
  }
};
} // namespace

std::optional<Tensor> RMSprop::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("RMSprop.step");
  update_all<RMSpropFormula>(param_groups(), states());
  return loss;
}

} // namespace xlac::optim
