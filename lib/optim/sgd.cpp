#include "options.h"
#include "update.h"

#include "xlac/optim/descent.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

namespace xlac::optim {

static std::vector<OptionDefault> options_of(const SGDOptions &o) {
  XLAC_CALL("SGD");
  check_not_negative({{"learning rate", o.lr},
                      {"momentum value", o.momentum},
                      {"weight_decay value", o.weight_decay}});
  if (o.nesterov && (o.momentum <= 0 || o.dampening != 0))
    raise<ValueError>("Nesterov momentum requires a momentum and zero "
                      "dampening");
  return {{"lr", o.lr},
          {"momentum", o.momentum},
          {"dampening", o.dampening},
          {"weight_decay", o.weight_decay},
          flag("nesterov", o.nesterov),
          flag("maximize", o.maximize)};
}

SGD::SGD(std::vector<Tensor> params, SGDOptions options)
    : SGD(one_group(std::move(params)), options) {}
SGD::SGD(std::vector<ParamGroup> groups, SGDOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

namespace {
struct SGDFormula {
  struct Numbers {
    Tensor rate, momentum, share, decay;
  };
  static Moment advance(const Options &, const ParameterState &state) {
    return {state.tensors.contains("momentum_buffer"), 0};
  }
  static Numbers numbers(const Options &o, Moment moment, const Update &like) {
    // The first step starts with a buffer of zeros and share 1, so that the
    // buffer becomes the gradient.
    bool has_buffer = moment.first != 0;
    return {.rate = like.number(o["lr"]),
            .momentum = like.number(o["momentum"]),
            .share = like.number(has_buffer ? 1 - o["dampening"] : 1),
            .decay = decay_number(o, like)};
  }
  static void apply(Update &update, const Options &o, const Numbers &n) {
    Tensor direction = update.gradient(o.is_on("maximize"), n.decay);
    if (o.is_on("momentum")) {
      Tensor buffer =
          update.kept("momentum_buffer") * n.momentum + direction * n.share;
      update.keep("momentum_buffer", buffer);
      direction =
          o.is_on("nesterov") ? direction + buffer * n.momentum : buffer;
    }
    update.set_parameter(update.parameter() - direction * n.rate);
  }
};
} // namespace

std::optional<Tensor> SGD::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("SGD.step");
  update_all<SGDFormula>(param_groups(), states());
  return loss;
}

} // namespace xlac::optim
