// The base of schedulers, and schedulers with short formulas.
#include "xlac/optim/schedulers.h"

#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <cmath>

namespace xlac::optim {

//===- LRScheduler --------------------------------------------------------===//

LRScheduler::LRScheduler(Optimizer &optimizer)
    : optimizer_(&optimizer), last_epoch_(0) {
  for (const ParamGroup &group : optimizer.param_groups())
    last_lrs_.push_back(group.options.at("lr"));
}

LRScheduler::LRScheduler(Optimizer &optimizer, int64_t last_epoch)
    : LRScheduler(optimizer) {
  XLAC_CALL("LRScheduler");
  last_epoch_ = last_epoch;
  for (ParamGroup &group : optimizer.param_groups()) {
    if (last_epoch == -1)
      group.options.emplace("initial_lr", group.options.at("lr"));
    auto first = group.options.find("initial_lr");
    if (first == group.options.end())
      raise<KeyError>("param 'initial_lr' is not specified in a parameter "
                      "group when resuming an optimizer");
    base_lrs_.push_back(first->second);
  }
}

LRScheduler::~LRScheduler() = default;

double LRScheduler::lr(size_t group) const {
  return optimizer_->param_groups()[group].options.at("lr");
}

double LRScheduler::base_lr(size_t group) const {
  return has_base_lr(group) ? base_lrs_[group] : lr(group);
}

double LRScheduler::get_last_lr(size_t group) const {
  XLAC_CALL("get_last_lr");
  if (group >= last_lrs_.size())
    raise<IndexError>("group " + std::to_string(group) +
                      " is out of range for " +
                      std::to_string(last_lrs_.size()) + " groups");
  return last_lrs_[group];
}

void LRScheduler::set_rates(const std::vector<double> &rates) {
  std::vector<ParamGroup> &groups = optimizer_->param_groups();
  for (size_t i = 0; i < rates.size(); ++i)
    groups[i].options["lr"] = rates[i];
  last_lrs_ = rates;
}

void LRScheduler::step() {
  ++step_count_;
  ++last_epoch_;
  std::vector<double> rates;
  for (size_t i = 0; i < optimizer_->param_groups().size(); ++i)
    rates.push_back(get_lr(i));
  set_rates(rates);
}

void LRScheduler::start() {
  step_count_ = 0;
  is_starting_ = true;
  step();
  is_starting_ = false;
}

void LRScheduler::restart() {
  last_epoch_ = 0;
  std::vector<double> rates;
  for (size_t i = 0; i < optimizer_->param_groups().size(); ++i)
    rates.push_back(has_base_lr(i) ? closed_form(i) : lr(i));
  set_rates(rates);
}

Value LRScheduler::state_dict() const {
  Value::Dict state = write_state();
  // In PyTorch, schedulers that use other schedulers or a metric have neither.
  if (!base_lrs_.empty()) {
    state.emplace_back("base_lrs", to_value(base_lrs_));
    state.emplace_back("_step_count", step_count_);
  }
  state.emplace_back("last_epoch", last_epoch_);
  state.emplace_back("_last_lr", to_value(last_lrs_));
  return state;
}

void LRScheduler::load_state_dict(const Value &state) {
  XLAC_CALL("load_state_dict");
  auto last_epoch = state.at("last_epoch").to<int64_t>();
  auto last_lrs = from_value<std::vector<double>>(state.at("_last_lr"));
  std::vector<double> base_lrs;
  int64_t step_count = 0;
  if (!base_lrs_.empty()) {
    base_lrs = from_value<std::vector<double>>(state.at("base_lrs"));
    step_count = state.at("_step_count").to<int64_t>();
  }
  read_state(state);
  last_epoch_ = last_epoch;
  last_lrs_ = std::move(last_lrs);
  base_lrs_ = std::move(base_lrs);
  step_count_ = step_count;
}

//===- StepLR -------------------------------------------------------------===//

StepLR::StepLR(Optimizer &optimizer, int64_t step_size, double gamma,
               int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), step_size_(step_size), gamma_(gamma) {
  XLAC_CALL("StepLR");
  if (step_size < 1)
    raise<ValueError>("step_size must be 1 or more, got " +
                      std::to_string(step_size));
  start();
}

double StepLR::get_lr(size_t group) {
  bool stays = last_epoch_ == 0 || last_epoch_ % step_size_ != 0;
  return stays ? lr(group) : lr(group) * gamma_;
}

double StepLR::closed_form(size_t group) {
  return base_lr(group) *
         std::pow(gamma_, static_cast<double>(last_epoch_ / step_size_));
}

Value::Dict StepLR::write_state() const {
  return {{"step_size", step_size_}, {"gamma", gamma_}};
}

void StepLR::read_state(const Value &state) {
  step_size_ = state.at("step_size").to<int64_t>();
  gamma_ = from_value<double>(state.at("gamma"));
}

//===- MultiStepLR --------------------------------------------------------===//

MultiStepLR::MultiStepLR(Optimizer &optimizer,
                         const std::vector<int64_t> &milestones, double gamma,
                         int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), gamma_(gamma) {
  for (int64_t epoch : milestones)
    ++milestones_[epoch];
  start();
}

double MultiStepLR::get_lr(size_t group) {
  auto found = milestones_.find(last_epoch_);
  if (found == milestones_.end())
    return lr(group);
  return lr(group) * std::pow(gamma_, static_cast<double>(found->second));
}

double MultiStepLR::closed_form(size_t group) {
  int64_t passed = 0;
  for (const auto &[epoch, times] : milestones_)
    passed += epoch <= last_epoch_ ? times : 0;
  return base_lr(group) * std::pow(gamma_, static_cast<double>(passed));
}

Value::Dict MultiStepLR::write_state() const {
  return {{"milestones", to_value(milestones_)}, {"gamma", gamma_}};
}

void MultiStepLR::read_state(const Value &state) {
  milestones_ = from_value<std::map<int64_t, int64_t>>(state.at("milestones"));
  gamma_ = from_value<double>(state.at("gamma"));
}

//===- ConstantLR ---------------------------------------------------------===//

ConstantLR::ConstantLR(Optimizer &optimizer, double factor, int64_t total_iters,
                       int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), factor_(factor),
      total_iters_(total_iters) {
  XLAC_CALL("ConstantLR");
  if (!(factor >= 0 && factor <= 1))
    raise<ValueError>("Constant multiplicative factor expected to be between 0 "
                      "and 1.");
  start();
}

double ConstantLR::get_lr(size_t group) {
  if (last_epoch_ == 0)
    return lr(group) * factor_;
  return last_epoch_ == total_iters_ ? lr(group) * (1 / factor_) : lr(group);
}

double ConstantLR::closed_form(size_t group) {
  return base_lr(group) *
         (factor_ + (last_epoch_ >= total_iters_ ? 1 - factor_ : 0));
}

Value::Dict ConstantLR::write_state() const {
  return {{"factor", factor_}, {"total_iters", total_iters_}};
}

void ConstantLR::read_state(const Value &state) {
  factor_ = from_value<double>(state.at("factor"));
  total_iters_ = state.at("total_iters").to<int64_t>();
}

//===- LinearLR -----------------------------------------------------------===//

LinearLR::LinearLR(Optimizer &optimizer, double start_factor, double end_factor,
                   int64_t total_iters, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), start_factor_(start_factor),
      end_factor_(end_factor), total_iters_(total_iters) {
  XLAC_CALL("LinearLR");
  if (!(start_factor > 0 && start_factor <= 1))
    raise<ValueError>("Starting multiplicative factor expected to be greater "
                      "than 0 and less or equal to 1.");
  if (!(end_factor >= 0 && end_factor <= 1))
    raise<ValueError>("Ending multiplicative factor expected to be between 0 "
                      "and 1.");
  start();
}

double LinearLR::get_lr(size_t group) {
  if (last_epoch_ == 0)
    return lr(group) * start_factor_;
  if (is_starting() || last_epoch_ > total_iters_)
    return lr(group);
  double rise = end_factor_ - start_factor_;
  return lr(group) *
         (1 + rise / (static_cast<double>(total_iters_) * start_factor_ +
                      static_cast<double>(last_epoch_ - 1) * rise));
}

double LinearLR::closed_form(size_t group) {
  return base_lr(group) *
         (start_factor_ +
          (end_factor_ - start_factor_) *
              static_cast<double>(std::min(total_iters_, last_epoch_)) /
              static_cast<double>(total_iters_));
}

Value::Dict LinearLR::write_state() const {
  return {{"start_factor", start_factor_},
          {"end_factor", end_factor_},
          {"total_iters", total_iters_}};
}

void LinearLR::read_state(const Value &state) {
  start_factor_ = from_value<double>(state.at("start_factor"));
  end_factor_ = from_value<double>(state.at("end_factor"));
  total_iters_ = state.at("total_iters").to<int64_t>();
}

//===- ExponentialLR ------------------------------------------------------===//

ExponentialLR::ExponentialLR(Optimizer &optimizer, double gamma,
                             int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), gamma_(gamma) {
  start();
}

double ExponentialLR::get_lr(size_t group) {
  return is_starting() ? lr(group) : lr(group) * gamma_;
}

double ExponentialLR::closed_form(size_t group) {
  return base_lr(group) * std::pow(gamma_, static_cast<double>(last_epoch_));
}

Value::Dict ExponentialLR::write_state() const { return {{"gamma", gamma_}}; }

void ExponentialLR::read_state(const Value &state) {
  gamma_ = from_value<double>(state.at("gamma"));
}

//===- PolynomialLR -------------------------------------------------------===//

PolynomialLR::PolynomialLR(Optimizer &optimizer, int64_t total_iters,
                           double power, int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), total_iters_(total_iters),
      power_(power) {
  start();
}

double PolynomialLR::get_lr(size_t group) {
  if (is_starting() || last_epoch_ > total_iters_)
    return lr(group);
  auto total = static_cast<double>(total_iters_);
  double left = 1 - static_cast<double>(last_epoch_) / total;
  double before = 1 - static_cast<double>(last_epoch_ - 1) / total;
  return lr(group) * std::pow(left / before, power_);
}

double PolynomialLR::closed_form(size_t group) {
  double part = static_cast<double>(std::min(total_iters_, last_epoch_)) /
                static_cast<double>(total_iters_);
  return base_lr(group) * std::pow(1 - part, power_);
}

Value::Dict PolynomialLR::write_state() const {
  return {{"total_iters", total_iters_}, {"power", power_}};
}

void PolynomialLR::read_state(const Value &state) {
  total_iters_ = state.at("total_iters").to<int64_t>();
  power_ = from_value<double>(state.at("power"));
}

//===- LambdaLR -----------------------------------------------------------===//

LambdaLR::LambdaLR(Optimizer &optimizer, Function lr_lambda, int64_t last_epoch)
    : LambdaLR(optimizer,
               std::vector<Function>(optimizer.param_groups().size(),
                                     std::move(lr_lambda)),
               last_epoch) {}

LambdaLR::LambdaLR(Optimizer &optimizer, std::vector<Function> lr_lambdas,
                   int64_t last_epoch)
    : LRScheduler(optimizer, last_epoch), lr_lambdas_(std::move(lr_lambdas)) {
  XLAC_CALL("LambdaLR");
  if (lr_lambdas_.size() != optimizer.param_groups().size())
    raise<ValueError>(
        "Expected " + std::to_string(optimizer.param_groups().size()) +
        " lr_lambdas, but got " + std::to_string(lr_lambdas_.size()));
  start();
}

double LambdaLR::get_lr(size_t group) {
  if (!has_base_lr(group))
    return lr(group);
  return base_lr(group) * lr_lambdas_[group](last_epoch_);
}

Value::Dict LambdaLR::write_state() const {
  return {{"lr_lambdas", Value::List(lr_lambdas_.size())}};
}

} // namespace xlac::optim
