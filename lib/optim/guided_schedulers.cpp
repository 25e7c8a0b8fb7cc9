// Schedulers that use other schedulers or a metric.
#include "xlac/optim/schedulers.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>

namespace xlac::optim {

//===- SequentialLR -------------------------------------------------------===//

SequentialLR::SequentialLR(Optimizer &optimizer,
                           std::vector<std::shared_ptr<LRScheduler>> schedulers,
                           std::vector<int64_t> milestones, int64_t last_epoch)
    : LRScheduler(optimizer), schedulers_(std::move(schedulers)),
      milestones_(std::move(milestones)) {
  XLAC_CALL("SequentialLR");
  if (schedulers_.empty())
    raise<ValueError>("SequentialLR expects at least one scheduler, but got no "
                      "scheduler.");
  for (const auto &scheduler : schedulers_) {
    if (dynamic_cast<ReduceLROnPlateau *>(scheduler.get()))
      raise<ValueError>("SequentialLR does not support ReduceLROnPlateau, "
                        "whose steps need a metric");
    if (scheduler->optimizer_ != &optimizer)
      raise<ValueError>("SequentialLR expects all schedulers to belong to the "
                        "same optimizer");
  }
  if (milestones_.size() + 1 != schedulers_.size())
    raise<ValueError>("Sequential Schedulers expects number of schedulers "
                      "provided to be one more than the number of milestone "
                      "points, but got number of schedulers " +
                      std::to_string(schedulers_.size()) +
                      " and the number of milestones to be equal to " +
                      std::to_string(milestones_.size()));
  // Undoes the steps that the schedulers made in their constructors; then the
  // first one starts again.
  last_epoch_ = last_epoch;
  for (ParamGroup &group : optimizer.param_groups())
    group.options["lr"] = group.options.at("initial_lr");
  for (const auto &scheduler : schedulers_)
    scheduler->rewind();
  start();
}

void SequentialLR::start() {
  ++last_epoch_;
  schedulers_[0]->start();
  last_lrs_ = schedulers_[0]->last_lrs_;
}

void SequentialLR::rewind() {
  --last_epoch_;
  schedulers_[0]->rewind();
}

void SequentialLR::step() {
  ++last_epoch_;
  auto next =
      std::upper_bound(milestones_.begin(), milestones_.end(), last_epoch_);
  LRScheduler &scheduler =
      *schedulers_[static_cast<size_t>(next - milestones_.begin())];
  if (next != milestones_.begin() && *(next - 1) == last_epoch_)
    scheduler.restart();
  else
    scheduler.step();
  last_lrs_ = scheduler.last_lrs_;
}

void SequentialLR::restart() {
  last_epoch_ = 0;
  schedulers_[0]->restart();
  last_lrs_ = schedulers_[0]->last_lrs_;
}

Value::Dict SequentialLR::write_state() const {
  Value::List states;
  for (const auto &scheduler : schedulers_)
    states.push_back(scheduler->state_dict());
  return {{"_milestones", to_value(milestones_)},
          {"_schedulers", std::move(states)}};
}

void SequentialLR::read_state(const Value &state) {
  auto milestones = from_value<std::vector<int64_t>>(state.at("_milestones"));
  const std::vector<Value> &states = state.at("_schedulers").items();
  if (states.size() != schedulers_.size() ||
      milestones.size() + 1 != states.size())
    raise<ValueError>("loaded state dict has " + std::to_string(states.size()) +
                      " schedulers, not " + std::to_string(schedulers_.size()));
  for (size_t i = 0; i < states.size(); ++i)
    schedulers_[i]->load_state_dict(states[i]);
  milestones_ = std::move(milestones);
}

//===- ReduceLROnPlateau --------------------------------------------------===//

static double worst(const std::string &mode) {
  double infinity = std::numeric_limits<double>::infinity();
  return mode == "min" ? infinity : -infinity;
}

static void check(const ReduceLROnPlateauOptions &o, size_t groups) {
  if (!(o.factor < 1))
    raise<ValueError>("Factor should be < 1.0.");
  if (!o.min_lrs.empty() && o.min_lrs.size() != groups)
    raise<ValueError>("expected " + std::to_string(groups) + " min_lrs, got " +
                      std::to_string(o.min_lrs.size()));
  if (o.mode != "min" && o.mode != "max")
    raise<ValueError>("mode " + o.mode + " is unknown!");
  if (o.threshold_mode != "rel" && o.threshold_mode != "abs")
    raise<ValueError>("threshold mode " + o.threshold_mode + " is unknown!");
}

ReduceLROnPlateau::ReduceLROnPlateau(Optimizer &optimizer,
                                     ReduceLROnPlateauOptions options)
    : LRScheduler(optimizer), options_(std::move(options)),
      best_(worst(options_.mode)) {
  XLAC_CALL("ReduceLROnPlateau");
  check(options_, optimizer.param_groups().size());
}

bool ReduceLROnPlateau::is_better(double metric) const {
  bool is_min = options_.mode == "min";
  double margin = is_min ? -options_.threshold : options_.threshold;
  double goal =
      options_.threshold_mode == "rel" ? best_ * (1 + margin) : best_ + margin;
  return is_min ? metric < goal : metric > goal;
}

void ReduceLROnPlateau::step() {
  XLAC_CALL("ReduceLROnPlateau.step");
  raise<ValueError>("the metric that is watched must be given");
}

void ReduceLROnPlateau::step(double metric) {
  ++last_epoch_;
  if (is_better(metric)) {
    best_ = metric;
    num_bad_epochs_ = 0;
  } else {
    ++num_bad_epochs_;
  }
  if (cooldown_counter_ > 0) {
    --cooldown_counter_;
    num_bad_epochs_ = 0;
  }
  if (num_bad_epochs_ > options_.patience) {
    reduce();
    cooldown_counter_ = options_.cooldown;
    num_bad_epochs_ = 0;
  }
  last_lrs_.resize(optimizer_->param_groups().size());
  for (size_t i = 0; i < last_lrs_.size(); ++i)
    last_lrs_[i] = lr(i);
}

void ReduceLROnPlateau::reduce() {
  std::vector<ParamGroup> &groups = optimizer_->param_groups();
  if (!options_.min_lrs.empty() && options_.min_lrs.size() != groups.size()) {
    XLAC_CALL("ReduceLROnPlateau.step");
    raise<ValueError>("there are " + std::to_string(groups.size()) +
                      " parameter groups, but min_lrs for " +
                      std::to_string(options_.min_lrs.size()));
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    double least =
        options_.min_lrs.empty() ? options_.min_lr : options_.min_lrs[i];
    double reduced = std::max(lr(i) * options_.factor, least);
    if (lr(i) - reduced > options_.eps)
      groups[i].options["lr"] = reduced;
  }
}

Value::Dict ReduceLROnPlateau::write_state() const {
  const ReduceLROnPlateauOptions &o = options_;
  std::vector<double> min_lrs = o.min_lrs;
  if (min_lrs.empty())
    min_lrs.assign(optimizer_->param_groups().size(), o.min_lr);
  return {{"factor", o.factor},
          {"default_min_lr", o.min_lrs.empty() ? Value(o.min_lr) : Value()},
          {"min_lrs", to_value(min_lrs)},
          {"patience", o.patience},
          {"cooldown", o.cooldown},
          {"eps", o.eps},
          {"mode", o.mode},
          {"threshold", o.threshold},
          {"threshold_mode", o.threshold_mode},
          {"mode_worse", worst(o.mode)},
          {"best", best_},
          {"cooldown_counter", cooldown_counter_},
          {"num_bad_epochs", num_bad_epochs_}};
}

void ReduceLROnPlateau::read_state(const Value &state) {
  ReduceLROnPlateauOptions o;
  o.factor = from_value<double>(state.at("factor"));
  if (const Value &least = state.at("default_min_lr"); least.is<None_t>())
    o.min_lrs = from_value<std::vector<double>>(state.at("min_lrs"));
  else
    o.min_lr = from_value<double>(least);
  o.patience = state.at("patience").to<int64_t>();
  o.cooldown = state.at("cooldown").to<int64_t>();
  o.eps = from_value<double>(state.at("eps"));
  o.mode = state.at("mode").to<std::string>();
  o.threshold = from_value<double>(state.at("threshold"));
  o.threshold_mode = state.at("threshold_mode").to<std::string>();
  best_ = from_value<double>(state.at("best"));
  cooldown_counter_ = state.at("cooldown_counter").to<int64_t>();
  num_bad_epochs_ = state.at("num_bad_epochs").to<int64_t>();
  options_ = std::move(o);
}

} // namespace xlac::optim
