// Schedulers with cosine and cyclic formulas.
#include "xlac/optim/schedulers.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <cmath>
#include <numbers>

namespace xlac::optim {

using std::numbers::pi;

/// `high` at angle 0, `low` at pi.
static double half_cosine(double low, double high, double angle) {
  return low + (high - low) * (1 + std::cos(angle)) / 2;
}

//===- CosineAnnealingLR --------------------------------------------------===//

CosineAnnealingLR::CosineAnnealingLR(Optimizer &optimizer, int64_t T_max,
                                     double eta_min, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), T_max_(T_max), eta_min_(eta_min) {
  start();
}

double CosineAnnealingLR::get_lr(size_t group) {
  if (is_starting())
    return lr(group);
  auto length = static_cast<double>(T_max_);
  // At the minimum the quotient below would divide by zero.
  if ((last_epoch_ - 1 - T_max_) % (2 * T_max_) == 0)
    return lr(group) +
           (base_lr(group) - eta_min_) * (1 - std::cos(pi / length)) / 2;
  auto epoch = static_cast<double>(last_epoch_);
  return (1 + std::cos(pi * epoch / length)) /
             (1 + std::cos(pi * (epoch - 1) / length)) *
             (lr(group) - eta_min_) +
         eta_min_;
}

double CosineAnnealingLR::closed_form(size_t group) {
  return half_cosine(eta_min_, base_lr(group),
                     pi * static_cast<double>(last_epoch_) /
                         static_cast<double>(T_max_));
}

Value::Dict CosineAnnealingLR::write_state() const {
  return {{"T_max", T_max_}, {"eta_min", eta_min_}};
}

void CosineAnnealingLR::read_state(const Value &state) {
  T_max_ = state.at("T_max").to<int64_t>();
  eta_min_ = from_value<double>(state.at("eta_min"));
}

//===- CosineAnnealingWarmRestarts ----------------------------------------===//

CosineAnnealingWarmRestarts::CosineAnnealingWarmRestarts(Optimizer &optimizer,
                                                         int64_t T_0,
                                                         int64_t T_mult,
                                                         double eta_min,
                                                         int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), T_0_(T_0), T_mult_(T_mult), T_i_(T_0),
      eta_min_(eta_min), T_cur_(static_cast<double>(last_epoch)) {
  XLAC_CALL("CosineAnnealingWarmRestarts");
  if (T_0 <= 0)
    raise<ValueError>("Expected positive integer T_0, but got " +
                      std::to_string(T_0));
  if (T_mult < 1)
    raise<ValueError>("Expected integer T_mult >= 1, but got " +
                      std::to_string(T_mult));
  start();
}

double CosineAnnealingWarmRestarts::get_lr(size_t group) {
  if (!has_base_lr(group))
    return lr(group);
  return half_cosine(eta_min_, base_lr(group),
                     pi * T_cur_ / static_cast<double>(T_i_));
}

void CosineAnnealingWarmRestarts::step() {
  if (last_epoch_ < 0)
    return step(0.0);
  T_cur_ += 1;
  if (T_cur_ >= static_cast<double>(T_i_)) {
    T_cur_ = std::fmod(T_cur_, static_cast<double>(T_i_));
    T_i_ *= T_mult_;
  }
  LRScheduler::step();
}

void CosineAnnealingWarmRestarts::step(double epoch) {
  XLAC_CALL("CosineAnnealingWarmRestarts.step");
  if (!(epoch >= 0))
    raise<ValueError>("Expected non-negative epoch, but got " +
                      std::to_string(epoch));
  // Finds the last period that starts at or before the epoch.
  double begin = 0, length = static_cast<double>(T_0_);
  if (T_mult_ == 1)
    begin = std::floor(epoch / length) * length;
  else
    while (epoch >= begin + length) {
      begin += length;
      length *= static_cast<double>(T_mult_);
    }
  T_i_ = static_cast<int64_t>(length);
  T_cur_ = epoch - begin;
  last_epoch_ = static_cast<int64_t>(std::floor(epoch)) - 1;
  LRScheduler::step();
}

Value::Dict CosineAnnealingWarmRestarts::write_state() const {
  bool is_integral = T_cur_ == std::floor(T_cur_);
  return {{"T_0", T_0_},
          {"T_i", T_i_},
          {"T_mult", T_mult_},
          {"eta_min", eta_min_},
          {"T_cur",
           is_integral ? Value(static_cast<int64_t>(T_cur_)) : Value(T_cur_)}};
}

void CosineAnnealingWarmRestarts::read_state(const Value &state) {
  T_0_ = state.at("T_0").to<int64_t>();
  T_i_ = state.at("T_i").to<int64_t>();
  T_mult_ = state.at("T_mult").to<int64_t>();
  eta_min_ = from_value<double>(state.at("eta_min"));
  T_cur_ = from_value<double>(state.at("T_cur"));
}

//===- OneCycleLR ---------------------------------------------------------===//

OneCycleLR::OneCycleLR(Optimizer &optimizer, double max_lr,
                       OneCycleLROptions options)
    : OneCycleLR(optimizer,
                 std::vector<double>(optimizer.param_groups().size(), max_lr),
                 std::move(options)) {}

/// Sets the options of every group before the first step.
static void prepare(Optimizer &optimizer, const std::vector<double> &max_lrs,
                    const OneCycleLROptions &o) {
  XLAC_CALL("OneCycleLR");
  std::vector<ParamGroup> &groups = optimizer.param_groups();
  if (max_lrs.size() != groups.size())
    raise<ValueError>("expected " + std::to_string(groups.size()) +
                      " values for max_lr, got " +
                      std::to_string(max_lrs.size()));
  bool has_momentum =
      optimizer.has_option("momentum") || optimizer.has_option("beta1");
  if (o.cycle_momentum && !has_momentum)
    raise<ValueError>("optimizer must support momentum or beta1 with "
                      "`cycle_momentum` option enabled");
  if (o.last_epoch != -1)
    return;
  for (size_t i = 0; i < groups.size(); ++i) {
    std::map<std::string, double> &options = groups[i].options;
    options["initial_lr"] = max_lrs[i] / o.div_factor;
    options["max_lr"] = max_lrs[i];
    options["min_lr"] = options["initial_lr"] / o.final_div_factor;
    if (!o.cycle_momentum)
      continue;
    options[optimizer.has_option("beta1") ? "beta1" : "momentum"] =
        o.max_momentum;
    options["max_momentum"] = o.max_momentum;
    options["base_momentum"] = o.base_momentum;
  }
}

OneCycleLR::OneCycleLR(Optimizer &optimizer, const std::vector<double> &max_lrs,
                       OneCycleLROptions options)
    : LRScheduler((prepare(optimizer, max_lrs, options), optimizer),
                  options.last_epoch),
      strategy_(options.anneal_strategy),
      cycle_momentum_(options.cycle_momentum),
      use_beta1_(optimizer.has_option("beta1")) {
  check_and_plan(options);
  start();
}

void OneCycleLR::check_and_plan(const OneCycleLROptions &o) {
  XLAC_CALL("OneCycleLR");
  if (!o.total_steps && !(o.epochs && o.steps_per_epoch))
    raise<ValueError>("You must define either total_steps OR (epochs AND "
                      "steps_per_epoch)");
  total_steps_ =
      o.total_steps ? *o.total_steps : *o.epochs * *o.steps_per_epoch;
  if (total_steps_ <= 0)
    raise<ValueError>("Expected positive integer total_steps, but got " +
                      std::to_string(total_steps_));
  if (!(o.pct_start >= 0 && o.pct_start <= 1))
    raise<ValueError>("Expected float between 0 and 1 pct_start, but got " +
                      std::to_string(o.pct_start));
  if (strategy_ != "cos" && strategy_ != "linear")
    raise<ValueError>("anneal_strategy must be one of 'cos' or 'linear', "
                      "instead got " +
                      strategy_);
  auto total = static_cast<double>(total_steps_);
  double rise = o.pct_start * total;
  phases_.push_back(
      {rise - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum"});
  if (o.three_phase) {
    phases_.push_back({2 * rise - 2, "max_lr", "initial_lr", "base_momentum",
                       "max_momentum"});
    phases_.push_back(
        {total - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"});
  } else {
    phases_.push_back(
        {total - 1, "max_lr", "min_lr", "base_momentum", "max_momentum"});
  }
}

double OneCycleLR::anneal(double start, double end, double part) const {
  return strategy_ == "cos" ? half_cosine(end, start, pi * part)
                            : (end - start) * part + start;
}

double OneCycleLR::get_lr(size_t group) {
  if (last_epoch_ > total_steps_) {
    XLAC_CALL("OneCycleLR.step");
    raise<ValueError>("Tried to step " + std::to_string(last_epoch_) +
                      " times. The specified number of total steps is " +
                      std::to_string(total_steps_));
  }
  auto step = static_cast<double>(last_epoch_);
  size_t place = 0;
  double begin = 0;
  while (place + 1 < phases_.size() && step > phases_[place].end_step)
    begin = phases_[place++].end_step;
  const Phase &phase = phases_[place];
  double part = (step - begin) / (phase.end_step - begin);
  std::map<std::string, double> &options =
      optimizer_->param_groups()[group].options;
  if (cycle_momentum_)
    options[use_beta1_ ? "beta1" : "momentum"] = anneal(
        options.at(phase.start_momentum), options.at(phase.end_momentum), part);
  return anneal(options.at(phase.start_lr), options.at(phase.end_lr), part);
}

Value::Dict OneCycleLR::write_state() const {
  Value::List phases;
  for (const Phase &phase : phases_)
    phases.push_back(Value::Dict{{"end_step", phase.end_step},
                                 {"start_lr", phase.start_lr},
                                 {"end_lr", phase.end_lr},
                                 {"start_momentum", phase.start_momentum},
                                 {"end_momentum", phase.end_momentum}});
  return {{"total_steps", total_steps_},
          {"_schedule_phases", std::move(phases)},
          {"_anneal_func_type", strategy_},
          {"cycle_momentum", cycle_momentum_},
          {"use_beta1", use_beta1_}};
}

void OneCycleLR::read_state(const Value &state) {
  std::vector<Phase> phases;
  for (const Value &phase : state.at("_schedule_phases").items())
    phases.push_back({from_value<double>(phase.at("end_step")),
                      phase.at("start_lr").to<std::string>(),
                      phase.at("end_lr").to<std::string>(),
                      phase.at("start_momentum").to<std::string>(),
                      phase.at("end_momentum").to<std::string>()});
  total_steps_ = state.at("total_steps").to<int64_t>();
  strategy_ = state.at("_anneal_func_type").to<std::string>();
  cycle_momentum_ = state.at("cycle_momentum").to<bool>();
  phases_ = std::move(phases);
}

} // namespace xlac::optim
