#include "cases.h"

#include <cmath>
#include <map>

namespace xlac::optim::cases {

namespace {

using Made = std::unique_ptr<Optimizer>;
using Params = std::vector<Tensor>;

template <class Kind, class Given> auto maker(Given options) {
  return [options](Params params) -> Made {
    return std::make_unique<Kind>(std::move(params), options);
  };
}

const std::map<std::string, std::function<Made(Params)>> &makers() {
  static const std::map<std::string, std::function<Made(Params)>> made = {
      {"SGD", maker<SGD>(SGDOptions{.lr = 0.1})},
      {"SGD momentum", maker<SGD>(SGDOptions{.lr = 0.1,
                                             .momentum = 0.9,
                                             .dampening = 0.3,
                                             .weight_decay = 0.05})},
      {"SGD nesterov",
       maker<SGD>(SGDOptions{
           .lr = 0.1, .momentum = 0.8, .nesterov = true, .maximize = true})},
      {"Adam", maker<Adam>(AdamOptions{.lr = 0.1})},
      {"Adam amsgrad", maker<Adam>(AdamOptions{.lr = 0.1,
                                               .betas = {0.7, 0.9},
                                               .eps = 1e-3,
                                               .weight_decay = 0.1,
                                               .amsgrad = true,
                                               .maximize = true})},
      {"Adam decoupled",
       maker<Adam>(AdamOptions{
           .lr = 0.1, .weight_decay = 0.1, .decoupled_weight_decay = true})},
      {"AdamW", maker<AdamW>(AdamWOptions{.lr = 0.1})},
      {"AdamW amsgrad", maker<AdamW>(AdamWOptions{.lr = 0.1,
                                                  .betas = {0.8, 0.95},
                                                  .weight_decay = 0.2,
                                                  .amsgrad = true})},
      {"Adamax", maker<Adamax>(AdamaxOptions{.lr = 0.1})},
      {"Adamax decay", maker<Adamax>(AdamaxOptions{.lr = 0.1,
                                                   .betas = {0.8, 0.9},
                                                   .weight_decay = 0.1,
                                                   .maximize = true})},
      {"NAdam", maker<NAdam>(NAdamOptions{.lr = 0.1})},
      {"NAdam decay",
       maker<NAdam>(NAdamOptions{
           .lr = 0.1, .weight_decay = 0.1, .momentum_decay = 0.1})},
      {"NAdam decoupled",
       maker<NAdam>(NAdamOptions{.lr = 0.1,
                                 .weight_decay = 0.1,
                                 .decoupled_weight_decay = true,
                                 .maximize = true})},
      {"RAdam", maker<RAdam>(RAdamOptions{.lr = 0.1})},
      {"RAdam decay", maker<RAdam>(RAdamOptions{.lr = 0.1,
                                                .betas = {0.8, 0.9},
                                                .weight_decay = 0.1,
                                                .maximize = true})},
      {"RAdam decoupled",
       maker<RAdam>(RAdamOptions{.lr = 0.1,
                                 .betas = {0.8, 0.9},
                                 .weight_decay = 0.1,
                                 .decoupled_weight_decay = true})},
      {"Adagrad", maker<Adagrad>(AdagradOptions{.lr = 0.1})},
      {"Adagrad decay",
       maker<Adagrad>(AdagradOptions{.lr = 0.1,
                                     .lr_decay = 0.2,
                                     .weight_decay = 0.1,
                                     .initial_accumulator_value = 0.3,
                                     .maximize = true})},
      {"Adadelta", maker<Adadelta>(AdadeltaOptions{})},
      {"Adadelta decay",
       maker<Adadelta>(AdadeltaOptions{
           .lr = 0.5, .rho = 0.8, .weight_decay = 0.1, .maximize = true})},
      {"RMSprop", maker<RMSprop>(RMSpropOptions{.lr = 0.1})},
      {"RMSprop centered",
       maker<RMSprop>(RMSpropOptions{.lr = 0.1,
                                     .alpha = 0.9,
                                     .weight_decay = 0.1,
                                     .momentum = 0.7,
                                     .centered = true,
                                     .maximize = true})},
      {"Rprop", maker<Rprop>(RpropOptions{.lr = 0.1})},
      {"Rprop bounds", maker<Rprop>(RpropOptions{.lr = 0.1,
                                                 .etas = {0.4, 1.5},
                                                 .step_sizes = {0.05, 0.2},
                                                 .maximize = true})},
      {"Lion", maker<Lion>(LionOptions{.lr = 0.1})},
      {"Lion decay", maker<Lion>(LionOptions{.lr = 0.1,
                                             .betas = {0.7, 0.8},
                                             .weight_decay = 0.1,
                                             .maximize = true})},
  };
  return made;
}

} // namespace

Made make(const std::string &name, Params params) {
  return makers().at(name)(std::move(params));
}

Params start(Dtype dtype, Device device) {
  TensorOptions on_cpu = TensorOptions(dtype).device(kCPU);
  Tensor a = tensor({{0.5, -1.0}, {2.0, 0.25}, {-0.75, 1.5}}, on_cpu);
  Tensor b = tensor({1.0, -2.0, 0.3}, on_cpu);
  return {a.to(device).requires_grad_(), b.to(device).requires_grad_()};
}

void set_gradients(const Params &params, int step) {
  int64_t place = 0;
  for (Tensor parameter : params) {
    std::vector<double> noise;
    for (int64_t i = 0; i < parameter.numel(); ++i)
      noise.push_back(
          0.3 * std::sin(1.7 * step + 0.9 * static_cast<double>(place++)));
    Tensor added = tensor(noise, TensorOptions(parameter.dtype()).device(kCPU))
                       .view(parameter.sizes())
                       .to(parameter.device());
    parameter.set_grad(parameter.detach() * 0.5 + added);
  }
}

std::vector<double> values(const Params &params) {
  std::vector<double> all;
  for (const Tensor &parameter : params)
    for (double value : parameter.detach().to_vector<double>())
      all.push_back(value);
  return all;
}

} // namespace xlac::optim::cases
