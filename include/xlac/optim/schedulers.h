// Schedules of an optimizer's learning rate, by PyTorch's formulas: the rates
// of all groups are set when a scheduler is made and again by each step(),
// mostly called once an epoch. Optimizers must outlive their schedulers.
// Formulas go by the rate that a group has, so that schedulers can be chained
// and the rate be changed between; `last_epoch` other than -1 goes on after
// that epoch with groups that have an "initial_lr", else KeyError. Groups that
// are added later are scheduled where the formula needs no first rate.
#pragma once

#include "xlac/optim/optimizer.h"

#include <functional>
#include <limits>
#include <memory>

namespace xlac::optim {

class XLAC_API LRScheduler {
public:
  virtual ~LRScheduler();

  virtual void step();
  /// What the last step set for a group; IndexError past the last one.
  double get_last_lr(size_t group = 0) const;
  /// Steps so far, without the first, which the constructor takes.
  int64_t last_epoch() const { return last_epoch_; }
  /// PyTorch's names and values. Functions are not kept.
  Value state_dict() const;
  /// Also one that PyTorch wrote; KeyError for what is missing.
  void load_state_dict(const Value &state);

protected:
  LRScheduler(Optimizer &optimizer, int64_t last_epoch);
  /// Without first rates.
  explicit LRScheduler(Optimizer &optimizer);
  /// The last line of constructors: takes the first step.
  virtual void start();

  /// The rate of a group at last_epoch().
  virtual double get_lr(size_t group) = 0;
  /// The same from the first rate alone, where there is such a formula.
  virtual double closed_form(size_t group) { return get_lr(group); }
  // For SequentialLR: goes to epoch 0, or one back without changing rates.
  virtual void restart();
  virtual void rewind() { --last_epoch_; }
  /// What a kind of scheduler has besides the common part.
  virtual Value::Dict write_state() const { return {}; }
  virtual void read_state(const Value &) {}

  /// The rate that the group has now.
  double lr(size_t group) const;
  /// The group's first rate; without one `lr`, so that it stays.
  double base_lr(size_t group) const;
  bool has_base_lr(size_t group) const { return group < base_lrs_.size(); }
  bool is_starting() const { return is_starting_; }
  void set_rates(const std::vector<double> &rates);

