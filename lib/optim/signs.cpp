// Optimizers that use the signs of gradients: Rprop and Lion.
#include "options.h"
#include "update.h"

#include "xlac/optim/descent.h"
#include "xlac/tensor/access.h"

namespace xlac::optim {

//===- Rprop --------------------------------------------------------------===//

static std::vector<OptionDefault> options_of(const RpropOptions &o) {
  XLAC_CALL("Rprop");
  check_not_negative({{"learning rate", o.lr}});
  check_option(o.etas.first > 0 && o.etas.first < 1, "eta value at index 0",
               o.etas.first);
  check_option(o.etas.second > 1, "eta value at index 1", o.etas.second);
  return {{"lr", o.lr},
          first("etas", "etaminus", o.etas.first),
          second("etas", "etaplus", o.etas.second),
          first("step_sizes", "step_size_min", o.step_sizes.first),
          second("step_sizes", "step_size_max", o.step_sizes.second),
          flag("maximize", o.maximize)};
}

Rprop::Rprop(std::vector<Tensor> params, RpropOptions options)
    : Rprop(one_group(std::move(params)), options) {}
Rprop::Rprop(std::vector<ParamGroup> groups, RpropOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

namespace {
struct RpropFormula {
  struct Numbers {
    Tensor shrinking, growing, least, most;
  };
  static Moment advance(const Options &, ParameterState &state) {
    count_step(state);
    return {};
  }
  static Numbers numbers(const Options &o, Moment, const Update &like) {
    return {.shrinking = like.number(o["etaminus"]),
            .growing = like.number(o["etaplus"]),
            .least = like.number(o["step_size_min"]),
            .most = like.number(o["step_size_max"])};
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor gradient = update.gradient(o.is_on("maximize"));
    Tensor agreement = gradient * update.kept("prev");
    Tensor sign_changed = agreement < 0;
    Tensor size = update.kept("step_size", o["lr"]);
    size = where(sign_changed, size * n.shrinking,
                 where(agreement > 0, size * n.growing, size));
    size = minimum(maximum(size, n.least), n.most);
    // Where the sign changed there is no step now, and the next step size is
    // not changed.
    gradient = where(sign_changed, 0.0, gradient);
    update.keep("prev", gradient);
    update.keep("step_size", size);
    update.set_parameter(update.parameter() - sign(gradient) * size);
  }
};
} // namespace

std::optional<Tensor> Rprop::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("Rprop.step");
  update_all<RpropFormula>(param_groups(), states());
  return loss;
}

//===- Lion ---------------------------------------------------------------===//

static std::vector<OptionDefault> options_of(const LionOptions &o) {
  XLAC_CALL("Lion");
  check_not_negative(
      {{"learning rate", o.lr}, {"weight_decay value", o.weight_decay}});
  check_betas(o.betas);
  return {{"lr", o.lr},
          first("betas", "beta1", o.betas.first),
          second("betas", "beta2", o.betas.second),
          {"weight_decay", o.weight_decay},
          flag("maximize", o.maximize)};
}

Lion::Lion(std::vector<Tensor> params, LionOptions options)
    : Lion(one_group(std::move(params)), options) {}
Lion::Lion(std::vector<ParamGroup> groups, LionOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

namespace {
struct LionFormula {
  struct Numbers {
    Tensor rate, shrink, old_part, new_part, old_share, new_share;
  };
  static Moment advance(const Options &, ParameterState &) { return {}; }
  static Numbers numbers(const Options &o, Moment, const Update &like) {
    return {.rate = like.number(o["lr"]),
            .shrink = shrink_number(o, like),
            .old_part = like.number(o["beta1"]),
            .new_part = like.number(1 - o["beta1"]),
            .old_share = like.number(o["beta2"]),
            .new_share = like.number(1 - o["beta2"])};
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor gradient = update.gradient(o.is_on("maximize"));
    Tensor average = update.kept("exp_avg");
    Tensor direction = sign(average * n.old_part + gradient * n.new_part);
    update.keep("exp_avg", average * n.old_share + gradient * n.new_share);
    update.set_parameter(update.parameter(n.shrink) - direction * n.rate);
  }
};
} // namespace

std::optional<Tensor> Lion::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("Lion.step");
  update_all<LionFormula>(param_groups(), states());
  return loss;
}

} // namespace xlac::optim
