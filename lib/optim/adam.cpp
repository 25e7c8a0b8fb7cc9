// Adam and its variants.
#include "options.h"
#include "update.h"

#include "xlac/optim/adam.h"
#include "xlac/tensor/access.h"

#include <cmath>

namespace xlac::optim {

/// The options that all variants have.
template <class Given>
static std::vector<OptionDefault> common_options(const Given &o) {
  check_not_negative({{"learning rate", o.lr},
                      {"epsilon value", o.eps},
                      {"weight_decay value", o.weight_decay}});
  check_betas(o.betas);
  return {{"lr", o.lr},
          first("betas", "beta1", o.betas.first),
          second("betas", "beta2", o.betas.second),
          {"eps", o.eps},
          {"weight_decay", o.weight_decay},
          flag("maximize", o.maximize)};
}

namespace {
/// The coefficients of the running averages of gradients and squares.
struct Averages {
  Tensor new_share, old_square, new_square, eps, decay, shrink;

  Averages(const Options &o, const Update &like)
      : new_share(like.number(1 - o["beta1"])),
        old_square(like.number(o["beta2"])),
        new_square(like.number(1 - o["beta2"])), eps(like.number(o["eps"])) {
    if (o.is_on("decoupled_weight_decay"))
      shrink = shrink_number(o, like);
    else
      decay = decay_number(o, like);
  }