  Optimizer *optimizer_;
  int64_t last_epoch_;
  std::vector<double> last_lrs_;

private:
  friend class SequentialLR;
  std::vector<double> base_lrs_;
  int64_t step_count_ = 0;
  bool is_starting_ = false;
};

/// Times gamma every step_size epochs. ValueError for a step_size below 1.
class XLAC_API StepLR : public LRScheduler {
public:
  StepLR(Optimizer &optimizer, int64_t step_size, double gamma = 0.1,
         int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  double closed_form(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  int64_t step_size_;
  double gamma_;
};

/// Times gamma at each of the epochs, as often as it is listed.
class XLAC_API MultiStepLR : public LRScheduler {
public:
  MultiStepLR(Optimizer &optimizer, const std::vector<int64_t> &milestones,
              double gamma = 0.1, int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  double closed_form(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  std::map<int64_t, int64_t> milestones_; ///< how often each is listed
  double gamma_;
};

/// Times `factor` until epoch total_iters. ValueError unless factor is in
/// [0, 1].
class XLAC_API ConstantLR : public LRScheduler {
public:
  explicit ConstantLR(Optimizer &optimizer, double factor = 1.0 / 3,
                      int64_t total_iters = 5, int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  double closed_form(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  double factor_;
  int64_t total_iters_;
};

/// Times a factor that goes in a straight line from start_factor to end_factor,
/// at epoch total_iters. ValueError unless they are in (0, 1] and [0, 1].
class XLAC_API LinearLR : public LRScheduler {
public:
  explicit LinearLR(Optimizer &optimizer, double start_factor = 1.0 / 3,
                    double end_factor = 1.0, int64_t total_iters = 5,
                    int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  double closed_form(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  double start_factor_, end_factor_;
  int64_t total_iters_;
};

/// Times gamma every epoch.
class XLAC_API ExponentialLR : public LRScheduler {
public:
  ExponentialLR(Optimizer &optimizer, double gamma, int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  double closed_form(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  double gamma_;
};

/// Falls to zero at epoch total_iters as (1 - epoch / total_iters)^power.
class XLAC_API PolynomialLR : public LRScheduler {
public:
  explicit PolynomialLR(Optimizer &optimizer, int64_t total_iters = 5,
                        double power = 1.0, int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  double closed_form(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  int64_t total_iters_;
  double power_;
};

/// Half a cosine down to eta_min in T_max epochs, then up again.
class XLAC_API CosineAnnealingLR : public LRScheduler {
public:
  CosineAnnealingLR(Optimizer &optimizer, int64_t T_max, double eta_min = 0,
                    int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  double closed_form(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  int64_t T_max_;
  double eta_min_;
};

/// Half a cosine down to eta_min in T_0 epochs, then from the top again, each
/// time T_mult times as long. ValueError for either below 1.
class XLAC_API CosineAnnealingWarmRestarts : public LRScheduler {
public:
  CosineAnnealingWarmRestarts(Optimizer &optimizer, int64_t T_0,
                              int64_t T_mult = 1, double eta_min = 0,
                              int64_t last_epoch = -1);
  void step() override;
  /// To that time, which need not be whole. ValueError below 0.
  void step(double epoch);

protected:
  double get_lr(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  int64_t T_0_, T_mult_, T_i_;
  double eta_min_, T_cur_;
};

/// The first rate times a function of the epoch.
class XLAC_API LambdaLR : public LRScheduler {
public:
  using Function = std::function<double(int64_t)>;
  LambdaLR(Optimizer &optimizer, Function lr_lambda, int64_t last_epoch = -1);
  /// One for each group, else ValueError.
  LambdaLR(Optimizer &optimizer, std::vector<Function> lr_lambdas,
           int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  Value::Dict write_state() const override;

private:
  std::vector<Function> lr_lambdas_;
};

struct OneCycleLROptions {
  std::optional<int64_t> total_steps = {}; ///< else epochs * steps_per_epoch
  std::optional<int64_t> epochs = {}, steps_per_epoch = {};
  double pct_start = 0.3;
  std::string anneal_strategy = "cos"; ///< or "linear"
  bool cycle_momentum = true;
  double base_momentum = 0.85, max_momentum = 0.95;
  double div_factor = 25, final_div_factor = 1e4;
  bool three_phase = false;
  int64_t last_epoch = -1;
};
/// Up from max_lr / div_factor to max_lr, then far down; step() after every
/// batch. Momentum, or beta1, goes the other way.
class XLAC_API OneCycleLR : public LRScheduler {
public:
  /// ValueError for a wrong option, or an optimizer without momentum to cycle.
  OneCycleLR(Optimizer &optimizer, double max_lr,
             OneCycleLROptions options = {});
  /// A rate for each group.
  OneCycleLR(Optimizer &optimizer, const std::vector<double> &max_lrs,
             OneCycleLROptions options = {});

protected:
  /// ValueError past the last step.
  double get_lr(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  struct Phase {
    double end_step;
    std::string start_lr, end_lr, start_momentum, end_momentum;
  };
  void check_and_plan(const OneCycleLROptions &options);
  double anneal(double start, double end, double part) const;

  int64_t total_steps_ = 0;
  std::vector<Phase> phases_;
  std::string strategy_;
  bool cycle_momentum_, use_beta1_ = false;
};

/// One scheduler after the other: the next one begins at its milestone.
class XLAC_API SequentialLR : public LRScheduler {
public:
  /// ValueError unless there is one milestone less than schedulers and all are
  /// of this optimizer; not for ReduceLROnPlateau.
  SequentialLR(Optimizer &optimizer,
               std::vector<std::shared_ptr<LRScheduler>> schedulers,
               std::vector<int64_t> milestones, int64_t last_epoch = -1);
  void step() override;

protected:
  double get_lr(size_t group) override { return lr(group); }
  void start() override;
  void restart() override;
  void rewind() override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  std::vector<std::shared_ptr<LRScheduler>> schedulers_;
  std::vector<int64_t> milestones_;
};

struct ReduceLROnPlateauOptions {
  std::string mode = "min"; ///< what is better: or "max"
  double factor = 0.1;
  int64_t patience = 10;
  double threshold = 1e-4;
  std::string threshold_mode = "rel"; ///< or "abs"
  int64_t cooldown = 0;
  double min_lr = 0;
  std::vector<double> min_lrs = {}; ///< one for each group in place of min_lr
  double eps = 1e-8;
};
/// Times `factor` when a metric has not become better for more than `patience`
/// epochs.
class XLAC_API ReduceLROnPlateau : public LRScheduler {
public:
  /// ValueError for a wrong option.
  explicit ReduceLROnPlateau(Optimizer &optimizer,
                             ReduceLROnPlateauOptions options = {});
  void step(double metric);
  /// Of a tensor of one element; waits for it.
  void step(const Tensor &metric) { step(metric.item<double>()); }
  /// Always a ValueError: the metric is needed.
  void step() override;

protected:
  double get_lr(size_t group) override { return lr(group); }
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  bool is_better(double metric) const;
  void reduce();

  ReduceLROnPlateauOptions options_;
  double best_;
  int64_t num_bad_epochs_ = 0, cooldown_counter_ = 0;
};

} // namespace xlac::optim
