// Learning rate schedulers, with PyTorch's formulas. Constructors set the rates
// of all groups, and each step(), usually called once per epoch, sets them
// again. Optimizers must outlive their schedulers. Formulas update the current
// rate of a group. So schedulers can be chained, and programs may change rates
// between steps. With a `last_epoch` other than -1 a scheduler resumes after
// that epoch; groups then need an "initial_lr", else KeyError. Groups that are
// added later are scheduled if the formula does not need their initial rate.
#pragma once

#include "xlac/optim/optimizer.h"

#include <functional>
#include <limits>
#include <memory>

namespace xlac::optim {

/// The base class of schedulers: sets the learning rates of an optimizer's
/// groups in each step().
class XLAC_API LRScheduler {
public:
  virtual ~LRScheduler();

  /// Goes on to the next epoch and sets the rates of all groups.
  virtual void step();
  /// Returns the rate that the last step set for a group. Throws IndexError for
  /// a group out of range.
  double get_last_lr(size_t group = 0) const;
  /// The number of steps, without the one that the constructor makes.
  int64_t last_epoch() const { return last_epoch_; }
  /// Returns PyTorch's names and values, without functions.
  Value state_dict() const;
  /// Loads a state, also one written by PyTorch. Throws KeyError for missing
  /// entries.
  void load_state_dict(const Value &state);

protected:
  /// Registers with the optimizer; -1 starts from its rates.
  LRScheduler(Optimizer &optimizer, int64_t last_epoch);
  /// For schedulers without initial rates.
  explicit LRScheduler(Optimizer &optimizer);
  /// Makes the first step. Constructors call it last.
  virtual void start();

  /// Returns the rate of a group at last_epoch().
  virtual double get_lr(size_t group) = 0;
  /// As get_lr, computed from the initial rate if there is such a formula.
  virtual double closed_form(size_t group) { return get_lr(group); }
  // For SequentialLR: restart() sets epoch 0; rewind() goes back one epoch
  // without changing rates.
  /// Sets the first rates.
  virtual void restart();
  /// Takes the last step back.
  virtual void rewind() { --last_epoch_; }
  /// Returns the entries of state_dict() that only this type of scheduler has.
  virtual Value::Dict write_state() const { return {}; }
  /// Reads what the class added to the state.
  virtual void read_state(const Value &) {}

  /// Returns the current rate of the group.
  double lr(size_t group) const;
  /// Returns the group's initial rate. Without one it returns `lr`, so that the
  /// rate does not change.
  double base_lr(size_t group) const;
  /// Whether the group had a rate at the start.
  bool has_base_lr(size_t group) const { return group < base_lrs_.size(); }
  /// Whether the constructor sets the first rates.
  bool is_starting() const { return is_starting_; }
  /// Sets the rates of all groups.
  void set_rates(const std::vector<double> &rates);