  Tensor moved_average(Update &update, const Tensor &gradient) const {
    Tensor average = update.kept("exp_avg");
    average = average + (gradient - average) * new_share;
    update.keep("exp_avg", average);
    return average;
  }
  Tensor moved_square(Update &update, const Tensor &gradient) const {
    Tensor square = update.kept("exp_avg_sq") * old_square +
                    gradient * gradient * new_square;
    update.keep("exp_avg_sq", square);
    return square;
  }
};
} // namespace

//===- Adam ---------------------------------------------------------------===//

static std::vector<OptionDefault> options_of(const AdamOptions &o) {
  XLAC_CALL("Adam");
  std::vector<OptionDefault> options = common_options(o);
  options.push_back(flag("amsgrad", o.amsgrad));
  options.push_back(flag("decoupled_weight_decay", o.decoupled_weight_decay));
  return options;
}

Adam::Adam(std::vector<Tensor> params, AdamOptions options)
    : Adam(one_group(std::move(params)), options) {}
Adam::Adam(std::vector<ParamGroup> groups, AdamOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

static AdamOptions decoupled(const AdamWOptions &o) {
  return {.lr = o.lr,
          .betas = o.betas,
          .eps = o.eps,
          .weight_decay = o.weight_decay,
          .amsgrad = o.amsgrad,
          .maximize = o.maximize,
          .decoupled_weight_decay = true};
}

AdamW::AdamW(std::vector<Tensor> params, AdamWOptions options)
    : Adam(std::move(params), decoupled(options)) {}
AdamW::AdamW(std::vector<ParamGroup> groups, AdamWOptions defaults)
    : Adam(std::move(groups), decoupled(defaults)) {}

namespace {
struct AdamFormula {
  struct Numbers {
    Averages averages;
    Tensor rate, root_correction;
  };
  static Moment advance(const Options &, ParameterState &state) {
    return count_step(state);
  }
  static Numbers numbers(const Options &o, Moment moment, const Update &like) {
    double correction1 = 1 - std::pow(o["beta1"], moment.first);
    double correction2 = 1 - std::pow(o["beta2"], moment.first);
    return {.averages = Averages(o, like),
            .rate = like.number(o["lr"] / correction1),
            .root_correction = like.number(std::sqrt(correction2))};
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor gradient = update.gradient(o.is_on("maximize"), n.averages.decay);
    Tensor average = n.averages.moved_average(update, gradient);
    Tensor square = n.averages.moved_square(update, gradient);
    if (o.is_on("amsgrad")) {
      square = maximum(update.kept("max_exp_avg_sq"), square);
      update.keep("max_exp_avg_sq", square);
    }
    Tensor size = square.sqrt() / n.root_correction + n.averages.eps;
    update.set_parameter(update.parameter(n.averages.shrink) -
                         average * n.rate / size);
  }
};
} // namespace

std::optional<Tensor> Adam::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("Adam.step");
  update_all<AdamFormula>(param_groups(), states());
  return loss;
}

//===- Adamax -------------------------------------------------------------===//

static std::vector<OptionDefault> options_of(const AdamaxOptions &o) {
  XLAC_CALL("Adamax");
  return common_options(o);
}

Adamax::Adamax(std::vector<Tensor> params, AdamaxOptions options)
    : Adamax(one_group(std::move(params)), options) {}
Adamax::Adamax(std::vector<ParamGroup> groups, AdamaxOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

namespace {
struct AdamaxFormula {
  struct Numbers {
    Tensor rate, eps, new_share, fading, decay;
  };
  static Moment advance(const Options &, ParameterState &state) {
    return count_step(state);
  }
  static Numbers numbers(const Options &o, Moment moment, const Update &like) {
    double correction = 1 - std::pow(o["beta1"], moment.first);
    return {.rate = like.number(o["lr"] / correction),
            .eps = like.number(o["eps"]),
            .new_share = like.number(1 - o["beta1"]),
            .fading = like.number(o["beta2"]),
            .decay = decay_number(o, like)};
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor gradient = update.gradient(o.is_on("maximize"), n.decay);
    Tensor average = update.kept("exp_avg");
    average = average + (gradient - average) * n.new_share;
    Tensor largest =
        maximum(update.kept("exp_inf") * n.fading, gradient.abs() + n.eps);
    update.keep("exp_avg", average);
    update.keep("exp_inf", largest);
    update.set_parameter(update.parameter() - average * n.rate / largest);
  }
};
} // namespace

std::optional<Tensor> Adamax::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("Adamax.step");
  update_all<AdamaxFormula>(param_groups(), states());
  return loss;
}

//===- NAdam --------------------------------------------------------------===//

static std::vector<OptionDefault> options_of(const NAdamOptions &o) {
  XLAC_CALL("NAdam");
  check_not_negative({{"momentum_decay value", o.momentum_decay}});
  std::vector<OptionDefault> options = common_options(o);
  options.push_back({"momentum_decay", o.momentum_decay});
  options.push_back(flag("decoupled_weight_decay", o.decoupled_weight_decay));
  return options;
}

NAdam::NAdam(std::vector<Tensor> params, NAdamOptions options)
    : NAdam(one_group(std::move(params)), options) {}
NAdam::NAdam(std::vector<ParamGroup> groups, NAdamOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

namespace {
struct NAdamFormula {
  struct Numbers {
    Averages averages;
    Tensor correction, gradient_rate, average_rate;
  };
  /// Returns the momentum of a step.
  static double momentum(const Options &o, double step) {
    return o["beta1"] * (1 - 0.5 * std::pow(0.96, step * o["momentum_decay"]));
  }
  /// Returns the step and the product of all momenta.
  static Moment advance(const Options &o, ParameterState &state) {
    double step = count_step(state).first;
    double &product = state.counter("mu_product", 1);
    // Rounded to f32, as in PyTorch.
    product =
        static_cast<float>(product) * static_cast<float>(momentum(o, step));
    return {step, product};
  }
  static Numbers numbers(const Options &o, Moment moment, const Update &like) {
    auto [step, product] = moment;
    double now = momentum(o, step), next = momentum(o, step + 1);
    return {
        .averages = Averages(o, like),
        .correction = like.number(1 - std::pow(o["beta2"], step)),
        .gradient_rate = like.number(o["lr"] * (1 - now) / (1 - product)),
        .average_rate = like.number(o["lr"] * next / (1 - product * next)),
    };
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor gradient = update.gradient(o.is_on("maximize"), n.averages.decay);
    Tensor average = n.averages.moved_average(update, gradient);
    Tensor square = n.averages.moved_square(update, gradient);
    Tensor size = (square / n.correction).sqrt() + n.averages.eps;
    update.set_parameter(update.parameter(n.averages.shrink) -
                         gradient * n.gradient_rate / size -
                         average * n.average_rate / size);
  }
};
} // namespace

std::optional<Tensor> NAdam::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("NAdam.step");
  update_all<NAdamFormula>(param_groups(), states());
  return loss;
}

//===- RAdam --------------------------------------------------------------===//

static std::vector<OptionDefault> options_of(const RAdamOptions &o) {
  XLAC_CALL("RAdam");
  std::vector<OptionDefault> options = common_options(o);
  options.push_back(flag("decoupled_weight_decay", o.decoupled_weight_decay));
  return options;
}

RAdam::RAdam(std::vector<Tensor> params, RAdamOptions options)
    : RAdam(one_group(std::move(params)), options) {}
RAdam::RAdam(std::vector<ParamGroup> groups, RAdamOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

namespace {
struct RAdamFormula {
  struct Numbers {
    Averages averages;
    Tensor correction, rate, is_adaptive, root_correction, rectification;
  };
  static Moment advance(const Options &, ParameterState &state) {
    return count_step(state);
  }
  static Numbers numbers(const Options &o, Moment moment, const Update &like) {
    double step = moment.first, power = std::pow(o["beta2"], step);
    double correction2 = 1 - power;
    // The length of the simple average that approximates the moving average, in
    // the limit and now. Its variance is finite above 4; PyTorch uses 5.
    double longest = 2 / (1 - o["beta2"]) - 1;
    double length = longest - 2 * step * power / correction2;
    bool is_adaptive = length > 5;
    double rectification =
        is_adaptive ? std::sqrt((length - 4) * (length - 2) * longest /
                                ((longest - 4) * (longest - 2) * length))
                    : 1;
    return {
        .averages = Averages(o, like),
        .correction = like.number(1 - std::pow(o["beta1"], step)),
        .rate = like.number(o["lr"]),
        .is_adaptive = like.flag(is_adaptive),
        .root_correction = like.number(std::sqrt(correction2)),
        .rectification = like.number(rectification),
    };
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor gradient = update.gradient(o.is_on("maximize"), n.averages.decay);
    Tensor average = n.averages.moved_average(update, gradient);
    Tensor square = n.averages.moved_square(update, gradient);
    Tensor adapted =
        n.root_correction / (square.sqrt() + n.averages.eps) * n.rectification;
    // A select on the device, so that all steps run the same program.
    Tensor factor = where(n.is_adaptive, adapted, 1.0);
    update.set_parameter(update.parameter(n.averages.shrink) -
                         average / n.correction * n.rate * factor);
  }
};
} // namespace

std::optional<Tensor> RAdam::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("RAdam.step");
  update_all<RAdamFormula>(param_groups(), states());
  return loss;
}

} // namespace xlac::optim
