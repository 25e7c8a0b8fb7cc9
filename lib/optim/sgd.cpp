#include "xlac/optim.h"

#include "xlac/lazy/errors.h"
#include "xlac/tensor/access.h"

namespace xlac::optim {

using lazy::raise;

static std::map<std::string, double> options_of(const SGDOptions &o) {
  XLAC_CALL("SGD");
  for (double least_is_zero : {o.lr, o.momentum, o.weight_decay})
    if (!(least_is_zero >= 0))
      raise<ValueError>("learning rate, momentum and weight_decay must not be "
                        "negative");
  if (o.nesterov && (o.momentum <= 0 || o.dampening != 0))
    raise<ValueError>("Nesterov momentum requires a momentum and zero "
                      "dampening");
  return {{"lr", o.lr},
          {"momentum", o.momentum},
          {"dampening", o.dampening},
          {"weight_decay", o.weight_decay},
          {"nesterov", o.nesterov ? 1 : 0},
          {"maximize", o.maximize ? 1 : 0}};
}

SGD::SGD(std::vector<Tensor> params, SGDOptions options)
    : Optimizer({ParamGroup{std::move(params), {}}}, options_of(options)) {}

SGD::SGD(std::vector<ParamGroup> groups, SGDOptions defaults)
    : Optimizer(std::move(groups), options_of(defaults)) {}

namespace {

/// The numbers of a group as one tensor for all parameters of one device and
/// dtype. They stay one argument of a program even where some are equal, 0 or
/// 1, so that no value decides what the program is.
class Uploads {
public:
  explicit Uploads(const std::map<std::string, double> &options)
      : numbers_{options.at("lr"), options.at("momentum"),
                 1 - options.at("dampening"), options.at("weight_decay")} {}

  Tensor rate(const Tensor &like) { return all(like)[0]; }
  Tensor momentum(const Tensor &like) { return all(like)[1]; }
  Tensor part(const Tensor &like) { return all(like)[2]; }
  Tensor decay(const Tensor &like) { return all(like)[3]; }

private:
  const Tensor &all(const Tensor &like) {
    for (const Tensor &known : made_)
      if (known.device() == like.device() && known.dtype() == like.dtype())
        return known;
    made_.push_back(tensor(numbers_, like.options()));
    return made_.back();
  }

  std::vector<double> numbers_;
  std::vector<Tensor> made_;
};

/// The direction with momentum; `state` keeps the buffer.
Tensor with_momentum(const Tensor &direction,
                     std::map<std::string, Tensor> &state, bool nesterov,
                     Uploads &uploads) {
  Tensor momentum = uploads.momentum(direction);
  Tensor &buffer = state["momentum_buffer"];
  if (!buffer.defined())
    buffer = direction.clone();
  else
    buffer.copy_(buffer * momentum + direction * uploads.part(direction));
  return nesterov ? direction + buffer * momentum : buffer;
}

} // namespace

std::optional<Tensor> SGD::step(StepArgs args) {
  std::optional<Tensor> loss = evaluate(args);
  XLAC_CALL("SGD.step");
  NoGradGuard guard;
  for (ParamGroup &group : param_groups()) {
    Uploads uploads(group.options);
    for (Tensor &parameter : group.params) {
      Tensor direction = parameter.grad();
      if (!direction.defined())
        continue;
      if (group.options.at("maximize") != 0)
        direction = -direction;
      if (group.options.at("weight_decay") != 0)
        direction = direction + parameter * uploads.decay(parameter);
      if (group.options.at("momentum") != 0)
        direction = with_momentum(direction, state_of(parameter),
                                  group.options.at("nesterov") != 0, uploads);
      parameter.sub_(direction * uploads.rate(parameter));
    }
  }
  return loss;
}

} // namespace xlac::optim