  /// The optimizer whose rates are set.
  Optimizer *optimizer_;
  /// The number of the last step.
  int64_t last_epoch_;
  /// The rates of the last step.
  std::vector<double> last_lrs_;

private:
  friend class SequentialLR;
  std::vector<double> base_lrs_;
  int64_t step_count_ = 0;
  bool is_starting_ = false;
};

/// Multiplies by gamma every step_size epochs. Throws ValueError for a
/// step_size below 1.
class XLAC_API StepLR : public LRScheduler {
public:
  /// Sets the rates of `optimizer`; `last_epoch` of -1 starts.
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

/// Multiplies by gamma at each of the epochs, once for each time it is listed.
class XLAC_API MultiStepLR : public LRScheduler {
public:
  /// Sets the rates of `optimizer`; `last_epoch` of -1 starts.
  MultiStepLR(Optimizer &optimizer, const std::vector<int64_t> &milestones,
              double gamma = 0.1, int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  double closed_form(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  /// the number of times that each epoch is listed
  std::map<int64_t, int64_t> milestones_;
  double gamma_;
};

/// Multiplies by `factor` until epoch total_iters. Throws ValueError unless
/// factor is in [0, 1].
class XLAC_API ConstantLR : public LRScheduler {
public:
  /// Sets the rates of `optimizer`; `last_epoch` of -1 starts.
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

/// Multiplies by a factor that changes linearly from start_factor to end_factor
/// at epoch total_iters. Throws ValueError unless they are in (0, 1] and [0,
/// 1].
class XLAC_API LinearLR : public LRScheduler {
public:
  /// Sets the rates of `optimizer`; `last_epoch` of -1 starts.
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

/// Multiplies by gamma every epoch.
class XLAC_API ExponentialLR : public LRScheduler {
public:
  /// Sets the rates of `optimizer`; `last_epoch` of -1 starts.
  ExponentialLR(Optimizer &optimizer, double gamma, int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  double closed_form(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  double gamma_;
};

/// Decays to zero at epoch total_iters as (1 - epoch / total_iters)^power.
class XLAC_API PolynomialLR : public LRScheduler {
public:
  /// Sets the rates of `optimizer`; `last_epoch` of -1 starts.
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

/// Decreases along half a cosine to eta_min in T_max epochs, then increases
/// again.
class XLAC_API CosineAnnealingLR : public LRScheduler {
public:
  /// Sets the rates of `optimizer`; `last_epoch` of -1 starts.
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

/// Decreases along half a cosine to eta_min in T_0 epochs and then restarts,
/// each period T_mult times as long as the last. Throws ValueError for T_0 or
/// T_mult below 1.
class XLAC_API CosineAnnealingWarmRestarts : public LRScheduler {
public:
  /// Sets the rates of `optimizer`; `last_epoch` of -1 starts.
  CosineAnnealingWarmRestarts(Optimizer &optimizer, int64_t T_0,
                              int64_t T_mult = 1, double eta_min = 0,
                              int64_t last_epoch = -1);
  void step() override;
  /// Sets the epoch, which may be fractional. Throws ValueError below 0.
  void step(double epoch);

protected:
  double get_lr(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  int64_t T_0_, T_mult_, T_i_;
  double eta_min_, T_cur_;
};

/// Multiplies the initial rate by a function of the epoch.
class XLAC_API LambdaLR : public LRScheduler {
public:
  /// The factor of the first rate, from the number of the step.
  using Function = std::function<double(int64_t)>;
  /// Sets the rates of `optimizer`; `last_epoch` of -1 starts.
  LambdaLR(Optimizer &optimizer, Function lr_lambda, int64_t last_epoch = -1);
  /// Takes one function per group. Throws ValueError for another number.
  LambdaLR(Optimizer &optimizer, std::vector<Function> lr_lambdas,
           int64_t last_epoch = -1);

protected:
  double get_lr(size_t group) override;
  Value::Dict write_state() const override;

private:
  std::vector<Function> lr_lambdas_;
};

/// Options of OneCycleLR.
struct OneCycleLROptions {
  /// default: epochs * steps_per_epoch
  std::optional<int64_t> total_steps = {};
  /// Together instead of total_steps.
  std::optional<int64_t> epochs = {}, steps_per_epoch = {};
  double pct_start = 0.3; ///< share of the steps with a rising rate
  std::string anneal_strategy = "cos"; ///< or "linear"
  bool cycle_momentum = true;          ///< momentum falls while the rate rises
  double base_momentum = 0.85, max_momentum = 0.95; ///< bounds of the momentum
  /// Ratios of the largest rate to the first, of the first to the last.
  double div_factor = 25, final_div_factor = 1e4;
  bool three_phase = false; ///< falls to the first rate, then to the last
  int64_t last_epoch = -1;  ///< number of the last step; -1 starts
};
/// Increases from max_lr / div_factor to max_lr, then decreases far below;
/// step() is called after every batch. Momentum, or beta1, changes in the
/// opposite direction.
class XLAC_API OneCycleLR : public LRScheduler {
public:
  /// Throws ValueError for an invalid option, or an optimizer without momentum
  /// to cycle.
  OneCycleLR(Optimizer &optimizer, double max_lr,
             OneCycleLROptions options = {});
  /// Takes one rate per group.
  OneCycleLR(Optimizer &optimizer, const std::vector<double> &max_lrs,
             OneCycleLROptions options = {});

protected:
  /// Throws ValueError after the last step.
  double get_lr(size_t group) override;
  Value::Dict write_state() const override;
  void read_state(const Value &state) override;

private:
  /// A part of the cycle.
  struct Phase {
    double end_step; ///< the step at which the phase ends
    /// Names of the options between which the phase moves.
    std::string start_lr, end_lr, start_momentum, end_momentum;
  };
  void check_and_plan(const OneCycleLROptions &options);
  double anneal(double start, double end, double part) const;

  int64_t total_steps_ = 0;
  std::vector<Phase> phases_;
  std::string strategy_;
  bool cycle_momentum_, use_beta1_ = false;
};

/// Runs schedulers in sequence; each one after the first starts at its
/// milestone.
class XLAC_API SequentialLR : public LRScheduler {
public:
  /// Throws ValueError unless there is one milestone less than schedulers and
  /// all schedulers belong to this optimizer. ReduceLROnPlateau is not
  /// supported.
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

/// Options of ReduceLROnPlateau.
struct ReduceLROnPlateauOptions {
  std::string mode = "min"; ///< a smaller metric is better; or "max"
  double factor = 0.1;      ///< factor of the rate
  int64_t patience = 10;    ///< steps without improvement before a reduction
  double threshold = 1e-4;  ///< smaller improvements do not count
  std::string threshold_mode = "rel"; ///< or "abs"
  int64_t cooldown = 0; ///< steps after a reduction that do not count
  double min_lr = 0;    ///< the rate is never lower
  std::vector<double> min_lrs = {}; ///< one per group, instead of min_lr
  double eps = 1e-8;                ///< added to the divisor
};
/// Multiplies by `factor` when a metric has not improved for more than
/// `patience` epochs.
class XLAC_API ReduceLROnPlateau : public LRScheduler {
public:
  /// Throws ValueError for an invalid option.
  explicit ReduceLROnPlateau(Optimizer &optimizer,
                             ReduceLROnPlateauOptions options = {});
  /// Takes the measure of the epoch.
  void step(double metric);
  /// Takes a tensor of one element and waits for its value.
  void step(const Tensor &metric) { step(metric.item<double>()); }
  /// Always throws ValueError, since the metric is required.
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
